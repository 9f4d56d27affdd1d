"""RNA beside its gene in the window: U is T, and the letters shown are those of the files."""

import pytest
from PySide6.QtCore import Qt

from tests.app.fakes import fasta
from tests.app.parts import button, open_texts
from wavediff.app.compare.cell_session import Area, WindowCells, table_trace
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.teach.lesson_view import LessonView
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window.session import Session
from wavediff.core.jobs.alignment import Op
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.teach.lesson import headings
from wavediff.core.teach.unit import Unit

GENE = "GTGAGACCGACAAACGCGATAGAGTAATCTTATAAATCAGGCAAATACTCGGTCCTTTCTACGGGTCGCG"
RNA = (GENE[:10] + "A" + GENE[11:]).replace("T", "U")


@pytest.fixture
def session(qtbot, tmp_path):
    session = Session(RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions("edit"))
    yield session
    qtbot.waitUntil(session.close)


def test_a_gene_and_its_rna(qtbot, session, window, notices, tmp_path):
    with qtbot.waitSignal(session.compared):
        session.open_paths([fasta(tmp_path / "gene.fa", ("gene", GENE)), fasta(tmp_path / "rna.fa", ("rna", RNA))])
    assert "B: U is compared as T" in [one.text for one in notices]
    assert session.outcome.result.distance == 1
    qtbot.waitUntil(lambda: window.alignment.model is not None)
    rows = window.alignment.model.rows(0, len(GENE))
    assert rows.op.tolist().count(Op.MISMATCH) == 1
    assert bytes(rows.b.astype("u1")).decode() == RNA
    qtbot.expect(session.compared, session.reverse_b)
    b = session.pair[Side.B]
    assert b.letters.tobytes().decode() == RNA[::-1].translate(str.maketrans("ACGU", "UGCA"))


def test_u_and_t_are_two_letters_where_that_is_chosen(qtbot, session, window, notices, tmp_path):
    """By the switch in the options or the button of the notice; undone as any choice, and forgotten with the pair."""
    box, line = window.header.options_popover, window.header.options_popover.uracil_line
    switch = button(box, "U is T")
    gene, rna = fasta(tmp_path / "gene.fa", ("gene", GENE)), fasta(tmp_path / "rna.fa", ("rna", RNA))
    qtbot.expect(session.compared, session.open_paths, [gene, rna])
    assert line.isVisibleTo(box)
    assert switch.isChecked()
    n_edits = sum(x != y for x, y in zip(GENE, RNA, strict=True))
    for act in (switch.click, next(one for one in notices if "U is compared" in one.text).actions[0].do):
        qtbot.expect(session.compared, act)
        assert (session.outcome.result.distance, switch.isChecked()) == (n_edits, False)
        assert "U is compared as T" not in session.outcome.b.notices
        qtbot.expect(session.compared, window.history.undo)
        assert (session.outcome.result.distance, switch.isChecked()) == (1, True)
    session.choose(letters=UracilRule.EXACT)
    qtbot.expect(session.compared, session.reverse_b)
    assert not session.outcome.b.u_is_t
    qtbot.expect(session.compared, session.open_paths, [gene, rna])
    assert session.choices.letters is UracilRule.AUTO
    qtbot.expect(session.compared, open_texts, session, GENE, GENE[1:])
    assert not line.isVisibleTo(box)


@pytest.mark.parametrize("method", ["edit", "lcs", "swap"])
def test_cells_show_the_letters_of_the_files(qtbot, session, method):
    """Header, sentences and words have the U that is compared as T; the values are those of T."""
    session.choose(method=method)
    qtbot.expect(session.compared, open_texts, session, "GATTACA", "GAUUACA")
    whole = table_trace(session.outcome)
    assert whole.table.answer == (7 if method == "lcs" else 0)
    part = WindowCells(session.outcome, Area(2, 2, 3, 4), whole.table.values[2:6, 2:7], {}).by_columns
    for trace, letters, step in ((whole, ("GATTACA", "GAUUACA"), 17), (part, ("TTA", "UUAC"), 1)):
        grid = trace.scene(Unit.CELL, step).grid
        assert ("".join(grid.left), "".join(grid.top)) == letters
        assert trace.say(Unit.CELL, step).startswith("T = U")
    assert part.say(Unit.COLUMN, 1).startswith("Letter U: ")


@pytest.mark.parametrize(("a", "b", "inputs", "told"), [
    ("GATTACA", "GAUUACA", ("GATTACA", "GATTACA"), ["The lesson writes U as T, as the pair is compared"]),
    ("GAUCACA", "gauuaca", ("GAUCACA", "GAUUACA"), []),
])  # fmt: skip
def test_a_lesson_steps_the_pair_as_it_is_compared(qtbot, session, window, a, b, inputs, told):
    qtbot.expect(session.compared, open_texts, session, a, b)
    window.show_panel("lessons")
    view, notices = window.view(LessonView), []
    view.lessons.choose(next(one.path for one in headings() if one.id == "edit-table"))
    view.lessons.activated.emit(0)
    view.noticed.connect(notices.append)
    qtbot.mouseClick(view.take_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tuple(view.player.frame.part.inputs[side] for side in "ab") == inputs)
    assert view.player.frame.part.trace.value_of("answer") == session.outcome.result.distance
    assert [notice.text for notice in notices] == told


def test_letters_that_a_swap_looks_up_are_named_as_both_are_written(qtbot, session, tmp_path):
    files = [fasta(tmp_path / "rna.fa", ("rna", "GGCAUCGUAACG")), fasta(tmp_path / "dna.fa", ("dna", "GGCATCTGAACG"))]
    with qtbot.waitSignal(session.compared):
        session.open_paths(files)
    with qtbot.waitSignal(session.compared):
        session.choose(method="swap")
    trace = table_trace(session.outcome)
    looked_up = trace.scene(Unit.CELL, trace.steps(Unit.CELL)).parts[1]
    assert [row[0] for row in looked_up.rows] == ["A", "C", "G", "T/U", "q (DY)"]
    threads = trace.scene(Unit.ANTIDIAGONAL, 5).parts[1]
    assert "DX T/U" in threads.heads
    assert threads.rows[4][1] == "5 U"
    assert "T/U" in trace.explain(12, 12)
