"""Sequences and alignments to export, and how a CIGAR is read back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from tests.oracles import edit as oracle
from wavediff.core.export.comparison import Comparison
from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.jobs.edit_result import EditResult
from wavediff.core.methods import method as method_by_id
from wavediff.core.sequences.sequence import Alphabet, Sequence


def sequence(letters: bytes, name: str = "x", description: str = "") -> Sequence:
    codes = np.frombuffer(letters, np.uint8)
    counts = np.bincount(codes, minlength=256)
    return Sequence(letters=codes, name=name, description=description, alphabet=Alphabet.DNA, counts=counts)


def alignment(ops: str) -> Alignment:
    """Make an alignment from one operation a column, e.g. ``==XID``."""
    runs = [(m[0][0], len(m[0])) for m in re.finditer(r"(.)\1*", ops)]
    return Alignment(np.array([LETTER.index(op) for op, _ in runs], np.uint8), np.array([n for _, n in runs], np.int64))


def comparison(
    a: Sequence, b: Sequence, runs: Alignment, *, method: str = "edit", fold_case: bool = True
) -> Comparison:
    """Return an alignment as the answer that its formats are written from; its figures say nothing."""
    result = EditResult(
        job_id=1, distance=2, exact=True, alignment=runs, strategy="full", reason="", n_cells=1, cells=1,
        skips=(), bands=(), device="cpu", kernel_seconds=0.0, wall_seconds=0.0,
    )  # fmt: skip
    return Comparison(a, b, method_by_id(method), fold_case, 1, result)


def columns_of(cigar: str) -> str:
    """Read a CIGAR back: one operation a column."""
    assert re.fullmatch(r"([1-9]\d*[=XID])*", cigar)
    return "".join(op * int(n) for n, op in re.findall(r"(\d+)(.)", cigar))


@st.composite
def compared(draw: st.DrawFn, alphabet: str = "ACGT") -> tuple[Sequence, Sequence, str]:
    """Two sequences and the columns of a best alignment of them."""
    a, b = (draw(st.text(st.sampled_from(alphabet), max_size=40)).encode() for _ in "ab")
    if draw(st.booleans()):
        at = draw(st.integers(0, len(a)))
        b = a[:at] + b[: draw(st.integers(0, 5))] + a[at + draw(st.integers(0, 3)) :]
    return sequence(a, "ref"), sequence(b, "query"), oracle.script(a, b)


def runs_text(found: Comparison) -> Iterator[bytes]:
    """Yield a line for each run: a format that the program does not have."""
    for op, length in zip(found.alignment.ops.tolist(), found.alignment.lengths.tolist(), strict=True):
        yield f"{LETTER[op]} {length}\n".encode()
