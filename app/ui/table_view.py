"""Read-only tables: model, view, delegates, and tables of figures with a caption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QToolButton, QWidget

from wavediff.app.ui.buttons import icon
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex


class Table(QAbstractTableModel):
    """Base model; subclasses implement ``cell``.

    Attributes:
        rows: what is shown; a table of very many, or of those in sight, has a ``height`` of its own and no ``rows``.
        columns: headings.
        tips: of headings, by column.
        left: columns of words; the others have figures, which keep to the right.
        greatest_first: columns whose greatest values the first click on the heading brings up.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    tips: ClassVar[Mapping[int, str]] = {}
    left: ClassVar[frozenset[int]] = frozenset({0})
    greatest_first: ClassVar[frozenset[int]] = frozenset()
    rows: tuple[Any, ...] = ()

    def set_rows(self, rows: Iterable[Any]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def height(self) -> int:
        return len(self.rows)

    def cell(self, row: int, column: int, role: int) -> Any:
        """Return the data of a cell for ``role``, or None."""
        raise NotImplementedError

    def heading(self, column: int) -> str:
        return self.columns[column]

    def tip(self, column: int) -> str:
        return self.tips.get(column, "")

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.height()

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heading(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        if role == Qt.ItemDataRole.InitialSortOrderRole and section in self.greatest_first:
            return Qt.SortOrder.DescendingOrder
        return self.tip(section) or None if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        return self.cell(index.row(), index.column(), role)

    def _side(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignLeft if column in self.left else Qt.AlignmentFlag.AlignRight
        return int(side | Qt.AlignmentFlag.AlignVCenter)


BARS_ROLE = int(Qt.ItemDataRole.UserRole) + 1  # what the bars of a cell show


class ThemedDelegate(QStyledItemDelegate):
    """Paints in the current colours of ``theme``.

    A model answers None to whatever it fails at (``wavediff.app.ui.reported``), so ask for a role with
    ``index.data(role) or ...``.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme


class BarDelegate(ThemedDelegate):
    """Paints bars in cells.

    Args:
        draw: paints what the model has for ``BARS_ROLE`` into a box.
    """

    def __init__(self, theme: Theme, parent: QWidget, draw: Callable[[QPainter, QRectF, Theme, Any], object]) -> None:
        super().__init__(theme, parent)
        self._draw = draw

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if (bars := index.data(BARS_ROLE)) is not None:
            self._draw(painter, QRectF(option.rect).adjusted(6, 4, -6, -4), self._theme, bars)


ROW_PX, ROW_GAP_PX = 24, 6  # pixels of a row, unless its font needs more, and those between two


class TableView(QTableView):
    """Selects whole rows; Tab leaves the table, arrow keys move inside.

    Args:
        name: what the table holds, for screen readers.
        striped: every second row is shaded.
    """

    def __init__(
        self, model: QAbstractItemModel, name: str, parent: QWidget | None = None, *, striped: bool = False
    ) -> None:
        super().__init__(parent, showGrid=False, wordWrap=False)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)  # Qt has it on: Tab then goes from cell to cell for ever
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(striped)
        self.horizontalHeader().setHighlightSections(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # a million rows are not measured one by one
        rows.setDefaultSectionSize(max(ROW_PX, self.fontMetrics().height() + ROW_GAP_PX))

    def sizeHintForRow(self, row: int) -> int:
        return super().sizeHintForRow(row) + ROW_GAP_PX


class Figures(Table):
    """Table that can be copied.

    Attributes:
        note: one line on what the figures are of. apart: they are of contigs, not of the comparison from end to end.
    """

    note, apart = "", False

    def tsv(self) -> str:
        raise NotImplementedError


LEAST_STRETCHED_PX = 150


class FiguresTable(PanelView):
    """Args: name: for the clipboard message and screen readers. stretch: the column that takes the remaining width."""

    keys: ClassVar[tuple[tuple[str, str], ...]] = (("Ctrl+C", "Copy the table as TSV"),)

    def __init__(self, model: Figures, name: str, stretch: int, theme: Theme) -> None:
        super().__init__()
        self._model, self._name, self._theme = model, name, theme
        self._stale, self._stretched = "", stretch
        self.line = ElidedLabel(parent=self)
        self.table = TableView(model, name, self, striped=True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        rows = self.table.verticalHeader()
        rows.setMinimumSectionSize(rows.defaultSectionSize())
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)  # a few dozen rows at most
        self.table.setWordWrap(True)
        self._top = in_row((self.line, 1))
        self._icons: dict[QToolButton, str] = {}
        self.copy_button = self.add_button("Copy", "Copy the table as TSV (Ctrl+C)", "copy", self.copy)
        in_column(self._top, (self.table, 1), on=self, margin=4, gap=4)
        self.setFocusProxy(self.table)
        theme.changed.connect(self._restyle)
        for signal in (model.modelReset, model.rowsInserted):
            for slot in (self._show_model, self._restyle, self._fit):
                signal.connect(slot)
        self._restyle()
        self._show_model()

    def add_button(self, text: str, tip: str, sign: str, slot: Callable[[], object]) -> QToolButton:
        """Add a button next to the caption, enabled if the table has rows."""
        button = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setText(text)
        button.setToolTip(tip)
        button.setIcon(icon(sign, self._theme))
        button.setEnabled(self._model.height() > 0)
        button.clicked.connect(slot)
        self._icons[button] = sign
        self._top.addWidget(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Stretch the column, but not below a readable width: then the table scrolls."""
        header, stretched = self.table.horizontalHeader(), self._stretched
        wide = (max(self.table.sizeHintForColumn(k), header.sectionSizeHint(k)) for k in range(header.count()))
        others = sum(each for k, each in enumerate(wide) if k != stretched)
        index, metrics = self._model.index, self.table.fontMetrics()
        texts = (str(index(row, stretched).data() or "") for row in range(self._model.height()))
        least = min(max(map(metrics.horizontalAdvance, texts), default=0) + 16, LEAST_STRETCHED_PX)
        least = max(least, header.sectionSizeHint(stretched))
        fits = self.table.viewport().width() - others >= least
        mode = QHeaderView.ResizeMode.Stretch if fits else QHeaderView.ResizeMode.Fixed
        header.setSectionResizeMode(stretched, mode)
        if not fits:
            header.resizeSection(stretched, least)

    def set_stale(self, text: str) -> None:
        """Grey out the figures with ``text`` before the caption; empty: current again."""
        if text != self._stale:
            self._stale = text
            self._show_model()
            self._restyle()

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._model.tsv())
        self.tell(f"{self._name} copied as TSV")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._model.height():
            self.copy()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _show_model(self) -> None:
        rows = self._model.height()
        stale = "" if self._model.apart else self._stale
        note = self._model.note or ("" if rows or stale else "Nothing compared yet")
        self.line.set_text(" · ".join(filter(None, (stale, note))))
        for button in self._icons:
            button.setEnabled(rows > 0)

    @Slot()
    def _restyle(self) -> None:
        for button, sign in self._icons.items():
            button.setIcon(icon(sign, self._theme))
        palette = self.palette()
        if self._stale and not self._model.apart:
            palette.setColor(QPalette.ColorRole.Text, self._theme.dim)
        self.table.setPalette(palette)
        self.table.viewport().update()
