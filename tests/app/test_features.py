"""Tracks of features: bars at their columns, codons as Biopython translates them, what differs, tips and clicks."""

import re
import tracemalloc
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from Bio import SeqIO
from Bio.Seq import Seq
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from tests.app import alignment_window
from tests.app.alignments import from_cigar, random_pair, sequence
from tests.app.annotated import PHIX174, genbank, phix174
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.annotator import MAX_KINDS
from wavediff.app.compare.letters_picture import letters_picture
from wavediff.app.compare.strip_drawing import LANE_PX, LARGE_WINDOW
from wavediff.app.compare.strip_levels import Window
from wavediff.app.compare.strip_words import ROW_PX, FeatureRows, colours_of
from wavediff.app.compare.tracks import find_tracks
from wavediff.app.compare.tracks.bars import N_ROWS, Bars
from wavediff.app.compare.tracks.codons import AMINO_ACID, MIDDLE, NUMBER, START, Look, looks, sight
from wavediff.app.draw.drawing import named_colours
from wavediff.app.ui.background_task import BackgroundTask
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import SVG
from wavediff.app.ui.theme import Theme, contrast
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.reading import read
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet
from wavediff.core.sequences.spans import READ_AS, SpanKind, Spans

view, shown = alignment_window.view, alignment_window.shown
LEFT = Qt.MouseButton.LeftButton
TURNED = Orientation(Strand.MINUS, True, 300)


def features(n, *those):
    """Spans of features: type, name, strand and parts from 0."""
    parts = [(start, end, strand, k) for k, (_, _, strand, places) in enumerate(those) for start, end in places]
    starts, ends, strands, owners = np.array(parts, np.int64).reshape(-1, 4).T
    return Spans(
        kind=SpanKind.FEATURE, n_letters=n, starts=starts, ends=ends, strands=strands.astype(np.int8), owners=owners,
        types=[one[0] for one in those], names=[one[1] for one in those], attributes=[{}] * len(those),
    )  # fmt: skip


def tracks_of(a, b, alignment, hidden=frozenset()):
    index = index_alignment(alignment)
    return index, find_tracks(index, a, b, {}, hidden, CancelToken())


def equal_to(one):
    return Alignment(np.array([Op.EQUAL], np.uint8), np.array([len(one)]))


FEATURE = st.tuples(
    st.sampled_from(["CDS", "tRNA"]), st.sampled_from([1, -1, 0]),
    st.lists(st.integers(0, 59), min_size=2, max_size=6, unique=True),
)  # fmt: skip


