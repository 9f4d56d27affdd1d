"""Journeys in processes of their own: what they may say, how they must end, and what they leave behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import processes
from wavediff.core.jit import compile_cache

ROOT = Path(__file__).resolve().parents[2]
PLAY = Path(__file__).with_name("play.py")
LEAVE = ("menu", "key", "close", *([] if os.name == "nt" else ["SIGTERM", "SIGINT", "SIGHUP"]))
SCREEN = (1600, 1000)  # pixels
LONGEST_SECONDS = 420.0
# Said by Qt's platform that paints into memory; there is nothing to be mended.
EXPECTED = tuple(
    f"This plugin does not support {what}" for what in ("propagateSizeHints()", "raise()", "grabbing the keyboard")
)
# Said by Qt where the C library has not the locale that a journey asks for; numbers and buttons are Qt's own.
EXPECTED += (
    'Detected locale "C" with character encoding "ANSI_X3.4-1968", which is not UTF-8.',
    'Qt depends on a UTF-8 locale, and has switched to "C.UTF-8" instead.',
    "If this causes problems, reconfigure your locale. See the locale(1) manual",
    "for more information.",
)
PICTURES = os.environ.get("JOURNEY_PICTURES", "")


@dataclass(frozen=True, slots=True)
class Home:
    """A folder for settings and files of one person, who may start the program several times.

    Attributes:
        first: the program was never started: it opens with a sample and the page of a first start.
    """

    folder: Path
    first: bool = False

    @property
    def settings(self) -> Path:
        return self.folder / "config" / "wavediff" / "wavediff.ini"

    def make(self) -> None:
        """Make the folder, with settings of an earlier start."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.first and not self.settings.exists():
            self.settings.parent.mkdir(parents=True, exist_ok=True)
            self.settings.write_text("[General]\nscheme=system\n")

    def environment(self, more: Mapping[str, str], screen: tuple[int, int] = SCREEN) -> dict[str, str]:
        """Return the variables of a process: no settings but those in the folder, kernels where they always are.

        Args:
            screen: width and height, where there is none.
        """
        names = {"XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data"}
        own = {name: str(self.folder / part) for name, part in names.items()}
        own |= {"HOME": str(self.folder), "QT_FORCE_STDERR_LOGGING": "1"}
        own.setdefault("WAVEDIFF_CACHE_DIR", str(compile_cache.base_folder()))  # else it would be in the new home
        if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
            width, height = screen
            one = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
            described = self.folder / f"screen{width}x{height}.json"
            described.write_text(json.dumps({"screens": [one]}))
            own["QT_QPA_PLATFORM"] = f"offscreen:configfile={described}"
        return {**os.environ, **own, **more}


def play(
    home: Home,
    journey: Callable[..., None],
    *files: Path,
    leave: str = "menu",
    environment: Mapping[str, str] | None = None,
    screen: tuple[int, int] = SCREEN,
    **keywords: object,
) -> str:
    """Start the program with ``files``, let a person do ``journey``, and return the report.

    Args:
        journey: a function of a module of journeys; gets a ``Person`` and ``keywords``, which JSON can hold.
        leave: how the person ends the program: one of ``LEAVE``.

    Raises:
        AssertionError: it ended otherwise, or anything was written to the standard error.
    """
    process = begin(home, journey, *files, leave=leave, environment=environment, screen=screen, **keywords)
    return end(process, home)


def begin(
    home: Home,
    journey: Callable[..., None],
    *files: Path,
    leave: str = "menu",
    environment: Mapping[str, str] | None = None,
    screen: tuple[int, int] = SCREEN,
    **keywords: object,
) -> subprocess.Popen[str]:
    """As ``play``, without waiting for the end."""
    home.make()
    name = "-".join([journey.__name__, *(str(each).replace("/", "_") for each in keywords.values()), leave])[:90]
    wanted = {
        "module": journey.__module__,
        "function": journey.__name__,
        "keywords": keywords,
        "leave": leave,
        "folder": str(home.folder),
        "pictures": PICTURES,
        "name": name,
    }
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
    return start(home, [str(PLAY), json.dumps(wanted), *map(str, files)], environment, screen)


def start(
    home: Home, arguments: Sequence[str], environment: Mapping[str, str] | None = None, screen: tuple[int, int] = SCREEN
) -> subprocess.Popen[str]:
    """Start Python with ``arguments``, in a session of its own, as a desktop does."""
    home.make()
    return processes.begin(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
        cwd=home.folder,
        env=home.environment(environment or {}, screen),
    )


def end(process: subprocess.Popen[str], home: Home, seconds: float = LONGEST_SECONDS) -> str:
    """Wait for a journey's end and return its report; check how it ended, what it said and what it saved."""
    said, wrong = processes.finish(process, seconds)
    assert process.returncode == 0, f"exit code {process.returncode}\n{said}\nstandard error:\n{wrong}"
    assert not unexpected(wrong), f"standard error:\n{wrong}\nthe journey:\n{said}"
    assert "geometry=" in home.settings.read_text(), "no settings were saved"
    return said


def unexpected(wrong: str) -> list[str]:
    """The lines of the standard error that should not be there."""
    return [line for line in wrong.splitlines() if line.strip() and line.strip() not in EXPECTED]
