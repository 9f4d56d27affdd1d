"""Trace of Shift-Or for one pattern, or for several interleaved in one word.

Source: Baeza-Yates and Gonnet 1992; Kusudo, Ino and Hagihara (sections 3, 3.1 and 4.2). One pattern is the case
q = 1, so there is one trace for both; the words are those of ``wavediff.core.sequences.cyclic_layout``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wavediff.core.base.errors import count_noun
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs.events import run_to_end
from wavediff.core.sequences.cyclic_layout import ACCEPT_BIT, BITS, MAX_PATTERNS, CyclicWord, cyclic_words
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.matching import build_pattern_set
from wavediff.core.sequences.pattern_list import Pattern
from wavediff.core.teach.counted_trace import CountedTrace, letters, of_inputs
from wavediff.core.teach.questions import Asked, Kind, Question, new_question, slip
from wavediff.core.teach.scene import Bits, Mark, Part, Scene, Sheet
from wavediff.core.teach.table_slips import bit_slips
from wavediff.core.teach.unit import Unit

MAX_TEXT_LETTERS = 2_000
MAX_PATTERN_LETTERS = 4_096  # of all patterns, as they are typed
SHOWN_LETTERS = 24  # of the text, around the letter that is read
SHOWN_STATES = 8  # words of steps before that stay in sight
DUMMY = "–"


class AutomatonTrace(CountedTrace):
    """Trace of the state word over the letters of a text; a bit is 0 where its state is active.

    Args:
        word: layout of all states. names: of the patterns, in the order of their accepting bits. patterns: their
            letters in the same order, one character each. text: one character for each of the compared ``letters``.
    """

    def __init__(
        self, word: CyclicWord, names: tuple[str, ...], patterns: tuple[str, ...], text: str, letters: bytes
    ) -> None:
        self.word, self.names, self.patterns, self.text = word, names, patterns, text
        operations = range(2 * len(text) + 1)
        known = {Unit.LETTER: operations[::2], Unit.OPERATION: operations}
        super().__init__({"a": text, "b": " ".join(patterns)}, known)
        self._letters = letters
        self.states = (word.start, *word.follow(self._letters))
        self.longest = max(word.lengths)
        self._top = ACCEPT_BIT + word.q - 1

    # The word

    def bits_of(self, word: int) -> str:
        return "".join(str(word >> bit & 1) for bit in range(self._top, self.word.lowest - 1, -1))

    def ends(self, letter: int) -> list[int]:
        """Return the patterns (0-based) that end at a letter of the text (1-based)."""
        state = self.states[letter]
        return [k for k in range(self.word.q) if letter and not state >> (ACCEPT_BIT + k) & 1]

    def words(self, letter: int) -> tuple[int, int]:
        """Return the shifted S, and B, for a letter of the text (1-based)."""
        shifted = (self.states[letter - 1] << self.word.q) & ((1 << BITS) - 1)
        return shifted, self.word.table[self._letters[letter - 1]]

    def _is_dummy(self, bit: int) -> bool:
        return self.word.state(bit)[1] <= 0

    # Scenes

    def scene(self, unit: Unit, k: int) -> Scene:
        letter, is_done = (-(-k // 2), k % 2 == 0) if unit is Unit.OPERATION else (k, True)
        parts: tuple[Part, ...] = (self._text(letter, is_done), self._automata(letter, is_done))
        if self.word.q > 1:
            parts = (*parts, self._accepting(letter, is_done))
        return Scene((*parts, self._words(letter, is_done)))

    def _text(self, letter: int, is_done: bool) -> Sheet:
        first = max(0, min(letter - SHOWN_LETTERS // 2, len(self.text) - SHOWN_LETTERS))
        places = range(first + 1, min(first + SHOWN_LETTERS, len(self.text)) + 1)
        marks = []
        for place in places:
            seen = place < letter or (place == letter and is_done)
            if seen and self.ends(place):
                marks.append(Mark.WINNER)
            else:
                marks.append(Mark.NEW if place == letter else Mark.PLAIN if place < letter else Mark.FAINT)
        heads = tuple(number(place) for place in places)
        return Sheet("Text", heads, (tuple(self.text[place - 1] for place in places),), (tuple(marks),), mono=True)

    def _automata(self, letter: int, is_done: bool) -> Sheet:
        """Return a row of states per pattern, first letter on the left, dummies before short ones."""
        q, longest = self.word.q, self.longest
        state = self.states[letter] if is_done else self.words(letter)[0]
        rows, marks = [], []
        for k, (name, length) in enumerate(zip(self.names, self.word.lengths, strict=True)):
            letters = self.patterns[k][-length:]
            line, lit = [name], [Mark.PLAIN]
            for i in range(longest):
                matched = i + 1 - (longest - length)
                bit = ACCEPT_BIT + k - q * (longest - 1 - i)
                reached = not state >> bit & 1
                line.append(DUMMY if matched <= 0 else letters[matched - 1])
                if matched <= 0:
                    lit.append(Mark.SKIPPED)
                elif i == longest - 1 and reached and is_done and letter:
                    lit.append(Mark.WINNER)
                else:
                    lit.append(Mark.ON if reached else Mark.PLAIN)
            rows.append(tuple(line))
            marks.append(tuple(lit))
        heads = ("pattern", *(f"s{i}" for i in range(1, longest + 1)))
        return Sheet("States, lit where reached", heads, tuple(rows), tuple(marks), mono=True)

    def _accepting(self, letter: int, is_done: bool) -> Sheet:
        """Return the table that shows how the number of zeros identifies a pattern."""
        known = bool(letter) and is_done
        turned = ~self.states[letter] >> ACCEPT_BIT & ((1 << self.word.q) - 1)
        zeros = (turned & -turned).bit_length() - 1  # -1: no state is reached
        rows = (
            ("accepting bits turned over", format(turned, f"0{self.word.q}b") if known else ""),
            ("zeros from below", "" if not known else DUMMY if zeros < 0 else number(zeros)),
            ("pattern that it names", "" if not known else DUMMY if zeros < 0 else self.names[zeros]),
        )
        lit = Mark.WINNER if known and zeros >= 0 else Mark.PLAIN
        return Sheet("Which pattern ends", ("", ""), rows, ((Mark.PLAIN, lit),) * 3, mono=True)

    def _words(self, letter: int, is_done: bool) -> Bits:
        width = self._top + 1 - self.word.lowest
        blank = " " * width
        shifted, table = (self.bits_of(word) for word in self.words(letter)) if letter else (blank, blank)
        shift = f"S << {self.word.q}"
        read = f"B[{self.text[letter - 1]}]" if letter else "B"
        rows = [(shift, shifted), (read, table if is_done else blank)]
        rows.append(("S", self.bits_of(self.states[letter]) if is_done else blank))
        for back in range(1, min(SHOWN_STATES, len(self.text)) + 1):
            at = letter - back
            name = (f"{number(at)} {self.text[at - 1]}" if at else "0") if at >= 0 else ""
            rows.append((name, self.bits_of(self.states[at]) if at >= 0 else blank))
        dummies = "".join("d" if self._is_dummy(bit) else "." for bit in range(self._top, self.word.lowest - 1, -1))
        newest = 2 if is_done else 0
        marks = tuple(
            "".join("n" if row == newest and dummy == "." else dummy for dummy in dummies) for row in range(len(rows))
        )
        groups = self.word.q if self.word.q > 1 else 0
        return Bits(tuple(rows), down=False, groups=groups, heads=self._heads(), marks=marks)

    def _heads(self) -> tuple[str, ...]:
        """Return the expected letter of each bit, highest first; with several patterns also the pattern."""
        heads = []
        for bit in range(self._top, self.word.lowest - 1, -1):
            k, matched = self.word.state(bit)
            letter = self.patterns[k][-self.word.lengths[k] :][matched - 1] if matched > 0 else DUMMY
            heads.append(letter if self.word.q == 1 else f"{letter}{k + 1}")
        return tuple(heads)

    # Values

    def _value(self, name: str) -> Any:
        """Return the value ``name`` for texts and expectations.

        ``states``: S after each letter; ``ends``: for each letter, the patterns that end there, from 1; ``hits``:
        letters at which a pattern ends; ``dummies``: dummy bits, from 1; ``order``, ``blocks``: names of the states
        from the highest bit, interleaved and pattern after pattern; ``q``, ``longest``, ``letters``; ``word bits``;
        ``highest bit``, ``lowest bit``, ``first ending``: bits of the whole word, from 1, of the states and of
        accepting states; ``most patterns``, ``most states``: limits of a word.
        """
        q, longest, n = self.word.q, self.longest, len(self.text)
        names = [[f"s{i}^{j}" for j in range(q, 0, -1)] for i in range(longest, 0, -1)]
        lowest = self.word.lowest
        values: dict[str, Any] = {
            "states": [self.bits_of(state) for state in self.states[1:]],
            "ends": [[k + 1 for k in self.ends(letter)] for letter in range(1, n + 1)],
            "hits": [letter for letter in range(1, n + 1) if self.ends(letter)],
            "dummies": [bit - lowest + 1 for bit in range(lowest, self._top + 1) if self._is_dummy(bit)],
            "order": [one for row in names for one in row],
            "blocks": [row[j] for j in range(q) for row in names],
            "q": q,
            "longest": longest,
            "letters": n,
            "word bits": BITS,
            "highest bit": self._top + 1,
            "lowest bit": lowest + 1,
            "first ending": ACCEPT_BIT + 1,
            "most patterns": MAX_PATTERNS,
            "most states": ACCEPT_BIT,
        }
        return values[name]

    # Questions

    def kinds(self, unit: Unit) -> tuple[Kind, ...]:
        return (Kind.BITS, Kind.VALUE) if unit is Unit.LETTER else ()

    def moments(self, unit: Unit) -> Mapping[str, Sequence[int]]:
        if unit is Unit.OPERATION:
            return {"shift": range(1, self.steps(unit) + 1, 2), "or": range(2, self.steps(unit) + 1, 2)}
        ends = [bool(self.ends(k)) for k in range(1, len(self.text) + 1)]
        reached = [self._reached(k) for k in range(1, len(self.text) + 1)]
        return {
            "hit": [k for k, is_end in enumerate(ends, 1) if is_end],
            "partial": [k for k, now in enumerate(reached, 1) if now and not ends[k - 1]],
            "nothing": [k for k, now in enumerate(reached, 1) if not now],
        }

    def ask(self, unit: Unit, k: int, kind: Kind) -> Question:
        letter = self.text[k - 1]
        if kind is Kind.VALUE:
            text = f"Letter {number(k)} is {letter}. How many patterns end there?"
            slips = [
                slip(len(self.ends(k - 1)), "That is of the letter before."),
                slip(self._reached(k), "Those are all states that are reached: an end is the last state of a pattern."),
                slip(self.word.q, "Those are all patterns: one ends where its last state is 0."),
            ]
            asked = Asked(text, [str(len(self.ends(k)))], slips)
        else:
            text = (
                f"What is S after letter {number(k)}, {letter}? "
                f"{count(self._top + 1 - self.word.lowest, 'bit', 'bits, the highest first')}."
            )
            word, before = self.bits_of(self.states[k]), self.bits_of(self.states[k - 1])
            moved = before[self.word.q :] + "0" * self.word.q
            others = {"S before the letter": before, "S after the shift, without the or": moved}
            asked = Asked(text, [word], bit_slips(word, "the highest bit is the first", others))
        return new_question(kind, unit, k, asked, self.say(unit, k))

    # Sentences

    def say(self, unit: Unit, k: int) -> str:
        if k == 0:
            if any(map(self._is_dummy, range(self.word.lowest, self._top + 1))):
                return "0 means reached. Nothing is read yet, and only the dummies of shorter patterns are reached."
            return "0 means reached. Nothing is read yet, so no state is."
        if unit is Unit.OPERATION and k % 2:
            if self.word.q == 1:
                return "Shift by 1: every state moves on to its next one, and a 0 comes in at the low end."
            return (
                f"Shift by {number(self.word.q)}: the states of all patterns move on at once, and zeros come in at the "
                "low end."
            )
        at = -(-k // 2) if unit is Unit.OPERATION else k
        letter, ends = self.text[at - 1], self.ends(at)
        if ends:
            names = ", ".join(self.names[k] for k in ends)
            if len(ends) == 1:
                return f"{letter}: an accepting state is 0: {names} ends with letter {number(at)}."
            return f"{letter}: {number(len(ends))} accepting states are 0: {names} end with letter {number(at)}."
        reached = self._reached(at)
        if not reached:
            return f"{letter}: nothing fits, and every state is lost."
        return (
            f"{letter}: every state moves on, and only the one that waits for {letter} stays 0."
            if reached == 1
            else f"{letter}: every state moves on, and only the {number(reached)} that wait for {letter} stay 0."
        )

    def _reached(self, letter: int) -> int:
        """Return the number of active states after a letter, without dummies."""
        state = self.states[letter]
        bits = range(self.word.lowest, self._top + 1)
        return sum(not state >> bit & 1 and not self._is_dummy(bit) for bit in bits)


@of_inputs(a=letters(MAX_TEXT_LETTERS), b=letters(MAX_PATTERN_LETTERS))
def automaton_trace(text: str, typed: str, most_patterns: int = MAX_PATTERNS) -> AutomatonTrace:
    """Return the trace of the blank-separated patterns ``typed`` in ``text``.

    Args:
        most_patterns: maximum; 1 for plain Shift-Or.

    Raises:
        InputError: an unsearchable pattern. ValueError: invalid inputs, or patterns too large for one word.
    """
    for name, some in (("a", text), ("b", typed)):
        if not some.isascii():
            raise ValueError(f"'{name}' has a letter that is not ASCII; patterns are compared byte by byte")
    patterns = typed.split()
    if not 1 <= len(patterns) <= most_patterns:
        possible = "one is wanted" if most_patterns == 1 else f"1 to {most_patterns} go, with blanks between them"
        raise ValueError(f"'b' has {count_noun(len(patterns), 'pattern')}; {possible}")
    given = tuple(Pattern(word.encode("ascii"), word, "b", place) for place, word in enumerate(patterns, 1))
    steps = build_pattern_set(given, LetterRule.LITERAL, fold_case=False, both_strands=False, errors=0)
    chosen = run_to_end(steps)
    words = cyclic_words(chosen)
    if len(words) > 1:
        longest = max(map(len, patterns))
        raise ValueError(
            f"{count_noun(len(patterns), 'pattern')} of up to {longest} letters take more than a word of {BITS} bits; "
            f"({longest} - 1) x {len(patterns)} may be {ACCEPT_BIT} at most"
        )
    ordered = tuple(patterns[k] for k in words[0].members)
    return AutomatonTrace(words[0], ordered, ordered, text, text.encode("ascii"))
