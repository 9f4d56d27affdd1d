"""Text of the window while there is no alignment to show, or one of before."""

from __future__ import annotations

from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.pair import Side
from wavediff.app.window.pair.session import Session
from wavediff.core.methods import method_of


def waiting_text(session: Session) -> str:
    """Return what stands in place of an alignment, or over the letters as they are."""
    if session.running or session.screening.waiting:
        return (
            "Not aligned yet: A and B as they are, letter under letter. The alignment replaces them when the path is "
            "known."
        )
    if session.loader.busy:
        return "Reading…"
    if session.as_asked and session.wavefront.phase is Phase.STOPPED:
        return "Stopped before there was an alignment: Run (Ctrl+R) starts again"
    if session.as_asked and session.wavefront.phase is Phase.FAILED:
        return "No alignment: the comparison failed"
    if session.pair.complete is not None:
        return "Not compared yet: press Run (Ctrl+R)"
    missing = [side.value for side in Side if session.pair[side] is None]
    if len(missing) == 2:
        return "Drop two files here, or open them with Ctrl+O"
    return f"{missing[0]} is missing: drop a file here, open one with Ctrl+O, or paste text with Ctrl+V"


def list_text(session: Session) -> str:
    """Return what stands in place of the list of differences; empty for what is always true."""
    if session.stale and session.wavefront.phase is Phase.IDLE:
        return "A and B cannot be compared as it is chosen now."
    if session.running or session.screening.waiting:
        return "\n".join(
            (
                "The differences appear here as soon as the path is known.",
                "Until then: search, and read both sequences.",
            )
        )
    if session.outcome is not None and session.outcome.result.alignment is None:
        return "There is no list: only the distance was computed. Choose a path under Options, and run again."
    return ""


def stale_text(session: Session) -> str:
    """Return what stands beside an outcome of other choices, or of a pair while another is read; else empty."""
    if session.outcome is None:
        return ""
    if session.loader.busy:
        return "Result of the pair before – another one is read"
    name = method_of(session.outcome.job).name
    update = "" if session.running else " – press Run to update"
    return f"Previous result ({name}){update}" if session.stale else ""
