"""Ctrl+C and other requests to end, as something that a job hears."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.jobs.cancel import CancelToken
from core.system import signals


@contextmanager
def interruptible() -> Iterator[CancelToken]:
    """Turn the first signal into a request that the job hears between two pieces; see ``core.system.signals``."""
    token = CancelToken()
    with signals.handle_first(lambda _number: token.cancel()):
        yield token
        token.raise_if_cancelled()
