"""What a run leaves behind: rows, events, a report."""

from __future__ import annotations

import html
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Cause, Diagnostic, Fired, Place, Statistics, Variable
from ._types import Array

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray


class Text(str):
    """A text that shows itself as it is to be read."""

    def __repr__(self) -> str:
        return self.rstrip("\n")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


class Event:
    """One event instant: what brought it about, which when-clauses fired, what changed."""

    def __init__(self, event: _core.Event, variables: Sequence[Variable]):
        self.number: int = event.number
        #: s
        self.time: float = event.time
        #: "initial", "time", "state", "clock", "terminal" or "set"
        self.kind: str = event.kind
        #: of event iteration
        self.rounds: int = event.rounds
        #: no event: relations came back through their hysteresis, and nothing else changed
        self.is_rearming: bool = event.is_rearming
        self.causes: list[Cause] = list(event.causes)
        self.fired: list[Fired] = list(event.fired)
        #: name: (left limit, value after the event)
        self.changes: dict[str, tuple[float, float]] = {variables[c.variable].name: (c.before, c.after) for c in event.changes}

    @property
    def relation(self) -> Union[str, None]:
        """The text of what brought the event about: the first of its causes. None: nothing did, as at the start."""
        return self.causes[0].text if self.causes else None

    @property
    def place(self) -> Union[Place, None]:
        """Where that is written."""
        return self.causes[0].place if self.causes else None

    def __repr__(self) -> str:
        parts = [repr(c) for c in self.causes] + [repr(f) + " fires" for f in self.fired]
        parts += [f"{name}: {before:g} -> {after:g}" for name, (before, after) in self.changes.items()]
        return f"<event {self.number} at {self.time:.9g} s ({self.kind}): {'; '.join(parts)}>"


def _told(place: Union[Place, None]) -> str:
    return f"{pathlib.PurePath(place.file).name}:{place.line}:{place.column}" if place is not None and place.line else ""


