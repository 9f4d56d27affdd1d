"""``bwt``: Burrows-Wheeler transform of one file, or the inverse."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import in_form, read_files, read_record, report_notices
from wavediff.app.commands.pictures import write_pictures
from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.export.bwt import BwtAnswer, InverseAnswer
from wavediff.core.export.recipe import recipe_of
from wavediff.core.export.registry import BWT, FILMS, INVERSE_BWT, PICTURES, TIMINGS
from wavediff.core.jobs.bwt import BwtJob, IndexJob, InverseBwtJob, LoadBwtJob
from wavediff.core.jobs.bwt_result import SavedBwt
from wavediff.core.jobs.choices import BwtMethod
from wavediff.core.jobs.compression import CompressionJob, CompressionResult
from wavediff.core.reading.bwt import is_bwt
from wavediff.core.reading.files import RegularFile
from wavediff.core.run.runner import ignore_event
from wavediff.core.sequences.common_characters import as_bytes
from wavediff.core.sequences.concatenation import folded_text, format_byte, join_sequences
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence

if TYPE_CHECKING:
    from wavediff.core.reading import Load


def run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    inputs = tuple(one for one in (arguments.file, arguments.second) if one is not None)
    command = Command(arguments, (*(INVERSE_BWT if arguments.inverse else BWT), TIMINGS), inputs)
    with command.working():
        _backwards(command) if arguments.inverse else _forwards(command, inputs)
    return 0


_OF_TRANSFORM = (
    "second", "record", "record_b", "format_b", "encoding", "encoding_b", "normalize", "separator", "last_column",
    "suffix_array", "save_index", "compression",
)  # fmt: skip


def _check(arguments: argparse.Namespace) -> None:
    if arguments.inverse:
        if arguments.format != ReadAs.AUTO:
            raise WavediffError("--format does not go with --inverse")
        for name in (*_OF_TRANSFORM, *(picture.dest for picture in (*PICTURES, *FILMS))):
            if getattr(arguments, name) not in (None, False):
                what = "a second file" if name == "second" else f"--{name.replace('_', '-')}"
                raise WavediffError(f"{what} does not go with --inverse")
        if not arguments.output and arguments.text is arguments.json is arguments.timings is None:
            arguments.text = "-"
        return
    for name in ("primary_index", "text"):
        if getattr(arguments, name) is not None:
            raise WavediffError(f"--{name.replace('_', '-')} goes with --inverse only")
    if arguments.second is None:
        for name in ("record_b", "format_b", "encoding_b", "separator"):
            if getattr(arguments, name) is not None:
                raise WavediffError(f"--{name.replace('_', '-')} goes with a second file only")


def _forwards(command: Command, names: tuple[str, ...]) -> None:
    arguments = command.arguments
    loads = read_files(command, *names)
    sequences = [_bytes_of(command, loads[0], arguments.record, "--record ")]
    separator = None
    if arguments.second is not None:
        sequences.append(_bytes_of(command, loads[1], arguments.record_b, "--record-b "))
    # An index is searched, as a sequence is; a transform gives its text back.
    case = CaseRule.EXACT if arguments.save_index is None else CaseRule.AUTO
    fold_case = CaseRule(arguments.case or case).folds(all(sequence.alphabet.folds_case for sequence in sequences))
    texts = [_folded(sequence) for sequence in sequences] if fold_case else sequences
    letters, name = texts[0].letters, "+".join(sequence.name for sequence in sequences)
    if len(texts) == 2:
        joined = join_sequences(texts[0], texts[1], arguments.separator)
        letters, separator = joined.letters, joined.separator
    wanted = arguments.suffix_array is not None
    job = BwtJob(text=letters, method=BwtMethod(arguments.sorter), suffixes=wanted, threads=arguments.threads)
    result = command.run(job, command.device)
    compression = None
    if arguments.compression:
        compression = command.run(CompressionJob(text=letters, last=result.last))
    saved = SavedBwt(
        name=name, fold_case=fold_case, last=result.last, primary=result.primary, n_runs=result.n_runs
    )  # fmt: skip
    answer = BwtAnswer(tuple(sequences), result, saved, separator, tuple(command.reporter.timings), compression)
    command.write(answer)
    if command.pictures.paths:
        _draw(command, sequences, letters, name, separator, fold_case=fold_case)
    lines = [f"{printable(one.name)}: {count_noun(len(one), 'letter')}, {one.alphabet}" for one in sequences]
    if separator is not None:
        lines.append(f"joined by {format_byte(separator)}, {count_noun(result.length, 'letter')}")
    lines += [
        f"primary index: {result.primary:,} of 0 to {result.length:,} ($ smaller than every byte, not stored)",
        f"runs: {result.n_runs:,}, {result.mean_run_length:,.2f} letters per run",
    ]
    if arguments.verbose:
        lines += [
            f"strategy: {result.strategy} ({result.reason})",
            f"time: {result.wall_seconds:.3f} s on {result.device}, {result.check_seconds:.3f} s of it for the check",
        ]
    if compression is not None:
        lines += _compression_lines(compression)
    command.tell(lines)


def _bytes_of(command: Command, load: Load, wanted: str | None, option: str) -> Sequence:
    record = in_form(command, read_record(command, load, wanted, option))
    letters = as_bytes(record, "the transform and its inverse work on bytes")
    report_notices(command, letters, record)
    return letters


def _folded(sequence: Sequence) -> Sequence:
    letters = folded_text(sequence.letters)
    return replace(sequence, letters=letters, counts=np.bincount(letters, minlength=256))


def _draw(
    command: Command, sequences: list[Sequence], text: Letters, name: str, separator: int | None, *, fold_case: bool
) -> None:
    """Draw the pictures: build the index and, for short texts, record the row sorting."""
    room = import_module("wavediff.app.bwt.indexed_text")
    small = None
    if text.size <= import_module("wavediff.app.bwt.bwt_session").MAX_TABLE_LETTERS:
        sorting = BwtJob(text=text, method=BwtMethod.TERNARY, levels=True, suffixes=True)
        small = command.run(sorting, report=ignore_event)
    index = command.run(IndexJob(text=text, name=name, fold_case=fold_case))
    source = room.Source.A if len(sequences) == 1 else room.Source.BOTH
    start = text.size if len(sequences) == 1 else len(sequences[0]) + 1
    indexed = room.IndexedText(source, name, text, separator, start, index, small, begins=room.character_begins(text))

    recipe = recipe_of("bwt", sequences, {"case": CaseRule.of(fold_case)})

    def make(size: dict[str, Any]) -> Any:
        made = import_module("wavediff.app.bwt.row_steps")
        located = made.located_rows(indexed, 0, command.cancel)
        return made.rows_picture(indexed, located, **size).by(recipe)

    write_pictures(command.pictures, command.arguments, make)


def _compression_lines(result: CompressionResult) -> list[str]:
    names = [step.name for step in result.steps]
    longest = max(map(len, names))
    lines = [f"compression: {'':{longest - 11}} {'bytes':>15} {'bits a letter':>14}"]
    for name, one in zip(names, result.steps, strict=True):
        bits = one.bits / max(1, result.length)
        lines.append(f"  {name:<{longest}} {math.ceil(one.bits / 8):>15,} {bits:>14.3f}")
    return lines


def _backwards(command: Command) -> None:
    arguments = command.arguments
    last, primary = _column(command)
    job = InverseBwtJob(last=last, primary=primary, threads=arguments.threads)
    result = command.run(job, command.device)
    command.write(InverseAnswer(arguments.file, primary, result, tuple(command.reporter.timings)))
    command.tell([f"{count_noun(result.text.size, 'letter')} in {result.wall_seconds:.3f} s on {result.device}"])


def _column(command: Command) -> tuple[Letters, int]:
    arguments = command.arguments
    if is_bwt(arguments.file):
        saved = command.run(LoadBwtJob(path=Path(arguments.file)))
        if arguments.primary_index not in (None, saved.primary):
            raise InputError(arguments.file, f"its primary index is {saved.primary:,}", "leave --primary-index out")
        return saved.last, saved.primary
    with RegularFile(arguments.file) as file:
        if arguments.primary_index is None:
            right = "a file with only the last column needs --primary-index ROW"
            raise InputError(arguments.file, "no saved transform", right)
        last = np.frombuffer(b"".join(file.pieces()), np.uint8)
        file.require_unchanged()
    if not 0 <= arguments.primary_index <= last.size:
        raise InputError(
            arguments.file,
            count_noun(last.size, "letter"),
            f"--primary-index must be 0 to {last.size:,}, not {arguments.primary_index:,}",
        )
    return last, arguments.primary_index
