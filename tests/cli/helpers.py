"""What the tests of the command line share."""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from wavediff.app.commands import cli
from wavediff.app.ui import samples

ROOT = Path(__file__).parents[2]
DEMO = [str(path) for path in samples.DEMO_PAIR]
Answer = tuple[int, str, str]


def call(capsys: pytest.CaptureFixture[str], *words: object) -> Answer:
    """Run the command line in this process; return exit code, standard output and standard error.

    What depends on the machine is left out of standard error: kernels that are compiled, and progress every 10 seconds.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wavediff.app.commands.progress._LOG_INTERVAL", math.inf)
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as stop:  # from argparse
            code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, re.sub(r"^compiling for the first use: .*\n", "", err, flags=re.MULTILINE)


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return options and arguments, for which argparse has no public name."""
    return parser._actions


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command, and that of all by an empty name."""
    top = cli.parser()
    choices = next(one for one in actions(top) if one.dest == "command").choices
    assert isinstance(choices, dict)
    return {"": top} | {name: choices[name] for name in list(choices)}  # each is made when it is asked for


def options(command: str) -> set[str]:
    return {option for action in actions(parsers()[command]) for option in action.option_strings}


def python(*words: object, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder and wait for it."""
    command = [sys.executable, *(word if isinstance(word, bytes) else str(word) for word in words)]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=300)


def trouble(answer: Answer, *words: str) -> None:
    """Check for exit code 2, nothing on standard output, one line on standard error that has all the words."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("wavediff: ")
    for word in words:
        assert word in err
