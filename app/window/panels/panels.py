"""Table of panels: views, tabs, menu entries, tooltips and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from wavediff.app.batch.batch_view import BatchView
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.dots.dot_page import DotPage
from wavediff.app.compare.dots.file_records import in_records
from wavediff.app.compare.dots.letter_range import LetterRange, RangeCost
from wavediff.app.compare.given_view import GivenView
from wavediff.app.compare.skipped_work import LedgerView
from wavediff.app.compare.timings_model import TimingsView
from wavediff.app.race.race_view import RaceView
from wavediff.app.search.search_view import SearchView
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.background_task import on
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.panel_view import PanelView
from wavediff.app.ui.tab_row import TabRow
from wavediff.app.ui.table_view import FiguresTable
from wavediff.app.window.frame.actions import COMPARE, ActionSpec, plain
from wavediff.app.window.frame.answer_text import blocks_text
from wavediff.app.window.panels.band_bar import BandBar, ProofBar
from wavediff.app.window.panels.shell import Shell
from wavediff.core.export.contigs import ContigsAnswer, measures
from wavediff.core.export.record import run_of
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.given_alignment import GivenAlignment
from wavediff.core.record.run_file import StoredRun
from wavediff.core.sequences.orientation import Strand

OF_A_CONTIG = "Open a contig (Enter) to compare ranges of it"
COMPUTATION = "computation"  # the panel at the right; all others are tabs of the lower one


def _differences(shell: Shell) -> PanelView:
    session, alignment = shell.session, shell.alignment
    view = DifferencesView(alignment, shell.turns, shell.theme)

    timed, counted = tuple[KernelTiming, ...](), None

    def show_figures(answer: ContigsAnswer | None) -> None:
        nonlocal timed, counted
        statistics, timings = session.statistics, session.timings
        if answer is not None and (answer is not counted or not statistics.apart):
            timed = timings.rows if session.outcome is not None and not timings.apart else timed
            statistics.show_apart(measures(answer), answer.result.text)
            timings.take_back(answer.timings, apart=True)
        elif answer is None and statistics.apart:
            statistics.show(session.outcome)
            timings.take_back(timed if session.outcome is not None else ())
        counted = answer

    def show_blocks() -> None:
        alignment.show_blocks(session.rearranged, session.blocks.answer, blocks_text(session))
        alignment.ribbons.show_seeds(session.state.seed_letters or 0)
        alignment.show_contigs(session.placing, session.contigs.shown, blocks_text(session))
        show_figures(session.contigs.answer if session.placing else None)
        alignment.tracks.circle.setChecked(session.contigs.circular)

    def compare_block(lists: bool) -> None:
        if (block := alignment.blocks.block) is not None:
            strand = Strand.MINUS if block.minus else Strand.PLUS
            (a0, a1), (b0, b1) = block.a, block.b
            session.compare_range(a0.at, a1.at, b0.at, b1.at, strand)
            if lists:
                shell.bring_up("differences")

    on(show_blocks, session.blocks.changed, session.contigs.changed, session.choices_changed, session.pair.changed)
    alignment.tracks.opened.connect(session.compare_contig)
    alignment.tracks.topology_wanted.connect(session.place_on)
    alignment.ribbons.seeds_wanted.connect(session.arrange)
    alignment.ribbons.range_wanted.connect(compare_block)
    return view


def _computation(shell: Shell) -> PanelView:
    session = shell.session
    view = ComputationView(session.wavefront, session.devices, session.pair, shell.theme, shell.pointer)
    view.add_bars(BandBar(session, shell.theme), ProofBar(session, shell.theme))

    def compare(chosen: LetterRange, strand: Strand) -> None:
        letters = session.dots.letters
        if session.dots.pair_among_records is not None and letters is not None:
            session.compare_records(*in_records(chosen, letters), strand)
        else:
            session.compare_range(*chosen, strand)

    def cost(chosen: LetterRange) -> RangeCost:
        return (
            RangeCost(0, refusal=OF_A_CONTIG) if session.placing else session.range_cost(*chosen, session.dots.letters)
        )

    dots = DotPage(session.dots, shell.theme, shell.pointer, cost)
    dots.range_wanted.connect(compare)

    def part() -> QRectF | None:
        """Return the letters of the current block or contig."""
        block, contig, answer = shell.alignment.blocks.block, shell.alignment.contigs.contig, session.contigs.answer
        letters = None if block is None else QRectF(block.b[0].at, block.a[0].at, *reversed(block.size))
        if session.placing and answer is not None and contig >= 0 and (records := answer.along_a.records) is not None:
            one = answer.result.placed[contig]
            start, end = int(records.starts[contig]), min(one.a[-1].at, answer.result.n)
            letters = QRectF(start, one.a[0].at, one.letters, end - one.a[0].at)
        return letters

    dots.part = part
    changed = session.contigs.changed, session.choices_changed
    on(session.dots.look, *changed)
    on(dots.show_mark, shell.alignment.blocks.moved, shell.alignment.contigs.moved, *changed)
    view.add_pages(session.cells, dots)
    session.screening.dots_wanted.connect(partial(shell.bring_up, COMPUTATION))
    session.screening.dots_wanted.connect(partial(view.choose_view, View.DOTS))
    session.screening.dots_wanted.connect(view.views.picked)
    session.screening.shows_dots = lambda: view.view is View.DOTS and view.isVisible()
    view.place_wanted.connect(shell.alignment.go_to_letter)
    session.compared.connect(lambda outcome: shell.turns.put(partial(view.show_outcome, outcome)))
    later = partial(shell.turns.put, partial(dots.come_back, last=True))  # behind the caret of the letters
    session.compared.connect(lambda _outcome: shell.turns.put(later))
    view.finer_wanted.connect(session.finer.run)
    on(view.show_other, session.finer.found, session.records.found)
    return view


def _skipped(shell: Shell) -> PanelView:
    view = LedgerView(shell.session.ledger, shell.session.wavefront, shell.theme)

    def show_words(a0: int, b0: int) -> None:
        shell.view(ComputationView).show_words(a0, b0)
        shell.bring_up(COMPUTATION)  # where one part is seen at a time, the letters have come to the front

    view.cells_wanted.connect(show_words)
    return view


def _many(shell: Shell) -> PanelView:
    view = BatchView(shell.session.many, shell.session.devices, shell.theme)
    view.pair_wanted.connect(shell.show_pair)
    return view


def _search(shell: Shell) -> PanelView:
    view = SearchView(shell.session.search, shell.session.devices, shell.theme)
    view.place_wanted.connect(shell.show_place)
    shell.pointer.caret_moved.connect(view.follow_caret)
    view.spans_changed.connect(shell.alignment.set_hits)
    return view


def _bwt(shell: Shell) -> PanelView:
    view = BwtView(shell.session.transform, shell.theme, shell.pointer)
    view.jumped.connect(shell.alignment.go_to_letter)
    return view


def _given(shell: Shell) -> PanelView:
    session, view = shell.session, GivenView(shell.session.pair)

    def take(job: object, given: GivenAlignment | None) -> None:
        if session.outcome is not None and session.outcome.job is job and session.outcome.given is not given:
            session.outcome = replace(session.outcome, given=given, file=session.state.given)
            shell.alignment.show_outcome(session.outcome)

    on(lambda: view.follow(session.state.given), session.opened, session.given_changed)
    session.compared.connect(lambda outcome: shell.turns.put(partial(view.show_outcome, outcome)))
    view.file_wanted.connect(session.give)
    view.unreadable.connect(lambda: session.note(given=None))  # else it would fail again beside the next pair
    view.dealt_with.connect(session.replaced)
    view.pair_wanted.connect(session.open_texts)
    view.strand_wanted.connect(session.orient)
    view.found.connect(take)
    view.in_letters.toggled.connect(shell.alignment.set_both)
    return view


def _lessons(shell: Shell) -> PanelView:
    session = shell.session

    def last_run() -> StoredRun | None:
        outcome, model = session.cells.outcome, session.wavefront
        timed = outcome is not None and outcome.job.id == model.job_id and model.playback is not None
        if outcome is None or outcome.result is None or model.recorded is None or not timed:
            return None
        return run_of(outcome, model.recorded, outcome.job.threads)

    view = LessonView(session.pair, last_run, shell.theme)
    view.dealt_with.connect(session.replaced)
    on(view.follow_answer, session.compared, session.wavefront.planned)
    return view


@dataclass(frozen=True, slots=True)
class Panel:
    """Specification of a panel.

    Attributes:
        id: also its name in the settings.
        text: of its entry in the menu View, with its access key.
        tip: of its entries in the menus.
        make: creates its view.
        entry: of the menu Compare, which opens it ready for use; empty: only in the menu View.
        keys: of that entry.
    """

    id: str
    text: str
    tip: str
    make: Callable[[Shell], PanelView]
    entry: str = ""
    keys: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Text of its tab."""
        return plain(self.text)


