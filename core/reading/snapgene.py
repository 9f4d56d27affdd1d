"""SnapGene files (``.dna``), parsed like Biopython: packets, some of them XML."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator

import numpy as np

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.notices import Notice
from wavediff.core.base.numbers import number
from wavediff.core.reading.features import FeatureProblems, FeatureTable, feature_name
from wavediff.core.reading.files import size_text
from wavediff.core.reading.formats import Reading
from wavediff.core.reading.letters import IS_SEQUENCE, LetterBuffer, freeze_base
from wavediff.core.reading.lines import TextPieces
from wavediff.core.reading.load import Load, Loading

_COOKIE = b"\x09\0\0\0\x0eSnapGene"
_LETTERS, _XML = 0, (5, 6, 10)  # kinds of packets
_HEADER_BYTES = 5
MAX_XML_BYTES = 16 << 20  # of a packet, which takes fifty times that while it is parsed


def is_snapgene(head: bytes) -> bool:
    return head.startswith(_COOKIE)


def read_snapgene(pieces: Iterator[bytes], _lines: TextPieces, how: Reading, notices: list[Notice]) -> Loading:
    """Return the ``Load`` of the file's only record; yield after each chunk.

    Raises:
        InputError: the file is truncated or damaged, or has no DNA.
    """
    buffer = LetterBuffer(how.size)
    for piece in pieces:
        buffer.append(piece)
        yield
    data = buffer.assemble().tobytes()
    _require_packets(data, how.source)
    from Bio.SeqIO.SnapGeneIO import SnapGeneIterator

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            record = next(SnapGeneIterator(io.BytesIO(data)))
    except Exception as error:  # of any kind, as hostile files have it
        reason = printable(str(error) or type(error).__name__, 80)
        raise InputError(how.source, f"damaged SnapGene file: {reason}", "SnapGene exports it as GenBank") from error
    letters = np.frombuffer(bytes(record.seq), np.uint8)
    if (odd := np.flatnonzero(~IS_SEQUENCE[letters])).size:
        problem = f"letter {number(int(odd[0]) + 1)} is the byte 0x{letters[odd[0]]:02X}"
        raise InputError(how.source, f"damaged SnapGene file: {problem}", "letters, '*', '-' and '.' are expected")
    circular, problems, table = record.annotations["topology"] == "circular", FeatureProblems(), FeatureTable(dict)
    for feature in record.features:
        texts = {key: ", ".join(map(str, values)) for key, values in feature.qualifiers.items()}
        parts = [(int(one.start), int(one.end), one.strand or 0) for one in feature.location.parts]
        table.add(feature.type, feature_name(feature.type, texts), parts, texts)
    spans = table.spans(letters.size, circular=circular, problems=problems)
    named = record.id not in (record.name, "<unknown id>")  # which else is the first word of the comments
    name, about = record.id if named else "_".join(how.fallback.split()), record.description
    header = " ".join([name, *(about if about != "<unknown description>" else "").split()]).encode() + b"\n"
    return Load(
        source=how.source,
        format="SnapGene",
        letters=freeze_base(letters.copy()),
        starts=np.array([0, letters.size]),
        headers=header,
        header_starts=np.array([0, len(header)]),
        notices=(*notices, *problems.notices()),
        alphabet=how.alphabet,
        fallback=how.fallback,
        spans={0: spans} if spans else {},
        circular=frozenset({0} if circular else ()),
    )


def _require_packets(data: bytes, source: str) -> None:
    at, kinds = 0, set[int]()
    while at < len(data):
        kind, n = data[at], int.from_bytes(data[at + 1 : at + _HEADER_BYTES], "big")
        end = at + _HEADER_BYTES + n
        if end > len(data):
            raise InputError(
                source, f"cut off: a packet of this SnapGene file ends at byte {number(end)}", "copy it again"
            )
        if kind in _XML and n > MAX_XML_BYTES:
            problem = f"{size_text(n)} of features or notes in a SnapGene file"
            raise InputError(source, problem, f"at most {size_text(MAX_XML_BYTES)} are read: export it as GenBank")
        if kind in _XML and b"<!" in data[at:end]:
            problem = "the XML of this SnapGene file contains '<!', which is not read"
            raise InputError(source, problem, "export it from SnapGene as GenBank")
        kinds.add(kind)
        at = end
    if _LETTERS not in kinds:
        raise InputError(source, "no DNA in this SnapGene file", "proteins and RNA are read from GenBank or FASTA")
