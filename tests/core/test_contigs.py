"""Contigs of made assemblies: places, strands, order, gaps, and what is not placed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import distance

from tests.core.assemblies import assembly, changed, random_letters
from tests.depth import examples, one_of
from wavediff.core.base.errors import Cancelled
from wavediff.core.jit.background_compile import STAGE
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.contigs import ContigsJob, ContigsResult, Next, NextKind, NotPlaced, Placement
from wavediff.core.jobs.events import ContigsPlaced, Progress
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock, RearrangedJob
from wavediff.core.kernels.contigs.run import MatchedContigs, relations
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import reverse_complement
from wavediff.core.sequences.sequence import SequencePool


def border(at):
    return Border(at, at, at)


def placed(number, start, end, **more):
    block = CollinearBlock(
        BlockKind.COLLINEAR, (border(start), border(end)), (border(0), border(end - start)), more.get("minus", False)
    )
    more = {"blocks": (block,), "contig": (0, end - start)} | more
    return Placement(number, f"c{number}", end - start, a=(border(start), border(end)), **more)


def test_the_answer_counts_contigs_and_gaps():
    other = CollinearBlock(BlockKind.MOVED, (border(900), border(950)), (border(100), border(150)))
    inverted = CollinearBlock(BlockKind.INVERTED, (border(540), border(560)), (border(40), border(60)))
    chimera = placed(3, 500, 600, minus=True)
    chimera = placed(3, 500, 600, minus=True, blocks=(*chimera.blocks, inverted), others=(other,))
    placements = (placed(1, 0, 100), Placement(2, "c2", 9, NotPlaced.SHORT), chimera)
    found = ContigsResult(
        1_000, False, 11, 128, placements, (0, 2), (Next(NextKind.GAP, 400), Next(NextKind.END, 0)), 250,
        ((100, 500), (600, 1_000)),
    )  # fmt: skip
    told = "2 of 3 contigs placed, 1 turned, 1 chimeric, cover 25.0 % of A; 2 gaps, 1 not placed"
    assert found.text == f"{told}; inside contigs: 1 inverted"
    assert [one.number for one in found.placed] == [1, 3]
    assert [one.name for one in found.unplaced] == ["c2"]
    assert (chimera.elsewhere, chimera.covered) == (50, 120)
    assert found.next_to[0].text == "gap 400"


@pytest.mark.parametrize(("n", "of_a", "why"), [(0, 900, "no chain of shared 11-mers"), (2, 0, "A has no letters")])
def test_none_is_placed(n, of_a, why):
    left = tuple(Placement(at + 1, "c", 500, NotPlaced.UNKNOWN) for at in range(n))
    found = ContigsResult(of_a, False, 11, 128, left, (), (), 0, ((0, of_a),) if of_a else ())
    assert found.text == f"none of {n} contigs placed: {why}"


def place(a, contigs, **options):
    pool = SequencePool.of([np.frombuffer(one, np.uint8) for one in contigs])
    names = tuple(f"c{at + 1}" for at in range(len(contigs)))
    return run_job(ContigsJob(a=np.frombuffer(a, np.uint8), contigs=pool, names=names, **options))


def spans(found):
    return [(one.number, one.minus, one.a[0].at, one.a[1].at) for one in found.placed]


def told(found):
    """Return all numbers of an answer, and the alignments of its blocks."""
    blocks = [
        (block.kind, block.a, block.b, block.minus, block.result.alignment.lengths.tolist())
        for one in found.placements
        for block in (*one.blocks, *one.others)
    ]
    fields = [(one.reason, one.a, one.contig, one.n_places, one.same_as, one.differences) for one in found.placements]
    return found.text, fields, blocks, found.next_to, found.gaps


@pytest.mark.parametrize(("seed", "share"), one_of(7, range(10), [0.0, 0.01]))
def test_each_contig_is_placed_to_the_letter(seed, share):
    """A border may be another one only where fewer edits than were made lead there."""
    a, contigs, truths = assembly(seed, share=share)
    found = place(a, contigs)
    for one, truth in zip(found.placements, truths, strict=True):
        assert one.placed
        assert one.minus == truth.minus
        assert one.n_places == 1
        exact = [border.low <= at <= border.high for border, at in zip(one.a, truth[:2], strict=True)]
        assert all(exact) or one.differences < truth.edits, (one.a, truth)
        assert one.differences <= truth.edits
        assert one.contig == (0, one.letters)
        check_alignment(a, contigs[one.number - 1], one)
    along = sorted(range(len(truths)), key=lambda at: truths[at].start)
    assert [one.number - 1 for one in found.placed] == along
    if not share:
        gaps = [(truths[i].end, truths[j].start) for i, j in pairwise(along)]
        assert list(found.gaps) == [gap for gap in [*gaps, (truths[along[-1]].end, len(a))] if gap[0] < gap[1]]
        assert found.covered == sum(end - start for start, end, _, _ in truths)
        assert [one.kind is NextKind.ADJACENT for one in found.next_to[:-1]] == [one == other for one, other in gaps]


def check_alignment(a, contig, one):
    """The alignment of each block stands on the letters that it names, with as many edits as the exact distance."""
    for block in (*one.blocks, *one.others):
        b0, b1 = (border.at for border in block.b)
        letters = reverse_complement(contig[b0:b1]) if block.minus else contig[b0:b1]
        own = (a + a)[block.a[0].at : block.a[1].at]
        assert (block.result.alignment.n_a, block.result.alignment.n_b) == (len(own), len(letters))
        assert block.result.distance == distance.Levenshtein.distance(own, letters)


@pytest.fixture(scope="module")
def a():
    return random_letters(np.random.default_rng(5), 40_000)


def test_a_contig_over_the_origin_of_a_circle(a):
    over = bytearray(a[-1_000:] + a[:2_000])
    over[1_000] = ord("A") if over[1_000] != ord("A") else ord("C")  # the first letter of A
    contigs = [a[30_000:38_500], reverse_complement(bytes(over)), a[3_000:31_000]]
    found = place(a, contigs, circular=True)
    assert spans(found) == [(3, False, 3_000, 31_000), (1, False, 30_000, 38_500), (2, True, 39_000, 42_000)]
    assert [len(one.blocks) for one in found.placed] == [1, 1, 1]
    assert found.gaps == ((2_000, 3_000), (38_500, 39_000))
    assert found.covered == len(a) - 1_500
    assert [one.text for one in found.next_to] == ["overlap 1,000", "gap 500", "gap 1,000"]
    assert [one.differences for one in found.placements] == [0, 1, 0]
    linear = place(a, contigs)
    assert spans(linear)[0] == (2, True, 0, 2_000)
    assert linear.placements[1].elsewhere == 1_000
    assert linear.gaps == ((2_000, 3_000), (38_500, 40_000))  # the other part of the chimera covers nothing
    assert linear.covered == len(a) - 2_500


@pytest.mark.parametrize("origin", [1, 12_345, 39_990])
@pytest.mark.parametrize("minus", [False, True])
def test_an_assembly_of_one_circle_from_another_origin(a, origin, minus):
    whole = a[origin:] + a[:origin]
    found = place(a, [reverse_complement(whole) if minus else whole], circular=True)
    (one,) = found.placements
    assert (one.minus, one.a[0].at, one.a[1].at, one.contig) == (minus, origin, origin + len(a), (0, len(a)))
    assert (found.coverage, found.gaps, one.differences, len(one.blocks)) == (1, (), 0, 1)


def test_copies_and_contained_contigs(a):
    contigs = [a[5_000:15_000], a[6_000:8_000], reverse_complement(a[6_000:8_000]), a[14_000:20_000], a[20_000:21_000]]
    found = place(a, contigs)
    assert [one.same_as for one in found.placements] == [(), (3,), (2,), (), ()]
    assert spans(found)[:3] == [(1, False, 5_000, 15_000), (2, False, 6_000, 8_000), (3, True, 6_000, 8_000)]
    kinds = [(one.kind, one.letters) for one in found.next_to]
    assert kinds == [
        (NextKind.OVERLAP, 1_000), (NextKind.CONTAINED, 2_000), (NextKind.CONTAINED, 2_000), (NextKind.ADJACENT, 0),
        (NextKind.END, 0),
    ]  # fmt: skip
    assert [one.contig for one in found.next_to] == [4, 1, 1, 5, 0]
    assert found.covered == 16_000
    assert found.gaps == ((0, 5_000), (21_000, 40_000))


def circle_of(start, end, n):
    return {at % n for at in range(start, end)}


def relation_by_letters(at, spans, n, circular):
    """The relation of a contig by sets of letters of A."""
    sets = [circle_of(*span, n) for span in spans]

    def holders(one):
        return [
            k
            for k, other in enumerate(sets)
            if k != one and sets[one] <= other and (other != sets[one] or (len(other) < n and k < one) or k == full)
        ]

    wholes = [k for k, other in enumerate(sets) if len(other) == n]
    full = wholes[0] if wholes else -1
    outer = [k for k in range(len(spans)) if k == full or not holders(k)]
    if at not in outer:
        return NextKind.CONTAINED, len(sets[at]), [k for k in holders(at) if k in outer]
    later = [k for k in outer if k > at]
    if not later and not circular:
        return NextKind.END, 0, [-1]
    after = later[0] if later else outer[0]
    if after == at:
        apart = n - len(sets[at])
        return (NextKind.GAP if apart else NextKind.ADJACENT), apart, [at]
    shared = 0
    while (spans[after][0] + shared) % n in sets[at]:
        shared += 1
    if shared:
        return NextKind.OVERLAP, shared, [after]
    apart = 0
    while (spans[at][1] + apart) % n != spans[after][0] % n:
        apart += 1
    return (NextKind.GAP if apart else NextKind.ADJACENT), apart, [after]


@given(st.data(), st.booleans())
@examples(500)
def test_relations_are_those_of_the_letters(data, circular):
    n = data.draw(st.integers(1, 24))
    spans = []
    for _ in range(data.draw(st.integers(1, 7))):
        start = data.draw(st.integers(0, n - 1))
        spans.append((start, data.draw(st.integers(start + 1, start + n if circular else n))))
    spans.sort(key=lambda span: (span[0], -span[1]))
    found = relations(spans, [*range(len(spans))], n, circular=circular)
    for at, one in enumerate(found):
        kind, letters, others = relation_by_letters(at, spans, n, circular)
        assert (one.kind, one.letters) == (kind, letters), (spans, at)
        assert kind is NextKind.END or one.contig in others, (spans, at)


@pytest.mark.parametrize(("seed", "circular"), one_of(5, range(8), [False, True]))
def test_nests_and_overlaps_of_letters(a, seed, circular):
    rng = np.random.default_rng(seed)
    n, places = len(a), []
    for _ in range(14):
        start = int(rng.integers(0, n - 200))
        size = int(rng.choice([200, 1_500, 9_000]))
        places.append((start, start + size if circular else min(start + size, n)))
    places += [(start + 60, end - 60) for start, end in places[:4]]
    found = place(a, [(a + a)[start:end] for start, end in places], circular=circular)
    along = sorted(range(len(places)), key=lambda at: (places[at][0] % n, -places[at][1], at))
    assert list(found.order) == along
    spans = [places[at] for at in along]
    for at, one in enumerate(found.next_to):
        kind, letters, others = relation_by_letters(at, spans, n, circular)
        assert (one.kind, one.letters) == (kind, letters)
        assert one.contig in [along[k] + 1 if k >= 0 else 0 for k in others]


def test_a_chimera_is_told_and_one_with_an_inversion_inside_is_none(a):
    inverted = a[1_000:4_000] + reverse_complement(a[4_000:5_000]) + a[5_000:9_000]
    found = place(a, [a[20_000:24_000] + reverse_complement(a[2_000:5_000]), inverted])
    one, other = found.placements
    assert (one.a[0].at, one.contig[0], one.chimeric) == (20_000, 0, True)
    assert abs(one.elsewhere - 3_000) <= one.a[1].high - one.a[1].low
    assert [[block.kind for block in some] for some in (one.blocks, one.others)] == [
        [BlockKind.COLLINEAR], [BlockKind.INVERTED],
    ]  # fmt: skip
    assert (other.a[0].at, other.a[1].at, other.contig, other.chimeric) == (1_000, 9_000, (0, 8_000), False)
    assert "1 chimeric" in found.text


def kind_and_start(block):
    return block.kind, block.a[0].at


def planted(a, event, rng):
    """Return 20,000 letters of A with something that happened to letters 8,000 to 12,000."""
    part, turned = a[8_000:12_000], reverse_complement(a[8_000:12_000])
    return {
        "inversion": lambda: a[:8_000] + turned + a[12_000:20_000],
        "inverted start": lambda: reverse_complement(a[:3_000]) + a[3_000:20_000],
        "most inverted": lambda: a[:4_000] + reverse_complement(a[4_000:17_000]) + a[17_000:20_000],
        "move": lambda: a[:8_000] + a[12_000:15_000] + part + a[15_000:20_000],
        "moved to the end": lambda: a[:8_000] + a[12_000:20_000] + part,
        "deletion": lambda: a[:8_000] + a[12_000:20_000],
        "insertion": lambda: a[:8_000] + random_letters(rng, 4_000) + a[8_000:20_000],
        "tandem copy": lambda: a[:12_000] + part + a[12_000:20_000],
        "copy": lambda: a[:16_000] + part + a[16_000:20_000],
        "inverted copy": lambda: a[:16_000] + turned + a[16_000:20_000],
        "inversion and move": lambda: (
            a[:2_000] + reverse_complement(a[2_000:5_000]) + a[5_000:8_000] + a[12_000:15_000] + part + a[15_000:20_000]
        ),
        "short inversion": lambda: a[:8_000] + reverse_complement(a[8_000:8_150]) + a[8_150:20_000],
        "half of an insertion": lambda: a[:16_000] + part[:450] + random_letters(rng, 350) + a[16_000:20_000],
        "short copy inside": lambda: (
            a[:16_000] + random_letters(rng, 350) + part[:150] + random_letters(rng, 300) + a[16_000:20_000]
        ),
    }[event]()  # fmt: skip


@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.02])
@pytest.mark.parametrize(
    ("event", "inside"),
    [
        ("inversion", (1, 0, 0)), ("inverted start", (1, 0, 0)), ("most inverted", (2, 0, 0)), ("move", (0, 1, 0)),
        ("moved to the end", (0, 1, 0)), ("deletion", (0, 0, 0)), ("insertion", (0, 0, 0)), ("tandem copy", (0, 0, 1)),
        ("copy", (0, 0, 1)), ("inverted copy", (0, 0, 1)), ("inversion and move", (1, 1, 0)),
        ("short inversion", (1, 0, 0)), ("half of an insertion", (0, 0, 1)), ("short copy inside", (0, 0, 0)),
    ],
)  # fmt: skip
def test_what_is_rearranged_inside_a_contig_is_what_its_comparison_has(a, event, inside, share, minus):
    """The oracle is the comparison by blocks of the contig, on the strand of its place, with its letters of A."""
    rng = np.random.default_rng(len(event))
    contig, _ = changed(rng, planted(a, event, rng), share)
    if event == "most inverted":
        contig = reverse_complement(contig)  # as its largest block lies on A
    own = a[:20_000]
    blocks = run_job(RearrangedJob(a=np.frombuffer(own, np.uint8), b=np.frombuffer(contig, np.uint8), k=14))
    found = place(own, [reverse_complement(contig) if minus else contig], k=14)
    (one,) = found.placements
    assert tuple(one.rearranged.values()) == tuple(found.rearranged.values()) == inside
    assert (one.minus, one.others, one.chimeric) == (minus, (), False)
    aligned = [block for block in blocks.blocks if block.result is not None]
    assert [len(blocks.of(kind)) for kind in one.rearranged] == [*inside]
    assert one.differences == blocks.edits
    for block, other in zip(sorted(one.blocks, key=kind_and_start), sorted(aligned, key=kind_and_start), strict=True):
        for border, expected in zip(block.a, other.a, strict=True):
            assert expected.low <= border.at <= expected.high
            assert minus or border.at == expected.at  # else letters that fit both sides lie in the other block
    assert one.covered == sum(block.size[1] for block in aligned)
    alone = sum(block.size[0] for block in blocks.of(BlockKind.ONLY_A))
    assert (found.covered, found.gaps) == (20_000 - alone, ())
    check_alignment(own, reverse_complement(contig) if minus else contig, one)


def test_what_a_contig_lacks_or_has_more_lies_inside_one_place(a):
    more = random_letters(np.random.default_rng(9), 300)
    found = place(a, [a[1_000:4_000] + a[4_700:8_000] + more + a[8_000:12_000]])
    (one,) = found.placements
    assert (one.a[0].at, one.a[1].at, one.contig, one.chimeric) == (1_000, 12_000, (0, 10_600), False)
    assert one.covered == pytest.approx(10_300, abs=5)
    assert found.covered == pytest.approx(10_300, abs=5)
    assert found.gaps == ((0, 1_000), (12_000, 40_000))


def test_reasons_of_contigs_without_a_place():
    rng = np.random.default_rng(11)
    unit = random_letters(rng, 400)
    a = random_letters(rng, 20_000) + unit * 200 + random_letters(rng, 5_000)
    weak = random_letters(rng, 300) + a[5_000:5_025] + random_letters(rng, 300)
    found = place(a, [a[100:130], b"", random_letters(rng, 800), unit * 2, weak, a[:20_000]])
    assert [one.reason for one in found.placements] == [
        NotPlaced.SHORT, NotPlaced.SHORT, NotPlaced.UNKNOWN, NotPlaced.REPEATS, NotPlaced.WEAK, None,
    ]  # fmt: skip
    assert found.text.startswith("1 of 6 contigs placed, cover ")
    assert found.text.endswith("; 1 gap, 5 not placed")


def test_a_repeat_has_several_places():
    rng = np.random.default_rng(12)
    unit = random_letters(rng, 1_500)
    a = random_letters(rng, 3_000) + unit + random_letters(rng, 3_000) + reverse_complement(unit) + b"ACGT" * 20
    found = place(a, [unit, a[2_000:6_000]])
    assert [one.n_places for one in found.placements] == [2, 1]
    assert spans(found) == [(2, False, 2_000, 6_000), (1, False, 3_000, 4_500)]


def test_letters_n_are_no_differences(a):
    contig = bytearray(a[10_000:16_000])
    contig[1_000:1_100], contig[3_000:3_700], contig[20] = b"N" * 100, b"N" * 700, ord("n")
    contig[2_000] = ord("A") if contig[2_000] != ord("A") else ord("G")
    (one,) = place(a, [bytes(contig)]).placements
    assert (one.a[0].at, one.a[1].at, one.contig, one.differences) == (10_000, 16_000, (0, 6_000), 1)
    assert one.identity == pytest.approx(1 - 1 / 5_199)


def test_contigs_that_reach_beyond_a(a):
    more = random_letters(np.random.default_rng(3), 30)
    found = place(a, [more + a[:3_000], a[35_000:] + more])
    assert [(one.a[0].at, one.a[1].at, one.contig) for one in found.placements] == [
        (0, 3_000, (30, 3_030)), (35_000, 40_000, (0, 5_000)),
    ]  # fmt: skip
    assert [one.differences for one in found.placements] == [0, 0]


def test_threads_change_nothing():
    a, contigs, _ = assembly(3, n=30_000, parts=12, share=0.03)
    contigs.append(contigs[0] + reverse_complement(contigs[5]))
    assert told(place(a, contigs, threads=1)) == told(place(a, contigs, threads=2)) == told(place(a, contigs))


@pytest.mark.parametrize("threads", [1, 2])
def test_each_contig_is_reported_once_when_it_is_placed(threads):
    a, contigs, _ = assembly(3, n=30_000, parts=12)
    pool, told = SequencePool.of([np.frombuffer(one, np.uint8) for one in [*contigs, b"ACGT"]]), []
    job = ContigsJob(a=np.frombuffer(a, np.uint8), contigs=pool, names=("c",) * 13, threads=threads)

    def report(event):
        if isinstance(event, ContigsPlaced):
            told.extend(event.placements)

    found = run_job(job, report=report)
    assert len(told) == 13
    for one in told:
        assert (one.a, one.contig, one.reason) == next(
            (same.a, same.contig, same.reason) for same in found.placements if same.number == one.number
        )
    some = ContigsResult.so_far(job, told[:5])
    assert [one.number for one in some.placed] == [
        one.number for one in found.placed if one.number in {each.number for each in told[:5]}
    ]
    assert (some.waiting, some.gaps, some.covered) == (8, (), 0)


def test_a_kernel_that_is_waited_for_is_named_between_contigs(monkeypatch):
    placement, events, (a, contigs, _) = MatchedContigs.placement, [], assembly(3, n=30_000, parts=2)

    def waits(self, at, threads):
        yield self.job.step.progress(f"{STAGE} blocks", 0, 0, "steps")
        return (yield from placement(self, at, threads))

    monkeypatch.setattr(MatchedContigs, "placement", waits)
    pool = SequencePool.of([np.frombuffer(one, np.uint8) for one in contigs])
    run_job(ContigsJob(a=np.frombuffer(a, np.uint8), contigs=pool, names=("c",) * len(contigs)), report=events.append)
    assert f"{STAGE} blocks" in {event.stage for event in events if isinstance(event, Progress)}


def test_placing_is_cancelled_between_two_contigs():
    a, contigs, _ = assembly(3, n=30_000, parts=12)
    pool = SequencePool.of([np.frombuffer(one, np.uint8) for one in contigs])
    token, seen = CancelToken(), []

    def report(event):
        if isinstance(event, Progress) and event.unit == "contigs":
            seen.append((event.done, event.total))
            if event.done == 3:
                token.cancel()

    job = ContigsJob(a=np.frombuffer(a, np.uint8), contigs=pool, names=("c",) * len(contigs), threads=1)
    with pytest.raises(Cancelled):
        run_job(job, report=report, cancel=token)
    assert seen[-1] == (3, 12)
    assert seen == sorted(seen)


@pytest.mark.thorough
def test_ten_thousand_contigs():
    a, contigs, truths = assembly(8, n=1_200_000, parts=10_000, share=0.0, most_gap=20)
    found = place(a, contigs)
    assert len(found.order) == sum(one.letters >= 40 for one in found.placements)
    for one, truth in zip(found.placements, truths, strict=True):
        if one.placed:
            assert (one.minus, one.a[0].at, one.a[1].at) == (truth.minus, truth.start, truth.end)


@st.composite
def assemblies(draw):
    """A and contigs of unrelated letters, repeats and stretches of A on both strands, with differences."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    unit = random_letters(rng, draw(st.integers(5, 300)))
    kinds = st.lists(st.tuples(st.sampled_from(["random", "repeat", "A", "minus"]), st.integers(1, 800)), max_size=6)

    def made(source):
        out = b""
        for kind, n in draw(kinds):
            at = int(rng.integers(0, max(1, len(source))))
            part = (unit * 5)[:n] if kind == "repeat" else random_letters(rng, n)
            if kind in ("A", "minus") and source:
                part = (source + source)[at : at + n]
            part = changed(rng, part, draw(st.sampled_from([0, 0.02])))[0]
            out += reverse_complement(part) if kind == "minus" else part
        return out

    a = made(b"") + random_letters(rng, 100)
    return a, [made(a) for _ in range(draw(st.integers(1, 4)))]


