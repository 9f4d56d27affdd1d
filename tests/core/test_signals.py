"""Signals end a process at any moment, with the right code, and leave no file; each in a process of its own."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clock import check_within, longest, moment
from tests.depth import one_of

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.timed, pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")]
NUMBERS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
Start = Callable[..., subprocess.Popen[str]]
SOON = 5  # seconds; 2 s on a machine of its own

IMPORTING = (
    """
import sys
sys.argv[1:] = {words!r}
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            print("ready", flush=True)
            import time
            time.sleep(60)
sys.meta_path.insert(0, Slow())
"""
    "from wavediff import main\nsys.exit(main.start())\n"
)
HEARING = """
import sys, time
from wavediff.core.system import signals
signals.watch(window={window})
signals.SHUTDOWN_SECONDS = {patience}
def ask(number):
    print("asked", number, flush=True)
with signals.handle_first(ask):
    print("ready", flush=True)
    time.sleep(60)
"""
WRITING = """
import sys, time
from wavediff.core.system import signals
from wavediff.core.export.atomic import write_atomic
signals.watch(window=False)
def chunks():
    yield b"x" * 100
    print("ready", flush=True)
    time.sleep(60)
write_atomic({path!r}, chunks())
"""


@pytest.fixture
def start(spawn):
    """Return what starts code after a command, and waits until it is ready."""

    def begin(code, *before):
        command = [*before, sys.executable, "-c", code]
        child = spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        assert child.stdout.readline() == "ready\n"
        return child

    return begin


def end(child, *numbers):
    """Send the signals; return exit code, output and errors, and see that it did not take long."""
    begun = moment(child)
    for at, number in enumerate(numbers):
        time.sleep(0.2 * (at > 0))
        child.send_signal(number)
    out, err = child.communicate(timeout=30)
    check_within(longest([begun, moment(child)]), SOON)
    return child.returncode, out, err


@pytest.mark.parametrize(
    ("module", "number"), one_of(4, ["wavediff.app.commands.cli", "argparse", "wavediff.core.base.errors"], NUMBERS)
)
def test_a_command_that_is_still_imported_ends_at_once(start, number, module):
    child = start(IMPORTING.format(words=["doctor"], module=module))
    assert end(child, number) == (128 + number, "", "wavediff: stopped\n")


@pytest.mark.parametrize("number", one_of(3, NUMBERS))
def test_before_anybody_can_watch_a_signal_ends_it_without_a_word(start, number):
    child = start(IMPORTING.format(words=["doctor"], module="wavediff.core.system.call_frames"))
    assert end(child, number) == (-number, "", "")


@pytest.mark.parametrize("number", one_of(3, NUMBERS[::-1]))
def test_a_window_that_is_still_imported_was_closed(start, number):
    child = start(IMPORTING.format(words=["a.fa", "b.fa"], module="argparse"))
    assert end(child, number) == (0, "", "")


@pytest.mark.parametrize("number", one_of(2, NUMBERS))
def test_who_hears_a_signal_and_does_not_end_is_ended(start, number):
    child = start(HEARING.format(window=False, patience=0.1))
    assert end(child, number) == (128 + number, f"asked {int(number)}\n", "wavediff: stopped\n")
    child = start(HEARING.format(window=True, patience=0.1))
    assert end(child, number) == (0, f"asked {int(number)}\n", "")


def test_a_second_signal_ends_at_once_with_the_code_of_the_first(start):
    child = start(HEARING.format(window=False, patience=60))
    code, out, _ = end(child, signal.SIGINT, signal.SIGTERM)
    assert (code, out) == (130, "asked 2\n")


@pytest.mark.parametrize("number", one_of(3, NUMBERS[1:] + NUMBERS[:1]))
def test_a_file_that_is_being_written_leaves_nothing(start, tmp_path, number):
    (tmp_path / "out.txt").write_text("old")
    child = start(WRITING.format(path=str(tmp_path / "out.txt")))
    assert len(list(tmp_path.iterdir())) == 2
    assert end(child, number)[0] == 128 + number
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert (tmp_path / "out.txt").read_text() == "old"


def test_what_nohup_started_does_not_mind_that_the_terminal_is_closed(start):
    child = start(HEARING.format(window=False, patience=0.1), "nohup")
    child.send_signal(signal.SIGHUP)
    time.sleep(0.4)
    assert child.poll() is None
    assert end(child, signal.SIGTERM)[0] == 143


def test_a_signal_while_python_takes_itself_apart_changes_nothing():
    """All was done and told; the code is that of the answer."""
    code = f"""
import sys, os, signal
from wavediff.core.system import signals
signals.watch(window=False)
class Last:
    def __del__(self, kill=os.kill, pid=os.getpid(), number={int(signal.SIGINT)}):
        kill(pid, number)
sys.last = Last()
sys.exit(1)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_handlers_come_back():
    code = f"""
import sys, signal
from wavediff.core.system import signals
before = [signal.getsignal(number) for number in {[int(number) for number in NUMBERS]}]
signals.watch(window=True)
assert signals.watch(window=False).window
assert signal.getsignal(signal.SIGTERM) is not before[1]
signals.close()
assert before == [signal.getsignal(number) for number in {[int(number) for number in NUMBERS]}]
assert signal.set_wakeup_fd(-1) == -1
with signals.handle_first(print):
    print(signals.exit_code())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "130\n", "")
