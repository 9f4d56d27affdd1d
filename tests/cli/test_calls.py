"""Calls as people type them, in a folder with three files: the answer that each one expects."""

import pytest

from tests.cli.helpers import call, trouble

KITTEN = "  A 1  kitten-  6\n       .|||.|\n  B 1  sitting  7\n"
CALLS = [  # what is typed, exit code, a part of standard output, a part of standard error
    ("compair kitten.txt sitting.txt", 2, "", "no command 'compair'; did you mean compare?"),
    ("diff kitten.txt sitting.txt", 2, "", "no command 'diff'; did you mean compare?"),
    ("align kitten.txt sitting.txt", 2, "", "no command 'align'; did you mean compare?"),
    ("genome", 2, "", "no command and no file 'genome'; the commands are open, compare, "),
    ("serach a.fa GATTACA", 2, "", "no command 'serach'; did you mean search?"),
    ("help", 0, "usage: wavediff", ""),
    ("help compare", 0, "--band", ""),
    ("--help", 0, "exit codes", ""),
    ("help compar", 2, "", "no command 'compar'; did you mean compare?"),
    ("help nothing", 2, "", "no command 'nothing'; the commands are open, compare, "),
    ("-V", 0, "wavediff 0.", ""),
    ("version", 0, "wavediff 0.", ""),
    ("compare /dev/null sitting.txt", 1, "7 letters inserted", ""),
    ("compare sitting.txt /dev/null", 1, "7 letters deleted", ""),
    ("compare kitten.txt sitting.txt --metod lcs", 2, "", "did you mean --method? (see wavediff compare --help)"),
    ("search a.fa --pattrn=GAT", 2, "", "unrecognized arguments: --pattrn=GAT; did you mean --pattern?"),
    ("compare a b --nothing-like-it", 2, "", "unrecognized arguments: --nothing-like-it (see"),
    ("compare a b -x", 2, "", "compare --help)"),
    ("compare kitten.txt sitting.txt --view letters", 1, KITTEN, ""),
    ("compare kitten.txt sitting.txt", 1, KITTEN, ""),
    ("compare kitten.txt --method edit sitting.txt", 1, KITTEN, ""),  # a file behind an option behind a file
    ("compare kitten.txt -q sitting.txt many.fa", 2, "", "unrecognized arguments: many.fa (see"),
    ("search ACGTAC -k 0 --both-strands many.fa", 0, "[ACGTAC]", ""),
    ("compare kitten.txt kitten.txt", 0, "No differences", ""),
    ("compare kitten.txt sitting.txt -o k.paf -q", 1, "", ""),
    ("compare kitten.txt sitting.txt --trace none --quiet", 2, "", "is '--traceback none' meant?"),
    ("compare kitten.txt sitting.txt --meth lcs --cig - --quiet", 2, "", "did you mean --method?"),
    ("compare kitten.txt sitting.txt --traceback hirschberg", 2, "", "it goes with --method lcs"),
    ("compare many.fa:1 many.fa:2 --method affine --matrix BLOSUM62", 1, "Score", "try --matrix DNAfull"),
    ("compare many.fa:r1 many.fa:r2", 1, "substitution", ""),
    ("compare many.fa:r1:1-20 many.fa:r2:1-20 -q --cigar -", 1, "X", ""),
    ("compare many.fa:r9 kitten.txt", 2, "", "no record 'r9'"),
    ('compare kitten.txt sitting.txt --tsv "" --quiet', 2, "", "--tsv: the name of a file is needed"),
    ("many.fa kitten.txt --record-a r1 --method swp", 2, "", "'swp' is not edit"),
    ("search many.fa ACGTAC", 0, "[ACGTAC]", ""),
    ("search ACGTAC many.fa", 0, "[ACGTAC]", ""),
    ("search GATTACAGATTACA many.fa", 1, "0 hits", ""),
    ("search ACGTAC nowhere.fa", 2, "", "nowhere.fa: no such file"),
    ("search GGAT many.fa -k 1", 0, "up to 1 mismatch)", ""),
    ("compare --text ACGT AGGT", 2, "", "B is missing; --text takes ACGT as its file"),
    ("compare", 2, "", "A and B are missing (see wavediff compare --help)"),
    ("compare ACGT AGGT", 2, "", "ACGT: no such file; data:,ACGT stands for these letters"),
    ("compare data:,ACGT data:,AGGT", 1, "1 substitution", ""),
    ("compare kitten.txt sitting.txt -o k.paf --cigar k.txt", 1, "wrote k.paf, k.txt\n", ""),
    ("batch kitten.txt sitting.txt", 1, "  kitten  sitting  3  57.1 %\n", ""),
    ("batch kitten.txt", 2, "", "kitten.txt: 1 record; two or more are compared"),
    ("race kitten.txt sitting.txt --rounds 1 --no-alignment", 0, "edit distance 3", ""),
    ("find ACGTAC many.fa:r1", 0, "ACGTAC: 1 at 5", ""),
    ("lesson edit-tabel", 2, "", "did you mean edit-table?"),
    ("lesson edit-table --png s.png --quiet", 0, "", ""),
    ("lesson edit-table --html page.html", 0, "wrote page.html\n", ""),
    ("lesson all --html-folder course", 0, "wrote course/index.html and 33 other files\n", ""),
    ("lesson all --html-folder quiet --quiet", 0, "", ""),
    ("bwt many.fa:r1", 0, "runs: ", ""),
    ("desktop -h", 0, "  XDG_DATA_HOME=/usr/local/share wavediff desktop  # for all users\n", ""),
    ("completion -h", 0, '  eval "$(wavediff completion bash)"    # completion in this bash', ""),
    ("compare -h", 0, "  -m, --method {", ""),
    ("worker tcp://127.0.0.1:1", 2, "", "no Dask scheduler answers at tcp://127.0.0.1:1"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kitten.txt").write_text("kitten\n")
    (tmp_path / "sitting.txt").write_text("sitting\n")
    (tmp_path / "many.fa").write_text(">r1\nGGATACGTACCATGGATTACAGGC\n>r2\nGGATACGTGCCATGGATTACAGGC\n")
    return tmp_path


@pytest.mark.parametrize(("line", "code", "out", "err"), CALLS, ids=[one[0] for one in CALLS])
def test_a_call_is_answered_as_expected(folder, capsys, monkeypatch, line, code, out, err):
    monkeypatch.setattr("wavediff.core.system.program.name", lambda: "wavediff")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    if line.startswith("worker"):
        pytest.importorskip("distributed")
    words = [word.strip('"') for word in line.split()]
    found = call(capsys, *words)
    assert found[0] == code
    assert out in found[1]
    assert err in found[2]
    assert code != 2 or found[2].count("\n") == 1


def test_bench_without_peers_names_the_command_that_installs_them(capsys, monkeypatch):
    monkeypatch.setattr("wavediff.tests.bench.__main__.PACKAGES", ("no_such_peer",))
    trouble(call(capsys, "bench"), "wavediff: the package no_such_peer is missing here: ", " install no_such_peer\n")


def test_a_file_that_is_called_nearly_as_a_command_is_a_file(folder, capsys, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    opened = []
    monkeypatch.setattr(
        "wavediff.app.commands.tools.open_window", lambda arguments: opened.append(arguments.paths) or 0
    )
    (folder / "compair").write_text("x")
    assert call(capsys, "compair")[0] == 0
    assert opened == [["compair"]]
