"""Compile-time selection of the method's steps by the number of delta bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavediff.core.base.arrays import Words
from wavediff.core.jit.bits import GROUP_COLUMNS
from wavediff.core.jit.decorators import LEAN_INNER, jit_callee_no_nrt, overload
from wavediff.core.jit.simd import LANES
from wavediff.core.kernels.pairwise.edit.bit_sliced_steps import edit_steps, edit_steps_skewed
from wavediff.core.kernels.pairwise.lcs.bit_sliced_steps import lcs_steps, lcs_steps_skewed

LCS_SIGNS, EDIT_SIGNS = 1, 2


def strip_steps(strip: Any, t0: int, t1: int, planes: Any, edge: Any, seen: Any) -> None:
    """Compute steps ``t0 <= t < t1`` of one strip; see ``lcs_steps`` and ``edit_steps``."""
    raise NotImplementedError("compiled code only")


@overload(strip_steps, jit_options=LEAN_INNER)
def _strip_steps(strip, t0, t1, planes, edge, seen):  # type: ignore[no-untyped-def]
    delta_bits = strip.types[strip.fields.index("delta_bits")]
    return lcs_steps if len(delta_bits) == LCS_SIGNS else edit_steps


def strip_steps_skewed(strip: Any, lanes: Any, n: int, planes: Any, edges: Any, seen: Any) -> None:
    """Compute ``n`` steps of one strip with lane offsets; see ``lcs_steps_skewed`` and ``edit_steps_skewed``."""
    raise NotImplementedError("compiled code only")


@overload(strip_steps_skewed, jit_options=LEAN_INNER)
def _apart_steps(strip, lanes, n, planes, edges, seen):  # type: ignore[no-untyped-def]
    delta_bits = strip.types[strip.fields.index("delta_bits")]
    return lcs_steps_skewed if len(delta_bits) == LCS_SIGNS else edit_steps_skewed


def is_monotone(delta_bits: Any, v: Words, h: Words, above: Words, group: int, n: int) -> bool:
    """Return whether ``n`` groups of the border above are monotone against the rows, so they pass through.

    Sudo and Shinohara, section 4: every cell then passes on its input, and nothing is computed. The paper uses one
    case; the mirrored one is valid for the same reason. ``group`` and ``n`` are multiples of a word.
    """
    raise NotImplementedError("compiled code only")


@overload(is_monotone, jit_options=LEAN_INNER)
def _is_monotone(delta_bits, v, h, above, group, n):  # type: ignore[no-untyped-def]
    if len(delta_bits) == LCS_SIGNS:
        return lambda delta_bits, v, h, above, group, n: False
    return lambda delta_bits, v, h, above, group, n: _edit_monotone(v, h, above, group, n)


@jit_callee_no_nrt
def _edit_monotone(v, h, above, group, n):  # type: ignore[no-untyped-def]
    half, carries, words = v.size // 2, GROUP_COLUMNS * LANES, above.size // (2 * GROUP_COLUMNS)
    rises = h[0] == ~np.uint64(0)
    up = half if rises else 0  # the rows' sign that must be set: down where the top rises, up where it falls
    side = 0 if rises else carries
    for i in range(half):
        if v[up + i] != ~np.uint64(0):
            return False
    for i in range(carries):
        if h[side + i] != ~np.uint64(0):
            return False
    first = 0 if rises else GROUP_COLUMNS
    for stream in range(first, first + GROUP_COLUMNS):
        for w in range(group >> 6, (group + n) >> 6):
            if above[stream * words + w] != ~np.uint64(0):
                return False
    return True
