"""``compare --rearranged``: the collinear blocks of two genomes instead of one alignment."""

from __future__ import annotations

import argparse
import os

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_pair, request_of
from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export import styles
from wavediff.core.export.rearranged import RearrangedAnswer, lines
from wavediff.core.export.registry import COMPARISON, REARRANGED, RECORD, TIMINGS
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.edit import EDIT
from wavediff.core.sequences.sequence import require_nucleotides


def run(arguments: argparse.Namespace) -> int:
    """Return 0 when both have the same letters, else 1.

    Raises:
        Cancelled: Ctrl+C or a request to end.
        WavediffError: whatever stands in the way, in one line.
    """
    if arguments.method not in (AUTOMATIC, EDIT.id):
        raise WavediffError(f"--rearranged aligns blocks by --method {EDIT.id}, not by {arguments.method}")
    if arguments.alignment is not None:
        raise WavediffError("--alignment is beside one alignment from end to end, which --rearranged does not make")
    ids = {kind.id for kind in REARRANGED}
    for kind in (*COMPARISON, TIMINGS, *RECORD):
        if kind.id not in ids and getattr(arguments, kind.dest) is not None:
            raise ExportError(f"--{kind.id} is of one alignment; --rearranged writes {', '.join(sorted(ids))}")
    command = Command(arguments, REARRANGED, (arguments.a, arguments.b))
    if command.pictures.paths:
        raise ExportError("--rearranged makes no picture; Dots in the window makes one of the exact matches")
    with command.working():
        a, b = read_pair(command)
        require_nucleotides(a, b, what="--rearranged is")
        request = request_of(command, EDIT, {}, a, b)
        a, b = request.a, request.b
        command.files, refused = command.files.fitting(a, b)
        job = RearrangedJob(a=a.letters, b=b.letters, k=arguments.seed_letters or 0, threads=arguments.threads)
        answer = RearrangedAnswer(a, b, command.run(job), arguments.threads, tuple(command.reporter.timings))
        command.write(answer)
    command.tell(lines(answer, styles.wanted(arguments.color, command.files.summary_stream, os.environ)))
    if refused:
        raise ExportError("; ".join(refused))
    return 0 if answer.identical else 1
