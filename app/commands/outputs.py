"""The files that ``compare`` writes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from app.commands.files import Files
from app.commands.methods import Commands
from core.cancel import CancelToken
from core.errors import ExportError
from core.events import KernelTiming
from core.export import fasta, json, sam, size
from core.export.cigar import cigar
from core.export.paf import paf
from core.export.tsv import tsv
from core.results.alignment import Alignment
from core.results.swap_edit import Swaps
from core.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Answer:
    """A comparison that was made: what it was asked with, and what it gave."""

    method: str
    commands: Commands
    a: Sequence
    b: Sequence
    job: Any
    result: Any
    timings: tuple[KernelTiming, ...]

    @property
    def alignment(self) -> Alignment:
        found = self.result.alignment
        assert isinstance(found, Alignment)  # an output that needs it was refused before the job began
        return found

    @property
    def swaps(self) -> Swaps | None:
        """Swaps of the alignment, of a method that knows them."""
        return getattr(self.result, "swaps", None)

    def document(self) -> dict[str, Any]:
        job = self.job
        return self.commands.document(
            self.a, self.b, self.result, fold_case=job.fold_case, threads=job.threads, timings=self.timings
        )


@dataclass(frozen=True, slots=True)
class Kind:
    """A file that can be written: its content, and what can be known to be in its way before the job begins."""

    chunks: Callable[[Answer], Iterable[bytes]]
    needs_alignment: bool = True
    check: Callable[[Sequence, Sequence], None] | None = None
    size: Callable[[Answer], int] = lambda _: 0  # bytes, as far as known before they are made


# By option of the command line.
KINDS: dict[str, Kind] = {
    "json": Kind(lambda x: [json.text(x.document())], needs_alignment=False),
    "paf": Kind(
        lambda x: paf(x.a, x.b, x.alignment, method=x.method, swaps=x.swaps), size=lambda x: size.of_cigar(x.alignment)
    ),
    "sam": Kind(
        lambda x: sam.sam(x.a, x.b, x.alignment, method=x.method, fold_case=x.job.fold_case, swaps=x.swaps),
        check=sam.check,
        size=lambda x: size.of_sam(x.b, x.alignment),
    ),
    "fasta": Kind(
        lambda x: fasta.fasta(x.a, x.b, x.alignment), check=fasta.check, size=lambda x: size.of_fasta(x.alignment)
    ),
    "cigar": Kind(lambda x: chain(cigar(x.alignment), [b"\n"]), size=lambda x: size.of_cigar(x.alignment)),
    "tsv": Kind(lambda x: tsv(x.a, x.b, x.alignment, swaps=x.swaps), size=lambda x: size.of_tsv(x.alignment)),
    "timings": Kind(lambda x: [json.text(json.timing(x.timings))], needs_alignment=False),
}


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files asked for."""

    files: Files

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Outputs:
        """Take the paths from the command line and refuse at once those that cannot be written.

        Raises:
            ExportError: a path cannot be written, or two results would go to one place.
        """
        return cls(Files.of(arguments, KINDS, (arguments.a, arguments.b)))

    def need_alignment(self) -> str:
        """Return the first option that needs an alignment, or nothing."""
        return next((f"--{kind}" for kind in self.files.paths if KINDS[kind].needs_alignment), "")

    @property
    def on_stdout(self) -> bool:
        return self.files.on_stdout

    def fitting(self, a: Sequence, b: Sequence) -> tuple[Outputs, list[str]]:
        """Return the files that can hold these sequences, and for each other one why it cannot.

        Raises:
            ExportError: none of those asked for can: nothing need be computed.
        """
        paths, refused = dict(self.files.paths), []
        for kind in self.files.paths:
            check = KINDS[kind].check
            try:
                if check is not None:
                    check(a, b)
            except ExportError as error:
                del paths[kind]
                refused.append(f"--{kind} not written: {error}")
        if refused and not paths:
            raise ExportError("; ".join(refused))
        return Outputs(replace(self.files, paths=paths)), refused

    def write(self, answer: Answer, cancel: CancelToken) -> None:
        """Write every file; see ``Files.write``."""
        self.files.write(lambda kind: KINDS[kind].chunks(answer), cancel, lambda kind: KINDS[kind].size(answer))
