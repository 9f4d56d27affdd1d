"""What tests of the search dock share: a made-up search with many hits, and what a row of the table shows."""

from __future__ import annotations

import numpy as np

from app.models.hits_table import HitsTable
from app.models.pair import Side
from app.search import Searched, Wish
from core.hits import Hits
from core.patterns.given import read_list
from core.results.search import Records
from core.sequence import Alphabet, Sequence


def shown(model: HitsTable, row: int) -> list[str]:
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def many(n: int) -> tuple[Searched, Hits]:
    """A made-up search with ``n`` hits of three patterns."""
    letters = np.full(n + 100, ord("A"), np.uint8)
    sequence = Sequence(letters=letters, name="big", alphabet=Alphabet.DNA, counts=np.bincount(letters, minlength=256))
    records = Records(np.array([0, letters.size]), lambda _: "big", lambda _: sequence.letters)
    wish = Wish(read_list(b"b\tAAA\na\tAA\nc\tAAAA"))
    k = np.arange(n)
    return Searched(wish, (Side.A,), (sequence,), records), Hits(k % 3, np.ones(n), k, 3 - k % 2, k % 5)  # type: ignore[arg-type]
