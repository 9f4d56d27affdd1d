"""What files are read as: named by --format, aligned FASTA, records chosen by name or number."""

import json

import numpy as np
import pytest

from tests.cli.helpers import call, trouble
from tests.core.reading.test_flat_files import genbank
from tests.oracles import bwt as oracle
from wavediff.app.commands.options import count
from wavediff.core.sequences.read_as import ReadAs

LETTER = b"Dear all,\r\n\r\n> shall we meet at 10?\r\nYes.\r\n"
COMMANDS = [
    "compare X Y --method edit",
    "batch X Y",
    "race X Y --kernels cpu --no-alignment",
    "search X --pattern=we",
    "bwt X",
    "find X we",
]
PAIRS = COMMANDS[0], COMMANDS[2]  # of which neither is a sequence: then both are texts


@pytest.fixture
def letters(tmp_path):
    (tmp_path / "x.txt").write_bytes(LETTER)
    (tmp_path / "y.txt").write_bytes(LETTER.replace(b"10", b"11"))
    (tmp_path / "x.bin").write_bytes(bytes(range(256)) * 2)
    (tmp_path / "y.bin").write_bytes(bytes(range(256)) + b"\0")
    return tmp_path


def words(command, folder, ending):
    return [str(folder / f"{one.lower()}{ending}") if one in ("X", "Y") else one for one in command.split()]


@pytest.mark.parametrize("command", PAIRS)
def test_two_texts_in_place_of_sequences_are_read_as_texts(letters, capsys, command):
    asked = words(command, letters, ".txt")
    code, _, err = call(capsys, *asked)
    as_texts, _, said = call(capsys, *asked, "--format", "text")
    assert code == as_texts != 2
    assert err.count("text before the first '>' line; read as plain text") == 2
    assert "plain text" not in said


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in PAIRS])
def test_a_refusal_names_the_way_out_and_it_works(letters, capsys, command):
    asked = words(command, letters, ".txt")
    says = "line 1: text before the first '>' line", "(--format text reads it as plain text)"
    trouble(call(capsys, *asked, "--quiet"), str(letters / "x.txt"), *says)
    assert call(capsys, *asked, "--format", "text", "--quiet")[0] in (0, 1)


@pytest.mark.parametrize("command", [one.replace("we", "ABC") for one in COMMANDS])
def test_any_file_can_be_used_as_its_bytes(letters, capsys, command):
    asked = words(command, letters, ".bin")
    trouble(call(capsys, *asked, "--quiet"), "a zero byte: not a text file", "(--format bytes reads it as bytes)")
    assert call(capsys, *asked, "--format", "bytes", "--quiet")[0] in (0, 1)


def test_the_second_file_has_its_own(letters, files, capsys):
    a, b = files / "a.fa", files / "x.txt"
    trouble(call(capsys, "compare", a, b, "--quiet"), str(b), "(--format-b text reads it as plain text)")
    code, out, _ = call(capsys, "compare", a, b, "--format-b", "text", "--quiet", "--json", "-", "--case", "fold")
    text = LETTER.replace(b"\r", b"")[:-1]
    assert (code, json.loads(out)["length_a"], json.loads(out)["length_b"]) == (1, 10, len(text))
    code, out, _ = call(capsys, "compare", a, a, "--format", "bytes", "--format-b", "auto", "--quiet", "--json", "-")
    assert (json.loads(out)["length_a"], json.loads(out)["length_b"]) == (len(a.read_bytes()), 10)
    assert call(capsys, "compare", b, b, "--format", "bytes", "--quiet")[0] == 0


def test_the_transform_of_a_file_is_that_of_its_bytes(letters, capsys):
    """Last line end, CRLF and zero bytes included."""
    for name in ("x.txt", "y.bin"):
        column, back = letters / "column", letters / "back"
        data = (letters / name).read_bytes()
        code, out, _ = call(
            capsys, "bwt", letters / name, "--format", "bytes", "--last-column", column, "--json", "-", "--quiet"
        )
        last, primary = oracle.bwt(data)
        assert (code, column.read_bytes(), json.loads(out)["primary_index"]) == (0, last, primary)
        words = ["bwt", column, "--inverse", "--primary-index", primary, "--text", back, "--quiet"]
        assert call(capsys, *words)[0] == 0
        assert back.read_bytes() == data


def test_an_empty_file_can_be_compared(letters, capsys):
    (letters / "empty").write_bytes(b"")
    for how in ("auto", "text", "bytes"):
        asked = ["compare", letters / "empty", letters / "x.bin", "--format-b", "bytes", "--format", how, "--quiet"]
        code, out, _ = call(capsys, *asked, "--method", "edit", "--json", "-")
        assert (code, json.loads(out)["distance"]) == (1, 512)


def test_every_way_of_reading_can_be_asked_for(capsys):
    _, out, _ = call(capsys, "compare", "--help")
    assert f"{{{','.join(ReadAs)}}}" in out
    assert count("3") == 3


