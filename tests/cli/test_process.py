"""The command line as a process: what it loads, signals, pipes, names that are no text, memory that ends."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.cli.helpers import ROOT, call, python, trouble


@pytest.mark.skipif(sys.platform == "win32", reason="names are Unicode there")
def test_names_that_are_no_text_are_shown_escaped(files):
    name = os.fsencode(files) + b"/\xff\xfe.fa"
    done = subprocess.run(
        [sys.executable, "main.py", "compare", name, files / "b.fa"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_no_qt_and_no_display_are_needed(files):
    code = (
        "import sys\n"
        "class NoQt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        assert name.split('.')[0] not in ('PySide6', 'shiboken6', 'pyqtgraph'), name\n"
        "sys.meta_path.insert(0, NoQt())\n"
        "from wavediff.app.commands.cli import main\n"
        "print(main(['compare', *sys.argv[1:], '--quiet']))\n"
    )
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = python("-c", code, files / "a.fa", files / "b.fa", env=env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


SLOW = ("numba", "llvmlite", "numpy", "cupy", "PySide6", "pyqtgraph", "psutil", "asyncio", "email")
LOADED = {
    "--help, --version, compare --help, search --help, search TEXT --pattern": set(),
    "compare WORD OTHER": {"numpy"},
    "compare A B --device cpu": {"numpy", "llvmlite"},
    "search TEXT --pattern GATTACA --device cpu": {"numpy", "llvmlite"},
}


@pytest.mark.parametrize("line", LOADED)
def test_a_command_imports_what_it_needs(tmp_path, line):
    """With all kernels cached: a compiler, a driver of a card, or Qt takes longer to import than a small job."""
    rng = np.random.default_rng(1)
    a = rng.choice(np.frombuffer(b"ACGT", np.uint8), 4_000)
    letters = {"WORD": b"kitten", "OTHER": b"sitting", "A": a, "B": np.delete(a, [5, 900, 3_000]), "TEXT": a}
    for name, content in letters.items():
        (tmp_path / name).write_bytes(bytes(content))
    code = (
        "import sys; from wavediff.app.commands import cli\n"
        "for line in ' '.join(sys.argv[1:]).split(', '):\n"
        "    try: cli.main(line.split(' '))\n"
        "    except SystemExit: pass\n"
        f"print([m for m in {SLOW!r} if m in sys.modules])"
    )
    words = [tmp_path / word if word in letters else word for word in line.split(" ")]
    expected = [str([one for one in SLOW if one in LOADED[line]])]
    first = python("-c", code, *words).stdout.splitlines()[-1:]  # which may compile
    assert first == expected or python("-c", code, *words).stdout.splitlines()[-1:] == expected


@pytest.mark.skipif(sys.platform != "linux", reason="counts the threads of a process in /proc")
def test_importing_numpy_starts_no_threads():
    """Those of OpenBLAS spin, and took more CPU time than a small comparison."""
    code = (
        "import os; from wavediff.app.commands.cli import main; main(['find'])\n"
        "import numpy; print(len(os.listdir('/proc/self/task')))"
    )
    done = python("-c", code, env={k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"})
    assert done.stdout.splitlines()[-1:] == ["1"]


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_ends_a_long_run_at_once_and_leaves_no_file(tmp_path, spawn):
    rng = np.random.default_rng(5)
    for name in "ab":
        letters = rng.choice(np.frombuffer(b"ACGT", np.uint8), 3_000_000)
        (tmp_path / f"{name}.fa").write_bytes(b">x\n" + letters.tobytes())
    pair = [tmp_path / "a.fa", tmp_path / "b.fa"]
    command = [sys.executable, "main.py", "compare", "-v", *pair, "--paf", tmp_path / "out.paf"]
    child = spawn(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stderr is not None
    for line in child.stderr:
        if " cells in " in line:
            break
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "wavediff: stopped"
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.fa", "b.fa"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_reader_that_leaves_is_no_traceback(files):
    command = f"{sys.executable} main.py compare {files}/a.fa {files}/b.fa --json - --quiet | true"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "variables",
    [{"NUM_THREADS": "bogus", "OPT": "x"}, {"NUM_THREADS": "0", "DISABLE_JIT": "1", "DEBUG": "1"}],
    ids=lambda found: "-".join(found),
)
def test_variables_for_those_who_write_kernels_change_nothing(files, variables):
    environment = {**os.environ, **{f"NUMBA_{name}": value for name, value in variables.items()}}
    done = python("main.py", "compare", files / "a.fa", files / "b.fa", "--quiet", env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_configuration_of_numba_in_the_working_folder_changes_nothing(files):
    pytest.importorskip("yaml", reason="without it Numba cannot read the file")
    (files / ".numba_config.yaml").write_text("disable_jit: 1\n")
    command = [sys.executable, ROOT / "main.py", "compare", "a.fa", "b.fa", "--quiet"]
    done = subprocess.run(command, cwd=files, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


@pytest.mark.parametrize(
    ("words", "says", "not_said"),
    [
        ("compare A A --method lcs", "--traceback hirschberg needs less, --traceback none least", "--limit"),
        ("compare A A --method lcs --traceback hirschberg", "--traceback none least", "hirschberg"),
        ("compare A A", "--traceback none least", "hirschberg"),
        ("compare A A --traceback none", "free memory, or take shorter sequences", "--traceback"),
        ("race A A --kernels cpu", "--no-alignment needs less", "none"),
        ("race A A --kernels cpu --no-alignment", "free memory", "--traceback"),
        ("batch A A", "fewer records", "--traceback"),
        ("search A --pattern C", "--limit N keeps fewer hits", "--traceback"),
        ("bwt A --suffix-array -", "without --suffix-array it needs less", "--traceback"),
        ("bwt A", "free memory", "--suffix-array"),
        ("find A C", "--limit N locates fewer hits", "--traceback"),
        ("find A C --count-only", "free memory", "--limit"),
    ],
)
def test_the_advice_is_of_the_command(files, capsys, monkeypatch, words, says, not_said):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("wavediff.app.commands.command.run_job", full)
    asked = [files / "a.fa" if word == "A" else word for word in words.split()]
    answer = call(capsys, *asked, "--quiet")
    trouble(answer, "wavediff: out of memory; ", says)
    assert not_said not in answer[2]
