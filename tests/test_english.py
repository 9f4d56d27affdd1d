"""Words that the project no longer uses: plain ones of the field take their place. Their number may only fall."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RETIRED = {  # word -> what to write
    r"deeds?": "action",
    r"somebody|a person": "you, the user",
    r"nobody": "no one, or name who",
    r"told|tells": "reported, shows",
    r"looked for": "searched",
    r"hand(s|ed)? on": "pass",
    r"in vain": "without effect",
    r"anew": "again",
    r"wherever|whoever|whatever": "where, who, what",
    r"one's own|of (its|their) own": "own",
    r"the way back": "traceback, inverse",
    r"beside": "next to, with",
}
MOST = 55


def uses():
    """Return (file, word) of each use in sources and pages."""
    pattern = re.compile(rf"\b({'|'.join(RETIRED)})\b", re.IGNORECASE)
    files = [*ROOT.glob("*.md"), *ROOT.glob("resources/docs/*.md")]
    files += [path for part in ("app", "core", "gpu") for path in (ROOT / part).rglob("*.py")]
    for path in files:
        if path.name != "CHANGELOG.md":
            for found in pattern.finditer(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix(), found[0].lower()


def test_retired_words_become_fewer():
    found = [*uses()]
    assert len(found) <= MOST, f"{len(found)} uses, {MOST} were there; the plain words: {RETIRED}"


def described(doc, section):
    """Return the names that a section of a docstring describes."""
    found = re.search(rf"^( *){section}:\n((?:\1 +.*\n|[ ]*\n)+)", f"{doc}\n", re.MULTILINE)
    lines = [line for line in found[2].split("\n") if line.strip()] if found else []
    first = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    starts = [line.strip() for line in lines if len(line) - len(line.lstrip()) == first]
    heads = [re.match(r"((?:[*]{0,2}[a-z_][a-z_0-9]*(?:, )?)+):", line) for line in starts]
    return [name.strip(" *") for head in heads if head for name in head[1].split(",")]


def names_of(node, lines):
    """Return the names that the docstring of a function or class may describe; None if they may be those of a base."""
    if isinstance(node, ast.FunctionDef):
        known = node.args
        return {
            one.arg for one in [*known.posonlyargs, *known.args, *known.kwonlyargs, known.vararg, known.kwarg] if one
        }
    if not {*map(ast.unparse, node.bases)} <= {"NamedTuple", "ABC"}:
        return None
    return {*re.findall(r"\w+", "\n".join(lines[node.body[0].end_lineno : node.end_lineno]))}


def test_docstrings_describe_names_that_exist():
    stale = []
    for path in (path for part in ("app", "core", "gpu") for path in (ROOT / part).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            doc = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.ClassDef) else None
            names = names_of(node, text.split("\n")) if doc else None
            if names is not None:
                told = [*described(doc, "Args"), *described(doc, "Attributes")]
                stale += [f"{path.name}: {node.name}: {name}" for name in told if name not in names]
    assert not stale, stale
