"""Graphics card: interface (``interface``), and its CUDA implementation by CuPy (``cuda``)."""

from __future__ import annotations
