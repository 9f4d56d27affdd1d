"""The exported path, read back and replayed on A, gives B at the stated cost; hostile letters and names stay data."""

import re

import numpy as np
import pytest
from hypothesis import given

from tests.core.export.formats import FORMATS
from tests.core.export.helpers import alignment, columns_of, compared, comparison, sequence
from tests.oracles import edit as oracle
from wavediff.core.base.errors import ExportError
from wavediff.core.export import letter_fields
from wavediff.core.export import sam as sam_module
from wavediff.core.export import tsv as tsv_module
from wavediff.core.export.sam import sam
from wavediff.core.export.tsv import HEADER, tsv

BYTES = "".join(map(chr, range(1, 128)))


def text(one):
    return one.letters.tobytes()


def cost(a, b):
    return oracle.distance(text(a), text(b))


def sam_of(a, b, ops, *, fold_case=False):
    """Header lines and the fields of the record."""
    lines = b"".join(sam(comparison(a, b, alignment(ops), fold_case=fold_case))).decode("ascii").splitlines()
    return lines[:-1], lines[-1].split("\t")


@given(compared())
def test_sam_replays_and_md_gives_the_reference_back(case):
    a, b, ops = case
    head, fields = sam_of(a, b, ops)
    assert head[0].startswith("@HD\tVN:1.6")
    assert head[-1].startswith("@PG\tID:wavediff")
    assert fields[9].removesuffix("*" if not len(b) else "") == text(b).decode()
    if not len(a) or not len(b):
        assert fields[1:6] == ["4", "*", "0", "0", "*"]
        assert ("@SQ" in "".join(head)) == bool(len(a))
        return
    assert head[1] == f"@SQ\tSN:ref\tLN:{len(a)}"
    assert fields[:5] == ["query", "0", "ref", "1", "60"]
    assert fields[6:9] + fields[10:11] == ["*", "0", "0", "*"]
    tags = {tag[:4]: tag[5:] for tag in fields[11:]}
    script = columns_of(fields[5])
    assert oracle.replay(text(a), script, fields[9].encode()) == (text(b), cost(a, b))
    assert int(tags["NM:i"]) == cost(a, b)
    assert re.fullmatch(r"[0-9]+(([A-Z]|\^[A-Z]+)[0-9]+)*", tags["MD:Z"])
    assert reference(fields[9], script, tags["MD:Z"]) == text(a).decode()


def reference(read, script, md):
    """Rebuild the reference from the record alone, as a reader of SAM does."""
    partners = iter("".join(x for x, op in zip(read, [op for op in script if op != "D"], strict=True) if op != "I"))
    out = ""
    for number, gap, letter in re.findall(r"(\d+)|\^([A-Z]+)|([A-Z])", md):
        if number:
            out += "".join(next(partners) for _ in range(int(number)))
        elif letter:
            next(partners)
        out += gap + letter
    assert next(partners, None) is None
    return out


def test_sam_in_pieces_is_the_same(monkeypatch):
    rng = np.random.default_rng(3)
    a, b = (sequence(bytes(rng.choice(list(b"ACGT"), 200).tolist())) for _ in range(2))
    whole = sam_of(a, b, oracle.script(text(a), text(b)))
    monkeypatch.setattr(sam_module, "_CHUNK_RUNS", 3)
    monkeypatch.setattr(sam_module, "CHUNK_LETTERS", 7)
    assert sam_of(a, b, oracle.script(text(a), text(b))) == whole


@pytest.mark.parametrize(
    ("letters", "fold_case", "told"),
    [(b"ACGT", False, True), (b"acgt", False, False), (b"acgt", True, True), (b"AC*T", True, False)],
)
def test_md_is_left_out_where_it_could_not_tell(letters, fold_case, told):
    """MD knows the letters A to Z and no case."""
    _, fields = sam_of(sequence(letters), sequence(b"ACGG"), "===X", fold_case=fold_case)
    assert [tag for tag in fields if tag.startswith("MD:Z:")] == (["MD:Z:3T0"] if told else [])


@pytest.mark.parametrize(
    ("name", "query", "ref"),
    [
        ("chr1", "chr1", "chr1"),
        ("", "*", "A"),
        ("*x", "*x", "_x"),
        ("=x", "=x", "_x"),
        ("a@b\t\nc", "a_b__c", "a@b__c"),
        ("HLA<1>,(2)", "HLA<1>,(2)", "HLA_1___2_"),
        ("naïve", "na_ve", "na_ve"),
    ],
)
def test_sam_names_are_those_that_sam_allows(name, query, ref):
    head, fields = sam_of(sequence(b"A", name), sequence(b"A", name), "=")
    assert (fields[0], fields[2]) == (query, ref)
    assert head[1] == f"@SQ\tSN:{ref}\tLN:1"
    assert re.fullmatch(r"[!-?A-~]{1,254}", query)


@pytest.mark.parametrize(("letter", "shown"), [(b"*", r"'\*'"), (b"-", "'-'"), (b"=", "'='"), (b"\x80", "byte 0x80")])
def test_sam_refuses_at_once_what_it_cannot_hold(letter, shown):
    with pytest.raises(ExportError, match=f"x, position 2: SAM cannot hold {shown}"):
        FORMATS["sam"].chunks(comparison(sequence(b"AC"), sequence(b"A" + letter), alignment("=X"), fold_case=False))


def table(a, b, runs):
    head, *lines = b"".join(tsv(comparison(a, b, runs))).decode("ascii").split("\n")[:-1]
    assert head.split("\t") == list(HEADER)
    return [line.split("\t") for line in lines]


def letters_of(cell):
    """Read the letters of a cell back."""
    plain = cell.removeprefix("'")
    return re.sub(r"\\(x..|\\)", lambda m: "\\" if m[1] == "\\" else chr(int(m[1][1:], 16)), plain).encode("latin-1")


@given(compared(BYTES))
def test_differences_applied_to_a_give_b(case):
    """And no cell is a formula."""
    a, b, ops = case
    out, done, total = bytearray(), 0, 0
    for number, row in enumerate(table(a, b, alignment(ops)), 1):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
        op, (n, a_from, a_to, b_from, b_to) = row[1], map(int, row[2:7])
        of_a, of_b = letters_of(row[7]), letters_of(row[8])
        assert int(row[0]) == number
        assert text(a)[a_from - 1 : a_to] == of_a
        assert text(b)[b_from - 1 : b_to] == of_b
        assert (len(of_a), len(of_b)) == {"X": (n, n), "I": (0, n), "D": (n, 0)}[op]
        out += text(a)[done : a_from - 1] + of_b
        assert len(out) == b_to
        done, total = a_to, total + n
    assert bytes(out) + text(a)[done:] == text(b)
    assert total == cost(a, b)


def test_a_long_table_and_a_long_gap_come_in_pieces(monkeypatch):
    """Streamed, however many or long the differences are."""
    a, b, runs = sequence(b"ACG" * 100 + b"T" * 100), sequence(b"A" * 100), alignment("=DD" * 100 + "D" * 100)
    whole = b"".join(tsv(comparison(a, b, runs)))
    monkeypatch.setattr(tsv_module, "_CHUNK_ROWS", 3)
    for module in (tsv_module, letter_fields):
        monkeypatch.setattr(module, "CHUNK_LETTERS", 10)
    pieces = list(tsv(comparison(a, b, runs)))
    assert b"".join(pieces) == whole
    assert len(pieces) > 30
    assert max(map(len, pieces)) < 500
