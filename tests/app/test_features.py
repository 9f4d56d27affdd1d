"""Tracks of features: bars at their columns, codons as Biopython translates them, what differs, tips and clicks."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor

from tests.app import alignment_window
from tests.app.alignments import from_cigar, random_pair, sequence
from tests.app.annotated import PHIX174, genbank, phix174
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.feature_drawing import ROW_PX, colours_of
from wavediff.app.compare.letters_picture import letters_picture
from wavediff.app.compare.strip_drawing import LANE_PX, LARGE_WINDOW
from wavediff.app.compare.tracks import find_tracks
from wavediff.app.compare.tracks.bars import N_ROWS
from wavediff.app.draw.colours import named_colours
from wavediff.app.ui.pair import Side
from wavediff.app.ui.picture_files import SVG
from wavediff.app.ui.theme import contrast
from wavediff.core.jobs.alignment import Alignment, Op
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.reading import read
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand
from wavediff.core.sequences.sequence import Alphabet
from wavediff.core.sequences.spans import SpanKind, Spans

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


def tracks_of(a, b, alignment):
    index = index_alignment(alignment)
    return index, find_tracks(index, a, b, {}, CancelToken())


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
            assert bars.touching(first, first + 5, 99).tolist() == touched
            assert bars.touching(first, first + 5, len(touched) - 1) is None


@pytest.mark.parametrize(
    "orientation", [FORWARD, TURNED, Orientation(Strand.MINUS), Orientation(circular=True, shift=99)]
)
def test_genes_of_phix174_turn_with_their_sequence(tmp_path, orientation):
    """Overlapping genes, three across the origin, on B also on the other strand and from another letter on."""
    one = read(phix174(tmp_path / "phix.gb")).sequence(0)
    _, found = tracks_of(one, one.oriented(orientation), equal_to(one))
    for side, n in ((Side.A, len(one)), (Side.B, len(one))):
        bars = found.bars[side]
        whole = {}
        for k in range(len(bars.columns)):
            assert bars.named(k)[1] == "CDS", "a gene has its product"
            whole.setdefault(bars.named(k)[0], []).append(bars.extent(k))
        assert {name: sum(high - low for low, high in parts) for name, parts in whole.items()} == {
            name: sum(end - start + 1 for start, end in parts) for name, parts in PHIX174.items()
        }
        assert all(0 <= low < high <= n for parts in whole.values() for low, high in parts)
    strands = {found.bars[Side.B].strand(k) for k in range(len(found.bars[Side.B].columns))}
    assert strands == {-1 if orientation.strand is Strand.MINUS else 1}
    crossing = [found.bars[Side.A].named(k)[0] for k in range(len(found.bars[Side.A].columns))]
    assert [name for name in PHIX174 if crossing.count(name) == 2] == ["A", "A*", "B"]
    first = found.bars[Side.B]
    places = [orientation.index(3_980, len(one)), orientation.index(135, len(one))]
    edges = [edge for k in range(len(first.columns)) if first.named(k)[0] == "A" for edge in first.extent(k)]
    assert set(places) <= {*edges, *(edge - 1 for edge in edges)}


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
    qtbot.waitUntil(lambda: bool(view.strip.features.bars) and not view._annotator.running)
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
    told = view.strip.words_at(middle_of(view.strip, Side.A, "def")).splitlines()
    assert told == ["CDS def −", "A 900 to 1,500 · 601 letters", "Genetic code 1"]
    told = view.strip.words_at(middle_of(view.strip, Side.B, "def")).splitlines()
    assert told[:3] == ["CDS def − (projected)", "B 900 to 1,400 · 501 letters", "Projected from A: B has none here"]
    assert view.strip.words_at(middle_of(view.strip, Side.B, "abc")).splitlines()[0] == "CDS abc +", "its own one"
    assert "2,001 to 2,300, 2,601 to 2,800" in view.strip.words_at(middle_of(view.strip, Side.A, "joined"))


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
    assert said == "A: CDS abc + · B: CDS abc +"
    assert view.canvas.accessibleDescription().endswith(said)
    view.canvas.set_caret(1_000)
    assert view.where.text.endswith("A: CDS def − · B: CDS def − (projected)")
    view.canvas.set_caret(1_600)
    assert view.where.text.endswith("equal")


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


def test_texts_and_plain_sequences_have_no_rows(view, qtbot):
    for alphabet, letters in ((Alphabet.TEXT, "to be or not to be " * 9), (Alphabet.DNA, "ACGT" * 40)):
        one = sequence(letters, alphabet=alphabet)
        view.show_result(one, one, from_cigar((len(letters), "=")), fold_case=False)
        qtbot.waitUntil(lambda: view.model is not None and not view._annotator.running)
        assert view.strip.height() == 3 * LANE_PX


def test_a_protein_has_its_features(view, qtbot):
    letters = "MKVLAWQRST" * 20
    one = features(200, ("DOMAIN", "kinase", 0, [(10, 120)]), ("BINDING", "ATP", 0, [(50, 51)]))
    pair = (
        replace(sequence(letters, alphabet=Alphabet.PROTEIN), spans=(one,)),
        sequence(letters, alphabet=Alphabet.PROTEIN),
    )
    annotated(view, qtbot, *pair, from_cigar((200, "=")))
    assert view.strip.words_at(middle_of(view.strip, Side.A, "kinase")).startswith("DOMAIN kinase\nA 11 to 120")


def test_a_small_window_has_one_row_and_a_folded_strip_none(view, qtbot):
    strip = annotated(view, qtbot, *pair_of_genes(with_b=False)).strip
    assert strip.features.height(Side.B) > 0
    strip.fit(view.size() / 2)
    assert (strip.features.height(Side.A), strip.features.height(Side.B)) == (pytest.approx(ROW_PX, abs=4), 0)
    strip.set_folded(True)
    assert not strip.has_bars(0)


def test_pictures_of_letters_have_features(view, tmp_path, qtbot):
    letters = "ATG" + "GCTTGGAAA" * 20 + "TAA"
    path = genbank(tmp_path / "one.gb", letters, [("CDS", "gene one", 1, ((1, len(letters)),))])
    one = read(path).sequence(0)
    model = annotated(view, qtbot, one, one, equal_to(one)).model
    drawn = letters_picture(model, None, "answer").picture(SVG).decode()
    assert "gene one" in drawn
    assert "Features A" in drawn
    read_anew = AlignmentModel(one, one, model.index)
    assert "gene one" in letters_picture(read_anew, None, "").picture(SVG).decode(), "as the command line makes it"
    one = sequence("ACGT" * 9)
    plain = AlignmentModel(one, one, index_alignment(equal_to(one)))
    assert "Features" not in letters_picture(plain, None, "").picture(SVG).decode()
