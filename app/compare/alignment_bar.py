"""The row of controls over the letters: differences, kinds, go to, wrapping, size, colours."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from app.compare.alignment_goto import HELP
from app.compare.alignment_model import KIND_NAMES
from app.ui.flow_layout import FlowLayout
from app.ui.labels import ElidedLabel
from app.ui.theme import Theme
from core.jobs.alignment_index import AlignmentIndex
from core.jobs.difference_index import Kinds
from core.translate import tr


class AlignmentBar(QWidget):
    """Shows actions made elsewhere and owns the filter by kind and the field of ``Go to``.

    Signals:
        kinds_changed: the ``Kinds`` that count as differences now.
        place_wanted: the text of ``Go to``.
    """

    kinds_changed = Signal(object)
    place_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = FlowLayout(self, spacing=4)
        self._row.setContentsMargins(8, 4, 8, 4)
        self._kinds: dict[Kinds, QToolButton] = {}
        self._place = QLabel(self)
        self._place.setTextFormat(Qt.TextFormat.PlainText)
        self._stale = ElidedLabel(parent=self, whole=True)
        self._stale.setObjectName("stale")
        self._stale.hide()
        self._field = QLineEdit(self)
        self._field.setPlaceholderText("Go to…")
        self._field.setToolTip(f"{tr(HELP)} (Ctrl+L)")
        self._field.setAccessibleName("Go to a place in the alignment")
        self._field.setClearButtonEnabled(True)
        self._field.setMaximumWidth(150)
        self._field.setMinimumWidth(70)
        self._field.returnPressed.connect(self._send_place)
        theme.changed.connect(self._recolor)

    def fill(self, steps: list[QAction], looks: list[QAction]) -> None:
        """Lay out the bar: ``steps`` at the left, ``looks`` at the right."""
        for action in steps:
            self._row.addWidget(self._button(action))
        self._row.addWidget(self._stale)
        self._row.addWidget(self._place)
        for kind in KIND_NAMES:
            self._row.addWidget(self._kind_button(kind))
        self._row.stretch_here()
        self._row.addWidget(self._field)
        for action in looks:
            self._row.addWidget(self._button(action))
        self._recolor()

    @property
    def kinds(self) -> Kinds:
        """Return the kinds switched on; never none."""
        chosen = Kinds(sum(int(kind) for kind, button in self._kinds.items() if button.isChecked()))
        return chosen or Kinds.ANY

    def show_place(self, text: str, stale: str = "") -> None:
        """Show where among the differences one is, e.g. ``difference 12 of 4,318``; greyed where that is ``stale``."""
        self._place.setText(text)
        self._stale.set_text(stale)
        self._stale.setVisible(bool(stale))
        for part in (self._place, *self._kinds.values()):
            part.setEnabled(not stale)

    def show_counts(self, index: AlignmentIndex | None) -> None:
        """Show how many differences there are of each kind; a kind that does not occur has no button."""
        for kind, button in self._kinds.items():
            count = index.n_differences(kind) if index is not None else 0
            button.setText(f"{count:,}")
            button.setVisible(count > 0)
            button.setChecked(count > 0)
            button.setToolTip(f"Count every {KIND_NAMES[kind]} among the differences ({count:,})")
            button.setAccessibleName(f"{count:,} times {KIND_NAMES[kind]}")

    def focus_field(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setAccessibleName(action.text())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if action.menu() is not None:
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _kind_button(self, kind: Kinds) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.setVisible(False)
        button.clicked.connect(self._kind_clicked)
        self._kinds[kind] = button
        return button

    @Slot()
    def _send_place(self) -> None:
        self.place_wanted.emit(self._field.text())

    @Slot()
    def _kind_clicked(self) -> None:
        shown = [button for button in self._kinds.values() if not button.isHidden()]
        if not any(button.isChecked() for button in shown):
            sender = self.sender()
            if isinstance(sender, QToolButton):
                sender.setChecked(True)  # at least one kind stays
        self.kinds_changed.emit(self.kinds)

    @Slot()
    def _recolor(self) -> None:
        fills = {
            Kinds.MISMATCH: (self._theme.mismatch, "X"),
            Kinds.INSERTION: (self._theme.insertion, "I"),
            Kinds.DELETION: (self._theme.deletion, "D"),
            Kinds.SWAP: (self._theme.swap_kind.strong, "×"),
        }
        for kind, button in self._kinds.items():
            fill, letter = fills[kind]
            button.setIcon(self._swatch(fill, letter))
            button.setIconSize(QSize(16, 16))

    def _swatch(self, fill: QColor, letter: str) -> QIcon:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(16 * ratio), round(16 * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(fill)
        painter = QPainter(pixmap)
        font = self.font()
        font.setPixelSize(12)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self._theme.ink_on(fill))
        painter.drawText(0, 0, 16, 16, int(Qt.AlignmentFlag.AlignCenter), letter)
        painter.end()
        return QIcon(pixmap)
