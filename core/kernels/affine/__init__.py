"""Global alignment with affine gaps and a substitution matrix on the CPU; ``run.run`` is the kernel."""

from __future__ import annotations
