"""Kim, Na and Sim's table H of a small pair: the cell under the pointer with DX and DY, as in its Fig. 1."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.compare.distance_table import CellRole, SwapTableModel
from app.ui.comparison import Comparison
from app.ui.panel_view import PanelView
from app.ui.reported import reported
from app.ui.table_view import TableView
from app.ui.theme import Theme
from core.translate import tr

EXAMPLE = ("ababca", "cbacab")


class CellDelegate(QStyledItemDelegate):
    """Frames what the cell looked at is made of; the script stands in bold."""

    def __init__(self, model: SwapTableModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme

    @reported
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        i, j = index.row(), index.column()
        part, theme = self._model.part(i, j), self._theme
        paper, ink = theme.base, theme.text
        if part is CellRole.CELL:
            paper, ink = theme.accent, theme.ink_on(theme.accent)
        elif self._model.on_path(i, j):
            paper = theme.grid
        painter.save()
        painter.fillRect(option.rect, paper)
        if part in (CellRole.BESIDE, CellRole.SWAP):
            color: QColor = theme.band if part is CellRole.SWAP else theme.accent
            painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine if part is CellRole.SWAP else Qt.PenStyle.DotLine))
            painter.drawRect(option.rect.adjusted(2, 2, -3, -3))
        font = QFont(option.font)
        font.setBold(self._model.on_path(i, j))
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(option.rect, int(Qt.AlignmentFlag.AlignCenter), str(index.data()))
        painter.restore()


class SwapTableView(PanelView):
    """Signals:
    example_wanted: the two texts of the paper's example.
    """

    example_wanted = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SwapTableModel(self)
        self.table = TableView(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(CellDelegate(self.model, theme, self.table))
        self.table.setAccessibleName(tr("Distance table"))
        self.table.setMouseTracking(True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setCornerButtonEnabled(False)
        size = self.fontMetrics().height() + 10
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setDefaultSectionSize(size if header is self.table.verticalHeader() else size + 8)
            header.setMinimumSectionSize(12)
            header.setHighlightSections(True)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.lines = [QLabel(self) for _ in range(2)]
        for line in self.lines:
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setWordWrap(True)
            line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._message = QLabel(self)
        self._message.setWordWrap(True)
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._legend = QLabel(tr("solid frame: where a swap starts · dashed: the other three · grey: the path"), self)
        self._legend.setWordWrap(True)
        example = QPushButton(tr("Example of Kim 2015"), self)
        example.setToolTip(
            tr("Compare {a} with {b}, as in Fig. 1 of Kim, Na and Sim (2015)", a=EXAMPLE[0], b=EXAMPLE[1])
        )
        example.clicked.connect(self._want_example)
        top = QHBoxLayout()
        top.addWidget(self._message, 1)
        top.addWidget(example, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)
        for line in (*self.lines, self._legend):
            layout.addWidget(line)
        self.setFocusProxy(self.table)
        self.table.entered.connect(self._look)
        self.table.selectionModel().currentChanged.connect(self._look)
        self.model.looked.connect(self._explain)
        theme.changed.connect(self.table.viewport().update)
        self._explain()

    @Slot(QModelIndex)
    def _look(self, index: QModelIndex) -> None:
        self.model.look_at(index.row(), index.column())

    @Slot()
    def _explain(self) -> None:
        for line, text in zip(self.lines, self.model.explain(), strict=True):
            line.setText(text)
        self._message.setText(self.model.message or tr("H: edit distances with swaps of the beginnings of A and B"))
        for widget in (self.table, self._legend, *self.lines):
            widget.setVisible(not self.model.message)

    @Slot(object)
    def show_outcome(self, outcome: Comparison) -> None:
        self.model.show(outcome)

    @Slot()
    def _want_example(self) -> None:
        self.example_wanted.emit(*EXAMPLE)
