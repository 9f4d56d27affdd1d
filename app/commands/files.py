"""Where results go: files by option of the command line, ``-`` for standard output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.cancel import CancelToken, heeding
from core.errors import ExportError, printable
from core.export import atomic

_STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Files:
    """What to write where: kind -> path; ``inputs`` must not be overwritten."""

    paths: dict[str, str]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, arguments: argparse.Namespace, kinds: Iterable[str], inputs: tuple[str, ...]) -> Files:
        """Take the paths from the command line and refuse at once those that cannot be written.

        Raises:
            ExportError: a path cannot be written, or two results would go to one place.
        """
        paths = {kind: value for kind in kinds if (value := getattr(arguments, kind)) is not None}
        seen: dict[str, str] = {}
        for kind, path in paths.items():
            place = path if path == _STDOUT else os.path.realpath(path)
            if place in seen and place != os.path.realpath(os.devnull):
                raise ExportError(f"--{seen[place]} and --{kind} cannot both go to {printable(path)}")
            seen[place] = kind
            if path != _STDOUT:
                atomic.check(path, inputs)
        return cls(paths, inputs)

    @property
    def on_stdout(self) -> bool:
        return _STDOUT in self.paths.values()

    def write(
        self, content: Callable[[str], Iterable[bytes]], cancel: CancelToken, size: Callable[[str], int] = lambda _: 0
    ) -> None:
        """Write every file, streamed; ``content`` gives that of each kind, ``size`` its bytes as far as known before.

        Raises:
            Cancelled: asked to stop; the file being written is as it was before.
            ExportError: one could not be written; those before it are.
        """
        for kind, path in self.paths.items():
            chunks = heeding(cancel, content(kind))
            if path == _STDOUT:
                for chunk in chunks:
                    sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
            else:
                atomic.write_atomic(path, chunks, inputs=self.inputs, size=size(kind))
