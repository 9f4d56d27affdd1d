"""Notices beside answers: said where they are due, and never of pairs that are alike, nor of tiny ones."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.core.screening.test_relation import INVERTED, LAMBDA, MOVED, SARS, changed, random_letters
from wavediff.app.ui.samples import DEMO_ORIENTATION
from wavediff.core.export.json import compared
from wavediff.core.jobs.read import ParseJob, ReadJob
from wavediff.core.methods import METHODS, method, method_of
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.free_ends import Ends
from wavediff.core.run.chance import run as run_chance
from wavediff.core.run.runner import run_job
from wavediff.core.screening.jobs import ChanceJob, screen_job
from wavediff.core.screening.notices import Offer, chance_notice, containment_notice
from wavediff.core.sequences.orientation import Orientation, Strand, reverse_complement
from wavediff.core.sequences.sequence import Alphabet, Sequence

OF_LETTERS = [one for one in METHODS if one.of_letters]

DEMO = Path(__file__).parents[3] / "resources" / "demo"
AMINO = np.frombuffer(b"LAGVESIKRDTPNQFYMHCW", np.uint8)
ALPHA = (
    b"MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFT"
    b"PAVHASLDKFLASVSTVLTSKYR"
)
BETA = (
    b"MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHF"
    b"GKEFTPPVQAAYQKVVAGVANALAHKYH"
)


def sequence(letters, alphabet=Alphabet.DNA):
    array = np.frombuffer(letters, np.uint8)
    return Sequence(letters=array, name="x", alphabet=alphabet, counts=np.bincount(array, minlength=256))


def of_file(name):
    return run_job(ReadJob(path=DEMO / name)).sequence(0)


def protein(n, seed):
    return AMINO[np.random.default_rng(seed).integers(0, 20, n)].tobytes()


def mutated_protein(letters, share):
    out = np.frombuffer(letters, np.uint8).copy()
    at = np.random.default_rng(3).random(out.size) < share
    out[at] = AMINO[np.random.default_rng(4).integers(0, 20, int(at.sum()))]
    return out.tobytes()


def notices(a, b, name="edit", **options):
    how = method(name)
    job = how.job(a, b, options, fold_case=a.alphabet.folds_case and b.alphabet.folds_case)
    look = screen_job(a, b, job)
    if look is None:
        return ()
    known = run_job(look)
    result, chance = run_job(job), None
    share = how.shown_identity(result, len(a), len(b))
    if known.could_be_chance(share, len(a), len(b)):
        expected = run_job(ChanceJob(pair=job))
        chance = (
            None if expected is None else chance_notice(share, expected, len(a), len(b), end_to_end=how.end_to_end(job))
        )
    return known.with_answer(chance, name)


TEXT = Alphabet.TEXT
NO_ALARM = {
    "mitochondria": lambda: (
        of_file("mt_human_NC_012920.1.fa"),
        of_file("mt_orangutan.fa").oriented(DEMO_ORIENTATION),
    ),
    "PhiX": lambda: (of_file("phix174_NC_001422.1.fa"), of_file("phix174_illumina_control.fa")),
    "kitten": lambda: (sequence(b"kitten", TEXT), sequence(b"sitting", TEXT)),
    "tiny, nothing in common": lambda: (sequence(b"AAAA"), sequence(b"CCCC")),
    "empty": lambda: (sequence(b""), sequence(b"")),
    "empty and not": lambda: (sequence(LAMBDA), sequence(b"")),
    "the same": lambda: (sequence(SARS), sequence(SARS)),
    "lambda, a tenth changed": lambda: (sequence(LAMBDA), sequence(changed(LAMBDA, 0.1))),
    "lambda, half changed": lambda: (sequence(LAMBDA), sequence(changed(LAMBDA, 0.5))),
    "SARS-CoV-2 with N": lambda: (sequence(SARS), sequence(b"N" * 300 + SARS[300:20_000] + b"N" * 900 + SARS[20_900:])),
    "only N": lambda: (sequence(b"N" * 2_000), sequence(b"N" * 1_999)),
    "only A": lambda: (sequence(b"A" * 2_000), sequence(b"A" * 1_500)),
    "globins": lambda: (sequence(ALPHA, Alphabet.PROTEIN), sequence(BETA, Alphabet.PROTEIN)),
    "proteins, half alike": lambda: (
        sequence(protein(700, 1), Alphabet.PROTEIN),
        sequence(mutated_protein(protein(700, 1), 0.5), Alphabet.PROTEIN),
    ),
    "proteins, a quarter alike": lambda: (
        sequence(protein(700, 1), Alphabet.PROTEIN),
        sequence(mutated_protein(protein(700, 1), 0.75), Alphabet.PROTEIN),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_ALARM)
def test_pairs_that_are_alike_or_tiny_are_left_in_peace(name):
    a, b = NO_ALARM[name]()
    for one in METHODS:
        if one.id != "affine" or TEXT not in (a.alphabet, b.alphabet):
            assert notices(a, b, one.id) == (), one.id


HBA = (  # human alpha globin and lupin leghaemoglobin: one family, 16 % identity by scores
    b"MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEF"
    b"TPAVHASLDKFLASVSTVLTSKYR"
)
LGB2 = (
    b"MGALTESQAALVKSSWEEFNANIPKHTHRFFILVLEIAPAAKDLFSFLKGTSEVPQNNPELQAHAGKVFKLVYEAAIQLQVTGVVVTDATLKNLGSVHVSKGVADAHFPVVKEAILKT"
    b"IKEVVGAKWSEELNSAWTIAYDELAIVIKKEMDDAA"
)


@pytest.mark.parametrize("how", OF_LETTERS, ids=str)
def test_edits_of_a_distant_family_of_proteins_point_to_scores(how):
    (found,) = notices(sequence(HBA, Alphabet.PROTEIN), sequence(LGB2, Alphabet.PROTEIN), how.id)
    assert found.kind == "not_judged"
    assert ("cannot show a distant family of proteins, scores can" in found.text) == (how.id != "affine")
    assert found.offer == (Offer(method="affine") if how.id != "affine" else None)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ((LAMBDA[:600], Alphabet.DNA), (HBA, Alphabet.PROTEIN), "A is DNA, B is protein: .*, so translate the nucl"),
        ((HBA, Alphabet.PROTEIN), (LAMBDA[:600], Alphabet.RNA), "A is protein, B is RNA: .*, so translate the nucl"),
        ((LAMBDA[:600], Alphabet.DNA), (b"words of a text of ours", TEXT), "A is DNA, B is text: .* the same things$"),
    ],
)
def test_letters_of_other_alphabets_are_told(a, b, said):
    (found,) = notices(sequence(*a), sequence(*b))
    assert (found.kind, found.offer) == ("alphabets", None)
    assert re.match(said, found.text)
    assert notices(sequence(a[0][:15], a[1]), sequence(b[0][:15], b[1])) == (), "as short words are"


def test_dna_and_rna_are_one_kind():
    assert notices(sequence(LAMBDA[:600]), sequence(LAMBDA[:600], Alphabet.RNA)) == ()


@pytest.mark.parametrize("how", OF_LETTERS, ids=str)
@pytest.mark.parametrize("alphabet", [Alphabet.DNA, Alphabet.PROTEIN, Alphabet.TEXT], ids=str)
def test_random_letters_are_called_so_by_every_method(how, alphabet):
    make = random_letters if alphabet is Alphabet.DNA else protein
    for n, m in ((1_000, 1_000), (3_000, 2_600), (20_000, 20_000)):
        a, b = sequence(make(n, n), alphabet), sequence(make(m, m + 1), alphabet)
        (found,) = notices(a, b, how.id)
        assert found.kind == "chance"
        assert found.numbers["expected"] == pytest.approx(found.numbers["identity"], abs=0.03)
        assert "No more alike than random letters" in found.text


@pytest.mark.parametrize("how", OF_LETTERS, ids=str)
@pytest.mark.parametrize(
    ("n", "m", "why"),
    [
        (16, 20, "16 letters are too few"),
        (100, 100, "100 letters are too few"),
        (300, 300, "300 letters are too few"),
        (5_000, 100, "100 letters are too few"),
        (3_000, 900, "3,000 and 900 letters are too unlike in length"),
        (900, 3_000, "900 and 3,000 letters are too unlike in length"),
        (200_000, 1_000, "200,000 and 1,000 letters are too unlike in length"),
    ],
)
def test_what_cannot_be_told_from_chance_is_said_so(how, n, m, why):
    (found,) = notices(sequence(random_letters(n, 3)), sequence(random_letters(m, 4)), how.id)
    assert found.kind == "not_judged"
    assert found.text.startswith(f"Not judged: {why} to tell this from chance (")
    assert found.numbers["expected"] == pytest.approx(found.numbers["identity"], abs=1.35 / min(n, m) ** 0.5)


def test_few_letters_that_are_alike_are_left_in_peace():
    for n, m in ((40, 40), (200, 200), (400, 390)):
        a = random_letters(n, 5)
        for one in OF_LETTERS:
            assert notices(sequence(a), sequence(changed(a, 0.05)[:m]), one.id) == (), one.id


def test_chance_depends_on_the_composition():
    rng = np.random.default_rng(1)
    a, b = (rng.choice(np.frombuffer(b"ACGT", np.uint8), 4_000, p=(0.4, 0.1, 0.1, 0.4)) for _ in "ab")
    (rich,) = notices(sequence(a.tobytes()), sequence(b.tobytes()), "lcs")
    (even,) = notices(sequence(random_letters(4_000, 1)), sequence(random_letters(4_000, 2)), "lcs")
    assert rich.numbers["expected"] > even.numbers["expected"] + 0.02


def test_the_lcs_of_random_nucleotides_is_where_it_was_measured():
    job = method("lcs").job(
        sequence(random_letters(90_000, 1)), sequence(random_letters(90_000, 2)), {}, fold_case=True
    )
    assert run_job(ChanceJob(pair=job)) == pytest.approx(0.654, abs=0.003)  # 0.6544 at infinite length


def test_an_upper_bound_tells_nothing_of_chance():
    options = {
        "band": next(v.value for v in method("edit").option("band").values if str(v.value) == "fixed"),
        "threshold": 5,
    }
    job = method("edit").job(
        sequence(random_letters(900, 1)), sequence(random_letters(900, 2)), options, fold_case=True
    )
    assert method_of(job).shown_identity(run_job(job), 900, 900) is None


def test_without_an_alignment_chance_is_told_by_the_number():
    a, b = sequence(random_letters(2_000, 1)), sequence(random_letters(2_000, 2))
    for name in ("lcs", "edit", "swap"):
        (found,) = notices(a, b, name, traceback=TracebackMethod.NONE)
        assert found.kind == "chance"
    assert notices(a, b, "affine", traceback=TracebackMethod.NONE) == ()


@pytest.mark.parametrize(("ends", "turned"), [(Ends.A, False), (Ends.B, True)])
@pytest.mark.parametrize("letters", [random_letters, protein])
def test_a_place_no_better_than_chance_is_called_so(ends, turned, letters):
    """Lengths may be unlike there, and what lies in the longer sequence with many changes is a place."""
    long, alphabet = letters(40_000, 1), Alphabet.PROTEIN if letters is protein else Alphabet.DNA
    change = mutated_protein if letters is protein else changed
    for short, ids in ((letters(1_000, 2), ["chance"]), (change(long[9_000:10_000], 0.25), [])):
        a, b = (sequence(one, alphabet) for one in ((short, long) if turned else (long, short)))
        assert [one.kind for one in notices(a, b, ends=ends)] == ids


def test_places_within_a_limit_are_no_chance_of_random_letters():
    """Chance is that of the best place, on one strand, whatever places were listed."""
    a, b = sequence(random_letters(20_000, 1)), sequence(random_letters(800, 2))
    one, other = (notices(a, b, ends=Ends.A, **more) for more in ({}, {"loci": "60%"}))
    assert one[0].numbers["expected"] == other[0].numbers["expected"]


@pytest.mark.parametrize(
    ("id_", "b"),
    [
        ("other_strand", reverse_complement(LAMBDA)),
        ("origin_moved", LAMBDA[20_000:] + LAMBDA[:20_000]),
        ("inverted_part", INVERTED),
        ("moved_parts", MOVED),
        ("contained", LAMBDA[20_000:21_500]),
        ("contained", changed(LAMBDA[20_000:21_500], 0.05)),
        ("contained", reverse_complement(LAMBDA[20_000:21_500])),
        ("overlap", LAMBDA[30_000:] + random_letters(28_000, 1)),
        ("chance", SARS),
    ],
)
def test_what_a_comparison_does_not_show_is_said_once(id_, b):
    (found,) = notices(sequence(LAMBDA), sequence(b))
    assert found.kind == id_
    (other,) = notices(sequence(b), sequence(LAMBDA))
    assert other.kind == id_
    assert not found.text.endswith(".")
    assert all(np.isfinite(value) for value in found.numbers.values())


def test_the_other_strand_and_the_origin_are_offered():
    plasmid = random_letters(5_000, 1)
    turned = plasmid[1_234:] + plasmid[:1_234]
    offers = {
        turned: (Offer(False, 1_234), "Compare from A 1,235"),
        reverse_complement(turned): (Offer(True, 1_234), "Compare as reverse complement, from A 1,235"),
        reverse_complement(plasmid): (Offer(True), "Compare as reverse complement"),
        plasmid[2_000:2_900]: (Offer(ends="a"), "Place B inside A"),
        changed(plasmid[2_000:2_900], 0.02): (Offer(ends="a"), "Place B inside A"),
        reverse_complement(plasmid[2_000:2_900]): (Offer(True, ends="a"), "Place the reverse complement of B inside A"),
        plasmid[4_000:] + random_letters(4_000, 2): (Offer(ends="both"), "Find the overlap"),
    }
    for b, (offer, name) in offers.items():
        (found,) = notices(sequence(plasmid), sequence(b))
        assert found.offer == offer
        assert found.offer.text == name


def test_mitochondria_that_begin_at_different_genes_are_a_turned_circle():
    """3.5 % of the human one, its least conserved part, are at the end of the other, where few seeds are shared."""
    (found,) = notices(of_file("mt_human_NC_012920.1.fa"), of_file("mt_orangutan.fa"))
    assert (found.kind, found.offer) == ("origin_moved", Offer(False, 576))


def test_free_ends_show_parts_and_overlaps_and_nothing_else():
    plasmid = random_letters(5_000, 1)
    part = plasmid[2_000:2_900]
    for b, said in (
        (part, []),
        (reverse_complement(part), ["contained"]),
        (reverse_complement(plasmid), ["other_strand"]),
    ):
        found = notices(sequence(plasmid), sequence(b), ends=Ends.BOTH)
        assert [one.kind for one in found] == said
    (found,) = notices(sequence(plasmid), sequence(reverse_complement(part)), ends=Ends.A)
    assert found.offer == Offer(True)


def test_what_is_contained_is_found_letter_by_letter_in_any_letters():
    text = b"The quick brown fox jumps over the lazy dog; " * 3
    a, b = np.frombuffer(text, np.uint8), np.frombuffer(b"fox JUMPS over the", np.uint8)
    assert containment_notice(a, b, fold_case=False) is None
    found = containment_notice(a, b, fold_case=True)
    assert found.text == "B is contained in A: 100 % of B, at 17–34"
    other = containment_notice(b, a, fold_case=True)
    assert other.text == "A is contained in B: 100 % of A, at 17–34"
    assert containment_notice(a, a, fold_case=True) is None
    assert containment_notice(a, a[:5], fold_case=True) is None  # five letters are found by chance


def test_pasted_text_is_no_dna():
    text = run_job(ParseJob(text="Hello there, " * 100)).sequence(0)
    assert not screen_job(text, text, OF_LETTERS[0].job(text, text, {}, fold_case=True)).seeds


def test_every_job_that_the_cpu_does_has_a_chance_level_that_is_repeatable():
    for one in OF_LETTERS:
        job = one.job(sequence(random_letters(600, 1)), sequence(random_letters(700, 2)), {}, fold_case=True)
        assert job.cpu_obstacle is None
        first, second = (run_job(ChanceJob(pair=job)) for _ in range(2))
        assert first == second
        assert 0 < first < 1
    assert run_chance.__doc__


def test_json_has_the_notices():
    from wavediff.core.export.comparison import Comparison

    a, b = sequence(LAMBDA), sequence(reverse_complement(LAMBDA))
    job = method("edit").job(a, b, {}, fold_case=True)
    result = run_job(job)
    written = compared(Comparison(a, b, method("edit"), True, 1, result, notices=notices(a, b)))["notices"]
    assert [one["kind"] for one in written] == ["other_strand"]
    assert written[0]["numbers"]["seeds_minus"] > 40_000


@pytest.mark.parametrize(
    ("make_b", "text", "button"),
    [
        (lambda a: a, "The reverse complement of B is on the other strand", "Compare B as in its file"),
        (
            lambda a: a[1_500:] + a[:1_500],
            "The reverse complement of B is on the other strand",
            "Compare B as in its file, from A 1,501",
        ),
        (
            lambda a: changed(a[1_000:2_000], 0.05),
            "B (as in its file) is a part of A",
            "Place B as in its file inside A",
        ),
        (
            lambda a: changed(a, 0.05) + a[::-1] * 2,
            "A is a part of B (as in its file)",
            "Place A inside B as in its file",
        ),
    ],
    ids=["whole", "turned", "part of A", "part of B"],
)
def test_the_offer_over_a_reverse_complement_says_what_it_does(make_b, text, button):
    a = random_letters(4_000, 8)
    b = sequence(make_b(a)).oriented(Orientation(Strand.MINUS))
    job = method("edit").job(sequence(a), b, {}, fold_case=True)
    screening = screen_job(sequence(a), b, job)
    assert screening is not None
    notice = run_job(screening).notice
    assert notice is not None
    assert notice.text.startswith(text)
    assert notice.offer is not None
    assert notice.offer.minus
    assert notice.offer.text == button
