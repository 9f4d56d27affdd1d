"""Standard input, pipes and the empty device in place of a file."""

import os
import shlex
import subprocess
import sys
from itertools import islice

import pytest

from tests.cli.helpers import ROOT
from wavediff.core.base.errors import Cancelled
from wavediff.core.jobs.cancel import CancelToken, heeding
from wavediff.core.reading.pipes import spooled

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
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
    (tmp_path / "a.fa").write_text(">a\nGATTACAGATTACA\n")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("cat kitten.txt | wavediff compare - sitting.txt --cigar - --quiet", 1, "1X3=1X1=1I\n"),
        ("cat sitting.txt | wavediff compare kitten.txt /dev/stdin --cigar - --quiet", 1, "1X3=1X1=1I\n"),
        ("wavediff compare - sitting.txt --cigar - --quiet < kitten.txt", 1, "1X3=1X1=1I\n"),
        ("wavediff compare <(cat kitten.txt) <(gzip -c sitting.txt) --cigar - --quiet", 1, "1X3=1X1=1I\n"),
        ("wavediff compare /dev/null sitting.txt --cigar - --quiet", 1, "7I\n"),
        ("wavediff compare kitten.txt /dev/null --cigar - --quiet", 1, "6D\n"),
        ("wavediff compare /dev/null <(true) --cigar - --quiet", 0, "*\n"),
        ("wavediff compare /dev/null /dev/null --cigar - --quiet", 0, "*\n"),
        ("mkfifo p; (sleep 0.3; cat kitten.txt > p) & wavediff compare p kitten.txt --cigar - --quiet", 0, "6=\n"),
        ("printf '\\xe9' | wavediff compare - <(printf é) --encoding latin-1 --encoding-b utf8 --cigar -", 0, "1=\n"),
        ("cat a.fa | wavediff find - TTA --tsv - --quiet | cut -f 3 | tail -n +2", 0, "3\n10\n"),
        ("cat a.fa | wavediff search - --pattern TTA --bed - --quiet | cut -f 2", 0, "2\n9\n"),
        ("cat a.fa | wavediff bwt - --last-column - --quiet", 0, "ACTTCGGAAATTAA"),
        ("cat a.fa | wavediff batch - a.fa --tsv - --quiet | cut -f 5 | tail -n +2", 0, None),
    ],
)  # fmt: skip
def test_what_comes_through_a_pipe_is_read_as_a_file(words, line, code, out):
    done = shell(line, words)
    assert (done[0], done[2] if "--quiet" in line else "") == (code, "")
    assert out is None or done[1] == out


def test_a_pipe_is_read_once(words):
    assert shell("cat kitten.txt | wavediff compare - -", words) == (
        2, "", "wavediff: <standard input>: both A and B; a pipe can be read once\n",
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
