"""Read the two input files of a command and select one record of each."""

from __future__ import annotations

import os
import re
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from wavediff.app.commands.command import Command
from wavediff.app.commands.progress import hint
from wavediff.core.base.errors import InputError, WavediffError
from wavediff.core.base.file_names import TYPED, split_name
from wavediff.core.base.notices import Notice, NoticeKind
from wavediff.core.jobs import Job
from wavediff.core.jobs.given_alignment import STRANDS, AlignmentRecord
from wavediff.core.jobs.read import PASTED, ParseJob, ReadJob, typed_letters
from wavediff.core.methods.base import Method
from wavediff.core.methods.default import refused
from wavediff.core.methods.options import Options
from wavediff.core.reading.annotations import require_annotated
from wavediff.core.reading.files import STDIN, is_pipe, source_of
from wavediff.core.reading.pick import pick
from wavediff.core.run.pair_request import PairRequest, given_records
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.sequences.normalization import FORMS, OTHER_FORM, differ_in_form, normalized
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence

if TYPE_CHECKING:
    from wavediff.core.reading import Load


def read_pair(command: Command) -> tuple[Sequence, Sequence]:
    """Return the selected records of A and B; a file named twice is read once; files without sequences are texts.

    Raises:
        InputError: a file cannot be used, or the record is ambiguous.
    """
    arguments = command.arguments
    load_a, load_b = read_files(command, arguments.a, arguments.b, as_texts=True)
    a = read_record(command, load_a, arguments.record_a, "--record-a ")
    b = pick(load_b, arguments.record_b, "--record-b ")
    if load_b is not load_a or b.record != a.record:
        report_notices(command, b)
    a, b = in_form(command, a), in_form(command, b)
    if arguments.normalize is None and differ_in_form(a, b):
        command.reporter.notice(f"{OTHER_FORM}{_advice(command, OTHER_FORM)}")
    common = with_common_characters(a, b, UracilRule(arguments.letters))
    for each, before in zip(common, (a, b), strict=True):
        report_notices(command, each, before)
    a, b = (load.with_notices(one) for load, one in zip((load_a, load_b), common, strict=True))
    return a, b


def read_given(command: Command) -> tuple[Sequence, Sequence, tuple[AlignmentRecord, ...]]:
    """Return A, B and the records of ``--alignment`` (empty without it).

    Raises:
        InputError: a file cannot be used, or the record is ambiguous.
    """
    arguments = command.arguments
    a, b = (None, None) if arguments.a is None else read_pair(command)
    if a is not None and b is not None and arguments.alignment is None:
        return a, b, ()
    a, b, records = given_records(arguments.alignment, a, b, arguments.record_alignment)
    notes = [f"B is on the {STRANDS[records[0].minus]}"] * (records[0].minus != (arguments.orient == Strand.MINUS))
    notes.append(records[0].taken_for((a.name, b.name)))
    for text in filter(None, notes):
        command.reporter.notice(f"{arguments.alignment}: {text}")
    return *with_common_characters(a, b, UracilRule(arguments.letters)), records


def in_form(command: Command, read: Sequence) -> Sequence:
    """Return a sequence in the requested Unicode normalization form; report the notice."""
    form = next((one for one in FORMS if one.lower() == command.arguments.normalize), None)
    sequence = read if form is None else normalized(read, form)
    report_notices(command, sequence, read)
    return sequence


def report_notices(command: Command, read: Sequence | Load, before: Sequence | Load | None = None) -> None:
    """Report the notices about ``read`` that ``before`` does not have."""
    new = read.notices[0 if before is None else len(before.notices) :]
    for notice in new if read.source != os.devnull else ():  # that is empty on purpose
        if read.source == PASTED and notice.kind == NoticeKind.FORMAT:
            continue  # letters on the command line have no header
        command.reporter.notice(f"{read.source}: {notice}{_advice(command, notice)}")


def _advice(command: Command, notice: Notice) -> str:
    text = hint(notice)
    option = re.search("--([a-z]+)", text)
    return text if option is None or command.takes(option[1]) else ""


def read_record(command: Command, load: Load, wanted: str | None, option: str) -> Sequence:
    """Return the selected record, and report its notices."""
    record = pick(load, wanted, option)
    report_notices(command, record)
    return record


def request_of(
    command: Command, method: Method, options: Options, a: Sequence, b: Sequence,
    records: tuple[AlignmentRecord, ...] = (),
) -> PairRequest:  # fmt: skip
    named = {name: getattr(command.arguments, name) for name in ("orient", "topology", "case")}
    request = PairRequest.of(method, options, a, b, **named, run=command.run, records=records)
    how = request.b.orientation
    if how.turned and named["topology"] == Topology.AUTO:
        text = f"circular according to its file, compared {how.text(len(b))} on; --topology linear keeps its start"
        command.reporter.notice(f"{b.source}: {text}")
    return request


def read_files(command: Command, *names: str, counted: bool = True, as_texts: bool = False) -> list[Load]:
    """Return the records of one or two files, read as ``--format`` and ``--format-b`` require.

    A file named twice is read once. Notices of the reader are reported.

    Args:
        as_texts: read the files as texts if none is a sequence, and report that.

    Raises:
        InputError: an invalid file.
        WavediffError: the file is valid in another format; the message names it.
    """
    loads: list[Load] = []
    features = getattr(command.arguments, "features", None)
    files = [split_name(name).file for name in names]
    if len(files) == 2 and os.devnull not in files and all(map(is_pipe, files)) and _same_file(*files):
        raise InputError(source_of(files[0]), "both A and B", "a pipe can be read once")
    formats = "--format", "--format-b" if hasattr(command.arguments, "format_b") else "--format"
    options = [*zip(formats, command.read_as, command.encodings, strict=True)]
    for name, (option, read_as, encoding) in zip(names, chain(options, repeat(options[-1])), strict=False):
        alike = read_as is command.read_as[0] and encoding == command.encodings[0]
        if loads and alike and _same_file(name, names[0]):
            loads.append(loads[0])
            continue
        command.reporter.reading(name)
        try:
            load: Load = command.run(
                _read_job(name, read_as, encoding, counted=counted, or_text=as_texts, features=features)
            )
        except InputError as error:
            if re.fullmatch(r"[A-Za-z]+", name) and not os.path.lexists(name):
                raise InputError(name, error.found, f"{TYPED}{name} stands for these letters") from error
            if not error.instead:
                raise
            raise _otherwise(error, option) from error
        loads.append(load)
    require_annotated(features, loads)
    if as_texts and (refusal := refused(*(load.sequence(0) for load in loads))):
        raise _otherwise(refusal, formats[refusal is not loads[0].refusal]) from refusal
    for load in dict.fromkeys(loads):
        report_notices(command, load)
    return loads


def _otherwise(refusal: InputError, option: str) -> WavediffError:
    how = f"{option} {refusal.instead} reads it as {ReadAs(refusal.instead).label.lower()}"
    return WavediffError(f"{refusal} ({how})")


def _read_job(name: str, read_as: ReadAs, encoding: str, *, or_text: bool, **named: Any) -> Job:
    letters = typed_letters(name)
    if letters is not None:
        return ParseJob(text=letters, read_as=read_as, or_text=or_text)
    return ReadJob(path=name, read_as=read_as, encoding=encoding, or_text=or_text, **named)


def _same_file(a: str, b: str) -> bool:
    try:
        return a == b or os.path.samefile(*(0 if name == STDIN else name for name in (a, b)))
    except OSError:
        return False
