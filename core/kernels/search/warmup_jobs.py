"""Warm-up jobs of all search kernels; see ``wavediff.core.run.compile_worker``."""

from __future__ import annotations

from functools import partial

from wavediff.core.jit import pinned_copy
from wavediff.core.jit.warmup import kernel_name
from wavediff.core.jit.warmup_job import WarmupJob, letters
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.jobs.events import REHEARSAL
from wavediff.core.jobs.search import MAX_ERRORS, SearchJob
from wavediff.core.kernels.search.chunks import QGRAMS, scan_variant
from wavediff.core.kernels.search.search_plan import NARROW_WORDS, WIDE_WORDS
from wavediff.core.sequences.pattern_list import Pattern

_EXACT, _ERRORS = 9, 13  # ranks: after what comparisons of DNA and proteins need, and after all they may need


def warmup_jobs() -> list[WarmupJob]:
    """Return jobs for all kernels: exact patterns first, then by allowed errors."""
    text = letters(4, 1)
    name = kernel_name("scan", QGRAMS)
    jobs = [WarmupJob(_EXACT, (name,), SearchJob(text=text, patterns=(Pattern(bytes(8), ""),)))]
    for width in (NARROW_WORDS, WIDE_WORDS):
        many = tuple(Pattern(bytes([k]) * 64, "") for k in range(2 * width - NARROW_WORDS))  # a word each
        for layout, step in ((SearchLayout.QUAD, 4), (SearchLayout.SINGLE, 1)):
            name = kernel_name("scan", scan_variant(width, step, 0, False))
            jobs.append(WarmupJob(_EXACT, (name,), SearchJob(text=text, patterns=many[:width], layout=layout)))
    for errors in range(1, MAX_ERRORS + 1):
        for edits in (True, False):
            name = kernel_name("scan", scan_variant(NARROW_WORDS, 1, errors, edits))
            job = SearchJob(text=text, patterns=(Pattern(bytes(20), ""),), errors=errors, edits=edits)
            jobs.append(WarmupJob(_ERRORS + errors, (name,), job))
    jobs.append(
        WarmupJob(_EXACT, (pinned_copy.NAME,), None, partial(pinned_copy.make_ready, REHEARSAL))
    )  # for a graphics card
    return jobs
