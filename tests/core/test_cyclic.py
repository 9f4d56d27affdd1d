"""The layout of Kusudo, Ino and Hagihara, bit by bit, and its worked example as a golden file."""

import json
from pathlib import Path

import numpy as np

from wavediff.core.jobs.events import run_to_end
from wavediff.core.sequences.cyclic_layout import ACCEPT_BIT, MAX_PATTERNS, MAX_STATES, cyclic_words
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.matching import build_pattern_set
from wavediff.core.sequences.pattern_list import Pattern

GOLDEN = Path(__file__).parents[1] / "golden" / "kusudo_fig2.json"


def of(*letters):
    given = tuple(Pattern(one, "") for one in letters)
    return run_to_end(build_pattern_set(given, LetterRule.LITERAL, fold_case=False, both_strands=False, errors=0))


def top(word, state, bits):
    """The highest ``bits`` states, as the paper prints them."""
    low = ACCEPT_BIT + word.q - bits
    return f"{(state >> low) & ((1 << bits) - 1):0{bits}b}"


def test_the_rows_of_figure_2():
    golden = json.loads(GOLDEN.read_text())
    (word,) = cyclic_words(of(golden["pattern"].encode()))
    states = list(word.follow(golden["text"].encode()))
    assert [top(word, state, len(golden["pattern"])) for state in states] == golden["rows"]


def test_dummies_lie_below_and_accepting_states_together():
    (word,) = cyclic_words(of(b"abcd", b"xy", b"d"))
    assert word.q == 3
    assert word.lowest == ACCEPT_BIT - 9
    kinds = {bit: word.state(bit) for bit in range(word.lowest, ACCEPT_BIT + 3)}
    assert [kinds[ACCEPT_BIT + k] for k in range(3)] == [(0, 4), (1, 2), (2, 1)]
    dummies = {bit for bit, (_, matched) in kinds.items() if matched <= 0}
    assert len(dummies) == 2 + 3
    never = (1 << 256) - (1 << (ACCEPT_BIT + 3))
    for row in word.table:
        assert row & never == never  # equation 7
        assert not any(row >> bit & 1 for bit in dummies)  # equation 6
    *_, last = word.follow(b"abcd")
    assert [last >> (ACCEPT_BIT + k) & 1 for k in range(3)] == [0, 1, 0]  # abcd and d end here, xy does not


def test_words_keep_within_the_bounds_of_the_paper():
    rng = np.random.default_rng(1)
    many = of(*(bytes(rng.integers(97, 101, rng.integers(1, 400), dtype=np.uint8)) for _ in range(200)))
    words = cyclic_words(many)
    assert sorted(k for word in words for k in word.members) == list(range(200))
    for word in words:
        assert word.q <= MAX_PATTERNS
        assert (max(word.lengths) - 1) * word.q <= ACCEPT_BIT
        assert word.lengths == tuple(min(int(many.lengths[k]), MAX_STATES) for k in word.members)
