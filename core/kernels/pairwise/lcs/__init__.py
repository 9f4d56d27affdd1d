"""Longest common subsequence on the CPU (Kawanami and Fujimoto; Sudo and Shinohara); ``run.run`` is the kernel."""

from __future__ import annotations
