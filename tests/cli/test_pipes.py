"""Standard input, pipes and the empty device in place of a file."""

import gzip
import os
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

import pytest

from tests.cli.helpers import ROOT, call
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
def words(tmp_path, monkeypatch):
    (tmp_path / "kitten.txt").write_text("kitten")
    (tmp_path / "sitting.txt").write_text("sitting")
    (tmp_path / "e.txt").write_text("é", encoding="utf-8")
    (tmp_path / "a.fa").write_bytes(RECORD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def through(capfd):
    """Return what runs a line in this process: a file of standard input, pipes in the places of {}, one named p."""

    def run(line, *pipes, given=b"", named=None):
        with ExitStack() as ends:
            first, *others = (ends.enter_context(reading_end(content)) for content in (given, *pipes))
            usual = os.dup(0)
            ends.callback(os.close, usual)
            ends.callback(os.dup2, usual, 0)
            os.dup2(first, 0)
            if named is not None:
                os.mkfifo("p")
                writer = threading.Timer(0.05, Path("p").write_bytes, (named,))
                writer.start()
                ends.callback(writer.join)
            return call(capfd, *shlex.split(line.format(*(f"/dev/fd/{one}" for one in others))))

    return run


@contextmanager
def reading_end(content):
    """Of a pipe that has these bytes and no writer any more; of a path: that file."""
    if isinstance(content, Path):
        reading = os.open(content, os.O_RDONLY)
    else:
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
    try:
        yield reading
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    "line",
    [
        "cat kitten.txt | wavediff compare - sitting.txt --cigar - --quiet",
        "wavediff compare <(cat kitten.txt) <(gzip -c sitting.txt) --cigar - --quiet",
    ],
)
def test_what_comes_through_a_pipe_of_a_shell_is_read_as_a_file(words, line):
    assert shell(line, words) == (1, "1X3=1X1=1I\n", "")


ALIGNED = b">a\nAC-G\n>b\nACTG\n"


def test_pipes_named_or_packed_are_read_as_a_file(words, through):
    assert through("compare p kitten.txt --cigar - -q", named=b"kitten") == (0, "6=\n", "")
    packed = gzip.compress(ALIGNED)
    assert through("compare --alignment {} --cigar - -q", packed) == (1, "2=1I1=\n", "")


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
        (ALIGNED, "compare --alignment - --cigar -", 1, "2=1I1=\n"),
        (RECORD, "search - --pattern TTA --bed -", 0, "a\t2\t5\tTTA\t1000\t+\na\t9\t12\tTTA\t1000\t+\n"),
        (RECORD, "find - TTA --tsv -", 0, "sequence\tpattern\tstart\tend\na\tTTA\t3\t5\na\tTTA\t10\t12\n"),
        (RECORD, "bwt - --last-column -", 0, "ACTTCGGAAATTAA"),
        (RECORD, "batch - a.fa --tsv -", 0, None),
    ],
)
def test_standard_input_is_read_as_a_file(words, through, given, line, code, out):
    got, said, wrong = through(f"{line} --quiet", given=given)
    assert (got, wrong) == (code, "")
    assert out is None or said == out


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
WAYS = {
    "A of standard input": lambda run, old, new: run("compare - new", given=old),
    "B of standard input": lambda run, old, new: run("compare old /dev/stdin", given=new),
    "two pipes": lambda run, old, new: run("compare {} {}", old, new),
    "a named pipe": lambda run, old, new: run("compare p new", named=old),
    "two pipes of difftool": lambda run, old, new: run("difftool {} {}", old, new),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_read_the_same_through_every_pipe(words, through, way, text):
    """What is refused as a sequence is read again as a text: from the same bytes."""
    old, answer = TEXTS[text]
    new = old + (b"T\n" if text == "fasta" else b"more\n")
    (words / "old").write_bytes(old)
    (words / "new").write_bytes(new)
    code, out, err = WAYS[way](through, old, new)
    assert code == (0 if "difftool" in way else 1), err
    assert answer in out
    assert "empty" not in err


def test_a_pipe_is_read_once(words, through):
    assert through("compare - /dev/stdin", given=b"kitten")[0] == 2
    said = "wavediff: <standard input>: both A and B; a pipe can be read once\n"
    assert through("compare - -", given=b"kitten") == (2, "", said)
    said = "wavediff: <standard input>: both F and FILE; a pipe can be read once\n"
    assert through("search --patterns - -", given=RECORD) == (2, "", said)
    assert through("search --patterns - a.fa")[0] == 2, "no patterns"


@pytest.mark.parametrize("packed", [False, True])
def test_patterns_come_through_a_pipe(words, through, packed):
    patterns = b"one\tGATTACA\ntwo\tTTT\n"
    content = gzip.compress(patterns) if packed else patterns
    for asked, how in (("-", {"given": content}), ("{}", {})):
        pipes = () if how else (content,)
        code, out, err = through(f"search --patterns {asked} a.fa --bed - --quiet", *pipes, **how)
        rows = [line.split("\t")[:4] for line in out.splitlines() if line.startswith("a\t")]
        assert (code, rows, err) == (0, [["a", "0", "7", "one"], ["a", "7", "14", "one"]], "")


@pytest.mark.skipif(not os.path.isfile("/proc/version"), reason="no files of the system")
def test_a_file_longer_than_the_system_says(words, through):
    assert through("compare /proc/version a.fa") == (
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


def test_numbers_have_the_number_of_their_nouns(words, through):
    (words / "one.txt").write_text("A")
    code, _, told = through("search l one.txt -k 1")
    assert (code, "'l' has 1 letter and would match everywhere with 1 error" in told) == (2, True)
    code, out, _ = through("compare one.txt one.txt -m edit -v")
    assert (code, "  1 and 1 letter, " in out, "matrix 1 cell, " in out) == (0, True, True)
