"""Comparison of many pairs, each in one lane of a vector (Kim, Na and Sim: one block per pair); see ``run.run``."""

from __future__ import annotations
