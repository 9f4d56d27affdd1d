"""Parts of files: ``file:record`` and ``file:record:from-to``, in whatever reads a file."""

import gzip

import pytest

from wavediff.core.base.errors import InputError
from wavediff.core.base.file_names import split_name
from wavediff.core.base.notices import NoticeKind
from wavediff.core.reading import read
from wavediff.core.sequences.sequence import Alphabet

R1, R2 = "ACGTACGTTTGCANNNGATTACA", "TTTTGGGGCCCCAAAA"
FASTA = f">r1 the first\n{R1[:10]}\n{R1[10:]}\n>r2\n{R2}\n>chr1:5-9\nACGTAC\n>gi|1:c9-1 x\nGGGG\n>\nCCCCC\n"

LISTED = "5 records: 1 'r1', 2 'r2', 3 'chr1:5-9', 4 'gi|1:c9-1', 5 'record 5'"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.fa").write_text(FASTA)
    (tmp_path / "many.fa.gz").write_bytes(gzip.compress(FASTA.encode()))
    (tmp_path / "reads.fq").write_text("@q1\nACGTA\n+\nIIIII\n@q2\nGGCCT\n+\nIIIII\n")
    (tmp_path / "bad.fq").write_text("@q1\nACGT\n+\nIII\n")
    (tmp_path / "one.fa").write_text(">only\nACGTACGTAC\n")
    (tmp_path / "word.txt").write_text("sitting")
    (tmp_path / "a:b.fa").write_text(">x\nTTTT\n>y\nGGGG\n")
    (tmp_path / "C:\\a.fa").write_text(">x\nTTTT\n>y\nGGGG\n")
    (tmp_path / "many.fa:r2").write_text("a file that is called so\n")
    (tmp_path / "folder:x").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "called", "letters", "record"),
    [
        ("many.fa:r1", "r1", R1, 1),
        ("many.fa:1", "r1", R1, 1),
        ("many.fa:r1 the first", "r1", R1, 1),
        ("many.fa:r1:1-4", "r1:1-4", "ACGT", 1),
        ("many.fa:r1:23-23", "r1:23-23", "A", 1),
        ("many.fa:r1:1-23", "r1:1-23", R1, 1),
        ("many.fa:r1:17-", "r1:17-23", "GATTACA", 1),
        ("many.fa:r1:5..8", "r1:5-8", "ACGT", 1),
        ("many.fa:2:5-8", "r2:5-8", "GGGG", 1),
        ("many.fa:chr1:5-9", "chr1:5-9", "ACGTAC", 3),
        ("many.fa:chr1:5-9:2-3", "chr1:5-9:2-3", "CG", 1),
        ("many.fa:gi|1:c9-1", "gi|1:c9-1", "GGGG", 4),
        ("many.fa:5", "record 5", "CCCCC", 5),
        ("many.fa:5:2-3", "record_5:2-3", "CC", 1),
        ("many.fa.gz:r1:1-4", "r1:1-4", "ACGT", 1),
        ("reads.fq:q2:1-2", "q2:1-2", "GG", 1),
        ("one.fa:3-4", "only:3-4", "GT", 1),
        ("one.fa::3-4", "only:3-4", "GT", 1),
        ("one.fa:only", "only", "ACGTACGTAC", 1),
        ("word.txt:2-4", "word:2-4", "itt", 1),
        ("a:b.fa:y:1-2", "y:1-2", "GG", 1),
        ("C:\\a.fa:y", "y", "GGGG", 2),
    ],
)
def test_a_part_is_a_record_of_its_own(folder, name, called, letters, record):
    load = read(name)
    one = load.sequence(0)
    assert (load.n_records, one.name, one.letters.tobytes().decode(), one.record) == (1, called, letters, record)
    assert one.source == (name if called[-1:].isdigit() and ("-" in called and record == 1) else split_name(name).file)


@pytest.mark.parametrize(
    ("name", "n_records"), [("a:b.fa", 2), ("C:\\a.fa", 2), ("many.fa:r2", 1), ("many.fa", 5), ("many.fa.gz", 5)]
)
def test_a_name_that_a_file_has_is_that_file(folder, name, n_records):
    assert (split_name(name).part, read(name).n_records) == (None, n_records)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("many.fa:gi|1:c9", f"many.fa: no record 'gi|1:c9'; {LISTED}; did you mean many.fa:gi|1:c9-1?"),
        ("many.fa:zzz", f"many.fa: no record 'zzz'; {LISTED}; choose one with many.fa:NAME|N"),
        ("many.fa:6", "many.fa: no record '6'; 5 records"),
        ("many.fa:0", "many.fa: no record '0'; 5 records"),
        ("many.fa:", "many.fa: no record ''; 5 records"),
        ("many.fa:3-4", "many.fa: 5 records: 1 'r1'"),
        ("bad.fq:q1", "bad.fq, record 1 'q1', line 4: sequence and qualities of a FASTQ record differ in length"),
        ("word.txt:r1", "word.txt: no record 'r1'; 1 record: 1 'word'"),
        ("many.fa:r1:0-4", "many.fa, record 1 'r1': the range 0-4 begins before letter 1"),
        ("many.fa:r1:3-0", "many.fa, record 1 'r1': the range 3-0 begins before letter 1"),
        ("many.fa:r1:8-4", "many.fa, record 1 'r1': the range 8-4 ends before it begins; 4-8 is one"),
        ("many.fa:r1:20-24", "many.fa, record 1 'r1': the range 20-24 goes past letter 23, the last one"),
        ("many.fa:r1:24-", "many.fa, record 1 'r1': the range 24- goes past letter 23, the last one"),
        ("many.fa:r1:1k-2k", "many.fa, record 1 'r1': the range 1k-2k goes past letter 23, the last one"),
        ("many.fa:r1:-4", "many.fa, record 1 'r1': '-4' is no range; 1,001-2,000 is one"),
        ("many.fa:r1:x-4", "many.fa, record 1 'r1': 'x-4' is no range; 1,001-2,000 is one"),
        ("missing.fa:r1", "missing.fa:r1: no such file"),
        ("folder:x:r1", "folder:x:r1: no such file"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_there_is_told(folder, name, said):
    with pytest.raises(InputError) as caught:
        read(name)
    assert str(caught.value).startswith(said)


def test_a_part_keeps_what_is_known_of_its_record(folder):
    (folder / "protein.fa").write_text(">p\nMKVLWAALLVTFLAGCQAKVEQAVETEPEPELRQQACGTACGT\n")
    assert read("protein.fa:p:36-43").sequence(0).alphabet is Alphabet.PROTEIN
    (folder / "gaps.fa").write_text(">g\nAC-GT--A\n>h\nACGT\n")
    load = read("gaps.fa:h")
    assert [one.kind for one in load.notices] == [NoticeKind.DROPPED]
    assert read("gaps.fa:g:2-4").sequence(0).letters.tobytes() == b"CGT"


def test_a_small_part_does_not_keep_the_whole_file(folder):
    assert read("many.fa:r1:1-4").letters.base is None
