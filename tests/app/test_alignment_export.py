"""Export of what was compared: every format, asking before a large file, errors told."""

import pytest
from PySide6.QtWidgets import QMessageBox

from tests.app.parts import open_texts
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.notices import Severity
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.pictures import panel_pictures
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.export.registry import COMPARISON, of_id


@pytest.fixture
def compared(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "ACGTACGTAA", "ACGTTACGA")
    return window


def test_every_format_is_written(qtbot, compared, notices, tmp_path, subtests):
    for kind in (kind for kind in COMPARISON if not kind.method):
        with subtests.test(kind.id):
            export, path = compared.commands.exporter, tmp_path / f"out.{kind.id}"
            qtbot.expect(export.errand.finished, export.save, path, kind)
            timings, notes = tuple(compared.session.timings.rows), compared.session.screening.notices
            answer = compared.session.outcome.answer(timings=timings, notices=notes)
            assert path.read_bytes() == b"".join(kind.chunks(answer))
            assert [notice.text for notice in notices][-1] == f"Saved out.{kind.id}"


def test_records_at_ambiguity_codes_of_a_are_told_where_vcf_is_saved(qtbot, theme, tmp_path):
    notices = []
    session = Session(RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions("lcs"))  # with the real kernels
    session.noticed.connect(notices.append)
    window = MainWindow(session, theme, Settings())
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.session.compared):
        open_texts(window.session, "ACGTRCCATGACTTAGCATYCAAGCT", "ACGTCCATGACTTAGCATGCAAGCT")
    with qtbot.waitSignal(window.commands.exporter.errand.finished):
        window.commands.exporter.save(tmp_path / "out.vcf", of_id(COMPARISON, "vcf"))
    said = "Saved out.vcf. VCF: 2 records at ambiguity codes of A: REF is the code itself, which bcftools consensus"
    assert notices[-1].text.startswith(said)
    qtbot.waitUntil(session.close)


def test_a_large_file_is_asked_for_first(qtbot, compared, tmp_path, monkeypatch):
    monkeypatch.setattr(panel_pictures, "ASK_FROM_BYTES", 1)
    export, path = compared.commands.exporter, tmp_path / "large.fa"
    export.save(path, of_id(COMPARISON, "fasta"))
    (box,) = compared.findChildren(QMessageBox)
    assert "large.fa will have" in box.text()
    box.button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: not compared.findChildren(QMessageBox))
    assert not path.exists()
    export.save(path, of_id(COMPARISON, "fasta"))
    (box,) = compared.findChildren(QMessageBox)
    qtbot.expect(export.errand.finished, box.button(QMessageBox.StandardButton.Save).click)
    assert path.exists()


def test_a_place_that_cannot_be_written_is_told(qtbot, compared, notices, tmp_path):
    with qtbot.waitSignal(compared.commands.exporter.errand.failed):
        compared.commands.exporter.save(tmp_path / "nowhere" / "out.paf", COMPARISON[0])
    assert notices[-1].level is Severity.ERROR