class Events(Sequence[Event]):
    """The events of a run, in their order."""

    def __init__(self, events: Sequence[Event]):
        self._events = list(events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> "Events": ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Event, "Events"]:
        return Events(self._events[index]) if isinstance(index, slice) else self._events[index]

    def __len__(self) -> int:
        return len(self._events)

    def _table(self) -> list[dict[str, Any]]:
        return [
            {
                "number": e.number,
                "time": e.time,
                "kind": "rearming" if e.is_rearming else e.kind,
                "cause": "; ".join(map(repr, e.causes)),
                "place": _told(e.place),
                "fired": "; ".join(repr(f) for f in e.fired),
                "changes": "; ".join(f"{name}: {before:g} -> {after:g}" for name, (before, after) in e.changes.items()),
            }
            for e in self._events
        ]

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame with a row for each event; causes, when-clauses and changes as text."""
        import pandas as pd

        return pd.DataFrame(self._table(), columns=["number", "time", "kind", "cause", "place", "fired", "changes"]).set_index("number")

    def __repr__(self) -> str:
        most = 20
        lines = [repr(e) for e in self._events[:most]] + ([f"... {len(self) - most} more"] if len(self) > most else [])
        return "\n".join(lines) or "<no events>"

    def _repr_html_(self) -> str:
        most = 100
        columns = ["number", "time", "kind", "cause", "place", "fired", "changes"]
        head = "".join(f"<th>{c}</th>" for c in columns)
        cells = [
            "".join(f"<td style='text-align:left'>{html.escape(f'{row[c]:.9g}' if c == 'time' else str(row[c]))}</td>" for c in columns)
            for row in Events(self._events[:most])._table()
        ]
        more = f"<p>and {len(self) - most} more</p>" if len(self) > most else ""
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{c}</tr>' for c in cells)}</table>{more}"


class Limits(NamedTuple):
    """A variable at the events: an array each, of the same length."""

    time: Array
    left: Array
    right: Array


class Result(Mapping[str, Array]):
    """The rows of a run. result[name] is a column: at an event two rows have one time, the left limits and the values after it."""

    def __init__(self, result: _core.Result, variables: Sequence[Variable], by_name: Mapping[str, Variable], model: str):
        self._result = result
        self._list = variables
        self._variables = by_name
        self._events: Union[Events, None] = None
        self._jumps: Union[tuple[NDArray[np.intp], NDArray[np.intp]], None] = None
        self.model = model
        #: "stop_time", "terminated", "maximum_events", "failed" or "interrupted"
        self.ending: str = result.ending
        #: s, that was reached
        self.time_reached: float = result.time_reached
        #: "time", then variables
        self.names: list[str] = list(result.names)
        self.diagnostics: list[Diagnostic] = list(result.diagnostics)
        self.statistics: Statistics = result.statistics

    # ---- data ----------------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> Array:
        """All rows, a column for each of `names`; no copy."""
        return self._result.rows

    @property
    def time(self) -> Array:
        return self["time"]

    def __getitem__(self, name: str) -> Array:
        """A column: a view of the rows, no copy."""
        try:
            return self._result.column(name)
        except KeyError:
            raise KeyError(f"the result of {self.model} has no variable {name}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    __eq__ = object.__eq__   # not as a Mapping: arrays are not equal by one Boolean
    __hash__ = object.__hash__

    def limits(self, name: str) -> Limits:
        """A variable's left limits at the events, and its values after them."""
        if self._jumps is None:
            # Rows of one time: the first holds the left limits, the last the values after the event.
            same = np.diff(self.time) == 0
            edge = np.diff(np.concatenate(([0], same.astype(np.int8), [0])))
            self._jumps = np.flatnonzero(edge == 1), np.flatnonzero(edge == -1)
        left, right = self._jumps
        column = self[name]
        return Limits(self.time[left], column[left], column[right])

    def text(self, name: str) -> list[str]:
        """A String variable, row by row."""
        return [self._result.strings[int(k)] for k in self[name]]

    def unit(self, name: str) -> str:
        return "s" if name == "time" else self._variables[name].unit

    @property
    def events(self) -> Events:
        if self._events is None:
            self._events = Events([Event(e, self._list) for e in self._result.events])
        return self._events

    def measure(self, measures: str) -> Union[float, dict[str, float]]:
        """Numbers taken from the rows, as mosim.study asks for them: result.measure("max(h) - min(h)"), or of several by name or text."""
        values = _core.measure(self._result, measures)
        return next(iter(values.values())) if len(values) == 1 else values

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame with time as its index."""
        import pandas as pd

        return pd.DataFrame(self.rows[:, 1:], columns=self.names[1:], index=pd.Index(self.time, name="time"), copy=False)

    def to_xarray(self) -> "xarray.Dataset":
        """A Dataset along time, with units and descriptions as attributes."""
        import xarray as xr

        def attributes(name: str) -> dict[str, str]:
            v = self._variables[name]
            return {k: x for k, x in {"units": v.unit, "long_name": v.description}.items() if x}

        return xr.Dataset(
            {name: ("time", self[name], attributes(name)) for name in self.names[1:]},
            coords={"time": ("time", self.time, {"units": "s"})},
            attrs={"model": self.model},
        )

    # ---- to read and to look at ----------------------------------------------------------------------------------------

    def why(self) -> Text:
        """The report: what was integrated and assumed, which events piled up, which when-clause never fired, with the places."""
        return Text(self._result.report())

    def log(self) -> Text:
        """The event log: each event, with what brought it about and what it did."""
        return Text(self._result.event_log())

    def page(self, *names: str, most_numbers: int = 1_500_000) -> str:
        """One page of HTML that loads nothing: curves, event log and source. names: the curves that it shows at first."""
        return self._result.page(list(names), most_numbers)

    def _is_stepped(self, name: str) -> bool:
        v = self._variables[name]
        return v.kind == "discrete" or v.type != "Real"

    def plot(self, *names: str, axes: Any = None, events: bool = True) -> "matplotlib.axes.Axes | NDArray[Any]":
        """Draws variables over time with matplotlib: discrete ones as steps, events as lines. Without names: the first few.

        axes: where to draw; else a figure is made, with an axes for each unit. Returns the axes, or an array of them.
        """
        import matplotlib.pyplot as plt

        shown = list(names) or [n for n in self.names[1:] if not n.startswith("der(")][:4]
        for name in shown:
            self[name]   # an unknown one is told of before anything is drawn
        groups: dict[str, list[str]] = {}
        for name in shown:
            groups.setdefault("" if axes is not None else self.unit(name), []).append(name)
        if axes is not None:
            panels = [axes]
        else:
            _, made = plt.subplots(max(len(groups), 1), sharex=True, squeeze=False, layout="constrained")
            panels = list(made[:, 0])
        for panel, group in zip(panels, groups.values()):
            for name in group:
                unit = self.unit(name)
                panel.plot(self.time, self[name], label=f"{name} [{unit}]" if unit else name, drawstyle="steps-post" if self._is_stepped(name) else "default")
            if events:
                for time in sorted({e.time for e in self.events if e.kind not in ("initial", "terminal") and not e.is_rearming}):
                    panel.axvline(time, linewidth=0.5, color="0.7", zorder=0)
            panel.legend()
        panels[-1].set_xlabel("time [s]")
        if axes is None:
            panels[0].set_title(self.model)
        return panels[0] if len(panels) == 1 else np.array(panels)

    def __repr__(self) -> str:
        return f"<result of {self.model}: {self._result.row_count} rows of {len(self.names)} columns to {self.time_reached:g} s, {self.ending}>"

    def _repr_html_(self) -> str:
        """For notebooks: the page, in a frame of its own."""
        page = html.escape(self.page(most_numbers=150_000), quote=True)
        return f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width:100%;height:34em;border:1px solid #ccc" title="{html.escape(self.model)}"></iframe>'
