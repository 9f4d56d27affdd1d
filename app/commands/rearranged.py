"""``compare --rearranged``: the collinear blocks of two genomes instead of one alignment."""

from __future__ import annotations

import argparse
import os

from wavediff.app.commands.cli import parsed
from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_pair, request_of
from wavediff.app.commands.options import chosen
from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export import terminal_lines
from wavediff.core.export.rearranged import RearrangedAnswer, lines
from wavediff.core.export.registry import FILMS, PICTURES, REARRANGED
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.edit import EDIT
from wavediff.core.sequences.sequence import require_nucleotides

_TAKEN = {  # options that count for blocks, or change nothing that is found
    "a", "b", "method", "rearranged", "seed_letters", "threads", "device", "anyway", "record_a", "record_b", "format",
    "format_b", "encoding", "encoding_b", "normalize", "orient", "topology", "all", "color", "output", "quiet",
    "verbose", "no_pager", *(kind.dest for kind in (*REARRANGED, *PICTURES, *FILMS)),
}  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when both have the same letters, else 1."""
    if not arguments.rearranged:
        raise WavediffError("--seed-letters goes with --rearranged")
    if arguments.method not in (AUTOMATIC, EDIT.id):
        raise WavediffError(f"--rearranged aligns blocks by --method {EDIT.id}, not by {arguments.method}")
    for name in chosen(arguments, parsed(["compare", "A", "B"])):
        if name not in _TAKEN:
            raise WavediffError(f"--{name.replace('_', '-')} does not go with --rearranged")
    command = Command(arguments, REARRANGED, (arguments.a, arguments.b))
    if command.pictures.paths:
        raise ExportError("--rearranged writes no picture; Dots in the window saves one of the exact matches")
    with command.working():
        a, b = read_pair(command)
        require_nucleotides(a, b, what="--rearranged is")
        request = request_of(command, EDIT, {}, a, b)
        a, b = request.a, request.b
        command.files, refused = command.files.fitting(a, b)
        job = RearrangedJob(a=a.letters, b=b.letters, k=arguments.seed_letters or 0, threads=arguments.threads)
        found = command.run(job, command.device)
        answer = RearrangedAnswer(a, b, found, arguments.threads, tuple(command.reporter.timings))
        command.write(answer)
    command.tell(lines(answer, terminal_lines.wanted(arguments.color, command.files.summary_stream, os.environ)))
    if refused:
        raise ExportError("; ".join(refused))
    return 0 if answer.identical else 1
