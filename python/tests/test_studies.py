"""Studies: on threads, in other processes, on Dask, under MPI; interrupted and gone on with."""

import concurrent.futures
import math
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import mosim
from mosim import _study

BALL = """
model Ball
  parameter Real e = 0.7;
  parameter Integer n = 2;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real x[n] = h*(1:n);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  assert(e < 1, "that much it cannot gain");
end Ball;
"""
REPORT = "max(h), last(v), hits = count(h < 0)"


@pytest.fixture(scope="module")
def ball():
    return mosim.model(BALL)


def same(one, two):
    return one.keys() == two.keys() and all(np.array_equal(one[k], two[k], equal_nan=True) for k in one.keys()) and one.problems == two.problems


def test_a_grid(ball):
    study = mosim.study(ball, {"e": [0.5, 0.9], "h": "1:0.5:2"}, report=REPORT, stop=1)
    assert len(study) == 6
    assert study["e"].tolist() == [0.5] * 3 + [0.9] * 3
    assert study["h"].tolist() == [1, 1.5, 2] * 2
    assert np.array_equal(study["max(h)"], study["h"])
    for k in range(6):
        result = ball.simulate(set={"e": study["e"][k], "h": study["h"][k]}, stop=1)
        assert result["v"][-1] == study["last(v)"][k]
    assert list(study) == ["e", "h", "max(h)", "last(v)", "hits"]
    with pytest.raises(KeyError, match="no column q"):
        study["q"]


def test_measures_of_one_result(ball):
    result = ball.simulate(stop=1, set={"e": 0.5})
    assert result.measure("last(v)") == result["v"][-1]
    assert result.measure("top = max(h), count(h < 0)") == {"top": 1.0, "count(h < 0)": 2.0}
    with pytest.raises(ValueError, match="no column v"):
        ball.simulate(stop=1, results=["h"]).measure("max(v)")


def test_failures_are_rows(ball):
    study = mosim.study(ball, {"e": [0.5, 1.5]}, report=REPORT, stop=1)
    assert study.problems == {2: "at 0 s: assertion failed: that much it cannot gain with e = 1.5"}
    assert math.isnan(study["hits"][1])
    frame = study.to_pandas()
    assert frame.loc[2, "problem"] == study.problems[2]
    assert frame.index.name == "run"
    assert "1 failed" in repr(study)


def test_what_is_compiled_in_is_compiled(ball):
    study = mosim.study(ball, {"n": [1, 3]}, report={"first": "first(x[1])"}, set={"h": 2.0}, stop=0.1)
    assert study["first"].tolist() == [2, 2]


def test_tables(ball):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"e": [0.3, 0.6], "h": [1.0, 2.0]})
    assert mosim.study(ball, table=table, report="max(h)", stop=0.1)["max(h)"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="either vary"):
        mosim.study(ball, report="max(h)")
    with pytest.raises(ValueError, match="Ball has no variable g"):
        mosim.study(ball, {"g": [1]}, report="max(h)")


def test_a_file(tmp_path):
    path = tmp_path / "Ball.mo"
    path.write_text(BALL)
    assert mosim.study(path, {"e": 0.5}, report=REPORT, stop=0.1)["hits"].tolist() == [0]


def test_the_number_of_workers_does_not_matter(ball):
    given = dict(vary={"e": "uniform(0.1, 0.9)", "h": "lognormal(0, 0.2)"}, runs=60, report=REPORT, stop=1, seed=7)
    one = mosim.study(ball, workers=1, **given)
    assert same(one, mosim.study(ball, workers=3, **given))
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        assert same(one, mosim.study(ball, executor=executor, **given))
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert same(one, mosim.study(ball, executor=executor, **given))


