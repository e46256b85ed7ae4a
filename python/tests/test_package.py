"""What is installed: stubs, annotations, versions."""

import ast
import importlib.metadata
import inspect
import pathlib
import typing

import mosim
from mosim import _core

FOLDER = pathlib.Path(mosim.__file__).parent


def test_the_version_is_that_of_the_metadata():
    assert mosim.__version__ == importlib.metadata.version("mosim")


def test_types_are_installed():
    assert (FOLDER / "py.typed").exists()
    assert (FOLDER / "_core.pyi").exists()


def test_the_stub_has_all_of_the_extension():
    tree = ast.parse((FOLDER / "_core.pyi").read_text())
    classes = {c.name: {n.name for n in c.body if isinstance(n, ast.FunctionDef)} for c in tree.body if isinstance(c, ast.ClassDef)}
    for name, kind in vars(_core).items():
        if inspect.isclass(kind):
            members = {m for m in vars(kind) if not m.startswith("_")}
            assert members <= classes[name], name
    assert {"Session", "Model", "Run", "Result", "Linearization", "Event"} <= set(classes)


def test_everything_public_is_annotated_and_documented():
    for name in mosim.__all__:
        thing = getattr(mosim, name)
        if inspect.isclass(thing) and thing.__module__ == "mosim":
            assert thing.__doc__, name
            for method_name, method in vars(thing).items():
                if inspect.isfunction(method) and not method_name.startswith("_"):
                    assert "return" in method.__annotations__, f"{name}.{method_name}"
        elif inspect.isfunction(thing):
            assert thing.__doc__
            assert typing.get_type_hints(thing)["return"] in (mosim.Model, mosim.Study)
