"""Parts of the window by what a person reads of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QToolButton, QWidget

from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import Side
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.core.jobs.difference_index import Kinds

_KINDS = {"Subst": Kinds.MISMATCH, "Inser": Kinds.INSERTION, "Delet": Kinds.DELETION, "Swaps": Kinds.SWAP}
_KINDS["Unkno"] = Kinds.APART


def kinds(letters: AlignmentView) -> dict[Kinds, QToolButton]:
    """Return the buttons of the kinds of differences above the letters, also those that are not shown."""
    named = {each.accessibleName()[:5]: each for each in letters.stepper.findChildren(QToolButton)}
    return {kind: named[word] for word, kind in _KINDS.items()}


def button(owner: QWidget, name: str) -> QAbstractButton:
    return next(each for each in owner.findChildren(QAbstractButton) if name in (each.text(), each.accessibleName()))


def offered(window: MainWindow) -> dict[str, QPushButton]:
    """Return the buttons that the notice beside the answer shows, by their texts."""
    return {each.text(): each for each in window.answer.bar.findChildren(QPushButton) if each.isVisible()}


def notice_label(window: MainWindow) -> QLabel:
    labels = window.answer.bar.findChildren(QLabel)
    return next(each for each in labels if each.textFormat() is Qt.TextFormat.PlainText)


def open_texts(session: Session, a: str, b: str) -> None:
    """Compare two texts, which do not go to the recent pairs."""
    session.loader.open([ReadItem(side, text=text, remember=False) for side, text in zip(Side, (a, b), strict=True)])
