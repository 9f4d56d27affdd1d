"""What tests of the edit distance share: running a job on a device, checking the path of its result, the peers."""

from __future__ import annotations

import edlib
from rapidfuzz.distance import Levenshtein

from tests.core.running import each_device
from tests.oracles import edit as oracle
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.jobs.events import Event, Planned
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods.edit import EditJob
from wavediff.core.run.runner import run_job

every_device = each_device(EditJob)


def run(a: Letters, b: Letters, device: Device = Device.CPU, **choices: object) -> EditResult:
    result = run_job(EditJob(a=a, b=b, **choices), device=device)  # type: ignore[arg-type]
    assert isinstance(result, EditResult)
    assert result.n_cells == a.size * b.size
    return result


def run_with_events(
    a: Letters, b: Letters, device: Device = Device.CPU, **choices: object
) -> tuple[EditResult, list[Event]]:
    """The result and everything that was reported."""
    events: list[Event] = []
    result = run_job(EditJob(a=a, b=b, **choices), device=device, report=events.append)  # type: ignore[arg-type]
    return result, events


def planned_events(events: list[Event]) -> list[Planned]:
    return [event for event in events if isinstance(event, Planned)]


def peers(a: Letters, b: Letters) -> int:
    """The distance by edlib and by rapidfuzz, which must agree; edlib knows no empty sequence."""
    x, y = a.tobytes(), b.tobytes()
    answer = int(Levenshtein.distance(x, y))
    if x and y:
        assert edlib.align(x, y, mode="NW", task="distance")["editDistance"] == answer
    return answer


def columns(result: EditResult | LcsResult) -> str:
    """One operation a column."""
    assert result.alignment is not None
    return "".join(
        LETTER[op] * n for op, n in zip(result.alignment.ops.tolist(), result.alignment.lengths.tolist(), strict=True)
    )


def check_path(a: Letters, b: Letters, result: EditResult) -> None:
    """Check that the path is one: ``=`` joins equal letters, ``X`` others, both are used up, at the stated cost."""
    assert result.alignment is not None
    runs = result.alignment
    assert (runs.lengths > 0).all()
    assert (runs.ops[1:] != runs.ops[:-1]).all()
    i = j = cost = 0
    for op, n in zip(runs.ops.tolist(), runs.lengths.tolist(), strict=True):
        letter = LETTER[op]
        if letter in "=X":
            same = a[i : i + n] == b[j : j + n]
            assert same.size == n
            assert same.all() if letter == "=" else not same.any()
        i += n if letter != "I" else 0
        j += n if letter != "D" else 0
        cost += n if letter != "=" else 0
    assert (i, j) == (a.size, b.size)
    assert cost == result.distance


def textbook(a: Letters, b: Letters) -> int:
    return oracle.distance(a.tobytes(), b.tobytes())
