"""Longest common subsequence on the CPU (papers 1 and 2); ``run.run`` is the kernel."""

from __future__ import annotations
