"""Toolbar above the letters: stepping through differences, filter by kind, ``Go to``, display options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QCompleter, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from wavediff.app.compare.alignment_goto import HELP
from wavediff.app.ui.buttons import allow, icon
from wavediff.app.ui.labels import SentenceLabel
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.legend import KIND_PX, PLUS, paint_swatch
from wavediff.app.ui.number_text import as_wide_as
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.difference_index import OP_OF_KIND, Kinds, usual_kinds

HEIGHT_PX, FIELD_PX, LEAST_FIELD_PX = 32, 112, 56
PLACE_STRETCH = 100 * FIELD_PX  # the place has the room of one line before the field grows
TWO_LINES_SHARE = 0.6  # of the width of one line, which two lines of words take
TOLD_MS = 2000  # that something is said in place of the place
MARGIN_PX = 8
NOT_YET, NOT_LISTED = "not yet", "not listed"
NOT_ALIGNED = "Distance only: A and B are not aligned. To align them, choose a traceback under Options and press Run."
IN_ORDER = Kinds(32)  # blocks that are no difference
_COUNTED = {
    Kinds.MISMATCH: "Substitutions",
    Kinds.INSERTION: "Insertions",
    Kinds.DELETION: "Deletions",
    Kinds.SWAP: "Swaps",
    Kinds.APART: "Unknown, not counted as differences",
}


class Stepper(QWidget):
    """Shows external actions; owns the filter by kind and the ``Go to`` field.

    Signals:
        kinds_changed: the ``Kinds`` that count as differences.
        place_wanted: the text of ``Go to``. go_to_changed: the text changed.
        refused: the text is not a place.
    """

    kinds_changed = Signal(object)
    place_wanted = Signal(str)
    go_to_changed = Signal(str)
    refused = Signal()

    def __init__(self, theme: Theme, steps: dict[str, QAction], menu: QMenu) -> None:
        """Lay out ``steps`` as icons, two on each side of the position; ``menu``: display options."""
        super().__init__()
        self._theme, self._steps = theme, steps
        self.setFixedHeight(HEIGHT_PX)
        row = in_row(on=self, margin=(MARGIN_PX, 0, MARGIN_PX, 0), gap=0)
        self.place_label = SentenceLabel(2, align=Qt.AlignmentFlag.AlignCenter)
        self.place_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # as the field below
        buttons = [self._step_button(action) for action in steps.values()]
        for each in (*buttons[:2], self.place_label, *buttons[2:]):
            row.addWidget(each, PLACE_STRETCH if each is self.place_label else 0)
        row.addStretch(1)
        row.setSpacing(4)
        self.kind_buttons = {kind: self._kind_button() for kind in (IN_ORDER, *_COUNTED)}
        for kind_button in self.kind_buttons.values():
            row.addWidget(kind_button)
        self.field = QLineEdit(self, placeholderText="Go to")
        self.field.setToolTip(f"{HELP} (Ctrl+L)")
        self.field.setAccessibleName("Go to a place in the alignment")
        self.field.setMaximumWidth(FIELD_PX)
        self.field.setMinimumWidth(LEAST_FIELD_PX)
        self.field.returnPressed.connect(lambda: self.place_wanted.emit(self.field.text()))
        self.field.textEdited.connect(self.go_to_changed)
        self.field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # narrower before any button is
        row.addWidget(self.field, FIELD_PX)
        self._options = QToolButton(self, autoRaise=True, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self._options.setMenu(menu)
        self._options.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._options.setAccessibleName("View options")
        self._options.setToolTip("View options")
        row.addWidget(self._options)
        self._can_be_none = False  # no kind is chosen: steps go through something else
        self._where = ""
        self._signs: Mapping[Kinds, int] = {}  # of kinds that stand for others, as a swap for lines that moved
        self._told = QTimer(self, singleShot=True, interval=TOLD_MS)
        self._told.timeout.connect(self._show_where)
        theme.follow(self._recolor)
        self.show_counts(None)

    @property
    def kinds(self) -> Kinds:
        chosen = Kinds(sum(int(kind) for kind, button in self.kind_buttons.items() if button.isChecked()))
        return chosen or Kinds.ANY

    def show_kinds(self, kinds: Kinds) -> None:
        choosable = {} if self._can_be_none else self.kind_buttons
        there = {kind: button for kind, button in choosable.items() if not button.isHidden()}
        is_any = any(kind & kinds for kind in there)
        for kind, button in there.items():
            button.setChecked(bool(kind & kinds) or not is_any)
        self.kinds_changed.emit(self.kinds)

    def show_place(self, text: str, stale: str = "") -> None:
        """Show the position, e.g. ``difference 12 of 4,318``; greyed out if ``stale``."""
        self._where = text
        self._told.stop()
        self._show_where()
        self.setToolTip(stale)
        for part in (self.place_label, *self.kind_buttons.values()):
            part.setEnabled(not stale)

    def tell(self, text: str) -> None:
        """Show ``text`` for two seconds in place of the position."""
        self.place_label.set_text(text)
        self._told.start()

    @property
    def by_kinds(self) -> bool:
        return any(button.isChecked() and not button.isHidden() for button in self.kind_buttons.values())

    def show_counts(self, index: AlignmentIndex | None, own_steps: int = 0) -> None:
        """Show the number of letters by kind, sized for the largest; without ``index`` the counts are pending.

        Kinds that are counted separately are off if other kinds occur. With ``own_steps`` (disagreements of two
        alignments) no kind is on until the user chooses one. The field ``Go to`` is enabled for letters only.
        """
        if index is None:
            self._can_be_none = False
            self.show_steps("difference", None, {})
            return
        counts = {}
        for kind, what in _COUNTED.items():
            n = letters_of(index, kind)
            counts[kind] = n, f"{what}: {number(n) if kind is Kinds.SWAP else count(n, 'letter', 'letters')}"
        self._can_be_none = own_steps > 0
        if own_steps:
            self.show_steps("disagreement", own_steps, counts, Kinds(0))
        else:
            self.show_steps("difference", index.n_differences(), counts, usual_kinds(index))

    def show_steps(
        self, what: str, total: int | None, counts: Mapping[Kinds, tuple[int, str]],
        usual: Kinds = Kinds.ANY | IN_ORDER, signs: Mapping[Kinds, int] | None = None, widest: str = "",
    ) -> None:  # fmt: skip
        """Show number and name of each kind of step.

        Args:
            what: noun of a step. total: number of steps; None: unknown yet. usual: kinds that are on.
            signs: symbols of the kinds, if not those of differences.
            widest: longest position text; empty: ``what 12 of 34``.
        """
        if self._signs != (signs := signs or {}):
            self._signs = signs
            self._recolor()
        for kind, button in self.kind_buttons.items():
            n, text = counts.get(kind, (0, ""))
            button.setText(number(n))
            button.setVisible(n > 0)
            button.setChecked(n > 0 and bool(kind & usual))
            button.setAccessibleName(text or f"No {what} of this kind")
            button.setToolTip(text)
        most = number(as_wide_as(total or 0))
        none = f"There is no {what}"
        why_not = "No alignment yet: compare two sequences first" if total is None else "" if total else none
        texts = widest or f"{what} {most} of {most}", none, f"{what}s: {NOT_LISTED}"
        metrics = self.place_label.fontMetrics()
        whole = max(metrics.horizontalAdvance(each) for each in texts) + 2 * MARGIN_PX
        self.place_label.setMinimumWidth(round(whole * TWO_LINES_SHARE))
        self.place_label.setMaximumWidth(whole)
        for action in self._steps.values():
            allow(action, why_not)

    def set_menu(self, menu: QMenu) -> None:
        self._options.setMenu(menu)

    def set_names(self, names: Iterable[str]) -> None:
        """Set feature names for completion, shortest first; names that begin like numbers are omitted."""
        those = sorted({one for one in names if one[:1].isalpha()}, key=lambda one: (len(one), one))
        completer = QCompleter(those, self.field)
        completer.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)

    def focus_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _step_button(self, action: QAction) -> QToolButton:
        button = QToolButton(self, autoRaise=True)
        button.setDefaultAction(action)
        button.setAccessibleName(action.text())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _kind_button(self) -> QToolButton:
        button = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCheckable(True)
        button.setProperty("kind", True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setIconSize(QSize(KIND_PX, KIND_PX))
        button.clicked.connect(self._kind_clicked)
        return button

    @Slot()
    def _show_where(self) -> None:
        self.place_label.set_text(self._where)

    @Slot()
    def _kind_clicked(self) -> None:
        buttons = [button for button in self.kind_buttons.values() if not button.isHidden()]
        if not self._can_be_none and not any(button.isChecked() for button in buttons):
            sender = self.sender()
            if isinstance(sender, QToolButton):
                sender.setChecked(True)  # at least one kind stays
        self.kinds_changed.emit(self.kinds)

    @Slot()
    def _recolor(self) -> None:
        for name, action in self._steps.items():
            action.setIcon(icon(name, self._theme))
        self._options.setIcon(icon("view", self._theme))
        for kind, button in self.kind_buttons.items():
            button.setIcon(self._swatch(kind))

    def _swatch(self, kind: Kinds) -> QIcon:
        """Return the symbol of ``kind``; switched off: outline and letter only."""
        result, ratio = QIcon(), self.devicePixelRatioF()
        op = self._signs.get(kind, OP_OF_KIND.get(kind, PLUS))
        box = QRectF(0, 0, KIND_PX, KIND_PX)
        for state in (QIcon.State.On, QIcon.State.Off):
            pixmap = QPixmap(round(KIND_PX * ratio), round(KIND_PX * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setFont(self.font())
            paint_swatch(painter, box, op, self._theme, on=state is QIcon.State.On)
            painter.end()
            result.addPixmap(pixmap, QIcon.Mode.Normal, state)
        return result


def counted_kinds(index: AlignmentIndex) -> list[tuple[int, str]]:
    texts = {
        Kinds.MISMATCH: count(letters_of(index, Kinds.MISMATCH), "substitution", "substitutions"),
        Kinds.INSERTION: f"{count(letters_of(index, Kinds.INSERTION), 'letter', 'letters')} inserted",
        Kinds.DELETION: f"{count(letters_of(index, Kinds.DELETION), 'letter', 'letters')} deleted",
        Kinds.SWAP: count(letters_of(index, Kinds.SWAP), "swap", "swaps"),
        Kinds.APART: f"{number(letters_of(index, Kinds.APART))} unknown, not counted",
    }
    return [(OP_OF_KIND[kind], text) for kind, text in texts.items() if letters_of(index, kind)]


def letters_of(index: AlignmentIndex, kind: Kinds) -> int:
    """Return the number of columns of ``kind``; for swaps their number."""
    if kind is Kinds.SWAP:
        return index.n_differences(kind)
    return index.n_columns_of(kind)
