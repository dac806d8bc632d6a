"""The notebooks of docs/notebooks: they stand there as they were run, and running them prints what they show.

    PYTHONPATH=build/python python3 notebooks_test.py --program build/bin/conesweep --source SOURCE [CLASS]
    PYTHONPATH=build/python build/python-tests/python/bin/python notebooks_test.py --program … --source … --update     runs them, and writes what came out
"""
from __future__ import annotations

import ast
import importlib
import json
import pathlib
import shutil
import sys
import tempfile
import time
from typing import Any

from python_case import OPTIONS, Case, main, needs

LARGEST = 400_000  # bytes
PICTURES = {"image/png", "image/svg+xml"}


def folder() -> pathlib.Path:
    return OPTIONS.source / "docs/notebooks"


def read_notebooks() -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder().glob("*.ipynb"))}


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def join(text: Any) -> str:
    """Texts of notebooks are strings, or lists of lines."""
    return text if isinstance(text, str) else "".join(text)


def printed(cell: Any) -> str:
    return "".join(join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")


def _libraries() -> tuple[Any, Any]:
    return importlib.import_module("nbclient"), importlib.import_module("nbformat")


def execute(name: str) -> Any:
    """A copy of the notebook, run from top to bottom in a copy of its folder."""
    nbclient, nbformat = _libraries()
    with tempfile.TemporaryDirectory() as scratch:
        place = pathlib.Path(scratch, "docs/notebooks")
        shutil.copytree(folder(), place, ignore=shutil.ignore_patterns("runs"))
        pathlib.Path(scratch, "samples").symlink_to(OPTIONS.source / "samples")
        notebook = nbformat.read(place / f"{name}.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(place)}}).execute()
    for cell in notebook.cells:  # when it was run is nobody's concern
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


class Notebooks(Case):
    def test_stand_as_they_were_run(self) -> None:
        notebooks = read_notebooks()
        self.assertEqual(set(notebooks), {"calibration", "executors", "first_steps", "sensitivity"})
        for name, notebook in notebooks.items():
            with self.subTest(name):
                cells = code_cells(notebook)
                for cell in cells:
                    ast.parse(join(cell["source"]))
                self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)))
                outputs = [output for cell in cells for output in cell["outputs"]]
                self.assertNotIn("error", {output["output_type"] for output in outputs})
                self.assertFalse([output for output in outputs if output.get("name") == "stderr"])
                self.assertGreaterEqual(sum(bool(PICTURES & set(output.get("data", {}))) for output in outputs), 1)

    def test_are_small_and_name_no_place_of_a_machine(self) -> None:
        for path in folder().glob("*.ipynb"):
            self.assertLess(path.stat().st_size, LARGEST, path.name)
            for place in "/root/", "/home/", "/work/", "/tmp/":
                self.assertNotIn(place, path.read_text(), path.name)

    def test_are_listed(self) -> None:
        for page in "docs/python.md", "docs/notebooks/README.md":
            for name in read_notebooks():
                self.assertIn(f"{name}.ipynb)", (OPTIONS.source / page).read_text())

    @needs("SALib", "emcee", "ipykernel", "matplotlib", "nbclient", "pandas", "scipy", "xarray")
    def test_print_what_they_show(self) -> None:
        for name, shown in read_notebooks().items():
            with self.subTest(name):
                for number, (cell, before) in enumerate(zip(code_cells(execute(name)), code_cells(shown)), start=1):
                    self.assertEqual(printed(cell), printed(before), f"cell {number}")
                    self.assertEqual([set(output.get("data", {})) for output in cell["outputs"]], [set(output.get("data", {})) for output in before["outputs"]])


LONG_CELL = """
import conesweep as cs
study = cs.Scenario({sample!r}, members=4_000_000)
def tell(progress):
    if progress.done >= 8192:
        print("begun", flush=True)
study.run({out!r}, chunk=4096, step_check=False, progress=tell)
"""
NEXT_CELL = """
def look(progress):
    raise KeyError(progress.done)   # the first that is told: what was kept
study.run({out!r}, chunk=4096, step_check=False, resume=True, progress=look)
"""


@needs("ipykernel", "jupyter_client")
class Kernels(Case):
    """A notebook's stop button. How long it took is printed; wanted: a second."""

    def setUp(self) -> None:
        super().setUp()
        manager = importlib.import_module("jupyter_client.manager")
        self.kernel, self.client = manager.start_new_kernel(kernel_name="python3")
        self.addCleanup(self.kernel.shutdown_kernel, now=True)
        self.addCleanup(self.client.stop_channels)

    def wait_for_words(self, words: str) -> None:
        while True:
            content = self.client.get_iopub_msg(timeout=120)["content"]
            self.assertNotIn("traceback", content, content)
            if words in content.get("text", ""):
                return

    def reply(self) -> Any:
        return self.client.get_shell_msg(timeout=120)["content"]

    def test_an_interrupted_cell_ends_and_its_finished_chunks_are_kept(self) -> None:
        words = {"sample": str(OPTIONS.source / "samples/slider.toml"), "out": str(self.folder / "run")}
        self.client.execute(LONG_CELL.format(**words))
        self.wait_for_words("begun")
        began = time.monotonic()
        self.kernel.interrupt_kernel()
        self.assertEqual(self.reply()["ename"], "KeyboardInterrupt")
        print(f"the cell ended after {time.monotonic() - began:.2f} s")
        self.client.execute(NEXT_CELL.format(**words))  # the same kernel works on
        found = self.reply()
        self.assertEqual(found["ename"], "KeyError", found)
        self.assertGreaterEqual(int(found["evalue"]), 8192)


def update() -> None:
    _, nbformat = _libraries()
    for name in read_notebooks():
        nbformat.write(execute(name), folder() / f"{name}.ipynb")
        print(f"{name}: run and written")


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.argv.remove("--update")
        OPTIONS.source = pathlib.Path(__file__).resolve().parents[2]
        update()
    else:
        main()
