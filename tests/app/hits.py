"""What tests of the search panel share: a made-up search with many hits, and what a row of the table shows."""

from __future__ import annotations

import numpy as np

from wavediff.app.search.hits_model import HitsTable
from wavediff.app.search.search_session import SearchRequest, SearchScope
from wavediff.app.ui.pair import Side
from wavediff.core.jobs.hits import Hits
from wavediff.core.jobs.search import SearchedRecords
from wavediff.core.sequences.pattern_list import read_list
from wavediff.core.sequences.sequence import Alphabet, Sequence


def shown(model: HitsTable, row: int) -> list[str]:
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def fake_search(n: int) -> tuple[SearchScope, Hits]:
    """A made-up search with ``n`` hits of three patterns."""
    letters = np.full(n + 100, ord("A"), np.uint8)
    sequence = Sequence(letters=letters, name="big", alphabet=Alphabet.DNA, counts=np.bincount(letters, minlength=256))
    records = SearchedRecords(np.array([0, letters.size]), lambda _: "big", lambda _: sequence.letters)
    wish = SearchRequest(read_list(b"b\tAAA\na\tAA\nc\tAAAA"))
    k = np.arange(n)
    return SearchScope(wish, (Side.A,), (sequence,), records), Hits(k % 3, np.ones(n), k, 3 - k % 2, k % 5)  # type: ignore[arg-type]
