"""State of a pair: what is chosen for one ends with it, comes back from the recent list, and is undone."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.app import fakes
from tests.app.dragging import drop, mime_of
from tests.app.fakes import Lcs, fasta
from tests.depth import examples
from wavediff.app.compare.computation_view import ComputationView
from wavediff.app.compare.difference_list import LENGTH, Listing
from wavediff.app.compare.differences_view import DifferencesView
from wavediff.app.compare.pair.pair_state import JobOptions, PairState
from wavediff.app.ui.block_map.block_map import Phase
from wavediff.app.ui.notices import RUN
from wavediff.app.ui.pair import Side
from wavediff.app.window import session as session_module
from wavediff.app.window.frame.answer_text import stale_text
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.difference_index import EACH_KIND, Kinds
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import EDIT, BandMode
from wavediff.core.methods.free_ends import Ends
from wavediff.core.methods.options import Choice, Flag
from wavediff.core.screening.notices import Offer
from wavediff.core.sequences.letter_rules import Ambiguity, UracilRule
from wavediff.core.sequences.orientation import Orientation, Strand

ORIENTATIONS = st.builds(Orientation, st.sampled_from(Strand), st.just(True), st.integers(0, 1 << 31)) | st.builds(
    Orientation, st.sampled_from(Strand)
)

NAMES = ("method", "shift", "topology", "orient", "sort", "least", "kinds", "ends", "band", "case")
OTHERS = True, False, "#.*", 7, (128, 1280), "99"  # values of options that have no list of them
REFUSED = {"ends": Ends.A, "loci": "99"}  # places of B within more edits than it has letters


@st.composite
def states(draw):
    method = draw(st.sampled_from(METHODS))
    options = {}
    for one in method.options:
        if one.typed and isinstance(one, Choice):
            options[one.id] = draw(st.sampled_from([each.value for each in one.values if each.text]))
        elif one.typed and isinstance(one, Flag):
            options[one.id] = draw(st.booleans())
    if method is EDIT and draw(st.booleans()):
        options |= EDIT.option("band").parse(str(draw(st.integers(0, 10**6))))
    kinds = draw(st.sampled_from([Kinds.COUNTED, *EACH_KIND]))
    return PairState(
        JobOptions(method.id, fold_case=draw(st.none() | st.booleans()), options=options),
        orientation=draw(ORIENTATIONS),
        listing=Listing(draw(st.integers(0, 5)), draw(st.booleans()), draw(st.integers(1, 10**6)), kinds),
        go_to=draw(st.text(max_size=20)),
    )


@given(states())
@examples(200)
def test_a_state_is_the_same_when_its_words_are_read(state):
    again = PairState.of(state.words, JobOptions())
    assert again.job.typed == state.job.typed
    assert replace(again, job=state.job) == state
    assert (again.job.method, again.job.fold_case) == (state.job.method, state.job.fold_case)


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=8)))
@example({"least": "0"})
@examples(200)
def test_words_of_any_kind_give_a_state(words):
    state = PairState.of(words, JobOptions("edit"))
    again = PairState.of(state.words, JobOptions("edit"))
    assert again.job.values == state.job.values
    assert replace(again, job=state.job) == state


def opened(qtbot, session, a, b):
    qtbot.expect(session.compared, session.open_paths, [a, b])


@pytest.fixture
def other(tmp_path):
    return fasta(tmp_path / "three.fa", ("three", "ACGTACG")), fasta(tmp_path / "four.fa", ("four", "ACTTACGGA"))


def test_what_an_offer_sets_ends_with_its_pair(qtbot, window, pair, other):
    session = window.session
    opened(qtbot, session, *pair)
    qtbot.expect(session.compared, session.take_offer, Offer(ends="a"))
    assert (session.choices.method, session.choices.values["ends"]) == ("edit", Ends.A)
    opened(qtbot, session, *other)
    assert session.choices.method == "lcs"
    assert "ends" not in session.choices.options
    qtbot.expect(session.compared, window.history.undo)
    assert (session.pair[Side.A].name, session.choices.values["ends"]) == ("one", Ends.A)
    qtbot.expect(session.compared, window.history.undo)
    assert session.choices.method == "lcs"


def test_choices_by_hand_end_with_the_pair_and_preferences_stay(qtbot, session, pair, other):
    session.choose(method="edit")  # of an empty window: new pairs begin so
    opened(qtbot, session, *pair)
    assert session.choices.method == "edit"
    qtbot.expect(session.compared, session.choose, method="lcs")
    qtbot.expect(session.compared, session.choose, traceback=TracebackMethod.HIRSCHBERG, device=Device.CPU)
    opened(qtbot, session, *other)
    assert (session.choices.method, session.choices.device) == ("edit", Device.CPU)
    assert session.choices.options["traceback"] is TracebackMethod.HIRSCHBERG
    qtbot.expect(session.compared, session.choose, **EDIT.option("band").parse("9"))
    opened(qtbot, session, *pair)
    assert "threshold" not in session.choices.options
    assert session.choices.typed == {}


PREFERENCES = {"traceback", "band", "blocks", "ties"}  # how an answer is found; all else changes it, or is tried


@pytest.mark.parametrize(
    ("owner", "option"), [(one, option) for one in METHODS for option in one.options], ids=lambda each: each.id
)
def test_what_changes_the_answer_ends_with_the_pair(owner, option):
    assert option.kept is (option.id in PREFERENCES)
    assert option.advanced or not option.kept
    values = [value for value in OTHERS if option.accepts(value)]
    values += [each.value for each in getattr(option, "values", ())]
    assert [value for value in values if value != option.default], option.id
    for value in values:
        kept = JobOptions(owner.id, options={option.id: value}).kept
        assert kept in ({}, {option.id: value})
        assert bool(kept) is (option.kept and value is not TracebackMethod.NONE and value is not BandMode.FIXED)


def test_only_the_device_of_the_other_choices_stays(qtbot, session, pair, other):
    opened(qtbot, session, *pair)
    chosen = {"device": Device.CPU, "fold_case": False, "letters": UracilRule.EXACT, "ambiguity": Ambiguity.LETTERS}
    assert {*chosen, "method"} == set(JobOptions.own)
    qtbot.expect(session.compared, session.choose, **chosen)
    left = session.state
    opened(qtbot, session, *other)
    assert session.choices == JobOptions(session.choices.method, device=Device.CPU)
    qtbot.expect(session.compared, session.open_recent, session.recent.pairs[1])
    assert session.state == left


def test_a_pair_comes_back_from_the_recent_list_as_it_was_left(qtbot, window, pair, other):
    session, listed = window.session, window.view(DifferencesView)
    opened(qtbot, session, *pair)
    qtbot.expect(session.compared, session.choose, method="edit")
    session.orient(Strand.MINUS)
    qtbot.waitUntil(lambda: listed.model.n_rows > 0 and session.outcome is not None)
    listed.table.rows.sortByColumn(LENGTH, listed.table.rows.horizontalHeader().sortIndicatorOrder())
    window.alignment.stepper.focus_field()
    qtbot.keyClicks(window.alignment.stepper.field, "50%")
    left = session.state
    assert (left.listing.column, left.go_to, left.orientation) == (LENGTH, "50%", Orientation(Strand.MINUS))
    opened(qtbot, session, *other)
    assert session.state.words == {"method": "lcs"}
    qtbot.waitUntil(lambda: listed.model.n_rows > 0)
    assert listed.asked.column == 0
    assert window.alignment.stepper.field.text() == ""
    qtbot.expect(session.compared, session.open_recent, session.recent.pairs[1])
    assert session.state == left
    qtbot.waitUntil(lambda: listed.asked.column == LENGTH)
    assert window.alignment.stepper.field.text() == "50%"


def test_the_place_asked_for_goes_with_a_swap_and_comes_back_by_undo(qtbot, window, pair):
    session, field = window.session, window.alignment.stepper.field
    opened(qtbot, session, *pair)
    window.alignment.stepper.focus_field()
    qtbot.keyClicks(field, "A:2")
    qtbot.expect(session.compared, session.swap)
    assert field.text() == ""
    qtbot.expect(session.compared, window.history.undo)
    assert field.text() == "A:2"


def test_two_empty_sequences_have_no_differences(qtbot, window, tmp_path):
    opened(qtbot, window.session, *(fasta(tmp_path / name) for name in ("a.fa", "b.fa")))
    assert window.view(DifferencesView).message == "No differences: A and B have no letters."


def test_undo_restores_the_pair_before_a_paste_a_drop_and_a_swap(qtbot, window, pair, other):
    session = window.session

    def names():
        return [one.name if one.source else one.letters.tobytes().decode() for one in session.pair.complete or ()]

    seen = []
    for change in (
        lambda: drop(window, mime_of(*pair)),
        lambda: session.open_text("GATTACA", Side.B),
        session.swap,
        lambda: drop(window, mime_of(*other)),
        lambda: session.choose(method="edit"),
    ):
        qtbot.expect(session.compared, change)
        seen.append((names(), session.choices.method))
    assert [one for one, _ in seen[:3]] == [["one", "two"], ["one", "GATTACA"], ["GATTACA", "one"]]
    for at in (3, 2, 1, 0):
        qtbot.expect(session.compared, window.history.undo)
        assert (names(), session.choices.method) == seen[at]
    assert not window.history.undo_text
    for at in (1, 2, 3, 4):
        qtbot.expect(session.compared, window.history.redo)
        assert (names(), session.choices.method) == seen[at]


def test_undo_takes_a_second_sequence_away_again(qtbot, window, pair):
    session = window.session
    session.open_paths([pair[0]])
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None)
    qtbot.expect(session.compared, session.open_paths, [pair[1]])
    window.history.undo()
    assert (session.pair[Side.A] is None, session.pair[Side.B] is None) == (False, True)
    assert session.outcome is None
    assert session.wavefront.phase is Phase.IDLE
    qtbot.expect(session.compared, window.history.redo)


def test_undo_of_a_file_that_is_gone_is_said_and_leaves_the_pair(qtbot, window, pair, other):
    session = window.session
    opened(qtbot, session, *pair)
    opened(qtbot, session, *other)
    pair[0].unlink()
    qtbot.expect(session.loader.failed, window.history.undo)
    assert "one.fa" in window.answer.notices.notices[-1].text
    assert session.pair[Side.A].name == "three"
    assert session.state.sources[Side.A].path == other[0]


def test_a_refused_pair_shows_nothing_of_the_pair_before(qtbot, window, pair, other):
    session, view, listed = window.session, window.view(ComputationView), window.view(DifferencesView)
    opened(qtbot, session, *other)
    qtbot.waitUntil(lambda: bool(view.facts.facts) and listed.model.n_rows > 0)
    state = PairState(JobOptions("edit", options=REFUSED))
    wants = [replace(one, path=path) for one, path in zip(session.state.sources.values(), pair, strict=True)]
    ended = set()  # subjects of notices
    session.replaced.connect(ended.update)
    session.loader.open(wants, state)
    qtbot.waitUntil(lambda: session.pair[Side.A] is not None and session.pair[Side.A].name == "one")
    assert ended >= {RUN, *Side}
    assert session.outcome is None
    assert session.wavefront.phase is Phase.IDLE
    assert view.facts.facts == []
    assert not view.transport.isVisible()
    assert listed.message
    assert window.alignment.model is None


def test_a_refused_choice_hides_map_and_list_until_it_is_taken_back(qtbot, window, pair):
    session, view, listed = window.session, window.view(ComputationView), window.view(DifferencesView)
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: bool(view.facts.facts) and listed.model.n_rows > 0 and not listed.message)
    job, answer, facts = session.wavefront.job_id, window.answer.words.words.sentence, view.facts.facts
    session.choose(**REFUSED)
    assert session.wavefront.phase is Phase.IDLE
    assert view.facts.facts == []
    assert listed.message == "A and B cannot be compared with these options."
    window.history.undo()
    assert session.wavefront.job_id == job
    assert window.answer.words.words.sentence == answer
    qtbot.waitUntil(lambda: view.facts.facts == facts)
    assert not listed.message
    assert not session.running


def test_a_refusal_is_said_alike_everywhere_and_ends_with_its_option(qtbot, window, pair, monkeypatch):
    session, view, listed = window.session, window.view(ComputationView), window.view(DifferencesView)
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: bool(view.facts.facts) and listed.model.n_rows > 0 and not listed.message)
    session.choose(**REFUSED)
    assert view.figures.waiting.text() == listed.message == stale_text(session)
    assert "Run" not in listed.message
    assert "Run" not in window.answer.words.words.whole
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    session.choose(method="lcs")  # which is not run by itself
    assert not session.running
    assert not listed.message
    assert view.figures.waiting.text().endswith("press Run to update")


def test_the_answer_comes_back_with_its_choice_after_a_run_that_was_stopped(qtbot, window, pair, monkeypatch):
    session, view, listed = window.session, window.view(ComputationView), window.view(DifferencesView)
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: view.seen.of is not None and listed.model.n_rows > 0)
    answer, job = window.answer.words.words, session.wavefront.job_id
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    Lcs.endless, Lcs.seconds = True, 0.002
    for stops in (True, False):
        session.choose(method="lcs")
        session.run()
        qtbot.waitUntil(lambda: session.wavefront.done_cells > 0 and bool(listed.message))
        if stops:
            session.stop()
            assert window.answer.words.words.sentence != answer.sentence
        session.choose(method="edit")
        assert not session.running
        assert window.answer.words.words == answer
        assert session.wavefront.job_id == job
        assert not stale_text(session)
        qtbot.waitUntil(lambda: view.seen.of is session.outcome)
        assert not listed.message
    Lcs.reset()


def test_undo_of_a_method_that_was_run_shows_the_answer_before_at_once(qtbot, window, pair, monkeypatch):
    """Whatever a run would take: list, map, times and device are those of the method that is chosen."""
    session, view, listed = window.session, window.view(ComputationView), window.view(DifferencesView)
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    shown = {}

    def seen():
        qtbot.waitUntil(lambda: view.seen.of is session.outcome and not listed.message)
        return window.answer.words.words, session.wavefront.job_id, session.timings.rows, session.devices.chosen

    shown["edit"] = seen()
    session.choose(method="lcs")
    qtbot.expect(session.compared, session.run)
    shown["lcs"] = seen()
    assert shown["lcs"] != shown["edit"]
    for method, step in (("edit", window.history.undo), ("lcs", window.history.redo), ("edit", window.history.undo)):
        step()
        assert (session.choices.method, session.running, session.stale) == (method, False, False)
        assert seen() == shown[method]


def test_a_run_that_goes_on_under_other_choices_says_its_own_method(qtbot, window, pair, monkeypatch):
    session = window.session
    session.choose(method="edit")
    Lcs.endless, Lcs.seconds = True, 0.002
    monkeypatch.setattr(session_module, "AUTO_RECOMPUTE_SECONDS", 0.0)
    session.open_paths(list(pair))
    qtbot.waitUntil(lambda: session.pair.complete is not None)
    session.stop()
    session.choose(method="lcs")
    session.run()
    qtbot.waitUntil(lambda: session.wavefront.done_cells > 0)
    assert (session.running, session.other_run) == (True, "")
    session.choose(method="edit")
    if session.running:  # no answer of before to take back
        assert session.other_run == "Common letters"
        qtbot.waitUntil(
            lambda: "Comparing Common letters with the previous options" in window.answer.words.words.sentence
        )
    session.stop()
    Lcs.reset()


def test_a_run_of_another_method_hides_the_list_of_before(qtbot, window, pair):
    session, listed = window.session, window.view(DifferencesView)
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: listed.model.n_rows > 0 and not listed.message)
    Lcs.endless, Lcs.seconds = True, 0.002
    session.choose(method="lcs")
    qtbot.waitUntil(lambda: listed.message.startswith("The differences appear here"))
    session.stop()
    assert not listed.message  # grey, with what they are of
    assert stale_text(session)
    fakes.Lcs.reset()


def test_a_pair_that_is_not_compared_has_no_timings_of_the_one_before(qtbot, window, pair, monkeypatch):
    session = window.session
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: session.timings.rows != ())
    monkeypatch.setattr(session, "run", lambda: None)  # as for two large sequences that look unrelated
    drop(window, mime_of(*reversed(pair)))
    qtbot.waitUntil(lambda: session.outcome is None and not session.loader.busy)
    assert session.timings.rows == ()


def test_what_is_of_the_pair_before_is_grey_while_another_one_is_read(qtbot, window, pair, monkeypatch):
    session, listed, view = window.session, window.view(DifferencesView), window.view(ComputationView)
    tables = [window.views[name] for name in ("statistics", "timings", "skipped")]
    session.choose(method="edit")
    opened(qtbot, session, *pair)
    qtbot.waitUntil(lambda: listed.model.n_rows > 0 and view.seen.of is session.outcome)
    shown = {id(each): each.line.text for each in tables}
    with monkeypatch.context() as held:
        held.setattr(session.loader._slot, "submit", lambda _job: None)
        drop(window, mime_of(*reversed(pair)))
        text = "Result of the previous pair – another one is loading"
        qtbot.waitUntil(lambda: view.figures.way.text == text)
        assert window.answer.words.words.sentence == "Reading…"
        assert window.alignment.stepper.toolTip() == text
        assert not listed.table.isEnabled()
        assert all(each.line.text.startswith(text) for each in tables)
        assert view.figures.facts.facts == []
        window.session.stop()  # and all is of now again where nothing comes of it
        qtbot.waitUntil(lambda: view.figures.way.text != text)
        assert listed.table.isEnabled()
        assert {id(each): each.line.text for each in tables} == shown
    with monkeypatch.context() as held:  # a run that gets ready shows no legend of the map before
        held.setattr(session.slot, "submit", lambda *_: None)
        session.open_paths([*reversed(pair)])
        qtbot.waitUntil(lambda: session.wavefront.phase is Phase.RUNNING)
        assert view.legend.isHidden()
    opened(qtbot, session, *reversed(pair))
    assert not view.legend.isHidden()
    assert not stale_text(session)
