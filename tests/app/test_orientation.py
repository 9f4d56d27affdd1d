"""B reversed and turned in the window: popover, menu, undo, and the places of its file in every view."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.app.parts import button
from tests.core.export.helpers import alignment, sequence
from tests.core.reading.test_flat_files import genbank
from wavediff.app.bwt.bwt_view import BwtView
from wavediff.app.bwt.indexed_text import Source
from wavediff.app.compare.alignment_actions import CopyFormat, copy_text
from wavediff.app.compare.alignment_goto import Place, PlaceError, parse_place
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.difference_list import IN_A, IN_B, arranged
from wavediff.app.compare.tracks.track import in_columns
from wavediff.app.search.search_session import SearchSides
from wavediff.app.search.search_view import SearchView
from wavediff.app.ui.block_map.map_ticks import ticks
from wavediff.app.ui.pair import Side
from wavediff.core.export.registry import COMPARISON
from wavediff.core.export.tsv import ListedDifferences
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.alignment_index import index_alignment
from wavediff.core.jobs.difference_index import Kinds
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.free_ends import Ends
from wavediff.core.sequences.orientation import FORWARD, Orientation, Strand, reverse_complement
from wavediff.core.sequences.spans import SpanKind, Spans

N, TURN, CHANGED = 300, 70, 170
MINUS = Orientation(Strand.MINUS)
TURNED = Orientation(Strand.MINUS, circular=True, shift=N - TURN)


@pytest.fixture
def files(tmp_path):
    """A circle, and its other strand turned by 70 with letter 171 of A exchanged."""
    a = bytes(np.random.default_rng(1).choice(list(b"ACGT"), N).astype(np.uint8).tobytes())
    b = a[:CHANGED] + (b"A" if a[CHANGED : CHANGED + 1] != b"A" else b"C") + a[CHANGED + 1 :]
    strand = reverse_complement(b[TURN:] + b[:TURN])
    one, other = ("one", a.decode()), ("two", strand.decode())
    return fasta(tmp_path / "a.fa", one), fasta(tmp_path / "b.fa", other)


def test_a_picture_says_how_b_was_turned(qtbot, opened):
    session = opened.session
    session.orient(circular=True)
    aligned(qtbot, opened, TURNED)
    assert session.outcome.full_text.endswith(f" · B: {session.outcome.b.orientation.text(N)}")


@pytest.fixture
def opened(qtbot, window, files):
    window.session.choose(method="edit")
    with qtbot.waitSignal(window.alignment.model_changed, check_params_cb=bool):
        window.session.open_paths(files)
    return window


def segment(window, text):
    """Choose what B's popover offers."""
    popover = window.header.popovers[Side.B]
    button(popover, text).click()


def aligned(qtbot, window, orientation):
    model = window.alignment

    def there():
        return model.model is not None and model.model.b.orientation == orientation

    qtbot.waitUntil(there)
    assert model.model is not None
    return model.model


def test_b_is_reversed_and_turned_by_its_popover(qtbot, opened):
    session, popover = opened.session, opened.header.popovers[Side.B]
    read = session.pair[Side.B]
    segment(opened, "Reverse complement")
    aligned(qtbot, opened, MINUS)
    assert session.pair.original(Side.B) is read
    assert opened.header.chips[Side.B].accessibleName().endswith("300 DNA · reverse complement · b.fa")
    segment(opened, "Circular")
    model = aligned(qtbot, opened, TURNED)
    assert session.outcome.result.distance == 1
    place = (TURN - 1 - CHANGED) % N + 1  # in the file of B, from 1
    assert opened.header.chips[Side.B].accessibleName().endswith(f"reverse complement, from {TURN} · b.fa")
    assert button(popover, "Reverse complement").isChecked()
    assert button(popover, "Circular").isChecked()
    opened.alignment.navigation.go_next()
    assert opened.alignment.where.text.startswith(f"Column {CHANGED + 1} · A {CHANGED + 1} ")
    assert f" · B {place} " in opened.alignment.where.text
    assert model.rows(0, 3).b_place.tolist() == [TURN, TURN - 1, TURN - 2]
    opened.alignment.canvas.set_compact(False)
    assert opened.alignment.canvas.surface.cells.b_ruler_height  # its numbers are not those of the columns


