"""The notebook of the documents: it runs, and what it shows is what is stored in it."""

import json

from tests.notebook import NOTEBOOK, outputs


def test_its_cells_give_what_is_stored_in_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    ran = list(outputs(document))
    assert len(ran) >= 8
    for cell, found in ran:
        assert cell["outputs"] == found, cell["source"]
    text = json.dumps([cell["source"] for cell, _ in ran])
    for name in (
        "compare",
        "differences",
        "search",
        "transform",
        "batch",
        "Index",
        "to_paf",
        "svg",
        "lesson",
        "record=True",
    ):
        assert name in text
