"""C of a model's own."""

import shutil
import subprocess

import pytest

import mosim

TEXT = """
model M
  function f
    input Real x;
    output Real y;
    external "C" y = f(x) annotation({});
  end f;
  Real x(start = 1, fixed = true), y = f(x);
equation
  der(x) = 1;
end M;
"""
C = """
#include "ModelicaUtilities.h"
double f(double x) {
  if (x > 2) ModelicaFormatError("%g is too large", x);
  return x*x;
}
"""


def check(text):
    with pytest.raises(mosim.ModelError, match="native"):   # not without being told
        mosim.model(text)
    m = mosim.model(text, native_code=True)
    r = m.simulate(stop=0.5, intervals=1)
    assert r["y"].tolist() == pytest.approx([1, 2.25])
    with pytest.raises(mosim.SimulationError, match="is too large") as error:
        m.simulate(stop=2)
    assert error.value.result["y"][-1] == pytest.approx(4, abs=0.1)


def test_as_text():
    quoted = C.replace("\\", "\\\\").replace('"', '\\"')
    check(TEXT.format(f'Include="{quoted}"'))


def test_in_a_shared_library(tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    (tmp_path / "f.c").write_text(C.replace('#include "ModelicaUtilities.h"', "void ModelicaFormatError(const char*, ...);"))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "libown.so", tmp_path / "f.c"], check=True)
    check(TEXT.format(f'Library="own", LibraryDirectory="{tmp_path.as_uri()}"'))
