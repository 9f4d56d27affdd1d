"""The file of a transform: damaged in every field, cut at every place, made wrong on purpose."""

from dataclasses import fields, replace

import numpy as np
import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.export.bwt import bwt_file, last_column
from wavediff.core.jobs.bwt import IndexJob, LoadBwtJob
from wavediff.core.jobs.bwt_format import HEADER_BYTES, Header, crc32
from wavediff.core.jobs.bwt_result import SavedBwt
from wavediff.core.reading.bwt import is_bwt
from wavediff.core.run.runner import run_job
from wavediff.tests.bench.letters import frozen

TEXT = b"How much wood would a woodchuck chuck if a woodchuck could chuck wood? " * 3


@pytest.fixture(scope="module")
def saved():
    return run_job(IndexJob(text=frozen(TEXT), name="wood", every=4)).saved()


@pytest.fixture(scope="module")
def data(saved):
    return b"".join(bwt_file(saved))


def load(tmp_path, data):
    (tmp_path / "x.bwt").write_bytes(data)
    return run_job(LoadBwtJob(path=tmp_path / "x.bwt"))


def header(data):
    return Header.unpack(data[:HEADER_BYTES])[0]


def test_it_comes_back_as_it_was(tmp_path, saved, data):
    back = load(tmp_path, data)
    for field in fields(SavedBwt):
        assert np.array_equal(getattr(back, field.name), getattr(saved, field.name)), field.name
    assert is_bwt(tmp_path / "x.bwt")
    assert not is_bwt(tmp_path)
    assert not is_bwt(tmp_path / "nothing")
    assert b"".join(last_column(saved.last)) == saved.last.tobytes()
    assert len(data) == header(data).file_size


def test_every_byte_counts(tmp_path, data):
    """One flipped bit in any byte is noticed, whatever field or section it belongs to."""
    said = set()
    for at in range(len(data)):
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << at % 8
        with pytest.raises(InputError) as caught:
            load(tmp_path, bytes(spoilt))
        said.add(str(caught.value).split(": ", 1)[1][:40])
    for words in ("no file of a transform", "version", "the header has another checksum", "the name at byte"):
        assert any(words in one for one in said), words
    for words in ("the last column at byte", "the marks at byte", "the samples at byte"):
        assert any(words in one for one in said), words


def test_every_length_counts(tmp_path, data):
    for size in [*range(HEADER_BYTES + 2), len(data) // 2, len(data) - 1]:
        with pytest.raises(InputError, match=r"no file of a transform|and the header"):
            load(tmp_path, data[:size])
    with pytest.raises(InputError, match="and the header tells of"):
        load(tmp_path, data + b"\0")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"magic": b"GIF89a\r\n"}, "no file of a transform"),
        ({"version": 2}, "version 2 of the format; this program reads version 1"),
        ({"flags": 4}, "invalid flags in the header: 4"),
        ({"flags": 0}, "invalid distance of the samples"),
        ({"flags": 0, "every": 0}, "and the header tells of"),
        ({"n": 2**40}, "invalid number of letters in the header: 1,099,511,627,776"),
        ({"n": 100}, "and the header tells of"),
        ({"primary": 1000}, "invalid primary row in the header: 1,000"),
        ({"primary": 2}, "and its sample is not position 0"),
        ({"n_runs": 1000}, "invalid number of runs in the header: 1,000"),
        ({"n_runs": 5}, "5 runs are declared, and the last column has"),
        ({"every": 0}, "invalid distance of the samples in the header: 0"),
        ({"every": 2**31}, "invalid distance of the samples in the header: 2,147,483,648"),
        ({"every": 5}, "and the header tells of"),
        ({"name_size": 2**31}, "invalid size of the name in the header: 2,147,483,648"),
        ({"name_size": 5}, "and the header tells of"),
        ({"crc_name": 1}, "the name at byte 68"),
        ({"crc_last": 1}, "the last column at byte 72"),
        ({"crc_marks": 1}, "the marks at byte"),
        ({"crc_samples": 1}, "the samples at byte"),
    ],
)
def test_a_field_that_contradicts_another_is_named(tmp_path, data, changes, says):
    """The checksum of the header is right in each of these."""
    spoilt = header(data)._replace(**changes).pack() + data[HEADER_BYTES:]
    with pytest.raises(InputError, match=r"x\.bwt: ") as caught:
        load(tmp_path, spoilt)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("twice", "a position is sampled twice"),
        ("beyond", "a sample is of a position beyond the end"),
        ("negative", "a sample is of a position beyond the end"),
        ("moved", "and its sample is not position 0"),
        ("mark more", "rows are marked for"),
        ("mark past the end", "rows are marked for"),
    ],
)
def test_samples_that_cannot_be_are_refused(tmp_path, saved, spoil, says):
    samples, marks = saved.samples.copy(), saved.marks.copy()
    if spoil == "twice":
        samples[0] = samples[1]
    elif spoil == "beyond":
        samples[0] = samples.size
    elif spoil == "negative":
        samples[0] = -1
    elif spoil == "moved":
        at = int(np.flatnonzero(samples == 0)[0])
        samples[[at, at - 1]] = samples[[at - 1, at]]
    elif spoil == "mark more":
        marks[0] = np.uint64(2**64 - 1)
    else:
        marks[-1] |= np.uint64(1 << 63)
    with pytest.raises(InputError, match=says):
        load(tmp_path, b"".join(bwt_file(replace(saved, samples=samples, marks=marks))))


def test_names_are_no_paths_and_keep_every_byte(tmp_path, saved):
    for name in ("", "../../etc", "\udcff\u202e\n", "n" * 5000):
        assert load(tmp_path, b"".join(bwt_file(replace(saved, name=name)))).name == name


def test_the_checksum_is_the_one_everybody_has():
    assert crc32(b"123456789") == 0xCBF43926
    assert crc32(b"6789", crc32(b"12345")) == 0xCBF43926
