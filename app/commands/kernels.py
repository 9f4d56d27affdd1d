"""Preparation of the compiled kernels, before the first job of a command."""

from __future__ import annotations

import sys

from core.base.errors import printable
from core.jit import compile_cache
from core.jobs.choices import Device
from core.run.dispatch import wake_gpu


def prepare_kernels(*, quiet: bool, device: str = Device.AUTO) -> None:
    """Find out where kernels are kept; say so in one line where that is nowhere, as every start is slow then.

    A graphics card that is asked for begins to wake, while files are read and packages imported.
    """
    note = compile_cache.state().note
    if note and not quiet and sys.stderr is not None:
        sys.stderr.write(f"wavediff: {printable(note)}\n")
    if device == Device.GPU:
        wake_gpu()
