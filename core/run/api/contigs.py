"""Contigs of an assembly placed on a reference."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from wavediff.core.export.contigs import ContigsAnswer
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.reading.load import Load
from wavediff.core.run.api.reading import has_letters, load_of, sequence_of
from wavediff.core.run.api.running import Progressed, require_one_of, run
from wavediff.core.run.contigs_request import contigs_job
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.sequence import SequencePool


def contigs(
    a: Any,
    assembly: str | Path | Iterable[Any],
    *,
    seed_letters: int = 0,
    device: str = "auto",
    threads: int = 0,
    topology: str = "auto",
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
) -> ContigsAnswer:
    """Place the contigs of an assembly on ``a``, each block aligned exactly.

    Args:
        a: reference, DNA or RNA, as ``compare`` takes it.
        assembly: file of contigs (a ``Path``), or sequences as ``compare`` takes them.
        seed_letters: minimum length of the exact matches, 11 to 64; 0: chosen from the lengths of the sequences.
        device: for the exact matches: ``auto``, ``cpu`` or ``gpu``. threads: CPU threads; 0: one per core.
        topology: of ``a``: ``auto`` (as its file says), ``linear`` or ``circular``.
        progress, cancel: as ``compare`` takes them.

    Raises:
        WavediffError: invalid input or option. Cancelled: requested.

    >>> answer = contigs("ACGTTGCATCAGGA" * 9 + "T", ["ACGTTGCATCAGGA" * 9])
    >>> answer.result.text
    '1 of 1 contig placed, cover 99.2 % of A; 1 gap'
    """
    require_one_of("topology", topology, Topology)
    reference = sequence_of(a, "A", 5)
    load = load_of(assembly) if isinstance(assembly, Path) else _load(assembly)
    job = contigs_job(reference, load, topology, seed_letters, threads)
    return ContigsAnswer(reference, load, run(job, device=device, progress=progress, cancel=cancel), threads)


def _load(assembly: Any) -> Load:
    given = [assembly] if has_letters(assembly) else assembly
    sequences = [sequence_of(one, f"contig_{at}", 6) for at, one in enumerate(given, 1)]
    pool = SequencePool.of(one.letters for one in sequences)
    headers = [f"{one.name}\n".encode() for one in sequences]
    starts = np.cumsum([0, *map(len, headers)])
    source = sequences[0].source if sequences else ""
    return Load(
        source=source or "contigs", format="", letters=pool.letters, starts=pool.starts, headers=b"".join(headers),
        header_starts=starts,
    )  # fmt: skip
