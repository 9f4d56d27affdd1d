"""How big a file will be is known before it is made, and a disk without that room is not touched."""

import shutil
from types import SimpleNamespace

import pytest
from hypothesis import given

from tests.core.export.formats import FORMATS, long_case
from tests.core.export.helpers import alignment, compared, comparison
from wavediff.core.base.errors import ExportError
from wavediff.core.export.atomic import write_atomic


def known(a, b, runs):
    """Bytes of each format: as told before, and as made."""
    found = comparison(a, b, runs)
    told = {kind: one.least_bytes(found) for kind, one in FORMATS.items() if one.size}
    return {kind: (n, sum(map(len, FORMATS[kind].chunks(found)))) for kind, n in told.items()}


@given(case=compared())
def test_no_file_is_smaller_than_told(case):
    a, b, ops = case
    sizes = known(a, b, alignment(ops))
    assert all(told <= made for told, made in sizes.values()), sizes
    assert sizes["cigar"][0] == sizes["cigar"][1] - 1  # the end of the line
    assert sizes["fasta"][0] == sizes["fasta"][1] - len(b">ref\n>query\n")


def test_what_is_told_is_much_of_it():
    for kind, (told, made) in known(*long_case()).items():
        assert 0.4 * made < told <= made, kind


def test_a_disk_without_room_is_refused_before_anything_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=999))
    target = tmp_path / "out"
    target.write_bytes(b"old")
    with pytest.raises(ExportError, match=r"out: not written: it needs 1,000 bytes, and 999 are free there"):
        write_atomic(target, iter(lambda: pytest.fail("made"), None), size=1000)
    assert target.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    assert write_atomic(target, b"new", size=999) == 3
