"""mosim: Modelica models, simulated in this process, with the reason for every event.

    import mosim
    model = mosim.load("BouncingBall.mo")
    result = model.simulate(stop=3, set={"e": 0.5})
    result["h"], result.time      # numpy arrays, views of the rows
    for event in result.events:
        print(event)
    result.why()                  # the report

What is wrong with a model is a ModelError, what goes wrong in a run a SimulationError, which holds the rows so far.
In a notebook, %load_ext mosim brings the cell magic %%modelica.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional

from . import _core
from ._core import Cause, Diagnostic, Experiment, Fired, Place, Variable
from ._errors import ModelError, ModelicaError, SimulationError, StudyError
from ._linear import Linearization
from ._model import Model, Run, Settings, _of_bytes, settings_of
from ._result import Event, Events, Limits, Result
from ._session import Path, Resource, Source, session_of
from ._study import Study, study

__version__: str = _core.version()

__all__ = ["load", "model", "Model", "Result", "Run", "Event", "Events", "Limits", "Linearization", "ModelicaError", "ModelError",
           "SimulationError", "StudyError", "Study", "study", "Cause", "Diagnostic", "Experiment", "Fired", "Place", "Variable", "__version__"]

for _public in (Model, Result, Run, Event, Events, Limits, Linearization, ModelicaError, ModelError, SimulationError, StudyError, Study, study):
    _public.__module__ = __name__   # where a user finds them


def _compiled(session: _core.Session, names: list[str], name: Optional[str], set: Settings) -> Model:
    if any(d.severity == "error" for d in session.diagnostics):
        raise ModelError(session.diagnostics)
    if name is None and not names:
        raise ValueError("the text holds no class")
    return Model(session, name or names[-1], settings_of(set))


def load(path: Path, model: Optional[str] = None, *, libraries: Sequence[Path] = (), set: Settings = None, native_code: bool = False,
         source: Optional[Source] = None, resource: Optional[Resource] = None) -> Model:
    """Compiles a model of a .mo file or a package's folder: `model`, or the last one in the file. Or reads a compiled one, a .mosim file.

    libraries: folders of packages; those of MODELICAPATH follow. set: values of parameters and start values. native_code: C functions that the
    model brings along may be called. source: is asked for a class that no text has, "Package.Class", and gives a text that has it, or None.
    resource: is asked for the path of what modelica://Package/... names, or None.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)}")
    if os.fspath(path).endswith(".mosim"):
        if model is not None or set or libraries:
            raise ValueError(f"{os.fspath(path)} is a compiled model: name no class, no settings and no libraries for it")
        with open(path, "rb") as file:
            return _of_bytes(file.read(), os.fspath(path), native_code)
    session = session_of(libraries, native_code, source, resource)
    return _compiled(session, session.read(os.fspath(path)), model, set)


def model(text: str, name: Optional[str] = None, *, libraries: Sequence[Path] = (), set: Settings = None, native_code: bool = False,
          source: Optional[Source] = None, resource: Optional[Resource] = None) -> Model:
    """Compiles a model of a text: `name`, or the last one in it. The rest is as for load()."""
    session = session_of(libraries, native_code, source, resource)
    return _compiled(session, session.read_text("<text>", text), name, set)


def load_ipython_extension(shell: Any) -> None:
    from . import _jupyter

    _jupyter.load(shell)
