"""The checks of a commit: where they come from, and what those of text find."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
yaml = pytest.importorskip("yaml")


def main_of(script):
    return runpy.run_path(str(ROOT / ".ci" / f"{script}.py"))["main"]


def test_hooks_come_from_this_repository_alone():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [one["repo"] for one in config["repos"]] == ["local"]
    assert all(hook["entry"].startswith(".venv/bin/python ") for hook in config["repos"][0]["hooks"])


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.py", b"x = 1 \n", "1: blanks at the end of the line"),
        ("a.py", b"\n" + b"<" * 7 + b" mine\n", "2: the mark of a merge"),
        ("a.py", b"x", "no end of line at the end of the file"),
        ("a.py", b"x\n\n", "empty lines at the end of the file"),
        ("a.py", b"x\r\n", "1: a carriage return"),
        ("a.toml", b"x =\n", "Invalid value"),
        ("a.yaml", b"- [1\n", "while parsing a flow sequence"),
        ("a.json", b"[1\n", "Expecting ',' delimiter: line 2 column 1 (char 3)"),
        ("a.md", b"a line that breaks  \n", ""),
        ("a.toml", b"x = 1\n", ""),
        ("a.py", b"", ""),
    ],
)
def test_faults_of_text_are_named(tmp_path, capsys, name, content, fault):
    path = tmp_path / name
    path.write_bytes(content)
    assert main_of("text")([str(path)]) == bool(fault)
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: {fault}" if fault else "")
    assert bool(said) == bool(fault)


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("Fix U/T mismatch in compare", ""),
        ("Speed up locating in an index", ""),
        ('Revert "Share work among several GPUs, whatever that takes and however long"', ""),
        ("Fixed U/T mismatch in compare", "'Fixed' is no imperative"),
        ("let several threads walk", "'let' is no imperative"),
        ("Let several threads walk", "'Let' says little"),
        ("Add a test so that it fails", "a sentence"),
        ("Fix U/T mismatch.", "a sentence"),
        ("Fix it", "6 characters"),
        ("Add " + "x" * 63, "67 characters"),
    ],
)
def test_subjects_of_commits(tmp_path, capsys, subject, fault):
    path = tmp_path / "message"
    path.write_text(f"{subject}\n\nWhy.\n", encoding="utf-8")
    assert main_of("subject")(str(path)) == bool(fault)
    assert fault in capsys.readouterr().err
