"""Records of runs as files, made by the real kernels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.core.export.helpers import sequence
from tests.gpu.host_card import HostCard
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.record import record as document
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import Event, Recorded, pass_on, run_to_end
from wavediff.core.methods.edit import EDIT
from wavediff.core.record.playback import RunLog
from wavediff.core.run.runner import run_job
from wavediff.gpu.pairwise.edit.run import run_on


def stored_run(folder: Path, length: int = 9000, cards: Sequence[HostCard] = ()) -> Path:
    """The record of a run, of the CPU or of cards, as the command line writes it."""
    rng = np.random.default_rng(6)
    letters = (rng.choice(np.frombuffer(b"ACGT", np.uint8), length).tobytes() for _ in range(2))
    a, b = (sequence(text, name) for text, name in zip(letters, ("stored one", "other"), strict=True))
    job = EDIT.job(a, b, {"blocks": (512, 128)}, fold_case=False, threads=2)
    if cards:
        log = RunLog("gpu")
        result = run_to_end(pass_on(run_on(cards[0], job, lambda: cards[1:]), log.add))
        recorded = log.recorded(job.id)
    else:
        events: list[Event] = []
        result = run_job(job, device=Device.CPU, report=events.append)
        recorded = next(event for event in events if isinstance(event, Recorded))
    path = folder / "run.json"
    path.write_bytes(b"".join(document(Comparison(a, b, EDIT, False, 2, result, recorded=recorded))))
    return path
