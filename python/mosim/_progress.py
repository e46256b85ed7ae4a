"""How far a long run has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional, Union

#: s of real time; a shorter run shows nothing
PATIENCE = 1.0


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class _Line:
    """A line that is rewritten: in a notebook a bar, elsewhere text on standard error."""

    def __init__(self, start: float, stop: float, unit: str):
        self._start, self._stop, self._unit = start, stop, unit
        self._begin = time.monotonic()
        self._handle: Any = None
        self._is_shown = False

    def show(self, now: float) -> None:
        if time.monotonic() - self._begin < PATIENCE:
            return
        part = (now - self._start) / (self._stop - self._start) if self._stop > self._start else 1.0
        text = f"{now:.6g} of {self._stop:.6g} {self._unit}"
        if not _in_notebook():
            sys.stderr.write(f"\r{text} ({part:.0%})\x1b[K")
            sys.stderr.flush()
            self._is_shown = True
            return
        from IPython.display import HTML, display

        bar = HTML(f'<progress value="{part:.4f}" max="1"></progress> {text}')
        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def clear(self) -> None:
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
        elif self._is_shown:
            sys.stderr.write("\r\x1b[K")


@contextmanager
def shown(progress: Union[None, bool, Callable[[float], Any]], start: float, stop: float, unit: str = "s") -> Iterator[Optional[Callable[[float], Any]]]:
    """What a run calls with its time (s), and a study with the number of its runs."""
    if callable(progress):
        yield progress
    elif progress or (progress is None and _in_notebook()):
        line = _Line(start, stop, unit)
        try:
            yield line.show
        finally:
            line.clear()
    else:
        yield None
