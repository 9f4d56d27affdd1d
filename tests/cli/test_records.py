"""Records of a file, named by ``--record-a`` and ``--record-b``."""

import json

import pytest

from tests.cli.helpers import call, trouble


@pytest.fixture
def alike(tmp_path):
    """Return a file of three records of one name."""
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
