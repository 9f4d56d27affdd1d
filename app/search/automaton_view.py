"""Step view of a search: the state words of Kusudo, Ino and Hagihara, letter by letter."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QWidget

from wavediff.app.search.search_session import SearchScope
from wavediff.app.ui.labels import ElidedLabel
from wavediff.app.ui.layouts import in_column
from wavediff.app.ui.stage.trace_stage import TraceStage
from wavediff.app.ui.theme import Theme
from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.events import run_to_end
from wavediff.core.sequences.cyclic_layout import cyclic_words
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.letter_text import one_by_one
from wavediff.core.sequences.matching import build_pattern_set
from wavediff.core.sequences.searched_text import searched_letters
from wavediff.core.teach.automaton import MAX_TEXT_LETTERS, AutomatonTrace

NAME_LETTERS = 24  # of a pattern


def traces_of(searched: SearchScope) -> list[AutomatonTrace]:
    """Return a trace of each word over the first searched sequence; InputError: unsupported pattern."""
    wish, sequence = searched.wish, searched.sequences[0]
    fold_case, characters = sequence.alphabet.folds_case, searched.characters
    if characters is None:
        raise InputError("<typed>", "the patterns have too many characters to show states")
    steps = build_pattern_set(
        wish.patterns, LetterRule.of(sequence.alphabet), fold_case=fold_case, both_strands=wish.both_strands, errors=0,
        characters=characters,
    )  # fmt: skip
    answer = run_to_end(steps)
    letters = sequence.letters[:MAX_TEXT_LETTERS]
    text = one_by_one(letters, sequence.characters)
    letters = searched_letters(letters, sequence.characters, characters, fold_case)
    made = []
    for word in cyclic_words(answer):
        names, patterns = [], []
        for k in word.members:
            strand = {1: "", 0: "", -1: " (−)"}[int(answer.strand[k])]
            names.append(printable(wish.patterns[int(answer.pattern[k])].name, NAME_LETTERS) + strand)
            taken = answer.letters[answer.offsets[k] : answer.offsets[k + 1]]
            patterns.append(one_by_one(taken, characters))
        made.append(AutomatonTrace(word, tuple(names), tuple(patterns), text, letters.tobytes()))
    return made


def why_not(searched: SearchScope | None) -> str:
    """Return why there is nothing to step through, or an empty string."""
    if searched is None:
        return "Search for something first"
    if len(searched.sequences[0]) > MAX_TEXT_LETTERS:
        return f"The states are shown for sequences of up to {number(MAX_TEXT_LETTERS)} letters"
    if searched.wish.errors:
        return "This automaton finds exact hits only: allow no errors to see its states"
    return ""


class StepsView(QWidget):
    """Player of the states of a search, one word of 256 bits at a time."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.traces: list[AutomatonTrace] = []
        self.words = QComboBox(self)
        self.words.setAccessibleName("Word of 256 bits")
        self.reason = ElidedLabel(parent=self)
        self.stage = TraceStage(theme)
        in_column(self.words, self.reason, (self.stage, 1), on=self, margin=(0, 4, 0, 0), gap=4)
        self.setFocusProxy(self.stage)
        self.words.activated.connect(self._choose)
        self.show_search(None)

    def show_search(self, searched: SearchScope | None) -> None:
        reason = why_not(searched)
        self.traces = []
        if not reason and searched is not None:
            try:
                self.traces = traces_of(searched)
            except InputError as error:
                reason = str(error)
        self.words.clear()
        for k, trace in enumerate(self.traces, 1):
            self.words.addItem(f"word {number(k)}: {count(trace.word.q, 'pattern', 'patterns')}")
        self.words.setVisible(len(self.traces) > 1)
        self.reason.setVisible(bool(reason))
        self.reason.set_text(reason)
        self.stage.setVisible(bool(self.traces))
        self._choose(0)

    @Slot(int)
    def _choose(self, which: int) -> None:
        if self.traces:
            self.stage.show_trace(self.traces[which], "States")
