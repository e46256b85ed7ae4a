"""Linear systems, against closed forms."""

import numpy as np
import pytest

import mosim

PENDULUM = """
model Pendulum
  input Real u;
  parameter Real g = 9.81, l = 2, d = 0.1, phi0 = 0;
  Real phi(start = phi0, fixed = true), w(start = 0, fixed = true);
  output Real x = l*sin(phi);
equation
  der(phi) = w;
  der(w) = -g/l*sin(phi) - d*w + u;
end Pendulum;
"""


@pytest.mark.parametrize("phi", [0.0, np.pi, 0.3])
def test_a_pendulum(phi):
    found = mosim.model(PENDULUM).linearize(set={"phi0": phi})
    A, B, C, D = found
    assert (found.states, found.inputs, found.outputs) == (["phi", "w"], ["u"], ["x"])
    np.testing.assert_allclose(A, [[0, 1], [-9.81 / 2 * np.cos(phi), -0.1]], atol=1e-14)
    np.testing.assert_allclose(B, [[0], [1]])
    np.testing.assert_allclose(C, [[2 * np.cos(phi), 0]], atol=1e-14)
    np.testing.assert_allclose(D, [[0]])
    np.testing.assert_allclose(found.x, [phi, 0])
    np.testing.assert_allclose(np.sort_complex(found.eigenvalues()), np.sort_complex(np.roots([1, 0.1, 9.81 / 2 * np.cos(phi)])))


def test_in_the_course_of_a_run():
    m = mosim.model("model M Real x(start = 1, fixed = true); equation der(x) = -x^2; end M;")   # x = 1/(1 + t), and the slope is -2x
    np.testing.assert_allclose(m.linearize(3.0, tolerance=1e-10).A, [[-0.5]], rtol=1e-8)
    with m.run(stop=5, tolerance=1e-10) as run:
        run.advance_to(1)
        np.testing.assert_allclose(run.linearize().A, [[-1.0]], rtol=1e-8)
    assert run.result.time_reached == 1


def test_without_states():
    found = mosim.model("model M input Real u; output Real y = 3*u; end M;").linearize()
    assert found.A.shape == (0, 0) and found.B.shape == (0, 1) and found.C.shape == (1, 0)
    np.testing.assert_allclose(found.D, [[3]])


def test_where_there_is_none():
    m = mosim.model('model M Real x(start = 0, fixed = true); equation der(x) = 1; when x > 1 then terminate("done"); end when; end M;')
    with pytest.raises(ValueError, match="ended at 1 s, before 3 s"):
        m.linearize(3)
    fails = mosim.model('model M Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, "too small"); end M;')
    with pytest.raises(mosim.SimulationError, match="too small"):
        fails.linearize(1)


def test_scipy():
    pytest.importorskip("scipy")
    system = mosim.model(PENDULUM).linearize().to_scipy()
    assert system.A.shape == (2, 2)
