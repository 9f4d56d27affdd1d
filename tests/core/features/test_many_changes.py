"""Effects of very many changes: against Biopython's translation, and the bounds from which on there are none."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from Bio.Seq import Seq
from Bio.SeqFeature import SimpleLocation

from tests.core.features.test_effects import Coding, aligned, coding_spans, effects_at, row_texts, sequence
from tests.core.features.test_qualifiers import genbank
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.features import effects
from wavediff.core.jobs.features.effects import effects_of, effects_refused
from wavediff.core.run.api import compare


@pytest.mark.thorough
def test_a_hundred_thousand_changes_in_genes_are_translated_as_biopython_does() -> None:
    random, n, every, size = np.random.default_rng(1), 1_200_000, 11, 1_200
    letters = np.frombuffer(b"ACGT", np.uint8)[random.integers(0, 4, n)]
    other = letters.copy()
    other[5::every] = np.frombuffer(b"CGTA", np.uint8)[
        np.searchsorted(np.frombuffer(b"ACGT", np.uint8), letters[5::every])
    ]
    codings = [Coding(f"g{k}", ((k * size, (k + 1) * size),), 1 - 2 * (k % 2), 11) for k in range(n // size)]
    lengths = np.diff(np.append(np.sort(np.concatenate([np.arange(5, n, every), np.arange(5, n, every) + 1, [0]])), n))
    ops = np.tile(np.array([Op.EQUAL, Op.MISMATCH], np.uint8), lengths.size // 2 + 1)[: lengths.size]
    a, b = (one.tobytes().decode() for one in (letters, other))
    found = effects_of(sequence(a, coding_spans(n, *codings)), sequence(b), index_alignment(Alignment(ops, lengths)))
    assert found is not None
    assert found.places.size > 100_000
    expected = set[str]()
    for one in codings:
        ((start, end),) = one.parts
        pair = [
            Seq(each[start:end]) if one.strand > 0 else Seq(each[start:end]).reverse_complement() for each in (a, b)
        ]
        ours, theirs = (str(each.translate(one.table)) for each in pair)
        for k in range(1, len(ours)):
            if pair[0][3 * k : 3 * k + 3] != pair[1][3 * k : 3 * k + 3]:
                expected.add(f"{one.name}:{ours[k]}{k + 1}{'=' if ours[k] == theirs[k] else theirs[k]}")
    assert len(expected) > 90_000
    assert {one.text for one in found.every if not re.fullmatch(r"g\d+:\D1\D", one.text)} == expected  # of no start


def test_more_changes_than_are_computed_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = genbank(tmp_path / "a.gb", "ATGAAACCCTAA", SimpleLocation(0, 12, 1)), tmp_path / "b.fa"
    other.write_text(">b\nATGACACGCTAA\n")
    assert "effects: 2 missense: x:K2T, x:P3R" in str(compare(path, other))
    monkeypatch.setattr(effects, "MAX_CHANGES", 1)
    answer = compare(path, other)
    assert "effects on proteins not computed: 2 changes, at most 1; compare a range" in str(answer).splitlines()
    assert not answer.effects.size
    assert "effect" not in answer.to_tsv()
    assert "no effects" not in str(compare("ATGAAACCCTAA", "ATGACACGCTAA")), "there are no features"


def test_changes_are_counted_as_they_are_found() -> None:
    columns = [
        ("A", "C"),
        ("A", "-"),
        ("A", "-"),
        ("A", "G"),
        ("A", "A"),
        ("-", "T"),
        ("A", "T"),
        ("A", "T"),
        ("A", "A"),
    ]
    found, index = effects_at(columns, Coding("x", ((0, 8),), 1))
    a, b, _ = aligned(columns)
    pair = sequence(a, coding_spans(len(a), Coding("x", ((0, 8),), 1))), sequence(b)
    for most in (found.places.size, found.places.size - 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(effects, "MAX_CHANGES", most)
            assert bool(effects_refused(*pair, index)) == (most < found.places.size)


def test_genes_that_are_too_many_to_be_translated_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [("A", "C" if k in (4, 13) else "A") for k in range(18)]
    codings = Coding("p", ((0, 9),), 1), Coding("q", ((9, 18),), 1)
    assert row_texts(*effects_at(columns, *codings)) == ["p:K2T", "q:K2T"]
    monkeypatch.setattr(effects, "MAX_HITS", 1)
    assert row_texts(*effects_at(columns, *codings)) == ["p:K2T", "q (CDS)"]
