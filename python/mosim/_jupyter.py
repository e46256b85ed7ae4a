"""%%modelica: a cell that defines a model."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from . import _core
from ._errors import ModelError
from ._model import Model
from ._session import session_of


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:   # not the end of the process
        raise ValueError(f"%%modelica: {message}")


class Cells:
    """The texts of the cells: a later cell sees the classes of earlier ones; one that defines a class again takes its place."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, ...], tuple[str, str]] = {}

    def run(self, line: str, cell: str, shell: Any) -> Model:
        parser = _Parser(prog="%%modelica", add_help=False)
        parser.add_argument("variable", nargs="?", help="gets the model; else the name of the last class")
        parser.add_argument("--model", help="the class that is compiled; else the last one")
        parser.add_argument("-L", "--library", action="append", default=[])
        parser.add_argument("--native-code", action="store_true")
        given = parser.parse_args(shlex.split(line))
        file = f"In[{shell.execution_count}]"
        names = self._names(file, cell)
        earlier = {n: t for n, t in self._texts.items() if not set(n) & set(names)}
        session = session_of(given.library, given.native_code)
        for told, text in earlier.values():
            session.read_text(told, text)
        session.read_text(file, cell)
        model = Model(session, given.model or names[-1])
        self._texts = {**earlier, tuple(names): (file, cell)}
        shell.user_ns[given.variable or model.name.split(".")[-1]] = model
        return model

    @staticmethod
    def _names(file: str, cell: str) -> list[str]:
        session = _core.Session()
        names = session.read_text(file, cell)
        if any(d.severity == "error" for d in session.diagnostics):
            raise ModelError(session.diagnostics)
        if not names:
            raise ValueError("the cell holds no class")
        return names


def load(shell: Any) -> None:
    cells = Cells()

    def modelica(line: str, cell: str) -> Model:
        """Compiles the cell: %%modelica [VARIABLE] [--model NAME] [-L LIBRARY]. The model becomes a variable of its class's name."""
        return cells.run(line, cell, shell)

    shell.register_magic_function(modelica, magic_kind="cell", magic_name="modelica")