def test_what_cannot_hold_a_text_does_not_keep_the_rest_from_being_written(letters, capsys):
    sam, fasta, paf = (letters / f"out.{kind}" for kind in ("sam", "fasta", "paf"))
    asked = [*words("compare X Y", letters, ".txt"), "--format", "text", "--quiet", "--sam", sam, "--fasta", fasta]
    says = "--sam not written: y, position 5: SAM cannot hold ' '", "--fasta not written: x, position 5"
    trouble(call(capsys, *asked), *says)
    trouble(call(capsys, *asked, "--paf", paf), *says)
    assert paf.read_text().startswith("y\t")
    assert not sam.exists()
    assert not fasta.exists()


LEFT, RIGHT = (
    "ATATACGGAGGTCGGATTAGTAGGAGACAACATTGTTTAGTGCGCGCACCTAGTTCTCGG",
    "AGAGAACTCCCACAAGGTGGCACCATGCCCACCCAGCTCGGATGAAGTAGCGTGTTAAAT",
)


@pytest.mark.parametrize(
    ("aligned", "raw", "n_gaps"), [(LEFT + "-" * 12 + RIGHT, LEFT + RIGHT, 12), ("ACGT--ACGT", "ACGTACGT", 2)]
)
def test_an_aligned_sequence_is_the_same_as_its_letters(tmp_path, capsys, aligned, raw, n_gaps):
    (tmp_path / "aligned.fa").write_text(f">aligned\n{aligned}\n")
    (tmp_path / "raw.fa").write_text(f">raw\n{raw}\n")
    code, out, err = call(capsys, "compare", "-v", tmp_path / "aligned.fa", tmp_path / "raw.fa")
    assert code == 0
    assert f"A  aligned: {len(raw)} letters, DNA" in out
    assert f"aligned.fa: {n_gaps} gap characters '-' of an alignment dropped: places are those of the letters" in err


def test_a_search_finds_what_lies_across_a_gap(tmp_path, capsys):
    (tmp_path / "aligned.fa").write_text(">aligned\nAC--GT.AC\n")
    code, out, _ = call(capsys, "search", tmp_path / "aligned.fa", "--pattern", "CGTA", "--bed", "-", "--quiet")
    assert (code, out) == (0, "aligned\t1\t5\tCGTA\t1000\t+\n")


def test_the_variants_of_two_aligned_sequences_have_no_gap_characters(tmp_path, capsys):
    (tmp_path / "pair.fa").write_text(">a\n--ACGTACGT\n>b\nTTACCTAC--\n")
    pair = tmp_path / "pair.fa", tmp_path / "pair.fa"
    words = "--record-a", "a", "--record-b", "b", "--variants", "-", "--quiet"
    assert call(capsys, "compare", *pair, *words)[:2] == (1, "0_1insTT\nG3C\n7-8del\n")


@pytest.fixture
def alike(tmp_path):
    file = tmp_path / "alike.fa"
    file.write_text(">genome_id #1\nACGT\n>genome_id  #2\nACGTA\n>genome_id #3\nACGTAC\n>other x\nACG\n")
    return file


def test_a_record_is_named_by_its_whole_header(alike, capsys):
    for wanted, length in (("genome_id #2", 5), ("genome_id #3", 6), ("other", 3), ("other x", 3), ("1", 4)):
        words = ("compare", alike, alike, "--record-a", wanted, "--record-b", 4, "--quiet", "--json", "-")
        assert json.loads(call(capsys, *words)[1])["length_a"] == length


def test_records_of_one_name_are_listed_with_their_descriptions(alike, capsys):
    listed = "1 'genome_id #1', 2 'genome_id #2', 3 'genome_id #3'"
    trouble(call(capsys, "compare", alike, alike, "--quiet"), f"4 records: {listed}, 4 'other x'", "--record-a NAME|N")
    words = ("compare", alike, alike, "--quiet", "--record-b", "genome_id", "--record-a", "other")
    trouble(call(capsys, *words), f"3 records are called 'genome_id': {listed}", "--record-b N, or by its whole header")
    trouble(call(capsys, *words[:-1], "genome_id #4"), f"no record 'genome_id #4'; 4 records: {listed}")


def test_records_with_features_are_compared_by_their_letters(tmp_path, capsys):
    """B is A without letters 1,201 to 1,300 and with seven letters inserted behind letter 500."""
    letters = np.random.default_rng(46).choice(list(b"acgt"), 3_000).astype(np.uint8).tobytes()
    changed = letters[:500] + b"acgtacg" + letters[500:1_200] + letters[1_300:]
    place = b'FEATURES             Location/Qualifiers\n     CDS             %d..%d\n                     /gene="ghi"\n'
    for name, one, at in (("a.gb", letters, 2_000), ("b.gb", changed, 1_907)):
        (tmp_path / name).write_bytes(genbank(one, b"linear", place % (at, at + 800)))
    code, out, err = call(capsys, "compare", tmp_path / "a.gb", tmp_path / "b.gb", "--json", "-", "--quiet")
    told = json.loads(out)
    assert (code, err, told["distance"], told["a"]["name"]) == (1, "", 107, "X1.2")
