"""Commands of the pages that have no answer below them: each runs, in the order of its page, on files that it names."""

import gzip
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import call
from tests.pages import DOCS, blocks
from tests.processes import finish
from tests.test_documents import MADE_PAGES, PAGES, answers, name
from wavediff.app.ui.samples import FOLDER as SAMPLES

ENZYMES, WINDOW = "GAATTC", DOCS / "window.md"
# What a machine without a card or a program for films says in place of an answer.
LACKS = {"--kernels cpu,gpu,kawanami": "gpu cannot race: ", "--mp4": "films as MP4 need ffmpeg"}
# It computes for some seconds, and is tried by ``make check``.
LONG = ("--measure", "--set measured=", "lesson all")
IN_A_WINDOW = """
import sys
from PySide6.QtCore import QTimer
from wavediff.app.commands import cli
from wavediff.app.window.application import Application
start = Application.start
def begin(application):
    window = application.window
    window.session.compared.connect(lambda outcome: (
        print(outcome.a.name, outcome.b.name, flush=True), QTimer.singleShot(0, window.close)))
    start(application)
Application.start = begin
sys.exit(cli.main(sys.argv[1:]))
"""


def commands(page):
    """Return the commands of a page that have no answer with a prompt, without redirections."""
    lines = "".join(blocks(page.read_text(encoding="utf-8"))).splitlines()
    return [line.partition(" > ")[0].partition("  #")[0] for line in lines if line.startswith("wavediff ")]


def letters(source, count):
    return "".join(source.choices("ACGT", k=count))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a folder with the files that the pages name, where the program then is."""
    folder = Path(shutil.copytree(SAMPLES, tmp_path / "here"))
    source = random.Random(1)
    a, chromosome = letters(source, 3000), letters(source, 30_000)
    b = f"{a[:1000]}T{a[1000:2000]}{a[2003:]}"
    records = {
        "A.fa": {"A": a},
        "B.fa": {"B": b},
        "gene.fa": {"gene": chromosome[5000:5300]},
        "plasmid.fa": {"plasmid": a[:700] + ENZYMES + a[700:]},
        "read.fa": {"read": b[1500:] + b[:1500]},
        "aligned.fa": {"A": "ACG-T", "B": "ACGGT"},
        "lambda.fa": {"lambda": a},
        "deleted.fa": {"deleted": a[:50] + a[60:]},
        "phix174.fa": {"phix174": a},
        "turned.fa": {"turned": a[2000:] + a[:2000]},
        "proteins.fa": {"p": "MKVLAAGW", "q": "MKVLGAGW", "r": "MRVLAG"},
        "contigs.fa": {"1": chromosome[:900], "2": chromosome[1000:2000]},
        "lineages.fa": {"a": a, "b": b, "c": a[10:]},
        "genome.fa": {"chr1": chromosome},
        "two.fa": {"chr1": chromosome, "chr2": chromosome[:25_000]},
        "many.fa": {"a": "kitten", "b": "sitting", "c": "mitten"},
        "genomes/one.fa": {"one": a},
    }
    (folder / "genomes").mkdir()
    for file, kept in records.items():
        (folder / file).write_text("".join(f">{title}\n{text}\n" for title, text in kept.items()), encoding="utf-8")
    (folder / "primers.txt").write_text(f"{ENZYMES}\nGGTACCA\n", encoding="utf-8")
    (folder / "reads.fq.gz").write_bytes(gzip.compress(b"@r\nACGT\n+\nIIII\n"))
    (folder / "minimap2.paf").write_text("A\t3000\t0\t10\t+\tB\t2998\t0\t10\t10\t10\t60\tcg:Z:10M\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # of ``desktop``
    return folder


def run(capsys, line):
    """Run a command of a page; it does what it says, or the machine lacks what it needs."""
    code, _, said = call(capsys, *shlex.split(line)[1:])
    lacks = [text for words, text in LACKS.items() if words in line]
    assert code < 2 or (lacks and lacks[0] in said), (line, said)


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page) and page != WINDOW], ids=name)
def test_each_command_without_an_answer_runs(files, capsys, page):
    made = [shlex.join(words.split()) for words in MADE_PAGES["PICTURES"].values()]
    ran = 0
    for line in commands(page):
        if any(words in line for words in (*LONG, "--scheduler")):
            continue
        if page.stem == "tour":  # test_made_pages makes these pictures
            assert any(line.startswith(f"wavediff {words}") for words in made), line
            continue
        if "--record-b" in line or "genome.fa:chr2" in line:
            line = line.replace("genome.fa", "two.fa")
        before = {one: one.stat().st_mtime_ns for one in files.rglob("*")}
        run(capsys, line)
        written = re.findall(r"--(?:json|paf|sam|tsv|bed|html|svg|text|save-index|newick) (\S+\.\w+)", line)
        assert all((files / one).stat().st_mtime_ns != before.get(files / one) for one in written), line
        ran += 1
    assert ran or page.stem in ("tour", "recipes")


@pytest.mark.thorough
def test_long_commands_run(files, capsys):
    page = DOCS / "lessons.md"
    ran = [line for line in commands(page) if any(words in line for words in LONG)]
    assert len(ran) == len(LONG)
    for line in ran:
        run(capsys, line)
    assert (files / "course" / "index.html").is_file()


def test_the_recipe_of_a_cluster_gives_the_answers_of_this_computer(files, capsys):
    """``test_documents`` compares what it prints with its page."""
    ((line, printed),) = (one for page in PAGES for one in answers(page) if "--scheduler" in one[0])
    code, out, _ = call(capsys, *shlex.split(line.partition(" --scheduler")[0]))
    assert (code, out.splitlines()[:-1]) == (1, printed.splitlines()[:-1])


@pytest.mark.parametrize("line", commands(WINDOW))
def test_the_commands_of_the_window_compare_in_one(files, spawn, tmp_path, line):
    pytest.importorskip("PySide6")
    (files / "two.fa").replace(files / "genome.fa")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path / "config")}
    words = [sys.executable, "-c", IN_A_WINDOW, *shlex.split(line)[1:]]
    process = spawn(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    out, err = finish(process, 500)  # kernels may be compiled meanwhile
    assert (process.returncode, len(out.splitlines())) == (0, 1), err


def test_the_statements_of_the_page_on_python_run(files, capsys):
    code = next(block for block in blocks((DOCS / "api.md").read_text(encoding="utf-8")) if "import wavediff" in block)
    for record, sample in (("A", "mt_human_NC_012920.1.fa"), ("B", "mt_orangutan.fa")):  # a long pair, as the page says
        letters_of = (files / sample).read_text(encoding="utf-8").partition("\n")[2]
        (files / f"{record}.fa").write_text(f">{record}\n{letters_of}", encoding="utf-8")
    (files / "minimap2.paf").write_text("A\t16569\t0\t10\t+\tB\t16499\t0\t10\t10\t10\t60\tcg:Z:10M\n", encoding="utf-8")
    names = {}
    exec(code, names)
    assert (names["answer"].distance, names["answer"].cigar, names["answer"].identical) == (3, "1X3=1X1=1I", False)
    assert names["distances"].shape == (3, 3)
    assert (files / "answer.paf").is_file()
    assert "3 edits" in capsys.readouterr().out
