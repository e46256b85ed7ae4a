"""Models as linear systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._types import Array


class Linearization:
    """A model near a point of its run: der(x) = A x + B u, y = C x + D u, with the differences from that point. A, B, C, D = linearization

    The derivatives are exact: the program itself is differentiated. Discrete variables and relations count as constant.
    """

    def __init__(self, found: _core.Linearization):
        #: s
        self.time: float = found.time
        #: names, in the order of the rows and columns
        self.states: list[str] = list(found.states)
        self.inputs: list[str] = list(found.inputs)
        self.outputs: list[str] = list(found.outputs)
        n, m, p = len(self.states), len(self.inputs), len(self.outputs)
        self.A: Array = np.reshape(found.a, (n, n))
        self.B: Array = np.reshape(found.b, (n, m))
        self.C: Array = np.reshape(found.c, (p, n))
        self.D: Array = np.reshape(found.d, (p, m))
        #: values at the point
        self.x: Array = np.array(found.x)
        self.u: Array = np.array(found.u)
        self.y: Array = np.array(found.y)
        self.der_x: Array = np.array(found.der_x)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B, self.C, self.D))

    def eigenvalues(self) -> NDArray[Any]:
        """Of A, 1/s."""
        return np.linalg.eigvals(self.A)

    def to_scipy(self) -> Any:
        """A scipy.signal.StateSpace."""
        from scipy import signal

        return signal.StateSpace(*self)

    def __repr__(self) -> str:
        return f"<linearization at {self.time:g} s: states {self.states}, inputs {self.inputs}, outputs {self.outputs}>"
