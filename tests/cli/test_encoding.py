"""Encodings of text that are named: ``--encoding`` and ``--encoding-b``."""

import json
import unicodedata

import pytest

from tests.cli.helpers import call

TEXT = "Grüße aus Köln – naïve café"
TEXTS = {"cp1252": TEXT, "latin-1": TEXT.replace("–", "-"), "shift_jis": "日本語のテキスト", "koi8-r": "Привет, мир"}
TEXTS |= {"utf-16": TEXT, "big5": "中文字符", "cp1256": "مرحبا بالعالم", "iso8859-7": "Γειά σου Κόσμε"}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_the_same_in_any_encoding(tmp_path, capsys, name):
    text = TEXTS[name]
    (tmp_path / "a.txt").write_bytes(text.encode(name))
    (tmp_path / "b.txt").write_text(text, encoding="utf-8")
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    code, out, err = call(capsys, "compare", a, b, "--encoding", name, "--encoding-b", "utf-8", "--json", "-")
    found = json.loads(out)
    assert (code, found["distance"], found["length_a"], found["length_b"]) == (0, 0, len(text), len(text))
    assert f"note: {a}: decoded from {name}" in err
    words = ("batch", b, a, "--encoding", "utf-8", "--encoding-b", name, "--quiet")
    assert call(capsys, *words)[0] == 0
    last = text[-3:]
    for command in (("search", a, "--pattern", last), ("find", a, last), ("search", a, a, "--pattern", last)):
        assert call(capsys, *command, "--encoding", name, "--quiet")[0] == 0


@pytest.mark.parametrize("form", ["nfc", "nfd", "nfkc", "nfkd"])
def test_forms_of_unicode_are_noticed_and_made_one(tmp_path, capsys, form):
    text = "Köln, naïve, 한국어, Ångström"
    for name in ("NFC", "NFD"):
        (tmp_path / name).write_text(unicodedata.normalize(name, text), encoding="utf-8")
    pair = tmp_path / "NFC", tmp_path / "NFD"
    code, _, err = call(capsys, "compare", *pair)
    assert (code, "different Unicode normalization forms" in err, "try --normalize nfc" in err) == (1, True, True)
    code, out, err = call(capsys, "compare", *pair, "--normalize", form, "--json", "-")
    found = json.loads(out)
    length = len(unicodedata.normalize(form.upper(), text))
    assert (code, found["distance"], found["length_a"], found["length_b"]) == (0, 0, length, length)
    assert f"normalized to {form.upper()}: places count its characters" in err
    assert "different Unicode" not in err
    assert "different Unicode" not in call(capsys, "compare", pair[1], pair[1])[2]
