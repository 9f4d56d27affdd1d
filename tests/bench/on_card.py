"""Jobs on a graphics card, timed beside their CPU twins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wavediff.core.jobs import next_job_id
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.run.dispatch import gpu_obstacle
from wavediff.core.run.graphics_cards import graphics_cards
from wavediff.core.run.runner import run_job
from wavediff.core.system.machine import GraphicsCard
from wavediff.tests.bench.measure import Timing
from wavediff.tests.bench.table import once, unit


def card_for(kind: type[Any]) -> GraphicsCard | None:
    """Return the card that jobs of a kind run on; print why there is none."""
    lack, card = gpu_obstacle(kind), graphics_cards().describe()
    if lack is None and card is not None:
        return card
    print(f"\ngraphics card: {lack}")
    return None


def timed(job: Any, device: Device, kernel: str, answer: Callable[[Any], Any]) -> tuple[Timing, float]:
    """Return the whole job without compiling, what ``answer`` reads of its result, and the seconds of a kernel."""
    seconds: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, KernelTiming) and event.kernel == kernel:
            seconds.append(event.seconds)

    result = run_job(replace(job, id=next_job_id()), device=device, report=listen)
    assert device is not Device.GPU or result.device == "gpu", "the card was not used"
    return once(result.wall_seconds, answer(result)), max(sum(seconds), 1e-9)


def best(rounds: int, *asked: Any) -> tuple[Timing, float]:
    """Return the fastest of some rounds of ``timed``."""
    return min((timed(*asked) for _ in range(rounds)), key=lambda one: one[0].best)


def of_kernel(kernel: str, seconds: float, work: float, per: float, speed: str) -> str:
    """Return the remark on the time inside a kernel."""
    return f"{kernel} {unit(seconds)}, {work / seconds / per:.2f} {speed}"
