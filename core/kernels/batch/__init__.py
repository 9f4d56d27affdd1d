"""Many pairs at once, one pair a lane of a vector (Kim, Na and Sim: one block a pair); ``run.run`` is the kernel."""

from __future__ import annotations
