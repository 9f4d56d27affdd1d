"""Texts compared by lines, for the tests of their view."""

from __future__ import annotations

import numpy as np

from wavediff.core.jobs.line_result import LineResult
from wavediff.core.methods.lines import LINES, Lines
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.sequence import Alphabet, Sequence

MOVED = "def mass(protein):\n    total = sum(MASS[c] for c in protein)\n    return total + 18.02\n\n\n"
OLD = (
    '"""Find genes."""\n\nimport sys\n\n'
    + "".join(f"TABLE_{k} = {k}\n" for k in range(40))
    + f'STOPS = ("TAA", "TAG")\n\n\n{MOVED}def translate(dna):\n    """Return a protein."""\n'
    + "".join(f"    step_{k}(dna)\n" for k in range(30))
    + "    return dna\n\n\ndef main():\n    run(sys.argv)\n    return 0\n"
)
NEW = (
    OLD.replace(MOVED, "")
    .replace("import sys\n", "import gzip\nimport sys\n")
    .replace('STOPS = ("TAA", "TAG")', 'STOPS = frozenset(("TAA", "TAG"))')
    .replace("def main", f"{MOVED}def main")
    .replace("    return 0\n", "")
)


def text(letters: str, name: str) -> Sequence:
    """Return a text of ASCII, as if it had been read from a file."""
    array = np.frombuffer(letters.removesuffix("\n").encode(), np.uint8)
    counts = np.bincount(array, minlength=256)
    return Sequence(letters=array, name=name, alphabet=Alphabet.TEXT, counts=counts, source=f"{name}.py")


def compared(
    a: str = OLD, b: str = NEW, method: Lines = LINES, **options: bool
) -> tuple[Sequence, Sequence, LineResult]:
    one, other = text(a, "old"), text(b, "new")
    result = run_job(method.job(one, other, options, fold_case=False, threads=1))
    return one, other, method.compared(result, one, other)
