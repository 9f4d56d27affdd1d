"""Compressed files: several members, cut off, damaged, or none at all."""

import bz2
import gzip
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable

import numpy as np
import pytest
import zstandard

from tests.core.reading.tools import load_pieces, noticed, read_bytes, records
from wavediff.core.base.errors import InputError, NotEnoughMemory
from wavediff.core.jobs.read import ReadJob
from wavediff.core.reading import decompress, parse
from wavediff.core.run.runner import run_job

_RNG = np.random.default_rng(7)
LETTERS = _RNG.choice(np.frombuffer(b"ACGT", np.uint8), 3_000).tobytes()
FASTA = b">a one\n" + b"\n".join(LETTERS[i : i + 60] for i in range(0, 3_000, 60)) + b"\n"

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}


def bgzf(data, block=500):
    """Compress as bgzip does: small members with their size in an extra field, and an empty one as end mark."""
    out = []
    for start in [*range(0, len(data), block), len(data)]:
        part = data[start : start + block]
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = deflate.compress(part) + deflate.flush()
        head = struct.pack("<4BI2BH2BHH", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(body) + 25)
        out.append(head + body + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(out)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("name", ["x.fa", "x.gz", "x.png"])
def test_i26_the_content_decides_not_the_name(tmp_path, kind, name):
    assert records(read_bytes(tmp_path, COMPRESS[kind](FASTA), name)) == [("a", "one", LETTERS)]
    assert records(read_bytes(tmp_path, FASTA, name)) == [("a", "one", LETTERS)]


@pytest.mark.parametrize("kind", COMPRESS)
def test_i16_cut_off_at_every_place_is_refused(kind):
    data = COMPRESS[kind](FASTA)
    for n in [*range(14, 40), *range(40, len(data), 37), *range(len(data) - 12, len(data))]:
        with pytest.raises(InputError, match=f"the {kind} data are (cut off|damaged)"):
            parse(data[:n])


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13])
def test_i16_a_second_member_cut_off_early_is_refused(n):
    data = gzip.compress(FASTA)
    with pytest.raises(InputError, match="the gzip data are cut off"):
        parse(data + data[:n])


@pytest.mark.parametrize("kind", COMPRESS)
def test_i16_no_flipped_bit_changes_a_letter(kind):
    """Bits that say nothing of the content (time stamp, system) may flip; no other flip may pass."""
    data = COMPRESS[kind](FASTA)
    refused = 0
    for at in range(0, len(data), 7):
        flipped = bytearray(data)
        flipped[at] ^= 1 << (at % 8)
        try:
            assert records(parse(bytes(flipped))) == [("a", "one", LETTERS)]
        except InputError:
            refused += 1
    assert refused > len(data) // 7 * 0.9


def test_i16_a_wrong_checksum_is_refused():
    data = bytearray(gzip.compress(FASTA))
    data[-6] ^= 1
    with pytest.raises(InputError, match=r"the gzip data are damaged.*nothing of it is kept"):
        parse(bytes(data))


@pytest.mark.parametrize("kind", COMPRESS)
def test_i17_all_members_are_read(tmp_path, kind):
    parts = [COMPRESS[kind](FASTA[i : i + 100]) for i in range(0, len(FASTA), 100)]
    assert records(read_bytes(tmp_path, b"".join(parts))) == [("a", "one", LETTERS)]


@pytest.mark.parametrize("cut", [1, 7, 100, 10_000])
@pytest.mark.parametrize("kind", [*COMPRESS, "bgzf"])
def test_i17_members_may_be_cut_anywhere_by_the_reading(kind, cut):
    data = bgzf(FASTA) if kind == "bgzf" else COMPRESS[kind](FASTA[:1_000]) + COMPRESS[kind](FASTA[1_000:])
    assert records(load_pieces(data[i : i + cut] for i in range(0, len(data), cut))) == [("a", "one", LETTERS)]


