"""All records of a file as one sequence: its matches are those of each pair of records by themselves."""

import numpy as np
import pytest

from tests.core.screening.test_relation import random_letters
from wavediff.core.jobs.exact_matches import ExactMatchesJob
from wavediff.core.jobs.read import ParseJob
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import reverse_complement


def load_of(records):
    return run_job(ParseJob(text="".join(f">r{k}\n{one.decode()}\n" for k, one in enumerate(records))))


def matches(a, b):
    job = ExactMatchesJob(a=np.frombuffer(a, np.uint8), b=np.frombuffer(b, np.uint8), k=11)
    found = run_job(job)
    columns = found.a_starts, found.b_starts, found.lengths, found.minus
    return set(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_matches_of_joined_records_are_those_of_each_pair(seed):
    text, other = random_letters(900, seed), random_letters(400, seed + 10)
    # Ends that go on in the next record, a record of one letter, copies on both strands.
    firsts = [text[:300], text[300:600], b"A", other[:150] + text[600:]]
    seconds = [text[200:500], reverse_complement(text[250:800]), other, b"C", text[500:610]]
    a, b = load_of(firsts).joined(), load_of(seconds).joined()
    assert [a.records.name(k) for k in range(4)] == ["r0", "r1", "r2", "r3"]
    for joined, records in ((a, firsts), (b, seconds)):
        ends = zip(joined.records.starts.tolist(), joined.records.ends.tolist(), strict=True)
        assert [joined.letters[start:end].tobytes() for start, end in ends] == records
        assert len(joined) == sum(map(len, records)) + len(records) - 1
    expected = {
        (down + a0, right + b0, length, minus)
        for down, one in zip(a.records.starts.tolist(), firsts, strict=True)
        for right, two in zip(b.records.starts.tolist(), seconds, strict=True)
        for a0, b0, length, minus in matches(one, two)
    }
    assert len(expected) > 6
    assert {minus for *_, minus in expected} == {False, True}
    assert matches(a.letters.tobytes(), b.letters.tobytes()) == expected


def test_one_record_is_joined_as_it_is():
    one = load_of([b"ACGTACGTTT"]).joined()
    assert (one.letters.tobytes(), one.records.starts.tolist(), one.records.ends.tolist()) == (b"ACGTACGTTT", [0], [10])
