"""Studies: many runs of one model, in which some values vary, and a few numbers of each run."""

from __future__ import annotations

import concurrent.futures
import csv
import io
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _progress
from ._errors import StudyError
from ._model import Model, Settings, as_modelica, changes_of, settings_of
from ._session import Path
from ._types import Array

if TYPE_CHECKING:
    import pandas

#: "0.1:0.1:0.9", "normal(1, 0.2)", or values
Factor = Union[str, float, Sequence[Any], NDArray[Any]]
#: "max(h), top = max(v)", a list of these, or by name
Report = Union[str, Sequence[str], Mapping[str, str]]
Executor = Union[concurrent.futures.Executor, Callable[[], concurrent.futures.Executor]]

#: runs that an executor gets at a time
_MOST_AT_ONCE = 50
#: so many pieces of work wait in an executor's queue
_MOST_WAITING = 64
#: times that a run is tried where workers die
_MOST_TRIES = 3


class Study:
    """The table of a study: study["max(h)"], study["e"] are columns, one number for each run; NaN where a run failed."""

    def __init__(self, table: str, variables: Sequence[str], measures: Sequence[str], is_complete: bool):
        rows = list(csv.reader(io.StringIO(table)))[1:]
        self.variables = list(variables)
        self.measures = list(measures)
        #: False: it was interrupted
        self.is_complete = is_complete
        #: numbers of the runs, from 1
        self.run = np.array([int(row[0]) for row in rows], dtype=np.int64)
        #: why runs failed: {run: reason}
        self.problems: dict[int, str] = {int(row[0]): row[-1] for row in rows if row[-1]}
        names = self.variables + self.measures
        self._columns: dict[str, Array] = {
            name: np.array([float(row[k]) if row[k] else np.nan for row in rows]) for k, name in enumerate(names, start=1)
        }

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(f"the study has no column {name}; it has {', '.join(self._columns)}")
        return self._columns[name]

    def __len__(self) -> int:
        return len(self.run)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def keys(self) -> list[str]:
        return list(self._columns)

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame over the runs, with the reasons of failures in the column "problem"."""
        import pandas

        frame = pandas.DataFrame(self._columns, index=pandas.Index(self.run, name="run"))
        frame["problem"] = [self.problems.get(int(k), "") for k in self.run]
        return frame

    def __repr__(self) -> str:
        failed = f", {len(self.problems)} failed" if self.problems else ""
        part = "" if self.is_complete else ", interrupted"
        return f"<study: {len(self)} runs{failed}{part}; {', '.join(self.variables)} -> {', '.join(self.measures)}>"

    def _repr_html_(self) -> str:
        return self.to_pandas()._repr_html_()  # type: ignore[no-any-return,operator]


def _factor(name: str, given: Factor) -> str:
    if isinstance(given, str):
        return f"{name}={given}"
    if np.ndim(given) == 0:
        return f"{name}={as_modelica(given)}"
    return f"{name}={as_modelica(list(given))}"  # type: ignore[arg-type]


def _measures(report: Report) -> str:
    if isinstance(report, str):
        return report
    if isinstance(report, Mapping):
        return ", ".join(f"{name} = {measure}" for name, measure in report.items())
    return ", ".join(report)


def _columns(model: _core.Model, table: Any) -> _core.Plan:
    """A table of runs: a mapping of columns, or a DataFrame."""
    names = [str(name) for name in table.keys()]
    return _core.Plan.columns(model, names, [[float(value) for value in table[name]] for name in names])


# ---- in other processes --------------------------------------------------------------------------------------------------

_Outcome = tuple[int, list[float], str]

#: what a worker process was given last, so that it reads a model once
_known: dict[int, _core.Model] = {}


def _work(program: bytes, names: list[str], values: list[list[float]], report: str, options: dict[str, Any], run_limit: Optional[float], runs: list[int]) -> list[_Outcome]:
    """Some runs, in whatever process this is."""
    key = hash(program)
    model = _known.get(key)
    if model is None:
        _known.clear()
        model = _known[key] = _core.Session(native_code=True).load("<study>", program)
    plan = _core.Plan.columns(model, names, values)
    outcomes: list[_Outcome] = []
    _core.study(model, plan, _core.Measures(model, report), _core.RunOptions(**options), list(range(1, len(runs) + 1)), 1, run_limit,
                lambda run, measures, problem: outcomes.append((runs[run - 1], measures, problem)), None)
    return outcomes


class _Farm:
    """Hands pieces of work to an executor, and again where a worker died."""

    def __init__(self, executor: Executor, work: Callable[[list[int]], tuple[Any, ...]], take: Callable[[_Outcome], None]):
        self._make = executor if not isinstance(executor, concurrent.futures.Executor) and callable(executor) else None
        self._executor = executor if self._make is None else None
        self._work, self._take = work, take
        self._tries: dict[int, int] = {}

    def run(self, runs: Sequence[int]) -> None:
        size = max(1, min(_MOST_AT_ONCE, len(runs) // 32))
        self._queue: deque[list[int]] = deque(list(runs[k:k + size]) for k in range(0, len(runs), size))
        #: lost together with others: one of them may end its worker again, and is to do so alone
        self._suspects: deque[list[int]] = deque()
        self._waiting: dict[concurrent.futures.Future[list[_Outcome]], list[int]] = {}
        try:
            while self._queue or self._suspects or self._waiting:
                self._fill()
                if self._waiting:
                    concurrent.futures.wait(self._waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                    self._collect()
        finally:
            for future in self._waiting:
                future.cancel()
            if self._make is not None and self._executor is not None:
                self._executor.shutdown(wait=True)

    def _fill(self) -> None:
        while len(self._waiting) < (1 if self._suspects else _MOST_WAITING) and (self._queue or self._suspects):
            source = self._suspects or self._queue
            piece = source.popleft()
            try:
                self._waiting[self._open().submit(_work, *self._work(piece))] = piece
            except concurrent.futures.BrokenExecutor as error:
                source.appendleft(piece)
                if not self._waiting:
                    self._replace(error)
                return

    def _collect(self) -> None:
        broken: Optional[BaseException] = None
        alone = len(self._waiting) == 1
        for future in [f for f in self._waiting if f.done()]:
            piece = self._waiting.pop(future)
            error = future.exception()
            if error is None:
                for outcome in future.result():
                    self._take(outcome)
            elif isinstance(error, (ValueError, TypeError)):
                raise error   # a mistake of the call, the same for every worker
            elif isinstance(error, concurrent.futures.BrokenExecutor):
                broken = error
                if alone:
                    self._ended_its_worker(piece, error)
                else:
                    self._suspects.append(piece)
            else:
                self._ended_its_worker(piece, error)
        if broken is not None:
            self._suspects.extend(self._waiting.values())   # the others are lost, too
            self._waiting.clear()
            self._replace(broken)

    def _open(self) -> concurrent.futures.Executor:
        if self._executor is None:
            assert self._make is not None
            self._executor = self._make()
        return self._executor  # type: ignore[return-value]

    def _replace(self, error: BaseException) -> None:
        if self._make is None:
            raise StudyError(f"the executor is broken ({error}). Give a function that makes one, executor=lambda: ..., so that another can take its place; "
                             "with output= the study goes on where it was") from error
        if self._executor is not None:
            self._executor.shutdown(wait=False)  # type: ignore[union-attr]
        self._executor = None

    def _ended_its_worker(self, piece: list[int], error: BaseException) -> None:
        if len(piece) > 1:
            self._suspects.extend([run] for run in piece)
            return
        run = piece[0]
        self._tries[run] = self._tries.get(run, 0) + 1
        if self._tries[run] < _MOST_TRIES:
            self._suspects.append(piece)
        else:
            self._take((run, [], f"the worker that had this run ended, {self._tries[run]} times: {type(error).__name__}"))


# ---- what a user calls ---------------------------------------------------------------------------------------------------


def study(
    model: Union[Model, Path],
    vary: Optional[Mapping[str, Factor]] = None,
    *,
    report: Report,
    table: Any = None,
    runs: Optional[int] = None,
    seed: int = 1,
    sampling: str = "monte-carlo",
    set: Settings = None,
    start: Optional[float] = None,
    stop: Optional[float] = None,
    tolerance: Optional[float] = None,
    intervals: Optional[int] = None,
    interval: Optional[float] = None,
    solver: str = "auto",
    hysteresis: Optional[float] = None,
    maximum_events: Optional[int] = None,
    workers: Optional[int] = None,
    executor: Optional[Executor] = None,
    output: Optional[Path] = None,
    run_limit: Optional[float] = None,
    progress: Optional[bool] = None,
) -> Study:
    """Runs a model, or the last one of a file, many times with other values.

    vary: what varies, by name: values ([0.1, 0.5]), a range ("0.1:0.1:0.9"), or a distribution ("normal(1, 0.2)", of uniform, loguniform,
    triangular, normal, lognormal, exponential, weibull and beta). Values of several names are a grid; runs: how many values are drawn from distributions,
    by `seed`, with sampling "monte-carlo" or "latin-hypercube". table: the values of each run instead, as a DataFrame or a mapping of columns.
    report: what is asked of each run, "max(h), count(h < 0)", a list, or {"top": "max(h)"}; include/mosim/study.hpp and docs/studies.md list the functions.
    set and the options of a run are those of simulate(). The result depends on none of what follows.
    workers: threads; None: as many as there are cores. executor: a concurrent.futures.Executor with other processes or machines, or a function that makes
    one. A worker that dies costs the runs that it had, which are done again. output: a CSV file; what is there so far is kept in FILE.runs beside it, and the
    same call goes on with it. run_limit: s of real time, after which a run has failed. Ctrl-C ends the study, and what is there is returned.
    """
    if not isinstance(model, Model):
        from . import load

        model = load(model)
    changes = changes_of(model._model, set)
    base = model._model if changes is not None else model._compiled(model._settings + settings_of(set))
    options = dict(start=start, stop=stop, tolerance=tolerance, intervals=intervals, interval=interval, solver=solver, hysteresis=hysteresis,
                   maximum_events=maximum_events, set=changes or [])
    if (vary is None) == (table is None):
        raise ValueError("say what varies: either vary={...} or table=")
    if vary is not None:
        plan = _core.Plan(base, [_factor(name, given) for name, given in vary.items()], runs, sampling, seed)
    else:
        plan = _columns(base, table)
    words = _measures(report)
    measures = _core.Measures(base, words)
    run_options = _core.RunOptions(**options)
    kept = "" if output is None else os.fspath(output) + ".runs"
    journal = _core.Journal(kept, base, plan, measures, run_options)
    missing = journal.missing()
    done = 0
    whole = False
    with _progress.shown(progress, 0.0, float(len(missing)), "runs") as show:

        def take(run: int, values: list[float], problem: str) -> None:
            nonlocal done
            journal.add(run, values if values else [float("nan")] * len(measures.names), problem)
            done += 1
            if show is not None:
                show(done)

        try:
            if executor is None:
                fixed = model._settings + (settings_of(set) if changes is None else ())

                def compiled(settings: list[str]) -> _core.Model:
                    return model._compiled(fixed + tuple(settings))

                whole = _core.study(base, plan, measures, run_options, missing, workers or 0, run_limit, take, compiled)
            else:
                program = base.write()

                def work(piece: list[int]) -> tuple[Any, ...]:
                    values = [plan.values(run) for run in piece]
                    return (program, plan.variables, [list(column) for column in zip(*values)], words, options, run_limit, piece)

                _Farm(executor, work, lambda outcome: take(*outcome)).run(missing)
                whole = True
        except KeyboardInterrupt:
            pass
    text = journal.table()
    if output is not None:
        with open(output, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        del journal
        if whole:
            os.remove(kept)
    return Study(text, plan.variables, measures.names, whole)
