"""Patterns and rules of a ``search``, for one file or many."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from wavediff.app.commands.command import Command
from wavediff.app.commands.words import take_search_words
from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import InputError, WavediffError, count_noun, printable
from wavediff.core.export.hits import hit_text
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.read import ReadPatternsJob
from wavediff.core.jobs.search import MAX_ERRORS, MAX_HITS
from wavediff.core.jobs.search_files import FileQuery
from wavediff.core.reading.files import is_pipe, source_of
from wavediff.core.sequences.enzymes import enzyme_of
from wavediff.core.sequences.letter_rules import CaseRule, LetterRule, UracilRule
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.pattern_list import Pattern, literal

FOUND, NOT_FOUND = 0, 1
ERRORS = ("mismatch", "mismatches"), ("edit", "edits")  # one and many, without edits and with them
SHOWN = 20  # patterns, files and hits in the summary


def check(arguments: argparse.Namespace) -> None:
    """Raise ``WavediffError`` for options that exclude each other."""
    take_search_words(arguments)
    if arguments.k > MAX_ERRORS:
        raise WavediffError(f"-k {arguments.k}: at most {MAX_ERRORS} errors can be allowed")
    if (arguments.edits or arguments.mismatches) and not arguments.k:
        raise WavediffError("--edits and --mismatches go with -k N, the number of errors allowed")


def _alphabet(arguments: argparse.Namespace) -> str:
    if arguments.letters == UracilRule.AUTO:
        return str(arguments.alphabet)
    if arguments.alphabet not in ("auto", LetterRule.LITERAL):
        raise WavediffError(f"--alphabet {arguments.alphabet}: U is T in it, and --letters exact tells them apart")
    return str(LetterRule.LITERAL)


def patterns_of(command: Command) -> tuple[Pattern, ...]:
    arguments = command.arguments
    patterns: tuple[Pattern, ...] = ()
    if arguments.patterns is not None:
        if arguments.patterns in arguments.files and is_pipe(arguments.patterns):
            raise InputError(source_of(arguments.patterns), "both F and FILE", "a pipe can be read once")
        command.reporter.reading(arguments.patterns)
        patterns = command.run(ReadPatternsJob(path=arguments.patterns))
    for number, one in enumerate(arguments.pattern or [], 1):
        patterns += (literal(one.encode("utf-8", "surrogateescape"), f"pattern {number}"),)
    for name in arguments.enzyme.split(",") if arguments.enzyme else ():
        site = enzyme_of(name.strip())
        if site is None:
            raise WavediffError(f"unknown restriction enzyme '{printable(name, 40)}': write names like EcoRI")
        patterns += (site,)
    return patterns


def query_of(command: Command, patterns: tuple[Pattern, ...], outputs: tuple[str, ...] = ()) -> FileQuery:
    arguments = command.arguments
    return FileQuery(
        patterns=patterns,
        alphabet=_alphabet(arguments),
        case=CaseRule(arguments.case),
        both_strands=arguments.both_strands,
        errors=arguments.k,
        edits=arguments.edits,
        topology=Topology(arguments.topology),
        layout=SearchLayout(arguments.layout),
        read_as=command.read_as[0],
        encoding=command.encodings[0],
        outputs=outputs,
        shown=0 if arguments.quiet else MAX_HITS if arguments.all else SHOWN,
        device=command.device,
    )


def hit_lines(rows: Iterable[bytes], query: FileQuery, n_hits: int, *, sizes: bool) -> Iterator[str]:
    """Yield a line for each of the first ``query.shown`` hits, and one on the others; ``rows``: chunks of a table."""
    rest, shown = b"", 0
    errors = ERRORS[query.edits] if query.errors else None
    for piece in rows:
        *whole, rest = (rest + piece).split(b"\n")
        for row in whole[: query.shown - shown]:
            yield hit_text(row, several=len(query.patterns) > 1, errors=errors, sizes=sizes)
        shown += len(whole)
        if shown >= query.shown:
            break
    if n_hits > query.shown:
        yield f"  ···  {count_noun(n_hits - query.shown, 'more hit')}; --all prints them"


def pattern_lines(patterns: Sequence[Pattern], counts: Counts) -> list[str]:
    """Return a line for each of the patterns with the most hits, and one for the rest."""
    most = np.argsort(-counts, kind="stable")[:SHOWN].tolist()
    lines = [f"{counts[k]:>12,}  {printable(patterns[k].name, 60)}" for k in most] if len(most) > 1 else []
    left = len(patterns) - SHOWN
    return [*lines, f"         ...  {left:,} more patterns"] if left > 0 else lines
