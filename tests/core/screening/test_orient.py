"""How B is oriented to fit A, where that is known, and where it cannot be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.helpers import sequence
from tests.core.pairs import letters
from tests.depth import examples
from tests.oracles import edit as oracle
from wavediff.core.jobs.events import NoticeRaised
from wavediff.core.run.runner import run_job
from wavediff.core.screening import origin as origins
from wavediff.core.screening.jobs import FoundOrientation, OrientJob
from wavediff.core.screening.origin import cheapest_cut
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand, reverse_complement


def random(n, seed, alphabet=b"ACGT"):
    rng = np.random.default_rng(seed)
    return bytes(rng.choice(list(alphabet), n).astype(np.uint8).tobytes())


def turned(text, by):
    return text[by:] + text[:by]


def orient(a, b, strand=None, *, circular=True):
    """The answer; what is doubted is told as well."""
    events = []
    job = OrientJob(a=letters(a), b=letters(b), strand=strand, circular=circular)
    found = run_job(job, report=events.append)
    assert [one.text for one in events if isinstance(one, NoticeRaised)] == list(found.doubts)
    return found


@examples(60)
@given(seed=st.integers(0, 1 << 30), n=st.integers(40, 900), share=st.floats(0, 1), minus=st.booleans())
def test_a_circle_that_was_turned_is_turned_back(seed, n, share, minus):
    a = random(n, seed)
    b = turned(a, int(share * n))
    found = orient(a, reverse_complement(b) if minus else b)
    assert found.doubts == ()
    assert found.orientation.strand is (Strand.MINUS if minus else Strand.PLUS)
    assert found.orientation.read(reverse_complement(b) if minus else b) == a


@examples(60)
@given(
    seed=st.integers(0, 1 << 30),
    share=st.floats(0, 1),
    minus=st.booleans(),
    edits=st.lists(st.tuples(st.sampled_from("XID"), st.integers(0, 599), st.integers(1, 12)), max_size=5),
    near=st.booleans(),
)
def test_edits_do_not_move_the_origin(seed, share, minus, edits, near):
    """No more edits than before it was turned, also where they lie next to the beginning of A."""
    a = random(600, seed)
    changed = bytearray(a)
    for kind, at, n in edits:
        place = (at % 20 - 10) % len(changed) if near else at % len(changed)
        new = b"" if kind == "D" else random(n, seed + at)
        changed[place : place + (0 if kind == "I" else n)] = new
    b = turned(bytes(changed), int(share * len(changed)))
    b = reverse_complement(b) if minus else b
    found = orient(a, b)
    assert oracle.table(a, found.orientation.read(b))[-1, -1] <= oracle.table(a, bytes(changed))[-1, -1]


@given(*(st.text("ACGT", max_size=9) for _ in "abc"))
def test_the_cheapest_cut_is_that_of_the_textbook(left, right, text):
    x, y, z = left.encode(), right.encode(), text.encode()
    costs = [oracle.distance(x, z[:cut]) + oracle.distance(y, z[cut:]) for cut in range(len(z) + 1)]
    assert cheapest_cut(letters(x), letters(y), letters(z)) == costs.index(min(costs))


def test_what_is_too_long_to_cut_well_is_cut_by_length(monkeypatch):
    monkeypatch.setattr(origins, "MAX_CUT_CELLS", 10)
    assert cheapest_cut(letters(b"AAA"), letters(b"CCC"), letters(b"ACCCCC")) == 3


@pytest.mark.parametrize("circular", [False, True])
def test_the_strand_is_found_and_a_line_not_turned(circular):
    a = random(3000, 1)
    assert orient(a, a, circular=circular).orientation == Orientation(circular=circular)
    other = orient(a, reverse_complement(a), circular=circular)
    assert other == FoundOrientation(Orientation(Strand.MINUS, circular))
    line = orient(a, reverse_complement(turned(a, 1234)), circular=False)
    assert line == FoundOrientation(Orientation(Strand.MINUS))


def test_a_strand_that_was_named_is_kept():
    a = random(500, 2)
    b = reverse_complement(turned(a, 100))
    assert orient(a, b, Strand.MINUS).orientation.read(b) == a
    kept = orient(a, b, Strand.PLUS)
    assert kept.orientation == Orientation(circular=True)
    assert kept.doubts == ("No start of B matches the start of A: B starts as in its file",)


@pytest.mark.parametrize("n", [20, 33, 47])
def test_a_few_letters_are_oriented_without_kmers(n):
    a = random(n, n)
    b = reverse_complement(turned(a, 9))
    assert orient(a[:12], turned(a[:12], 5)).orientation.read(turned(a[:12], 5)) == a[:12]
    assert orient(a, b).orientation.read(b) == a


def test_of_equal_origins_the_first_is_taken_and_told():
    unit = random(50, 3)
    a = unit * 6
    b = turned(a, 70)
    found = orient(a, b)
    assert found.orientation == Orientation(circular=True, shift=30)
    assert found.orientation.read(b) == a
    assert found.doubts == ("B could also start at 5 other letters; it starts at 31",)


def test_parts_in_another_order_have_as_many_origins():
    x, y, z = (random(400, seed) for seed in (4, 5, 6))
    found = orient(x + y + z, x + z + y)
    (doubt,) = found.doubts
    assert doubt.startswith("B could also start at 2 other letters;")
    assert found.orientation.shift == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [(b"", b""), (b"ACGT" * 9, b""), (b"", b"ACGT" * 9), (b"N" * 300, b"N" * 300), (random(3000, 7), random(3000, 8))],
    ids=["nothing", "no B", "no A", "N alone", "unrelated"],
)
@pytest.mark.parametrize("circular", [False, True])
def test_what_shares_nothing_stays_as_it_is_and_that_is_told(a, b, circular):
    found = orient(a, b, circular=circular)
    assert found.orientation == Orientation(circular=circular)
    strand = "Neither strand of B shares more with A: it is compared as in its file"
    begins = "No start of B matches the start of A: B starts as in its file"
    assert found.doubts == ((strand, begins) if circular else (strand,))


def test_a_sample_of_the_kmers_finds_the_letter(monkeypatch):
    from wavediff.core.screening import run as screening

    monkeypatch.setattr(screening, "MAX_INSERTED", 2_000)
    a = random(60_000, 9)
    b = reverse_complement(turned(a, 23_456))
    assert orient(a, b).orientation.read(b) == a


def test_case_is_ignored_and_codes_are_kept():
    a = random(400, 10)[:200] + b"NNNNRYSW" + random(400, 11)[:200]
    b = turned(a, 77).lower()
    found = orient(a, reverse_complement(b))
    assert found.orientation.read(reverse_complement(b)).upper() == a
    one = sequence(reverse_complement(b)).oriented(found.orientation)
    assert one.orientation != FORWARD
    assert one.letters.tobytes().upper() == a
