"""Search for alignment columns with ambiguity codes."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.base.arrays import Counts, Letters, freeze
from wavediff.core.jobs.alignment import CONSUMES_A, CONSUMES_B, Alignment, Op, Swaps, gap_pairs, pairs_read
from wavediff.core.jobs.ambiguous_columns import Apart, CodeColumns
from wavediff.core.sequences.ambiguity import counted_apart, missing_letter, residues_any_case
from wavediff.core.sequences.letter_rules import Ambiguity, LetterRule

_CHUNK_LETTERS = 1 << 17  # codes between two checks for a stop: some ms of work


class _Found(NamedTuple):
    """Columns with codes.

    Attributes:
        equal: columns of two equal letters that may be any residue.
        missing_at, compatible_at: see ``CodeColumns``.
    """

    equal: int
    missing_at: Counts
    compatible_at: Counts


def columns_of(job: Any, result: Any) -> Generator[None, None, CodeColumns]:
    """Find the columns with codes in the alignment of a result; the job has the letters and the meaning of codes."""
    a, b = result.letters(job.a, job.b)
    indel, swaps = result.shown is not result.alignment, getattr(result, "swaps", None)
    return code_columns(result.alignment, a, b, job.codes, indel=indel, swaps=swaps)


def code_columns(
    alignment: Alignment, a: Letters, b: Letters, rule: LetterRule, *, indel: bool = False, swaps: Swaps | None = None
) -> Generator[None, None, CodeColumns]:
    """Find the columns with ambiguity codes, in any case; the time depends on the number of codes.

    Swapped letters are ignored.

    Args:
        indel: the method has no substitutions, so deletions followed by insertions count as substitutions.
    """
    pairs, letter = gap_pairs(alignment), missing_letter(rule)
    read, first = pairs_read(alignment, pairs)
    parts = yield from _find(read, a, b, rule, swaps)
    if pairs.size and not indel:
        unknown = _covered(parts.missing_at, first, alignment, pairs)[1]
        if not unknown.all():
            pairs = pairs[unknown]
            read, first = pairs_read(alignment, pairs)
            parts = yield from _find(read, a, b, rule, swaps)
    missing, compatible = (
        _apart(at, _covered(at, first, alignment, pairs), alignment, pairs)
        for at in (parts.missing_at, parts.compatible_at)
    )
    return CodeColumns(letter, read, missing._replace(equal=parts.equal), compatible._replace(match=True), *parts[1:])


def _find(
    read: Alignment, a: Letters, b: Letters, rule: LetterRule, swaps: Swaps | None
) -> Generator[None, None, _Found]:
    bits = residues_any_case(rule)
    is_code = bits & (bits - 1) != 0
    is_missing, is_compatible = (counted_apart(rule, how) for how in (Ambiguity.MISSING, Ambiguity.COMPATIBLE))
    ops, lengths = read.ops, read.lengths
    starts = np.cumsum(lengths) - lengths
    ends = [np.cumsum(lengths * consumes[ops]) for consumes in (CONSUMES_A, CONSUMES_B)]
    swapped = ((), ()) if swaps is None else ((swaps.a_first, swaps.a_last), (swaps.b_first, swaps.b_last))
    equal, missing_at, compatible_at = 0, [], []
    for side, letters, others in ((0, a, b), (1, b, a)):
        for chunk in range(0, letters.size, _CHUNK_LETTERS):
            yield
            places = chunk + np.flatnonzero(is_code[letters[chunk : chunk + _CHUNK_LETTERS]])
            run = np.searchsorted(ends[side], places, "right")
            kept = ops[run] <= Op.MISMATCH
            for each in swapped[side]:
                kept &= ~np.isin(places, each)
            places, run = places[kept], run[kept]
            offset = places - ends[side][run] + lengths[run]
            one, other = letters[places], others[ends[1 - side][run] - lengths[run] + offset]
            is_equal, known = ops[run] == Op.EQUAL, is_code[other] if side else np.zeros(run.size, np.bool_)
            missing = is_missing[one, other] & ~known  # a column of two codes was found from A
            equal += int(np.count_nonzero(missing & is_equal))
            missing_at.append(_stretches((starts[run] + offset)[missing & ~is_equal]))
            compatible = ~is_equal & ~known & is_compatible[one, other]
            compatible_at.append(_stretches((starts[run] + offset)[compatible]))
    return _Found(equal, _joined(missing_at), _joined(compatible_at))


def _stretches(columns: Counts) -> Counts:
    """Return ``[first, end)`` of consecutive runs in sorted ``columns``, shape (k, 2)."""
    begins = np.diff(columns, prepend=-2) > 1
    return np.stack([columns[begins], columns[np.append(begins[1:], True)[: columns.size]] + 1], axis=1)


def _joined(parts: list[Counts]) -> Counts:
    """Return stretches that have no column in common sorted, those that touch as one."""
    spans = np.concatenate([np.empty((0, 2), np.int64), *parts])
    spans = spans[np.argsort(spans[:, 0], kind="stable")]
    begins = np.append(True, spans[1:, 0] != spans[:-1, 1])[: len(spans)]
    return freeze(np.stack([spans[begins, 0], spans[np.append(begins[1:], True)[: len(spans)], 1]], axis=1))


def _covered(at: Counts, first: Counts, alignment: Alignment, pairs: Counts) -> tuple[Counts, Counts]:
    """Return how many substitutions of each pair are in the columns ``at``, and whether all are."""
    n = np.minimum(alignment.lengths[pairs], alignment.lengths[pairs + 1])
    total = np.append(0, np.cumsum(at[:, 1] - at[:, 0]))

    def before(columns: Counts) -> Counts:
        k = np.searchsorted(at[:, 0], columns, "right")
        beyond = np.append(0, at[:, 1])[k] - columns
        inside: Counts = total[k] - np.maximum(0, beyond)
        return inside

    inside = before(first + n) - before(first)
    return inside, inside == n


def _apart(at: Counts, covered: tuple[Counts, Counts], alignment: Alignment, pairs: Counts) -> Apart:
    counts, whole = covered
    paired = int(counts.sum())
    opens = 1 + (alignment.lengths[pairs] == alignment.lengths[pairs + 1])
    return Apart(0, int((at[:, 1] - at[:, 0]).sum()) - paired, paired, int(opens[whole].sum()))
