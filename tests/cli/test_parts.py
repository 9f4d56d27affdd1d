"""``file:record:from-to`` in place of a file, in each command."""

import json

import pytest

from tests.cli.helpers import call, trouble
from tests.cli.test_pipes import shell
from wavediff.core.jobs.cancel import CancelToken

R1, R2 = "ACGTACGTTTGCATTTGATTACA", "TTTTGGGGCCCCAAAA"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.fa").write_text(f">r1\n{R1}\n>r2\n{R2}\n>r3\n{R1[:8]}\n")
    (tmp_path / "b.txt").write_text(R1[4:12])
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("compare many.fa:r1:5-12 b.txt --cigar -", 0, "8=\n"),
        ("compare many.fa:r1 many.fa:r1:1-20 --cigar -", 1, "20=3D\n"),
        ("compare many.fa:r1:1-8 many.fa:r3 --fasta -", 0, f">r1:1-8\n{R1[:8]}\n>r3\n{R1[:8]}\n"),
        ("bwt many.fa:r2:3-6 --last-column -", 0, "GGTT"),
        ("find many.fa:r1:14- TTTG --tsv -", 0, "sequence\tpattern\tstart\tend\nr1:14-23\tTTTG\t1\t4\n"),
        ("search many.fa:r2 --pattern CCCC --bed -", 0, "r2\t8\t12\tCCCC\t1000\t+\n"),
        ("search many.fa:r2:9-16 many.fa:r1 --pattern CCCC --bed -", 0, "r2:9-16\t0\t4\tCCCC\t1000\t+\n"),
    ],
)
def test_each_command_takes_a_part_for_a_file(folder, capsys, line, code, out):
    assert call(capsys, *line.split(), "--quiet")[:2] == (code, out)


def test_batch_and_race_take_parts(folder, capsys):
    found = json.loads(
        call(capsys, "batch", "many.fa:r3", "many.fa", "--pairs", "all-to-all", "--quiet", "--json", "-")[1]
    )
    assert [found[side]["names"] for side in "ab"] == [["r3"], ["r1", "r2", "r3"]]
    code, out, _ = call(
        capsys, "race", "many.fa:r1:1-8", "many.fa:r3", "-m", "lcs", "--kernels", "cpu", "--no-alignment", "--tsv", "-"
    )
    assert (code, out.splitlines()[1].split("\t")[2]) == (0, "8")


def test_json_names_the_file_and_the_record(folder, capsys):
    found = json.loads(call(capsys, "compare", "many.fa:r2", "many.fa:r1:3-9", "--quiet", "--json", "-")[1])
    assert [(found[one]["source"], found[one]["record"], found[one]["name"]) for one in "ab"] == [
        ("many.fa", 2, "r2"), ("many.fa:r1:3-9", 1, "r1:3-9"),
    ]  # fmt: skip


def test_the_file_of_a_part_is_not_written_over(folder, capsys):
    before = (folder / "many.fa").read_bytes()
    trouble(call(capsys, "compare", "many.fa:r1", "b.txt", "--paf", "many.fa"), "this is the input many.fa:r1")
    assert (folder / "many.fa").read_bytes() == before


@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        ("cat many.fa | wavediff compare -:r1:5-12 b.txt --cigar - -q", 0, "8=\n"),
        ("cat many.fa | wavediff compare b.txt /dev/stdin:r1:5-12 --cigar - -q", 0, "8=\n"),
        ("gzip -c many.fa | wavediff compare -:r1:1-8 many.fa:3 --cigar - -q", 0, "8=\n"),
    ],
)
def test_a_pipe_has_parts_too(folder, line, code, out):
    assert shell(line, folder) == (code, out, "")


def test_a_pipe_is_read_once_whatever_part_is_wanted(folder):
    assert shell("cat many.fa | wavediff compare -:r1 -:r2", folder)[2] == (
        "wavediff: <standard input>: both A and B; a pipe can be read once\n"
    )


@pytest.mark.parametrize(
    "command", ["compare many.fa:r9 b.txt", "search many.fa:r9 --pattern AC", "bwt many.fa:r9", "find many.fa:r9 AC"]
)
def test_a_record_that_is_not_there_is_told_with_those_that_are(folder, capsys, command):
    trouble(call(capsys, *command.split()), "many.fa: no record 'r9'; 3 records: 1 'r1', 2 'r2', 3 'r3'; ")


def test_a_picture_of_a_part_opens_it_again(folder, capsys, tmp_path):
    """The recipe names file and part, without the folder; what lies next to the picture is the same letters."""
    pytest.importorskip("PySide6")
    from wavediff.app.window.pictures.picture_command import find_inputs, items_of, read_picture

    (folder / "long.fa").write_text(f">r1\n{R1 * 200}\n")
    words = "compare", "long.fa:r1:1-4,000", "many.fa:r2", "--quiet", "--svg", folder / "made.svg"
    assert call(capsys, *words) == (1, "", "")
    picture = read_picture(folder / "made.svg", {}, CancelToken())
    assert picture.recipe.words[1:3] == ("long.fa:r1:1-4,000", "many.fa")
    found = find_inputs(picture, CancelToken())
    items = [*items_of(found.arguments)]
    assert ([one.path.name for one in items], found.changed) == (["long.fa:r1:1-4,000", "many.fa"], ())
    assert [one.record for one in items] == [1, 2]
    (folder / "long.fa").write_text(f">r1\n{R2 * 300}\n")
    assert find_inputs(picture, CancelToken()).changed == (
        "long.fa:r1:1-4,000 has changed since the picture was made.",
    )
