"""File format of a transform: a header of fixed size, then sections, little-endian.

Header, by byte offset: 0 magic, with a byte above 127 and both line ends; 8 version; 12 flags: 1 the text was converted
to upper case, 2 samples; 16 n, the number of letters; 24 primary row; 32 runs of the last column; 40 distance of
sampled positions, 0 without samples; 44 size of the name in bytes; 48 CRC-32 each of name, last column, marks and
samples; 64 CRC-32 of the 64 bytes before. Fields have 4 bytes, those at 0, 16, 24 and 32 have 8.

Sections: the name (UTF-8); n bytes of the last column; with samples, one bit for each of the n + 1 rows in 64-bit
words, and an int32 per sampled position, in row order.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

MAGIC = b"\xd7WDBWT\r\n"
VERSION = 1
FOLDED, SAMPLED = 1, 2
MAX_NAME_BYTES = 1 << 20

_FIELDS = struct.Struct("<8sIIQQQIIIIII")
_CRC = struct.Struct("<I")
HEADER_BYTES = _FIELDS.size + _CRC.size


class Header(NamedTuple):
    """Header fields in file order; ``crc_*``: checksums of the sections."""

    magic: bytes
    version: int
    flags: int
    n: int
    primary: int
    n_runs: int
    every: int
    name_size: int
    crc_name: int
    crc_last: int
    crc_marks: int
    crc_samples: int

    @classmethod
    def unpack(cls, data: bytes) -> tuple[Header, int, int]:
        """Return the header in ``data`` (``HEADER_BYTES`` bytes), its stored checksum, and the computed one."""
        fields = data[: _FIELDS.size]
        return cls(*_FIELDS.unpack(fields)), _CRC.unpack(data[_FIELDS.size :])[0], crc32(fields)

    def pack(self) -> bytes:
        fields = _FIELDS.pack(*self)
        return fields + _CRC.pack(crc32(fields))

    @property
    def n_words(self) -> int:
        return self.n // 64 + 1 if self.flags & SAMPLED else 0

    @property
    def n_samples(self) -> int:
        return self.n // self.every + 1 if self.flags & SAMPLED and self.every else 0

    @property
    def file_size(self) -> int:
        return HEADER_BYTES + self.name_size + self.n + 8 * self.n_words + 4 * self.n_samples


def crc32(data: bytes | memoryview, before: int = 0) -> int:
    """Return the CRC-32 of ``data``, continuing from the checksum ``before``."""
    from isal import isal_zlib

    return int(isal_zlib.crc32(data, before))
