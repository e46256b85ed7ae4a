"""The examples in docs/python.md and the README, as they stand there."""

import doctest
import pathlib
import re

import pytest

import mosim

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(document, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / document).read_text(), re.M | re.S)


def test_examples_with_their_outputs(monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    monkeypatch.chdir(ROOT)
    text = "\n".join(blocks("docs/python.md", "pycon") + blocks("docs/studies.md", "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", None, 0)
    said = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert result.attempted > 20
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("document", ["README.md", "docs/library.md", "docs/studies.md"])
def test_examples(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    pytest.importorskip("matplotlib").use("Agg")
    found = blocks(document, "python")
    assert found
    for text in found:
        exec(compile(text, document, "exec"), {})


def test_links():
    for target in re.findall(r"\]\((?!http)([^)#]+)", (ROOT / "docs" / "python.md").read_text()):
        assert (ROOT / "docs" / target).exists(), target
