"""LCS and edit distance for tests that claim the same of both: jobs, peers, oracles, checks of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from rapidfuzz.distance import LCSseq

from tests.core import edits
from tests.oracles import edit as edit_oracle
from tests.oracles import lcs as lcs_oracle
from wavediff.core.base.arrays import Letters
from wavediff.core.jobs.alignment import LETTER
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob, Strategy
from wavediff.core.run.runner import run_job


@dataclass(frozen=True)
class Method:
    """One method.

    Attributes:
        proven: choices of the cells to compute, each of which must give the best score.
        full: that of every cell.
        paths: all that it has.
        score: field of a result. peer, textbook: the best score of a pair.
        check_path: raises unless the path of a result is one, at the stated score.
        script: the one of the best paths that is stated, an operation a column.
    """

    name: str
    job: type[LcsJob] | type[EditJob]
    proven: tuple[dict[str, Any], ...]
    full: dict[str, Any]
    paths: tuple[TracebackMethod, ...]
    score: str
    peer: Callable[[Letters, Letters], int]
    textbook: Callable[[bytes, bytes], int]
    check_path: Callable[[Letters, Letters, Any], object]
    script: Callable[[bytes, bytes], str]

    def run(
        self,
        a: Letters,
        b: Letters,
        device: Device = Device.CPU,
        report: Callable[[Event], None] = lambda _: None,
        **choices: Any,
    ) -> Any:
        result: Any = run_job(self.job(a=a, b=b, **choices), device=device, report=report)
        assert result.n_cells == a.size * b.size
        return result

    def scored(self, a: Letters, b: Letters, device: Device = Device.CPU, **choices: Any) -> int:
        """Score of a job, whose path is checked where one is wanted."""
        result = self.run(a, b, device, **choices)
        assert getattr(result, "exact", True)
        assert (result.alignment is None) == (choices.get("path") is TracebackMethod.NONE)
        if result.alignment is not None:
            self.check_path(a, b, result)
        return int(getattr(result, self.score))


def common_letters(a: Letters, b: Letters, result: Any) -> bytes:
    """The subsequence that the alignment shows, after checking that it is an alignment of both.

    It is one of each: its letters are taken from left to right from both.
    """
    assert result.alignment is not None
    i = j = 0
    of_a, of_b, gap = bytearray(), bytearray(), ""
    x, y = a.tobytes(), b.tobytes()
    for op, n in zip(result.alignment.ops.tolist(), result.alignment.lengths.tolist(), strict=True):
        letter = LETTER[op]
        if letter == "=":
            of_a += x[i : i + n]
            of_b += y[j : j + n]
            gap = ""
        else:
            gap += letter
            assert gap in ("D", "I", "DI"), "in a gap, D comes before I, and there is nothing else"
        i += n if letter != "I" else 0
        j += n if letter != "D" else 0
    assert (i, j) == (a.size, b.size)
    assert of_a == of_b
    assert len(of_a) == result.length
    return bytes(of_a)


LCS = Method(
    "lcs",
    LcsJob,
    tuple({"strategy": strategy} for strategy in Strategy),
    {"strategy": Strategy.FULL},
    tuple(TracebackMethod),
    "length",
    lambda a, b: int(LCSseq.similarity(a.tobytes(), b.tobytes())),
    lcs_oracle.length,
    common_letters,
    lcs_oracle.script,
)
EDIT = Method(
    "edit",
    EditJob,
    tuple({"band": band} for band in (BandMode.AUTO, BandMode.SUDO, BandMode.NONE)),
    {"band": BandMode.NONE},
    (TracebackMethod.BLOCKS, TracebackMethod.NONE),
    "distance",
    edits.peers,
    edit_oracle.distance,
    edits.check_path,
    edit_oracle.script,
)
every_method = pytest.mark.parametrize("method", [LCS, EDIT], ids=lambda method: method.name)
every_choice = pytest.mark.parametrize(
    ("method", "choice"),
    [
        pytest.param(method, choice, id=f"{method.name}-{next(iter(choice.values()))}")
        for method in (LCS, EDIT)
        for choice in method.proven
    ],
)
