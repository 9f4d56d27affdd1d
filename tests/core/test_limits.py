"""What limits the memory of a process: its own limits, and groups around its own in both layouts of control groups."""

import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from wavediff.core.system import machine
from wavediff.core.system.memory_limits import free_in_cgroups

ROOT = Path(__file__).parents[2]
ROOM = "import sys; from wavediff.core.system.memory_limits import free_under_rlimits; print(free_under_rlimits())"
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
