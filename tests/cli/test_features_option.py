"""``--features``: the features of a file for the side whose records it names."""

import pytest

from tests.cli.helpers import call, trouble


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.fa").write_text(">a\nCCCATGAACGGGTTTTAACC\n")
    (tmp_path / "b.fa").write_text(">b\nCCCATGTACGGGTTTTAACC\n")
    return tmp_path


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize(
    "line", ["{}\tx\tCDS\t4\t18\t.\t+\t0\tID=c;gene=S", '{}\tx\tCDS\t4\t18\t.\t+\t0\tgene "S"; transcript_id "t";']
)
def test_features_are_those_of_the_records_that_are_named(capsys, folder, side, line):
    (folder / "known.gff").write_text(line.format(side) + "\n")
    _, out, err = call(capsys, "compare", "a.fa", "b.fa", "--features", "known.gff")
    assert "effects: 1 missense: S:N2Y" in out
    assert err.count("1 feature of known.gff") == 1
    assert "left out" not in err


@pytest.mark.parametrize("strand", ["+", "-"])
@pytest.mark.parametrize(
    ("start", "end", "effect"),
    [(1, 20, "1 missense: S:N2Y"), (5, 17, "1 missense: S:N2Y"), (3, 19, "1 missense: S:N2Y"), (5, 8, "1 unknown")],
)
def test_a_range_leaves_the_frame_and_the_numbers_of_codons(capsys, folder, strand, start, end, effect):
    if strand == "-":
        for name in "ab":
            letters = (folder / f"{name}.fa").read_text().split()[1]
            (folder / f"{name}.fa").write_text(f">{name}\n{letters[::-1].translate(str.maketrans('ACGT', 'TGCA'))}\n")
        start, end = 21 - end, 21 - start
    place = "4\t18" if strand == "+" else "3\t17"
    (folder / "a.gff3").write_text(f"a\tx\tCDS\t{place}\t.\t{strand}\t0\tID=c;gene=S\n")
    assert f"effects: {effect}" in call(capsys, "compare", f"a.fa:{start}-{end}", "b.fa", "--ends", "b")[1]


def test_bed_names_regions(capsys, folder):
    (folder / "known.bed").write_text("a\t3\t18\tpart\n")
    assert "effects: 1 non-coding\n" in call(capsys, "compare", "a.fa", "b.fa", "--features", "known.bed")[1]


def test_a_file_of_other_records_is_refused(capsys, folder):
    (folder / "known.bed").write_text("z\t3\t18\tpart\n")
    answer = call(capsys, "compare", "a.fa", "b.fa", "--features", "known.bed")
    trouble(answer, "known.bed: no feature of the records that were read; its lines name them: a, b")
