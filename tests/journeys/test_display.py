"""Keys and clicks of the display itself, and the window manager's way to close: where there is an X display."""

import os
import re
import shutil
import subprocess
import time
from subprocess import DEVNULL

import pytest

from tests import processes
from tests.journeys.stage import Home, play

pytestmark = [
    pytest.mark.journey,
    pytest.mark.skipif(
        os.environ.get("QT_QPA_PLATFORM") == "offscreen"
        or not os.environ.get("DISPLAY")
        or not shutil.which("xdotool"),
        reason="needs an X display and xdotool",
    ),
]


def xdotool(*words):
    return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True, timeout=20).stdout.strip()


def by_the_display(me):
    me.wait_for_first_answer()
    window = xdotool("search", "--onlyvisible", "--pid", str(os.getpid())).split()[-1]
    xdotool("windowactivate", "--sync", window)
    place = counter(me)
    xdotool("key", "F8")
    me.wait_until(lambda: counter(me) != place, "F8 goes to the next difference", 10)
    place = counter(me)
    x, y = me.middle_of("Next difference")
    xdotool("mousemove", str(x), str(y), "click", "1")
    me.wait_until(lambda: counter(me) != place, "a click goes to the next difference", 10)
    xdotool("key", "alt+c")
    me.wait_until(me.menu_is_open, "Alt+C opens the menu Compare", 10)
    me.picture("menu")
    xdotool("key", "Escape")
    time.sleep(0.3)
    # The next thing the person does is to close the window; the manager's key comes too late to be waited for here.
    processes.begin(["sh", "-c", "sleep 1; timeout 20 xdotool key alt+F4"], stdout=DEVNULL, stderr=DEVNULL)


def counter(me):
    return next((line for line in me.read() if re.match(r"[\d,]+ differences?$|difference [\d,]+ of", line)), "")


def test_keys_clicks_and_closing_by_the_window_manager(tmp_path):
    play(Home(tmp_path), by_the_display, leave="nothing")
