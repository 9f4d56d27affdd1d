"""The package ``wavediff``: one name for all modules, and each checkout its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wavediff
from wavediff.core.system.program import CHECKOUT_PACKAGE
from wavediff.core.system.version import VERSION

ROOT = Path(__file__).parents[1]
FOLDERS = ("app", "core", "gpu")


def python(*words, cwd, **environment):
    command = [sys.executable, *map(str, words)]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120)


def test_a_run_imports_no_module_outside_the_package(tmp_path):
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['main.py', 'compare', *sys.argv[1:]]\nsys.path[0] = {str(ROOT)!r}\n"
        f"try: runpy.run_path({str(ROOT / 'main.py')!r}, run_name='__main__')\n"
        "except SystemExit as end: print(end.code)\n"
        f"print(sorted({set(FOLDERS)!r} & sys.modules.keys()))\n"
        "print('wavediff.core.run.runner' in sys.modules)\n"
    )
    pair = [ROOT / "resources" / "demo" / name for name in ("kitten.txt", "sitting.txt")]
    done = python("-c", code, *pair, "--quiet", cwd=tmp_path)
    assert (done.stdout.splitlines()[-3:], done.stderr) == (["1", "[]", "True"], "")


def test_every_import_names_the_package():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in (*FOLDERS, "tests", ".ci", "resources/docs")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*(from|import) (app|core|gpu)\b", line)
    ]
    assert found == []


def test_a_checkout_uses_its_own_sources_whatever_else_is_found(tmp_path):
    other = tmp_path / "other"
    for folder in (*FOLDERS, ".ci"):
        shutil.copytree(ROOT / folder, other / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "main.py", other)
    (other / "core" / "system" / "version.py").write_text('VERSION = "99"\n')
    for options in ((), ("-P",)):
        done = python(*options, other / "main.py", "--version", cwd=ROOT, PYTHONPATH=str(CHECKOUT_PACKAGE))
        assert (done.stdout, done.stderr) == ("wavediff 99\n", "")


def test_the_version_is_that_of_the_program():
    assert wavediff.__version__ == VERSION


@pytest.mark.parametrize("place", ["checkout", "elsewhere"])
def test_python_starts_the_package(place, tmp_path):
    cwd = ROOT if place == "checkout" else tmp_path
    done = python("-m", "wavediff", "--version", cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wavediff {VERSION}\n", "")
    assert python("-m", "wavediff", "--help", cwd=cwd).stdout.startswith("usage: python -m wavediff ")
