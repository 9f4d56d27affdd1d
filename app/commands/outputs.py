"""The files that ``compare`` writes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from core.cancel import CancelToken
from core.errors import ExportError, printable
from core.events import KernelTiming
from core.export import json
from core.export.atomic import check, write_atomic
from core.export.cigar import cigar
from core.export.fasta import fasta
from core.export.paf import paf
from core.jobs import LcsJob
from core.results.lcs import LcsResult
from core.sequence import Sequence

_KINDS = ("json", "paf", "fasta", "cigar", "timings")
_OF_ALIGNMENT = ("paf", "fasta", "cigar")
_STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Outputs:
    """What to write where: kind -> path, ``-`` for standard output; ``inputs`` must not be overwritten."""

    paths: dict[str, str]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Outputs:
        """Take the paths from the command line and refuse at once those that cannot be written.

        Raises:
            ExportError: a path cannot be written, or two results would go to one place.
        """
        paths = {kind: value for kind in _KINDS if (value := getattr(arguments, kind)) is not None}
        inputs = (arguments.a, arguments.b)
        seen: dict[str, str] = {}
        for kind, path in paths.items():
            place = path if path == _STDOUT else os.path.realpath(path)
            if place in seen and place != os.path.realpath(os.devnull):
                raise ExportError(f"--{seen[place]} and --{kind} cannot both go to {printable(path)}")
            seen[place] = kind
            if path != _STDOUT:
                check(path, inputs)
        return cls(paths, inputs)

    def need_alignment(self) -> str:
        """Return the first option that needs an alignment, or nothing."""
        return next((f"--{kind}" for kind in _OF_ALIGNMENT if kind in self.paths), "")

    @property
    def on_stdout(self) -> bool:
        return _STDOUT in self.paths.values()

    def write(
        self,
        a: Sequence,
        b: Sequence,
        job: LcsJob,
        result: LcsResult,
        timings: list[KernelTiming],
        cancel: CancelToken,
    ) -> None:
        """Write every file, streamed.

        Raises:
            Cancelled: asked to stop; the file being written is as it was before.
            ExportError: one could not be written; those before it are.
        """
        for kind, path in self.paths.items():
            chunks = _until(cancel, _chunks(kind, a, b, job, result, timings))
            if path == _STDOUT:
                for chunk in chunks:
                    sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
            else:
                write_atomic(path, chunks, inputs=self.inputs)


def _until(cancel: CancelToken, chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        cancel.raise_if_cancelled()
        yield chunk


def _chunks(
    kind: str, a: Sequence, b: Sequence, job: LcsJob, result: LcsResult, timings: list[KernelTiming]
) -> Iterable[bytes]:
    if kind == "timings":
        return [json.text(json.timing(timings))]
    if kind == "json":
        value = json.lcs(a, b, result, fold_case=job.fold_case, threads=job.threads, timings=timings)
        return [json.text(value)]
    assert result.alignment is not None  # refused before the job began
    if kind == "paf":
        return paf(a, b, result.alignment, method="lcs")
    if kind == "fasta":
        return fasta(a, b, result.alignment)
    return chain(cigar(result.alignment), [b"\n"])
