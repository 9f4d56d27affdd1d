"""Bars below the map: proof of an answer, and a slider for the band k."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QSpinBox, QStyle, QStyleOptionSlider, QToolButton, QWidget

from wavediff.app.ui.block_map.band_attempts import can_slide, verdict
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column, in_row
from wavediff.app.ui.pair import Comparison
from wavediff.app.ui.theme import Theme
from wavediff.app.window.session import Session
from wavediff.core.base.errors import capitalized


class ProofBar(QWidget):
    """Bar to prove an exact answer by a second algorithm; visible for such answers only."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self.said = QLabel(self, wordWrap=True)
        self.button = QPushButton("&Prove", self)
        self.button.setToolTip("Verify the answer by a second algorithm; saved files then name that algorithm")
        in_row(self.button, (self.said, 1), on=self, margin=0, gap=8)
        self.button.clicked.connect(self._prove)
        for signal in (session.phase_changed, session.choices_changed, session.proof.changed, session.proven):
            signal.connect(self.refresh)
        theme.follow(self._restyle)
        self.refresh()

    @Slot()
    def _prove(self) -> None:
        if self._session.outcome is not None:
            self._session.proof.prove(self._session.outcome)

    @Slot()
    def refresh(self) -> None:
        session = self._session
        outcome, proof = session.outcome, session.proof
        answered = outcome is not None and not session.earlier
        provable = answered and getattr(getattr(outcome, "result", None), "exact", True)
        self.setVisible(provable)
        if outcome is None or not provable:
            return
        result = outcome.result
        checked = result.checked if result.verified else "not verified by a second algorithm yet"
        said = proof.status if proof.running else checked
        self.said.setText(capitalized(said))
        self.button.setEnabled(not proof.running and result.proof is None)

    @Slot()
    def _restyle(self) -> None:
        self.said.setFont(self._theme.small_font)


class KSlider(QSlider):
    """Slider that jumps to the clicked place; paging would compute every band on the way."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        x = round(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and not handle.contains(event.position().toPoint()):
            room = self.width() - handle.width()
            at = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), x - handle.width() // 2, room)
            self.setValue(at)
        super().mousePressEvent(event)


class BandBar(QWidget):
    """Bar with a slider for the band k, visible for methods with a band, and enabled for small matrices.

    While a job runs, only the newest k waits for the job to end; so each map that appears is complete.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self._wanted: int | None = None
        self.slider = KSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName("Edits allowed")
        tip = "Threshold k: edits that fit into the band; a change recomputes, Esc returns to the chosen band"
        self.slider.setToolTip(tip)
        self.spin = QSpinBox(self)
        self.spin.setAccessibleName("Edits allowed, as a number")
        self.spin.setToolTip(tip)
        self.spin.setKeyboardTracking(False)
        self.spin.setGroupSeparatorShown(True)
        self.back = QToolButton(self)
        self.back.setToolTip("Leave the slider and use the band chosen above (Esc)")
        self.verdict = ElidedLabel(parent=self)
        label = QLabel("&Edits allowed", self)
        label.setBuddy(self.spin)
        self._tries = QWidget(self)
        in_row(label, (self.slider, 1), self.spin, self.back, on=self._tries, margin=0, gap=6)
        in_column(self._tries, self.verdict, on=self, margin=(0, 2, 0, 0), gap=3)
        self.slider.valueChanged.connect(self._moved)
        self.spin.valueChanged.connect(self._moved)
        self.back.clicked.connect(self.leave)
        session.pair.changed.connect(self._forget)
        session.choices_changed.connect(self.refresh)
        session.phase_changed.connect(self._phase_changed)
        theme.changed.connect(self._restyle)
        self.refresh()

    @Slot()
    def leave(self) -> None:
        self._wanted = None
        self._session.end_trial()

    @Slot()
    def _forget(self) -> None:
        self._wanted = None  # it was meant for the pair before
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        session = self._session
        self.setVisible(session.choices.banded)
        n, m = map(len, session.pair.complete or ((), ()))
        slides, present = can_slide(n, m), self._present()
        is_tried = session.trial is not None or self._wanted is not None
        for box in (self.slider, self.spin):
            with QSignalBlocker(box):
                box.setRange(0, max(n, m) if slides else 0)
                if not is_tried:
                    box.setValue(present or 0)
            box.setEnabled(slides)
        self._tries.setVisible(slides and (is_tried or present is not None))
        self.slider.setPageStep(max(1, max(n, m) // 20))
        self.back.setText(f"Back to “{session.choices.band_name}”")
        self.back.setEnabled(session.trial is not None)
        of = None if session.earlier and session.trial is None else self._outcome
        self.verdict.set_text("" if of is None else verdict(of.result, of.job.threshold))
        self._restyle()

    @property
    def _outcome(self) -> Comparison | None:
        """Result in a band, of the current options or of a trial; None before it."""
        outcome = self._session.outcome
        if outcome is None or (self._session.stale and self._session.trial is None):
            return None
        return None if outcome.method.option("threshold") is None else outcome

    def _present(self) -> int | None:
        outcome = self._outcome
        if outcome is None:
            return None
        bands = outcome.method.bands(outcome.result)
        return bands[-1].threshold if bands else int(outcome.method.value(outcome.result))

    @Slot(int)
    def _moved(self, k: int) -> None:
        for box in (self.slider, self.spin):
            with QSignalBlocker(box):
                box.setValue(k)
        self._wanted = k
        self._try()

    def _try(self) -> None:
        if self._wanted is not None and not self._session.running:
            k, self._wanted = self._wanted, None
            self._session.try_threshold(k)

    @Slot()
    def _phase_changed(self) -> None:
        self._try()
        self.refresh()

    @Slot()
    def _restyle(self) -> None:
        bound = self._outcome is not None and not self._outcome.result.exact
        self.verdict.setAutoFillBackground(bool(self.verdict.text))
        palette = self.palette()
        palette.setColor(self.verdict.backgroundRole(), self._theme.warning if bound else self._theme.window)
        palette.setColor(self.verdict.foregroundRole(), self._theme.text)
        self.verdict.setPalette(palette)
