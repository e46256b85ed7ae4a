"""mosim: Modelica models, simulated in this process, with the reason for every event.

    import mosim
    model = mosim.load("BouncingBall.mo")
    result = model.simulate(stop=3, set={"e": 0.5})
    result["h"], result.time      # numpy arrays, views of the rows
    for event in result.events:
        print(event)

What is wrong with a model is a ModelError, what goes wrong in a run a SimulationError, which holds the rows so far.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _core
from ._core import Diagnostic, Place, Variable, __version__

__all__ = ["load", "model", "Model", "Result", "Run", "Event", "ModelicaError", "ModelError", "SimulationError", "Diagnostic", "Place", "Variable", "__version__"]

Value = Union[bool, int, float, str, Sequence["Value"]]


class ModelicaError(Exception):
    """Something is wrong with a model or a run. `diagnostics` says what, where, and what to do about it."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = list(diagnostics)
        super().__init__("\n" + "".join(d.text for d in self.diagnostics) if self.diagnostics else "unknown error")


class ModelError(ModelicaError):
    """A text or a model is not valid."""


class SimulationError(ModelicaError):
    """A run has failed. `result` holds what there is of it."""

    def __init__(self, diagnostics: Sequence[Diagnostic], result: "Result"):
        super().__init__(diagnostics)
        self.result = result


