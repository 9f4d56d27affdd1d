"""The Python API: ``import wavediff``.

>>> import wavediff
>>> answer = wavediff.compare("kitten", "sitting")
>>> answer.distance, answer.cigar
(3, '1X3=1X1=1I')

A ``str``, ``bytes``, an array of uint8 or a Biopython ``Seq`` is the letters themselves; a ``pathlib.Path`` is a file.
Neither Qt nor CuPy nor a compiler is imported before it is needed.
"""

from __future__ import annotations

from wavediff.core.base.errors import Cancelled, WavediffError
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.reading.alignments import read_alignments as read_alignment
from wavediff.core.run.api.compare import Answer, align, compare
from wavediff.core.run.api.contigs import contigs
from wavediff.core.run.api.lessons import LessonPage, lesson
from wavediff.core.run.api.many import batch, tree
from wavediff.core.run.api.reading import read
from wavediff.core.run.api.rearranged import blocks
from wavediff.core.run.api.texts import Index, inverse, search, transform

__all__ = [
    "Answer", "CancelToken", "Cancelled", "Index", "LessonPage", "WavediffError", "align", "batch", "blocks", "compare",
    "contigs", "inverse", "lesson", "read", "read_alignment", "search", "transform", "tree",
]  # fmt: skip