PANELS = (
    Panel(
        "differences", "&Differences", "Every difference: kind, position, length and letters",
        _differences,
    ),
    Panel(
        COMPUTATION, "&Computation", "The blocks of the matrix as they are computed", _computation
    ),
    Panel(
        "statistics", "&Statistics", "Figures of the alignment, each with its definition",
        lambda shell: FiguresTable(shell.session.statistics, "Statistics", 2, shell.theme),
    ),
    Panel(
        "timings", "&Timings", "Time and speed of the kernels of the last run",
        lambda shell: TimingsView(shell.session.timings, shell.theme),
    ),
    Panel(
        "skipped", "S&kipped work", "Skipped parts of the matrix, and why",
        _skipped,
    ),
    Panel(
        "given", "&Given alignment", "An alignment from another program: both costs, columns that differ", _given,
    ),
    Panel(
        "search", "Searc&h", "Search for many patterns in A, B or both", _search,
        entry="&Find patterns", keys=("Ctrl+F",),
    ),
    Panel(
        "bwt", "Trans&form", "Burrows-Wheeler transform of A, B or both, and search in it", _bwt,
        entry="&Burrows-Wheeler transform", keys=("Ctrl+B",),
    ),
    Panel(
        "batch", "&Many pairs", "Distances of all records of one or two files", _many,
        entry="&Many pairs…", keys=("Ctrl+M",),
    ),
    Panel(
        "race", "R&ace", "The same pair on several kernels: answers and times",
        lambda shell: RaceView(shell.session.race, shell.theme),
        entry="&Kernel race", keys=("Ctrl+K",),
    ),
    Panel(
        "lessons", "L&essons", "How a comparison is computed, step by step",
        _lessons,
        entry="&Lessons", keys=("Ctrl+Shift+L",),
    ),
)  # fmt: skip
LOWER = tuple(panel for panel in PANELS if panel.id != COMPUTATION)
ENTRIES = tuple(
    ActionSpec(panel.id, panel.entry, COMPARE, panel.keys, panel.tip, separator=number == 0)
    for number, panel in enumerate(panel for panel in PANELS if panel.entry)
)


