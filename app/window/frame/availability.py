"""Reasons why actions of the window cannot be done now."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wavediff.app.ui.pair import Side
from wavediff.app.window.pair.history import History
from wavediff.app.window.pair.session import Session

Reason = Callable[[Session], str]
STRAND = "the reverse complement and an origin are for DNA and RNA"


def _pair(session: Session) -> str:
    missing = " and ".join(side.value for side in Side if session.pair[side] is None)
    return f"{missing} missing: drop a file, open one or paste text" if missing else ""


def _strand(session: Session) -> str:
    both = session.pair.complete or ()
    other = next((one for one in both if not one.alphabet.is_nucleotide and len(one)), None)
    return _pair(session) or ("" if other is None else f"{other.name} is {other.alphabet}: {STRAND}")


def _answer(session: Session) -> str:
    return "" if session.outcome is not None else "No answer yet: compare two sequences first"


def _timings(session: Session) -> str:
    return "" if session.timings.height() else "No run yet: nothing was timed"


def _run(session: Session) -> str:
    return "" if session.loader.busy or session.busy else "Nothing is running"


def _map(session: Session) -> str:
    return "" if session.wavefront.n_cells else "No map yet: compare two sequences first"


def _letters(session: Session) -> str:
    return "" if any(session.pair[side] is not None for side in Side) else "Nothing is open"


REASONS: Mapping[str, Reason] = {
    "run": _pair,
    "swap": _pair,
    "reverse_b": _strand,
    "orient_b": _strand,
    "export": _answer,
    "copy_timings": _timings,
    "save_timings": _timings,
    "stop": _run,
    "fit": _map,
    "zoom_in": _letters,
    "zoom_out": _letters,
}


def why_not(id_: str, session: Session, history: History) -> str:
    """Return why an action of ``actions.SPECS`` cannot be done now; empty where it can be."""
    if id_ == "undo":
        return "" if history.undo_text else "Nothing to undo"
    if id_ == "redo":
        return "" if history.redo_text else "Nothing to redo"
    return REASONS[id_](session) if id_ in REASONS else ""
