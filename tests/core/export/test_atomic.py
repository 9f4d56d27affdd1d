"""A file is written whole or not at all, and nothing else is touched."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import spawned
from wavediff.core.base.errors import ExportError
from wavediff.core.export import atomic
from wavediff.core.export.atomic import write_atomic

ROOT = Path(__file__).parents[3]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def only(folder, *names):
    return sorted(p.name for p in folder.iterdir()) == sorted(names)


@pytest.mark.parametrize("chunks", [b"new", [b"ne", b"", b"w"], iter([b"n", b"ew"])])
def test_replaces_the_content(tmp_path, chunks):
    target = tmp_path / "out"
    target.write_bytes(b"something old and longer")
    assert write_atomic(target, chunks) == 3
    assert target.read_bytes() == b"new"
    assert only(tmp_path, "out")


def test_a_new_file_gets_the_mode_that_the_umask_gives(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_atomic(tmp_path / "out", b"x")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


@posix
def test_mode_and_link_are_kept(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@posix
def test_a_dangling_link_makes_the_file_it_names(tmp_path):
    (tmp_path / "link").symlink_to("later")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "later").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


@posix
def test_the_longest_file_name_works(tmp_path):
    target = tmp_path / ("n" * 255)
    write_atomic(target, b"x")
    assert target.read_bytes() == b"x"
    with pytest.raises(ExportError, match="too long"):
        write_atomic(tmp_path / ("n" * 256), b"x")


def test_refusals_name_the_file_and_the_reason(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(ExportError, match="folder: not written: this is a folder"):
        write_atomic(tmp_path / "folder", b"x")
    with pytest.raises(ExportError, match="there is no folder"):
        write_atomic(tmp_path / "missing" / "out", b"x")


@posix
def test_an_input_is_never_overwritten_however_it_is_spelled(tmp_path):
    source = tmp_path / "a.fa"
    source.write_bytes(b">a\nACGT\n")
    (tmp_path / "soft.fa").symlink_to(source)
    os.link(source, tmp_path / "hard.fa")
    for spelled in (source, tmp_path / "soft.fa", tmp_path / "hard.fa", tmp_path / "." / "a.fa"):
        with pytest.raises(ExportError, match="this is the input"):
            write_atomic(spelled, b"x", inputs=[tmp_path / "gone", source])
    assert source.read_bytes() == b">a\nACGT\n"


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_left_alone(tmp_path):
    target = tmp_path / "out"
    target.write_bytes(b"old")
    target.chmod(0o444)
    with pytest.raises(ExportError, match="read-only"):
        write_atomic(target, b"new")
    assert target.read_bytes() == b"old"


def test_a_failing_source_of_chunks_keeps_the_old_file(tmp_path):
    def chunks():
        yield b"half"
        raise KeyboardInterrupt

    target = tmp_path / "out"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_atomic(target, chunks())
    assert target.read_bytes() == b"old"
    assert only(tmp_path, "out")


@posix
def test_kill_9_keeps_the_old_file_and_the_next_run_sweeps_up(tmp_path):
    target = tmp_path / "out"
    target.write_bytes(b"old")
    code = (
        "import sys, time; from wavediff.core.export.atomic import write_atomic\n"
        "def chunks():\n  yield b'half'; print('begun', flush=True); time.sleep(60)\n"
        "write_atomic(sys.argv[1], chunks())\n"
    )
    with spawned([sys.executable, "-c", code, target], cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"begun\n"
        while_it_writes = atomic.remove_stale_temporaries(tmp_path)
        child.send_signal(signal.SIGKILL)
    assert while_it_writes == 0, "a living process's file was taken"
    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
    write_atomic(target, b"new")
    assert target.read_bytes() == b"new"
    assert only(tmp_path, "out")


def test_sweeping_takes_nothing_of_others(tmp_path):
    names = [".wavediff-00000000-1-00000000.tmp", "x.tmp", ".wavediff-notes.tmp"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert atomic.remove_stale_temporaries(tmp_path) == 0
    os.utime(tmp_path / names[0], (0, 0))
    assert atomic.remove_stale_temporaries(tmp_path) == 1
    assert only(tmp_path, *names[1:])


@posix
def test_devices_and_pipes_are_written_straight(tmp_path):
    assert write_atomic("/dev/null", b"abc") == 3
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with pytest.raises(ExportError, match="not written"):  # nobody reads: said at once, no hang
        write_atomic(fifo, b"x")
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert write_atomic(fifo, b"through") == 7
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
