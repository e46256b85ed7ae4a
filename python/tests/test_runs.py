"""Runs that are ended, watched or led from outside."""

import math
import os
import signal
import threading

import numpy as np
import pytest

import mosim

LONG = "model M Real x(start = 0, fixed = true); Real y; equation der(x) = sin(1e4*time); y = 2*x; end M;"
ENDLESS = """
model Endless
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y < 1e300 loop
      y := y*1.0 + 0;
    end while;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = f(x);
end Endless;
"""
TALKS = """
model Talks
  impure function say
    input String text;
    input String file = "";
    external "C" ModelicaInternal_print(text, file);
  end say;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.5, 1) then
    say("tick");
  end when;
end Talks;
"""


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def interrupt_after(time):
    """Ctrl-C, once the run is there."""
    return lambda now: interrupt() if now > time else None


def test_ctrl_c_gives_whole_rows():
    r = mosim.model(LONG).simulate(stop=1e6, interval=0.001, progress=interrupt_after(0.01))
    assert r.ending == "interrupted"
    assert 0.01 < r.time_reached < 1e6
    assert 0.01 <= r.time[-1] <= r.time_reached
    assert np.all(np.isfinite(r.rows))
    np.testing.assert_allclose(r["y"], 2 * r["x"])
    assert "interrupted at" in r.why()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):   # outside of runs it is as before
        interrupt()
        threading.Event().wait(10)


def test_ctrl_c_ends_a_step_that_would_not_end():
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    r = mosim.model(ENDLESS).simulate(stop=1)
    timer.join()
    assert r.ending == "interrupted"


def test_ctrl_c_while_a_run_is_led_by_hand():
    run = mosim.model(LONG).run(stop=1e9)
    run.advance_to(1)
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    assert not run.advance_to(1e9)
    timer.join()
    assert run.finish().ending == "interrupted"


def test_a_handler_of_ones_own_is_called():
    class Enough(Exception):
        pass

    def handler(number, frame):
        raise Enough

    before = signal.signal(signal.SIGINT, handler)
    try:
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with pytest.raises(Enough):
            mosim.model(LONG).simulate(stop=1e9)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_progress():
    times = []
    mosim.model(LONG).simulate(stop=0.1, progress=times.append)
    assert times and times == sorted(times) and 0 <= times[0] and times[-1] <= 0.1


def test_exceptions_of_callbacks_end_the_run():
    def fails(time):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        mosim.model(LONG).simulate(stop=1e9, progress=fails)

    def fails_too(text):
        raise LookupError(text)

    with pytest.raises(LookupError, match="tick"):
        mosim.model(TALKS).simulate(stop=10, print=fails_too)


def test_print(capsys):
    m = mosim.model(TALKS)
    said = []
    m.simulate(stop=3, print=said.append)
    assert said == ["tick\n"] * 3
    m.simulate(stop=2)
    assert capsys.readouterr().out == "tick\n" * 2


def test_a_line_shows_a_long_run(capsys, monkeypatch):
    monkeypatch.setattr("mosim._progress.PATIENCE", 0.0)
    mosim.model(LONG).simulate(stop=0.1, progress=True)
    shown = capsys.readouterr().err
    assert " of 0.1 s (" in shown and shown.endswith("\r\x1b[K")
    mosim.model(LONG).simulate(stop=0.1)
    assert capsys.readouterr().err == ""


def test_several_values_at_once():
    run = mosim.model("model M input Real u[2]; Real x(start = 0, fixed = true); equation der(x) = u[1] + u[2]; end M;").run(stop=2)
    assert run.set({"u[1]": 1, "u[2]": 3})
    run.advance_to(1)
    np.testing.assert_allclose(run.get(["x", "u[1]", "u[2]"]), [4, 1, 3])
    with pytest.raises(ValueError, match="no input and no state"):
        run["der(x)"] = 1
    with pytest.raises(ValueError, match="nobody"):
        run["nobody"]
    assert "at 1 s" in repr(run)
    run.finish()
    assert "finished" in repr(run)
    with pytest.raises(ValueError, match="has been finished"):
        run["x"]
    with pytest.raises(ValueError, match="has been finished"):
        run.advance_to(2)


def test_threads_share_a_model_whose_parameters_differ():
    m = mosim.model("model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;")
    ends = [0.0] * 6

    def work(k):
        ends[k] = m.simulate(stop=1, set={"k": float(k)}, tolerance=1e-9)["x"][-1]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_allclose(ends, np.exp(-np.arange(6.0)), rtol=1e-7)


def test_files_that_are_not_there():
    with pytest.raises(FileNotFoundError):
        mosim.load("nowhere.mo")
    with pytest.raises(FileNotFoundError):
        mosim.model("model M end M;", libraries=["nowhere"])
    with pytest.raises(ValueError, match="holds no class"):
        mosim.model("// nothing")


DRIVEN = """model M
  input Real u;
  input Boolean b;
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = u;
  when b then n = pre(n) + 1; end when;
end M;
"""


def test_inputs_over_time():
    m = mosim.model(DRIVEN)
    r = m.simulate(stop=3, tolerance=1e-9, inputs={"u": math.sin, "b": ([0, 1, 2], [False, True, False], "hold")})
    assert np.allclose(r["x"], 1 - np.cos(r.time), atol=1e-7)
    assert r["n"][-1] == 1
    assert [e.time for e in r.events if e.kind == "set"] == [1, 2]
    r = m.simulate(stop=2, tolerance=1e-9, inputs={"u": (np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.0]))})
    assert abs(r["x"][-1] - 1) < 1e-9
    with pytest.raises(ValueError, match="times, values"):
        m.simulate(inputs={"u": ([0], [1], "cubic")})
    with pytest.raises(ValueError, match="no input"):
        m.simulate(inputs={"x": math.sin})


def test_a_function_that_fails_ends_the_run():
    def fails(time):
        raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="out of paper"):
        mosim.model(DRIVEN).simulate(inputs={"u": fails})


def test_what_is_set_needs_no_compilation():
    m = mosim.model("model M parameter Real k = 1; parameter Integer n = 2; Real x(start = 1, fixed = true); Real y[n] = {i*x for i in 1:n}; equation der(x) = -k*x; end M;")
    for k in (0.5, 2, 3):
        assert abs(m.simulate(stop=1, tolerance=1e-9, set={"k": k, "x": 4})["x"][-1] - 4*math.exp(-k)) < 1e-7
    assert len(m._variants) == 1
    assert "y[3]" in m.simulate(set={"n": 3, "k": 2}).names
    assert len(m._variants) == 2
