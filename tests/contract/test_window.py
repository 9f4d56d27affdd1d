"""Every method in the window: chosen, run and shown by every view, with its real kernel."""

import pytest

pytest.importorskip("PySide6")


from tests.app.parts import open_texts
from tests.contract.conftest import A, B
from tests.contract.needs import needs
from wavediff.app.batch.batch_session import BatchSession
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window import settings as saved
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.jobs.choices import Device
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import TracebackMethod

every_method = pytest.mark.parametrize("one", METHODS, ids=str)
TIMEOUT_MS = 120_000  # the kernel may have to be compiled


@pytest.fixture
def window(qtbot, tmp_path):
    session = Session(RecentPairs(SettingsFile(tmp_path / "wavediff.ini")), JobOptions(device=Device.CPU))
    window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    assert session.close()


@every_method
@pytest.mark.parametrize("aligned", [True, False], ids=["aligned", "number only"])
def test_it_is_chosen_run_and_shown(qtbot, window, one, aligned):
    session = window.session
    options = {} if aligned else {"traceback": TracebackMethod.NONE}
    session.choose(method=one.id, **options)
    shown = {id_ for id_, part in window.header.options_popover.options.parts.items() if not part.box.isHidden()}
    values = session.choices.values
    with needs(one, "its options in the job bar"):
        for option in one.options:
            counts = option.only_with is None or values[option.only_with[0]] == option.only_with[1]
            assert (option.id in shown) is (option.shown and counts), option.id
    with qtbot.waitSignal(session.compared, timeout=TIMEOUT_MS):
        open_texts(session, A.letters.tobytes().decode(), B.letters.tobytes().decode())
    outcome = session.outcome
    with needs(one, "an outcome that knows its method"):
        assert outcome.method is one
    with needs(one, "an answer in words (Method.answer, Method.remarks and Method.explanation)"):
        words, result = window.answer.words.words, outcome.result
        assert words.sentence == one.headline(result, len(A), len(B)) != ""
        assert all(each in words.quiet for each in one.remarks(result))
        assert one.explanation(result) in words.tip
    with needs(one, "lines in the table of statistics"):
        qtbot.waitUntil(lambda: session.statistics.height() > 0)
        keys = [row.key for row in session.statistics.rows]
        assert keys[: len(one.measures(outcome.result))] == [each.key for each in one.measures(outcome.result)]
        assert len(session.statistics.tsv().splitlines()) == len(keys) + 1
    with needs(one, "lines in the table of skipped work"):
        assert session.ledger.tsv()
    with needs(one, "an alignment in its view, or the number where there is none"):
        qtbot.waitUntil(lambda: (window.alignment.model is not None) is aligned)
    with needs(one, "a block map and views that paint"):
        window.grab()


def test_every_value_of_the_options_can_be_chosen_and_kept(window, tmp_path, subtests):
    for method in METHODS:
        with subtests.test(str(method)):
            check_kept(window, SettingsFile(tmp_path / f"{method}.ini"), method)


def check_kept(window, store, one):
    session = window.session
    session.choose(method=one.id)
    for option in (option for option in one.options if option.shown):
        part = window.header.options_popover.options.parts[option.id]
        with needs(one, f"a widget for the option '{option.id}'"):
            part.chosen.emit(option.id, option.default)
            assert session.choices.values[option.id] == option.default
    with needs(one, "options that the settings can hold"):
        assert saved.save(store, Settings(choices=session.choices)) == ""
        kept = saved.load(SettingsFile(store.path)).choices
        assert kept.method == one.id
        for option in (option for option in one.options if option.kept and option.shown):
            assert option.id in store.texts or kept.values[option.id] == option.default
            assert kept.values[option.id] == option.default


def test_each_is_offered_in_the_views_of_a_race_and_of_many_pairs(window, subtests):
    for method in METHODS:
        with subtests.test(str(method)):
            check_offered(window, method)


def check_offered(window, one):
    race = window.session.race
    if one.race_kernels:
        race.set_up(method=one)
        with needs(one, "its kernels in the view of a race"):
            assert set(race.race_kernels) == {each.id for each in one.race_kernels}
    many = window.session.many
    if one.batch is not None:
        many.choose(method=one)
        with needs(one, "its options in the view of many pairs"):
            assert isinstance(many, BatchSession)
            assert {each.id for each in many.offered} == {each.id for each in one.batch.options}
            assert set(many.values) == {each.id for each in one.batch.options}
