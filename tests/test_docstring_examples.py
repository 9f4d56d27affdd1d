"""Examples in docstrings: each gives what stands below it."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOWN = [
    path.relative_to(ROOT)
    for part in ("app", "core", "gpu")
    for path in sorted((ROOT / part).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_packages_have_examples():
    assert {path.parts[:2] for path in SHOWN} >= {("core", "kernels"), ("core", "sequences"), ("core", "teach")}


@pytest.mark.parametrize("path", SHOWN, ids=Path.as_posix)
def test_each_example_holds(path):
    if path.parts[0] == "app":
        pytest.importorskip("PySide6")
    found = doctest.testmod(import_module(".".join(("wavediff", *path.with_suffix("").parts))))
    assert (found.failed, found.attempted > 0) == (0, True)
