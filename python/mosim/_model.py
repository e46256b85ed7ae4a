"""Models and runs."""

from __future__ import annotations

import html
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _progress
from ._core import Diagnostic, Experiment, Variable
from ._errors import ModelError, SimulationError
from ._linear import Linearization
from ._result import Result
from ._types import Array

Value = Union[bool, int, float, str, Sequence[Any], NDArray[Any]]
Settings = Optional[Mapping[str, Value]]
Progress = Union[None, bool, Callable[[float], Any]]
#: a number, a function of time (s), times and values, or these and "hold"
Input = Union[float, Callable[[float], float], tuple[Sequence[float], Sequence[float]], tuple[Sequence[float], Sequence[float], str]]
Inputs = Optional[Mapping[str, Input]]


def as_modelica(value: Value) -> str:
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
        # An enumeration's value has dots: Color.red.
        is_name = "." in value and all(part.isidentifier() for part in value.split("."))
        return value if is_name else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (Sequence, np.ndarray)):
        return "{" + ", ".join(as_modelica(v) for v in value) + "}"
    raise TypeError(f"{value!r} is no number, Boolean, text or list of them")


def settings_of(set: Settings) -> tuple[str, ...]:
    return tuple(f"{name} = {as_modelica(value)}" for name, value in (set or {}).items())


def changes_of(model: _core.Model, set: Settings) -> Optional[list[tuple[str, float]]]:
    """The settings as a run can be started with them; None: the model has to be compiled with them."""
    changes = []
    for name, value in (set or {}).items():
        if not isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)) or model.refusal(name, float(value)):
            return None
        changes.append((name, float(value)))
    return changes


def inputs_of(inputs: Inputs) -> list[tuple[str, Optional[Callable[[float], float]], list[float], list[float], bool]]:
    result: list[tuple[str, Optional[Callable[[float], float]], list[float], list[float], bool]] = []
    for name, given in (inputs or {}).items():
        if callable(given):
            result.append((name, _number_of(name, given), [], [], False))
        elif isinstance(given, (bool, int, float, np.number)):   # a constant
            result.append((name, None, [0.0], [float(given)], True))
        elif len(given) not in (2, 3) or (len(given) == 3 and given[2] not in ("hold", "linear")):
            raise ValueError(f'the input {name} is a function of time, (times, values), (times, values, "hold"), or a number')
        else:
            result.append((name, None, [float(t) for t in given[0]], [float(v) for v in given[1]], len(given) == 3 and given[2] == "hold"))
    return result


def _number_of(name: str, function: Callable[[float], float]) -> Callable[[float], float]:
    def number(time: float) -> float:
        value = function(time)
        try:
            return float(value)
        except (TypeError, ValueError) as error:
            raise TypeError(f"the function of the input {name} gives {value!r} at time = {time:g}, which is no number") from error

    return number