@given(assemblies(), st.booleans())
@examples(200)
def test_blocks_of_any_contig_share_no_letter_and_are_exact(made, circular):
    a, contigs = made
    found = place(a, contigs, circular=circular)
    n = len(a)
    for one, contig in zip(found.placements, contigs, strict=True):
        used = np.zeros(len(contig), np.int64)
        for block in (*one.blocks, *one.others):
            used[block.b[0].at : block.b[1].at] += 1
            assert 0 <= block.a[0].at < n
            assert all(border.low <= border.at <= border.high for border in (*block.a, *block.b))
        assert used.max(initial=0) <= 1
        check_alignment(a, contig, one)
        if one.placed:
            assert 0 < one.covered <= one.contig[1] - one.contig[0] <= len(contig)
            assert one.covered + one.elsewhere == used.sum()
            first, last = one.a[0].at, one.a[1].at
            for block in one.blocks:
                start = block.a[0].at + (n if block.a[0].at < first else 0)
                assert first <= start < start + block.size[0] <= last
            assert 0 <= one.a[0].at < one.a[1].at <= (one.a[0].at + n if circular else n)
    outside = sum(last - first for first, last in found.gaps)
    assert 0 <= found.covered <= n - outside
    assert 0 <= outside <= n


@pytest.mark.parametrize("before", [10, 21, 30, 38, 50])
def test_a_short_contig_across_the_origin_is_placed(before):
    a = random_letters(np.random.default_rng(before), 3_000)
    contig = a[-before:] + a[: 60 - before]
    found = place(a, [contig, reverse_complement(contig)], circular=True)
    where = (3_000 - before, 3_060 - before)
    assert spans(found) == [(1, False, *where), (2, True, *where)]


def test_short_ends_that_are_not_across_the_origin_place_no_contig():
    rng = np.random.default_rng(7)
    a, other = random_letters(rng, 3_000), random_letters(rng, 40)
    contigs = [a[:30] + a[-30:], a[-25:] + other, other + a[:25], a[-30:] + reverse_complement(a[:30])]
    found = place(a, contigs, circular=True)
    assert [one.reason for one in found.unplaced] == [NotPlaced.WEAK] * 4