def test_keys_reverse_b_and_undo_takes_it_back(qtbot, opened):
    session = opened.session
    qtbot.keyClick(opened, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    aligned(qtbot, opened, MINUS)
    opened.actions_by_id["orient_b"].trigger()
    aligned(qtbot, opened, TURNED)
    opened.actions_by_id["undo"].trigger()
    aligned(qtbot, opened, MINUS)
    opened.actions_by_id["undo"].trigger()
    aligned(qtbot, opened, FORWARD)
    assert not opened.history.undo_text
    for orientation in (MINUS, TURNED):
        opened.actions_by_id["redo"].trigger()
        aligned(qtbot, opened, orientation)
    opened.actions_by_id["reverse_b"].trigger()  # the other strand of a circle is turned to fit as well
    qtbot.waitUntil(lambda: session.pair.orientation == Orientation(circular=True))


def test_swapped_a_and_b_fit_as_before(qtbot, opened):
    session = opened.session
    session.orient(circular=True)
    aligned(qtbot, opened, TURNED)
    opened.actions_by_id["swap"].trigger()
    with qtbot.waitSignal(session.compared):
        pass
    assert (session.outcome.a.name, session.outcome.result.distance) == ("two", 1)
    opened.actions_by_id["undo"].trigger()
    aligned(qtbot, opened, TURNED)


def test_another_pair_begins_as_in_its_files(qtbot, opened, files):
    opened.session.orient(circular=True)
    aligned(qtbot, opened, TURNED)
    qtbot.expect(opened.session.compared, opened.session.open_paths, files)
    assert opened.session.pair.orientation == FORWARD


def test_a_circle_by_its_file_is_turned_as_it_is_opened(qtbot, window, files, tmp_path):
    """In one step of undo; the box *Circular* takes it back alone."""
    letters = np.random.default_rng(2).choice(list(b"acgt"), 600).astype(np.uint8).tobytes()
    for name, one in (("a.gb", letters), ("b.gb", letters[200:] + letters[:200])):
        (tmp_path / name).write_bytes(genbank(one, b"circular"))
    session, undo, redo = window.session, window.actions_by_id["undo"], window.actions_by_id["redo"]
    session.choose(method="edit")
    qtbot.expect(session.compared, session.open_paths, files)
    session.open_paths([tmp_path / "a.gb", tmp_path / "b.gb"])
    aligned(qtbot, window, Orientation(circular=True, shift=400))
    undo.trigger()
    qtbot.waitUntil(lambda: len(session.pair.complete[0]) == N and not session.busy)
    aligned(qtbot, window, FORWARD)
    assert not undo.isEnabled()
    redo.trigger()
    aligned(qtbot, window, Orientation(circular=True, shift=400))
    assert not redo.isEnabled()
    assert session.outcome.result.distance == 0
    circle = button(window.header.popovers[Side.B], "Circular")
    assert circle.isChecked()
    segment(window, "Linear")
    aligned(qtbot, window, FORWARD)
    qtbot.expect(window.session.compared, window.session.swap)
    assert window.session.pair.orientation == FORWARD


def test_what_cannot_be_found_is_said(qtbot, window, notices, tmp_path):
    two = [fasta(tmp_path / f"{k}.fa", (f"n{k}", "N" * 30)) for k in range(2)]
    qtbot.expect(window.session.compared, window.session.open_paths, two)
    notices.clear()
    qtbot.expect(window.session.compared, window.session.orient, circular=True)
    assert [one.text for one in notices] == [
        "Neither strand of B shares more with A: it is compared as in its file",
        "No start of B matches the start of A: B starts as in its file",
    ]
    told, undo = [one.text for one in notices], window.actions_by_id["undo"]
    for steps, known in ((1, []), (0, told), (1, [])):
        qtbot.expect(window.session.compared, (window.actions_by_id["redo"], undo)[steps].trigger)
        qtbot.waitUntil(lambda known=known: [one.text for one in window.answer.notices.notices] == known)


def test_the_search_counts_letters_of_the_file(qtbot, opened):
    session = opened.session
    session.orient(circular=True)
    model = aligned(qtbot, opened, TURNED)
    opened.show_place(Side.B, 99, 104)
    first, end = opened.alignment.canvas.selection
    assert end - first == 5
    assert model.rows(first, end).b_place.tolist() == [104, 103, 102, 101, 100]
    assert session.pair.places_of(*session.pair.letters_at(None, 99)) == (None, 99)
    opened.show_place(Side.B, TURN - 3, TURN + 2)  # at both ends: where it begins
    first, end = opened.alignment.canvas.selection
    assert model.rows(first, end).b_place.tolist() == [TURN - 2]


def test_hits_and_rows_of_b_follow_the_caret_and_lead_to_its_letters(qtbot, opened):
    session = opened.session
    session.orient(circular=True)
    model = aligned(qtbot, opened, TURNED)
    read = session.pair.original(Side.B)
    word = read.letters[99:111].tobytes().decode()
    view = opened.view(SearchView)
    view.wish.editor.setPlainText(word)
    view.wish.where.setCurrentIndex(view.wish.where.findData(SearchSides.B))
    qtbot.expect(session.search.finished, view.wish.search_button.click)
    view.hits.chosen.emit(0)
    first, end = opened.alignment.canvas.selection
    assert model.rows(first, end).b_place.tolist() == list(range(111, 99, -1))
    columns = np.arange(N)
    spans = in_columns(model.index, Side.B, view.strip.spans()[Side.B].oriented(TURNED))
    hits = spans.covered(columns, columns + 1)
    assert sorted(model.rows(0, N).b_place[hits > 0].tolist()) == list(range(100, 112))
    # Rows of the transform, which is one of the letters of the file.
    session.transform.source = Source.B
    with qtbot.waitSignal(session.transform.built, check_params_cb=lambda one: one is not None):
        session.transform.run()
    shown = session.transform.current
    assert shown.text.tobytes() == read.letters.tobytes()
    rows = opened.view(BwtView)
    rows.links.jump(49)
    assert model.rows(opened.alignment.canvas.caret, opened.alignment.canvas.caret + 1).b_place.tolist() == [50]
    session.reverse_b()  # the letters of the file are the same: neither is made anew
    qtbot.waitUntil(lambda: session.pair.orientation == Orientation(circular=True))
    assert session.transform.current is shown
    assert session.search.current is not None


@pytest.fixture
def model():
    """ACCGTTGA-TC over AC-GTTGAATC, of which B's file has GATTCAACGT from 8 on, backwards."""
    b = sequence(reverse_complement(b"TGAATCACGT"), "query")
    b = b.oriented(Orientation(Strand.MINUS, circular=True, shift=6))
    assert b.letters.tobytes() == b"ACGTTGAATC"
    return AlignmentModel(sequence(b"ACCGTTGATC", "ref"), b, index_alignment(alignment("==D=====I==")))


def test_places_are_those_of_the_file(model):
    assert model.rows(0, 11).b_place.tolist() == [4, 3, 0, 2, 1, 10, 9, 8, 7, 6, 5]
    assert model.describe(2) == "Column 3 · A 3 C · B gap after 3 · deletion, 1 letter"
    assert model.describe(8) == "Column 9 · A gap after 8 · B 7 A · insertion, 1 letter"
    assert copy_text(model, 5, 11, CopyFormat.COORDINATES) == "columns 6-11\tA ref:6-10\tB query:10-5"
    assert copy_text(model, 5, 8, CopyFormat.FASTA) == ">ref:6-8\nTGA\n>query:10-8\nTGA\n"


def test_places_that_are_typed_are_those_of_the_file(model):
    assert parse_place("B:4", model) == Place(0)
    assert parse_place("query:6-9", model) == Place(6, 10)
    with pytest.raises(PlaceError, match="B begins inside this range"):
        parse_place("B:3-6", model)
    with pytest.raises(PlaceError, match="the range ends before it begins"):
        parse_place("B:9-6", model)


def test_a_gap_before_the_first_letter_of_the_other_strand():
    b = sequence(b"ACG").oriented(MINUS)
    found = AlignmentModel(sequence(b"TCGT"), b, index_alignment(alignment("D===")))
    assert found.describe(0) == "Column 1 · A 1 T · B gap before 3 · deletion, 1 letter"


def test_the_list_is_sorted_by_places_of_the_file(model):
    listed = ListedDifferences(model.a, model.b, model.index, Kinds.ANY)
    order = arranged(listed, IN_B, False, 1)
    assert order.tolist() == [0, 1]  # after 3, and 7
    assert arranged(listed, IN_B, True, 1).tolist() == [1, 0]
    a = sequence(b"ACGTACGT").oriented(Orientation(circular=True, shift=5))
    turned = ListedDifferences(a, sequence(b"CCTAAGGA"), index_alignment(alignment("=X====X=")), Kinds.ANY)
    assert arranged(turned, IN_A, False, 1).tolist() == [1, 0]  # 4 and 7
    assert arranged(turned, IN_A, True, 1).tolist() == [0, 1]
    assert arranged(turned, IN_B, False, 1) is None


def test_hits_along_the_alignment_are_where_their_letters_are(model):
    hits = Spans(kind=SpanKind.HIT, n_letters=10, starts=np.array([0, 6]), ends=np.array([1, 8]))  # 1, 7 and 8
    columns = np.arange(11)
    spans = in_columns(model.index, Side.B, hits.oriented(model.b.orientation))
    found = spans.covered(columns, columns + 1)
    assert sorted(model.rows(0, 11).b_place[found > 0].tolist()) == [1, 7, 8]


@pytest.mark.parametrize("orientation", [FORWARD, MINUS, Orientation(circular=True, shift=120), TURNED])
def test_ticks_of_the_map_stand_at_places_of_the_file(orientation):
    found = dict(ticks(0, N, N, 50, orientation))
    assert sorted(found.values()) == sorted(["50", "100", "150", "200", "250", "300"])
    for middle, text in found.items():
        assert orientation.place(int(middle), N) + 1 == int(text)
    part = dict(ticks(33.3, 181.7, N, 10, orientation))
    whole = dict(ticks(0, N, N, 10, orientation))
    assert part == {middle: text for middle, text in whole.items() if 33.3 <= middle <= 181.7}


@pytest.mark.parametrize("circular", [False, True], ids=["other strand", "across the origin"])
def test_the_letters_of_a_place_are_those_that_were_found(qtbot, window, monkeypatch, tmp_path, circular):
    """The best listed place lies on the other strand; or B lies across the end of the file of a circle."""
    monkeypatch.setattr(EDIT.job_type, "modules", KernelModules("wavediff.core.kernels.pairwise.edit.run"))
    a = bytes(np.random.default_rng(2).choice(list(b"ACGT"), 900).astype(np.uint8).tobytes())
    b = a[-100:] + a[:60] if circular else reverse_complement(a[500:660])
    files = fasta(tmp_path / "a.fa", ("one", a.decode())), fasta(tmp_path / "b.fa", ("two", b.decode()))
    session = window.session
    session.choose(method="edit", ends=Ends.A, **({} if circular else {"loci": "5%"}))
    with qtbot.waitSignal(window.alignment.model_changed, check_params_cb=bool):
        session.open_paths(files)
    if circular:
        qtbot.expect(session.compared, session.orient, Strand.PLUS, circular=True)
    outcome, model = session.outcome, window.alignment.model
    assert outcome.result.distance == 0
    assert model.is_of(outcome.a, outcome.b)
    first, _ = model.index.aligned_columns
    rows = model.rows(first, first + 1)
    assert (rows.a_place.tolist(), rows.b_place.tolist()) == (([801], [1]) if circular else ([501], [160]))
    text = copy_text(model, first, first + 160, CopyFormat.FASTA)
    assert model.index.n_differences() == 0, text
    window.alignment.navigation.jump(first)
    assert window.alignment.where.text.startswith(f"Column {first + 1} · A {801 if circular else 501} ")
    full_text = [chip.accessibleName().split(" · ")[2] for chip in window.header.chips.values()]
    assert full_text == (["from 801", "b.fa"] if circular else ["a.fa", "reverse complement"])
    places = (800, 0) if circular else (0, 159)
    assert session.pair.places_of(0, 0) == places
    assert session.pair.letters_at(*places) == (0, 0)
    answer = session.outcome.answer()
    written = b"".join(next(one for one in COMPARISON if one.id == "sam").chunks(answer)).decode().splitlines()
    assert {line.split("\t")[3] for line in written if not line.startswith("@")} == (
        {"1", "801"} if circular else {"501"}
    )
    assert outcome.recipe is not None
    with qtbot.waitSignal(session.compared, timeout=30_000):
        session.choose(ends=Ends.B)
        session.swap()
