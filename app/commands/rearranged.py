"""``compare --rearranged``, ``--view blocks``, ``--view dots``: collinear blocks or a dot plot of two genomes."""

from __future__ import annotations

import argparse
import os
import re
from importlib import import_module

from wavediff.app.commands.cli import parsed
from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, read_pair, report_notices, request_of
from wavediff.app.commands.options import chosen
from wavediff.app.commands.pictures import write_pictures
from wavediff.app.commands.view_options import OF_MATCHES, SEEN_IN, asked_of, check_drawn, check_matches, range_of
from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export import terminal_lines
from wavediff.core.export.rearranged import RearrangedAnswer, lines
from wavediff.core.export.recipe import Recipe, recipe_of
from wavediff.core.export.registry import FILMS, PICTURES, REARRANGED
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.exact_matches import ExactMatchesJob, seed_letters
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.methods.base import AUTOMATIC
from wavediff.core.methods.edit import EDIT
from wavediff.core.screening.dot_index import DotIndexJob
from wavediff.core.sequences.characters import FOLDED
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.sequence import Sequence, require_nucleotides

_TAKEN = {  # options that count for blocks, or change nothing that is found
    "a", "b", "method", "rearranged", "seed_letters", "all_records", "threads", "device", "anyway", "record_a",
    "record_b", "format", "format_b", "encoding", "encoding_b", "normalize", "orient", "topology", "features", "all",
    "color", "output", "quiet", "verbose", "no_pager", "view", "size", "dpi", "width", "keep_paths",
    *(kind.dest for kind in (*REARRANGED, *PICTURES, *FILMS)),
}  # fmt: skip
_OF_ONE_RECORD = "record_a", "record_b", "normalize", "orient", "topology", "features"


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if both sequences are equal, else 1."""
    dots, ribbons = (arguments.view == view for view in OF_MATCHES)
    blocks = arguments.rearranged or ribbons
    mode = "--view blocks" if ribbons else "--rearranged" if blocks else "--view dots"
    check_matches(arguments)
    if arguments.method not in (AUTOMATIC, EDIT.id):
        does, by = ("aligns blocks", "by") if blocks else ("goes", "with")
        raise WavediffError(f"{mode} {does} {by} --method {EDIT.id}, not {by} {arguments.method}")
    taken = _TAKEN | ({"case"} if arguments.case == CaseRule.FOLD else set())
    taken |= ({"vcf_strict"} if blocks else set()) | {name for name, of in SEEN_IN.items() if arguments.view in of}
    for name in chosen(arguments, parsed(["compare", "A", "B"])):
        if name not in taken:
            raise WavediffError(f"--{name.replace('_', '-')} does not go with {mode}")
        if arguments.all_records and name in _OF_ONE_RECORD:
            raise WavediffError(f"--{name.replace('_', '-')} is for one record, and --all-records shows all")
    check_drawn(arguments)
    command = Command(arguments, REARRANGED, (arguments.a, arguments.b))
    command.taken = taken
    if command.pictures.only(FILMS).paths or (command.pictures.paths and arguments.view not in OF_MATCHES):
        views = " and ".join(f"--view {view}" for view in OF_MATCHES)
        raise ExportError(f"{mode} writes no such picture: {views} write {', '.join(one.id for one in PICTURES)}")
    if not blocks and (command.files.paths or not command.pictures.paths):
        raise ExportError("--view dots writes a picture: name it, as with --png FILE; --rearranged writes blocks")
    with command.working():
        a, b = _read_all(command) if arguments.all_records else read_pair(command)
        require_nucleotides(a, b, what=f"{mode} is")
        if not arguments.all_records:
            request = request_of(command, EDIT, {}, a, b)
            a, b = request.a, request.b
        if dots:
            _write_dots(command, a, b)
        if not blocks:
            command.tell(())
            return len({one.letters.tobytes().translate(FOLDED) for one in (a, b)}) - 1
        command.files, refused = command.files.fitting(a, b)
        job = RearrangedJob(a=a.letters, b=b.letters, k=arguments.seed_letters or 0, threads=arguments.threads)
        result = command.run(job, command.device)
        timings = tuple(command.reporter.timings)
        answer = RearrangedAnswer(a, b, result, arguments.threads, timings, vcf_strict=arguments.vcf_strict)
        command.write(answer)
        if ribbons:
            _write_ribbons(command, answer)
    command.tell(lines(answer, terminal_lines.wanted(arguments.color, command.files.summary_stream, os.environ)))
    if refused:
        raise ExportError("; ".join(refused))
    return 0 if answer.identical else 1


def _read_all(command: Command) -> list[Sequence]:
    loads = read_files(command, command.arguments.a, command.arguments.b)
    for load in dict.fromkeys(loads):
        report_notices(command, load.with_record_notices(), load)
    return [load.joined() for load in loads]


def _write_dots(command: Command, a: Sequence, b: Sequence) -> None:
    asked, k = asked_of(View.DOTS, command.arguments), command.arguments.seed_letters or seed_letters(len(a), len(b))
    at = asked.get("at")
    part = range_of(at, len(a), len(b)) if at else None
    job = ExactMatchesJob(a=a.letters, b=b.letters, k=k, threads=command.arguments.threads)
    matches = command.run(job, command.device)
    seen = a, b, matches, command.run(DotIndexJob(matches=matches)), command.cancel
    more = {name: value for name, value in asked.items() if name != "at"}
    options = {"view": "dots", "at": at, "seed_letters": k, **more}
    if command.arguments.all_records:
        recipe = recipe_of("compare", (a, b), {"all_records": True, **options})
    else:
        recipe = _recipe(a, b, options)
    room = "wavediff.app.compare.dots.dots_picture"
    write_pictures(
        command.pictures, command.arguments,
        lambda size: import_module(room).whole_picture(*seen, part=part, **more, **size).by(recipe),
    )  # fmt: skip


def _write_ribbons(command: Command, answer: RearrangedAnswer) -> None:
    at, total = command.arguments.at or "#0", len(answer.blocks)
    number = int(at[1:]) if re.fullmatch(r"#\d{1,9}", at) else -1
    if not 0 <= number <= total:
        raise WavediffError(f"--at {at}: blocks are #1 to #{total}")
    options = {"view": "blocks", "at": at if number else None, "seed_letters": answer.result.k}
    recipe = _recipe(answer.a, answer.b, options)
    room, of = "wavediff.app.compare.blocks.blocks_view", (answer, number)
    write_pictures(
        command.pictures, command.arguments, lambda size: import_module(room).whole_picture(*of, **size).by(recipe)
    )


def _recipe(a: Sequence, b: Sequence, options: dict[str, object]) -> Recipe:
    return recipe_of("compare", (a, b), {"method": EDIT.id, "case": CaseRule.FOLD, **options})
