"""The parts of the window that its commands work on; ``MainWindow`` makes them."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.batch.batch_view import BatchView
from app.bwt.bwt_view import BwtView
from app.compare.alignment_view import AlignmentView
from app.compare.timings_view import TimingsView
from app.race.race_view import RaceView
from app.search.search_view import SearchView
from app.ui.shared_cursor import SharedCursor
from app.ui.theme import Theme
from app.window.sequences import SequencesView
from app.window.session import Session


class WindowWidgets(QMainWindow):
    """Attributes:
    session, theme: what is shown, and how.
    actions_by_id: an action for each ``actions.Spec``.
    pointer: the place under it.
    sequences, alignment, timings, many, bwt, search, race: views.
    docks: by name. wavefront: None until pyqtgraph is imported.
    """

    session: Session
    theme: Theme
    pointer: SharedCursor
    actions_by_id: dict[str, QAction]
    sequences: SequencesView
    alignment: AlignmentView
    timings: TimingsView
    many: BatchView
    bwt: BwtView
    search: SearchView
    race: RaceView
    docks: dict[str, QDockWidget]
    wavefront: Any
