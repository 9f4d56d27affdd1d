"""Run the notebook of the documents, cell by cell; ``python -m tests.notebook`` stores what comes out."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "resources" / "docs" / "wavediff.ipynb"
TIME = re.compile(r"[\d.,]+ (µs|ms|s)\b")  # what no two runs share
PAGE = re.compile(r'(?<=srcdoc=")[^"]+')  # 70 kB that come back when the cell runs


def outputs(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield each cell of code with what it prints, and what its last expression shows."""
    names: dict[str, Any] = {}
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            yield cell, _run("".join(cell["source"]), names)


def _run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree, printed, shown, found = ast.parse(source), io.StringIO(), None, []
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if text := printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": TIME.sub("0 ms", text)})
    if shown is not None:
        html = getattr(shown, "_repr_html_", None)
        data = {"text/plain": repr(shown)} | ({} if html is None else {"text/html": html()})
        data = {kind: PAGE.sub("", TIME.sub("0 ms", text)) for kind, text in data.items()}
        found.append({"output_type": "execute_result", "metadata": {}, "execution_count": None, "data": data})
    return found


if __name__ == "__main__":
    document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell, found in outputs(document):
        cell["outputs"] = found
    NOTEBOOK.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
