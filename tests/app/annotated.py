"""Annotated records for the tests of tracks: GenBank from the sequences of the samples, written by Biopython."""

from __future__ import annotations

from pathlib import Path

from Bio import SeqIO
from Bio.Seq import Seq
from Bio.SeqFeature import CompoundLocation, SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord

DEMO = Path(__file__).parents[2] / "resources" / "demo"
Part = tuple[int, int]
PHIX174 = {  # of NC_001422.1, 1-based
    "A": ((3981, 5386), (1, 136)), "A*": ((4497, 5386), (1, 136)), "B": ((5075, 5386), (1, 51)), "K": ((51, 221),),
    "C": ((133, 393),), "D": ((390, 848),), "E": ((568, 843),), "J": ((848, 964),), "F": ((1001, 2284),),
    "G": ((2395, 2922),), "H": ((2931, 3917),),
}  # fmt: skip


def genbank(
    path: Path,
    letters: str,
    features: list[tuple[str, str, int, tuple[Part, ...]]],
    *,
    circular: bool = False,
    table: int = 11,
    molecule: str = "DNA",
    name: str = "REC",
) -> Path:
    """Write a record; features are type, name, strand and parts (1-based, as they are joined on the plus strand)."""
    record = SeqRecord(Seq(letters), id=f"{name}.1", name=name, description="made")
    record.annotations = {"molecule_type": molecule, "topology": "circular" if circular else "linear"}
    for kind, called, strand, parts in features:
        places = [SimpleLocation(start - 1, end, strand) for start, end in parts][:: strand or 1]
        where = CompoundLocation(places) if len(places) > 1 else places[0]
        more = {"transl_table": [str(table)], "product": [f"product of {called}"]} if kind == "CDS" else {}
        record.features.append(SeqFeature(where, kind, qualifiers={"gene": [called], **more}))
    SeqIO.write(record, path, "genbank")
    return path


def phix174(path: Path) -> Path:
    """Write phiX174, a circle with overlapping genes, three of them across its origin."""
    letters = str(SeqIO.read(DEMO / "phix174_NC_001422.1.fa", "fasta").seq)
    features = [(kind, name, 1, parts) for name, parts in PHIX174.items() for kind in ("gene", "CDS")]
    return genbank(path, letters, features, circular=True, name="PHIX174")
