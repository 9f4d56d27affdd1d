"""Many pairs at once, each in one lane of a vector (Kim, Na and Sim: one block a pair); ``run.run`` is the kernel."""

from __future__ import annotations
