"""Texts of many scripts through every command: each value is RapidFuzz's, a textbook's or that of Python's strings."""

import json
import random
import re
from html import unescape
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

from tests.cli.helpers import call, trouble
from tests.oracles import affine, bwt, free_ends, search, swap_edit

MANY = Path(__file__).parents[1] / "data" / "many_characters"
SCRIPTS = {
    "Greek": "Ἐν ἀρχῇ ἦν ὁ λόγος, καὶ ὁ λόγος ἦν πρὸς τὸν θεόν· Όλοι οι άνθρωποι γεννιούνται ελεύθεροι ά",
    "Cyrillic": "Все люди рождаются свободными и равными в своём достоинстве. Ёжик їжак ґава",
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "Arabic": "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلًا وضميرًا ١٢٣",
    "Devanagari": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता",  # fonts may have none of it
    "emoji": "👍🏽 👨\u200d👩\u200d👧\u200d👦 🇩🇪🇫🇷 ❤\ufe0f☺\ufe0f 👩🏿\u200d🚀 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 🙋🏻😀😃",
    "no characters": "ab\ufffecd\uffffe\U0001fffe\u0378\ue000f\ufeffgh\ufffe ij\u2028kl\U0010ffffmn",
    "many": (MANY / "a.txt").read_text(encoding="utf-8").rstrip("\n"),
}
ESCAPE = re.compile(r"\\u\{([0-9A-F]+)\}|\\x([0-9A-F]{2})|\\(\\)")


class Texts(NamedTuple):
    """Two texts, their files, and a folder for what is written."""

    a: str
    b: str
    file_a: Path
    file_b: Path
    folder: Path


@pytest.fixture(params=SCRIPTS)
def texts(request, tmp_path):
    a, rng = SCRIPTS[request.param], random.Random(41)
    b = list(a)
    for k, at in enumerate(rng.sample(range(2, len(a) - 2), 6)):
        b[at : at + k % 3] = rng.choice(a) if k % 2 else ""
    made = Texts(a, "".join(b), tmp_path / "a.txt", tmp_path / "b.txt", tmp_path)
    for text, file in ((made.a, made.file_a), (made.b, made.file_b)):
        file.write_text(text, encoding="utf-8")
    return made


def value(method, a, b):
    if method == "affine":
        codes = sorted({*a, *b})
        scores = 2 * np.identity(len(codes), np.int64) - 1
        return int(affine.tables(*([codes.index(each) for each in text] for text in (a, b)), scores, 2, 1)[0][-1, -1])
    if method == "swap":
        return int(swap_edit.table(a, b)[-1, -1])
    return Levenshtein.distance(a, b) if method == "edit" else LCSseq.similarity(a, b)


def rows_of(table):
    head, *rows = (line.split("\t") for line in table.split("\n")[:-1])
    return [dict(zip(head, row, strict=True)) for row in rows]


def letters(field):
    """Return the letters that a field of a table stands for."""
    return ESCAPE.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), field.removeprefix("'"))


def compare(capsys, texts, method):
    cigar, tsv, paf = (texts.folder / name for name in ("cigar", "tsv", "paf"))
    files = "--cigar", cigar, "--tsv", tsv, "--paf", paf
    code, out, err = call(capsys, "compare", *texts[2:4], "--method", method, "--prove", *files, "--json", "-")
    if code == 2:
        return err
    found, ops = json.loads(out), [(int(n), op) for n, op in re.findall(r"(\d+)(\D)", cigar.read_text().strip())]
    i = j = 0
    for n, op in ops:
        for _ in range(n):
            assert op not in "=X" or (texts.a[i] == texts.b[j]) == (op == "=")
            i, j = i + (op != "I"), j + (op != "D")
    assert (i, j) == (found["length_a"], found["length_b"]) == (len(texts.a), len(texts.b))
    changed = texts.a
    for row in reversed(rows_of(tsv.read_text("utf-8"))):
        start = int(row["a_start"]) - 1
        assert changed[start : start + len(letters(row["a_letters"]))] == letters(row["a_letters"])
        changed = changed[:start] + letters(row["b_letters"]) + changed[start + len(letters(row["a_letters"])) :]
    assert changed == texts.b
    fields = paf.read_text().split("\t")
    assert fields[1:4] + fields[6:9] == [*map(str, (len(texts.b), 0, len(texts.b), len(texts.a), 0, len(texts.a)))]
    assert f"cg:Z:{cigar.read_text().strip()}\n" in fields[-1]
    answer = found[{"lcs": "lcs", "affine": "score"}.get(method, "distance")]
    assert found["proof"]["score"] == answer
    return answer


def batch(capsys, texts, method):
    code, out, err = call(capsys, "batch", *texts[2:4], "--method", method, "--json", "-")
    return err if code == 2 else json.loads(out)["values"][0]


def race(capsys, texts, method):
    kernels = {"edit": "cpu,cpu-full", "lcs": "cpu,hirschberg", "affine": "cpu"}.get(method, "cpu")
    code, out, err = call(capsys, "race", *texts[2:4], "--method", method, "--kernels", kernels, "--json", "-")
    if code == 2:
        return err
    (answer,) = {one["answer"] for one in json.loads(out)["kernels"]}
    return answer


@pytest.mark.parametrize("method", ["edit", "swap", "lcs", "affine"])
@pytest.mark.parametrize("command", [compare, batch, race])
def test_values_are_those_of_characters(texts, command, method, capsys):
    found = command(capsys, texts, method)
    if method == "affine" and len({*texts.a, *texts.b}) > 128:
        *_, line = found.splitlines()
        assert "different letters: scores are for up to 128; the edit distance (--method edit) has no limit" in line
    else:
        assert found == value(method, texts.a, texts.b)


