"""Every kind of job at a small size against the oracles; `make arm` runs these as a 64-bit ARM does."""

import random
import re

import numpy as np

import wavediff
from tests.oracles import affine, bwt, edit, lcs, search, swap_edit

N = 300  # letters


def dna(n, seed=1):
    return "".join(random.Random(seed).choices("ACGT", k=n))


def mutated(text, seed=2):
    rng, out = random.Random(seed), list(text)
    for _ in range(len(text) // 8):
        at = rng.randrange(len(out) - 1)
        out[at : at + rng.randrange(3)] = rng.choices("ACGT", k=rng.randrange(3))
    return "".join(out)


def pair():
    return dna(N), mutated(dna(N))


def codes(text):
    return np.frombuffer(text.encode(), np.uint8)


def columns(answer, a, b):
    """Return the number of columns of each kind, once they are found to have all letters of both."""
    runs = re.findall(r"(\d+)([=XID])", answer.cigar)
    n = {kind: sum(int(size) for size, one in runs if one == kind) for kind in "=XID"}
    assert (n["="] + n["X"] + n["D"], n["="] + n["X"] + n["I"]) == (len(a), len(b))
    return n


def test_edit_distance():
    a, b = pair()
    answer = wavediff.compare(a, b, method="edit")
    n = columns(answer, a, b)
    assert answer.distance == n["X"] + n["I"] + n["D"] == edit.distance(codes(a), codes(b))


def test_longest_common_subsequence():
    a, b = pair()
    answer = wavediff.compare(a, b, method="lcs")
    assert answer.length == columns(answer, a, b)["="] == lcs.length(codes(a), codes(b))


def test_edit_distance_with_swaps():
    a, b = pair()
    assert wavediff.compare(a, b, method="swap").distance == swap_edit.distance(a.encode(), b.encode())


def test_affine_gaps():
    a, b = pair()
    answer = wavediff.compare(a, b, method="affine", matrix="DNAfull", gap_open=10, gap_extend=1)
    columns(answer, a, b)
    scores = np.where(np.eye(4, dtype=bool), 5, -4)
    in_codes = [["ACGT".index(letter) for letter in one] for one in (a, b)]
    assert answer.score == affine.align(*in_codes, scores, 10, 1, np.eye(4, dtype=bool))[0]


def test_lines_and_words():
    a, b = (" ".join(re.findall("...", text)) for text in pair())
    for method, separator in (("lines", "\n"), ("words", " ")):
        units = [text.split(" ") for text in (a, b)]
        numbers = {unit: k for k, unit in enumerate(sorted({*units[0], *units[1]}))}
        common = lcs.length(*(np.array([numbers[unit] for unit in one]) for one in units))
        answer = wavediff.compare(separator.join(units[0]), separator.join(units[1]), method=method)
        assert answer.statistics[f"{method}_equal"] == common


def test_many_pairs():
    texts = [dna(40, seed) for seed in range(12)]
    expected = [[edit.distance(codes(a), codes(b)) for b in texts] for a in texts]
    assert wavediff.batch(texts).tolist() == expected


def test_search_with_edits():
    text, pattern = dna(3000), dna(8, seed=7)
    found = wavediff.search([pattern], text, errors=2, edits=True)
    assert [(hit["start"], hit["end"]) for hit in found] == [
        hit[:2] for hit in search.edits(text.encode(), pattern.encode(), 2)
    ]


def test_transform():
    text = dna(500)
    found = wavediff.transform(text)
    assert (found.last.tobytes(), found.primary) == bwt.bwt(text.encode())
    assert wavediff.inverse(found) == text.encode()


def test_index():
    text = dna(500)
    assert sorted(wavediff.Index(text).find("GAT").tolist()) == bwt.find(text.encode(), b"GAT")
