"""Back through a grid of tiles whose borders were kept: a tile is computed again as machine words, and walked.

For devices that keep borders of small tiles while they compute (``gpu.strips``): rows as bits before every so many
columns, and what a row hands down as bits after every so many rows. The columns are paper 1's and Myers' steps word by
word, entered by the borders; the walk takes what ``core.kernels.blocks.walk`` takes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from core.arrays import Counts, Letters, Words
from core.events import Event
from core.kernels.blocks.method import EDIT_SIGNS
from core.kernels.blocks.walk import other_letters
from core.kernels.inner import inner
from core.kernels.warm import warm_up
from core.results.alignment import Op
from core.simd import WORD
from core.traceback.runs import push

EQUAL, INSERTION, DELETION = int(Op.EQUAL), int(Op.INSERTION), int(Op.DELETION)
ONE, TOP = np.uint64(1), np.uint64(63)


class Window(NamedTuple):
    """Kept borders of some neighbouring strips, and of some tiles of each.

    Attributes:
        v: uint64, shape (strips, tiles, signs, words of a strip's rows): rows before each tile's first column.
        h: uint8, shape (strips, rows of tiles, signs, bytes): what the last row of a tile hands down, a bit a column,
            the first one topmost.
        above: uint8, shape (signs, bytes): the same of the row above the first strip, from ``first_above`` on.
        lo, hi: int64, shape (strips,): computed columns of each strip. above_hi: of the strip above the first.
        first: int64, shape (strips,): column of each strip's first tile and first byte; a multiple of ``width``
            from ``lo`` on. first_above: column of the first byte of ``above``.
        top: first row of the first strip. height: rows of a strip; rows, width: of a tile.
    """

    v: Words
    h: Letters
    above: Letters
    lo: Counts
    hi: Counts
    above_hi: int
    first: Counts
    first_above: int
    top: int
    height: int
    rows: int
    width: int


@inner
def _bit(stream, column):  # type: ignore[no-untyped-def]
    return np.uint64(stream[column >> 3] >> (7 - (column & 7)) & 1)


@inner
def _entering(signs, window, s, tile, sign, column):  # type: ignore[no-untyped-def]
    """Return the bit that the row above tile row ``tile`` of strip s hands down at a column."""
    if tile > 0:
        return _bit(window.h[s, tile - 1, sign], column - window.first[s])
    if s > 0:
        if column < window.hi[s - 1]:
            return _bit(window.h[s - 1, window.h.shape[1] - 1, sign], column - window.first[s - 1])
    elif column < window.above_hi:
        return _bit(window.above[sign], column - window.first_above)
    # Nothing was computed there: no growth, or one edit more a column.
    return ONE if len(signs) == EDIT_SIGNS and sign == 0 else np.uint64(0)


@inner
def _lcs_columns(masks, codes, v, carries, seen):  # type: ignore[no-untyped-def]
    """Do paper 1's step for each column and write V after it to ``seen``, column by column."""
    n_words, at = np.uint64(v.size), np.uint64(0)
    for c in range(codes.size):
        carry, code = carries[c], np.uint64(codes[c])
        for w in range(n_words):
            old, match = v[w], masks[code, w]
            both = old & match
            total = old + both
            over = total < both
            total += carry
            carry = np.uint64(over | (total < carry))
            new = total | (old & ~match)
            v[w] = new
            seen[at + w] = new
        at += n_words


@inner
def _edit_columns(masks, codes, vps, vns, ups, downs, seen, zeros):  # type: ignore[no-untyped-def]
    """Do Myers' step for each column and write VP and D0 after it to ``seen`` and ``zeros``, column by column."""
    n_words, at = np.uint64(vps.size), np.uint64(0)
    for c in range(codes.size):
        up, down, code = ups[c], downs[c], np.uint64(codes[c])
        for w in range(n_words):
            vp, vn, equal = vps[w], vns[w], masks[code, w]
            xv = equal | vn
            equal |= down
            d0 = (((equal & vp) + vp) ^ vp) | equal | vn
            hp = vn | ~(d0 | vp)
            hn = d0 & vp
            out_up, out_down = hp >> TOP, hn >> TOP
            hp = (hp << ONE) | up
            hn = (hn << ONE) | down
            up, down = out_up, out_down
            new = hn | ~(xv | hp)
            vps[w] = new
            vns[w] = hp & xv
            seen[at + w] = new
            zeros[at + w] = d0
        at += n_words


@inner
def _fill(signs, a, b, window, s, tile, top, i, left, j, masks, words):  # type: ignore[no-untyped-def]
    """Compute rows ``top`` to i and columns ``left`` to j of a tile, remembering what ``other_letters`` reads."""
    n_words = (i - top + WORD - 1) // WORD
    at = (left - window.first[s]) // window.width
    first_word = (top - window.top - s * window.height) // WORD
    v = np.empty(n_words, np.uint64)
    vn = np.zeros(n_words, np.uint64)
    for w in range(n_words):
        v[w] = window.v[s, at, 0, first_word + w]
        if len(signs) == EDIT_SIGNS:
            vn[w] = window.v[s, at, 1, first_word + w]
    for r in range(i - top):
        masks[a[top + r], r // WORD] |= ONE << np.uint64(r % WORD)
    n_columns = j - left
    ups, downs = np.empty(n_columns, np.uint64), np.zeros(n_columns, np.uint64)
    for c in range(n_columns):
        ups[c] = _entering(signs, window, s, tile, 0, left + c)
        if len(signs) == EDIT_SIGNS:
            downs[c] = _entering(signs, window, s, tile, 1, left + c)
    codes = b[left:j]
    if len(signs) == EDIT_SIGNS:
        _edit_columns(masks, codes, v, vn, ups, downs, words[0], words[1])
    else:
        _lcs_columns(masks, codes, v, ups, words[0])
    for r in range(i - top):
        masks[a[top + r], r // WORD] = np.uint64(0)
    return n_words


@njit(nogil=True, cache=True, error_model="numpy")
def walk_window(
    signs: Any,
    a: Letters,
    b: Letters,
    window: Window,
    i: int,
    j: int,
    common: int,
    budget: int,
    masks: Words,
    words: Words,
    ops: Letters,
    lengths: Counts,
) -> tuple[int, int, int, int]:
    """Walk from node (i, j) until it leaves the window, or about ``budget`` cells have been computed.

    Args:
        common: letters at the front where the walk may end.
        masks: uint64, shape (256, words of a tile's rows), zeros, as they are left.
        words: uint64, shape (signs, words of a tile).
        ops, lengths: where the runs go, last column first; room for the letters of two tiles' edges is always left.

    Returns:
        (i, j, runs, cells).
    """
    runs, cells = 0, 0
    last, count = EQUAL, 0  # the run at hand; it is put down when it ends
    while i > max(window.top, common) and j > common and cells <= budget:
        if runs + 2 * (window.rows + window.width) + 8 > ops.size:
            break
        s = (i - 1 - window.top) // window.height
        strip_top = window.top + s * window.height
        low, high = window.lo[s], min(window.hi[s], b.size)
        if j > high:  # nothing was computed here: the strip above ended further left
            runs = push(ops, lengths, push(ops, lengths, runs, last, count), INSERTION, j - high)
            j, count = high, 0
        if j <= low:
            at = max(strip_top, common)
            runs = push(ops, lengths, push(ops, lengths, runs, last, count), DELETION, i - at)
            i, count = at, 0
            continue
        if j <= window.first[s] or (j - 1 - window.first[s]) // window.width >= window.v.shape[1]:
            break  # the tile was not fetched
        tile = (i - 1 - strip_top) // window.rows
        top = strip_top + tile * window.rows
        left = (j - 1 - window.first[s]) // window.width * window.width + window.first[s]
        end, edge = max(top, common), max(left, low, common)
        n_words, filled = 0, False
        while i > end and j > edge:
            if a[i - 1] == b[j - 1]:
                op = EQUAL
            else:
                if not filled:
                    filled = True
                    n_words = _fill(signs, a, b, window, s, tile, top, i, left, j, masks, words)
                    cells += (i - top) * (j - left)
                op = other_letters(signs, words, (j - 1 - left) * n_words + ((i - 1 - top) >> 6), (i - 1 - top) & 63)
            if op == last:
                count += 1
            else:
                runs = push(ops, lengths, runs, last, count)
                last, count = op, 1
            i -= op != INSERTION
            j -= op != DELETION
    return i, j, push(ops, lengths, runs, last, count), cells


def name(n_signs: int) -> str:
    """Return what this is called for a method of so many signs, between processes."""
    return "edit tiles" if n_signs == EDIT_SIGNS else "tiles"


def make_ready(job_id: int, n_signs: int) -> Generator[Event, None, None]:
    """Compile (or load) the walk."""
    signs, codes, zeros = (0,) * n_signs, np.zeros(1, np.uint8), np.zeros(1, np.int64)
    v, h = np.zeros((1, 1, n_signs, 1), np.uint64), np.zeros((1, 1, n_signs, 1), np.uint8)
    window = Window(v, h, h[0, 0], zeros, zeros + 1, 0, zeros, 0, 0, 64, 64, 8)

    def rehearse() -> None:
        masks, words = np.zeros((256, 1), np.uint64), np.zeros((n_signs, 8), np.uint64)
        ops, lengths = np.empty(512, np.uint8), np.empty(512, np.int64)
        walk_window(signs, codes, codes + np.uint8(1), window, 1, 1, 0, 1, masks, words, ops, lengths)

    yield from warm_up(job_id, "traceback", name(n_signs), rehearse)
