"""Sessions, with the libraries that are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Union

from . import _core

Path = Union[str, "os.PathLike[str]"]


def session_of(libraries: Sequence[Path], native_code: bool) -> _core.Session:
    session = _core.Session(native_code=native_code)
    for library in libraries:
        if not session.add_library(os.fspath(library)):
            raise FileNotFoundError(f"there is no library {os.fspath(library)}")
    for path in os.environ.get("MODELICAPATH", "").split(os.pathsep):
        if path:
            session.add_library(path)
    return session
