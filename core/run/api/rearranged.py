"""Collinear blocks of two rearranged genomes."""

from __future__ import annotations

from typing import Any

from wavediff.core.export.rearranged import RearrangedAnswer
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.rearranged import RearrangedJob
from wavediff.core.methods.edit import EDIT
from wavediff.core.run.api.reading import pair_of
from wavediff.core.run.api.running import Progressed, require_one_of, run
from wavediff.core.run.pair_request import PairRequest
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.sequence import require_nucleotides


def blocks(
    a: Any,
    b: Any,
    *,
    seed_letters: int = 0,
    device: str = "auto",
    threads: int = 0,
    orient: str = "plus",
    topology: str = "auto",
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
) -> RearrangedAnswer:
    """Find the collinear blocks of ``a`` (reference) and ``b`` (query), DNA or RNA, each aligned exactly.

    Args:
        a, b, device, threads, orient, topology, progress, cancel: see ``compare``.
        seed_letters: minimum length of the exact matches, 11 to 64; 0: chosen from the lengths of the sequences.

    Raises:
        WavediffError: invalid input or option. Cancelled: requested.

    >>> answer = blocks("ACGTTGCA" * 40, "ACGTTGCA" * 40)
    >>> answer.result.edits, answer.identical
    (0, True)
    """
    for name, value, offered in (("orient", orient, ("auto", *Strand)), ("topology", topology, Topology)):
        require_one_of(name, value, offered)
    one, other = with_common_characters(*pair_of(a, b, as_texts=False), UracilRule.AUTO)
    require_nucleotides(one, other, what="blocks are")
    request = PairRequest.of(EDIT, {}, one, other, orient=orient, topology=topology, case=CaseRule.AUTO, run=run)
    one, other = request.a, request.b
    job = RearrangedJob(a=one.letters, b=other.letters, k=seed_letters, threads=threads)
    return RearrangedAnswer(one, other, run(job, device=device, progress=progress, cancel=cancel), threads)