def options_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a run is started with, of the arguments of run() and simulate()."""
    names = ("start", "stop", "tolerance", "intervals", "interval", "solver", "hysteresis", "maximum_events", "events", "print")
    results, inputs = given["results"], given["inputs"]
    return {**{name: given[name] for name in names}, "results": None if results is None else list(results), "inputs": inputs_of(inputs)}


class Variant:
    """A model as it was compiled with some settings."""

    def __init__(self, model: _core.Model):
        self.model = model
        #: as events number them
        self.variables: list[Variable] = list(model.variables)
        self.by_name: dict[str, Variable] = {v.name: v for v in self.variables}


class Run:
    """A run on its way. run.advance_to(t); run["x"]; run["u"] = 1; ...; result = run.finish()

    In a with statement it is finished at the end; run.result holds what there is then.
    """

    def __init__(self, run: _core.Run, variant: Variant, model: "Model"):
        self._run = run
        self._variant = variant
        self._model = model
        #: after finish()
        self.result: Optional[Result] = None

    @property
    def time(self) -> float:
        """s"""
        return self._run.time

    @property
    def goes_on(self) -> bool:
        """False: the run has come to its end, see finish()."""
        return self._run.goes_on

    def step(self, until: float = float("inf")) -> bool:
        """One step of the integrator, and the event that it leads to. Returns goes_on."""
        return self._run.step(until)

    def advance_to(self, time: float) -> bool:
        """Steps to an instant, events at it included. Returns goes_on."""
        return self._run.advance_to(time)

    def __getitem__(self, name: str) -> float:
        """The value of a variable now."""
        return self._run.get(name)

    def get(self, names: Iterable[str]) -> Array:
        """The values of several variables now."""
        return np.array([self._run.get(name) for name in names])

    def __setitem__(self, name: str, value: float) -> None:
        """Sets an input or a state: an event."""
        self.set({name: value})

    def set(self, values: Mapping[str, float]) -> bool:
        """Sets inputs and states, all at one instant. Returns goes_on."""
        return self._run.set([(name, float(value)) for name, value in values.items()])

    def linearize(self) -> Linearization:
        """The model as a linear system, at the present point."""
        return self._model._linear(self._run)

    def save(self) -> bytes:
        """The run as it is now, for Model.restore(): how it was started, and what was done with it since."""
        return self._run.save()

    def finish(self) -> Result:
        """Ends the run here."""
        self.result = self._model._finished(self._run, self._variant)
        return self.result

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.result is None and kind is None:
            self.finish()

    def __repr__(self) -> str:
        if self.result is not None:
            return f"<run of {self._model.name}, finished>"
        return f"<run of {self._model.name} at {self.time:g} s{'' if self.goes_on else ', at its end'}>"


class Model:
    """A compiled model. It does not change; several threads may run it at once."""

    _most_variants = 16

    def __init__(self, session: _core.Session, name: str, settings: tuple[str, ...] = (), compiled: Optional[_core.Model] = None):
        self._session = session
        self._lock = threading.Lock()
        self._variants: OrderedDict[tuple[str, ...], Variant] = OrderedDict()
        #: there is no text to compile anew
        self._is_closed = compiled is not None
        if compiled is not None:
            self._variants[settings] = Variant(compiled)
        self._class = name
        self.name: str = name
        self.variables: dict[str, Variable] = {}
        self._variant = self._varied(settings)
        self._model = self._variant.model
        self._settings = settings
        self._parameters: Optional[dict[str, Any]] = None
        self.name = self._model.name
        self.description: str = self._model.description
        self.experiment: Experiment = self._model.experiment
        self.variables = self._variant.by_name
        #: what was said while it was compiled
        self.warnings: list[Diagnostic] = list(self._model.diagnostics)

    # ---- what it is ----------------------------------------------------------------------------------------------------

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the parameters: floats, ints (of enumerations the number from 1), bools, strings. variables[name] has the unit."""
        if self._parameters is None:
            names = [name for name, v in self.variables.items() if v.kind == "parameter"]
            start = self.experiment.start or 0.0
            run = self._model.start(start=start, stop=start, results=[], events=False)
            values = [run.get(name) for name in names]
            strings = run.finish().strings
            read: dict[str, Callable[[float], Any]] = {"Boolean": bool, "Integer": int, "enumeration": int, "String": lambda k: strings[int(k)]}
            self._parameters = {
                name: value if np.isnan(value) else read.get(self.variables[name].type, float)(value) for name, value in zip(names, values)
            }
        return dict(self._parameters)

    @property
    def inputs(self) -> dict[str, Variable]:
        return {name: v for name, v in self.variables.items() if v.is_input}

    @property
    def outputs(self) -> dict[str, Variable]:
        return {name: v for name, v in self.variables.items() if v.is_output}

    @property
    def states(self) -> dict[str, Variable]:
        return {name: v for name, v in self.variables.items() if v.kind == "state"}

    # ---- runs ----------------------------------------------------------------------------------------------------------

    def _compiled(self, settings: tuple[str, ...]) -> _core.Model:
        return self._varied(settings).model

    def _varied(self, settings: tuple[str, ...]) -> Variant:
        with self._lock:   # a session belongs to one thread at a time
            if settings in self._variants:
                self._variants.move_to_end(settings)
                return self._variants[settings]
            if self._is_closed:
                changed = [s for s in settings if s not in self._settings]
                raise ValueError(f"{self.name} is a compiled model, and was compiled for other values than {', '.join(changed)}: compile it with them from its text")
            compiled = self._session.compile(self._class, list(settings))
            if compiled is None:
                raise ModelError(self._session.diagnostics)
            variant = self._variants[settings] = Variant(compiled)
            if len(self._variants) > self._most_variants:
                self._variants.popitem(last=False)
            return variant

    def _start(self, set: Settings, options: dict[str, Any]) -> tuple[_core.Run, Variant]:
        """The one place where values of parameters and start values meet a run."""
        if options.get("print") is None:
            options["print"] = sys.stdout.write
        changes = changes_of(self._model, set)
        if changes is None:   # the compiler relies on one of them
            variant = self._varied(self._settings + settings_of(set))
            return variant.model.start(**options), variant
        return self._model.start(set=changes, **options), self._variant

    def run(
        self,
        *,
        start: Optional[float] = None,
        stop: Optional[float] = None,
        tolerance: Optional[float] = None,
        intervals: Optional[int] = None,
        interval: Optional[float] = None,
        solver: str = "auto",
        hysteresis: Optional[float] = None,
        maximum_events: Optional[int] = None,
        results: Optional[Sequence[str]] = None,
        events: bool = True,
        set: Settings = None,
        inputs: Inputs = None,
        print: Optional[Callable[[str], Any]] = None,
    ) -> Run:
        """A run that is carried on piece by piece; options as those of simulate()."""
        return Run(*self._start(set, options_of(locals())), self)

    def restore(self, saved: bytes, *, inputs: Inputs = None, print: Optional[Callable[[str], Any]] = None) -> Run:
        """A run as Run.save() left it, of this model, in whichever process. It is gone through anew up to there, which takes as long as it took.

        inputs: the functions that it was started with, which are not among the bytes.
        """
        return Run(self._model.start(saved=saved, inputs=inputs_of(inputs), print=print or sys.stdout.write), self._variant, self)

    def simulate(
        self,
        *,
        start: Optional[float] = None,
        stop: Optional[float] = None,
        tolerance: Optional[float] = None,
        intervals: Optional[int] = None,
        interval: Optional[float] = None,
        solver: str = "auto",
        hysteresis: Optional[float] = None,
        maximum_events: Optional[int] = None,
        results: Optional[Sequence[str]] = None,
        events: bool = True,
        set: Settings = None,
        inputs: Inputs = None,
        progress: Progress = None,
        print: Optional[Callable[[str], Any]] = None,
    ) -> Result:
        """Simulates from start to stop (s). What is not given is taken from the model's experiment annotation.

        tolerance: relative, of the result. intervals, interval: the output grid; events add rows. results: names of the variables in a row, and
        patterns with * and ?. set: values of parameters and start values; the model is compiled anew only where it depends on one of them. inputs: what
        inputs of the model follow: a function of time (s), (times, values) with straight lines between them, or (times, values, "hold").
        progress: a function of the time (s) that is called now and then; True or False: a line that shows how far a long run has come, or none; None: in a notebook. print: gets what functions of the model
        print, else standard output. Ctrl-C ends the run, and the rows so far are returned (ending "interrupted").
        """
        options = options_of(locals())
        first = start if start is not None else self.experiment.start or 0.0
        last = stop if stop is not None else self.experiment.stop if self.experiment.stop is not None else first + 1.0
        with _progress.shown(progress, first, last) as show:
            run, variant = self._start(set, {**options, "progress": show})
            run.advance_to(float("inf"))
        return self._finished(run, variant)

    def linearize(self, time: Optional[float] = None, *, set: Settings = None, tolerance: Optional[float] = None) -> Linearization:
        """The model as a linear system at a time (s; else at the start), after a run to there."""
        start = self.experiment.start or 0.0
        run, variant = self._start(set, dict(stop=start if time is None else time, tolerance=tolerance, results=[], events=False))
        run.advance_to(float("inf"))
        if time is not None and run.time != time:
            result = self._finished(run, variant)
            raise ValueError(f"the run of {self.name} ended at {result.time_reached:g} s, before {time:g} s ({result.ending})")
        return self._linear(run)

    def _linear(self, run: _core.Run) -> Linearization:
        found = run.linearize()
        if any(d.severity == "error" for d in found.diagnostics):
            raise SimulationError(found.diagnostics)
        return Linearization(found)

    def _finished(self, run: _core.Run, variant: Variant) -> Result:
        result = Result(run.finish(), variant.variables, variant.by_name, self.name)
        if result.ending == "failed":
            raise SimulationError([d for d in result.diagnostics if d.severity == "error"], result)
        return result

    def write(self) -> bytes:
        """The model as the bytes of a .mosim file, which mosim.load() reads."""
        return self._model.write()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a .mosim file, which mosim.load() and the command read."""
        with open(path, "wb") as file:
            file.write(self.write())

    def __reduce__(self) -> Any:
        return (_of_bytes, (self.write(),))

    # ---- to look at ----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<model {self.name}: {len(self.variables)} variables>"

    def _repr_html_(self) -> str:
        """For notebooks: what one may set, and what comes out."""
        most = 50
        values = self.parameters

        def row(name: str, v: Variable) -> str:
            value = values.get(name, "")
            shown = f"{value:.6g}" if isinstance(value, float) else str(value)
            cells = [name, v.kind if not v.is_input else "input", v.type, shown, v.unit, v.description]
            return "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(c)}</td>" for c in cells) + "</tr>"

        rank = {"parameter": 0, "state": 1, "discrete": 2, "algebraic": 3}
        shown = [(n, v) for n, v in self.variables.items() if v.kind in rank and not v.is_protected and not v.is_hidden]
        shown.sort(key=lambda entry: -1 if entry[1].is_input else rank[entry[1].kind])
        head = "".join(f"<th>{c}</th>" for c in ["name", "kind", "type", "value", "unit", "description"])
        more = f"<p>and {len(shown) - most} more</p>" if len(shown) > most else ""
        title = f"<b>{html.escape(self.name)}</b> {html.escape(self.description)}"
        return f"<details open><summary>{title}</summary><table><tr>{head}</tr>{''.join(row(n, v) for n, v in shown[:most])}</table>{more}</details>"


def _of_bytes(data: bytes, file: str = "<pickle>", native_code: bool = True) -> Model:
    """A compiled model; one that was pickled comes from a process of the user's own."""
    session = _core.Session(native_code=native_code)
    compiled = session.load(file, data)
    if compiled is None:
        raise ModelError(session.diagnostics)
    return Model(session, compiled.name, (), compiled)
