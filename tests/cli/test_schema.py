"""JSON documents of all commands against the schema that is shipped."""

import json
from itertools import pairwise
from pathlib import Path

import fastjsonschema
import pytest

import wavediff
from tests.cli.helpers import call
from wavediff.core.export import registry
from wavediff.core.system.version import SCHEMA_VERSION

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "resources" / "wavediff.schema.json").read_text())
PHAGE = ROOT / "tests" / "data" / "phix174_NC_001422.1.fa"
PAIR = ("A", "B", "--quiet")
COMMANDS = {
    "comparison": [
        ("compare", *PAIR),
        ("compare", *PAIR, "--traceback", "none", "--band", "3"),
        ("compare", *PAIR, "--prove", "--method", "lcs"),
        ("compare", *PAIR, "--method", "swap"),
        ("compare", *PAIR, "--method", "swap", "--traceback", "none"),
        ("compare", *PAIR, "--method", "affine"),
        ("compare", "PHAGE", "B", "--quiet", "--ends", "a", "--loci", "50%"),
        ("compare", *PAIR, "--ends", "both"),
        ("compare", "PHAGE", "PHAGE", "--quiet", "--orient", "minus", "--topology", "circular"),
        ("compare", "A", "empty", "--quiet", "--format-b", "text"),
        ("compare", "A", "AB", "--quiet", "--method", "lines", "-w"),
        ("compare", "A", "AB", "--quiet", "--method", "words"),
    ],
    "blocks": [("compare", "PHAGE", "PHAGE", "--quiet", "--rearranged"), ("compare", *PAIR, "--rearranged")],
    "contigs": [
        ("contigs", "PHAGE", "AB", "--quiet"),
        ("contigs", "PHAGE", "PHAGE", "--quiet", "--topology", "circular"),
    ],
    "batch": [
        ("batch", "AB", "--quiet"),
        ("batch", "AB", "AB", "--quiet", "--pairs", "one-to-one"),
        ("batch", "AB", "AB", "--quiet", "--method", "affine"),
    ],
    "race": [("race", *PAIR, "--method", "edit", "--kernels", "cpu,sudo"), ("race", *PAIR, "--method", "lcs")],
    "search": [
        ("search", "A", "--pattern", "GA", "--quiet"),
        ("search", "A", "--pattern", "GAT", "-k", "1", "--quiet"),
    ],
    "search-files": [("search", "--pattern", "GA", "A", "B", "gone", "--quiet")],
    "bwt": [("bwt", "A", "--quiet"), ("bwt", "A", "B", "--compression", "--quiet")],
    "bwt-inverse": [("bwt", "--inverse", "index", "--quiet")],
    "find": [("find", "A", "GA", "TT", "--quiet"), ("find", "A", "GA", "--count-only", "--quiet")],
    "lesson": [("lesson", "lcs-table", "--quiet")],
    "timings": [("compare", *PAIR, "--timings"), ("bwt", "A", "--quiet", "--timings")],
    "record": [("compare", *PAIR, "--record"), ("compare", "PHAGE", "A", "--quiet", "--band", "none", "--record")],
    "trace": [("compare", *PAIR, "--trace")],
}
CALLS = [pytest.param(kind, words, id=" ".join(words)) for kind, calls in COMMANDS.items() for words in calls]


@pytest.fixture(scope="module")
def validate():
    return fastjsonschema.compile(SCHEMA)


@pytest.fixture
def inputs(tmp_path, capsys):
    a, b = "GATTACAGATTACAGA" * 3, "GATTACAGACTACAGA" * 3
    for name, text in (("A", f">a\n{a}\n"), ("B", f">b\n{b}\n"), ("AB", f">a\n{a}\n>b\n{b[:9]}\n"), ("empty", "")):
        (tmp_path / name).write_text(text)
    call(capsys, "bwt", tmp_path / "A", "--quiet", "--save-index", tmp_path / "index")
    return tmp_path


@pytest.mark.parametrize(("kind", "words"), CALLS)
def test_every_document_fits_the_schema(kind, words, inputs, capsys, validate):
    named = {"PHAGE": PHAGE} | {name: inputs / name for name in ("A", "B", "AB", "empty", "index", "gone")}
    out = inputs / "out.json"
    option = () if words[-1] in ("--timings", "--record", "--trace") else ("--json",)
    code, _, err = call(capsys, *(named.get(word, word) for word in words), *option, out)
    assert out.exists(), (code, err)
    value = json.loads(out.read_text())
    known = value["otherData"] if kind == "trace" else value
    assert (known["schema"], known["schema_version"]) == (f"wavediff/{kind}", SCHEMA_VERSION)
    validate(value)
    if kind not in ("trace", "lesson"):
        for changed in (value | {"more": 1}, value | {"schema_version": SCHEMA_VERSION + 1}):
            with pytest.raises(fastjsonschema.JsonSchemaValueException):
                validate(changed)


def test_the_function_and_doctor_have_them_too(capsys, validate):
    validate(json.loads(wavediff.compare("kitten", "sitting").to_json()))
    call(capsys, "doctor", "--json")
    found = json.loads(call(capsys, "doctor", "--json")[1])
    assert found["schema"] == "wavediff/doctor"
    validate(found)


def test_all_methods_have_the_same_keys_beside_their_own():
    documents = [
        json.loads(wavediff.compare("GATTACA", "GCATGCT", method=method).to_json())
        for method in ("edit", "lcs", "swap", "affine")
    ]
    own = {"distance", "lcs", "score", "matrix", "gap_open", "gap_extend", "swaps"} | {
        key for key, value in SCHEMA["definitions"]["comparison"]["properties"].items()
        if value.get("description", "").startswith("method ")
    }  # fmt: skip
    for one, other in pairwise(documents):
        assert set(one) - own == set(other) - own
    assert [document["value"] for document in documents] == [4, 4, 4, documents[3]["score"]]


def test_each_json_format_of_the_registry_has_a_definition():
    json_formats = {
        kind.writer or kind.id
        for kinds in vars(registry).values()
        for kind in (kinds if isinstance(kinds, tuple) else (kinds,))
        if isinstance(kind, registry.Format) and any(ending.endswith(".json") for ending in kind.endings)
    }
    assert len(json_formats) == len(SCHEMA["definitions"]) - len(
        {"versions", "notice", "timing", "sequence", "records", "check", "doctor"}
    ), json_formats
