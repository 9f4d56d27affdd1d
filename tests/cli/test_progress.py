"""Progress: one renewed line on a terminal, a line now and then in a log, silence when asked or broken."""

import io

import numpy as np
import pytest

from wavediff.app.commands.progress import Reporter
from wavediff.core.jobs.events import Compiled, Planned, Progress, StepDone
from wavediff.core.jobs.grid import BlockGrid


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def planned(cells, strategy="full"):
    return Planned(1, BlockGrid(100, 100, 10, 10), np.zeros((10, 10), np.uint8), strategy, "no band is worth it", cells)


def step(cells, kernel="blocks"):
    return StepDone(1, kernel, 1, cells, 0.02)


def test_a_terminal_shows_share_speed_and_time_left():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report(planned(4_000_000_000))
    for _ in range(4):
        clock.now += 0.5
        report(step(500_000_000))
    report.close()
    assert out.getvalue().count("\n") == 0
    lines = [line for line in out.getvalue().split("\r\x1b[K") if line]
    assert lines[0] == " 12.5%  1.0 GCUPS  3.5 s left"
    assert lines[-1] == " 50.0%  1.0 GCUPS  2.0 s left"
    assert out.getvalue().endswith("\r\x1b[K")


def test_a_second_plan_starts_from_nothing():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report(planned(100, "band"))
    report(step(100))
    report(planned(400))
    clock.now += 1
    report(step(100))
    assert " 25.0%" in out.getvalue()


def test_a_wait_without_a_number_shows_none():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    clock.now += 1
    report(Progress(1, "connecting", 0, 0, ""))
    assert out.getvalue() == "\r\x1b[Kconnecting"


def test_a_terminal_is_written_ten_times_a_second_at_most():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report(planned(10**6))
    for _ in range(1000):
        clock.now += 0.001
        report(step(1000))
    assert 5 <= out.getvalue().count("\r") <= 11


def test_a_log_gets_the_plan_and_a_line_now_and_then():
    out, clock = io.StringIO(), Clock()
    report = Reporter(out, clock, verbose=True)
    report(Compiled(1, "blocks", 1.0))
    report(planned(10**12))
    for _ in range(250):
        clock.now += 0.1
        report(step(10**9))
    report.close()
    lines = out.getvalue().splitlines()
    assert lines[0] == "full: 1,000,000,000,000 cells in 10 x 10 blocks; no band is worth it"
    assert len(lines) == 3
    assert "\r" not in out.getvalue()


def test_a_log_names_what_has_no_share_once():
    out, clock = io.StringIO(), Clock()
    report = Reporter(out, clock)
    for kernel in [*["lines"] * 50, *["words"] * 50]:
        clock.now += 30
        report(step(0, kernel))
    report.close()
    assert out.getvalue() == "lines\nwords\n"


def test_what_is_compiled_or_compared_is_not_of_the_last_file():
    out, clock = io.StringIO(), Clock()
    report = Reporter(out, clock)
    report.reading("mt_orangutan.fa")
    for stage, done, total, unit, line in (
        ("compile traceback", 3, 4, "steps", "compiling for the first use: traceback"),
        ("comparing", 5, 10, "pairs", "comparing:  50% 5 pairs"),
        ("search", 5, 10, "letters", "search mt_orangutan.fa:  50% 5 letters"),
    ):
        clock.now += 100
        report(Progress(1, stage, done, total, unit))
        assert out.getvalue().endswith(f"{line}\n")


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_a_kernel_is_named_once_when_its_compilation_begins(stream):
    out, clock = stream(), Clock()
    report = Reporter(out, clock)
    for _ in range(3):
        report.compiling("diagonals")
        report(Progress(1, "compile diagonals", 4, 4, "steps"))
    report.compiling("verify")
    report.compiling("diagonals")  # for other types
    assert out.getvalue().count("compiling for the first use: diagonals") == (2 if stream is Terminal else 1)
    assert "compiling for the first use: check" in out.getvalue(), "no time has passed"


def test_no_time_left_is_told_of_the_first_thousandth():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report(planned(10**12))
    for cells, said in ((10**8, False), (10**9, True)):
        clock.now += 1
        report(step(cells))
        assert ("left" in out.getvalue()) == said


def test_reading_names_the_file_and_its_share():
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report.reading("a\nb.fa")
    clock.now += 1
    report(Progress(1, "reading", 50, 200))
    clock.now += 1
    report(Progress(1, "inflating", 50, 0))
    assert r"reading a\nb.fa:  25% 50 bytes" in out.getvalue()
    assert r"inflating a\nb.fa: 50 bytes" in out.getvalue()


@pytest.mark.parametrize("seconds", [3_700_000, 0])
def test_any_time_left_is_shown(seconds):
    out, clock = Terminal(), Clock()
    report = Reporter(out, clock)
    report(planned(501 if seconds else 1))
    clock.now += max(1, seconds / 500)
    report(step(1))
    assert ("1,027 h 46 min left" if seconds else "0.0 ms left") in out.getvalue()


def test_no_stream_and_a_closed_stream_are_silent():
    """Standard error may be missing or closed; the job goes on."""
    for stream in (None, Terminal()):
        clock = Clock()
        report = Reporter(stream, clock)
        report(planned(10))
        if stream is not None:
            stream.write = lambda _: (_ for _ in ()).throw(OSError("gone"))
        clock.now += 1
        report(step(1))
        report.note("more")
        report.close()
