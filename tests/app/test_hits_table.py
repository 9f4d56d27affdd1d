"""The table of hits with a million rows, the counts beside it, and what is done on a thread of its own."""

import numpy as np
import pytest

from tests.app.hits import fake_search, shown
from wavediff.app.search.hits_model import (
    COST,
    END,
    HITS,
    LENGTH,
    NAME,
    PATTERN,
    START,
    HitsTable,
    PatternCounts,
    arranged,
    ranks,
)
from wavediff.app.search.hits_view import BINS, LABEL_HEIGHT_PX, HitsStrip, HitsTableView
from wavediff.app.ui.background_task import BackgroundTask


@pytest.fixture
def table(qtbot):
    searched, hits = fake_search(1_000_000)
    model = HitsTable()
    model.clear(searched)
    for first in range(0, len(hits), 130_000):
        model.add(hits.take(slice(first, first + 130_000)))
    made = HitsTableView(model)
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_qt_sees_the_rows_in_sight_only(qtbot, table):
    model = table.rows.model()
    assert isinstance(model, HitsTable)
    assert model.n_rows == 1_000_000
    assert 5 < model.rowCount() < 40
    table.select(999_999)
    assert shown(model, model.rowCount() - 1)[3] == "1,000,000"
    table.bar.setValue(123_456)
    assert shown(model, 0)[3] == "123,457"
    table.resize(500, 500)
    assert model.rowCount() == table.height_in_rows()
    assert table.bar.isVisible()


def test_rows_that_are_all_in_sight_have_no_bar_and_the_same_room(table):
    model, wide = table.rows.model(), table.rows.width()
    searched, hits = fake_search(3)
    model.clear(searched)
    model.add(hits)
    assert not table.bar.isVisible()
    assert table.rows.width() == wide


def test_sorting_and_filtering_are_those_of_python():
    searched, hits = fake_search(1000)
    places = ranks(searched.wish.patterns)
    assert places.tolist() == [1, 0, 2]
    rows = list(range(1000))
    ends = hits.end.tolist()
    keys = {PATTERN: lambda k: places[k % 3], START: lambda k: k, END: lambda k: ends[k], COST: lambda k: k % 5}
    for column, key in keys.items():
        for descending in (False, True):
            for kept in (None, np.array([True, False, True])):
                parts = hits.take(slice(0, 10)), hits.take(slice(10, None))
                together, order = arranged(parts, column, descending, kept, lambda: places)
                assert np.array_equal(together.start, hits.start)
                left = [k for k in rows if kept is None or kept[k % 3]]
                wanted = sorted(left, key=key if not descending else lambda k, key=key: -key(k))
                assert (rows if order is None else order.tolist()) == wanted


def test_the_counts_sort_by_every_column():
    searched, hits = fake_search(1000)
    model = PatternCounts()
    model.show(searched.wish.patterns)
    for part in (slice(0, 500), slice(500, None)):
        model.add(hits.take(part))
    assert model.counts.tolist() == [334, 333, 333]
    for column, wanted in ((NAME, [1, 0, 2]), (LENGTH, [1, 0, 2]), (HITS, [1, 2, 0])):
        model.sort(column)
        assert [model.pattern(row) for row in range(3)] == wanted
    model.sort(-1)
    assert [model.pattern(row) for row in range(3)] == [0, 1, 2]


def test_an_errand_that_was_replaced_answers_no_more(qtbot):
    errand, answers, errors = BackgroundTask("test"), [], []
    errand.finished.connect(answers.append)
    errand.failed.connect(errors.append)
    errand.start(lambda cancel: qtbot.wait_until if cancel is None else _wait(cancel))
    errand.start(lambda _cancel: 7)
    qtbot.waitUntil(lambda: bool(answers))
    qtbot.wait(50)
    assert answers == [7]

    def fail(_cancel):
        raise OSError("gone")

    errand.start(fail)
    qtbot.waitUntil(lambda: bool(errors))
    assert str(errors[0]) == "gone"
    assert not errand.running


def _wait(cancel):
    while not cancel.cancelled:
        pass
    return "late"


@pytest.mark.parametrize("pixels", [BINS // 8, 100, 2 * BINS])
def test_a_tick_of_the_strip_is_where_its_hit_is(qtbot, theme, pixels):
    """A letter a place: the pixels of the first hit, of one in between and of the last one."""
    searched, hits = fake_search(BINS - 100)
    strip = HitsStrip(theme)
    qtbot.addWidget(strip)
    strip.clear(searched)
    strip.add(hits.take(np.array([0, 2_000, BINS - 101])))
    strip.resize(LABEL_HEIGHT_PX + pixels, strip.sizeHint().height())
    shown = strip.grab().toImage()
    ticks = [x for x in range(pixels) if shown.pixelColor(LABEL_HEIGHT_PX + x, 8) != theme.base]
    each = max(1, pixels // BINS)
    places = [at * pixels // BINS for at in (0, 2_000, BINS - 101)]
    assert ticks == [place + more for place in places for more in range(each)]
