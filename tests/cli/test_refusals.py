"""What is refused: one line that says why, before any file is made or changed; the cases are in refusals.txt."""

import shlex
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble

LINES = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines()
CASES = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.fixture
def folder(files, monkeypatch):
    """The files of ``files``, and proteins, matrices, texts and patterns beside them."""
    monkeypatch.chdir(files)
    for name, text in {
        "p.fa": ">first\nHEAGAWGHEEHEAGAWGHEE\n>odd\nHEAGAW\n",
        "q.fa": ">second\nPAWHEAEHEAGAWKHEEE\n",
        "acgt": "   A  C  G  T\nA  2 -1 -1 -1\nC -1  2 -1 -1\nG -1 -1  2 -1\nT -1 -1 -1  2\n",
        "broken": "A C\nA 1\n",
        "b.txt": "a",
        "-dash.fa": ">r\nACGT\n",
        "dash.txt": "one - two",
        "dashes.txt": "one - three",
        "p.txt": "ACGT\n\nname\t\n",
    }.items():
        Path(name).write_text(text)
    Path("cp1252.txt").write_bytes("Grüße aus Köln – naïve café".encode("cp1252"))
    Path("empty").mkdir()
    return files


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("words", "facts"), [(words, facts) for words, *facts in CASES], ids=[one[0] for one in CASES])
def test_it_is_refused_in_a_line(folder, capsys, words, facts):
    before = contents(folder)
    trouble(call(capsys, *shlex.split(words.replace("LONG", "x" * 300))), *facts)
    assert contents(folder) == before
