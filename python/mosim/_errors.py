"""What is wrong with a model or a run, as exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._core import Diagnostic

if TYPE_CHECKING:
    from ._result import Result


class ModelicaError(Exception):
    """Something is wrong with a model or a run. `diagnostics` says what, where, and what to do about it."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics: list[Diagnostic] = list(diagnostics)
        super().__init__("\n" + "".join(d.text for d in self.diagnostics) if self.diagnostics else "unknown error")

    def _render_traceback_(self) -> list[str]:
        """For IPython: the places that matter are those in the model."""
        return [f"{type(self).__name__}: {self}"]


class ModelError(ModelicaError):
    """A text or a model is not valid."""


class SimulationError(ModelicaError):
    """A run has failed. `result` holds what there is of it; None where there is nothing."""

    def __init__(self, diagnostics: Sequence[Diagnostic], result: "Result | None" = None):
        super().__init__(diagnostics)
        self.result = result


class StudyError(RuntimeError):
    """A study cannot go on. What it has done is in its output, and the same call goes on with it."""
