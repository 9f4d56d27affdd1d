"""Answer line: the answer, notices, and the progress of a run."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from wavediff.app.compare.pair.pair_screening import RUN_ANYWAY
from wavediff.app.ui.background_task import on
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.buttons import icon
from wavediff.app.ui.labels import ProgressLine, announce
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.notice_views import NoticeBar, NoticeList, NoticeStore, colours
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.number_text import plain_tip
from wavediff.app.ui.theme import Theme
from wavediff.app.window.frame.answer_text import AnswerText, answer_text
from wavediff.app.window.session import Session
from wavediff.core.base.numbers import count

ROW_PX = 32  # pixels, constant
PROGRESS_PX = 4  # pixels of it, at its foot
GAP_PX = 16  # pixels between the sentence and the quiet words
OUTER_PX, INNER_PX = 8, 8  # pixels: next to the row, and before its words
NARROW_PX = 1100  # pixels; below, what asks or could not be read has the whole row
CLOCK_MS = 1000  # between two looks at a stage that no one can measure


class AnswerWords(QLabel):
    """The answer and secondary details; only the latter are elided."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self._theme = theme
        self.words = AnswerText()
        self._alone = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Result")

    def show_words(self, words: AnswerText, *, alone: bool) -> None:
        """Show ``words``; ``alone``: only the answer."""
        if (words, alone) == (self.words, self._alone):
            return
        self.words, self._alone = words, alone
        self.setText(words.whole)
        self.setAccessibleDescription(words.whole)
        self.setToolTip(plain_tip("\n".join(filter(None, (words.whole, words.tip)))))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = self.sentence_width
        if not self._alone and self.words.quiet:
            width += GAP_PX + self.fontMetrics().horizontalAdvance(self.words.quiet) + 2
        return QSize(width + 4, ROW_PX - PROGRESS_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sentence_width + 4 if self._alone else 40, ROW_PX - PROGRESS_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.words.whole)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        words, box = self.words, self.rect().adjusted(2, 0, -2, 0)
        title = self._theme.title_font
        if QFontMetrics(title).horizontalAdvance(words.sentence) > box.width():  # smaller letters rather than fewer
            title = QFont(self.font())
            title.setWeight(QFont.Weight.DemiBold)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(title)
        painter.setPen(self._theme.dim if words.faded else self._theme.text)
        sentence = QFontMetrics(title).elidedText(words.sentence, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, middle, sentence)
        if words.quiet and not self._alone:
            left = self.sentence_width + (GAP_PX if words.sentence else 0)
            rest = box.adjusted(left, 2, 0, 0)  # on one line with the larger letters
            if rest.width() > GAP_PX:
                painter.setFont(self.font())
                painter.setPen(self._theme.dim)
                painter.drawText(rest, middle, self._fitting(words.quiet, rest.width()))
        if self.hasFocus():
            painter.setPen(QPen(self._theme.accent, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _fitting(self, quiet: str, wide: int) -> str:
        """Return as many complete parts as fit; only a first part that does not fit is elided."""
        while self.fontMetrics().horizontalAdvance(quiet) > wide and " · " in quiet:
            quiet = quiet.rpartition(" · ")[0]
        return self.fontMetrics().elidedText(quiet, Qt.TextElideMode.ElideRight, wide)

    @property
    def sentence_width(self) -> int:
        return QFontMetrics(self._theme.title_font).horizontalAdvance(self.words.sentence) + 2  # which rounds down


class AnswerLine(QWidget):
    """Follows the session; its constant height keeps the layout stable.

    Attributes:
        words: the answer. bar: the notice next to it. count: opens the list of all notices. notices: the list.
        back: ends a range.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self.notices = NoticeStore()
        self.words = AnswerWords(theme, self)
        self.back = QPushButton("Whole pair", self, autoDefault=False)
        self.back.setAccessibleName("Back to the whole pair")
        self.back.setToolTip("Back to the whole pair (Backspace)")
        self.back.clicked.connect(session.back_to_whole)
        self.bar = NoticeBar(self.notices, theme, self)
        self.count = QPushButton(self, autoDefault=False)
        self.count.clicked.connect(self.open_list)
        self.bar.list_wanted.connect(self.open_list)
        self.list = NoticeList(self.notices, theme, parent)
        self._progress = ProgressLine(self)
        self._progress.setAccessibleName("Progress")
        self.setFixedHeight(ROW_PX)
        self._parts = in_row(
            self.back,
            (self.words, 1),
            (self.bar, 1),
            self.count,
            on=self,
            margin=(OUTER_PX + INNER_PX - 2, 0, OUTER_PX, PROGRESS_PX),
            gap=GAP_PX,
        )
        self._stage: tuple[object, ...] = ()
        self._since = perf_counter()
        self._said = ""
        self._effects: tuple[object, str] = (None, "")  # and the alignment whose they are
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self.refresh)
        parts = session.pair, session.loader, session.devices, session.blocks, session.contigs
        run = session.phase_changed, session.choices_changed, session.wavefront.figures_changed, session.proven
        on(self.refresh, *run, *(part.changed for part in parts))
        self.notices.added.connect(
            lambda notice: announce(self.words, notice.text, loud=notice.level is Severity.ERROR)
        )
        theme.changed.connect(self._restyle)
        on(self._show_notices, self.notices.changed, theme.changed)
        self._restyle()
        self.refresh()
        self._show_notices()

    @Slot()
    def _restyle(self) -> None:
        self.back.setIcon(icon("previous", self._theme))
        self.update()

    @Slot()
    def refresh(self) -> None:
        session, model = self._session, self._session.wavefront
        self.back.setVisible(session.state.whole is not None)
        running = session.running
        if running and session.trial is not None and model.compiling is None and model.grid is not None:
            return  # it follows a slider and ends in a moment: words that come and go are not read
        step = 0 if model.compiling is None else model.compiling.done
        stage = (running, model.job_id, model.stage, step, model.grid is None)
        if stage != self._stage:
            self._stage, self._since = stage, perf_counter()
        of, effects = self._effects
        known = session.outcome is not None and session.outcome.result.alignment is of
        words = answer_text(session, perf_counter() - self._since, effects if known else "")
        sentence = self.words.words.sentence
        self.words.show_words(words, alone=self.bar.isVisibleTo(self))
        if words.sentence != sentence:
            self._show_notices()
        waits = words.share is None or words.share >= 0
        if waits:
            self._progress.show_share(words.share)
        elif self._progress.isVisibleTo(self):
            self._progress.show_share(0.0)
        self._progress.setVisible(waits)
        if running and words.share is None:
            self._clock.start()
        else:
            self._clock.stop()
        running = running or session.blocks.running or session.contigs.running
        ends = model.phase is not Phase.IDLE or session.blocks.answer is not None or session.contigs.answer is not None
        if not running and not session.loader.busy and ends and words.whole != self._said:
            self._said = words.whole
            announce(self.words, words.whole)

    @Slot(str)
    def show_effects(self, text: str) -> None:
        outcome = self._session.outcome
        self._effects = None if outcome is None else outcome.result.alignment, text
        self.refresh()

    @Slot()
    def open_list(self) -> None:
        """Show or hide the list of notices."""
        if self.list.isVisible():
            self.list.hide()
        elif self.notices.notices:
            self.list.open_below(self)

    @Slot()
    def _show_notices(self) -> None:
        notices, pressing = self.notices.notices, self.notices.pressing
        narrow = self.window().width() < NARROW_PX
        self.count.setText(count(len(notices), "notice", "notices"))
        unanswered = self._session.outcome is None or self._session.stale
        asks = unanswered and pressing is not None and any(action.text == RUN_ANYWAY for action in pressing.actions)
        error = pressing is not None and pressing.level is Severity.ERROR
        # What could not be read needs all the room there is, and begins where an answer would.
        alone = pressing is not None and ((narrow and (asks or error)) or not self.words.words.sentence)
        left_out = None
        if pressing is not None:  # the sentence is not cut for it
            words = 0 if alone else self.words.sentence_width + 4 + GAP_PX
            taken = 2 * OUTER_PX + INNER_PX + words + GAP_PX + self.count.sizeHint().width()
            taken += self.back.sizeHint().width() + GAP_PX if self.back.isVisibleTo(self) else 0
            left_out = self.bar.show_notice(pressing, self.width() - taken)
        shown = left_out is not None
        self.bar.setVisible(shown)
        self.bar.setFixedHeight(ROW_PX - PROGRESS_PX)
        self._parts.setStretchFactor(self.words, 0 if shown else 1)
        self.words.show_words(self.words.words, alone=shown)
        self.words.setVisible(not (alone and shown))
        self.count.setVisible(len(notices) > (1 if left_out == 0 else 0))  # next to the one that is read in the bar
        self.count.setToolTip("Show all messages")
        level = Severity.INFO if pressing is None else pressing.level
        self.count.setStyleSheet("" if level is Severity.INFO else f"color: {colours(self._theme, level)[1].name()}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._progress.setGeometry(
            QRect(OUTER_PX, self.height() - PROGRESS_PX, self.width() - 2 * OUTER_PX, PROGRESS_PX)
        )
        self._show_notices()
