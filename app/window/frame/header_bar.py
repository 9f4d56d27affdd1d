"""Header of the window: both sequences, method and Run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QToolButton, QWidget

from wavediff.app.compare.pair.sequence_chip import SequenceChip
from wavediff.app.compare.pair.sequence_popover import SequencePopover
from wavediff.app.ui.buttons import icon
from wavediff.app.ui.chooser import Chooser, Segments
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.number_text import shared_start
from wavediff.app.ui.pair import Side
from wavediff.app.ui.theme import HEADER_CONTROL_PX, Theme
from wavediff.app.window.frame.actions import ORDERS, plain
from wavediff.app.window.frame.answer_text import stale_text
from wavediff.app.window.frame.options_popover import OptionsPopover
from wavediff.app.window.session import Session
from wavediff.core.methods import METHODS
from wavediff.core.methods.default import are_texts, obstacle
from wavediff.core.methods.edit import EDIT

HEIGHT_PX, MARGIN_PX, GAP_PX = 40, 8, 8
RUN_PX, SHORT_RUN_PX = 84, 40  # with its word, and without
COMPACT_PX = 1100  # below so wide a window one method is in sight
LEAST_METHOD = "Edit…"  # of the method that is chosen, before a name is cut
ARROW_PX = 36  # of a chooser, with the room around its text
CHIP_PX, LEAST_CHIP_PX = 180, 150  # that the segments must leave to each chip, and the order of the parts
OF_LETTERS, OF_UNITS = ([each for each in METHODS if each.of_letters is letters] for letters in (True, False))
OF_BLOCKS = (EDIT,)  # methods that align them
ALIGNED_BY = f"Blocks are aligned by {OF_BLOCKS[0].name}"
LETTERS = "letters"  # stands for the method of letters that was chosen last
WIDEN = 1000  # stretch of what takes all the room that there is
STOP_DELAY_MS = 150  # a run that is over before does not change the button


class HeaderBar(QWidget):
    """Attributes: chips, popovers: by side; signal ``open_wanted``, ``paste_wanted``: a ``Side``."""

    open_wanted = Signal(object)
    paste_wanted = Signal(object)

    def __init__(self, session: Session, theme: Theme, actions: Mapping[str, QAction]) -> None:
        super().__init__(accessibleName="Header")
        self._session, self._theme, self._actions = session, theme, actions
        self.setFixedHeight(HEIGHT_PX)
        self.chips = {side: SequenceChip(side, theme) for side in Side}
        self.popovers = {side: SequencePopover(side, theme, self) for side in Side}
        self.swap = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonIconOnly, autoRaise=True)
        self.swap.setDefaultAction(actions["swap"])
        self.swap.setFixedSize(HEADER_CONTROL_PX, HEADER_CONTROL_PX)
        self.order = Chooser[str]("Order of B's parts", self)
        group = QActionGroup(self)
        for id_ in ORDERS:
            self.order.add(id_, plain(actions[id_].text()), actions[id_].statusTip())
            group.addAction(actions[id_])
        self.methods: Segments[str] = Segments("Method", theme, header=True, parent=self)
        self.method_box = Chooser[str]("Method", self)
        self.method_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for box in (self.order, self.method_box):
            box.setProperty("control", "header")
            box.setFixedHeight(HEADER_CONTROL_PX)
        self._letters = OF_LETTERS[0].id  # the method of letters that texts are compared by
        for method in (*OF_LETTERS, *OF_UNITS):
            self.methods.add(method.id, method.name, method.tip)
        self.methods.add(LETTERS, "Letters", "Letters of two texts; the method is under Options")
        for method in METHODS:
            self.method_box.add(method.id, method.name, method.tip)
        self.options_button = QPushButton("Options", self)
        self.options_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.options_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow at the end
        self.run, self._short = QPushButton(self), False
        self._later = QTimer(self, singleShot=True, interval=STOP_DELAY_MS)
        self._lay_out()
        self._connect()
        self._restyle()
        self.refresh()
        self._show_pair()

    @cached_property
    def options_popover(self) -> OptionsPopover:
        """Return the popover of all options except the method, created on first use."""
        return OptionsPopover(self._session, self._theme, self)

    def _lay_out(self) -> None:
        row = in_row(
            (self.chips[Side.A], WIDEN),
            self.swap,
            (self.chips[Side.B], WIDEN),
            on=self,
            margin=(MARGIN_PX, 4, MARGIN_PX, 4),
            gap=GAP_PX,
        )
        row.addStretch(1)  # what is left when the chips are as wide as they get
        row.addWidget(self.order)
        row.addWidget(self.methods)
        row.addWidget(self.method_box, WIDEN // 4)
        for each in (self.options_button, self.run):
            row.addWidget(each)
        for button in (self.options_button, self.run):
            button.setProperty("control", "header")
            button.setFixedHeight(HEADER_CONTROL_PX)
        self._narrow()

    def _connect(self) -> None:
        session, actions = self._session, self._actions
        for side in Side:
            chip, popover = self.chips[side], self.popovers[side]
            chip.clicked.connect(self.open_a if side is Side.A else self.open_b)
            popover.open_wanted.connect(self.open_wanted)
            popover.paste_wanted.connect(self.paste_wanted)
            popover.reading_wanted.connect(session.read_again)
            popover.record_wanted.connect(session.choose_record)
        self.popovers[Side.B].orientation_wanted.connect(
            lambda strand, circular: session.orient(strand, circular=circular)
        )
        self.order.activated.connect(lambda: actions[self.order.value].trigger())
        self.methods.chosen.connect(self._choose)
        self.method_box.activated.connect(lambda: self._choose(self.method_box.value))
        self.options_button.clicked.connect(self.open_options)
        self.run.clicked.connect(lambda: actions["stop" if self.run.accessibleName() == "Stop" else "run"].trigger())
        self._later.timeout.connect(self._show_run)
        session.pair.changed.connect(self._show_pair)
        session.pair.answered.connect(self._show_chips)
        session.choices_changed.connect(self.refresh)
        session.phase_changed.connect(self._phase_changed)
        session.loader.changed.connect(self._show_loading)
        for action in (actions["run"], actions["stop"]):
            action.changed.connect(self._phase_changed)
        self._theme.changed.connect(self._restyle)

    # Sequences

    @Slot()
    def open_a(self) -> None:
        self.popovers[Side.A].open_under(self.chips[Side.A])

    @Slot()
    def open_b(self) -> None:
        self.popovers[Side.B].open_under(self.chips[Side.B])

    @Slot()
    def open_options(self) -> None:
        self.options_popover.open_under(self.options_button)

    @Slot()
    def _show_pair(self) -> None:
        session = self._session
        self.refresh()
        for side in Side:
            self.popovers[side].show_sequence(session.pair[side], session.want(side), session.n_records(side))
        self._show_chips()

    @Slot()
    def _show_chips(self) -> None:
        for side, chip in self.chips.items():
            if side not in self._session.loader.busy:
                self._show_chip(chip, side)

    def _show_chip(self, chip: SequenceChip, side: Side) -> None:
        by_lines = not self._session.choices.chosen.of_letters
        contigs = self._session.contigs.n_records if side is Side.B and self._session.placing else 0
        names = [one.name for one in self._session.pair.complete or ()]
        shared = shared_start(names) if len(set(names)) == 2 else ""
        chip.show_sequence(self._session.pair.shown(side), by_lines=by_lines, contigs=contigs, shared=shared)

    @Slot()
    def _show_loading(self) -> None:
        loader = self._session.loader
        share = min(1.0, loader.done / loader.total) if loader.total else None  # a file may be longer than Qt counts
        for side, chip in self.chips.items():
            busy = side in loader.busy
            if not busy:
                self._show_chip(chip, side)
            chip.show_loading(busy, loader.stage, share)

    def focused(self) -> Side | None:
        return next((side for side, chip in self.chips.items() if chip.hasFocus()), None)

    # Choices

    @Slot()
    def refresh(self) -> None:
        method, pair = self._session.choices.chosen, self._session.pair.complete or ()
        texts, apart = bool(pair) and are_texts(*pair), self._session.apart
        order = "contigs" if self._session.placing else "rearranged" if apart else "in_order"
        self.order.choose(order)
        self._actions[order].setChecked(True)
        self.order.allow("contigs", self._session.contigs.refusal)
        method = OF_BLOCKS[0] if apart else method
        for each in METHODS:
            why_not = ALIGNED_BY if apart and each not in OF_BLOCKS else obstacle(each, *pair)
            self.methods.offer(each.id, shown=texts != each.of_letters, why_not=why_not)
            self.method_box.allow(each.id, why_not)
        self.methods.offer(LETTERS, shown=texts)
        self.methods.offer(OF_UNITS[0].id, shown=True, why_not=obstacle(OF_UNITS[0], *pair))
        self._letters = method.id if method.of_letters else self._letters
        self.methods.choose(LETTERS if texts and method.of_letters else method.id)
        self.method_box.choose(method.id)
        self.order.setFixedWidth(_width_for(self.order, self.order.currentText()))  # not for the longest entry
        self._show_chips()
        self._narrow()
        self.popovers[Side.B].show_orientation(self._session.pair.orientation)
        self._show_run()

    @Slot(object)
    def _choose(self, method: str) -> None:
        if not self._session.apart:  # where it is that of blocks, which none can be chosen for
            self._session.choose(method=self._letters if method == LETTERS else method)

    # Run and Stop

    @property
    def _stops(self) -> bool:
        return self._actions["stop"].isEnabled()

    @Slot()
    def _phase_changed(self) -> None:
        if self._stops and self.run.accessibleName() != "Stop":
            if not self._later.isActive():
                self._later.start()
        else:
            self._later.stop()
            self._show_run()

    @Slot()
    def _show_run(self) -> None:
        stops = self._stops and not self._later.isActive()
        action = self._actions["stop" if stops else "run"]
        text = "Stop" if stops else "Run"
        primary = not stops and bool(stale_text(self._session))
        self.run.setText("" if self._short else text)
        self.run.setFixedWidth(SHORT_RUN_PX if self._short else RUN_PX)
        self.run.setAccessibleName(text)
        self.run.setToolTip(action.toolTip())
        self.run.setEnabled(action.isEnabled())
        if bool(self.run.property("primary")) != primary:
            self.run.setProperty("primary", primary)
            self.run.style().unpolish(self.run)
            self.run.style().polish(self.run)
        ink = self._theme.on_accent if primary else self._theme.text
        self.run.setIcon(icon("stop" if stops else "run", self._theme, ink))

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._narrow()

    def _narrow(self) -> None:
        offered = bool(self._session.pair.complete) and not self._session.blocks.refusal
        order = self.order.minimumWidth() + GAP_PX if offered else 0
        wide = order + self.methods.sizeHint().width() + self.options_button.sizeHint().width() + RUN_PX
        rest = self.width() - wide - HEADER_CONTROL_PX - 2 * MARGIN_PX - 6 * GAP_PX
        compact = self.width() < COMPACT_PX or rest < 2 * CHIP_PX
        self.methods.setVisible(not compact)
        method = _width_for(self.method_box, self.method_box.currentText())
        others = order + method + self.options_button.sizeHint().width() + RUN_PX
        chips = self.width() - others - HEADER_CONTROL_PX - 2 * MARGIN_PX - 5 * GAP_PX
        wanted = self.method_box.value in {each.id for each in OF_BLOCKS} and chips >= 2 * LEAST_CHIP_PX
        has_room = self.order.value != ORDERS[0] or wanted or not compact  # else the names have its room
        self.order.setVisible(offered and has_room)
        room = chips + method + (0 if has_room else order) - 2 * max(chip.name_width for chip in self.chips.values())
        only = self._session.apart and room < method  # one method aligns blocks: there is nothing to choose
        self.method_box.setVisible(compact and not only)
        least = 0 if only else min(method, _width_for(self.method_box, LEAST_METHOD))
        self.method_box.setMinimumWidth(min(method, max(least, room)))
        self._short = compact and room < least
        self._show_run()

    @Slot()
    def _restyle(self) -> None:
        self._actions["swap"].setIcon(icon("swap", self._theme))
        self.options_button.setIcon(icon("down", self._theme))
        self._show_run()


def _width_for(box: QComboBox, text: str) -> int:
    return box.fontMetrics().horizontalAdvance(text) + ARROW_PX
