"""What the site shows that the program makes when the site is built: pictures of the tour, a page a command."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / ".ci" / "package")]

from wavediff.app.commands import cli  # noqa: E402 - found there
from wavediff.core.base.errors import capitalized  # noqa: E402 - found there
from wavediff.core.system import program  # noqa: E402 - found there

DEMO = ROOT / "resources" / "demo"
_CIRCLES = "compare mt_human_NC_012920.1.fa mt_orangutan.fa --topology circular"
# File in the folder ``tour`` of the pages -> the command that makes it, without the option that names the file.
PICTURES = {
    "letters.png": f"{_CIRCLES} --view letters --at #4 --size 900x260",
    "differences.png": f"{_CIRCLES} --view differences --size 720x300",
    "map.png": f"{_CIRCLES} --view map --size 720x600",
    "cells.png": "compare kitten.txt sitting.txt --view cells --size 640x520",
    "dots.png": "compare phix174_NC_001422.1.fa phix174_turned.fa --view dots --size 640x600",
    "transform.png": "bwt kitten.txt --size 480x320",
    "film.png": "lesson edit-table --a kitten --b sitting --size 640x480",
}
FILM = "film.png"
# Commands whose answer is the same on every machine, but for its times; that of ``doctor`` is of the building machine.
EXAMPLES = {
    "compare": "compare kitten.txt sitting.txt",
    "difftool": "difftool kitten.txt sitting.txt",
    "batch": "batch phix174_NC_001422.1.fa phix174_illumina_control.fa",
    "contigs": "contigs mt_human_NC_012920.1.fa mt_human_NC_012920.1.fa",
    "race": "race kitten.txt sitting.txt --kernels cpu,sudo",
    "search": "search GGTACC mt_human_NC_012920.1.fa",
    "bwt": "bwt kitten.txt",
    "find": "find GGTACC mt_human_NC_012920.1.fa",
    "lesson": "lesson edit-table --a kit --b sit",
    "doctor": "doctor",
    "completion": "completion bash",
}
COLUMNS, LINES = 100, 24  # of the terminal that the pages show


def separate_entries(*event: Any) -> None:
    """Put each argument and attribute of a docstring on its own line; a handler of ``autodoc-process-docstring``."""

    def separate(section: re.Match[str]) -> str:
        return re.sub(r"(?<=\.) (?=[a-z]\w*(?:, [a-z]\w*)*: )", "\n    ", section[0])

    lines: list[str] = event[-1]
    lines[:] = re.sub(r"(?m)^(?:Args|Attributes):\n(?: +.*\n?)+", separate, "\n".join(lines)).split("\n")


def make(docs: Path) -> None:
    """Write all of it below ``docs``: ``tour`` and ``command``."""
    for folder in ("tour", "command"):
        (docs / folder).mkdir(exist_ok=True)
    for file in PICTURES:
        make_picture(docs / "tour", file)
    for name, text in command_pages():
        (docs / "command" / f"{name}.md").write_text(text, encoding="utf-8")


def make_picture(folder: Path, file: str) -> None:
    option = "--apng" if file == FILM else "--png"
    _run(*PICTURES[file].split(), "--quiet", option, str(folder / file))


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield name and page of each command: what it is for, an answer, all options."""
    os.environ["COLUMNS"] = str(COLUMNS)
    top = cli.parser(program.COMMAND_NAME)
    (commands,) = (one for one in top._actions if isinstance(one, argparse._SubParsersAction))
    for listed in commands._choices_actions:
        name, parser = listed.dest, commands.choices[listed.dest]
        summary = f"{capitalized(listed.help or '')}."
        page = f"# wavediff {name}\n\n{summary}\n\n"
        if name in EXAMPLES:
            page += f"```console\n$ wavediff {EXAMPLES[name]}\n{_cut(_run(*EXAMPLES[name].split()))}```\n\n"
        if parser.add_help:  # the others are another program's
            page += f"## Options\n\n```text\n{parser.format_help()}```\n"
        yield name, page


def _cut(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:LINES]) + ("...\n" if len(lines) > LINES else "")


def _run(*words: str) -> str:
    """Run the program where the samples are, without a display, and return what it prints."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, str(ROOT / "main.py"), *words]
    done = subprocess.run(command, cwd=DEMO, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.replace(str(Path.home()), "~")
