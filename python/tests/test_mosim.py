"""The Python package, against closed forms."""

import gc
import math
import os
import pathlib
import signal
import threading

import numpy as np
import pytest

import mosim

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

BALL = """
model Ball
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true, unit = "m") "Height";
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""


def test_a_file():
    m = mosim.load(MODELS / "DiscreteBehavior" / "BouncingBall" / "BouncingBall.mo")
    assert m.name.endswith("BouncingBall")
    assert m.variables["h"].unit == "m"
    assert set(m.parameters) == {"e", "h0"}
    r = m.simulate(stop=3, tolerance=1e-8)
    assert r.ending == "stop_time"
    first = next(e for e in r.events if e.kind == "state")
    assert abs(first.time - math.sqrt(2 / 9.81)) < 1e-7
    before, after = first.changes["v"]
    assert abs(after + 0.8 * before) < 1e-9


def test_columns_are_views_of_the_rows():
    r = mosim.model(BALL).simulate(stop=1)
    h, t = r["h"], r.time
    assert h.shape == t.shape == (len(r.rows),)
    assert np.shares_memory(h, r.rows)
    np.testing.assert_array_equal(h, r.rows[:, r.names.index("h")])
    low = float(h.min())
    del r
    gc.collect()
    assert float(h.min()) == low   # the array keeps what it looks at
    # Left limit and new value at the impact.
    k = int(np.flatnonzero(np.diff(t) == 0)[0])
    assert t[k] == t[k + 1]


def test_settings_and_results():
    m = mosim.model(BALL)
    r = m.simulate(stop=3, set={"e": 0.5, "h": 2.0}, results=["h"])
    assert r.names == ["time", "h"]
    assert abs(r["h"][0] - 2) < 1e-12
    first = next(e for e in r.events if e.kind == "state")
    before, after = first.changes["v"]
    assert abs(after + 0.5 * before) < 1e-9
    with pytest.raises(mosim.ModelError) as error:
        m.simulate(set={"nobody": 1})
    assert "nobody" in str(error.value)
    with pytest.raises(KeyError):
        r["v"]
    with pytest.raises(ValueError):
        m.simulate(stop=-1)


def test_an_invalid_model_is_an_exception_with_its_place():
    with pytest.raises(mosim.ModelError) as error:
        mosim.model("model M\n  Real x;\nequation\n  x = y;\nend M;")
    d = error.value.diagnostics[0]
    assert (d.severity, d.place.file, d.place.line, d.place.column) == ("error", "<text>", 4, 7)
    assert d.place.source_line == "  x = y;"
    assert "^" in str(error.value)
    with pytest.raises(mosim.ModelError):
        mosim.model("model M Real x")


def test_a_run_that_fails_keeps_its_rows():
    m = mosim.model('model M Real x(start=1, fixed=true); equation der(x) = -1; assert(x > 0.5, "too small"); end M;')
    with pytest.raises(mosim.SimulationError) as error:
        m.simulate(stop=1)
    assert "too small" in str(error.value)
    assert abs(error.value.result["x"][-1] - 0.5) < 1e-2
    assert abs(error.value.diagnostics[0].time - 0.5) < 1e-6


def test_a_loop_with_a_controller():
    # A heater that is switched from outside: T follows u by hand.
    m = mosim.model("model M input Real u(start=0); Real T(start=0, fixed=true); equation der(T) = u - T; end M;")
    assert list(m.inputs) == ["u"]
    run = m.run(stop=10, tolerance=1e-9)
    expected, u = 0.0, 0.0
    for k in range(10):
        u = 1.0 if run["T"] < 0.5 else 0.0
        run["u"] = u
        run.advance_to(k + 1.0)
        expected = u + (expected - u) * math.exp(-1)
        assert abs(run["T"] - expected) < 1e-7
    r = run.finish()
    assert r.time_reached == 10
    assert not run.goes_on
    with pytest.raises(ValueError):
        run.finish()   # twice


def test_pandas_and_xarray():
    pytest.importorskip("pandas")
    r = mosim.model(BALL).simulate(stop=1, results=["h", "v"])
    frame = r.to_pandas()
    assert list(frame.columns) == ["h", "v"] and frame.index.name == "time"
    assert frame["h"].iloc[0] == 1
    pytest.importorskip("xarray")
    data = r.to_xarray()
    assert data["h"].attrs == {"units": "m", "long_name": "Height"}
    assert float(data["h"][0]) == 1


def test_threads_run_at_the_same_time():
    m = mosim.model(BALL)
    alone = m.simulate(stop=3).rows.copy()
    results = [None] * 4

    def work(k):
        results[k] = m.simulate(stop=3).rows

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for rows in results:
        np.testing.assert_array_equal(rows, alone)


def test_ctrl_c_ends_a_run_and_gives_the_rows():
    m = mosim.model("model M Real x(start=0, fixed=true); equation der(x) = sin(1e4*time); end M;")
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    r = m.simulate(stop=1e9)
    assert r.ending == "interrupted"
    assert len(r.rows) > 0 and r.time_reached < 1e9


def test_texts_and_lists_as_settings():
    m = mosim.model('model M parameter Real a[2] = {1, 2}; parameter Boolean b = false; parameter Integer n = 1; Real x = if b then a[1] + n else a[2]; end M;')
    assert m.simulate(set={"a": [5, 6], "b": True, "n": 3})["x"][-1] == 8
