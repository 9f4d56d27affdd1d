"""Standard output that is closed or full: one line and exit code 2, whatever was to be written there."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import ROOT

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")

WRITERS = ["--version", "compare A B", "compare A B --json - --quiet", "search A --pattern ACG --tsv -"]
MORE_WRITERS = [
    "--help",
    "doctor",
    "compare A B --cigar -",
    "batch A B --tsv -",
    "race A B --kernels cpu --no-alignment --tsv -",
    "bwt A --last-column - --quiet",
    "find A ACG --json -",
]


def and_more(*words):
    """Return cases that `make check` alone runs: each is a start of the program."""
    return [pytest.param(word, marks=pytest.mark.thorough) for word in words]


def shell(words, files, redirection):
    words = " ".join(str(files / {"A": "a.fa", "B": "b.fa"}[w]) if w in ("A", "B") else w for w in words.split())
    command = f"exec {sys.executable} main.py {words} {redirection}"
    return subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("words", [*WRITERS, *and_more(*MORE_WRITERS)])
def test_a_full_output_is_one_line(files, words):
    done = shell(words, files, "> /dev/full")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "wavediff: standard output: not written: No space left on device"
    assert "defect" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("words", ["--version", "compare A B --cigar - --quiet", *and_more("compare A B", "doctor")])
def test_a_closed_output_is_one_line(files, words):
    done = shell(words, files, ">&-")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "wavediff: standard output: not written: Bad file descriptor"


def test_an_address_of_no_scheduler_ends_the_program_at_once(files):
    pytest.importorskip("distributed")
    done = shell("batch A B --scheduler here", files, "")
    said = "wavediff: no Dask scheduler answers at here: missing port number in address 'here'"
    assert (done.returncode, done.stdout, done.stderr.splitlines()[-1]) == (2, "", said)


def test_a_closed_input_is_no_empty_text(files):
    done = shell("compare A -", files, "<&-")
    said = "wavediff: <standard input>: reading failed: Bad file descriptor\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.parametrize("redirection", [">&-", "<&- >&- 2>&-", *and_more(">&- 2>&-", "> /dev/full 2> /dev/full")])
def test_what_needs_no_output_does_without(files, tmp_path, redirection):
    """A closed output must not be taken by a file that is opened later."""
    out = tmp_path / "out.cigar"
    done = shell(f"compare A B --quiet --cigar {out}", files, redirection)
    assert (done.returncode, done.stderr) == (1, "")
    assert out.read_text().endswith("\n")


@pytest.mark.parametrize("redirection", ["2>&-", *and_more("2> /dev/full")])
def test_nobody_who_hears_is_no_trouble(files, redirection):
    """The summary goes to standard error beside a result, and progress always: neither is what was asked for."""
    done = shell("compare A B --cigar -", files, redirection)
    assert done.returncode == 1
    assert done.stdout.endswith("\n")
    assert shell("compare A no.fa", files, redirection).returncode == 2


def test_a_reader_that_leaves_early_is_no_trouble_to_tell(files):
    (files / "long.fa").write_text(">a\n" + "ACGT" * 100_000)
    done = shell(f"search {files}/long.fa --pattern=A --tsv -", files, "| head -1 > /dev/null")
    assert "wavediff:" not in done.stderr
    assert "Error" not in done.stderr
