"""Read-only tables: model, view, delegates, and tables of figures with a caption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QToolButton, QWidget

from wavediff.app.ui.buttons import icon
from wavediff.app.ui.labels import ElidedLabel, show_tip
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, number, plain_number

Index = QModelIndex | QPersistentModelIndex


class Table(QAbstractTableModel):
    """Base model; subclasses implement ``text``, or ``cell`` for other roles.

    Attributes:
        rows: the shown rows; very long tables define ``height`` instead.
        columns: headings.
        tips: of headings, by column.
        left: left-aligned columns of words; figures are right-aligned.
        greatest_first: columns that the first click sorts in descending order.
        tsv_columns: headings of the copied table; empty: ``columns``.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    tips: ClassVar[Mapping[int, str]] = {}
    left: ClassVar[frozenset[int]] = frozenset({0})
    greatest_first: ClassVar[frozenset[int]] = frozenset()
    tsv_columns: ClassVar[tuple[str, ...]] = ()
    rows: tuple[Any, ...] = ()

    def set_rows(self, rows: Iterable[Any]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def height(self) -> int:
        return len(self.rows)

    @property
    def n_rows(self) -> int:
        return self.height()

    def values(self, row: int) -> Iterable[object]:
        """Return the fields of a copied row; figures without separators of thousands."""
        shown = [str(self.index(row, column).data() or "") for column in range(len(self.columns))]
        return (text if column in self.left else plain_number(text) for column, text in enumerate(shown))

    def tsv(self, rows: Iterable[int] | None = None) -> str:
        """Return headings and ``rows`` (None: all) as tab-separated text with plain numbers."""
        head = self.tsv_columns or map(self.heading, range(len(self.columns)))
        lines = [head, *map(self.values, range(self.n_rows) if rows is None else rows)]
        return "".join("\t".join(map(_plain, fields)) + "\n" for fields in lines)

    def cell(self, row: int, column: int, role: int) -> Any:
        """Return the data of a cell for ``role``, or None."""
        return self.text(row, column) if role == Qt.ItemDataRole.DisplayRole else None

    def text(self, row: int, column: int) -> str | None:
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

    A model returns None if it fails (``wavediff.app.ui.reported``), so use ``index.data(role) or ...``.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme


class BarDelegate(ThemedDelegate):
    """Paints bars in cells; ``draw``: paints the model's ``BARS_ROLE`` data into a box."""

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
LEAST_STRETCHED_PX, CELL_PX = 150, 16  # of a stretched column, and around its text
MEASURED = 200  # rows whose texts are looked at for a width
MAX_COPIED_ROWS = 100_000
COPY_KEY = "Ctrl+C", "Copy the selected rows as TSV, or all"


class TableView(QTableView):
    """Selects and copies whole rows; Tab leaves the table, arrow keys move inside.

    Args:
        name: content of the table, for screen readers.
        striped: shade every second row.
    """

    def __init__(self, model: Table, name: str, parent: QWidget | None = None, *, striped: bool = False) -> None:
        super().__init__(parent, showGrid=False, wordWrap=False)
        self._table = model
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
        self._stretched, self._whole = tuple[int, ...](), False

    @property
    def selected(self) -> Sequence[int]:
        """Selected rows, in order."""
        spans = self.selectionModel().selection()
        areas = (spans.at(k) for k in range(spans.count()))
        return sorted({row for area in areas for row in range(area.top(), area.bottom() + 1)})

    def copy(self, rows: Sequence[int]) -> None:
        """Copy ``rows`` as TSV with headings, and show their number in the notices of the panel."""
        text = f"{number(len(rows))} rows are too many to copy: save the list instead"
        if not rows:
            text = "There are no rows to copy"
        elif len(rows) <= MAX_COPIED_ROWS:
            QGuiApplication.clipboard().setText(self._table.tsv(rows))
            text = f"{count(len(rows), 'row', 'rows')} copied as TSV"
        panel: QWidget | None = self
        while panel is not None and not isinstance(panel, PanelView):
            panel = panel.parentWidget()
        if panel is not None:
            panel.tell(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selected rows (without a selection all), where Qt would copy one cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy(self.selected or range(self._table.n_rows))
        else:
            super().keyPressEvent(event)

    def stretch(self, *columns: int, contents: bool = True, whole: bool = False) -> None:
        """Let ``columns`` share the remaining width, but keep them readable: else the table scrolls.

        Args:
            contents: fit the other columns to their contents; False: keep their widths.
            whole: the table is at least as wide as its columns.
        """
        if contents:
            self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if not self._stretched:
            for signal in (self.model().modelReset, self.model().rowsInserted, self.model().dataChanged):
                signal.connect(self.fit)
        self._stretched, self._whole = columns, whole
        self.fit()

    @Slot()
    def fit(self) -> None:
        header, mode = self.horizontalHeader(), QHeaderView.ResizeMode
        least = {column: self._least(column) for column in self._stretched if column < header.count()}
        header.length()  # sections that follow their contents do so now
        others = sum(header.sectionSize(k) for k in range(header.count()) if k not in least)
        needed = others + sum(least.values())
        fits = self.viewport().width() >= needed
        if self._whole:
            self.setMinimumWidth(needed + 2 * self.frameWidth() + self.verticalScrollBar().sizeHint().width())
        for column, width in least.items():
            header.setSectionResizeMode(column, mode.Stretch if fits else mode.Fixed)
            if not fits:
                header.resizeSection(column, width)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), super().sizeHint().height()) if self._whole else super().sizeHint()

    def _least(self, column: int) -> int:
        model, n_rows = self.model(), self.model().rowCount()
        rows = *range(min(n_rows, MEASURED)), n_rows - 1  # the last of places in order is the widest
        texts = (str(model.index(row, column).data() or "") for row in rows)
        longest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        return max(min(longest + CELL_PX, LEAST_STRETCHED_PX), self.heading_px(column))

    def heading_px(self, column: int) -> int:
        return self.horizontalHeader().sectionSizeHint(column)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._stretched:
            self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the whole text of a truncated cell as its tooltip."""
        if isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            cut = self.sizeHintForIndex(index).width() > self.visualRect(index).width()
            if cut and not index.data(Qt.ItemDataRole.ToolTipRole):
                return show_tip(event, str(index.data() or ""), self)
        return super().viewportEvent(event)

    def sizeHintForRow(self, row: int) -> int:
        return super().sizeHintForRow(row) + ROW_GAP_PX


class Figures(Table):
    """Table that can be copied.

    Attributes:
        note: one line on the subject of the figures. apart: the figures are not of a global comparison.
    """

    note, apart = "", False

    def fields(self, row: Any) -> Iterable[object]:
        """Return the values of a row of ``rows`` for ``tsv_columns``; None: empty."""
        raise NotImplementedError

    def values(self, row: int) -> Iterable[object]:
        return self.fields(self.rows[row])


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.9g}" if abs(value) < 1e6 else str(value)
    text = "" if value is None else str(value).replace("\t", " ").replace("\n", " ")
    return f"'{text}" if isinstance(value, str) and text[:1] in {"=", "+", "-", "@"} else text  # no formula


class FiguresTable(PanelView):
    """Args: name: for screen readers. stretch: the column that takes the remaining width."""

    keys: ClassVar[tuple[tuple[str, str], ...]] = (COPY_KEY,)

    def __init__(self, model: Figures, name: str, stretch: int, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._stale = ""
        self.line = ElidedLabel(parent=self)
        self.table = TableView(model, name, self, striped=True)
        self.table.horizontalHeader().setMinimumSectionSize(48)
        rows = self.table.verticalHeader()
        rows.setMinimumSectionSize(rows.defaultSectionSize())
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)  # a few dozen rows at most
        self.table.setWordWrap(True)
        self.table.stretch(stretch)
        self._top = in_row((self.line, 1))
        self._icons: dict[QToolButton, str] = {}
        self.copy_button = self.add_button("Copy", "Copy the whole table as TSV", "copy", self.copy)
        in_column(self._top, (self.table, 1), on=self, margin=4, gap=4)
        self.setFocusProxy(self.table)
        theme.changed.connect(self._restyle)
        for signal in (model.modelReset, model.rowsInserted):
            for slot in (self._show_model, self._restyle):
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

    @property
    def message(self) -> str:
        return "" if self._model.height() else self.line.text

    def set_stale(self, text: str) -> None:
        """Grey out the figures with ``text`` before the caption; empty: current again."""
        if text != self._stale:
            self._stale = text
            self._show_model()
            self._restyle()

    @Slot()
    def copy(self) -> None:
        self.table.copy(range(self._model.height()))

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