class PanelArea(QScrollArea):
    """Scroll area for a view that needs more room."""

    def __init__(self, panel: Panel, view: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setProperty("panel", panel.title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        view.setProperty("surface", True)
        self.setWidget(view)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)  # it scrolls: no panel makes the window larger


class PanelTabs(QWidget):
    """The lower panel: tabs, one visible view; signal ``lacks``: a view needs another height."""

    lacks = Signal()

    def __init__(self, areas: dict[str, PanelArea]) -> None:
        super().__init__(accessibleName="Panels")
        self._ids = list(areas)
        self.row = TabRow(self)
        self.bar = self.row.bar
        self.bar.setAccessibleName("Panels")
        self._stack = QStackedWidget(self)
        for panel in LOWER:
            self.row.bar.setTabToolTip(self.row.bar.addTab(panel.title), panel.tip)
            self._stack.addWidget(areas[panel.id])
            areas[panel.id].verticalScrollBar().rangeChanged.connect(self.lacks)
        in_column(self.row, (self._stack, 1), on=self, margin=0, gap=0)
        self._areas = areas
        self.setMinimumHeight(self.bar.sizeHint().height() + 24)
        self.row.changed.connect(self._stack.setCurrentIndex)

    @property
    def current(self) -> Panel:
        return LOWER[self.bar.currentIndex()]

    @property
    def is_scene(self) -> bool:
        view = self._areas[self.current.id].widget()
        return isinstance(view, PanelView) and view.is_scene

    @property
    def lacking(self) -> int:
        return self._areas[self.current.id].verticalScrollBar().maximum()

    def show_panel(self, id_: str) -> None:
        if id_ in self._ids:
            self.row.set_current(self._ids.index(id_))
