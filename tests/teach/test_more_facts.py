"""Facts of the lessons on gaps, lines and measured results, computed again: nothing of the program is imported."""

import re
import tomllib
from itertools import combinations, product
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"


def parts(name):
    (path,) = FOLDER.glob(f"*-{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))["part"]


def alignments(a, b):
    """Every alignment: which letters of both stand in pairs, and between two pairs the letters of A or of B first."""
    for size in range(min(len(a), len(b)) + 1):
        for rows, cols in product(combinations(range(len(a)), size), combinations(range(len(b)), size)):
            found, before = [("", "")], (0, 0)
            for i, j in [*zip(rows, cols, strict=True), (len(a), len(b))]:
                x, y = a[before[0] : i], b[before[1] : j]
                gaps = {(x + "-" * len(y), "-" * len(x) + y), ("-" * len(y) + x, y + "-" * len(x))}
                pair = (a[i : i + 1], b[j : j + 1])
                found = [(one + up + pair[0], other + down + pair[1]) for one, other in found for up, down in gaps]
                before = i + 1, j + 1
            yield from found


def cost(one, other, part):
    total, gap = 0, ""
    for x, y in zip(one, other, strict=True):
        now = "a" if y == "-" else "b" if x == "-" else ""
        if now:
            total += part["inputs"]["extension" if now == gap else "opening"]
        else:
            total += part["inputs"]["mismatch"] * (x != y)
        gap = now
    return total


def test_gaps_that_cost_more_to_open():
    first, second = parts("affine")
    for part in (first, second):
        costs = {two: cost(*two, part) for two in alignments(part["a"], part["b"])}
        least = min(costs.values())
        assert part["expect"]["answer"] == least
        best = sorted(list(two) for two, each in costs.items() if each == least)
        assert part["expect"]["alignments"] == best
        assert part["expect"]["paths"] == len(best)
    ends = {"M": lambda x, y: "-" not in x + y, "X": lambda x, y: y == "-", "Y": lambda x, y: x == "-"}
    for name, fits in ends.items():
        for i, j in product(range(1, 6), range(1, 4)):
            some = alignments(first["a"][:i], first["b"][:j])
            least = min(cost(*two, first) for two in some if fits(two[0][-1], two[1][-1]))
            assert first["expect"][f"rows {name}"][i][j] == least


def test_lines_and_words_of_a_diff():
    cut = {"line": lambda text: text.split("\n"), "word": lambda text: re.split(r"(\W)", text), "letter": list}
    for part in parts("diff"):
        a, b = (cut[part["inputs"]["by"]](part[side]) for side in "ab")
        kept = max(
            (
                list(zip(rows, cols, strict=True))
                for size in range(min(len(a), len(b)) + 1)
                for rows, cols in product(combinations(range(len(a)), size), combinations(range(len(b)), size))
                if all(a[i] == b[j] for i, j in zip(rows, cols, strict=True))
            ),
            key=len,
        )
        assert part["expect"]["answer"] == len(kept)
        lines, at = [], (0, 0)
        for i, j in [*kept, (len(a), len(b))]:
            lines += [f"- {token}" for token in a[at[0] : i]] + [f"+ {token}" for token in b[at[1] : j]]
            lines += [f"  {token}" for token in a[i : i + 1]]
            at = i + 1, j + 1
        assert [line.replace("␣", " ") for line in part["expect"]["diff"]] == lines
    first = parts("diff")[0]
    assert (first["expect"]["deleted"], first["expect"]["inserted"]) == (1, 1)
