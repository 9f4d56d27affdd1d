"""Paths and files under the reader: folders, pipes, no permission, changed meanwhile, odd names."""

import gzip
import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from wavediff.core.base.errors import Cancelled, InputError, NotEnoughMemory
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import Progress, Recorded
from wavediff.core.jobs.read import ParseJob, ReadJob
from wavediff.core.reading import fasta, files, parse, read
from wavediff.core.reading.run import run
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.read_as import ReadAs

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, sockets and links as POSIX has them")
DATA = b">a\n" + b"ACGT" * 1_000_000 + b"\n"


def started(path):
    steps = run(ReadJob(path=path))
    next(steps)
    return steps


def test_progress_counts_the_bytes_of_the_file(tmp_path):
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    job = ReadJob(path=path)
    seen = []
    load = run_job(job, report=seen.append)
    assert load.lengths.tolist() == [4_000_000]
    progress = [event for event in seen if isinstance(event, Progress)]
    assert {event.job_id for event in progress} == {job.id}
    assert {event.total for event in progress} == {len(DATA)}
    done = [event.done for event in progress]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (files.READ_BYTES, len(DATA))


def test_a_paste_is_a_job_too():
    seen = []
    load = run_job(ParseJob(text=">a b\nACGT\n"), report=seen.append)
    assert (load.source, load.name(0), load.lengths.tolist()) == ("<pasted>", "a", [4])
    assert [type(event) for event in seen[-2:]] == [Progress, Recorded]


def test_an_error_in_a_paste_names_a_text_and_no_file():
    with pytest.raises(InputError, match=r"^Text, record 1 'a', line 2"):
        run_job(ParseJob(text=">a b\nAC9GT\n", read_as=ReadAs.FASTA))


@pytest.mark.parametrize("bomb", [False, True])
def test_reading_can_be_stopped_between_pieces(tmp_path, bomb):
    path = tmp_path / "a.fa"
    path.write_bytes(gzip.compress(b">a\n" + bytes(b"\n" * 60_000_000), 1) if bomb else DATA)
    cancel = CancelToken()
    seen = []

    def report(event):
        seen.append(event)
        cancel.cancel()

    with pytest.raises(Cancelled):
        run_job(ReadJob(path=path), report=report, cancel=cancel)
    assert [type(event) for event in seen] == [Progress, Recorded], "one piece, and the record of it"


def test_i20_a_directory_is_refused(tmp_path):
    with pytest.raises(InputError, match="this is a directory; a regular file is needed"):
        read(tmp_path)


def test_i20_what_is_no_path_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(InputError, match="an address, no file; download it first"):
        read("https://example.org/a.fa")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.fa")
    with pytest.raises(InputError, match="this is no path of a file"):
        read("a\0b")


