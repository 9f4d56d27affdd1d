"""The threads that a job must not leave behind."""

from __future__ import annotations

import threading

# What brings texts to a card waits there for the next one; what compiles ahead is nobody's job.
LASTING = "wavediff-ferry", "wavediff-compiling", "wavediff-ending"


def of_jobs() -> list[threading.Thread]:
    """Return threads of ours that live, but for those that are meant to outlive a job."""
    ours = [each for each in threading.enumerate() if each.name.startswith("wavediff-")]
    return [each for each in ours if not each.name.startswith(LASTING)]
