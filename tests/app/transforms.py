"""Texts, and windows that have transformed them."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from wavediff.app.bwt.bwt_session import MAX_TABLE_LETTERS
from wavediff.app.bwt.indexed_text import IndexedText, Source
from wavediff.app.window.session import Session

TEXT = "banana"
WAIT = 60_000  # kernels may be compiled


def transformed(qtbot: QtBot, session: Session, source: Source = Source.A, **texts: str) -> IndexedText:
    """Open ``a`` and ``b`` as text and transform what is asked for."""
    for side in texts.values():
        session.open_text(side)
        qtbot.waitUntil(lambda: not session.loader.busy, timeout=WAIT)
    session.transform.source = source
    with qtbot.waitSignal(session.transform.built, timeout=WAIT, check_params_cb=lambda one: one is not None):
        session.transform.run()
    shown = session.transform.current
    assert shown is not None
    return shown


def long_text() -> str:
    rng = np.random.default_rng(4)
    return "".join("acgt"[k] for k in rng.integers(0, 4, MAX_TABLE_LETTERS + 500)) + "x" * 300
