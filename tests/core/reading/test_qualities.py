"""Low qualities of FASTQ as spans of each record, against a slow scan."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavediff
from tests.core.reading.tools import load_pieces
from wavediff.core.reading import parse
from wavediff.core.reading.gathered import gathered
from wavediff.core.reading.run import part_of
from wavediff.core.sequences.spans import SpanKind

QUALITIES = st.lists(st.lists(st.integers(0, 93), max_size=40), min_size=1, max_size=6).filter(any)


def fastq(records):
    return b"".join(
        b"@r%d\n%s\n+\n%s\n" % (k, b"ACGT" * (len(one) // 4) + b"ACGT"[: len(one) % 4], bytes(33 + q for q in one))
        for k, one in enumerate(records)
    )


def scanned(record):
    """Return first letter, end and name of each run of letters below Q20, one letter after the other."""
    found, at = [], 0
    for low, some in groupby(record, lambda q: q < 20):
        values = [*some]
        if low:
            ends = sorted({min(values), max(values)})
            found.append((at, at + len(values), " to ".join(f"Q{q}" for q in ends)))
        at += len(values)
    return found


def told(spans):
    assert all(one.kind is SpanKind.QUALITY for one in spans)
    return [(*one.feature(k).parts[0], one.names[k]) for one in spans for k in range(len(one))]


@given(QUALITIES, st.integers(1, 50))
def test_spans_are_the_stretches_below_q20(records, cut):
    data = fastq(records)
    load = load_pieces((data[i : i + cut] for i in range(0, len(data), cut)), head=20)
    assert [told(load.sequence(k).spans) for k in range(load.n_records)] == [scanned(one) for one in records]


def test_many_pieces_of_records():
    records = [[k % 40, 5, 40, (7 * k) % 30] for k in range(20)]
    data = fastq(records)
    load = load_pieces((data[i : i + 50] for i in range(0, len(data), 50)), head=20)
    assert [told(load.sequence(k).spans) for k in range(20)] == [scanned(one) for one in records]
    some = gathered([(load, [7, 2])])
    assert [told(some.sequence(k).spans) for k in range(2)] == [scanned(records[7]), scanned(records[2])]
    part = part_of(load, "r7:2-4", "x.fq:r7:2-4")
    assert told(part.sequence(0).spans) == [(0, 1, "Q5 to Q7"), (2, 3, "Q19")], "named by the whole stretch"


def test_they_are_shown_and_not_compared(tmp_path):
    (tmp_path / "a.fq").write_bytes(fastq([[40, 2, 3, 40]]))
    (tmp_path / "b.fq").write_bytes(fastq([[40, 40, 40, 40]]))
    a, b = (wavediff.read(tmp_path / name) for name in ("a.fq", "b.fq"))
    assert (told(a.spans), told(b.spans)) == ([(1, 3, "Q2 to Q3")], [])
    assert wavediff.compare(a, b).distance == 0
    with pytest.raises(KeyError):
        parse(fastq([[1]])).spans[1]
