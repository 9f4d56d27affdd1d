"""What is exported says what was computed: read back, it gives both sequences and the claimed figures."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.formats import FORMATS
from tests.core.export.helpers import alignment, comparison, sequence
from wavediff.core.base.errors import ExportError
from wavediff.core.export import fasta as fasta_module
from wavediff.core.export import json as as_json
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.fasta import columns, fasta
from wavediff.core.export.hits import context
from wavediff.core.export.paf import cigar, paf
from wavediff.core.jobs.alignment import LETTER, Alignment
from wavediff.core.jobs.events import KernelTiming
from wavediff.core.jobs.lcs_result import LcsResult
from wavediff.core.methods import LCS


def pair(ops):
    """Make two sequences that have these columns."""
    a = "".join({"=": "A", "X": "C", "D": "G", "I": ""}[op] for op in ops)
    b = "".join({"=": "A", "X": "T", "I": "T", "D": ""}[op] for op in ops)
    return sequence(a.encode(), "ref"), sequence(b.encode(), "query")


operations = st.lists(st.tuples(st.sampled_from(LETTER), st.integers(1, 90)), max_size=12).map(
    lambda runs: "".join(op * n for op, n in runs)
)


@given(operations)
def test_cigar_replays_to_the_alignment(ops):
    text = b"".join(cigar(alignment(ops))).decode()
    if not ops:
        assert text == "*"
        return
    assert re.fullmatch(r"([1-9]\d*[=XID])+", text)
    assert "".join(op * int(n) for n, op in re.findall(r"(\d+)(.)", text)) == ops
    assert text == alignment(ops).cigar()


@pytest.mark.parametrize("n", [1, 9, 10, 99, 100, 999_999_999, 10**9, 2**31, 2**32, 10**12])
def test_cigar_of_any_length(n):
    runs = Alignment(np.array([0, 3], np.uint8), np.array([n, n + 1], np.int64))
    assert b"".join(cigar(runs)) == f"{n}={n + 1}D".encode()


def test_cigar_of_many_runs_comes_in_pieces():
    n = 300_001
    runs = Alignment(np.arange(n, dtype=np.int64) % 2 * 3, np.full(n, 7, np.int64))
    pieces = list(cigar(runs))
    assert len(pieces) == 3
    assert b"".join(pieces) == (b"7=7D" * n)[: 2 * n]


def compressed(ops):
    gaps = sum(op in "ID" and op != before for before, op in zip(" " + ops, ops, strict=False))
    whole = ops.count("=") + ops.count("X") + gaps
    return ops.count("=") / whole if whole else 1.0


@given(operations)
def test_paf_line_adds_up(ops):
    a, b = pair(ops)
    (line,) = b"".join(paf(comparison(a, b, alignment(ops), method="lcs"))).decode().splitlines()
    fields = line.split("\t")
    n_a, n_b = sum(op != "I" for op in ops), sum(op != "D" for op in ops)
    assert fields[:9] == ["query", str(n_b), "0", str(n_b), "+", "ref", str(n_a), "0", str(n_a)]
    assert fields[9:12] == [str(ops.count("=")), str(len(ops)), "255"]
    assert fields[12:14] == [f"NM:i:{len(ops) - ops.count('=')}", f"AS:i:{ops.count('=')}"]
    assert float(fields[14].removeprefix("de:f:")) == pytest.approx(1 - compressed(ops), abs=1e-6)
    assert fields[15] == "zk:Z:lcs"
    script = re.findall(r"(\d+)([=XID])", fields[16].removeprefix("cg:Z:"))
    assert sum(int(n) for n, op in script if op in "=XI") == n_b
    assert sum(int(n) for n, op in script if op in "=XD") == n_a


@pytest.mark.parametrize(("name", "field"), [("", "*"), ("a\tb\nc", "a_b_c"), ("my file", "my_file"), ("=x", "=x")])
def test_a_hostile_name_stays_one_field(name, field):
    line = b"".join(paf(comparison(sequence(b"A"), sequence(b"A", name), alignment("=")))).decode()
    assert line.count("\n") == 1
    assert line.split("\t")[0] == field


def rows(text):
    records = text.decode().split(">")[1:]
    return [(head, body.replace("\n", "")) for head, _, body in (record.partition("\n") for record in records)]


@given(operations)
def test_fasta_rows_without_gaps_are_the_sequences(ops):
    a, b = pair(ops)
    text = b"".join(fasta(comparison(a, b, alignment(ops))))
    (head_a, row_a), (head_b, row_b) = rows(text)
    assert (head_a, head_b) == ("ref", "query")
    assert (row_a.replace("-", ""), row_b.replace("-", "")) == (bytes(a.letters).decode(), bytes(b.letters).decode())
    assert [x == "-" for x in row_a] == [op == "I" for op in ops]
    assert [x == "-" for x in row_b] == [op == "D" for op in ops]
    body = text.decode().splitlines()
    assert all(0 < len(line) <= fasta_module.LINE_LETTERS for line in body)
    assert text.endswith(b"\n")


@given(operations, st.integers(1, 70))
def test_columns_in_pieces_of_any_size(ops, size):
    pieces = list(columns(alignment(ops), size))
    assert "".join(LETTER[op] for piece in pieces for op in piece) == ops
    assert all(piece.size == size for piece in pieces[:-1])


def test_columns_of_many_short_and_one_long_run():
    ops = "=D" * 5_000 + "=" * 50_000 + "ID" * 5_000
    assert "".join(LETTER[op] for piece in columns(alignment(ops), 6_000) for op in piece) == ops


def test_a_long_aligned_pair_is_wrapped_across_pieces(monkeypatch):
    monkeypatch.setattr(fasta_module, "_CHUNK_COLUMNS", 120)
    ops = "=" * 121 + "D" * 118 + "I" + "=" * 7
    a, b = pair(ops)
    lines = b"".join(fasta(comparison(a, b, alignment(ops)))).decode().splitlines()
    assert [len(line) for line in lines] == [4, 60, 60, 60, 60, 7, 6, 60, 60, 60, 60, 7]


@pytest.mark.parametrize(("letter", "shown"), [(b"-", "'-'"), (b"\n", r"'\\n'"), (b">", "'>'"), (b"\xe4", "byte 0xE4")])
def test_fasta_refuses_at_once_what_it_cannot_hold(letter, shown):
    with pytest.raises(ExportError, match=f"x, position 3: .*{shown}"):
        FORMATS["fasta"].chunks(comparison(sequence(b"AC" + letter), sequence(b"A"), alignment("=DD")))


def test_headers_stay_on_one_line():
    text = b"".join(fasta(comparison(sequence(b"A", "a", "b\n>c \x1b[31m"), sequence(b"A"), alignment("="))))
    assert text == b">a b >c \\x1b[31m\nA\n>x\nA\n"


def result(ops):
    found = None if ops is None else alignment(ops)
    return LcsResult(
        job_id=1,
        length=4,
        alignment=found,
        strategy="full",
        reason="",
        n_cells=35,
        cells=35,
        device="cpu",
        kernel_seconds=0.5,
        wall_seconds=0.7,
    )


@pytest.mark.parametrize("ops", ["====DDDI", None])
def test_json_has_what_scripts_ask_for(ops):
    a, b = sequence(b"ACGTCCC", "naïve\udce9"), sequence(b"ACGTT")
    timings = [KernelTiming(1, "blocks", "cpu", 2, 10**9, 0.5, 0.25), KernelTiming(1, "check", "cpu", 1, 0, 0.0, 0.5)]
    value = as_json.comparison(Comparison(a, b, LCS, True, 2, result(ops), tuple(timings)))
    read = json.loads(b"".join(value))
    assert read["a"]["name"] == "naïve\udce9"
    assert {k: read[k] for k in ("method", "length_a", "length_b", "lcs", "identical", "device", "matrix_cells")} == {
        "method": "lcs",
        "length_a": 7,
        "length_b": 5,
        "lcs": 4,
        "identical": False,
        "device": "cpu",
        "matrix_cells": 35,
    }
    assert (read["kernel_seconds"], read["wall_seconds"], read["compile_seconds"]) == (0.5, 0.7, 0.75)
    assert read["identity"]["two_matches_over_lengths"] == pytest.approx(8 / 12)
    assert ("matches_over_columns" in read["identity"]) == (ops is not None)
    assert read["columns"] == (8 if ops else None)
    assert as_json.timing(timings)[0] == {
        "kernel": "blocks",
        "device": "cpu",
        "calls": 2,
        "cells": 10**9,
        "seconds": 0.5,
        "compile_seconds": 0.25,
        "gcups": 2.0,
    }


@pytest.mark.parametrize("text", [b"ACGTACGTACGTACGTACGTACGT", b"=a b\\c\x00\xff-+@'d\te" * 2, b"ab", b"+"])
def test_the_context_of_a_hit_is_one_field(text):
    """Whether its letters are written as they are or not, and wherever the hit lies."""
    letters = np.frombuffer(text, np.uint8)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            parts = text[max(0, start - 10) : start], text[start:end], text[end : end + 10]
            as_is = {k: chr(k) for k in range(0x21, 0x7F)} | {ord("\\"): "\\\\"}
            written = ["".join(as_is.get(k, f"\\x{k:02X}") for k in part) for part in parts]
            wanted = f"{written[0]}[{written[1]}]{written[2]}"
            lead = "'" if wanted[0] in "=+-@'" else ""
            assert context(letters, start, end) == (lead + wanted).encode()
