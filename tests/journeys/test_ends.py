"""The end, at whatever moment: by the close button or a signal it comes within seconds, with the right code."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests import clock
from tests.journeys.samples import SAMPLES
from tests.journeys.stage import ROOT, Home, begin, end, play, start, unexpected
from tests.processes import finish

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of this kind are for POSIX systems")
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
MOMENTS_SECONDS = [0.1 * n for n in range(10)] + [1.0 + 0.25 * n for n in range(10)]
WITHIN_SECONDS = 6.0  # 2 s on a machine of its own
LEFT = (0, 130)  # as the close button; or interrupted before there was a window


def watches(pid, moment):
    """Return whether the process has handlers for signals by now: Python itself has none for SIGTERM."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # no Linux
        return moment >= 0.2
    caught = int(next(line.split()[1] for line in lines if line.startswith("SigCgt:")), 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def ended_by(home, moment, name):
    """Start, wait, send the signal, and look how it ends."""
    process = start(home, [str(ROOT / "main.py")])
    time.sleep(moment)
    heard = watches(process.pid, moment)
    sent = clock.moment(process)
    process.send_signal(getattr(signal, name))
    said, wrong = finish(process, 30)
    took = clock.longest([sent, clock.moment(process)])
    what = f"{name} after {moment:.2f} s: exit code {process.returncode} after {took:.1f} s\n{said}\n{wrong}"
    # Before the first line of the program was run there is nobody who could answer but the system.
    bare = process.returncode == -getattr(signal, name) and not heard and moment < 1
    assert process.returncode in LEFT or bare, what
    clock.check_within(took, WITHIN_SECONDS, what)
    lines = [line for line in unexpected(wrong) if line.strip() != "wavediff: stopped"]
    assert not lines or (bare and "KeyboardInterrupt" in wrong), what


@pytest.mark.timed
@pytest.mark.parametrize(
    ("name", "moment"),
    [
        pytest.param("SIGINT", 0.4, marks=pytest.mark.thorough),
        ("SIGTERM", 0.8),
        pytest.param("SIGHUP", 2.0, marks=pytest.mark.thorough),
    ],
)
def test_a_signal_at_a_moment(tmp_path, name, moment):
    ended_by(Home(tmp_path), moment, name)


@pytest.mark.journey
@pytest.mark.timed
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_at_twenty_moments(tmp_path, name):
    for moment in MOMENTS_SECONDS:
        ended_by(Home(tmp_path), moment, name)


def goes_on(me, seconds):
    """Nothing but waiting: the window is closed in the midst of its first work."""
    time.sleep(seconds)


@pytest.mark.journey
def test_closed_at_twenty_moments(tmp_path):
    for number in range(20):
        play(Home(tmp_path), goes_on, leave=("close", "key", "menu")[number % 3], seconds=round(0.1 * number, 1))


def works(me, what):
    """Begin something that takes long, and be gone in the midst of it."""
    me.wait_for_first_answer()
    a, b = (me.folder / f"long_{side}.fa" for side in "ab")
    letters = SAMPLES["unrelated"].letters
    assert letters is not None
    for path, one in zip((a, b), letters, strict=True):
        path.write_bytes(b">long\n" + one * 800 + b"\n")
    me.drop([a, b])
    if what == "comparing":
        me.wait_to_see("long_b.fa", 20)
    elif what == "transforming":
        me.key("Ctrl+B")
    elif what == "racing":
        me.wait_idle()
        me.key("Ctrl+K")
        me.click("Race", "Race")
    else:
        me.key("Ctrl+F")
        me.type("ACGT")
        me.key("Ctrl+Return")


@pytest.mark.journey
@pytest.mark.parametrize("what", ["reading", "comparing", "transforming", "racing"])
@pytest.mark.parametrize("leave", ["close", "SIGTERM"])
def test_left_at_work(tmp_path, what, leave):
    process = begin(Home(tmp_path), works, leave=leave, what=what)
    end(process, Home(tmp_path))
