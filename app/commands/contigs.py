"""``contigs``: place the contigs of an assembly on a reference."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, read_record, report_notices
from wavediff.app.commands.options import cluster_of
from wavediff.core.base.errors import WavediffError
from wavediff.core.export import terminal_lines
from wavediff.core.export.contigs import ContigsAnswer, lines
from wavediff.core.export.registry import CONTIGS, TIMINGS
from wavediff.core.jobs.choices import Device
from wavediff.core.run.contigs_request import contigs_job


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if all contigs are placed, else 1."""
    cluster = cluster_of(arguments)
    if cluster is not None and arguments.device == Device.GPU:
        raise WavediffError("--device gpu does not go with --scheduler: the CPU finds the matches for the workers")
    command = Command(arguments, (*CONTIGS, TIMINGS), (arguments.a, arguments.b))
    with command.working():
        load_a, load = read_files(command, arguments.a, arguments.b)
        a = read_record(command, load_a, arguments.record_a, "--record-a ")
        report_notices(command, load.with_record_notices(), load)
        job = contigs_job(a, load, arguments.topology, arguments.seed_letters or 0, arguments.threads)
        result = command.run(replace(job, cluster=cluster), command.device)
        answer = ContigsAnswer(a, load, result, arguments.threads, tuple(command.reporter.timings))
        command.write(answer)
    mark = terminal_lines.wanted(arguments.color, command.files.summary_stream, os.environ)
    command.tell(lines(answer, mark, everything=arguments.all))
    return 1 if result.unplaced else 0