def test_dask(ball):
    distributed = pytest.importorskip("distributed")
    given = dict(vary={"e": "uniform(0.1, 0.9)"}, runs=100, report=REPORT, stop=1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        assert same(mosim.study(ball, **given), mosim.study(ball, executor=client.get_executor(), **given))


MPI = """
import sys
import mosim
from mpi4py.futures import MPIPoolExecutor
if __name__ == "__main__":
    ball = mosim.load(sys.argv[1])
    with MPIPoolExecutor() as executor:
        study = mosim.study(ball, {"e": "uniform(0.1, 0.9)"}, runs=40, report="max(h), last(v)", stop=1, executor=executor)
    study.to_pandas().to_csv(sys.argv[2])
"""


def test_mpi(ball, tmp_path):
    pytest.importorskip("mpi4py")
    (tmp_path / "Ball.mo").write_text(BALL)
    (tmp_path / "run.py").write_text(MPI)
    command = ["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", "run.py", "Ball.mo", "out.csv"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=300, env={**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1"})
    expected = mosim.study(ball, {"e": "uniform(0.1, 0.9)"}, runs=40, report="max(h), last(v)", stop=1).to_pandas()
    import pandas

    assert pandas.read_csv(tmp_path / "out.csv", index_col="run", float_precision="round_trip", keep_default_na=False).equals(expected)


# ---- workers that die ----------------------------------------------------------------------------------------------------

_real_work = _study._work


def _deadly_once(*arguments):
    """Ends its process at run 7, the first time."""
    mark = pathlib.Path(os.environ["MOSIM_TEST_MARK"])
    if 7 in arguments[-1] and not mark.exists():
        mark.write_text("")
        os._exit(1)
    return _real_work(*arguments)


def _deadly(*arguments):
    if 7 in arguments[-1]:
        os._exit(1)
    return _real_work(*arguments)


def _pool():
    return concurrent.futures.ProcessPoolExecutor(2)


def test_a_worker_that_dies(ball, tmp_path, monkeypatch):
    given = dict(vary={"e": "uniform(0.1, 0.9)"}, runs=64, report=REPORT, stop=1)
    expected = mosim.study(ball, **given)
    monkeypatch.setenv("MOSIM_TEST_MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(_study, "_work", _deadly_once)
    assert same(expected, mosim.study(ball, executor=_pool, **given))
    assert (tmp_path / "mark").exists()
    # One that ends every worker is told, and the others are done all the same.
    monkeypatch.setattr(_study, "_work", _deadly)
    study = mosim.study(ball, executor=_pool, **given)
    assert list(study.problems) == [7]
    assert "3 times" in study.problems[7]
    assert np.array_equal(np.delete(study["last(v)"], 6), np.delete(expected["last(v)"], 6))


def test_a_broken_executor_of_the_callers(ball, tmp_path, monkeypatch):
    output = tmp_path / "t.csv"
    given = dict(vary={"e": "uniform(0.1, 0.9)"}, runs=64, report=REPORT, stop=1, output=output)
    monkeypatch.setattr(_study, "_work", _deadly)
    with _pool() as executor, pytest.raises(mosim.StudyError, match="executor=lambda"):
        mosim.study(ball, executor=executor, **given)
    monkeypatch.undo()
    study = mosim.study(ball, **given)   # goes on where it was
    assert same(study, mosim.study(ball, **{**given, "output": None}))
    assert output.read_text().startswith("run,e,max(h),last(v),hits,problem\n1,")
    assert not (tmp_path / "t.csv.runs").exists()


def test_interrupted(ball, tmp_path):
    script = f"""
import mosim, os, signal, threading, time
ball = mosim.model({BALL!r})
def soon():
    while not os.path.exists("t.csv.runs") or os.path.getsize("t.csv.runs") < 3000:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=soon).start()
study = mosim.study(ball, {{"e": "uniform(0.1, 0.9)"}}, runs=100000, report="max(h)", stop=3, output="t.csv")
print(study.is_complete, 20 < len(study) < 100000)
"""
    found = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert found.stdout.split() == ["False", "True"], found.stderr
    assert (tmp_path / "t.csv.runs").exists()


def test_wrong_calls(ball):
    for given, words in [
        (dict(vary={"e": "normal(0,1)"}, report="max(h)"), "number of runs"),
        (dict(vary={"e": [0.5]}, report="h"), r"say last\(h\)"),
        (dict(vary={"e": [0.5]}, report="max(h)", sampling="sobol"), "monte-carlo"),
        (dict(vary={"e": [0.5]}, report="max(h)", tolerance=2.0), "tolerance"),
        (dict(vary={"e": [float("nan")]}, report="max(h)"), "no number"),
    ]:
        with pytest.raises(ValueError, match=words):
            mosim.study(ball, **given)
    with concurrent.futures.ProcessPoolExecutor(1) as executor, pytest.raises(ValueError, match="n cannot vary from run to run"):
        mosim.study(ball, {"n": [1, 2]}, report="max(h)", executor=executor)


# ---- models and runs as bytes --------------------------------------------------------------------------------------------


def test_a_run_that_is_saved(ball):
    run = ball.run(stop=2)
    run.advance_to(1.1)
    again = ball.restore(run.save())
    assert again.time == 1.1
    for r in (run, again):
        r.advance_to(2)
    assert np.array_equal(run.finish().rows, again.finish().rows)
    with pytest.raises(ValueError, match="no saved run"):
        ball.restore(b"nonsense")


def test_a_model_in_a_file(ball, tmp_path):
    ball.save(tmp_path / "Ball.mosim")
    loaded = mosim.load(tmp_path / "Ball.mosim")
    assert np.array_equal(loaded.simulate(stop=1, set={"e": 0.5}).rows, ball.simulate(stop=1, set={"e": 0.5}).rows)
    assert loaded.parameters == ball.parameters
    with pytest.raises(ValueError, match="compiled for other values than n = 3"):
        loaded.simulate(set={"n": 3})
    (tmp_path / "no.mosim").write_bytes(b"nothing")
    with pytest.raises(mosim.ModelError):
        mosim.load(tmp_path / "no.mosim")
    again = pickle.loads(pickle.dumps(ball))
    assert np.array_equal(again.simulate(stop=1).rows, ball.simulate(stop=1).rows)


def test_events_of_a_model_of_another_size_name_its_variables():
    model = mosim.model("""model M parameter Integer n = 1; Real z[n](each start = 1, each fixed = true), h(start = 1, fixed = true);
      equation der(z) = -z; der(h) = -1; when h < 0 then reinit(h, 1); end when; end M;""")
    assert list(model.simulate(stop=1.5, set={"n": 3}).events[1].changes) == ["h"]


def test_inputs_of_other_kinds():
    model = mosim.model("model M input Real u; Real x(start = 0, fixed = true); equation der(x) = u; end M;")
    assert model.simulate(inputs={"u": 2}, stop=1)["x"][-1] == pytest.approx(2)
    with pytest.raises(TypeError, match="the function of the input u gives None at time = 0"):
        model.simulate(inputs={"u": lambda t: None})
    with pytest.raises(ValueError, match="or a number"):
        model.simulate(inputs={"u": (1, 2, 3, 4)})
    assert model.variables["x"].is_changeable
