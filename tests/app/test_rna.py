"""RNA beside its gene in the window: U is T, and the letters shown are those of the files."""

import pytest

from tests.app.fakes import fasta
from wavediff.app.ui.json_store import JsonStore
from wavediff.app.ui.pair import Side
from wavediff.app.window.job_options import JobOptions
from wavediff.app.window.recent import RecentPairs
from wavediff.app.window.session import Session
from wavediff.core.jobs.alignment import Op

GENE = "GTGAGACCGACAAACGCGATAGAGTAATCTTATAAATCAGGCAAATACTCGGTCCTTTCTACGGGTCGCG"
RNA = (GENE[:10] + "A" + GENE[11:]).replace("T", "U")


@pytest.fixture
def session(qtbot, tmp_path):
    session = Session(RecentPairs(JsonStore(tmp_path / "recent.json")), JobOptions("edit"))
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
