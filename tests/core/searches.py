"""What tests of the search share: running a job on a device, and the hits as the definition has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from tests.core.running import each_device
from tests.oracles import search as oracle
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.choices import Device, SearchLayout
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchJob, SearchResult
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.pattern_list import Pattern

every_device = each_device(SearchJob)
AUTOMATA = (SearchLayout.SINGLE, SearchLayout.QUAD)
EXACT = (SearchLayout.AUTO, *AUTOMATA)  # the first one looks up q-grams on the CPU

# Bits of what a nucleotide code may stand for, written out apart from the program's own table.
BASES = {
    "A": "A", "C": "C", "G": "G", "T": "T", "U": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC",
    "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT",
}  # fmt: skip


def random_dna(seed: int, n: int) -> Letters:
    return np.random.default_rng(seed).choice(np.frombuffer(b"ACGT", np.uint8), n)


def patterns(*letters: bytes) -> tuple[Pattern, ...]:
    return tuple(Pattern(one, f"p{k}", "<test>", k + 1) for k, one in enumerate(letters))


def run(text: bytes | Letters, given: Iterable[bytes], device: Device = Device.CPU, **choices: object) -> SearchResult:
    letters = np.frombuffer(text, np.uint8) if isinstance(text, bytes) else text
    job = SearchJob(text=letters, patterns=patterns(*given), **choices)  # type: ignore[arg-type]
    result = run_job(job, device=device)
    assert isinstance(result, SearchResult)
    assert result.counts.tolist() == np.bincount(result.hits.pattern, minlength=len(job.patterns)).tolist()
    return result


def rows(hits: Hits) -> list[tuple[int, int, int, int, int]]:
    """Every hit as (start, end, pattern, strand, cost)."""
    columns = (hits.start, hits.end, hits.pattern, hits.strand, hits.cost)
    return list(zip(*(one.tolist() for one in columns), strict=True))


def expected(
    text: bytes,
    given: Sequence[bytes],
    errors: int = 0,
    *,
    edits: bool = False,
    match: oracle.Match = oracle.literal,
    starts: Sequence[int] | None = None,
) -> list[tuple[int, int, int, int, int]]:
    """Every hit as ``rows`` has it, in its order, by the oracle, record by record."""
    find = oracle.edits if edits else oracle.mismatches
    bounds = list(starts) if starts is not None else [0, len(text)]
    found = [
        (low + start, low + end, k, 1, cost)
        for k, pattern in enumerate(given)
        for low, high in pairwise(bounds)
        for start, end, cost in find(text[low:high], pattern, errors, match)
    ]
    return sorted(found)


def nucleotide(pattern: int, text: int) -> bool:
    """Whether a code of a pattern stands for all that a letter of the text, in either case, may be."""
    wanted, here = BASES.get(chr(pattern).upper()), BASES.get(chr(text).upper())
    if wanted is None or here is None:
        return pattern == text
    return set(here) <= set(wanted)


NUCLEOTIDES = {"rule": LetterRule.NUCLEOTIDE, "fold_case": True}
