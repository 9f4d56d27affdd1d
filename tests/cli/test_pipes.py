"""Standard input, pipes and the empty device in place of a file."""

import gzip
import os
import shlex
import signal
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.cli.helpers import ROOT
from wavediff.app.commands import cli
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken, heeding
from wavediff.core.reading.files import spooled

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
RECORD = b">a\nGATTACAGATTACA\n"
PROGRAM = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'main.py'))}"


def shell(line, folder):
    done = subprocess.run(
        ["bash", "-c", line.replace("wavediff", PROGRAM)], cwd=folder, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def words(tmp_path):
    (tmp_path / "kitten.txt").write_text("kitten")
    (tmp_path / "sitting.txt").write_text("sitting")
    (tmp_path / "e.txt").write_text("é", encoding="utf-8")
    (tmp_path / "a.fa").write_bytes(RECORD)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("cat kitten.txt | wavediff compare - sitting.txt --cigar - --quiet", 1, "1X3=1X1=1I\n"),
        ("wavediff compare <(cat kitten.txt) <(gzip -c sitting.txt) --cigar - --quiet", 1, "1X3=1X1=1I\n"),
        ("mkfifo p; (sleep 0.3; cat kitten.txt > p) & wavediff compare p kitten.txt --cigar - --quiet", 0, "6=\n"),
        ("printf '>a\\nAC-G\\n>b\\nACTG\\n' | wavediff compare --alignment - --cigar - -q", 1, "2=1I1=\n"),
        ("wavediff compare --alignment <(printf '>a\\nAC-G\\n>b\\nACTG\\n' | gzip) --cigar - -q", 1, "2=1I1=\n"),
        ("cat a.fa | wavediff find - TTA --tsv - --quiet | cut -f 3 | tail -n +2", 0, "3\n10\n"),
    ],
)  # fmt: skip
def test_what_comes_through_a_pipe_is_read_as_a_file(words, line, code, out):
    assert shell(line, words) == (code, out, "")


@pytest.mark.parametrize(
    ("given", "line", "code", "out"),
    [
        (b"sitting", "compare kitten.txt /dev/stdin --cigar -", 1, "1X3=1X1=1I\n"),
        (Path("kitten.txt"), "compare - sitting.txt --cigar -", 1, "1X3=1X1=1I\n"),
        (b"", "compare /dev/null sitting.txt --cigar -", 1, "7I\n"),
        (b"", "compare kitten.txt /dev/null --cigar -", 1, "6D\n"),
        (b"", "compare /dev/null - --cigar -", 0, "*\n"),
        (b"", "compare /dev/null /dev/null --cigar -", 0, "*\n"),
        (b"\xe9", "compare - e.txt --encoding latin-1 --encoding-b utf8 --cigar -", 0, "1=\n"),
        (RECORD, "search - --pattern TTA --bed -", 0, "a\t2\t5\tTTA\t1000\t+\na\t9\t12\tTTA\t1000\t+\n"),
        (RECORD, "bwt - --last-column -", 0, "ACTTCGGAAATTAA"),
        (RECORD, "batch - a.fa --tsv -", 0, None),
    ],
)
def test_standard_input_is_read_as_a_file(words, monkeypatch, capfd, given, line, code, out):
    monkeypatch.chdir(words)
    if isinstance(given, Path):
        reading = os.open(given, os.O_RDONLY)
    else:
        reading, writing = os.pipe()
        os.write(writing, given)
        os.close(writing)
    usual = os.dup(0)
    try:
        os.dup2(reading, 0)
        assert cli.main([*line.split(), "--quiet"]) == code
    finally:
        os.dup2(usual, 0)
        os.close(usual)
        os.close(reading)
    said = capfd.readouterr()
    assert said.err == ""
    assert out is None or said.out == out


TEXTS = {
    "quote": (b"# Title\n\nHello world.\n\n> one\n> two\n\n@decorator\ndef f():\n", "1 hunk"),
    "header": (b"> hello\nmy text\n> again\n@foo\nlast\n", "1 hunk"),
    "at": (b"@todo\nword\n", "1 hunk"),
    "csv": (b"a,b\n1,2\n", "1 hunk"),
    "html": (b"<html>\n<p>one</p>\n", "1 hunk"),
    "blank": (b"\n \n\n", "1 hunk"),
    "chinese": ("> 你好\n世界。\n".encode(), "1 hunk"),
    "fasta": (b">a\nACGTACGT\n", "1 letter"),
}
WAYS = (
    "cat old | wavediff compare - new",
    "cat new | wavediff compare old /dev/stdin",
    "wavediff compare <(cat old) <(cat new)",
    "mkfifo p; cat old > p & wavediff compare p new",
    "wavediff difftool <(cat old) <(cat new)",
)