def test_i17_bgzf_is_read_and_its_missing_end_noticed(tmp_path):
    data = bgzf(FASTA)
    assert data.endswith(bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000"))
    load = read_bytes(tmp_path, data)
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == ()
    load = parse(data[:-28])
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == ("the end mark of the BGZF data is missing: more data may have followed",)


def test_i17_zero_bytes_between_and_after_members(tmp_path):
    load = read_bytes(tmp_path, gzip.compress(FASTA[:500]) + bytes(512) + gzip.compress(FASTA[500:]) + bytes(90_000))
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == ("90,512 zero bytes between or after the gzip data ignored",)


@pytest.mark.parametrize("kind", COMPRESS)
def test_i18_trailing_bytes_are_told(tmp_path, kind):
    load = read_bytes(tmp_path, COMPRESS[kind](FASTA) + b"signature" * 20_000)
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == (f"180,000 bytes after the end of the {kind} data ignored: no {kind} data",)


def test_i17_a_member_lost_behind_damage_is_no_trailing_garbage():
    first, second, third = (gzip.compress(FASTA[i : i + 1_000]) for i in (0, 1_000, 2_000))
    with pytest.raises(InputError, match="the gzip data are damaged"):
        parse(first + b"X" + second[1:] + third)


def test_i18_containers_in_containers_are_told_to_a_depth(tmp_path):
    load = read_bytes(tmp_path, lzma.compress(gzip.compress(FASTA)))
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == ("gzip inside xz: decompressed 2 times",)
    deep = FASTA
    for _ in range(4):
        deep = gzip.compress(deep)
    with pytest.raises(InputError, match="gzip inside gzip inside gzip inside gzip"):
        parse(deep)
    with pytest.raises(InputError, match="zip inside gzip"):
        parse(gzip.compress(zipped({"a.fa": FASTA})))


def test_i18_zip_with_one_file_is_read_and_told(tmp_path):
    load = read_bytes(tmp_path, zipped({"d/": b"", "d/a.fa": FASTA, "__MACOSX/d/._a.fa": b"x"}))
    assert records(load) == [("a", "one", LETTERS)]
    assert noticed(load) == ("zip: the file d/a.fa in it was read",)


def test_i18_zip_with_several_files_is_refused_with_their_names():
    with pytest.raises(InputError, match=r"a zip with 2 files: a\.fa, b\.fa"):
        parse(zipped({"a.fa": FASTA, "b.fa": FASTA}))
    with pytest.raises(InputError, match="an empty zip"):
        parse(zipped({}))


@pytest.mark.parametrize("n", [8, 100, 600])
def test_i16_i18_a_cut_off_zip_is_refused(n):
    with pytest.raises(InputError, match="the zip cannot be read"):
        parse(zipped({"a.fa": FASTA})[:n])


def test_i18_a_damaged_zip_is_refused():
    data = bytearray(zipped({"a.fa": FASTA}))
    data[300] ^= 4
    with pytest.raises(InputError, match="the zip cannot be read"):
        parse(bytes(data))


@pytest.mark.parametrize("kind", COMPRESS)
def test_i19_a_bomb_is_counted_while_it_inflates(tmp_path, kind, monkeypatch):
    monkeypatch.setattr("wavediff.core.reading.decompress.available_memory", lambda: 20_000_000)
    path = tmp_path / "bomb.fa"
    path.write_bytes(COMPRESS[kind](b">a\n" + bytes(b" " * 60_000_000)))
    seen = []
    with pytest.raises(NotEnoughMemory, match=r"bomb\.fa: more than 18\.0 MB after decompression"):
        run_job(ReadJob(path=path), report=seen.append)
    assert len(seen) < 40


def test_zstd_is_never_given_so_much_that_its_output_is_without_bound():
    data = zstandard.compress(bytes(400_000_000))
    sizes = [len(piece) for piece in decompress._inflate(iter([data]), "zstd", "x", 1 << 30, [])]
    assert sum(sizes) == 400_000_000
    assert max(sizes) <= 140_000_000


@pytest.mark.parametrize("limit", [1 << 20, 1 << 31])
def test_what_needs_more_memory_to_be_unpacked_than_is_free_is_no_damage(limit, monkeypatch):
    """A window of a GiB, as ``zstd --long=30`` makes it: read where it fits, else told with what it lacks."""
    monkeypatch.setattr("wavediff.core.reading.decompress.available_memory", lambda: limit)
    settings = zstandard.ZstdCompressionParameters.from_level(3, window_log=30)
    compress = zstandard.ZstdCompressor(
        compression_params=settings
    ).compressobj()  # no size is known: the window counts
    data = compress.compress(FASTA) + compress.flush()
    if limit > 1 << 30:
        assert records(parse(data)) == [("a", "one", LETTERS)]
        return
    with pytest.raises(NotEnoughMemory, match="unpacking the zstd data needs more memory than is free"):
        parse(data)


def test_a_dictionary_of_xz_that_does_not_fit_is_no_damage(monkeypatch):
    data = lzma.compress(FASTA, preset=9)  # a dictionary of 64 MiB
    monkeypatch.setattr("wavediff.core.reading.decompress.available_memory", lambda: 1 << 20)
    with pytest.raises(NotEnoughMemory, match="unpacking the xz data needs more memory than is free"):
        parse(data)


def test_a_file_that_grows_beyond_measure_is_told(monkeypatch):
    monkeypatch.setattr(decompress, "LARGE_BYTES", 100_000)
    data = gzip.compress(b">a\n" + b"A" * 1_000_000)
    load = parse(data)
    assert len(noticed(load)) == 1
    assert re.fullmatch(
        r"1\.0 kB were unpacked to 1\.0 MB, \d{3} times as much: check that this is the right file", noticed(load)[0]
    )
    random = bytes(np.random.default_rng(3).choice(np.frombuffer(b"ACGT", np.uint8), 1_000_000))
    assert noticed(parse(gzip.compress(b">a\n" + random))) == ()
    assert noticed(parse(b">a\n" + b"A" * 1_000_000)) == ()
