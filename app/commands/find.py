"""``find``: count and locate patterns by backward search."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.inputs import read_files, read_record
from wavediff.app.commands.words import take_find_words
from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, count_noun, printable
from wavediff.core.export.bwt import FindAnswer
from wavediff.core.export.registry import FIND, TIMINGS
from wavediff.core.jobs.bwt import FindJob, IndexJob, InverseBwtJob, LoadBwtJob
from wavediff.core.jobs.bwt_result import BwtIndex
from wavediff.core.reading.bwt import is_bwt
from wavediff.core.sequences.characters import FIRST_CODE, character_places, folded_utf8
from wavediff.core.sequences.common_characters import as_bytes
from wavediff.core.sequences.concatenation import folded_text
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.read_as import ReadAs

FOUND, NOTHING = 0, 1
_TOLD = 8  # positions in the summary


def run(arguments: argparse.Namespace) -> int:
    """Return the exit code: 0 if a pattern was found, else 1."""
    take_find_words(arguments)
    command = Command(arguments, (*FIND, TIMINGS), (arguments.file,))
    patterns = tuple(os.fsencode(pattern) for pattern in arguments.patterns)
    if not all(patterns):
        raise InputError("find", "a pattern is empty", "at least one letter is needed")
    locate = not arguments.count_only
    with command.working():
        index = command.run(_index_job(command), command.device)
        asked = FindJob(
            index=index,
            patterns=tuple(map(folded_utf8, patterns)) if index.fold_case else patterns,
            uracil=UracilRule(arguments.letters),
            locate=locate,
            limit=arguments.limit,
        )
        result = command.run(asked)  # the device is for the index
        length, sizes = index.length, tuple(map(len, patterns))
        text = None if arguments.format == ReadAs.BYTES else _utf8(command, index)
        if text is not None:
            positions = character_places(text, result.positions).astype(np.int32)
            result = replace(result, positions=positions)
            length = int(character_places(text, np.array([text.size]))[0])
            sizes = tuple(len(pattern.decode("utf-8", "replace")) for pattern in patterns)
        answer = FindAnswer(index, patterns, result, locate, tuple(command.reporter.timings), length, sizes)
        command.write(answer)
    command.tell(_summary(answer))
    return FOUND if result.counts.any() else NOTHING


def _index_job(command: Command) -> IndexJob:
    arguments = command.arguments
    if arguments.format != ReadAs.BYTES and is_bwt(arguments.file):
        saved = command.run(LoadBwtJob(path=Path(arguments.file)))
        return IndexJob(saved=saved, every=arguments.sample_interval, threads=arguments.threads)
    (load,) = read_files(command, arguments.file)
    sequence = as_bytes(read_record(command, load, arguments.record, "--record "), "an index stores bytes")
    fold_case = CaseRule(arguments.case).folds(sequence.alphabet.folds_case)
    u_is_t = sequence.alphabet.is_nucleotide and UracilRule(arguments.letters) is UracilRule.AUTO
    letters = replace(sequence, u_is_t=u_is_t).comparable(fold_case)
    return IndexJob(
        text=folded_text(letters) if fold_case else letters,
        name=sequence.name,
        fold_case=fold_case,
        every=arguments.sample_interval,
        threads=arguments.threads,
    )


def _utf8(command: Command, index: BwtIndex) -> Letters | None:
    """Return the text if it is UTF-8 with non-ASCII characters, where positions are not byte offsets."""
    if not (index.letters >= FIRST_CODE).any():
        return None
    text: Letters = command.run(InverseBwtJob(last=index.last, primary=index.primary)).text
    try:
        text.tobytes().decode()
    except UnicodeDecodeError:
        return None
    return text


def _summary(answer: FindAnswer) -> list[str]:
    index, result = answer.index, answer.result
    rule = "case ignored" if index.fold_case else "case counts"
    lines = [f"{printable(index.name)}: {count_noun(answer.length, 'letter')} ({rule})"]
    for number, (pattern, count) in enumerate(zip(answer.patterns, result.counts, strict=True)):
        places = result.positions_of(number)
        listed = ", ".join(f"{p + 1:,}" for p in places[:_TOLD].tolist())
        more = ", …" if count > min(places.size, _TOLD) else ""
        lines.append(f"{printable(os.fsdecode(pattern))}: {count:,}" + (f" at {listed}{more}" if places.size else ""))
    return lines
