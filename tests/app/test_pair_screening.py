"""Screening beside a comparison: what it finds stands beside the answer, and a long run asks before it begins."""

import pytest
from PySide6.QtCore import QThread

from tests.app.parts import notice_label, offered, open_texts
from tests.app.real_kernels import fake_kernels, window
from tests.core.screening.test_relation import random_letters as letters
from wavediff.app.compare.pair import pair_screening
from wavediff.app.ui.notices import Severity
from wavediff.core.jobs.events import StepDone
from wavediff.core.sequences.orientation import reverse_complement

__all__ = ["fake_kernels", "window"]


@pytest.fixture
def long_runs(monkeypatch):
    """Every run counts as long."""
    monkeypatch.setattr(pair_screening, "LONG_SECONDS", 0.0)


def warnings(window):
    return [one for one in window.answer.notices.notices if one.level is Severity.WARNING]


def test_random_letters_are_called_so_beside_the_answer(qtbot, window, write):
    window.session.open_paths(write(letters(5_000, 1), letters(5_000, 2)))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (notice,) = warnings(window)
    assert notice.text.startswith("No more alike than random letters of this composition (65.")
    assert window.answer.bar.isVisible()
    assert "65." in window.answer.words.words.sentence
    assert [one.kind for one in window.session.screening.notices] == ["chance"]
    qtbot.expect(window.session.compared, window.session.choose, method="edit")
    qtbot.waitUntil(lambda: [one.text for one in warnings(window)] not in ([], [notice.text]))
    assert len(warnings(window)) == 1  # that of the answer before is gone
    qtbot.expect(window.session.compared, window.session.open_paths, write(letters(5_000, 1), letters(5_000, 1)))
    assert warnings(window) == []


def test_the_other_strand_is_said_once_for_a_pair(qtbot, window, write):
    plasmid = letters(4_000, 1)
    window.session.open_paths(write(plasmid, reverse_complement(plasmid)))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (notice,) = warnings(window)
    assert notice.text.startswith("B is on the other strand: 100 % of the shared 16-mers")
    window.answer.notices.dismiss(notice)
    qtbot.expect(window.session.compared, window.session.choose, method="edit")
    qtbot.wait(300)
    assert warnings(window) == []
    assert [one.kind for one in window.session.screening.notices] == ["other_strand"]


def test_what_is_contained_can_be_placed_by_a_click(qtbot, window, write):
    genome = letters(20_000, 1)
    window.session.open_paths(write(genome, genome[5_000:6_000]))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (notice,) = warnings(window)
    assert notice.text == "B is contained in A: 100 % of B, at 5,001–6,000"
    (button,) = offered(window).values()
    assert button.text() == "Place B inside A"
    with qtbot.waitSignal(window.session.compared) as got:
        button.click()
    assert got.args[0].result.distance == 0
    assert got.args[0].result.place.a_start == 5_000
    qtbot.wait(300)
    assert warnings(window) == []
    qtbot.expect(window.session.compared, window.session.choose, ends="none")
    qtbot.waitUntil(lambda: warnings(window) == [notice])


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (lambda b: reverse_complement(b[1_234:] + b[:1_234]), "Compare as reverse complement, from A 1,235"),
        (lambda b: b[1_234:] + b[:1_234], "Compare from A 1,235"),
        (reverse_complement, "Compare as reverse complement"),
    ],
    ids=["strand and origin", "origin", "strand"],
)
def test_what_is_offered_is_done_by_a_click(qtbot, window, write, made, name):
    plasmid = letters(4_000, 1)
    window.session.open_paths(write(plasmid, made(plasmid)))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (button,) = offered(window).values()
    assert button.text() == name
    with qtbot.waitSignal(window.session.compared) as got:
        button.click()
    assert got.args[0].result.length == 4_000
    assert window.answer.words.words.sentence == "No differences"
    qtbot.wait(200)
    assert warnings(window) == []
    with qtbot.waitSignal(window.session.compared):  # back, and it is said again
        window.history.undo()
    qtbot.waitUntil(lambda: bool(warnings(window)))


def test_the_reverse_complement_of_a_part_is_placed_by_a_click(qtbot, window, write):
    genome = letters(20_000, 1)
    window.session.open_paths(write(genome, reverse_complement(genome[5_000:6_000])))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (button,) = offered(window).values()
    assert button.text() == "Place the reverse complement of B inside A"
    with qtbot.waitSignal(window.session.compared) as got:
        button.click()
    assert (got.args[0].result.distance, got.args[0].result.place.a_start) == (0, 5_000)
    qtbot.wait(200)
    assert warnings(window) == []


