"""Frames of nested calls have room in one piece."""

import sys
from pathlib import Path

import pytest

from wavediff.core.system.call_frames import call_with_room


def _mapped_bytes():
    return int(Path("/proc/self/statm").read_text().split()[0]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for what is mapped")
def test_a_large_piece_is_there_during_the_call():
    before = _mapped_bytes()
    during = call_with_room(_mapped_bytes)
    assert during - before >= 1 << 20
    assert _mapped_bytes() < during


def test_answers_and_errors_come_through():
    def depth(n):
        return 1 + depth(n - 1) if n else 0

    assert call_with_room(lambda: depth(500)) == 500
    with pytest.raises(ZeroDivisionError):
        call_with_room(lambda: 1 // 0)
