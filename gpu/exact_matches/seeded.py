"""Jobs that start from exact matches: found on a graphics card, processed on the CPU."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from importlib import import_module
from typing import Any

from wavediff.core.jobs.events import Event
from wavediff.core.jobs.exact_matches import SeededJob
from wavediff.gpu.card.cuda import Card
from wavediff.gpu.exact_matches import run as exact_matches


def run_on(card: Card, job: SeededJob) -> Generator[Event, None, Any]:
    """Compute ``job``, see its CPU module.

    Raises:
        DeviceOutOfMemory: too little memory on the card; raised before it is used up.
    """
    run = import_module(job.modules.cpu).run
    return (yield from run(job, partial(exact_matches.run_on, card)))
