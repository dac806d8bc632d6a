"""What can be known of the Python package without running it: types, by mypy, and style, by ruff. The stub of the compiled part has what that has.

    PYTHONPATH=build/python python3 types_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import ast
import subprocess
import sys

from python_case import OPTIONS, Case, main, needs


class Types(Case):
    def run_module(self, *words: object) -> None:
        command = [sys.executable, "-B", "-m", *map(str, words)]
        done = subprocess.run(command, cwd=OPTIONS.source, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    @needs("mypy")
    def test_of_the_package_and_its_tests_fit(self) -> None:
        tests = sorted((OPTIONS.source / "tests/python").glob("*.py"))
        self.run_module("mypy", "--cache-dir", self.folder, "python/conesweep", *tests)

    def test_the_stub_has_what_the_module_has(self) -> None:
        from conesweep import _core

        stub = ast.parse((OPTIONS.source / "python/conesweep/_core.pyi").read_text())
        classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual({*classes, *functions}, {name for name in vars(_core) if not name.startswith("_")})
        for name, described in classes.items():
            made = getattr(_core, name)
            inherited = {member for base in made.__mro__[1:] for member in vars(base)}
            self.assertEqual([base.id for base in described.bases if isinstance(base, ast.Name)], [base.__name__ for base in made.__mro__[1:-1]])
            told = {node.name for node in described.body if isinstance(node, ast.FunctionDef)}
            told |= {node.target.id for node in described.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
            self.assertEqual(told, {member for member in vars(made) if not member.startswith("_") and member not in inherited}, name)

    @needs("ruff")
    def test_style(self) -> None:
        self.run_module("ruff", "check", "--no-cache", "python", "tests/python")


if __name__ == "__main__":
    main()
