"""The package ``wavediff``: one name for all modules, and each checkout its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wavediff
from wavediff.app.commands.cli import main
from wavediff.core.jit import compile_cache
from wavediff.core.system.program import CHECKOUT_PACKAGE
from wavediff.core.system.version import VERSION, commit

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
    (other / "core" / "system" / "version.py").write_text('VERSION = "99"\n\ndef commit():\n    return "7"\n')
    for options in ((), ("-P",)):
        done = python(*options, other / "main.py", "--version", cwd=ROOT, PYTHONPATH=str(CHECKOUT_PACKAGE))
        assert done.stdout == "wavediff 99 (commit 7, kernels: none, compiled at first use)\n"
        assert done.stderr == ""


def test_the_version_is_that_of_the_program():
    assert wavediff.__version__ == VERSION


@pytest.mark.parametrize("place", ["checkout", "elsewhere"])
def test_python_starts_the_package(place, tmp_path):
    cwd = ROOT if place == "checkout" else tmp_path
    done = python("-m", "wavediff", "--version", cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"wavediff {VERSION} (")
    assert python("-m", "wavediff", "--help", cwd=cwd).stdout.startswith("usage: python -m wavediff ")


def test_a_checkout_names_its_commit():
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout")
    command = ["git", "rev-parse", "HEAD"]
    head = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    assert head.startswith(commit().removesuffix("-dirty"))


def test_the_version_names_the_commit_of_the_wheel_and_its_kernels(tmp_path, monkeypatch, capsys):
    (tmp_path / "commit.txt").write_text("abc1234\n")
    monkeypatch.setattr("wavediff.core.system.program.ROOT", tmp_path)
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    with monkeypatch.context() as inside:
        inside.setattr(compile_cache, "SHIPPED_FOLDER", kernels)
        for level in ("x86-64-v3", "x86-64-v4"):
            (kernels / compile_cache.folder_name(level)).mkdir()
        with pytest.raises(SystemExit) as end:
            main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"wavediff {VERSION} (commit abc1234, kernels: x86-64-v4 and x86-64-v3)\n"
