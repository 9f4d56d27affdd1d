"""Many pairs at once, one pair a lane of a vector (paper 5: one block a pair); ``run.run`` is the kernel."""

from __future__ import annotations