@pytest.mark.parametrize("command", ["search", "find", "saved"])
def test_places_are_those_of_characters(texts, command, capsys):
    a, saved = texts.a, texts.folder / "saved.bwt"
    if command == "saved":
        call(capsys, "bwt", texts.file_a, "--save-index", saved, "--quiet")
    for pattern in (a[7], a[-1], a[3:6], a[2], a[10:42]):
        words = ("search", texts.file_a, "--pattern") if command == "search" else ("find", texts.file_a)
        words = ("find", saved) if command == "saved" else words
        code, out, _ = call(capsys, *words, pattern, "--quiet", "--tsv", "-")
        places = [k + 1 for k in range(len(a)) if a.startswith(pattern, k)]
        assert (code, [int(row["start"]) for row in rows_of(out)]) == (0, places)
        assert [int(row["end"]) - len(pattern) + 1 for row in rows_of(out)] == places


def test_places_with_an_error_are_those_of_characters(texts, capsys):
    a = texts.a
    pattern = f"{a[9:13]}{a[14:19]}"
    out = call(capsys, "search", texts.file_a, "--pattern", pattern, "-k", "1", "--edits", "--quiet", "--tsv", "-")[1]
    found = [(int(row["start"]) - 1, int(row["end"]), int(row["edits"])) for row in rows_of(out)]
    assert found == list(search.edits(list(map(ord, a)), list(map(ord, pattern)), 1))


def test_a_transform_gives_the_text_back(texts, capsys):
    saved, column = texts.folder / "saved.bwt", texts.folder / "column"
    call(capsys, "bwt", texts.file_a, "--save-index", saved, "--last-column", column, "--quiet")
    assert column.read_bytes() == bwt.bwt(texts.a.encode())[0]
    code, _, _ = call(capsys, "bwt", "--inverse", saved, "--quiet", "--text", texts.folder / "back")
    assert (code, (texts.folder / "back").read_bytes()) == (0, texts.a.encode())


def test_a_part_is_placed_noticed_and_listed(texts, capsys):
    host, part = 2 * f"{texts.a[10:]}{texts.a[::-1]}", texts.a[12:40]
    texts.file_a.write_text(host, encoding="utf-8")
    texts.file_b.write_text(part, encoding="utf-8")
    words = ("compare", *texts[2:4])
    found = json.loads(call(capsys, *words, "--ends", "a", "--loci", "0", "--json", "-")[1])
    assert found["distance"] == min(free_ends.last_column(host, part, free_rows=True)) == 0
    places = [k for k in range(len(host)) if host.startswith(part, k)]
    assert [one["a_start"] for one in found["loci"]] == places
    assert ("B is contained in A: 100 % of B" in call(capsys, *words)[2]) == (len(part) > 20)


def test_an_aligned_fasta_has_the_texts(texts, capsys):
    a, b = ("".join(each for each in one if each.isprintable() and each not in " ->") for one in texts[:2])
    for text, file in ((a, texts.file_a), (b, texts.file_b)):
        file.write_text(text, encoding="utf-8")
    _, out, _ = call(capsys, "compare", *texts[2:4], "--quiet", "--fasta", "-")
    rows = ["".join(one.split("\n")[1:]) for one in out.split(">")[1:]]
    assert [one.replace("-", "") for one in rows] == [a, b]
    assert sum(x != y for x, y in zip(*rows, strict=True)) == Levenshtein.distance(a, b)


@pytest.mark.parametrize("form", ["sam", "vcf", "variants", "fasta"])
def test_a_file_that_has_no_such_letters_is_refused_in_a_line(texts, form, capsys):
    texts.file_a.write_text(f"{texts.a} \t", encoding="utf-8")
    code, out, err = call(capsys, "compare", *texts[2:4], "--quiet", f"--{form}", "-")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search("cannot hold|holds nucleotides", err)


@pytest.mark.parametrize("view", ["letters", "differences", "cells", "words"])
def test_pictures_have_the_letters_of_the_differences(texts, view, capsys):
    pytest.importorskip("PySide6")
    picture = texts.folder / "x.svg"
    a = texts.a[:40]
    b = f"{a[:20]}{a[22:30]} {a[30:]}"
    for text, file in ((a, texts.file_a), (b, texts.file_b)):
        file.write_text(text, encoding="utf-8")
    call(capsys, "compare", *texts[2:4], "--view", view, "--svg", picture, "--quiet", "--size", "1600x1600")
    shown = unescape("".join(re.findall(r">([^<]*)</text>", picture.read_text("utf-8"))))
    expected = set(a) if view != "differences" else {*a[20:22]} if a[19] != a[21] and a[20] != a[22] else set()
    assert {each for each in expected if each.isprintable() and not each.isspace() and each != "\ufe0f"} <= {*shown}
    assert "␣" in shown
    assert not {*shown} & {"�", "\ufffe", "\u2028", "\u2800"}


def test_a_pattern_of_many_characters_is_found_without_errors_only(tmp_path, capsys):
    text, many = tmp_path / "text.txt", "".join(chr(0x4E00 + k) for k in range(900))
    text.write_text(many, encoding="utf-8")
    code, out, _ = call(capsys, "search", text, "--pattern", many[50:350], "--tsv", "-", "--quiet")
    assert (code, rows_of(out)[0]["start"], rows_of(out)[0]["end"]) == (0, "51", "350")
    trouble(call(capsys, "search", text, "--pattern", many[50:350], "-k", "1", "--quiet"), "128 different characters")
