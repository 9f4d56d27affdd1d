"""RNA beside its gene in the window: U is T, and the letters shown are those of the files."""

import pytest

from tests.app.fakes import fasta
from tests.app.parts import button, open_texts
from wavediff.app.ui.pair import Side
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window.pair.pair_state import JobOptions
from wavediff.app.window.pair.recent import RecentPairs
from wavediff.app.window.pair.session import Session
from wavediff.core.jobs.alignment import Op
from wavediff.core.sequences.letter_rules import UracilRule

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
