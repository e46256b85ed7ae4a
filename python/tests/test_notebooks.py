"""Notebooks: every cell of those in docs/ runs, and what a cell shows."""

import json
import pathlib
import sys
import types

import pytest

import mosim
from mosim._jupyter import Cells

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs the cells of a notebook with this Python."""
    tmp_path, monkeypatch = tmp_path_factory.mktemp("jupyter"), pytest.MonkeyPatch()
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))

    def execute(notebook, **options):
        client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}, **options)
        client.execute()
        return [cell for cell in notebook.cells if cell.cell_type == "code"]

    yield execute
    monkeypatch.undo()


@pytest.fixture(scope="module")
def lesson(run):
    """The lesson's cells, by their source, after they have run; one that fails raises CellExecutionError."""
    return {c.source: c for c in run(nbformat.read(DOCS / "events.ipynb", as_version=4))}


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])


def text_of(cell):
    return "".join(o.get("text", "") + o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def html_of(cell):
    return "".join(o.get("data", {}).get("text/html", "") for o in cell.outputs)


def test_every_cell_of_the_documents_runs(lesson):
    notebooks = sorted(DOCS.glob("*.ipynb"))
    assert [n.name for n in notebooks] == ["events.ipynb"]   # each has to be run here
    notebook = nbformat.read(notebooks[0], as_version=4)
    assert all(not c.get("outputs") for c in notebook.cells), "notebooks are kept without outputs"
    assert len(lesson) == sum(c.cell_type == "code" for c in notebook.cells)
    assert all(c.execution_count for c in lesson.values())


def test_the_lesson_shows_what_it_says(lesson):
    def shown(part):
        (cell,) = [c for source, c in lesson.items() if part in source and not source.startswith("%%")]
        return cell

    assert "time &lt;= 0.5 becomes false" in html_of(shown("\ncooling.events"))
    assert text_of(shown("event.relation")).startswith("(0.5, 'time', 'time <= 0.5', ")
    assert "intervals between its events shrink by the ratio 0.8" in text_of(shown("falls.why()"))
    assert "4.0637" in text_of(shown("9*np.sqrt"))
    assert text_of(shown("already_true")).endswith("[2],\n [1])")
    assert "of_vector: 1 -&gt; 2" in html_of(shown("counts.events"))
    assert ",\n 3,\n {'level': (1.0" in text_of(shown("empties.rounds"))
    assert text_of(shown("fired.round")) == "[('level > 1', 1), ('level < 0.1', 2)]"
    assert "follows that surface" in text_of(shown("Chattering.simulate"))
    assert html_of(lesson["warm"]).startswith("<iframe srcdoc=")
    assert any("image/png" in o.get("data", {}) for o in shown("bounces.plot").outputs)


def test_cells_in_a_notebook(run):
    cells = run(
        notebook_of(
            "%load_ext mosim",
            "%%modelica\nmodel A\n  Real x = y;\nend A;",
            "%%modelica tank -L nowhere\nmodel B end B;",
            '%%modelica tank\nmodel Tank "It fills"\n  parameter Real q = 2;\n  Real h(start = 0, fixed = true);\nequation\n  der(h) = q;\nend Tank;',
            "import mosim._progress\nmosim._progress.PATIENCE = 0\nr = tank.simulate(stop=3)\nr['h'][-1]",
        ),
        allow_errors=True,
    )
    (error,) = [o for o in cells[1].outputs if o.output_type == "error"]
    assert error.ename == "ModelError"
    trace = "\n".join(error.traceback)
    assert "In[2]:2:12: error: there is no variable y here" in trace and "^" in trace and "Traceback" not in trace
    assert [o.ename for o in cells[2].outputs] == ["FileNotFoundError"]
    assert "It fills" in html_of(cells[3]) and ">q<" in html_of(cells[3])
    assert text_of(cells[4]).endswith("6.0")
    bars = [o for o in cells[4].outputs if o.output_type == "display_data"]
    assert len(bars) == 1 and bars[0].data["text/html"] == ""   # it is gone at the end


def shell():
    return types.SimpleNamespace(user_ns={}, execution_count=1)


def test_a_cell_sees_the_cells_before_it():
    cells, at = Cells(), shell()
    cells.run("", "model Base Real x(start = 1, fixed = true); equation der(x) = -x; end Base;", at)
    cells.run("", "model Two extends Base; Real y = 2*x; end Two;", at)
    assert at.user_ns["Two"].simulate(stop=1)["y"][0] == 2
    cells.run("", "model Base Real x(start = 3, fixed = true); equation der(x) = -x; end Base;", at)   # in place of the first
    cells.run("again", "model Two extends Base; Real y = 2*x; end Two;", at)
    assert at.user_ns["again"].simulate(stop=1)["y"][0] == 6
    assert set(at.user_ns) == {"Base", "Two", "again"}


def test_what_a_cell_refuses():
    cells, at = Cells(), shell()
    with pytest.raises(ValueError, match="holds no class"):
        cells.run("", "// nothing", at)
    with pytest.raises(ValueError, match="%%modelica: "):
        cells.run("a b", "model M end M;", at)
    with pytest.raises(mosim.ModelError):
        cells.run("", "model M Real", at)
    with pytest.raises(mosim.ModelError, match="nobody"):
        cells.run("--model nobody", "model M end M;", at)
    assert at.user_ns == {}
    package = "package P model A Real x = 1; end A; model B Real x = 2; end B; end P;"
    assert cells.run("--model P.A", package, at).name == "P.A" and list(at.user_ns) == ["A"]
