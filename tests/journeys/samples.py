"""Pairs that people begin with, as files."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from tests.oracles import edit, lcs, swap_edit


@dataclass(frozen=True, slots=True)
class Sample:
    """Attributes:
    a, b: the files, byte for byte.
    letters: what of them is compared where case counts not; None where that is not told in advance.
    """

    a: bytes
    b: bytes
    letters: tuple[bytes, bytes] | None = None

    def files(self, folder: Path, name: str) -> tuple[Path, Path]:
        paths = folder / f"{name}_a.fa", folder / f"{name}_b.fa"
        for path, content in zip(paths, (self.a, self.b), strict=True):
            path.write_bytes(content)
        return paths

    def answers(self) -> dict[str, int]:
        """The number that each method must say, by a word of the method's name."""
        if self.letters is None or max(map(len, self.letters)) > 400:
            return {}
        a, b = self.letters
        return {"Common letters": lcs.length(a, b), "Edits": edit.distance(a, b), "swaps": swap_edit.distance(a, b)}


def _fasta(*records: tuple[str, bytes]) -> bytes:
    return b"".join(b">" + name.encode() + b"\n" + letters + b"\n" for name, letters in records)


def _made(letters: bytes, count: int, seed: int) -> bytes:
    return bytes(random.Random(seed).choices(letters, k=count))


def _changed(text: bytes, share: float, seed: int) -> bytes:
    """Return ``text`` with substitutions, insertions and deletions in ``share`` of its places."""
    chance, out = random.Random(seed), bytearray()
    for letter in text:
        if chance.random() >= share:
            out.append(letter)
        else:
            out += (b"", b"ACGT"[letter % 4 : letter % 4 + 1], bytes([letter, b"TGCA"[letter % 4]]))[
                chance.randrange(3)
            ]
    return bytes(out)


def _dna(a: bytes, b: bytes) -> Sample:
    return Sample(_fasta(("first one", a)), _fasta(("second", b)), (a.upper(), b.upper()))


_SHORT = _made(b"ACGT", 110, 1)
_LONG = _made(b"ACGT", 60_000, 2)
_PROTEIN = _made(b"ACDEFGHIKLMNPQRSTVWY", 118, 6)
_OTHER_PROTEIN = _PROTEIN[:30] + _PROTEIN[33:60] + b"WWW" + _PROTEIN[61:]
SAMPLES: dict[str, Sample] = {
    "words": Sample(b"kitten", b"sitting", (b"kitten", b"sitting")),
    "same": _dna(_SHORT, _SHORT),
    "one letter changed": _dna(_SHORT, _SHORT[:50] + (b"A" if _SHORT[50:51] != b"A" else b"C") + _SHORT[51:]),
    "empty": Sample(
        _fasta(("nothing", b""), ("more", b"ACG")), _fasta(("something", b"ACGTACGTTT")), (b"", b"ACGTACGTTT")
    ),
    "proteins": Sample(_fasta(("one", _PROTEIN)), _fasta(("other", _OTHER_PROTEIN)), (_PROTEIN, _OTHER_PROTEIN)),
    "UTF-8": Sample("Příliš žluťoučký kůň".encode(), "Příliš žlutý kúň úpěl".encode()),
    "unrelated": _dna(_made(b"ACGT", 300, 3), _made(b"ACGT", 250, 4)),
    "alike and long": _dna(_LONG, _changed(_LONG, 0.01, 5)),
    "records": Sample(
        _fasta(*((f"record{n}", _changed(_SHORT, 0.05, n)) for n in range(6))),
        _fasta(*((f"other{n}", _changed(_SHORT, 0.1, n)) for n in range(3))),
    ),
}