@pytest.mark.parametrize(
    ("way", "text"),
    [
        *((way, "quote") for way in WAYS),
        *((way, text) for way, text in zip(cycle(WAYS), list(TEXTS)[1:], strict=False)),
    ],
)
def test_a_text_is_read_the_same_through_every_pipe(tmp_path, way, text):
    """What is refused as a sequence is read again as a text: from the same bytes."""
    first, answer = TEXTS[text]
    (tmp_path / "old").write_bytes(first)
    (tmp_path / "new").write_bytes(first + (b"T\n" if text == "fasta" else b"more\n"))
    code, out, err = shell(way, tmp_path)
    assert code == (0 if "difftool" in way else 1), err
    assert answer in out
    assert "empty" not in err


def test_a_pipe_is_read_once(words):
    assert shell("cat kitten.txt | wavediff compare - /dev/stdin", words)[0] == 2
    assert shell("cat kitten.txt | wavediff compare - -", words) == (
        2, "", "wavediff: <standard input>: both A and B; a pipe can be read once\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    "way", ["cat p | wavediff search --patterns - a.fa", "wavediff search --patterns <(cat p) a.fa"]
)
@pytest.mark.parametrize("packed", [False, True])
def test_patterns_come_through_a_pipe(words, way, packed):
    patterns = b"one\tGATTACA\ntwo\tTTT\n"
    (words / "p").write_bytes(gzip.compress(patterns) if packed else patterns)
    code, out, err = shell(f"{way} --bed - --quiet", words)
    rows = [line.split("\t")[:4] for line in out.splitlines() if line.startswith("a\t")]
    assert (code, rows, err) == (0, [["a", "0", "7", "one"], ["a", "7", "14", "one"]], "")


def test_patterns_and_text_are_not_one_pipe(words):
    assert shell("cat a.fa | wavediff search --patterns - -", words) == (
        2, "", "wavediff: <standard input>: both F and FILE; a pipe can be read once\n",
    )  # fmt: skip
    assert shell("true | wavediff search --patterns - a.fa", words)[0] == 2


@pytest.mark.skipif(not os.path.isfile("/proc/version"), reason="no files of the system")
def test_a_file_longer_than_the_system_says(words):
    assert shell("wavediff compare /proc/version a.fa", words) == (
        2, "", "wavediff: /proc/version: longer than the 0 bytes that the system reports; copy it first\n",
    )  # fmt: skip


def test_a_pipe_that_says_nothing_can_be_left(tmp_path):
    """Whoever waits for bytes is asked again and again whether to go on."""
    os.mkfifo(tmp_path / "p")
    pieces = spooled(str(tmp_path / "p"))
    assert next(pieces) == b""
    writer = os.open(tmp_path / "p", os.O_WRONLY)
    os.write(writer, b"kitten")
    assert b"".join(islice((piece for piece in pieces if piece), 1)) == b"kitten"
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(heeding(cancel, pieces))
    os.close(writer)
    assert b"".join(pieces) == b""


def test_a_closed_pipe_ends_the_program_as_its_signal_does(tmp_path):
    (tmp_path / "long.fa").write_text(">r\n" + "ACGT" * 50_000 + "\n", encoding="ascii")
    line = "(wavediff search A long.fa --tsv - --quiet; echo $? >&2) | head -1"
    code, out, told = shell(line, tmp_path)
    assert (code, len(out.splitlines()), told) == (0, 1, f"{128 + signal.SIGPIPE}\n")


def test_numbers_have_the_number_of_their_nouns(tmp_path):
    (tmp_path / "one.txt").write_text("A")
    code, _, told = shell("wavediff search l one.txt -k 1", tmp_path)
    assert (code, "'l' has 1 letter and would match everywhere with 1 error" in told) == (2, True)
    code, out, _ = shell("wavediff compare one.txt one.txt -m edit -v", tmp_path)
    assert (code, "  1 and 1 letter, " in out, "matrix 1 cell, " in out) == (0, True, True)
