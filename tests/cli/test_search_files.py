"""``search`` in many files and folders: the hits of each file as when it is searched alone, in order."""

import errno
import gzip
import json
import os
import threading
from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble
from tests.cli.test_search import LAMBDA, table


@pytest.fixture
def folder(tmp_path):
    """Return a folder of files, some below, one compressed, one hidden, one that is a picture."""
    root = tmp_path / "texts"
    (root / "below").mkdir(parents=True)
    (root / "b.fa").write_text(">one\nACGTACGT\n>two\nTTACGTT\n")
    (root / "a.txt").write_text("In text ACGT is not acgt; this line is long.\n")
    (root / "below" / "c.fa.gz").write_bytes(gzip.compress(b">three\nGGACGTGG\n"))
    (root / ".hidden.fa").write_text(">no\nACGT\n")
    return root


def rows(capsys, *words):
    code, out, _ = call(capsys, "search", *words, "--pattern", "ACGT", "--tsv", "-", "--quiet")
    assert code in (0, 1)
    return table(out)


def test_each_file_as_when_it_is_searched_alone(folder, capsys):
    files = [folder / "a.txt", folder / "b.fa", folder / "below" / "c.fa.gz"]
    expected = [{"file": str(one), **row} for one in files for row in rows(capsys, one)]
    assert len(expected) == 5
    assert rows(capsys, folder) == rows(capsys, *files) == expected
    assert [row["file"] for row in rows(capsys, files[2], files[0])] == [str(files[2]), str(files[0])]
    for limit in (1, 2, 3, 4, 5):
        assert rows(capsys, folder, "--limit", limit) == expected[:limit]


def test_the_summary_and_json_name_the_files(folder, capsys, tmp_path):
    out, bed = tmp_path / "found.json", tmp_path / "found.bed"
    code, text, _ = call(capsys, "search", folder, LAMBDA, "--pattern", "ACGT", "--json", out, "--bed", bed)
    assert code == 0
    assert text.startswith(f"{folder / 'a.txt'}:a:9-12  +  ")
    assert "\n4 files: " in text
    assert f"           3  {folder / 'b.fa'}" in text
    found = json.loads(out.read_text())
    assert [one["hits"] for one in found["files"]][:3] == [1, 3, 1]
    assert found["hits"] == found["patterns"][0]["hits"] == sum(one["hits"] for one in found["files"])
    assert found["complete"]
    assert len(bed.read_text().splitlines()) == found["hits"]
    _, text, _ = call(capsys, "search", folder, "--pattern", "ACGT", "--limit", "4", "--json", out)
    assert not json.loads(out.read_text())["complete"]


@pytest.mark.parametrize("pattern", ["ACGTTG..CCATGA", "EcoRI", "ACGT"])
def test_a_pattern_has_the_letters_that_it_has_in_one_file(folder, capsys, tmp_path, pattern):
    """A pair of primers those of both, an enzyme those of its site."""
    out, lengths = tmp_path / "found.json", []
    (folder / "a.txt").unlink()
    for where in (folder / "b.fa", folder):
        call(capsys, "search", where, "--pattern", pattern, "--json", out)
        lengths.append([one["length"] for one in json.loads(out.read_text())["patterns"]])
    assert lengths[0] == lengths[1]


def test_files_that_cannot_be_searched_are_left_out(folder, capsys):
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (folder / "empty.fa").touch()
    code, out, err = call(capsys, "search", folder, "--pattern", "ACGT")
    assert code == 0, "nobody named them"
    assert "1 file left out" in out
    (line,) = [one for one in err.splitlines() if "this is a PNG picture" in one]
    assert line.startswith("note: ")
    assert "empty.fa" not in err, "it has no letter to be searched"
    code, out, err = call(capsys, "search", folder / "none.fa", folder / "b.fa", "--pattern", "ACGT")
    assert code == 2
    (line,) = [one for one in err.splitlines() if "none.fa" in one]
    assert line.startswith("wavediff: ")
    assert "3 hits of 1 pattern" in out, "the others are searched"


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_pipe_is_searched_where_it_is_named(folder, capsys):
    """In a folder nobody waits for one, and no worker of a cluster can read it."""
    in_folder, alone = rows(capsys, folder), rows(capsys, folder / "b.fa")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=((folder / "b.fa").read_bytes(),))
    writer.start()
    found = rows(capsys, folder, pipe)
    writer.join()
    assert found == [*in_folder, *({**row, "file": str(pipe)} for row in alone)]
    cluster = call(capsys, "search", folder, pipe, "--pattern", "ACGT", "--scheduler", "tcp://127.0.0.1:1")
    trouble(cluster, "this is a pipe; the workers of a cluster read regular files")


def test_each_wrong_argument_is_named(folder, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    code, out, err = call(capsys, "search", "ACGT", "none.fa", tmp_path / "empty", folder)
    assert (code, "5 hits" in out) == (2, True)
    for each in ("none.fa: no such file", "empty: no files in this folder"):
        assert f"{each}" in err
    trouble(call(capsys, "search", "ACGT", tmp_path / "empty"), "empty: no files in this folder")


def test_a_folder_that_cannot_be_listed_is_named(folder, capsys, monkeypatch):
    def scandir(path, listed=os.scandir):
        if Path(path).name == "below":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
        return listed(path)

    _, before, _ = call(capsys, "search", "ACGT", folder)
    monkeypatch.setattr("os.scandir", scandir)
    code, out, err = call(capsys, "search", "ACGT", folder)
    assert (code, out.count("[ACGT]") < before.count("[ACGT]")) == (2, True)
    assert f"{folder / 'below'}: permission denied\n" in err
    trouble(call(capsys, "search", "ACGT", folder / "below"), f"{folder / 'below'}: permission denied")


def test_a_hit_of_a_text_is_shown_as_it_reads(tmp_path, capsys):
    (tmp_path / "t.txt").write_text("it's a\tdog,\n= dog\\cat\n")
    _, out, _ = call(capsys, "search", "dog", tmp_path / "t.txt", "--tsv", tmp_path / "t.tsv")
    assert out.splitlines()[0] == "t:8-10  +  it's a⇥[dog],↵= dog\\ca"
    assert "it's\\x20a\\x09[dog]" in (tmp_path / "t.tsv").read_text()