@posix
def test_i21_sockets_and_devices_are_never_opened(tmp_path, monkeypatch):
    def forbidden(*args):
        raise AssertionError("opened")

    monkeypatch.setattr("wavediff.core.reading.files.os.open", forbidden)
    with pytest.raises(InputError, match="this is a character device"):
        read("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(tmp_path)  # the path of a socket must be short
        listener.bind("s.fa")
        with pytest.raises(InputError, match="this is a socket"):
            read(tmp_path / "s.fa")


@posix
def test_i21_a_pipe_put_in_the_place_of_the_file_does_not_block(tmp_path, monkeypatch):
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    before = os.stat(path)
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr("wavediff.core.reading.files.os.stat", lambda _: before)
    with pytest.raises(InputError, match="this is a named pipe"):
        read(path)


@posix
def test_i21_broken_and_looping_links_are_named(tmp_path):
    (tmp_path / "broken.fa").symlink_to("nowhere.fa")
    with pytest.raises(InputError, match=r"broken link: its target 'nowhere\.fa' does not exist"):
        read(tmp_path / "broken.fa")
    (tmp_path / "loop.fa").symlink_to("loop.fa")
    with pytest.raises(InputError, match="the link leads in a circle"):
        read(tmp_path / "loop.fa")
    (tmp_path / "a.fa").write_bytes(b">a\nAC\n")
    (tmp_path / "good.fa").symlink_to("a.fa")
    assert read(tmp_path / "good.fa").n_records == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_i21_a_file_of_the_kernel_that_tells_no_size_is_not_waited_for():
    with pytest.raises(InputError):
        read("/proc/self/environ")


@posix
def test_i22_permission_denied(tmp_path):
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(InputError, match="permission denied"):
        read(path)


@pytest.mark.parametrize("error", [13, 1])
def test_i22_permission_denied_by_the_system(tmp_path, monkeypatch, error):
    def refuse(*args):
        raise OSError(error, "no")

    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    monkeypatch.setattr("wavediff.core.reading.files.os.open", refuse)
    with pytest.raises(InputError, match=r"a\.fa: permission denied"):
        read(path)


def _shorten(path):
    os.truncate(path, 2_000_000)


def _grow(path):
    with path.open("ab") as file:
        file.write(b"ACGT\n")


def _rewrite(path):
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(3_000_000)
        file.write(b"TTTT")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


def _replace(path):
    other = path.with_name("other")
    other.write_bytes(DATA)
    os.replace(other, path)


def _delete(path):
    path.unlink()


@posix
@pytest.mark.parametrize("change", [_shorten, _grow, _rewrite, _replace, _delete])
def test_i22_a_file_that_changes_while_read_is_refused(tmp_path, change):
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    steps = started(path)
    assert callable(change)
    change(path)
    with pytest.raises(InputError, match=r"a\.fa: changed while read; try again"):
        list(steps)


def test_i22_what_was_read_stays_when_the_file_goes(tmp_path):
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    load = read(path)
    path.write_bytes(b"gone")
    assert load.sequence(0).letters.tobytes() == b"ACGT" * 1_000_000


def test_i23_a_device_that_fails_is_named(tmp_path, monkeypatch):
    class Failing(files.io.FileIO):
        def read(self, size=-1, /):
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read(size)

    monkeypatch.setattr("wavediff.core.reading.files.io.FileIO", Failing)
    path = tmp_path / "a.fa"
    path.write_bytes(DATA)
    with pytest.raises(InputError, match=r"a\.fa: reading failed: Input/output error"):
        read(path)


@pytest.mark.parametrize(
    "name",
    [
        "with blanks.fa",
        "配列 日本語.fa",
        "🧬.fa",
        "a\nb.fa",
        "'\"`.fa",
        "100%20#1.fa",
        "-rf.fa",
        "x" * 220 + ".fa",
        ".fa",
    ],
)
@posix
def test_i24_any_name_loads_and_is_shown_on_one_line(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b">\nACGT\n")
    load = read(path)
    assert load.source == str(path)
    assert load.name(0) == (name[:-3] or ".fa")
    path.write_bytes(b">")
    with pytest.raises(InputError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    str(caught.value).encode()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of any bytes")
def test_i24_a_name_that_is_no_utf8(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.fa"))
    path.write_bytes(b">a\nAC1\n")
    with pytest.raises(InputError, match="line 2, column 3") as caught:
        read(path)
    str(caught.value).encode()


def test_i27_a_file_larger_than_memory_is_refused_before_it_is_opened(tmp_path, monkeypatch):
    path = tmp_path / "a.fa"
    with path.open("wb") as file:
        file.truncate(5_000_000_000)  # a hole: takes no room
    monkeypatch.setattr("wavediff.core.reading.files.available_memory", lambda: 1_500_000_000)
    monkeypatch.setattr("wavediff.core.reading.files.os.open", None)
    with pytest.raises(NotEnoughMemory, match=r"a\.fa: the file has 5\.0 GB, only 1\.5 GB of memory are free"):
        read(path)
    path.unlink()


def test_i27_a_record_too_long_for_32_bits_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(fasta, "LONGEST_RECORD", 3_000_000)
    three = b"A" * 3_000_000
    assert parse(b">a\n" + three + b"\n>b\n" + three).n_records == 2
    with pytest.raises(InputError, match="record 2 'b': more than 3,000,000 letters in one record"):
        parse(b">a\nAC\n>b\n" + three + b"A")


def test_no_file_stays_open(tmp_path, monkeypatch):
    opened = []
    system_open = os.open

    def recording(path, flags):
        opened.append(system_open(path, flags))
        return opened[-1]

    monkeypatch.setattr("wavediff.core.reading.files.os.open", recording)
    path = tmp_path / "a.fa"
    for data in (DATA, b">a\nAC1", b"\x1f\x8b\x08"):
        path.write_bytes(data)
        try:
            read(path)
        except InputError:
            assert data is not DATA
    path.write_bytes(DATA)
    started(path).close()
    assert len(opened) == 4
    for number in opened:
        with pytest.raises(OSError, match=r"[Bb]ad file"):
            stat.S_ISREG(os.fstat(number).st_mode)
