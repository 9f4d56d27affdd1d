"""Random genomes as files, and pairs of which a part of B is inverted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.journeys.person import Person


def random_letters(n: int, seed: int = 7) -> bytes:
    return np.random.default_rng(seed).choice(np.frombuffer(b"ACGT", np.uint8), n).tobytes()


def fasta(path: Path, **records: bytes) -> Path:
    path.write_text("".join(f">{name}\n{letters.decode()}\n" for name, letters in records.items()))
    return path


def drop_inverted(me: Person, a: bytes, b: bytes) -> None:
    """Drop one.fa and other.fa, and wait for the notice that a part is inverted."""
    me.drop([fasta(me.folder / "one.fa", one=a), fasta(me.folder / "other.fa", other=b)])
    me.wait_to_see("Part of B is inverted", 120)
