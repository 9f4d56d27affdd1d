"""Files of features dropped beside open sequences."""

import pytest

from tests.app.dragging import drop, mime_of
from tests.app.fakes import fasta
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.pair import Side
from wavediff.core.sequences.spans import SpanKind

A = "CCCATGAACGGGTTTTAACCATGAAACCCTAA"


@pytest.fixture
def files(tmp_path):
    features = tmp_path / "known.gff3"
    features.write_text("a\tx\tCDS\t4\t18\t.\t+\t0\tID=c;gene=S\na\tx\tCDS\t21\t32\t.\t+\t0\tID=d;gene=T\n")
    return fasta(tmp_path / "a.fa", ("a", A)), fasta(tmp_path / "b.fa", ("b", A[:-2])), features


@pytest.mark.parametrize("together", [False, True])
def test_a_file_of_features_goes_with_the_pair_whose_records_it_names(qtbot, window, files, together):
    *pair, features = files
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair, *[features] * together))
    if not together:
        qtbot.expect(window.session.compared, drop, window, mime_of(features))
    a, b = (window.session.pair[side] for side in Side)
    assert (a.name, b.name) == ("a", "b")
    assert [one.kind for one in a.spans] == [SpanKind.FEATURE]
    assert not b.spans


def test_features_of_other_records_are_refused_and_the_pair_stays(qtbot, window, files, tmp_path):
    *pair, features = files
    features.write_text("z\tx\tCDS\t4\t18\t.\t+\t0\tID=c;gene=S\n")
    qtbot.expect(window.session.compared, drop, window, mime_of(*pair))
    drop(window, mime_of(features))
    qtbot.waitUntil(lambda: any(one.level is Severity.ERROR for one in window.answer.notices.notices))
    told = next(one for one in window.answer.notices.notices if one.level is Severity.ERROR)
    assert "known.gff3" in told.text
    assert "a, b" in told.text
    assert [window.session.pair[side].name for side in Side] == ["a", "b"]
