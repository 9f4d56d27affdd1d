"""What the system says and is told: memory and its limits, threads of many jobs, room for nested calls."""

import os
import platform
import re
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from wavediff.core.system import machine
from wavediff.core.system.call_frames import call_with_room
from wavediff.core.system.memory_limits import free_in_cgroups
from wavediff.core.system.thread_loop import thread_pool

ROOT = Path(__file__).parents[2]
ROOM = "import sys; from wavediff.core.system.machine import free_under_rlimits; print(free_under_rlimits())"
MB = 1_000_000


def group(folder, most, used, files, *, unified):
    folder.mkdir(parents=True, exist_ok=True)
    limit, has, total = ("max", "current", "") if unified else ("limit_in_bytes", "usage_in_bytes", "total_")
    (folder / f"memory.{limit}").write_text(f"{most}\n")
    (folder / f"memory.{has}").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 7\n{total}inactive_file {files}\n{total}active_file 5\nshmem 3\n")


@pytest.fixture
def places(tmp_path):
    return tmp_path / "own", tmp_path / "groups"


def test_the_least_room_of_all_groups_around_this_one_counts(places):
    own, groups = places
    own.write_text("0::/batch/job 7/step\n")
    group(groups / "batch/job 7/step", "max", 300 * MB, 0, unified=True)
    group(groups / "batch/job 7", f"{500 * MB}", 400 * MB, 50 * MB - 5, unified=True)
    group(groups / "batch", f"{9000 * MB}", 400 * MB, 0, unified=True)
    assert free_in_cgroups(own, groups) == 150 * MB, "pages of files make room"


def test_groups_of_the_older_layout(places):
    own, groups = places
    own.write_text("5:cpuset:/x\n4:cpu,memory:/pod/one\n1:name=systemd:/\n0::/\n")
    group(groups / "memory/pod/one", "9223372036854771712", 100 * MB, 0, unified=False)
    group(groups / "memory/pod", f"{800 * MB}", 100 * MB, 20 * MB - 5, unified=False)
    group(groups / "memory", "9223372036854771712", 5000 * MB, 0, unified=False)
    assert free_in_cgroups(own, groups) == 720 * MB


@pytest.mark.parametrize("path", ["/docker/abc", "/../../system.slice", "/"])
def test_a_container_that_does_not_see_its_own_group_asks_the_root_that_it_sees(places, path):
    own, groups = places
    own.write_text(f"0::{path}\n")
    group(groups, f"{100 * MB}", 160 * MB, 10 * MB, unified=True)
    assert free_in_cgroups(own, groups) == 0, "over its limit"


def test_no_groups_limit_nothing(places):
    own, groups = places
    assert free_in_cgroups(own, groups) is None
    own.write_text("0::/a\nnonsense\n\n")
    assert free_in_cgroups(own, groups) is None
    group(groups / "a", "max", 5, 0, unified=True)
    assert free_in_cgroups(own, groups) is None


def limited(code, *, address_space=0, data=0):
    """Run Python under limits of its own."""
    pytest.importorskip("resource")
    limits = [(name, most) for name, most in (("RLIMIT_AS", address_space), ("RLIMIT_DATA", data)) if most]
    begin = "".join(f"resource.setrlimit(resource.{name}, ({most}, {most}))\n" for name, most in limits)
    command = [sys.executable, "-c", f"import resource\n{begin}{code}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep these limits")
@pytest.mark.parametrize("which", ["address_space", "data"])
def test_the_limits_of_the_process_count(which):
    assert limited(ROOM).stdout.strip() == "None"
    most = 900 * MB
    room = int(limited(ROOM, **{which: most}).stdout)
    assert 0 < room < most


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep these limits")
def test_a_job_that_the_limit_does_not_hold_is_refused_with_both_numbers(tmp_path):
    text = tmp_path / "text.fa"
    text.write_bytes(b">a\n" + b"ACGTTGCA" * 12_500_000 + b"\n")
    code = (
        "import sys, resource, psutil; from wavediff.app.commands.cli import main\n"
        "import wavediff.core.kernels.bwt.run\n"
        "most = psutil.Process().memory_info().vms + 6 * 10**8; resource.setrlimit(resource.RLIMIT_AS, (most, most)); "
        f"sys.exit(main(['bwt', {str(text)!r}, '--json', '-', '--quiet', '--device', 'cpu']))"
    )
    done = limited(code)
    assert done.returncode == 2, done.stderr
    found = re.search(r"needs ([0-9.]+) GiB, and ([0-9.]+) GiB are free", done.stderr)
    assert found is not None, done.stderr
    assert float(found[1]) > 1.0 > 0.6 > float(found[2])


def test_what_is_free_is_the_least_of_all(monkeypatch):
    there = psutil.virtual_memory().available
    monkeypatch.setattr(machine, "free_under_rlimits", lambda: None)
    monkeypatch.setattr(machine, "free_in_cgroups", lambda: None)
    assert machine.available_memory() == pytest.approx(there, rel=0.2)
    monkeypatch.setattr(machine, "free_in_cgroups", lambda: 70)
    assert machine.available_memory() == 70
    monkeypatch.setattr(machine, "free_under_rlimits", lambda: 50)
    assert machine.available_memory() == 50


FAULTS = """
import resource, sys
import numpy as np
from wavediff.core.system.machine import raise_mmap_threshold

def job():
    return len([np.ones(1 << 17, np.uint8) for _ in range(64)])

if sys.argv[1] == "keep":
    raise_mmap_threshold()
job()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(4):
    job()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(word):
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, word], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep what they like")
def test_what_a_job_frees_is_there_for_the_next_one():
    """8 MiB in pieces, four times: 2,048 pages of 4 KiB each time, if they had to be asked for anew."""
    assert faults("keep") < 100 < faults("give back")


def test_the_threads_of_a_task_are_the_same_ones():
    assert thread_pool("same", 2) is thread_pool("same", 2)
    assert thread_pool("same", 2) is not thread_pool("other", 2)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
def test_they_give_way_to_the_window():
    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    here = priority()
    assert thread_pool("polite", 1).submit(priority).result() > here or here == 19
    assert priority() == here


def _mapped_bytes():
    return int(Path("/proc/self/statm").read_text().split()[0]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for what is mapped")
def test_a_large_piece_is_there_during_the_call():
    before = _mapped_bytes()
    during = call_with_room(_mapped_bytes)
    assert during - before >= 1 << 20
    assert _mapped_bytes() < during


def test_answers_and_errors_come_through():
    def depth(n):
        return 1 + depth(n - 1) if n else 0

    assert call_with_room(lambda: depth(500)) == 500
    with pytest.raises(ZeroDivisionError):
        call_with_room(lambda: 1 // 0)
