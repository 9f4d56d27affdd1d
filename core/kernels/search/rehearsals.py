"""Small jobs that between them need every kernel of the search in every variant; see ``core.compiling``."""

from __future__ import annotations

from functools import partial

from core.jobs import MOST_ERRORS, Layout, SearchJob
from core.kernels import ferry
from core.kernels.rehearsal import Rehearsal, letters
from core.kernels.search.plan import NARROW, WIDE
from core.kernels.search.ready import PAPER, variant
from core.kernels.warm import kernel_name
from core.patterns.given import Pattern

_EXACT, _ERRORS = 9, 13  # ranks: after what comparisons of DNA and proteins need, and after all they may need


def rehearsals() -> list[Rehearsal]:
    """Return jobs for all kernels, those for exact patterns first, then by the errors allowed."""
    text = letters(4, 1)
    found = []
    for width in (NARROW, WIDE):
        many = tuple(Pattern(bytes([k]) * 64, "") for k in range(2 * width - NARROW))  # a word each
        for layout, step in ((Layout.QUAD, 4), (Layout.LETTER, 1)):
            name = kernel_name("scan", variant(width, step, 0, False))
            found.append(Rehearsal(_EXACT, (name,), SearchJob(text=text, patterns=many[:width], layout=layout)))
    for errors in range(1, MOST_ERRORS + 1):
        for edits in (True, False):
            name = kernel_name("scan", variant(NARROW, 1, errors, edits))
            job = SearchJob(text=text, patterns=(Pattern(bytes(20), ""),), errors=errors, edits=edits)
            found.append(Rehearsal(_ERRORS + errors, (name,), job))
    paper = SearchJob(text=text, patterns=(Pattern(bytes(20), ""),), layout=Layout.PAPER)
    found.append(Rehearsal(_ERRORS, (kernel_name("scan", PAPER),), paper))
    found.append(Rehearsal(_EXACT, (ferry.NAME,), None, partial(ferry.make_ready, 0)))  # for a graphics card
    return found
