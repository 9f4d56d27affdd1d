"""Jobs that read files, pasted text and lists of patterns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import unquote

from wavediff.core.base.file_names import TYPED
from wavediff.core.jobs import Job, KernelModules
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet

PASTED = "<pasted>"  # source of a text that has no file


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJob(Job):
    """Read one file into records, in the same runner and worker as computations.

    Attributes:
        path: as entered (a ``Path`` would change ``http://x`` and the empty name), perhaps with a part of the file, see
            ``wavediff.core.reading.run``.
        alphabet: of the letters; None: guessed.
        encoding: of the text, a Python codec name; empty: UTF-8, or UTF-16 and UTF-32 if recognised.
        counted: count the letters of a text, the slowest part of reading; letters of sequences are always counted.
        features: file of features, GFF3, GTF or BED; None: a file with the same name in the folder of ``path``. If it
            names none of the records, they have no features.
        or_text: read a file that ``read_as`` *auto* refuses as a text if possible; see ``Sequence.refusal``.
    """

    modules = KernelModules("wavediff.core.reading.run")

    path: str | os.PathLike[str]
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    encoding: str = ""
    counted: bool = True
    features: str | os.PathLike[str] | None = None
    or_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseJob(Job):
    """Read pasted or dropped text as if it were a file."""

    modules = KernelModules("wavediff.core.reading.paste")

    text: str | bytes
    source: str = PASTED
    read_as: ReadAs = ReadAs.AUTO
    alphabet: Alphabet | None = None
    encoding: str = ""
    or_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPatternsJob(Job):
    """Read a list of patterns: FASTA or one per line, optionally compressed."""

    modules = KernelModules("wavediff.core.reading.patterns")

    path: str | os.PathLike[str]


def typed_letters(name: str) -> str | None:
    """Return the letters of ``data:,LETTERS``, which replaces a file name, or None."""
    return unquote(name.removeprefix(TYPED), errors="surrogatepass") if name.startswith(TYPED) else None
