"""Page of the dot plot of both strands: k, unique k-mers, opacity, figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QLabel, QPushButton, QSizePolicy, QSlider, QSpinBox, QWidget

from wavediff.app.compare.computation_facts import Fact, FactRows
from wavediff.app.compare.dots.dot_canvas import DotCanvas
from wavediff.app.compare.dots.dot_drawing import INKS, RAMP
from wavediff.app.compare.dots.dots_session import DotsSession, FoundDots
from wavediff.app.compare.dots.file_records import across, in_records, place_text, record_box
from wavediff.app.compare.dots.letter_range import LetterRange, RangeCost
from wavediff.app.compare.dots.range_card import RangeCard
from wavediff.app.draw.drawing import Ink
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.legend import Legend, Sign
from wavediff.app.ui.pair import MatrixPosition, SharedCursor, Side
from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import count, duration, number
from wavediff.core.jobs.choices import MAX_K, MIN_K
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.sequence import Sequence

WIDE = 1.6  # width over height of a page whose figures stand at the right of the plot
MAX_VIEWS = 4  # parts of pairs that are kept
BESIDE_PX, QWIDGETSIZE_MAX = 320, (1 << 24) - 1
STRANDS = "+ same strand", "− other strand"


class DotPage(QWidget):
    """Signals: place_wanted: clicked letters of A and B (0-based). range_wanted: the comparison of a ``LetterRange``
    with B on a ``Strand``.

    Args:
        cost: returns the cost of comparing a range.

    Attributes:
        part: returns the box to frame (x: letters of B, y: letters of A), or None.
    """

    place_wanted = Signal(object, object)
    range_wanted = Signal(object, object)

    def __init__(
        self, session: DotsSession, theme: Theme, cursor: SharedCursor, cost: Callable[[LetterRange], RangeCost]
    ) -> None:
        super().__init__()
        self._cost, self._of = cost, session.letters
        self._views: list[tuple[object, BlockMapFrame, LetterRange | None]] = []  # of pairs that were left
        self.part: Callable[[], QRectF | None] = lambda: None
        self._back: BlockMapFrame | None = None  # of a pair that came back, until it is compared
        self._chosen: LetterRange | None = None  # that is opened
        self.session, self._theme = session, theme
        self.note = QLabel(self, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.find_button = QPushButton("Find the dots", self)
        self.find_button.clicked.connect(session.find)
        self.canvas = DotCanvas(theme, self, lambda: session.letters or (None, None))
        self.canvas.setAccessibleName("Dot plot")
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.k = QSpinBox(self, minimum=1, maximum=999)  # a refused number is answered, see _choose_k
        self.k.setKeyboardTracking(False)
        self.k.setAccessibleName("Letters of a k-mer")
        self.k.setToolTip(f"Letters of a k-mer, {MIN_K} to {MAX_K}: fewer letters find more dots, also by chance")
        self.k.valueChanged.connect(self._choose_k)
        label = QLabel("&k", self)
        label.setBuddy(self.k)
        self.unique = QCheckBox("only runs with a unique k-mer", self)
        self.unique.setToolTip("Only runs with a k-mer unique in A and in B; hides repeats")
        self.unique.toggled.connect(session.choose_unique)
        self.every = QCheckBox("all records", self)
        self.every.setToolTip("Plot all records of both files; Enter opens the two selected or clicked records")
        self.every.toggled.connect(session.choose_all_records)
        self.ramp = QSlider(Qt.Orientation.Horizontal, self)
        self.ramp.setRange(0, 100)
        self.ramp.setValue(round(100 * RAMP))
        self.ramp.setAccessibleName("Opacity of sparse dots")
        self.ramp.setToolTip("Opacity of sparse dots: left hides them, right draws them like dense ones")
        self.ramp.valueChanged.connect(lambda value: self.canvas.show_ramp(value / 100))
        self._few, self._many = QLabel("sparse dots faint", self), QLabel("strong", self)
        self.legend, self.facts = dot_legend(theme), FactRows(theme)
        self._below = QWidget(self)
        in_column(
            in_row(label, self.k, 8, self.unique, 1, margin=0, gap=6), in_row(self.every, 1, margin=0), self.legend,
            in_row(self._few, (self.ramp, 1), self._many, margin=0, gap=6), self.facts, 1,
            on=self._below, margin=0, gap=4,
        )  # fmt: skip
        self._row = in_column((self.canvas, 4), self._below, margin=0, gap=8)
        self._row.addStretch(1)
        in_column(self.note, self.find_button, (self._row, 1), on=self, margin=0, gap=4)
        self.setFocusProxy(self.canvas)
        self.card = RangeCard(theme, self)
        self.card.wanted.connect(self._want_range)
        self.canvas.selected.connect(self._show_range)
        self.canvas.selecting.connect(self.card.hide)
        self.canvas.compare_wanted.connect(self.card.button.click)
        self.canvas.frame_changed.connect(self._place_card)
        self.canvas.clicked.connect(self.canvas.clear_selection)
        self.canvas.clicked.connect(self._clicked)
        self.canvas.hovered.connect(self._hovered)
        self._cursor, self.canvas.cell_of = cursor, session.cell_of
        self.canvas.frame_changed.connect(self._show_facts)
        session.updated.connect(self._updated)
        self.canvas.listen(cursor)
        theme.follow(self._restyle)
        self._updated()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._updated()

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = self.width() > WIDE * self.height()
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)
        self._below.setMaximumWidth(BESIDE_PX if is_wide else QWIDGETSIZE_MAX)
        self.canvas.setMaximumHeight(QWIDGETSIZE_MAX if is_wide else self.width())
        super().resizeEvent(event)
        self._place_card()

    # Ranges

    @Slot()
    def _show_range(self) -> None:
        chosen, matches, letters = self.canvas.selection, self.session.matches, self.session.letters
        if chosen is None or letters is None:
            self.card.hide()
            return
        if self.session.pair_among_records and (inside := across(in_records(chosen, letters), letters)) != chosen:
            self.canvas.select(inside)
            return
        strand = Strand.PLUS if matches is None else chosen.strand(matches)
        self.card.show_range(chosen.texts(*letters), self._cost(chosen), strand)
        self._place_card()

    @Slot()
    def _place_card(self) -> None:
        box = self.canvas.selection_box()
        if box is None or self.canvas.is_selecting:
            self.card.hide()
        else:
            self.card.place(box.toAlignedRect().translated(self.canvas.pos()), self.rect())

    @Slot(object)
    def _want_range(self, strand: Strand) -> None:
        self._chosen = chosen = self.canvas.selection
        if chosen is not None:
            self.canvas.clear_selection()
            self.range_wanted.emit(chosen, strand)

    # Records

    @Slot()
    def show_mark(self) -> None:
        """Frame the current part; in plots of all records frame the pair."""
        pair = self.session.pair_among_records
        self.canvas.show_mark(self.part() if pair is None else pair.box)

    @Slot(object, object)
    def _hovered(self, a: int | None, b: int | None) -> None:
        letters = self.session.letters
        if a is None or b is None or letters is None or all(one.records is None for one in letters):
            self._cursor.move(a, b)
            return
        words = (place_text(*each) for each in zip(Side, letters, (a, b), strict=True))
        at = None if self.session.pair_among_records is None else self.session.letters_at(a, b)
        a0, b0 = at or (None, None)
        self._cursor.move(a0, b0, "   ".join(words))
        self.canvas.show_cross(MatrixPosition(a, b))

    @Slot(object, object)
    def _clicked(self, a: int, b: int) -> None:
        at, letters = self.session.letters_at(a, b), self.session.letters
        if at is not None:
            self.place_wanted.emit(*at)
        elif letters is not None:
            self.canvas.select(record_box((a, b), letters))
            self.canvas.setFocus(Qt.FocusReason.MouseFocusReason)

    @Slot(int)
    def _choose_k(self, k: int) -> None:
        if MIN_K <= k <= MAX_K:
            self.session.choose_k(k)
            return
        self._updated()
        why = f"k can be {MIN_K} to {MAX_K}: shorter k-mers are shared by chance, longer ones miss similar regions"
        self.note.setText(f"{why}. {number(k)} was ignored.")

    # What is shown

    @Slot()
    def _updated(self) -> None:
        if not self.isVisible():
            return
        session = self.session
        session.want()
        letters, before = session.letters, self._of
        if letters != before:
            self._of, view = letters, (_whose(before), self.canvas.frame, self.canvas.selection or self._chosen)
            self._back = self._chosen = None
            self._cursor.clear()
            self._views = [*(one for one in self._views if one[0] != view[0]), view][-MAX_VIEWS:]
            self.canvas.clear_selection()
        self.canvas.show_matrix(*((len(letters[0]), len(letters[1])) if letters and not session.refusal else (0, 0)))
        if letters != before:
            for whose, frame, selection in self._views:  # a whole pair comes back from a range of it as it was
                if whose == _whose(letters):
                    self._back = frame
                    self.canvas.select(selection)
            self.come_back()
        self.canvas.show_dots(session.tiles, session.features)
        self.show_mark()
        self.every.setVisible(bool(session.files))
        with QSignalBlocker(self.k), QSignalBlocker(self.unique), QSignalBlocker(self.every):
            self.k.setValue(session.k)
            self.unique.setChecked(session.unique)
            self.every.setChecked(session.all_records)
        self.note.setText(session.status if session.tiles is None else sentence(session))
        self.find_button.setVisible(session.stopped and not session.running)
        self._show_facts()

    @property
    def message(self) -> str:
        return self.session.status if self.session.tiles is None else ""

    def come_back(self, *, last: bool = False) -> None:
        """Restore the visible part from before a range was compared; ``last``: and forget it."""
        back, now = self._back, self.canvas.frame
        if back is not None and not back.fits and (back.n, back.m) == (now.n, now.m):
            self.canvas.show_frame(back)
        self._back = None if last else back

    @Slot()
    def _show_facts(self) -> None:
        session, matches = self.session, self.session.shown
        facts = list[Fact]()
        if matches is not None:
            longest, scale = count(int(matches.lengths.max(initial=0)), "letter", "letters"), self.canvas.frame.scale
            near, far = f"{number(round(scale))} pixels per letter", f"{number(round(1 / scale))} letters per pixel"
            facts = [
                Fact("Runs", f"{number(len(matches))}, longest {longest}"),
                Fact("Zoom", far if scale < 1 else near),
                Fact("Found in", duration(session.seconds)),
            ]
            if matches.n_left_out:
                places = count(matches.n_left_out, "place", "places")
                many = f"{matches.k}-mers with more than {matches.max_copies} places"
                facts.append(Fact("Left out", f"{places} of A: {many}", "Places of frequent k-mers: not shown as dots"))
        self.facts.show_facts(facts)

    @Slot()
    def _restyle(self) -> None:
        self._theme.quieten(self.note, self._few, self._many)
        for each in (self.note, self._few, self._many):
            each.setFont(self._theme.small_font)


def _whose(letters: tuple[Sequence, Sequence] | None) -> object:
    return None if letters is None else [(one.original, one.orientation) for one in letters]


def dot_legend(theme: Theme) -> Legend:
    legend = Legend("Legend", theme, quiet=True)
    legend.set_signs([Sign(partial(_swatch, theme, ink), text) for ink, text in zip(INKS, STRANDS, strict=True)])
    return legend


def _swatch(theme: Theme, ink: Ink, painter: QPainter, box: QRectF) -> None:
    painter.fillRect(box, theme.ink(ink))


def sentence(session: DotsSession | FoundDots) -> str:
    """Return a sentence: the number of shared (in one sequence: repeated) k-mers in the shown runs, by strand."""
    matches, once = session.shown, " that A and B have once each" if session.unique else ""
    if matches is None:
        return ""
    if not len(matches) and not matches.max_copies:
        return f"Too many shared {matches.k}-mers: choose a larger k."
    if not len(matches):
        return f"No shared {matches.k}-mers{once}. Choose {'another' if once else 'a smaller'} k."
    kmers = matches.lengths - matches.k + 1
    minus, itself, word = int(kmers[matches.minus].sum()), 0, "shared"
    if session.of_itself:
        itself, word = int(kmers[~matches.minus & (matches.a_starts == matches.b_starts)].sum()), "repeated"
    plus, where = int(kmers.sum()) - minus - itself, ", in runs with a unique one" if session.unique else ""
    return f"{number(plus)} {word} {matches.k}-mers on +, {number(minus)} on −{where}"
