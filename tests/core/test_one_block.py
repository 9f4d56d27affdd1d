"""Maps of one block: no path is on them before there is an answer."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tests.core.pairs import letters
from wavediff.core.jobs.events import Planned
from wavediff.core.jobs.grid import BlockState
from wavediff.core.methods.base import TracebackMethod
from wavediff.core.methods.edit import BandMode, EditJob
from wavediff.core.methods.lcs import LcsJob

LONG = np.frombuffer(b"ACGT", np.uint8)[np.random.default_rng(3).integers(0, 4, 5_000)]
NEAR = LONG.copy()
NEAR[[1, 2_500, 4_998]] ^= 2
JOBS = {
    "words": EditJob(a=letters(b"kitten"), b=letters(b"sitting")),
    "words, LCS": LcsJob(a=letters(b"kitten"), b=letters(b"sitting")),
    "no path": EditJob(a=letters(b"kitten"), b=letters(b"sitting"), path=TracebackMethod.NONE),
    "diagonals": EditJob(a=LONG, b=NEAR),
    "no letter in common": EditJob(a=letters(b"AAAA"), b=letters(b"CCC")),
    "subsequence": EditJob(a=LONG, b=LONG[::2].copy(), band=BandMode.SUDO),
}


@pytest.mark.parametrize("name", JOBS)
def test_the_path_is_on_the_block_with_the_answer_and_not_before(name):
    job = JOBS[name]
    steps, maps = import_module(job.modules.cpu).run(job), list[Any]()
    while True:
        before = [block_map.copy() for block_map in maps]
        try:
            event = next(steps)
        except StopIteration:
            break
        maps += [event.block_map] if isinstance(event, Planned) and event.block_map.size == 1 else []
    assert maps
    for block_map, earlier in zip(maps, before, strict=True):
        assert (earlier != BlockState.PATH).all()
        assert block_map.item() == (BlockState.DONE if name == "no path" else BlockState.PATH)
