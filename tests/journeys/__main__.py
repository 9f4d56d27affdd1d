"""All journeys: on the display there is, on one of their own, or without any where QT_QPA_PLATFORM is offscreen.

python -m tests.journeys [what pytest takes ...]
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL

from tests.processes import spawned

PICTURES = "JOURNEY_PICTURES"
ALONE = {"WAVEDIFF_TIMED": "1"}  # nothing else runs, so that bounds on time are asserted
NEEDED = ("Xvfb", "openbox")
PACKAGES = "xvfb openbox xdotool"  # of Debian
SIZE = "3840x2160x24"  # for 200 % of a usual screen
READY_SECONDS = 30.0
LONGEST_SECONDS = 7200.0
TEST_SECONDS = 900  # of one test; the longest took 236 s with nothing compiled and six other programs at work


def main() -> int:
    environment = dict(os.environ)
    if environment.get("QT_QPA_PLATFORM") == "offscreen":
        return run(environment, ["-n", "auto", "--dist", "worksteal", "--max-worker-restart", "0"])
    environment.setdefault(PICTURES, str(Path(".journeys").absolute()))
    environment["QT_QPA_PLATFORM"] = "xcb"
    if environment.get("DISPLAY"):
        return run({**environment, **ALONE}, ["-n", "0"])
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        print(f"There is no display, and no {' and no '.join(missing)}: sudo apt-get install {PACKAGES}")
        return 2
    with display() as number:
        return run({**environment, **ALONE, "DISPLAY": number}, ["-n", "0"])


def run(environment: dict[str, str], how: list[str]) -> int:
    """Run them; one display has one keyboard, so that they run one after the other there."""
    given = sys.argv[1:]
    chosen = [] if any(each.startswith("tests/") for each in given) else ["tests/journeys"]
    limit = ["-o", f"faulthandler_timeout={TEST_SECONDS}"]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", *limit, *how, *given, *chosen]
    code = subprocess.run(command, env=environment, check=False, timeout=LONGEST_SECONDS).returncode
    if PICTURES in environment:
        print(f"pictures: {environment[PICTURES]}")
    return code


@contextmanager
def display() -> Iterator[str]:
    """A screen in memory with a window manager; gives its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SIZE, "-nolisten", "tcp"]
    with os.fdopen(read) as answer, spawned(command, LONGEST_SECONDS, pass_fds=[write], stderr=DEVNULL):
        os.close(write)
        if not select.select([answer], [], [], READY_SECONDS)[0]:
            raise TimeoutError(f"Xvfb has not named its display for {READY_SECONDS:.0f} s")
        name = f":{answer.readline().strip()}"
        with spawned(["openbox"], LONGEST_SECONDS, env={**os.environ, "DISPLAY": name}, stderr=DEVNULL):
            time.sleep(1)  # a window that is there before it is not given its frame
            yield name


if __name__ == "__main__":
    raise SystemExit(main())