def _as_modelica(value: Value) -> str:
    """A Python value as Modelica writes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise ValueError(f"{value} is no number of Modelica")
        return repr(float(value))
    if isinstance(value, str):
        return value if "." in value and value.replace(".", "").isidentifier() else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (Sequence, np.ndarray)):
        return "{" + ", ".join(_as_modelica(v) for v in value) + "}"
    raise TypeError(f"{value!r} is no number, Boolean, text or list of them")


class Event:
    """One event instant: what brought it about, which when-clauses fired, what changed."""

    def __init__(self, event: _core.Event, variables: Sequence[Variable]):
        self._event = event
        self.number: int = event.number
        self.time: float = event.time
        self.kind: str = event.kind
        self.rounds: int = event.rounds
        self.is_rearming: bool = event.is_rearming
        self.causes = event.causes
        self.fired = event.fired
        #: name: (left limit, value after the event)
        self.changes: dict[str, tuple[float, float]] = {variables[c.variable].name: (c.before, c.after) for c in event.changes}

    def __repr__(self) -> str:
        parts = [repr(c) for c in self.causes] + [repr(f) + " fires" for f in self.fired]
        parts += [f"{name}: {before:g} -> {after:g}" for name, (before, after) in self.changes.items()]
        return f"<event {self.number} at {self.time:.9g} s ({self.kind}): {'; '.join(parts)}>"


class Result(Mapping):
    """The rows of a run. result[name] is a column: at an event two rows have one time, the left limits and the values after it."""

    def __init__(self, result: _core.Result, variables: Sequence[Variable], model: str):
        self._result = result
        self._variables = {v.name: v for v in variables}
        self.model = model
        #: "stop_time", "terminated", "maximum_events", "failed" or "interrupted"
        self.ending: str = result.ending
        #: s, that was reached
        self.time_reached: float = result.time_reached
        self.names: list[str] = result.names
        self.events: list[Event] = [Event(e, variables) for e in result.events]
        self.diagnostics: list[Diagnostic] = result.diagnostics
        self.statistics = result.statistics

    @property
    def rows(self) -> np.ndarray:
        """All rows, a column for each of `names`; no copy."""
        return self._result.rows

    @property
    def time(self) -> np.ndarray:
        return self["time"]

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._result.column(name)
        except KeyError:
            raise KeyError(f"the result of {self.model} has no variable {name}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def text(self, name: str) -> list[str]:
        """A String variable, row by row."""
        return [self._result.strings[int(k)] for k in self[name]]

    def unit(self, name: str) -> str:
        return "s" if name == "time" else self._variables[name].unit

    def to_pandas(self):
        """A DataFrame with time as its index."""
        import pandas as pd

        return pd.DataFrame(self.rows[:, 1:], columns=self.names[1:], index=pd.Index(self.time, name="time"))

    def to_xarray(self):
        """A Dataset along time, with units and descriptions as attributes."""
        import xarray as xr

        def attributes(name):
            v = self._variables[name]
            return {k: x for k, x in {"units": v.unit, "long_name": v.description}.items() if x}

        return xr.Dataset(
            {name: ("time", self[name], attributes(name)) for name in self.names[1:]},
            coords={"time": ("time", self.time, {"units": "s"})},
            attrs={"model": self.model},
        )

    def plot(self, *names: str, axes=None):
        """Draws variables over time with matplotlib; discrete ones as steps, events as lines. Returns the axes."""
        import matplotlib.pyplot as plt

        if not names:
            names = tuple(self.names[1:5])
        if axes is None:
            _, axes = plt.subplots()
        for name in names:
            v = self._variables[name]
            label = f"{name} [{v.unit}]" if v.unit else name
            steps = {"drawstyle": "steps-post"} if v.kind == "discrete" or v.type != "Real" else {}
            axes.plot(self.time, self[name], label=label, **steps)
        for event in self.events:
            if event.kind not in ("initial", "terminal") and not event.is_rearming:
                axes.axvline(event.time, linewidth=0.5, color="0.7", zorder=0)
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return f"<result of {self.model}: {self._result.row_count} rows of {len(self.names)} columns to {self.time_reached:g} s, {self.ending}>"


class Run:
    """A run on its way. run.advance_to(t); run["x"]; run["u"] = 1; ...; result = run.finish()"""

    def __init__(self, run: _core.Run, model: "Model"):
        self._run = run
        self._model = model

    @property
    def time(self) -> float:
        return self._run.time

    @property
    def goes_on(self) -> bool:
        """False: the run has come to its end, see finish()."""
        return self._run.goes_on

    def step(self, until: float = float("inf")) -> bool:
        """One step of the integrator, and the event that it leads to."""
        return self._run.step(until)

    def advance_to(self, time: float) -> bool:
        return self._run.advance_to(time)

    def __getitem__(self, name: str) -> float:
        return self._run.get(name)

    def __setitem__(self, name: str, value: float) -> None:
        """Sets an input or a state: an event."""
        self.set({name: value})

    def set(self, values: Mapping[str, float]) -> bool:
        """Sets inputs and states, all at one instant."""
        return self._run.set([(name, float(value)) for name, value in values.items()])

    def finish(self) -> Result:
        """Ends the run here."""
        return self._model._finished(self._run)


class Model:
    """A compiled model."""

    def __init__(self, session: _core.Session, name: str, settings: tuple[str, ...] = ()):
        self._session = session
        self._variants: dict[tuple[str, ...], _core.Model] = {}
        self._class = name
        self._settings = settings
        self._model = self._variant(settings)
        self.name: str = self._model.name
        self.description: str = self._model.description
        self.experiment = self._model.experiment
        self.variables: dict[str, Variable] = {v.name: v for v in self._model.variables}
        #: what was said while it was compiled
        self.warnings: list[Diagnostic] = self._model.diagnostics

    def _variant(self, settings: tuple[str, ...]) -> _core.Model:
        if settings not in self._variants:
            compiled = self._session.compile(self._class, list(settings))
            if compiled is None:
                raise ModelError(self._session.diagnostics)
            self._variants[settings] = compiled
        return self._variants[settings]

    @property
    def parameters(self) -> dict[str, Variable]:
        return {name: v for name, v in self.variables.items() if v.kind == "parameter"}

    @property
    def inputs(self) -> dict[str, Variable]:
        return {name: v for name, v in self.variables.items() if v.is_input}

    def _start(self, set: Optional[Mapping[str, Value]], options: dict[str, Any]) -> _core.Run:
        settings = tuple(f"{name} = {_as_modelica(value)}" for name, value in (set or {}).items())
        return self._variant(self._settings + settings).start(**options)

    def run(self, *, set: Optional[Mapping[str, Value]] = None, **options: Any) -> Run:
        """A run that is carried on piece by piece; options as those of simulate()."""
        return Run(self._start(set, options), self)

    def simulate(
        self,
        *,
        start: Optional[float] = None,
        stop: Optional[float] = None,
        tolerance: Optional[float] = None,
        intervals: Optional[int] = None,
        interval: Optional[float] = None,
        solver: str = "bdf",
        hysteresis: Optional[float] = None,
        maximum_events: Optional[int] = None,
        results: Optional[Sequence[str]] = None,
        events: bool = True,
        set: Optional[Mapping[str, Value]] = None,
        progress: Optional[Callable[[float], None]] = None,
        print: Optional[Callable[[str], None]] = None,
    ) -> Result:
        """Simulates from start to stop (s). What is not given is taken from the model's experiment annotation.

        set: values of parameters and start values. results: names of the variables in a row. progress gets the time now and then; print what
        functions of the model print. Ctrl-C ends the run, and the rows so far are returned (ending "interrupted").
        """
        run = self._start(
            set,
            dict(start=start, stop=stop, tolerance=tolerance, intervals=intervals, interval=interval, solver=solver, hysteresis=hysteresis,
                 maximum_events=maximum_events, results=None if results is None else list(results), events=events, progress=progress, print=print),
        )
        run.advance_to(float("inf"))
        return self._finished(run)

    def _finished(self, run: _core.Run) -> Result:
        result = Result(run.finish(), self._model.variables, self.name)
        if result.ending == "failed":
            raise SimulationError([d for d in result.diagnostics if d.severity == "error"], result)
        return result

    def __repr__(self) -> str:
        return f"<model {self.name}: {len(self.variables)} variables>"


def _session(libraries: Sequence[Union[str, os.PathLike]], native_code: bool) -> _core.Session:
    session = _core.Session(native_code=native_code)
    paths = [os.fspath(p) for p in libraries] + [p for p in os.environ.get("MODELICAPATH", "").split(os.pathsep) if p]
    for path in paths:
        if not session.add_library(path) and path in map(os.fspath, libraries):
            raise FileNotFoundError(f"there is no library {path}")
    return session


def _compiled(session: _core.Session, names: list[str], name: Optional[str], set: Optional[Mapping[str, Value]]) -> Model:
    if any(d.severity == "error" for d in session.diagnostics):
        raise ModelError(session.diagnostics)
    if name is None and not names:
        raise ValueError("the text holds no class")
    return Model(session, name or names[-1], tuple(f"{n} = {_as_modelica(v)}" for n, v in (set or {}).items()))


def load(path: Union[str, os.PathLike], model: Optional[str] = None, *, libraries: Sequence[Union[str, os.PathLike]] = (),
         set: Optional[Mapping[str, Value]] = None, native_code: bool = False) -> Model:
    """Compiles a model of a .mo file or a package's folder: `model`, or the last one in the file."""
    session = _session(libraries, native_code)
    return _compiled(session, session.read(os.fspath(path)), model, set)


def model(text: str, name: Optional[str] = None, *, libraries: Sequence[Union[str, os.PathLike]] = (),
          set: Optional[Mapping[str, Value]] = None, native_code: bool = False) -> Model:
    """Compiles a model of a text: `name`, or the last one in it."""
    session = _session(libraries, native_code)
    return _compiled(session, session.read_text("<text>", text), name, set)
