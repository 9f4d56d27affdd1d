"""Interface of the window for panels, pictures and commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from PySide6.QtWidgets import QWidget

from wavediff.app.compare.pair_view import PairView
from wavediff.app.ui.background_task import Turns
from wavediff.app.ui.pair import SharedCursor, Side
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.theme import Theme
from wavediff.app.window.session import Session
from wavediff.core.methods.base import Method

V = TypeVar("V", bound=PanelView)


class Shell(Protocol):
    """Attributes: frame: the window, as the parent of dialogs. pointer: the position under the pointer. turns: queue
    that shows the parts of a result. views, areas: of the panels, by id; an area scrolls its view."""

    session: Session
    theme: Theme
    pointer: SharedCursor
    turns: Turns
    alignment: PairView
    views: Mapping[str, PanelView]
    areas: Mapping[str, QWidget]

    @property
    def frame(self) -> QWidget: ...

    def view(self, kind: type[V]) -> V:
        """Return the view of a panel by its class."""

    def bring_up(self, id_: str) -> None:
        """Show a panel without moving the focus."""

    def show_panel(self, id_: str) -> None:
        """Show a panel, ready for use: *Many pairs* asks for files."""

    def show_place(self, side: Side, start: int, end: int) -> None:
        """Select letters ``start`` to ``end`` (0-based) of the file of one sequence."""

    def show_pair(self, a: Any, i: int, b: Any, j: int, method: Method) -> None:
        """Compare two records and show their alignment."""
