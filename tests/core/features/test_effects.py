"""Effects of differences on proteins: against proteins translated letter by letter, and worked examples."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from Bio import SeqIO
from Bio.Seq import Seq
from Bio.SeqFeature import CompoundLocation, SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord
from hypothesis import example, given
from hypothesis import strategies as st

from tests.oracles.proteins import Coding, Columns, changed, places, proteins
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import AlignmentIndex, index_alignment
from wavediff.core.jobs.difference_rows import DifferenceRows, all_rows
from wavediff.core.jobs.features.effects import Effects, effects_of
from wavediff.core.jobs.features.proteins import EffectKind
from wavediff.core.run.api import compare
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet, Sequence
from wavediff.core.sequences.spans import OPEN_START, SpanKind, Spans

DATA = Path(__file__).parents[2] / "data"


def spans_of(n: int, features: list[tuple[str, str, int, tuple[tuple[int, int], ...], dict[str, str]]]) -> Spans:
    """Return features of (name, type, strand, parts, attributes)."""
    parts = [(k, feature[2], *part) for k, feature in enumerate(features) for part in feature[3]]
    owners, strands, starts, ends = np.array(parts, np.int64).reshape(-1, 4).T
    return Spans(
        kind=SpanKind.FEATURE, n_letters=n, starts=starts, ends=ends, strands=strands.astype(np.int8), owners=owners,
        names=[feature[0] for feature in features], types=[feature[1] for feature in features],
        attributes=[feature[4] for feature in features],
    )  # fmt: skip


def coding_spans(n: int, *codings: Coding) -> Spans:
    return spans_of(
        n,
        [
            (
                one.name,
                "CDS",
                one.strand,
                one.parts,
                {"codon_start": str(one.codon_start), "transl_table": str(one.table)}
                | ({OPEN_START: ""} if one.is_open else {}),
            )
            for one in codings
        ],
    )


def sequence(letters: str, spans: Spans | None = None, **named: object) -> Sequence:
    codes = np.frombuffer(letters.encode(), np.uint8)
    return Sequence(
        letters=codes, name="x", alphabet=Alphabet.DNA, counts=np.bincount(codes, minlength=256),
        spans=() if spans is None else (spans,), **named,
    )  # fmt: skip


def aligned(columns: Columns) -> tuple[str, str, AlignmentIndex]:
    ops = [
        Op.INSERTION if a == "-" else Op.DELETION if b == "-" else Op.EQUAL if a == b else Op.MISMATCH
        for a, b in columns
    ]
    heads = [k for k, op in enumerate(ops) if not k or op != ops[k - 1]]
    runs = Alignment(np.array([ops[k] for k in heads], np.uint8), np.diff(np.array([*heads, len(ops)])))
    a, b = ("".join(pair[side] for pair in columns).replace("-", "") for side in (0, 1))
    return a, b, index_alignment(runs)


def effects_at(columns: Columns, *codings: Coding, of_b: bool = False) -> tuple[Effects, AlignmentIndex]:
    a, b, index = aligned(columns)
    spans = coding_spans(len(b if of_b else a), *codings)
    found = effects_of(sequence(a, None if of_b else spans), sequence(b, spans if of_b else None), index)
    assert found is not None
    return found, index


def texts_of(found: Effects, rows: DifferenceRows) -> list[str]:
    columns = (rows.a0.tolist(), rows.a1.tolist(), rows.b0.tolist(), rows.b1.tolist())
    return [found.text(*row) for row in zip(*columns, strict=True)]


def row_texts(found: Effects, index: AlignmentIndex) -> list[str]:
    return [text for rows in all_rows(index) for text in texts_of(found, rows)]


def of_name(found: Effects, name: str) -> list[str]:
    """Return the effects on one protein, without its name, in the order of its codons."""
    return [one.text.removeprefix(f"{name}:") for one in found.every if one.text.startswith(f"{name}:")]


def columns_of(random: Random) -> list[tuple[str, str]]:
    """Return columns of two sequences, most of them equal."""
    n, share, columns = random.randint(30, 120), random.choice((0.02, 0.05, 0.15)), []
    while len(columns) < n:
        letter, size = random.choice("ACGT"), random.choice((1, 1, 2, 3, 3, 6, 7))
        match random.choice("XXDI") if random.random() < share else "=":
            case "=":
                columns.append((letter, letter))
            case "X":
                columns.append((letter, random.choice([other for other in "ACGT" if other != letter])))
            case "D":
                columns += [(random.choice("ACGT"), "-") for _ in range(size)]
            case "I":
                columns += [("-", random.choice("ACGT")) for _ in range(size)]
    return columns


def coding_of(random: Random, n: int, name: str) -> Coding:
    """Return a coding sequence of one to three parts, which may have letters in common, as of a ribosomal slip."""
    strand, parts, at = random.choice((1, -1)), [], random.randint(0, max(0, n - 10))
    for _ in range(random.randint(1, 3)):
        end = random.randint(min(at + 1, n), min(n, at + 40))
        if end <= at:
            break
        parts.append((at, end))
        at = max(parts[-1][0] + 1, end + random.choice((-1, 0, 0, 4, 9)))
    return Coding(name, tuple(parts[::strand]), strand, random.choice((1, 2, 11)), random.choice((1, 1, 2, 3)))


@given(st.integers(0, 1 << 32))
@example(563)  # the start codon is deleted
@example(872)  # a stop in a shifted frame that is undone
@example(4156)  # a stop of both, and one more of B
@example(93)  # ATA became ATT behind a part of a codon: no start codon
@example(253)  # ATG became ATT; the first letters are missing
def test_effects_turn_the_protein_of_a_into_that_of_b(seed: int) -> None:
    random = Random(seed)
    columns = columns_of(random)
    n = sum(one != "-" for one, _ in columns)
    codings = [coding_of(random, n, name) for name in "pq"]
    check(columns, *(one._replace(is_open=random.random() > 0.7) for one in codings))


def check(columns: Columns, *codings: Coding) -> None:
    found, index = effects_at(columns, *codings)
    for coding in codings:
        ours, theirs = proteins(columns, coding)
        every = of_name(found, coding.name)
        effects = [text for text in every if not re.fullmatch(r"\d+([?]|-\d+X)", text)]
        result, shifted = changed(ours, effects, theirs)
        if not shifted and "*" not in result and every == effects:
            assert len(theirs) - len(result) in (0, 1, 2), "of letters behind the last whole codon"
        begin = int(effects[:1] != [] and effects[0].startswith("1") and theirs[:1] == "M")  # another start codon
        assert result[begin:] == theirs[begin : len(result)]
    letters = {coding.name: set(places(coding)) for coding in codings}
    for rows in all_rows(index):
        columns_of = zip(rows.op.tolist(), rows.a0.tolist(), rows.a1.tolist(), texts_of(found, rows), strict=True)
        for op, a0, a1, text in columns_of:
            for name, there in letters.items():
                touched = {a0 - 1, a0} <= there if op == Op.INSERTION else not there.isdisjoint(range(a0, a1))
                if touched != (f"{name}:" in text):
                    assert op == Op.INSERTION, (name, text)  # between letters of two parts
            assert text


def coding_place(text: str) -> tuple[str, int]:
    """Return the name of a coding sequence and the codon of an effect on it."""
    found = re.fullmatch(r"([pq]):\D?(\d+).*", text)
    return (found[1], int(found[2])) if found else (text, 0)


@given(st.integers(0, 1 << 32))
def test_a_range_that_cuts_features_leaves_their_codons_and_numbers(seed: int) -> None:
    random = Random(seed)
    columns = [(one, one) if "-" in (one, other) else (one, other) for one, other in columns_of(random) if one != "-"]
    a, b, index = aligned(columns)
    codings = [coding_of(random, len(a), name) for name in "pq"]
    spans, (low, high) = coding_spans(len(a), *codings), sorted(random.sample(range(len(a) + 1), 2))
    cut = {
        (one.name, at // 3 + 1)
        for one in codings
        for n in [len(places(one))]
        for at, place in enumerate(places(one))
        if not low <= place < high or at >= n - n % 3
    }
    minus = random.random() < 0.5
    part, other = (sequence(letters[low:high]) for letters in (a, b))
    within = spans.within(low, high)
    if not len(within):
        return  # no features
    part = replace(part, spans=(within,))
    if minus:
        part, other = (one.oriented(Orientation(Strand.MINUS)) for one in (part, other))
    cut_columns = columns[low:high][:: -1 if minus else 1]
    found = effects_of(part, other, aligned(cut_columns)[2])
    whole = effects_of(sequence(a, spans), sequence(b), index)
    for k in (k for k in range(low, high) if a[k] != b[k]):
        at = high - 1 - k if minus else k - low
        expected = {
            f"{name}:cut" if (name, number) in cut else text
            for text in whole.text(k, k + 1, k, k + 1).split("; ")
            for name, number in [coding_place(text)]
        }
        texts = found.text(at, at + 1, at, at + 1).split("; ")
        assert {
            f"{text[0]}:cut" if re.fullmatch(r"[pq]:(\d+[?]|\d+-\d+X)", text) else text for text in texts
        } == expected


def write_genbank(
    path: Path, letters: str, codings: list[Coding], others: tuple[SeqFeature, ...] = (), **named: str
) -> Path:
    """Write a record by Biopython."""
    record = SeqRecord(Seq(letters), id="made.1", name="made", annotations={"molecule_type": "DNA", **named})
    for one in codings:
        parts = [SimpleLocation(start, end, one.strand) for start, end in one.parts]
        place = parts[0] if len(parts) == 1 else CompoundLocation(parts)
        qualifiers = {"gene": [one.name], "codon_start": [str(one.codon_start)], "transl_table": [str(one.table)]}
        record.features.append(SeqFeature(place, "CDS", qualifiers=qualifiers))
    SeqIO.write(record, path, "genbank")
    return path


CORONA = [
    Coding("ORF1ab", ((265, 13468), (13467, 21555)), 1), Coding("S", ((21562, 25384),), 1),
    Coding("ORF3a", ((25392, 26220),), 1), Coding("E", ((26244, 26472),), 1), Coding("M", ((26522, 27191),), 1),
    Coding("ORF8", ((27893, 28259),), 1), Coding("N", ((28273, 29533),), 1),
]  # fmt: skip
# Of B.1.1.7 as its papers have them, and some of others: place (1-based), letters, letters instead, effects.
LINEAGE = [
    (241, "C", "T", "outside genes"), (913, "C", "T", "ORF1ab:S216="), (3267, "C", "T", "ORF1ab:T1001I"),
    (5388, "C", "A", "ORF1ab:A1708D"), (5986, "C", "T", "ORF1ab:F1907="), (6954, "T", "C", "ORF1ab:I2230T"),
    (11288, "TCTGGTTTT", "", "ORF1ab:3675-3677del"), (13468, "C", "T", "ORF1ab:N4401=; ORF1ab:R4402W"),
    (14408, "C", "T", "ORF1ab:P4715L"), (16176, "T", "C", "ORF1ab:T5304="),
    (21765, "TACATG", "", "S:69-70del"), (21991, "TTA", "", "S:144del"), (22205, "", "GAGCCAGAA", "S:214insEPE"),
    (23063, "A", "T", "S:N501Y"), (23271, "C", "A", "S:A570D"), (23403, "A", "G", "S:D614G"),
    (23604, "C", "A", "S:P681H"), (23709, "C", "T", "S:T716I"), (24506, "T", "G", "S:S982A"),
    (24914, "G", "C", "S:D1118H"), (26767, "T", "C", "M:I82T"), (27972, "C", "T", "ORF8:Q27*"),
    (28048, "G", "T", "ORF8:R52I"), (28111, "A", "G", "ORF8:Y73C"), (28248, "GATTTC", "", "ORF8:119-120del"),
    (28280, "GAT", "CTA", "N:D3L"), (28881, "GGG", "AAC", "N:R203K; N:G204R"), (28977, "C", "T", "N:S235F"),
    (29700, "A", "G", "outside genes"),
]  # fmt: skip


def lineage(letters: str) -> str:
    at, pieces = 0, []
    for place, before, after, _ in LINEAGE:
        assert letters[place - 1 : place - 1 + len(before)] == before, place
        pieces += [letters[at : place - 1], after]
        at = place - 1 + len(before)
    return "".join([*pieces, letters[at:]])


def turned(codings: list[Coding], n: int) -> list[Coding]:
    """Return the same on the other strand."""
    return [
        one._replace(parts=tuple((n - end, n - start) for start, end in one.parts), strand=-one.strand)
        for one in codings
    ]


@pytest.mark.parametrize("side", ["plus", "minus", "features of B", "B turned"])
def test_known_mutations_of_a_virus_have_their_names(side: str, tmp_path: Path) -> None:
    record = SeqIO.read(DATA / "sars_cov_2_MN908947.3.fa", "fasta")
    a, codings = str(record.seq), CORONA
    b = lineage(a)
    if side == "minus":
        a, b = (str(Seq(one).reverse_complement()) for one in (a, b))
        codings = turned(CORONA, len(a))
    if side == "B turned":
        b = str(Seq(b).reverse_complement())
    if side == "features of B":
        (tmp_path / "a.fa").write_text(f">a\n{a}\n")
        shifts = [(place, len(after) - len(before)) for place, before, after, _ in LINEAGE]

        def moved(at: int) -> int:
            return at + sum(shift for place, shift in shifts if place <= at)

        codings = [one._replace(parts=tuple((moved(start), moved(end)) for start, end in one.parts)) for one in CORONA]
        paths = tmp_path / "a.fa", write_genbank(tmp_path / "b.gb", b, codings)
    else:
        (tmp_path / "b.fa").write_text(f">b\n{b}\n")
        paths = write_genbank(tmp_path / "a.gb", a, codings), tmp_path / "b.fa"
    answer = compare(*paths, orient="auto")
    effects = [list[str]() for _ in answer.differences]
    for row in answer.effects:
        effects[row["difference"]].append(row["text"])
    found = ["; ".join(each) for each in effects]
    expected = [text for *_, text in LINEAGE]
    if side == "minus":
        found.reverse()
    assert list(map(in_any_order, found)) == list(map(in_any_order, expected))


def in_any_order(effects: str) -> list[str]:
    return sorted(effects.split("; "))


PHAGE = [
    Coding("A", ((3980, 5386), (0, 136)), 1, 11), Coding("B", ((5074, 5386), (0, 51)), 1, 11),
    Coding("K", ((50, 221),), 1, 11), Coding("C", ((132, 393),), 1, 11), Coding("D", ((389, 848),), 1, 11),
    Coding("E", ((567, 843),), 1, 11), Coding("F", ((1000, 2284),), 1, 11), Coding("G", ((2394, 2922),), 1, 11),
]  # fmt: skip


def test_overlapping_genes_of_a_phage_have_an_effect_each(tmp_path: Path) -> None:
    a = str(SeqIO.read(DATA / "phix174_NC_001422.1.fa", "fasta").seq)
    for one in PHAGE:  # the places are right: no stop but the last
        ours = proteins([(letter, letter) for letter in a], one)[0]
        assert (ours[0], ours.index("*")) == ("M", len(ours) - 1), one.name
    answer = compare(
        write_genbank(tmp_path / "a.gb", a, PHAGE, topology="circular"), DATA / "phix174_illumina_control.fa"
    )
    assert [row["text"] for row in answer.effects] == [
        "D:V66=", "E:W7*", "D:A148=", "E:R89Q", "G:N113D", "G:P133=", "G:N139=",  # E:W7* is the mutation am3
    ]  # fmt: skip


@pytest.mark.parametrize("of_b", [False, True])
@pytest.mark.parametrize("minus", [False, True])
def test_genes_that_are_cut_have_the_codons_of_whole_ones(of_b: bool, minus: bool, tmp_path: Path) -> None:
    one = str(SeqIO.read(DATA / "phix174_NC_001422.1.fa", "fasta").seq)
    other, genes = str(SeqIO.read(DATA / "phix174_illumina_control.fa", "fasta").seq), PHAGE
    low, high = 401, 2800  # gene D begins before it, gene G ends behind it
    if minus:
        one, other = (str(Seq(letters).reverse_complement()) for letters in (one, other))
        genes, low, high = turned(PHAGE, len(one)), len(one) + 1 - high, len(one) + 1 - low
    annotated, bare = write_genbank(tmp_path / "annotated.gb", one, genes), tmp_path / "bare.fa"
    bare.write_text(f">bare\n{other}\n")
    a, b = (bare, annotated) if of_b else (annotated, bare)
    found = [row["text"] for row in compare(Path(f"{a}:{low}-{high}"), b, ends="b").effects]
    expected = ["D:V66=", "E:W7*", "D:A148=", "E:R89Q", "G:N113D", "G:P133="]
    if of_b:
        expected = ["D:V66=", "E:*7W", "D:A148=", "E:Q89R", "G:D113N", "G:P133="]
    assert sorted(found) == sorted(expected)


def test_frames_of_genes_on_both_strands_are_shifted() -> None:
    a, b = (DATA / "features" / f"features_{side}.gb" for side in "ab")
    one, other = (re.sub("[^a-z]", "", path.read_text().split("ORIGIN")[1].lower()).upper() for path in (a, b))
    columns = [
        *zip(one[:500], other[:500], strict=True), *(("-", letter) for letter in other[500:507]),
        *zip(one[500:1200], other[507:1207], strict=True), *((letter, "-") for letter in one[1200:1300]),
        *zip(one[1300:], other[1207:], strict=True),
    ]  # fmt: skip
    expected = []
    for name, start, end, strand in (("abc", 99, 700, 1), ("def", 899, 1500, -1)):
        ours, theirs = proteins(columns, Coding(name, ((start, end),), strand))
        first = next(k for k, pair in enumerate(zip(ours, theirs, strict=False)) if len(set(pair)) > 1)
        expected.append(f"{name}:{ours[first]}{first + 1}fs")
    assert expected == ["abc:V135fs", "def:I67fs"]
    assert [row["text"] for row in compare(a, b).effects] == expected


def test_insertion_at_the_origin_is_in_the_gene_across_it() -> None:
    letters = "GCAAAATAGCCCCCATGGCA"  # ATG GCA | GCA AAA TAG
    for strand in (1, -1):
        n = len(letters)
        coding = Coding("x", ((14, n), (0, 9)), 1)
        columns = [(letter, letter) for letter in letters] + [("-", letter) for letter in "TTT"]
        if strand < 0:
            columns = [tuple(str(Seq(letter).complement()) for letter in pair) for pair in columns[::-1]]
            (coding,) = turned([coding], n)
        found, index = effects_at(columns, coding)
        assert row_texts(found, index) == ["x:2insF"]


def aligned_rows(a: str, b: str) -> Columns:
    return list(zip(a, b, strict=True))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("ATGAAATAA", "ATAAAATAA", ["x:M1?"]),
        ("ATGAAATAA", "TTGAAATAA", ["x:M1="]),  # both can begin a protein
        ("ATGAAATAA", "ATGTAATAA", ["x:K2*"]),
        ("ATGAAATAA", "ATGAAACAA", ["x:*3Q"]),
        ("ATGAAATAA", "ATGAANTAA", ["x:K2X"]),
        ("ATGAAACCCGGGTAA", "ATGNNNNNNGGRTAA", ["x:2-3X", "x:G4="]),
        ("ATGACCTAA", "ATGACRTAA", ["x:T2="]),  # whatever R is
        ("ATGAAACCCTAA", "ATGAA-CCCTAA", ["x:K2fs"]),
        ("ATGAAACCCTAA", "ATGTA-CCCTAA", ["x:K2fs", "x:K2fs"]),
        ("ATGAAACCCAAATAA", "ATG---CCC---TAA", ["x:2del", "x:4del"]),
        ("ATGAAACCCAAATAA", "---------------", ["x:del"]),
        ("ATG---AAATAA", "ATGGAGAAATAA", ["x:1insE"]),
        ("ATGA---AATAA", "ATGAGGGAATAA", ["x:2delinsRE"]),
        ("ATGAAATA---A", "ATGAAATAGCAA", ["x:*3="]),  # TAA and letters that are not translated
        ("ATGAAATAA---", "ATGAAATAAGCA", ["outside genes"]),
        ("ATGAAA---TAA", "ATG---CCCTAA", ["x:K2P", "x:K2P"]),  # a codon instead of another one
    ],
)
def test_worked_examples(a: str, b: str, expected: list[str]) -> None:
    found, index = effects_at(aligned_rows(a, b), Coding("x", ((0, len(a.replace("-", ""))),), 1))
    assert row_texts(found, index) == expected


def test_features_that_are_not_translated_are_named_the_shortest_one_first() -> None:
    a = "A" * 100
    spans = spans_of(100, [
        ("whole", "source", 0, ((0, 100),), {}), ("g", "gene", 1, ((10, 60),), {}),
        ("trnM", "tRNA", 1, ((20, 30),), {}),
        ("5'UTR", "5'UTR", 1, ((60, 70),), {}), ("old", "CDS", 1, ((80, 89),), {"pseudo": ""}),
    ])  # fmt: skip
    columns = [("A", "C" if k in (5, 15, 25, 65, 85) else "A") for k in range(100)]
    _, b, index = aligned(columns)
    found = effects_of(sequence(a, spans), sequence(b), index)
    assert row_texts(found, index) == ["outside genes", "g (gene)", "trnM (tRNA)", "5'UTR", "old (CDS)"]
    assert {str(kind): n for kind, n in found.counts.items()} == {"non-coding": 4, "outside genes": 1}
    assert found.changes == []


def test_a_million_features_and_many_differences_are_found() -> None:
    random, n = np.random.default_rng(1), 10_000_000
    letters = np.frombuffer(b"ACGT", np.uint8)[random.integers(0, 4, n)]
    starts = np.arange(0, n, 10)
    spans = Spans(
        kind=SpanKind.FEATURE, n_letters=n, starts=starts, ends=starts + 9, strands=np.ones(starts.size, np.int8),
        names=["x"] * starts.size, types=["CDS", "gene"] * (starts.size // 2), attributes=[{}] * starts.size,
    )  # fmt: skip
    ops, lengths = np.tile(np.array([Op.EQUAL, Op.MISMATCH], np.uint8), 100_000), np.tile([99, 1], 100_000)
    other = letters.copy()
    other[99::100] = np.where(letters[99::100] == 65, 67, 65)
    index = index_alignment(Alignment(ops, lengths))
    pair = (Sequence(letters=one, name="x", alphabet=Alphabet.DNA, counts=np.zeros(256)) for one in (letters, other))
    a, b = pair
    found = effects_of(replace(a, spans=(spans,)), b, index)
    assert found.counts == {EffectKind.OUTSIDE: 100_000}  # each behind a feature of nine letters
