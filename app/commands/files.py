"""Output files: one option for each format; ``-`` is standard output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TextIO

from wavediff.app.commands.pager import tell
from wavediff.core.base.errors import ExportError, printable
from wavediff.core.export import atomic
from wavediff.core.export.registry import FILMS, PICTURES, Format
from wavediff.core.jobs.cancel import CancelToken, heeding

if TYPE_CHECKING:
    from wavediff.core.sequences.sequence import Sequence

STDOUT = "-"
MAX_NAMES = 10  # of written files in a line
_PICTURE_ENDINGS = {  # of pictures that we write, and of those that other programs do
    *(ending for kind in (*PICTURES, *FILMS) for ending in kind.endings),
    *(".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".eps", ".ps", ".mov", ".avi", ".webm"),
}


def take_outputs(arguments: argparse.Namespace, formats: Iterable[Format]) -> None:
    """Set the option for each file of ``-o`` by its longest matching suffix.

    Raises:
        ExportError: a name has no suffix of ``formats``, or its option is already set.
    """
    offered = [kind for kind in (*formats, *PICTURES, *FILMS) if hasattr(arguments, kind.dest)]
    for path in arguments.output:
        kind = max(offered, key=lambda one: len(one.ending_of(path)))
        if not kind.ending_of(path):
            endings = " ".join(dict.fromkeys(ending for one in offered for ending in one.endings))
            raise ExportError(f"-o {printable(path)}: the name ends in none of {endings}")
        if getattr(arguments, kind.dest) is not None:
            raise ExportError(
                f"-o {printable(path)}: --{kind.id} {printable(getattr(arguments, kind.dest))} is given too"
            )
        setattr(arguments, kind.dest, path)


def written_line(paths: Iterable[str]) -> Iterator[str]:
    names = [printable(path) for path in paths if path not in (STDOUT, os.devnull)]
    if len(names) > MAX_NAMES:
        names = [f"{names[0]} and {len(names) - 1:,} other files"]
    if names:
        yield f"wrote {', '.join(names)}"


@dataclass(frozen=True, slots=True)
class Files:
    """Requested output files: format -> path; ``inputs`` must not be overwritten."""

    paths: dict[Format, str]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, arguments: argparse.Namespace, formats: Iterable[Format], inputs: tuple[str, ...]) -> Files:
        """Read the paths from the command line; raise an error early for those that cannot be written.

        Raises:
            ExportError: a path cannot be written, or two outputs have the same path.
        """
        paths = {kind: value for kind in formats if (value := getattr(arguments, kind.dest)) is not None}
        seen: dict[str, str] = {}
        for kind, path in paths.items():
            place = path if path == STDOUT else os.path.realpath(path)
            if place in seen and place != os.path.realpath(os.devnull):
                raise ExportError(f"--{seen[place]} and --{kind.id} cannot both go to {printable(path)}")
            seen[place] = kind.id
            if not path:
                raise ExportError(f"--{kind.id}: the name of a file is needed, or - for standard output")
            ending = os.path.splitext(path)[1].lower()
            if kind in (*PICTURES, *FILMS) and ending in _PICTURE_ENDINGS and not kind.ending_of(path):
                raise ExportError(f"--{kind.id} {printable(path)}: the name ends in {' or '.join(kind.endings)}")
            if path != STDOUT:
                atomic.check(path, inputs)
        return cls(paths, inputs)

    def only(self, formats: Iterable[Format]) -> Files:
        wanted = set(formats)
        return replace(self, paths={kind: path for kind, path in self.paths.items() if kind in wanted})

    @property
    def on_stdout(self) -> bool:
        return STDOUT in self.paths.values()

    @property
    def summary_stream(self) -> TextIO:
        """Stream for the summary: standard error if standard output carries a result."""
        return sys.stderr if self.on_stdout else sys.stdout

    def tell(self, lines: Iterable[str], *, paged: bool) -> None:
        """Write a summary; ``paged``: through the pager if the terminal has too few rows."""
        tell(lines, self.summary_stream, paged=paged)

    def require_method(self, method: str) -> None:
        """Raise an error if an output format needs another method.

        Raises:
            ExportError: the message names that method.
        """
        for kind, path in self.paths.items():
            if not kind.is_of(method):
                goes = f"goes with --method {kind.method}, not with {method}"
                raise ExportError(f"--{kind.id} {goes} (--{kind.id} {printable(path)})")

    def first_alignment_option(self) -> str:
        return next((f"--{kind.id}" for kind in self.paths if kind.needs_alignment), "")

    def fitting(self, a: Sequence, b: Sequence) -> tuple[Files, list[str]]:
        """Return the formats that can hold these sequences, and a reason for each other one.

        Raises:
            ExportError: no requested format can, so nothing is computed.
        """
        paths, refused = dict(self.paths), []
        for kind in self.paths:
            try:
                kind.require_fit(a, b)
            except ExportError as error:
                del paths[kind]
                refused.append(f"--{kind.id} not written: {error}")
        if refused and not paths:
            raise ExportError("; ".join(refused))
        return replace(self, paths=paths), refused

    def possible(self, answer: Any) -> tuple[Files, list[str]]:
        """Return the formats that can hold ``answer``, and a reason for each other one."""
        lacks = {kind: lack for kind in self.paths if (lack := kind.lack(answer))}
        refused = [f"--{kind.id} not written: {lack}" for kind, lack in lacks.items()]
        return replace(self, paths={kind: path for kind, path in self.paths.items() if kind not in lacks}), refused

    def write(self, answer: Any, cancel: CancelToken) -> None:
        """Write ``answer`` to each file as a stream.

        Raises:
            Cancelled: requested; the current file is unchanged.
            ExportError: a file could not be written; the preceding files are complete.
        """
        for kind, path in self.paths.items():
            if path == STDOUT:
                for chunk in heeding(cancel, kind.chunks(answer)):
                    sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
            else:
                kind.save(path, answer, cancel, self.inputs)
