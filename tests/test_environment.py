"""The set-up script: what fits is kept, what does not is built anew, what is not allowed is named."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from wavediff.core.system import qt_libraries

ROOT = Path(__file__).parents[1]


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Return the script, made to work on a project in a temporary folder; commands are noted, not run."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / ".ci" / "environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    venv = tmp_path / ".venv"
    for name, value in {
        "ROOT": tmp_path,
        "VENV": venv,
        "PYTHON": venv / "python",
        "RECORD": str(venv / "installed.json"),
    }.items():
        monkeypatch.setattr(module, name, value)
    for lock in module.LOCKS.values():
        (tmp_path / lock).write_text("x==1\n")
    module.commands, module.inner = [], sys.version

    def run(command, **_):
        words = [str(word) for word in command]
        if "-c" in words and "sysconfig" in words[-1]:
            found = json.dumps([module.inner, str(venv)]) if (venv / "python").exists() else ""
            return subprocess.CompletedProcess(words, 0, found.encode())
        module.commands.append(words)
        if "venv" in words:
            venv.mkdir(exist_ok=True)
            (venv / "python").write_text("")
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(module.subprocess, "run", run)
    return module


def installs(script):
    done = [Path(words[-1]).name for words in script.commands if "install" in words]
    assert all({"--require-hashes", "--no-deps"} <= set(words) for words in script.commands if "install" in words)
    script.commands.clear()
    return done


@pytest.mark.parametrize(
    ("first", "then"), [(["run"], ["run"]), (["run", "test"], ["run", "test"]), (["test"], ["run"])], ids=str
)
def test_the_first_time_installs_what_is_missing_and_the_second_nothing(script, first, then):
    """The tests add to what running needs, and hold all of it."""
    locks = {"run": "requirements.lock", "test": "requirements-test.lock"}
    for name in first:
        script.packages(name)
    assert installs(script) == [locks[name] for name in first]
    for name in then:
        script.packages(name)
    assert script.commands == []


def test_new_locks_are_installed_into_what_is_there(script):
    for lock in script.LOCKS.values():
        (script.ROOT / lock).write_text("x==1\ngone==1\n")
    script.packages("run")
    installs(script)
    (script.VENV / "cupy").write_text("an extra that the user installed")
    for lock in script.LOCKS.values():
        (script.ROOT / lock).write_text("x==2\n")
    script.packages("run")
    assert [words[-1] for words in script.commands if "uninstall" in words] == ["gone"]
    assert installs(script) == ["requirements.lock"]
    assert (script.VENV / "cupy").exists()
    script.packages("run")
    assert script.commands == []


def test_another_python_on_the_path_changes_nothing(script, monkeypatch):
    script.packages("run")
    script.commands.clear()
    monkeypatch.setattr(sys, "version", "3.99.0 (conda)")
    script.packages("run")
    assert script.commands == []


@pytest.mark.parametrize("change", ["python", "record", "interrupted", "gone"])
def test_what_no_longer_works_is_built_anew(script, change):
    script.packages("run")
    installs(script)
    (script.VENV / "left-over").write_text("")
    if change == "python":
        script.inner = "3.99.0 other"
    elif change == "record":
        Path(script.RECORD).write_text(json.dumps({"python": sys.version, "locks": []}))
    elif change == "interrupted":
        script.write_record({"python": "", "locks": {}})
    else:
        script.PYTHON.unlink()
    script.packages("run")
    assert not (script.VENV / "left-over").exists()
    assert installs(script) == ["requirements.lock"]


@pytest.mark.parametrize("goal", ["run", "test", "check"])
def test_an_environment_that_something_else_made_is_spared(script, goal, capsys):
    script.VENV.mkdir()
    (script.VENV / "keep.txt").write_text("mine")
    assert script.main(goal) == 1
    assert (script.VENV / "keep.txt").read_text() == "mine"
    assert script.commands == []
    assert "was not made by this: it has no installed.json; rename or remove it first" in capsys.readouterr().err


def test_an_empty_folder_is_filled(script):
    script.VENV.mkdir()
    script.packages("run")
    assert installs(script) == ["requirements.lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_the_environment_has_the_command(script, tmp_path, monkeypatch):
    monkeypatch.undo()  # commands are run
    folder = tmp_path / "a folder" / "bin"
    folder.mkdir(parents=True)
    script.PYTHON = str(folder / "python")
    Path(script.PYTHON).write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    Path(script.PYTHON).chmod(0o755)
    script.launcher()
    done = subprocess.run(
        [folder / "wavediff", "compare"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("(see wavediff compare --help)\n")


def test_line_ends_of_a_checkout_do_not_matter(script):
    script.packages("run")
    (script.ROOT / "requirements.lock").write_bytes(b"x==1\r\n")
    assert script.installed() is not None


def test_a_python_without_its_own_pip_uses_the_one_outside(script, monkeypatch):
    monkeypatch.setattr(script, "has_ensurepip", lambda: False)
    script.create()
    assert "--without-pip" in script.commands[-1]
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(script.subprocess, "run", lambda *_, **__: failed)
    assert script.pip() == [sys.executable, "-m", "pip", "--python", script.PYTHON]


def test_missing_libraries_are_named_in_one_line_where_they_may_not_be_installed(script, monkeypatch, capsys):
    monkeypatch.setattr(qt_libraries, "missing", lambda: ["libEGL.so.1", "libxcb-cursor.so.0"])
    monkeypatch.setattr(script, "root_prefix", lambda: None)
    assert script.libraries("test") == 1
    assert capsys.readouterr().err.splitlines()[-1] == "sudo apt-get install -y libegl1 libxcb-cursor0"
    assert script.commands == []


def test_missing_libraries_are_installed_where_that_is_allowed(script, monkeypatch):
    monkeypatch.setattr(qt_libraries, "missing", lambda: ["libEGL.so.1"])
    monkeypatch.setattr(script, "root_prefix", lambda: ["sudo", "-n"])
    monkeypatch.setattr(script.shutil, "which", lambda _: "/usr/bin/apt-get")
    assert script.libraries("test") == 0
    update, install, check = script.commands
    assert update == ["sudo", "-n", "env", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "apt-get", "update", "-qq"]
    assert install[5:] == ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "libegl1"]
    assert check[0] == sys.executable


def test_the_lock_of_apt_is_waited_for(script, monkeypatch, capsys):
    errors = ["E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"] * 2 + [""] * 2
    ends = iter([subprocess.CompletedProcess([], 100 if error else 0, stderr=error) for error in errors])
    monkeypatch.setattr(script.subprocess, "run", lambda *_, **__: next(ends))
    monkeypatch.setattr(script, "APT_RETRY_SECONDS", 0.0)
    script.apt_install([], ["libegl1"])
    assert next(ends, None) is None, "both commands ran to their end"
    assert capsys.readouterr().err == "waiting for another process to release apt's lock\n"


def test_without_a_display_running_needs_no_libraries(script, monkeypatch):
    monkeypatch.setattr(qt_libraries, "missing", lambda: ["libEGL.so.1"])
    monkeypatch.setattr(qt_libraries, "why_no_display", lambda: "there is none")
    assert script.libraries("run") == 0


@pytest.mark.parametrize(("prefix", "installed"), [(["sudo", "-n"], ["samtools", "tabix"]), (None, [])])
def test_what_reads_our_files_is_installed_where_that_is_allowed(script, monkeypatch, prefix, installed):
    monkeypatch.setattr(script, "root_prefix", lambda: prefix)
    monkeypatch.setattr(script.shutil, "which", lambda name: name if name in ("apt-get", "bcftools") else None)
    script.readers()
    assert [word for words in script.commands if "install" in words for word in words[10:]] == installed
