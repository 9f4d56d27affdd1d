"""Validated job that places the records of a file on a reference."""

from __future__ import annotations

from wavediff.core.base.errors import InputError
from wavediff.core.jobs.contigs import ContigsJob
from wavediff.core.reading.load import Load
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.sequence import Sequence, SequencePool, require_nucleotides


def contigs_job(a: Sequence, contigs: Load, topology: str, k: int, threads: int) -> ContigsJob:
    """Return the validated job.

    Args:
        topology: a ``Topology`` of A. k: length of the seeds; 0: chosen from the lengths of the sequences.

    Raises:
        InputError: A or the contigs are not DNA or RNA, are reads, or have no letters.
        WavediffError: ``k`` is out of range.
    """
    if contigs.format == "FASTQ":
        problem = f"{contigs.n_records:,} reads of FASTQ, and contigs are placed"
        raise InputError(contigs.source, problem, "assemble them first; 'wavediff search' finds patterns in reads")
    require_nucleotides(a, what="contigs are")
    alphabet = contigs.whole_alphabet()
    if not contigs.letters.size:
        raise InputError(contigs.source, "no letters", "contigs are records of DNA or RNA, as in a FASTA file")
    if not alphabet.is_nucleotide:
        raise InputError(contigs.source, f"this is {alphabet}, which has no other strand", "contigs are DNA or RNA")
    names = tuple(contigs.name(at) for at in range(contigs.n_records))
    circular = a.circular if topology == Topology.AUTO else topology == Topology.CIRCULAR
    pool = SequencePool(contigs.letters, contigs.starts)
    return ContigsJob(a=a.letters, contigs=pool, names=names, circular=circular, k=k, threads=threads)