def protein_files(folder, *texts):
    paths = [folder / f"{k}.fa" for k in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(f">{path.stem}\n{text}\n")
    return paths


def test_a_distant_family_of_proteins_is_compared_with_scores_by_a_click(qtbot, window, tmp_path):
    alpha = (
        "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLP"
        "AEFTPAVHASLDKFLASVSTVLTSKYR"
    )
    lupin = (
        "MGALTESQAALVKSSWEEFNANIPKHTHRFFILVLEIAPAAKDLFSFLKGTSEVPQNNPELQAHAGKVFKLVYEAAIQLQVTGVVVTDATLKNLGSVHVSKGVADAHFPVVKEAI"
        "LKTIKEVVGAKWSEELNSAWTIAYDELAIVIKKEMDDAA"
    )
    window.session.open_paths(protein_files(tmp_path, alpha, lupin))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (notice,) = warnings(window)
    assert "cannot show a distant family of proteins, scores can" in notice.text
    (button,) = offered(window).values()
    assert button.text() == "Compare with scores"
    with qtbot.waitSignal(window.session.compared) as got:
        button.click()
    assert got.args[0].method.id == "affine"
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert all("distant" not in one.text for one in warnings(window))


def test_a_protein_against_its_gene_is_told(qtbot, window, tmp_path):
    gene = (
        "ATGGAACCGGATCCGGGTAATGCTTGGATTATTGTGTGGAATCTGGCTGCTCAAAAAATGGCTCTGATGGAAAAAGAATATCGTTATGGTGCTAAATGTCTGAATACT"
    )
    window.session.open_paths(protein_files(tmp_path, gene, "MEPDPGNAWIIVWNLAAQKMALMEKEYRYGAKCLNT"))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (notice,) = warnings(window)
    assert notice.text.startswith("A is DNA, B is protein: the same letters do not stand for the same things")


def test_a_few_letters_wake_no_thread(qtbot, window):
    qtbot.expect(window.session.compared, open_texts, window.session, "kitten", "sitting")
    assert not window.session.screening.findChildren(QThread)
    assert warnings(window) == []


@pytest.mark.usefixtures("long_runs")
def test_a_long_run_that_hides_something_asks_first(qtbot, window, write):
    session, plasmid = window.session, letters(4_000, 1)
    session.open_paths(write(plasmid, plasmid[1_500:] + plasmid[:1_500]))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert session.outcome is None
    assert not session.running
    assert not session.busy
    assert window.answer.words.words.sentence == "Not compared yet"
    shown = list(offered(window))
    assert shown == ["Compare from A 1,501", "Run anyway"]
    for width, height in ((800, 500), (1280, 800)):  # the reason is read beside the buttons, however narrow
        window.resize(width, height)
        qtbot.waitUntil(lambda edge=width: window.answer.width() <= edge)
        assert notice_label(window).isVisible()
        assert list(offered(window)) == shown
    qtbot.expect(session.compared, offered(window)["Run anyway"].click)
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert warnings(window)[0].text.startswith("B begins at A 1,501")
    assert "Run anyway" not in offered(window)
    with qtbot.waitSignal(session.compared):  # it has been asked
        session.run()


@pytest.mark.usefixtures("long_runs")
def test_a_run_that_was_stopped_leaves_what_it_was_held_back_for(qtbot, window, write):
    session, plasmid = window.session, letters(4_000, 1)
    session.open_paths(write(plasmid, plasmid[1_500:] + plasmid[:1_500]))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    (before,) = warnings(window)
    offered(window)["Run anyway"].click()
    assert session.running
    assert warnings(window) == []
    session.stop()
    (after,) = warnings(window)
    assert after.text == before.text
    session.stop()
    assert warnings(window) == [after]
    qtbot.expect(session.compared, offered(window)["Run anyway"].click)


@pytest.mark.usefixtures("long_runs")
def test_a_long_run_knows_what_the_screening_found(qtbot, window, write):
    session, genome = window.session, letters(60_000, 1)
    session.choose(method="edit")
    session.open_paths(write(genome, genome[:20_000] + reverse_complement(genome[20_000:])))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert {"Show the dots", "Run anyway"} <= {action.text for action in warnings(window)[0].actions}
    qtbot.expect(session.compared, offered(window)["Run anyway"].click)
    assert "no path holds more than 33% of what is shared" in session.outcome.result.reason
    assert not session.stale


@pytest.mark.usefixtures("long_runs")
def test_a_long_run_of_a_pair_that_is_collinear_begins_by_itself(qtbot, window, write):
    qtbot.expect(window.session.compared, window.session.open_paths, write(letters(4_000, 1), letters(4_000, 1)[:-10]))
    assert warnings(window) == []


@pytest.mark.usefixtures("long_runs")
def test_run_is_as_good_as_run_anyway(qtbot, window, write):
    window.session.open_paths(write(letters(4_000, 1), letters(4_000, 2)))
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert "A and B look unrelated: " in warnings(window)[0].text
    qtbot.expect(window.session.compared, window.actions_by_id["run"].trigger)
    qtbot.waitUntil(lambda: bool(warnings(window)))
    assert [one.text[:13] for one in warnings(window)] == ["No more alike"]
    assert [one.kind for one in window.session.screening.notices] == ["chance"]


@pytest.mark.usefixtures("long_runs")
def test_the_wait_can_be_stopped(qtbot, window, write, monkeypatch):
    from wavediff.core.screening import pair_run

    def endless(job):
        while True:
            yield StepDone(job.id, "screening", 1, 0, 0.001)

    monkeypatch.setattr(pair_run, "run", endless)
    session = window.session
    session.open_paths(write(letters(4_000, 1), letters(4_000, 2)))
    qtbot.waitUntil(lambda: session.screening.waiting)
    assert window.answer.words.words.sentence == "Checking the pair…"
    assert window.alignment.message.startswith("Not aligned yet")
    assert window.actions_by_id["stop"].isEnabled()
    window.actions_by_id["stop"].trigger()
    assert not session.busy
    assert not window.actions_by_id["stop"].isEnabled()
    assert window.answer.words.words.sentence == "Not compared yet"
    monkeypatch.undo()
    qtbot.expect(session.compared, session.run)


def test_a_screening_that_fails_hinders_nothing(qtbot, window, write, monkeypatch):
    from wavediff.core.screening import pair_run

    def short_of_memory(_job):
        raise MemoryError
        yield

    monkeypatch.setattr(pair_run, "run", short_of_memory)
    monkeypatch.setattr(pair_screening, "LONG_SECONDS", 0.0)
    plasmid = letters(4_000, 1)
    qtbot.expect(window.session.compared, window.session.open_paths, write(plasmid, reverse_complement(plasmid)))
