"""A line on the check of the answer, and the button that proves it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.theme import Theme
from wavediff.app.window.pair.session import Session


class ProofBar(QWidget):
    """Shown beside an answer that is no bound."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self.said = QLabel(self)
        self.said.setWordWrap(True)
        self.button = QPushButton("&Prove", self)
        self.button.setToolTip("Compute the answer again by a second algorithm; files that are saved then name it")
        in_row(self.button, (self.said, 1), on=self, margin=0, gap=8)
        self.button.clicked.connect(self._prove)
        for signal in (session.phase_changed, session.choices_changed, session.proof.changed, session.proven):
            signal.connect(self.refresh)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    @Slot()
    def _prove(self) -> None:
        if self._session.outcome is not None:
            self._session.proof.prove(self._session.outcome)

    @Slot()
    def refresh(self) -> None:
        """Take over the answer, and how far its proof is."""
        session = self._session
        outcome, proof = session.outcome, session.proof
        answered = outcome is not None and not session.running and not session.stale
        provable = answered and getattr(getattr(outcome, "result", None), "exact", True)
        self.setVisible(provable)
        if outcome is None or not provable:
            return
        result = outcome.result
        checked = result.checked if result.verified else "not computed a second time yet"
        said = proof.status if proof.running else checked
        self.said.setText(f"{said[:1].upper()}{said[1:]}")
        self.button.setEnabled(not proof.running and result.proof is None)

    @Slot()
    def _restyle(self) -> None:
        self.said.setFont(self._theme.small_font)
