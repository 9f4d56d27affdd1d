"""Race panel: lanes, kernel selection, table, picture."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHeaderView, QLabel, QPushButton, QSpinBox, QWidget

from wavediff.app.race.race_lane_view import LaneView, RaceLane
from wavediff.app.race.race_session import Race
from wavediff.app.race.race_table import BAR_COLUMN, COLUMNS, RaceTable, paint_stages, stage_legend
from wavediff.app.ui.chooser import Chooser
from wavediff.app.ui.labels import ElidedLabel, ProgressLine
from wavediff.app.ui.layouts import FlowLayout, as_one_widget, in_column, in_row
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.picture_sheet import END_MS, Moments, Pictured, Sheet, even, light, pair_title
from wavediff.app.ui.save_dialog import ask_save
from wavediff.app.ui.table_view import COPY_KEY, BarDelegate, TableView
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import printable
from wavediff.core.export.race import RaceAnswer
from wavediff.core.export.recipe import Recipe, recipe_of
from wavediff.core.export.registry import RACE, Format
from wavediff.core.jobs.choices import gpu_unused
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.base import Method, RaceKernel
from wavediff.core.methods.race_job import AUTO_ROUNDS, MAX_KERNELS, MAX_ROUNDS, race_kernels
from wavediff.core.methods.race_result import RaceEntryResult
from wavediff.core.sequences.letter_rules import CaseRule

# The chart needs the room most: where it has less, columns are left to the tool tips and to what is copied.
LEFT_OUT, LEAST_CHART_PX = ("Device", "Compile", "Computed", "GCUPS", "Ratio", "Answer"), 100
LESS_ROWS = 2  # of the table in a low panel, where it is scrolled
MIN_LANE_PX = 220  # pixels; where there is less for each, lanes stand in two rows
ROUNDS_TIP = "Runs of each kernel; the fastest counts. Auto: three times where a run takes less than a second"
RUN_TIP = (
    "Race the selected kernels on A and B (Ctrl+Enter)\n"
    "One after the other: concurrent kernels would compete for cores, caches and memory. Compilation is not counted."
)


class RaceView(PanelView):
    """Lanes and table of a race, and the kernel selection."""

    keys = (("Ctrl+Enter", "Race"), COPY_KEY)

    def __init__(self, session: Race, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self._method = Chooser[Method]("What the kernels compute", self)
        self._path, self._rounds = QCheckBox("With the alignment", self), QSpinBox(self)
        self.run_button, self.stop_button, self.copy_button, self.save_button = (
            QPushButton(text, self) for text in ("Race", "Stop", "Copy", "Save…")
        )
        self.choices = RaceChoices(session, theme)
        self.verdict = QLabel(self)
        self.instead_button = QPushButton("Stop the run, then race", self)
        self._progress = ProgressLine(self)
        self.lanes = [LaneView(lane, theme) for lane in session.lanes]
        self._track = QWidget(self)
        self.model = RaceTable(self)
        self.table = race_table_view(self.model, theme, self)
        self.table.setMinimumHeight(
            self.table.maximumHeight() - LESS_ROWS * self.table.verticalHeader().defaultSectionSize()
        )
        self._across = 0
        self._build()
        self._method.activated.connect(self._set_up)
        self._path.clicked.connect(self._set_up)
        self._rounds.valueChanged.connect(self._set_up)
        self.run_button.clicked.connect(session.run)
        self.instead_button.clicked.connect(session.run_instead)
        self.stop_button.clicked.connect(session.stop)
        self.copy_button.clicked.connect(self.copy)
        self.save_button.clicked.connect(self.ask_and_save)
        session.changed.connect(self.refresh)
        session.lined_up.connect(self._line_up)
        session.finished.connect(self.refresh)
        theme.changed.connect(self._restyle)
        self._line_up()
        self._restyle()
        self.refresh()

    def _build(self) -> None:
        for one in METHODS:
            if one.race_kernels:
                self._method.add(one, one.name)
        self._method.setToolTip("Method of the kernels in the race")
        self._path.setToolTip("Each kernel also finds the alignment, which is compared too")
        self._rounds.setRange(AUTO_ROUNDS, MAX_ROUNDS)
        self._rounds.setSpecialValueText("Auto")
        self._rounds.setKeyboardTracking(False)
        self._rounds.setAccessibleName("Rounds")
        self._rounds.setToolTip(ROUNDS_TIP)
        self.run_button.setToolTip(plain_tip(RUN_TIP))
        self.instead_button.setToolTip("Stop the running comparison, then race")
        self.stop_button.setToolTip("Stop the race; results so far stay visible (Esc)")
        self.copy_button.setToolTip("Copy the whole table as TSV")
        self.save_button.setToolTip("Save all figures as JSON, or the table as TSV")
        self.verdict.setWordWrap(True)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._progress.setFixedHeight(5)
        label = QLabel("Rounds", self)
        label.setBuddy(self._rounds)
        rounds = as_one_widget(label, self._rounds)
        first = FlowLayout(self._method, self._path, rounds, last=(self.run_button, self.stop_button))
        track = QGridLayout(self._track)
        track.setContentsMargins(0, 0, 0, 0)
        track.setSpacing(6)
        last = in_row((stage_legend(self._theme), 1), self.copy_button, self.save_button)
        said = in_row((self.verdict, 1), self.instead_button)
        above = first, self.choices, self._progress, said  # the answer: where a low panel shows it
        in_column(*above, (self._track, 1), self.table, last, on=self, margin=4, gap=4)
        self.setFocusProxy(self.run_button)

    def showEvent(self, event: QShowEvent) -> None:
        """Check for a graphics card whenever the panel becomes visible."""
        super().showEvent(event)
        self._session.ask()

    def _arrange(self) -> None:
        self._widen()
        n = max(1, self._session.n_lanes)
        across = n if self.width() >= MIN_LANE_PX * n else min(2, n)
        track = self._track.layout()
        if across == self._across or not isinstance(track, QGridLayout):
            return
        self._across = across
        for at, view in enumerate(self.lanes):
            track.addWidget(view, at // across, at % across)
            track.setColumnStretch(at, int(at < across))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot()
    def refresh(self) -> None:
        session = self._session
        self._method.choose(session.method)
        self._path.setChecked(session.path)
        with QSignalBlocker(self._rounds):
            self._rounds.setValue(session.rounds)
        self.run_button.setEnabled(bool(session.chosen) and not session.running)
        self.stop_button.setEnabled(session.running)
        self._progress.show_share(None if session.running and not session.share else session.share)
        disturbed = session.outcome is not None and session.outcome.disturbed
        texts = session.status, "Timing disturbed: another job ran meanwhile" if disturbed else "", session.outdated
        self.verdict.setText("\n".join(filter(None, texts)))
        for part in (self._track, self.table):
            part.setEnabled(not session.outdated)
        self.instead_button.setVisible(session.held_up)
        self.model.set_rows(session.results if session.outcome is None else session.outcome.result.legs)
        self._widen()
        self._mark_verdict()
        self.copy_button.setEnabled(session.outcome is not None)
        self.save_button.setEnabled(session.outcome is not None)

    @Slot()
    def _line_up(self) -> None:
        lanes = self._session.n_lanes
        for at, view in enumerate(self.lanes):
            view.setVisible(at < lanes)
        self._arrange()

    def _mark_verdict(self) -> None:
        outcome = self._session.outcome
        wrong = outcome is not None and not outcome.result.agree
        font = QFont(self.font())
        font.setBold(outcome is not None)
        self.verdict.setFont(font)
        self.verdict.setAutoFillBackground(wrong)
        palette = self.palette()
        if wrong:
            palette.setColor(self.verdict.backgroundRole(), self._theme.error)
        self.verdict.setPalette(palette)

    def _widen(self) -> None:
        table, columns, chart = self.table, list(range(BAR_COLUMN)), LEAST_CHART_PX
        head = table.horizontalHeader()
        widths = [max(table.sizeHintForColumn(k), head.sectionSizeFromContents(k).width()) for k in columns]
        for name in LEFT_OUT:
            if sum(widths[k] for k in columns) + chart <= table.viewport().width():
                break
            columns.remove(COLUMNS.index(name))
        for column, width in enumerate(widths):
            table.setColumnHidden(column, column not in columns)
            table.setColumnWidth(column, width)

    @Slot()
    def copy(self) -> None:
        self.table.copy(range(self.model.height()))

    @Slot()
    def ask_and_save(self) -> None:
        ask_save(self, "Save the race", RACE, "race.json", self.save)

    def save(self, path: Path, kind: Format) -> None:
        outcome = self._session.outcome
        if outcome is not None:
            self.write(kind, path, outcome, f"Race saved in {printable(str(path))}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and with_ctrl and self.run_button.isEnabled():
            self._session.run()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _set_up(self) -> None:
        self._session.set_up(method=self._method.value, path=self._path.isChecked(), rounds=self._rounds.value())

    @Slot()
    def _restyle(self) -> None:
        self.table.viewport().update()
        self._mark_verdict()


def race_table_view(model: RaceTable, theme: Theme, parent: QWidget | None = None) -> TableView:
    """Return the table of times with its chart, at full height."""
    table = TableView(model, "Times of the race", parent, striped=True)
    table.setItemDelegateForColumn(BAR_COLUMN, BarDelegate(theme, table, paint_stages))
    header = table.horizontalHeader()
    header.setSectionResizeMode(BAR_COLUMN, QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(40)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    row = table.verticalHeader().defaultSectionSize()
    table.setFixedHeight(header.sizeHint().height() + MAX_KERNELS * row + 2 * table.frameWidth() + 2)
    return table


BOX_WIDTH_PX = 150  # pixels of a box
MAX_COLUMNS = 4


class RaceChoices(QWidget):
    """Check boxes to select kernels; ``boxes``: by kernel id."""

    def __init__(self, session: Race, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self.boxes: dict[str, QCheckBox] = {}
        self.lack = ElidedLabel(parent=self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._columns = 0
        session.changed.connect(self.refresh)
        theme.follow(self._restyle)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Update the check boxes: which kernels are selected, and why some cannot race."""
        session = self._session
        if tuple(self.boxes) != tuple(session.race_kernels):
            self._fill()
        chosen, lacks = session.chosen, []
        for id_, box in self.boxes.items():
            lack, kernel = session.why_not(id_), session.race_kernels[id_]
            box.setEnabled(lack is None)
            box.setChecked(id_ in chosen)
            tip = "\n".join([kernel.tip, *([] if lack is None else [f"Cannot race: {lack}"])])
            box.setToolTip(plain_tip(tip))
            box.setAccessibleDescription(tip)
            if lack is not None:
                lacks.append(lack if lack.startswith(gpu_unused("")) else f"{kernel.name}: {lack}")
        self.lack.set_text(" · ".join(dict.fromkeys(lacks)))
        self.lack.setVisible(bool(lacks))

    def _fill(self) -> None:
        for old in self.boxes.values():
            old.deleteLater()
        self.boxes = {}
        for id_, kernel in self._session.race_kernels.items():
            box = self.boxes[id_] = QCheckBox(kernel.name, self)
            box.setObjectName(id_)
            box.clicked.connect(self._choose)
        self._columns = 0
        self._arrange()

    def _arrange(self) -> None:
        columns = max(2, min(MAX_COLUMNS, self.width() // BOX_WIDTH_PX))
        if columns == self._columns:
            return
        self._columns = columns
        for at, box in enumerate(self.boxes.values()):
            self._grid.addWidget(box, at // columns, at % columns)
        self._grid.addWidget(self.lack, len(self.boxes), 0, 1, MAX_COLUMNS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot(bool)
    def _choose(self, on: bool) -> None:
        box = self.sender()
        if isinstance(box, QCheckBox):
            self._session.choose(box.objectName(), on)

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self.lack)


SIZE = (1000, 620)  # pixels
N_FRAMES, FRAME_MS = 80, 100


def _lane(result: RaceEntryResult, kernel: RaceKernel, answer: RaceAnswer) -> RaceLane:
    lane, recorded = RaceLane(), result.recorded
    assert recorded is not None
    lane.assign(kernel, answer.result.n, answer.result.m)
    lane.begin(recorded.job_id, 0)
    for attempt in recorded.attempts:
        lane.apply(attempt)
    lane.end(result)
    return lane


def race_recipe(answer: RaceAnswer) -> Recipe:
    """Return the recipe that recreates the picture of a race; slow for long sequences."""
    result = answer.result
    options = {
        "method": result.method, "kernels": ",".join(leg.id for leg in result.legs), "rounds": result.rounds,
        "alignment": None if answer.path else False, "case": CaseRule.of(answer.fold_case),
    }  # fmt: skip
    return recipe_of("race", (answer.a, answer.b), options)


def race_picture(answer: RaceAnswer, size: tuple[int, int] = SIZE) -> Pictured:
    theme, result = light(), answer.result
    kernels = race_kernels(method(result.method))
    lanes = [_lane(leg, kernels[leg.id], answer) for leg in result.legs]
    track, table = RaceTable(), QWidget()
    views = [LaneView(lane, theme) for lane in lanes]
    in_row(*((view, 1) for view in views), on=table, margin=0)
    times = race_table_view(track, theme)
    track.set_rows(result.legs)
    title = pair_title(answer, "Race")
    sheet = Sheet(theme, title, table, (times, stage_legend(theme)), even(size))
    for column in range(track.columnCount() - 1):
        times.resizeColumnToContents(column)  # in the fonts of the sheet
    sheet.text.setText(result.verdict())
    longest = max((lane.map.recorded_seconds for lane in lanes), default=0.0)

    def show(step: int) -> None:
        for lane, view in zip(lanes, views, strict=True):
            at, total = longest * step / N_FRAMES, lane.map.recorded_seconds
            lane.map.show_moment(None if step >= N_FRAMES or at >= total else at / total)
            lane.show_clock(None if step >= N_FRAMES else at)
            view.show_clock()
            view.canvas.refresh()

    moments = Moments(sheet, show, (*[FRAME_MS] * N_FRAMES, END_MS)) if longest else None
    return Pictured(sheet, moments)
