"""One line a kernel, in the order in which a reader expects them."""

from wavediff.core.jobs.event_streams import EventTotals
from wavediff.core.jobs.events import Compiled, StepDone


def test_what_ran_comes_in_that_order_and_what_was_only_compiled_last():
    watch = EventTotals("cpu")
    for event in (
        Compiled(1, "check", 2.0),
        Compiled(1, "probe", 1.0),
        StepDone(1, "blocks", 3, 100, 0.5),
        StepDone(1, "check", 1, 0, 0.25),
        StepDone(1, "blocks", 1, 20, 0.5),
    ):
        watch.add(event)
    lines = watch.timings(1)
    assert [line.kernel for line in lines] == ["blocks", "check", "probe"]
    assert [(line.calls, line.cells, line.seconds, line.compile_seconds) for line in lines] == [
        (4, 120, 1.0, 0.0),
        (1, 0, 0.25, 2.0),
        (0, 0, 0.0, 1.0),
    ]
    assert watch.total("blocks") == (120, 1.0)
    assert watch.total("walk") == (0, 0.0)
