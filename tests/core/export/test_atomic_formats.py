"""For every format: the old file is whole whatever ends the writing of the new one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.core.export.formats import FORMATS, LIMIT, answer, long_case
from tests.core.export.helpers import alignment, comparison, sequence
from tests.processes import spawned
from wavediff.core.export.atomic import remove_stale_temporaries, write_atomic
from wavediff.core.jobs.alignment import Alignment

ROOT = Path(__file__).parents[3]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits and signals")
every_format = pytest.mark.parametrize("kind", FORMATS)
# Each in a process of its own: `make test` has two, `make check` all.
every_format_in_turn = pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind in ("paf", "json") else pytest.mark.thorough) for kind in FORMATS]
)
OLD = b"what was there before\n"


def command(kind, target, how):
    return [sys.executable, "-m", "tests.core.export.formats", kind, str(target), how]


@posix
@every_format_in_turn
def test_a_full_disk_keeps_the_old_file(tmp_path, kind):
    assert sum(map(len, FORMATS[kind].chunks(answer(*long_case())))) > LIMIT
    target = tmp_path / "out"
    target.write_bytes(OLD)
    words = command(kind, target, "full")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")
    assert "out: not written: " in done.stdout
    assert "the file that was there is untouched" in done.stdout
    assert target.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["out"]


@posix
@every_format_in_turn
def test_kill_9_keeps_the_old_file(tmp_path, kind):
    target = tmp_path / "out"
    target.write_bytes(OLD)
    with spawned(command(kind, target, "killed"), cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"begun\n"
        child.send_signal(signal.SIGKILL)
    assert target.read_bytes() == OLD
    assert remove_stale_temporaries(tmp_path) == 1
    assert os.listdir(tmp_path) == ["out"]


@every_format
def test_an_alignment_of_nothing_is_written(tmp_path, kind):
    write_atomic(
        tmp_path / "out", FORMATS[kind].chunks(comparison(sequence(b"", "ref"), sequence(b"", "query"), alignment("")))
    )
    content = (tmp_path / "out").read_bytes()
    assert (
        content == b"" if kind == "variants" else content.endswith(b"\n")
    )  # a list alone has no line where none is due


def test_what_is_exported_cannot_change_meanwhile():
    """A snapshot."""
    lengths = np.array([4], np.int64)
    runs = Alignment(np.array([0], np.uint8), lengths)
    lengths[0] = 9
    assert runs.cigar() == "4="
    assert not runs.lengths.flags.writeable
    assert not sequence(b"ACGT").letters.flags.writeable
