"""Classes and resources that a function is asked for."""

import mosim
import pytest

TEXTS = {
    "Toys": "package Toys constant Real g = 9.81; end Toys;",
    "Toys.Fall": "within Toys; model Fall Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -g; end Fall;",
}
READER = """
model Reader
  function path input String uri; output String file; external "C" file = ModelicaInternal_fullPathName(uri); end path;
  function lines input String file; output Integer n; external "C" n = ModelicaInternal_countLines(file); end lines;
  Real n;
algorithm
  when initial() then
    n := lines(path("modelica://Reader/lines.txt"));
  end when;
end Reader;
"""


def test_classes_are_asked_for():
    asked = []

    def source(name):
        asked.append(name)
        return TEXTS.get(name)

    model = mosim.model("model M extends Toys.Fall; end M;", source=source)
    assert model.simulate(stop=0.25)["h"][-1] == pytest.approx(1 - 9.81 * 0.25**2 / 2, abs=1e-5)
    assert asked.count("Toys") == 1 and asked.count("Toys.Fall") == 1


def test_a_source_that_raises():
    def source(name):
        raise OSError("no line")

    with pytest.raises(mosim.ModelError, match="no line"):
        mosim.model("model M extends Toys.Fall; end M;", source=source)


def test_resources_are_asked_for(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("one\ntwo\n")
    model = mosim.model(READER, resource=lambda uri: file if uri == "modelica://Reader/lines.txt" else None)
    assert model.simulate(stop=1)["n"][-1] == 2
