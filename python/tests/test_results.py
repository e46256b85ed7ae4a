"""Results as data, to read and to look at."""

import inspect

import numpy as np
import pytest

import mosim

BALL = """
model Ball
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true, unit = "m") "Height";
  Real v(start = 0, fixed = true, unit = "m/s");
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""

LIGHT = """
model Light
  Boolean on(start = false, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(0.25, 0.5) then
    on = not pre(on);
  end when;
  der(x) = if on then 1 else 0;
end Light;
"""


@pytest.fixture(scope="module")
def ball():
    return mosim.model(BALL)


def test_limits_at_events(ball):
    r = ball.simulate(stop=1.2, set={"e": 0.5})
    v, h = r.limits("v"), r.limits("h")
    impacts = [e for e in r.events if e.kind == "state" and not e.is_rearming]
    assert len(impacts) == 3
    first = np.sqrt(2 / 9.81)
    np.testing.assert_allclose(v.time, [first, 2 * first, 2.5 * first], rtol=1e-6)
    np.testing.assert_array_equal(v.time, [e.time for e in impacts])
    np.testing.assert_allclose(v.right, -0.5 * v.left, rtol=1e-12)
    np.testing.assert_array_equal(h.left, h.right)   # h does not jump
    assert [e.changes["v"] for e in impacts] == list(zip(v.left, v.right))
    assert r.limits("n").right.tolist() == [1, 2, 3]
    assert len(ball.simulate(stop=0.1).limits("v").time) == 0


def test_events_are_data(ball):
    r = ball.simulate(stop=1)
    e = next(e for e in r.events if e.kind == "state")
    assert e.relation == "h < 0"
    assert (e.place.line, e.place.column) == (10, 8)
    assert e.fired[0].place.line == 10
    assert set(e.changes) >= {"v", "n"}
    assert e.changes["n"] == (0, 1)
    assert "h < 0 becomes true" in repr(e) and "n: 0 -> 1" in repr(e)
    assert isinstance(r.events[:1], mosim.Events) and len(r.events[:1]) == 1
    table = r.events.to_pandas()
    assert list(table["kind"]).count("state") == 1
    row = table[table["kind"] == "state"].iloc[0]
    assert row["cause"] == "h < 0 becomes true" and row["place"] == "<text>:10:8" and "n: 0 -> 1" in row["changes"]
    assert "h &lt; 0 becomes true" in r.events._repr_html_()


def test_patterns_as_results():
    m = mosim.model("model M Real x[2](each start = 1, each fixed = true); Real y = sum(x); equation der(x) = -x; end M;")
    assert m.simulate(results=["x"]).names == ["time", "x[1]", "x[2]"]
    assert m.simulate(results=["y", "der*"]).names == ["time", "y", "der(x[1])", "der(x[2])"]
    with pytest.raises(ValueError, match="no variable z to record"):
        m.simulate(results=["z"])


def test_why_is_the_report(ball):
    r = ball.simulate(stop=10)
    why = r.why()
    assert why.startswith("Ball\n  simulated   0 to 10 s, tolerance 1e-06, BDF\n")
    assert "Zeno        h < 0  (<text>:10:8): the intervals between its events shrink by the ratio 0.8," in why
    assert repr(why) == why.rstrip("\n")   # shows itself
    assert "h < 0 becomes true" in r.log()


def test_pages(ball):
    r = ball.simulate(stop=1)
    page = r.page("h")
    assert page.startswith("<!doctype html>") and "model Ball" in page
    assert len(r.page(most_numbers=2000)) < len(page)
    with pytest.raises(ValueError, match="nobody"):
        r.page("nobody")
    frame = r._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and 'sandbox="allow-scripts"' in frame
    assert "<script" not in frame   # all of it is inside the attribute


def test_models_show_themselves():
    m = mosim.model('model M "a <b>" parameter Real k(unit = "N/m") = 2.5 "stiffness"; parameter Boolean b = true; parameter Integer n = 3;'
                    ' parameter String s = "t"; input Real u; Real x(start = 1, fixed = true); equation der(x) = u - k*x; end M;')
    assert m.parameters == {"k": 2.5, "b": True, "n": 3, "s": "t"}
    assert type(m.parameters["b"]) is bool and type(m.parameters["n"]) is int
    shown = m._repr_html_()
    assert "a &lt;b&gt;" in shown and "N/m" in shown and "stiffness" in shown and ">2.5<" in shown
    assert list(m.states) == ["x"] and list(m.inputs) == ["u"]
    assert mosim.model("model M parameter Real a = 1; parameter Real b = 2*a; end M;", set={"a": 4}).parameters == {"a": 4, "b": 8}


def test_errors_show_the_place_alone():
    with pytest.raises(mosim.ModelError) as error:
        mosim.model("model M\n  Real x = y;\nend M;")
    shown = "".join(error.value._render_traceback_())
    assert shown.startswith("ModelError: \n<text>:2:12: error: ")
    assert "\n               ^" in shown and "Traceback" not in shown


def test_plot(ball):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    r = ball.simulate(stop=1)
    axes = r.plot("h")
    (line, *others) = [a for a in axes.get_lines() if a.get_label() == "h [m]"]
    assert not others
    np.testing.assert_array_equal(line.get_ydata(), r["h"])
    assert line.get_drawstyle() == "default"
    marks = [a for a in axes.get_lines() if a not in (line,)]
    assert [m.get_xdata()[0] for m in marks] == [e.time for e in r.events if e.kind == "state" and not e.is_rearming]
    assert axes.get_xlabel() == "time [s]"
    pyplot.close("all")

    panels = r.plot("h", "v", "n")   # an axes for each unit
    assert [[t.get_text() for t in p.get_legend().get_texts()] for p in panels] == [["h [m]"], ["v [m/s]"], ["n"]]
    assert panels[2].get_lines()[0].get_drawstyle() == "steps-post"
    pyplot.close("all")

    _, own = pyplot.subplots()
    assert r.plot("h", "v", axes=own, events=False) is own and len(own.get_lines()) == 2
    pyplot.close("all")
    with pytest.raises(KeyError):
        r.plot("nobody")
    assert not pyplot.get_fignums()


def test_steps_are_steps():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    r = mosim.model(LIGHT).simulate(stop=2)
    lines = {a.get_label(): a.get_drawstyle() for a in r.plot("on", "x", events=False).get_lines()}
    assert lines == {"on": "steps-post", "x": "default"}
    pyplot.close("all")
    on = r.limits("on")
    np.testing.assert_array_equal(on.time, [0.25, 0.75, 1.25, 1.75])
    np.testing.assert_array_equal(on.left, [0, 1, 0, 1])
    np.testing.assert_array_equal(on.right, [1, 0, 1, 0])


def test_results_are_no_copies(ball):
    r = ball.simulate(stop=1)
    assert r["h"].base is not None and np.shares_memory(r["h"], r.rows)
    assert np.shares_memory(r.to_pandas().to_numpy(), r.rows)


def test_signatures_agree():
    simulate, run = (set(inspect.signature(f).parameters) for f in (mosim.Model.simulate, mosim.Model.run))
    assert simulate - run == {"progress"}
