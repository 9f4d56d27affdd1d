"""Small files to compare."""

import pytest


@pytest.fixture
def files(tmp_path):
    """Return a folder with two sequences, one in lower case, one file of many records and one bad file."""
    many = [f">chr{k}\nACGT{'A' * k}\n" for k in range(1, 9)] + [">2\nTTTT\n", ">dup\nA\n", ">dup\nC\n"]
    (tmp_path / "a.fa").write_text(">first one\nACGTACGTAC\n")
    (tmp_path / "b.fa").write_text(">second\nACGTTACGGAC\n")
    (tmp_path / "lower.fa").write_text(">low\nacgtacgtac\n")
    (tmp_path / "many.fa").write_text("".join(many))
    (tmp_path / "bad.fa").write_text(">x\nACGT\n>y\nAC!T\n")
    return tmp_path
