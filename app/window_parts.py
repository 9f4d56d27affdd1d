"""The parts of the window that its commands work on; ``MainWindow`` makes them."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.models.cursor import Cursor
from app.session import Session
from app.theme import Theme
from app.views.alignment import AlignmentView
from app.views.bwt import BwtView
from app.views.many_pairs import ManyPairsView
from app.views.race import RaceView
from app.views.search import SearchView
from app.views.sequences import SequencesView
from app.views.timings import TimingsView


class WindowParts(QMainWindow):
    """Attributes:
    session, theme: what is shown, and how.
    actions_by_id: an action for each ``actions.Spec``.
    pointer: the place under it.
    sequences, alignment, timings, many, bwt, search, race: views.
    docks: by name. wavefront: None until pyqtgraph is imported.
    """

    session: Session
    theme: Theme
    pointer: Cursor
    actions_by_id: dict[str, QAction]
    sequences: SequencesView
    alignment: AlignmentView
    timings: TimingsView
    many: ManyPairsView
    bwt: BwtView
    search: SearchView
    race: RaceView
    docks: dict[str, QDockWidget]
    wavefront: Any
