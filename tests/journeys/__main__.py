"""All journeys: on the display there is, on one of their own, or without any where QT_QPA_PLATFORM is offscreen.

python -m tests.journeys [what pytest takes ...]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PICTURES = "JOURNEY_PICTURES"
ALONE = {"WAVEDIFF_TIMED": "1"}  # nothing else runs, so that bounds on time are asserted
NEEDED = ("Xvfb", "openbox")
PACKAGES = "xvfb openbox xdotool"  # of Debian
SIZE = "3840x2160x24"  # for 200 % of a usual screen
READY_SECONDS = 10.0


def main() -> int:
    environment = dict(os.environ)
    if environment.get("QT_QPA_PLATFORM") == "offscreen":
        return run(environment, ["-n", "auto", "--dist", "worksteal"])
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
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", *how, *given, *chosen]
    code = subprocess.run(command, env=environment, check=False).returncode
    if PICTURES in environment:
        print(f"pictures: {environment[PICTURES]}")
    return code


@contextmanager
def display() -> Iterator[str]:
    """A screen in memory with a window manager; gives its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SIZE, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            name = f":{answer.readline().strip()}"
        manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)  # a window that is there before it is not given its frame
            yield name
        finally:
            manager.terminate()
            manager.wait(READY_SECONDS)
    finally:
        server.terminate()
        server.wait(READY_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())
