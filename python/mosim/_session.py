"""Sessions, with the libraries that are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Optional, Union

from . import _core

Path = Union[str, "os.PathLike[str]"]


Source = Callable[[str], Optional[str]]
Resource = Callable[[str], Optional[Path]]


def session_of(libraries: Sequence[Path], native_code: bool, source: Optional[Source] = None, resource: Optional[Resource] = None) -> _core.Session:
    def path_of(uri: str) -> Optional[str]:
        path = resource(uri)  # type: ignore[misc]
        return None if path is None else os.fspath(path)

    session = _core.Session(native_code=native_code, source=source, resource=None if resource is None else path_of)
    for library in libraries:
        if not session.add_library(os.fspath(library)):
            raise FileNotFoundError(f"there is no library {os.fspath(library)}")
    for path in os.environ.get("MODELICAPATH", "").split(os.pathsep):
        if path:
            session.add_library(path)
    return session