def made(n, drawn):
    """Features of pairs of drawn places, joined along their strand."""
    found = []
    for k, (kind, strand, places) in enumerate(drawn):
        ordered = sorted({place * n // 60 for place in places})
        pairs = [(low, high) for low, high in zip(ordered[::2], ordered[1::2], strict=False)]
        if pairs:
            found.append((kind, f"f{k}", strand, pairs[:: strand or 1]))
    return found


@given(st.integers(0, 99), st.lists(FEATURE, max_size=5), st.lists(FEATURE, max_size=2))
def test_bars_are_where_the_letters_of_their_features_are(seed, of_a, of_b):
    """Their own features, and from the first to the last aligned letter those of the other one that meet no own one."""
    a, b, alignment = random_pair(12, seed)
    lists = {Side.A: made(len(a), of_a), Side.B: made(len(b), of_b)}
    a, b = (
        replace(one, spans=(features(len(one), *lists[side]),) if lists[side] else ())
        for side, one in ((Side.A, a), (Side.B, b))
    )
    index, found = tracks_of(a, b, alignment)
    window = index.window(0, index.n_columns)
    columns = {Side.A: window.a.tolist(), Side.B: window.b.tolist()}
    shared = np.flatnonzero((window.a >= 0) & (window.b >= 0)).tolist()
    for side, sequence_ in ((Side.A, a), (Side.B, b)):
        wanted, own = set(), set()
        for kind, name, _, parts in lists[side]:
            own |= {k for part in parts for k in range(*part)}
            lows, highs = zip(*parts, strict=True)
            wanted.add((kind, name, columns[side].index(min(lows)), columns[side].index(max(highs) - 1) + 1, False))
        for kind, name, _, parts in lists[side.other]:
            edges = [(columns[side.other].index(low), columns[side.other].index(high - 1)) for low, high in parts]
            letters = [[columns[side][k] for k in shared if low <= k <= high] for low, high in edges]
            letters = [range(one[0], one[-1] + 1) for one in letters if one]
            if letters and not any(k in own for one in letters for k in one):
                low, high = min(map(min, letters)), max(map(max, letters))
                wanted.add((kind, name, columns[side].index(low), columns[side].index(high) + 1, True))
        bars = found.bars.get(side)
        everything = range(len(bars.columns)) if bars else ()
        kept = {(*reversed(bars.named(k)[:2]), *bars.extent(k), bars.named(k)[2]) for k in everything}
        assert kept == wanted
        if bars is None:
            continue
        assert bars.sequence is sequence_
        for row in range(N_ROWS):
            extents = [bars.extent(k) for k in everything if bars.rows[k] == row]
            assert all(one[1] <= other[0] for one, other in pairwise(extents))
        for first in range(0, index.n_columns, 3):
            touched = [k for k in everything if bars.extent(k)[0] < first + 5 and bars.extent(k)[1] > first]
            assert bars.touching(first, first + 5).tolist() == touched
            assert bars.columns.count(first, first + 5) == len(touched)


def proteins(coding, index, side):
    """Amino acids of each feature as its codons in all columns have them; and the columns of each letter's codon."""
    window = index.window(0, index.n_columns)
    letters = {Side.A: window.a, Side.B: window.b}[side]
    found = {}
    for k in range(len(coding.bars.columns)):
        alone = coding._replace(bars=coding.bars.taken(np.array([k])), frames=coding.frames[[k]])
        one = sight(alone, letters, 0)
        for row in one.rows:
            there = row[:, row[MIDDLE] == 1]
            acids = found.setdefault(coding.bars.named(k)[0], {})
            acids.update(zip(there[NUMBER].tolist(), map(chr, there[AMINO_ACID].tolist()), strict=True))
    return {name: "".join(acids[k] for k in sorted(acids)) for name, acids in found.items()}


@pytest.fixture(scope="module")
def phix(tmp_path_factory):
    path = phix174(tmp_path_factory.mktemp("phix") / "phix.gb")
    record = SeqIO.read(path, "genbank")
    wanted = {
        one.qualifiers["gene"][0]: str(one.extract(record.seq).translate(11))
        for one in record.features if one.type == "CDS"
    }  # fmt: skip
    return read(path).sequence(0), wanted


@pytest.mark.parametrize(
    "orientation", [FORWARD, TURNED, Orientation(Strand.MINUS), Orientation(circular=True, shift=99)]
)
def test_overlapping_genes_of_phix174_are_translated_as_biopython_does(phix, orientation):
    """Three are across the origin; B on the other strand and from another letter on turns its features too."""
    one, wanted = phix
    assert len(wanted) == 11
    assert all(protein.endswith("*") and "*" not in protein[:-1] for protein in wanted.values())
    index, found = tracks_of(one, one.oriented(orientation), equal_to(one))
    for side in Side:
        assert proteins(found.coding[side], index, side) == wanted
    strands = {found.bars[Side.B].strand(k) for k in range(len(found.bars[Side.B].columns))}
    assert strands == {-1 if orientation.strand is Strand.MINUS else 1}
    crossing = [found.bars[Side.A].named(k)[0] for k in range(len(found.bars[Side.A].columns))]
    assert [name for name in PHIX174 if crossing.count(name) == 2] == ["A", "A*", "B"]
    assert found.coding[Side.A].rows == 2
    assert not {"gene"} & {found.bars[Side.A].named(k)[1] for k in range(len(crossing))}, "each has its product"


@given(st.text("ACGT", min_size=30, max_size=60), st.lists(st.integers(1, 58), min_size=2, max_size=6, unique=True),
       st.sampled_from([1, -1]), st.sampled_from([1, 4, 11]), st.sampled_from(["1", "2", "3"]),
       st.tuples(st.integers(0, 20), st.integers(21, 60)))  # fmt: skip
def test_joined_parts_are_translated_as_biopython_does(letters, places, strand, table, codon_start, cut):
    n, ordered = len(letters), sorted({place * len(letters) // 60 for place in places})
    pairs = list(zip(ordered[::2], ordered[1::2], strict=False))
    if not pairs:
        return
    one = features(n, ("CDS", "x", strand, pairs[::strand]))
    one = replace(one, attributes=[{"codon_start": codon_start, "transl_table": str(table)}])
    a = replace(sequence(letters), spans=(one,))
    text = "".join(letters[low:high] for low, high in pairs)
    text = str(Seq(text).reverse_complement() if strand < 0 else text)[int(codon_start) - 1 :]
    wanted = str(Seq(text[: len(text) // 3 * 3]).translate(table))
    index, found = tracks_of(a, sequence(letters), equal_to(a))
    assert proteins(found.coding[Side.A], index, Side.A).get("x", "") == wanted
    assert proteins(found.coding[Side.B], index, Side.B).get("x", "") == wanted
    low, high = min(cut), min(max(cut), n)
    part = sequence(letters[low:high])
    index, found = tracks_of(replace(part, spans=(one.within(low, high),)), part, equal_to(part))
    read = [place for start, end in pairs for place in range(start, end)][::strand][int(codon_start) - 1 :]
    codons = zip(wanted, zip(*(read[k::3] for k in range(3)), strict=False), strict=False)
    there = "".join(letter for letter, codon in codons if low <= min(codon) and max(codon) < high)
    for side in Side.A, Side.B:
        assert (proteins(found.coding[side], index, side) if found.coding else {}).get("x", "") == there


def rows_of(index, found):
    """Codons of both sequences in words: amino acid, first and last column, look."""
    window = index.window(0, index.n_columns)
    letters = {Side.A: window.a, Side.B: window.b}
    sights = {side: sight(one, letters[side], 0) for side, one in found.coding.items()}
    told = {}
    for side, alone in ((Side.A, Look.ONLY_A), (Side.B, Look.ONLY_B)):
        (row,), (codes,) = sights[side].rows, looks(sights[side], sights[side.other], alone)
        starts = dict.fromkeys(row[START][row[START] >= 0].tolist())
        told[side] = []
        for start in starts:
            there = np.flatnonzero(row[START] == start)
            look = Look((int(codes[there[0]]) - 1) // 256)
            letter = [(int(code) - 1) % 128 for code in codes[there]]
            assert [chr(one) for one in letter if one] == [chr(row[AMINO_ACID, there[0]])]
            mark = look.name if look > Look.ODD else ""
            told[side].append(f"{chr(row[AMINO_ACID, there[0]])}{there[0]}-{there[-1]}{mark and ' ' + mark}")
    return told


def coded(a, b, runs):
    one = replace(sequence(a), spans=(features(len(a), ("CDS", "S", 1, [(0, len(a))])),))
    return rows_of(*tracks_of(one, sequence(b), from_cigar(*runs)))


def test_what_differs_among_amino_acids_is_marked():
    """A deletion in a codon leaves I and removes H and V, as Spike 69-70del of SARS-CoV-2; the rest by hand."""
    told = coded("GCTATACATGTCTCT", "GCTATCTCT", ((5, "="), (6, "D"), (4, "=")))
    assert told[Side.A] == ["A0-2", "I3-5", "H6-8 ONLY_A", "V9-11 ONLY_A", "S12-14"]
    assert told[Side.B] == ["A0-2", "I3-11", "S12-14"]
    told = coded("AATAAAGGT", "TATAAGGGT", ((1, "X"), (4, "="), (1, "X"), (3, "=")))
    assert told[Side.A] == ["N0-2 OTHER", "K3-5", "G6-8"], "AAA and AAG are both K"
    assert told[Side.B] == ["Y0-2 OTHER", "K3-5", "G6-8"]
    told = coded("ATGGGTAAA", "ATGCCCGGTAAA", ((3, "="), (3, "I"), (6, "=")))
    assert told[Side.B] == ["M0-2", "P3-5 ONLY_B", "G6-8", "K9-11"]
    told = coded("ATGGGTAAACCC", "ATGGTAAACCC", ((3, "="), (1, "D"), (8, "=")))
    assert told[Side.B] == ["M0-2", "V4-6 OTHER", "N7-9 OTHER"], "another frame from the deletion on"


def test_codons_of_the_other_strand_and_of_tables_are_compared():
    a = "TTATCACAT"  # on the other strand ATGTGATAA: in table 2 M W and a stop at AGA alone, Y for TAA is none
    one = features(9, ("CDS", "m", -1, [(0, 9)]))
    one = replace(one, attributes=[{"transl_table": "2"}])
    told = rows_of(
        *tracks_of(replace(sequence(a), spans=(one,)), sequence("TTATCGCAT"), from_cigar((5, "="), (1, "X"), (3, "=")))
    )
    assert told[Side.A] == ["*0-2", "W3-5 OTHER", "M6-8"]
    assert told[Side.B] == ["*0-2", "R3-5 OTHER", "M6-8"]


def told_of(attributes, a="ATGTGATGA", b="ATGTGATGA"):
    one = replace(features(9, ("CDS", "x", 1, [(0, 9)])), attributes=[attributes])
    return tracks_of(replace(sequence(a), spans=(one,)), sequence(b), from_cigar((9, "=")))


def test_amino_acids_of_an_unknown_code_are_unknown_and_pseudogenes_have_none():
    told = rows_of(*told_of({"transl_table": "7"}))
    assert told == {side: ["X0-2", "X3-5", "X6-8"] for side in Side}
    index, found = told_of({"pseudo": ""})
    assert sight(found.coding[Side.A], index.window(0, 9).a, 0).rows == []


def test_codons_are_read_otherwise_where_the_file_says_so():
    told = rows_of(*told_of({READ_AS: "1:U"}))
    assert told == {side: ["M0-2", "U3-5", "*6-8"] for side in Side}
    told = rows_of(*told_of({READ_AS: "1:U"}, b="ATGTAATGA"))
    assert told[Side.B] == ["M0-2", "*3-5 OTHER", "*6-8"]


@pytest.mark.parametrize("dark", [False, True])
def test_names_are_read_on_the_colours_of_features(dark):
    colours = {name: QColor(code) for name, code in named_colours(dark).items()}
    kinds = [colours_of(kind) for kind in ("CDS", "tRNA", "promoter", "misc_feature")]
    assert len(set(kinds)) == 4
    for fill, edge in kinds:
        assert contrast(colours["text"], colours[fill]) >= 4.5
        assert contrast(colours[edge], colours["base"]) >= 3


# In the window


def annotated(view, qtbot, a, b, alignment):
    view.resize(900, 620)
    view.show_result(a, b, alignment, fold_case=True)
    qtbot.waitUntil(lambda: bool(view.strip.features.bars) and not view.annotator.findChild(BackgroundTask).running)
    return view


def pair_of_genes(with_b=True):
    """A of 3,000 letters, B without 100 of them; a gene of each, another one of A alone, a tRNA of two exons."""
    rng = np.random.default_rng(5)
    letters = rng.choice(np.frombuffer(b"ACGT", np.uint8), 3_000).tobytes()
    parts = (
        ("CDS", "abc", 1, [(99, 700)]),
        ("CDS", "def", -1, [(899, 1_500)]),
        ("tRNA", "joined", 1, [(2_000, 2_300), (2_600, 2_800)]),
    )
    b = sequence(letters[:1_200] + letters[1_300:], "b")
    of_b = features(2_900, ("CDS", "abc", 1, [(99, 700)]))
    runs = from_cigar((1_200, "="), (100, "D"), (1_700, "="))
    return (
        replace(sequence(letters, "a"), spans=(features(3_000, *parts),)),
        replace(b, spans=(of_b,) if with_b else ()),
        runs,
    )


def middle_of(strip, side, name):
    bars, area = strip.features.bars[side], strip.rows_area(0, side)
    bar = next(k for k in range(len(bars.columns)) if bars.named(k)[0] == name)
    first, end = bars.extent(bar)
    x = area.left() + area.width() * strip.levels.windows[0].share((first + end) / 2)
    return QPointF(x, area.top() + ROW_PX * (int(bars.rows[bar]) + 0.5))


def test_tips_of_bars_say_what_a_feature_is(view, qtbot):
    annotated(view, qtbot, *pair_of_genes())
    told = view.strip.tip_at(middle_of(view.strip, Side.A, "def")).splitlines()
    assert told == ["CDS def −", "A 900 to 1,500 · 601 letters", "Genetic code 1"]
    told = view.strip.tip_at(middle_of(view.strip, Side.B, "def")).splitlines()
    assert told[:3] == ["CDS def − (projected)", "B 900 to 1,400 · 501 letters", "Projected from A: B has no features"]
    assert view.strip.tip_at(middle_of(view.strip, Side.B, "abc")).splitlines()[0] == "CDS abc +", "its own one"
    assert "2,001 to 2,300, 2,601 to 2,800" in view.strip.tip_at(middle_of(view.strip, Side.A, "joined"))


def test_a_click_goes_to_the_first_letter_and_a_double_click_shows_all_of_it(view, qtbot):
    strip = annotated(view, qtbot, *pair_of_genes()).strip
    qtbot.mouseClick(strip, LEFT, pos=middle_of(strip, Side.A, "abc").toPoint())
    assert view.canvas.caret == 99
    qtbot.mouseClick(strip, LEFT, pos=middle_of(strip, Side.A, "def").toPoint())
    assert view.canvas.caret == 1_499, "it is read from its end"
    at = middle_of(strip, Side.A, "joined").toPoint()
    qtbot.mouseDClick(strip, LEFT, pos=at)
    assert view.canvas.selection == (2_000, 2_800)
    window = strip.levels.windows[0]
    assert window.first < 2_000
    assert window.end > 2_800
    assert window.span < 3_000
    assert view.canvas.is_visible(2_000)


def test_the_features_at_the_caret_are_told(view, qtbot):
    annotated(view, qtbot, *pair_of_genes())
    view.canvas.set_caret(101)
    said = view.where.text.partition("equal · ")[2]
    assert re.fullmatch(r"A: CDS abc \+, codon 1 (.) · B: CDS abc \+, codon 1 \1", said)
    assert view.canvas.accessibleDescription().endswith(said)
    view.canvas.set_caret(1_000)
    assert re.search(r"A: CDS def −, codon 167 . · B: CDS def − \(projected\), codon \d+ .$", view.where.text)
    view.canvas.set_caret(1_600)
    assert view.where.text.endswith("equal")


def test_kinds_of_features_are_switched_off(view, qtbot):
    annotated(view, qtbot, *pair_of_genes())
    entries = {action.data(): action for action in view.annotator.menu.actions()}
    assert [action.text() for action in entries.values()] == ["CDS (3)", "tRNA (2)"]
    assert view.canvas.surface.cells.codons[0] == 1
    entries["CDS"].trigger()
    qtbot.waitUntil(lambda: not view.canvas.model.tracks.coding)
    assert view.canvas.surface.cells.codons[0] == 0
    assert {view.strip.features.bars[Side.B].named(0)[:2]} == {("joined", "tRNA")}
    entries = {action.data(): action for action in view.annotator.menu.actions()}
    assert not entries["CDS"].isChecked()
    entries["CDS"].trigger()
    qtbot.waitUntil(lambda: bool(view.canvas.model.tracks.coding))


def test_a_kind_that_is_off_stays_in_the_menu(view, qtbot):
    view.annotator.hidden = frozenset({"k0"})
    kinds = [(f"k{k}", "x", 1, [(10, 20)] * (k + 1)) for k in range(MAX_KINDS + 5)]
    one = [(kind, name, strand, [part]) for kind, name, strand, parts in kinds for part in parts]
    annotated(view, qtbot, replace(sequence("A" * 100), spans=(features(100, *one),)), sequence("A" * 100),
              from_cigar((100, "=")))  # fmt: skip
    entries = {action.data(): action for action in view.annotator.menu.actions()}
    assert len(entries) == MAX_KINDS
    assert [name for name, action in entries.items() if not action.isChecked()] == ["k0"]
    assert f"k{MAX_KINDS + 4}" in entries
    entries["k0"].trigger()
    qtbot.waitUntil(lambda: "k0" in view.strip.features.bars[Side.A].spans.types)


def test_a_frame_of_a_million_features_copies_none_of_them(qtbot):
    n, k = 10_000_000, 1_000_000
    starts = np.arange(k) * 10
    spans = Spans(
        kind=SpanKind.FEATURE, n_letters=n, starts=starts, ends=starts + 9, strands=np.ones(k, np.int8),
        owners=np.arange(k), names=["x"] * k, types=["CDS"] * k, attributes=[{}] * k,
    ).prepare()  # fmt: skip
    bars = Bars(
        sequence("A"), spans, k, spans, spans, np.arange(k), np.arange(k) + 1, np.zeros(k, np.int8), 1, spans.ends
    )
    rows = FeatureRows(Theme())
    rows.bars = {Side.A: bars}
    image = QImage(800, 60, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    tracemalloc.start()
    try:
        for first, span in ((0, n), (5_000_000.3, 700.4), (17.5, 70.0)):
            rows.draw(painter, Side.A, QRectF(96, 0, 700, 40), Window(first, span), 17, 1.0)
            found = rows.at(Side.A, QRectF(96, 0, 700, 40), Window(first, span), QPointF(100, 5))
            assert found is None if span == n else first <= 10 * found + 9
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        painter.end()
    assert peak < k


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=9), st.floats(0, 50),
       st.floats(0.1, 9))  # fmt: skip
def test_bars_in_a_part_of_a_column_are_found(places, first, span):
    parts, end = [(start, start + n) for start, n in places], first + span
    one = replace(sequence("A" * 50), spans=(features(50, *(("CDS", "x", 1, [part]) for part in parts)),))
    bars = tracks_of(one, sequence("A" * 50), equal_to(one))[1].bars[Side.A]
    there = [part for part in parts if part[0] < end and part[1] > first]
    assert sorted(map(bars.extent, bars.touching(first, end).tolist())) == sorted(there)
    assert bars.columns.count(first, end) == len(there)


def test_many_features_are_stacked_counted_or_shown_by_their_density(view, qtbot):
    """Five over each other: two or three rows. Where bars are too narrow to be told apart, how dense they are."""
    a, b, runs = pair_of_genes(with_b=False)
    over = [("misc_feature", f"f{k}", 0, [(k, 2_990 + k)]) for k in range(5)]
    annotated(view, qtbot, replace(a, spans=(features(3_000, *over),)), b, runs)
    bars = view.strip.features.bars[Side.A]
    assert bars.rows.tolist() == [0, 1, 2, N_ROWS, N_ROWS]
    assert view.strip.features.height(Side.A) == pytest.approx(2 * ROW_PX, abs=4)
    view.strip.fit(LARGE_WINDOW)
    assert view.strip.features.height(Side.A) == pytest.approx(3 * ROW_PX, abs=4)
    many = [("misc_feature", "f", 0, [(k, k + 2)]) for k in range(0, 2_900, 2)]
    annotated(view, qtbot, replace(a, spans=(features(3_000, *many),)), b, runs)
    area = view.strip.rows_area(0, Side.A)
    picture = view.strip.grab().toImage()
    done = QColor(named_colours(dark=False)["done"])
    inked = [picture.pixelColor(round(area.left() + k), round(area.bottom()) - 6) == done for k in range(450, 750, 7)]
    assert all(inked)


def test_texts_and_plain_sequences_have_no_rows_and_no_menu(view, qtbot):
    for alphabet, letters in ((Alphabet.TEXT, "to be or not to be " * 9), (Alphabet.DNA, "ACGT" * 40)):
        one = sequence(letters, alphabet=alphabet)
        view.show_result(one, one, from_cigar((len(letters), "=")), fold_case=False)
        qtbot.waitUntil(lambda: view.model is not None and not view.annotator.findChild(BackgroundTask).running)
        assert view.strip.height() == 3 * LANE_PX
        assert view.canvas.surface.cells.codons == (0, 0)
        assert not view.annotator.menu.isEnabled()


def test_a_protein_has_its_features_and_no_codons(view, qtbot):
    letters = "MKVLAWQRST" * 20
    one = features(200, ("DOMAIN", "kinase", 0, [(10, 120)]), ("BINDING", "ATP", 0, [(50, 51)]))
    pair = (
        replace(sequence(letters, alphabet=Alphabet.PROTEIN), spans=(one,)),
        sequence(letters, alphabet=Alphabet.PROTEIN),
    )
    annotated(view, qtbot, *pair, from_cigar((200, "=")))
    assert view.strip.tip_at(middle_of(view.strip, Side.A, "kinase")).startswith("DOMAIN kinase\nA 11 to 120")
    assert view.canvas.surface.cells.codons[0] == 0


def test_stretches_of_n_are_a_track(view, qtbot):
    letters = "ACGT" * 10 + "N" * 12 + "ACGT" * 10
    view.show_result(sequence(letters), sequence(letters), from_cigar((92, "=")), fold_case=True)
    qtbot.waitUntil(lambda: view.strip.height() == 4 * LANE_PX)
    assert "1 stretch of N in A\n1 stretch of N in B" in view.strip.tip_at(view.strip.area(0).center())


def test_a_small_window_has_one_row_and_a_folded_strip_none(view, qtbot):
    strip = annotated(view, qtbot, *pair_of_genes(with_b=False)).strip
    assert strip.features.height(Side.B) > 0
    strip.fit(view.size() / 2)
    assert (strip.features.height(Side.A), strip.features.height(Side.B)) == (pytest.approx(ROW_PX, abs=4), 0)
    strip.set_folded(True)
    assert not strip.has_bars(0)


def test_pictures_of_letters_have_features_and_amino_acids(view, tmp_path, qtbot):
    letters = "ATG" + "GCTTGGAAA" * 20 + "TAA"
    path = genbank(tmp_path / "one.gb", letters, [("CDS", "gene one", 1, ((1, len(letters)),))])
    one = read(path).sequence(0)
    model = annotated(view, qtbot, one, one, from_cigar((len(letters), "="))).model
    picture = letters_picture(model, "answer")
    drawn = picture.picture(SVG).decode()
    assert "gene one" in drawn
    assert "Features A" in drawn
    pieces = re.findall(r">([^<]+)</text>", drawn)
    assert {"W", "K", "*"} <= set(pieces), "amino acids, where the letters are A, C, G and T"
    plain = letters_picture(AlignmentModel(*(2 * (sequence("ACGT" * 9),)), index_alignment(from_cigar((36, "=")))), "")
    assert "Features" not in plain.picture(SVG).decode()
