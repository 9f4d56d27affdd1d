"""Facts of the lessons, computed again: nothing of the program is imported, its files of lessons are read alone."""

import tomllib
from functools import lru_cache
from itertools import pairwise
from math import log2
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"


def parts(name):
    (path,) = FOLDER.glob(f"*-{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))["part"]


def filled(a, b, edge, rule):
    table = [[edge(i, j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = rule(table, i, j)
    return table


def lengths(a, b):
    return filled(
        a, b, lambda i, j: 0,
        lambda t, i, j: t[i - 1][j - 1] + 1 if a[i - 1] == b[j - 1] else max(t[i - 1][j], t[i][j - 1]),
    )  # fmt: skip


def distances(a, b, outside=lambda i, j: False):
    def rule(t, i, j):
        if outside(i, j):
            return 10**6
        return min(t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1]))

    return filled(a, b, lambda i, j: 10**6 if outside(i, j) else i + j if i * j == 0 else 0, rule)


def ways(a, b):
    table = lengths(a, b)

    @lru_cache(None)
    def count(i, j):
        if table[i][j] == 0:
            return 1
        found = count(i - 1, j - 1) if a[i - 1] == b[j - 1] else 0
        found += count(i - 1, j) if table[i - 1][j] == table[i][j] else 0
        return found + (count(i, j - 1) if table[i][j - 1] == table[i][j] else 0)

    return count(len(a), len(b))


def test_lengths_and_their_paths():
    first, second = parts("lcs-table")
    table, expect = lengths(first["a"], first["b"]), first["expect"]
    assert [expect[f"row {i}"] for i in range(6)] == table
    assert expect["paths"] == ways(first["a"], first["b"])
    assert second["expect"]["answer"] == lengths(second["a"], second["b"])[-1][-1]


def test_words_are_the_growth_of_a_column():
    for part in parts("lcs-words"):
        table = lengths(part["a"], part["b"])
        rows, columns = range(1, len(part["a"]) + 1), range(1, len(part["b"]) + 1)
        grown = ["".join("01"[table[i][j] == table[i - 1][j]] for i in rows) for j in columns]
        assert part["expect"]["word V'"] == grown
    (part,) = parts("edit-words")
    table = distances(part["a"], part["b"])
    rows, columns = range(1, 7), range(1, 8)
    steps = {
        "D0": lambda i, j: table[i][j] == table[i - 1][j - 1], "HP": lambda i, j: table[i][j] == table[i][j - 1] + 1,
        "HN": lambda i, j: table[i][j] == table[i][j - 1] - 1, "VP": lambda i, j: table[i][j] == table[i - 1][j] + 1,
        "VN": lambda i, j: table[i][j] == table[i - 1][j] - 1,
    }  # fmt: skip
    for name, is_set in steps.items():
        word = ["".join("01"[is_set(i, j)] for i in rows) for j in columns]
        assert part["expect"][f"word {name}"] == word


def test_distances():
    (part,) = parts("edit-table")
    table = distances(part["a"], part["b"])
    assert (part["expect"]["row 6"], part["expect"]["D[5,5]"]) == (table[-1], table[5][5])


def test_blocks_take_and_hand_on_the_steps_of_lengths():
    part = parts("lcs-blocks")[1]
    table, expect = lengths(part["a"], part["b"]), part["expect"]
    for j in (4, 8, 12, 16):
        grown = ["".join("01"[table[i][j] == table[i - 1][j]] for i in range(r, r + 4)) for r in (1, 5, 9)]
        assert expect[f"V after {j}"] == grown
    for i in (4, 8):
        assert expect[f"carries below {i}"] == "".join(str(table[i][j] - table[i][j - 1]) for j in range(1, 17))


def test_bands():
    first, second, _ = parts("band")
    inside = sum(abs(i - j) <= 8 for i in range(16) for j in range(16))
    assert first["expect"]["cells 16"] == inside
    for u in (1, 2, 4, 8):
        table = distances(second["a"], second["b"], lambda i, j, half=u // 2: abs(i - j) > half)
        assert second["expect"][f"value {u}"] == table[-1][-1]
        assert second["expect"][f"cells {u}"] == sum(abs(i - j) <= u // 2 for i in range(12) for j in range(12))


def test_furthest_rows():
    (part,) = parts("diagonals")
    a, b, expect = part["a"], part["b"], part["expect"]
    table = distances(a, b)
    for e in range(expect["answer"] + 1):
        inside = [(i, i + d) for d in range(-e, e + 1) for i in range(len(a) + 1) if 0 <= i + d <= len(b)]
        rows = {j - i: i for i, j in inside if table[i][j] <= e}
        assert [rows[d] for d in sorted(rows)] == expect[f"rows {e}"]


def test_blocks_of_a_queue():
    for part in parts("queue")[:2]:
        rows, cols, workers = (part["inputs"][name] for name in ("rows", "cols", "workers"))
        done, step = {}, 0
        while len(done) < rows * cols:
            step += 1
            ready = [
                (i + j, i, j) for i in range(rows) for j in range(cols) if (i, j) not in done
                and (not i or (i - 1, j) in done) and (not j or (i, j - 1) in done)
            ]  # fmt: skip
            done |= {(i, j): step for _, i, j in sorted(ready)[:workers]}
        assert [[done[i, j] for j in range(cols)] for i in range(rows)] == [
            part["expect"][f"row {i}"] for i in range(1, rows + 1)
        ]


def test_states_and_hits():
    (part,) = parts("shift-or")
    text, pattern, expect = part["a"], part["b"], part["expect"]
    ends = [text[:k].endswith(pattern) for k in range(1, len(text) + 1)]
    assert expect["hits"] == [k for k, is_end in enumerate(ends, 1) if is_end]
    for k, state in enumerate(expect["states"], 1):
        fits = [text[:k].endswith(pattern[:i]) for i in range(len(pattern), 0, -1)]
        assert state == "".join("10"[fit] for fit in fits)


def test_rotations_and_intervals():
    part, walk = parts("rotations")
    text = part["a"] + "$"
    order = sorted(range(len(text)), key=lambda at: text[at:])
    last = "".join(text[at - 1] for at in order)
    assert (part["expect"]["rows"], part["expect"]["L"]) == (order, last)
    assert walk["expect"]["LF"] == [order.index((at - 1) % len(text)) for at in order]
    for part in (parts("backward")[0], parts("backward")[2]):
        text, pattern = part["a"] + "$", part["b"]
        suffixes = sorted(text[at:] for at in range(len(text)))
        for k, (low, high) in enumerate(part["expect"]["intervals"]):
            those = [row for row, suffix in enumerate(suffixes) if suffix.startswith(pattern[len(pattern) - k :])]
            assert (low, high) == (those[0], those[-1] + 1)


def test_swaps():
    part = parts("swaps")[0]
    a, b = part["a"], part["b"]

    def rule(t, i, j):
        terms = [t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1])]
        p, q = a.rfind(b[j - 1], 0, i - 1) + 1, b.rfind(a[i - 1], 0, j - 1) + 1
        if p and q:
            terms.append(t[p - 1][q - 1] + (i - p - 1) + 1 + (j - q - 1))
        return min(terms)

    table = filled(a, b, lambda i, j: i + j if i * j == 0 else 0, rule)
    assert [part["expect"][f"row {i}"] for i in range(7)] == table


def test_dots_of_both_strands():
    for part in parts("dots"):
        a, b, k = part["a"], part["b"], part["inputs"]["k"]
        other = b.translate(str.maketrans("ACGT", "TGCA"))
        pairs = [(i, j) for i in range(len(a) - k + 1) for j in range(len(b) - k + 1)]
        plus = {(i + 1, j + 1, 1) for i, j in pairs if a[i : i + k] == b[j : j + k]}
        minus = {(i + 1, j + k, -1) for i, j in pairs if a[i : i + k] == other[j : j + k][::-1]}
        found = {tuple(dot) for dot in part["expect"]["dots"]}
        assert {dot for dot in found if dot[2] == 1} == plus
        assert len(found) == len(plus | (minus if part["inputs"].get("strands") == 2 else set()))


def test_conditional_sums():
    bytes_, words = parts("sklansky")
    u, v = int(bytes_["a"], 16), int(bytes_["b"], 16)
    assert bytes_["expect"]["sum"] == f"{u + v:08X}"
    for level in range(bytes_["expect"]["rounds"] + 1):
        bits = 8 << level
        sums = [
            [((u >> at & (1 << bits) - 1) + (v >> at & (1 << bits) - 1) + c) for at in range(0, 32, bits)]
            for c in (0, 1)
        ]
        rows = []
        for each in sums:  # a group's parts from the left, and what leaves the group as far as each of its parts
            parts_ = "".join(f"{one & (1 << bits) - 1:0{bits // 4}X}" for one in reversed(each))
            rows.append(" ".join(parts_[k : k + 2] for k in range(0, 8, 2)))
        assert [bytes_["expect"][f"S{level}"][k] for k in (0, 2)] == rows
        for c in (0, 1):  # of each byte: what leaves it, if c comes into its group
            carries = []
            for at in reversed(range(0, 32, 8)):
                low = at - at % bits
                mask = (1 << at + 8 - low) - 1
                carries.append(str((u >> low & mask) + (v >> low & mask) + c >> at + 8 - low))
            assert bytes_["expect"][f"S{level}"][2 * c + 1] == " ".join(carries)
    u, v, n = int(words["a"], 16), int(words["b"], 16), words["expect"]["parts"]
    assert (u.bit_count(), 2 ** words["expect"]["rounds"]) == (words["expect"]["bits"], n)
    assert (words["expect"]["carry"], words["expect"]["ripple"]) == (u + v >> 32 * n, n - 1)


def last_line(a, b):
    return lengths(a, b)[-1]


def halved(a, b, found, depth=0):
    """Return a longest common subsequence by halves of a; ``found``: cuts of b, and cells of each depth's lines."""
    found["parts"] += 1
    if not b:
        return ""
    if len(a) == 1:
        found["leaf cells"] += len(b)
        return a if a in b else ""
    half = len(a) // 2
    upper, lower = last_line(a[:half], b), last_line(a[half:][::-1], b[::-1])
    sums = [upper[k] + lower[len(b) - k] for k in range(len(b) + 1)]
    cut = sums.index(max(sums))
    found["lines"].append((upper, lower, sums))
    found["cuts"].append(cut)
    found["half cells" if depth else "first cells"] += len(a) * len(b)
    return halved(a[:half], b[:cut], found, depth + 1) + halved(a[half:], b[cut:], found, depth + 1)


def test_halves_that_meet():
    first, second, columns = parts("hirschberg")
    for part in (first, second):
        found, expect = (
            dict.fromkeys(("parts", "leaf cells", "half cells", "first cells"), 0) | {"cuts": [], "lines": []},
            part["expect"],
        )
        assert halved(part["a"], part["b"], found) == expect["answer"]
        assert found["cuts"] == expect["cuts"]
        assert found["parts"] == expect["steps part"]
        for name in set(expect) & {"leaf cells", "half cells", "first cells"}:
            assert expect[name] == found[name]
        if "L1" in expect:
            assert (expect["L1"], expect["L2"], expect["sums"]) == found["lines"][0]
            assert expect["cells"] == found["first cells"] + found["half cells"] + found["leaf cells"]
            assert expect["table cells"] == len(part["a"]) * len(part["b"])
    found = dict.fromkeys(("parts", "leaf cells", "half cells", "first cells"), 0) | {"cuts": [], "lines": []}
    assert halved(columns["b"], columns["a"], found) == columns["expect"]["answer"]
    assert found["parts"] == columns["expect"]["steps part"]
    assert len(columns["expect"]["answer"]) == columns["expect"]["length"]


def test_blocks_between_edges_that_rise_and_fall():
    (part,) = parts("monotone")
    a, b, expect = part["a"], part["b"], part["expect"]
    table = distances(a, b)
    skipped = [
        [
            col // 4 + 1 for col in range(0, len(b), 4)
            if all(table[row][j + 1] == table[row][j] + 1 for j in range(col, col + 4))
            and all(table[i + 1][col] == table[i][col] - 1 for i in range(row, row + 4))
        ]
        for row in range(0, len(a), 4)
    ]  # fmt: skip
    assert (expect["answer"], expect["skipped"]) == (table[-1][-1], skipped)
    assert expect["handed"] == sum(map(len, skipped))
    for row, cols in enumerate(skipped):  # and what is claimed of them: the other two edges are no choice
        for col in (4 * (k - 1) for k in cols):
            assert all(table[4 * row + 4][j + 1] == table[4 * row + 4][j] + 1 for j in range(col, col + 4))
            assert all(table[i + 1][col + 4] == table[i][col + 4] - 1 for i in range(4 * row, 4 * row + 4))


def test_patterns_in_turn():
    order, part = parts("cyclic")
    q, m = order["inputs"]["q"], order["inputs"]["m"]
    turned = [f"s{letter}^{pattern}" for letter in range(m, 0, -1) for pattern in range(q, 0, -1)]
    apart = [f"s{letter}^{pattern}" for pattern in range(q, 0, -1) for letter in range(m, 0, -1)]
    assert (order["expect"]["order"], order["expect"]["blocks"]) == (turned, apart)
    bit = {name: at for at, name in enumerate(reversed(apart), 1)}
    mixed = [bit[f"s1^{n}"] for n in range(q, 1, -1)]  # where a shift by one moves the last state of the pattern below
    assert order["expect"]["wrong"] == mixed
    text, patterns, expect = part["a"], part["b"].split(), part["expect"]
    most = max(map(len, patterns))
    filled_up = [" " * (most - len(one)) + one for one in patterns]  # a blank fits whatever is read
    for k, state in enumerate(expect["states"], 1):
        bits = [
            "10"[all(c == " " or ((at := k - i + n) > 0 and text[at - 1] == c) for n, c in enumerate(one[:i], 1))]
            for i in range(most, 0, -1) for one in reversed(filled_up)
        ]  # fmt: skip
        assert state == "".join(bits)
        ends = [n for n, one in enumerate(patterns, 1) if text[:k].endswith(one)]
        assert expect["ends"][k - 1] == ends
    dummies = [i * len(patterns) + n for i in range(most) for n, one in enumerate(filled_up, 1) if one[i] == " "]
    assert expect["dummies"] == dummies


def test_letters_that_threads_read():
    (part,) = parts("flat")
    text, expect = part["a"], part["expect"]
    for pattern, fit, read, word in zip(
        part["b"].split(), expect["fit"], expect["pfac"], expect["shift-or"], strict=True
    ):
        assert fit == next(k for k, (x, y) in enumerate(zip(text, pattern, strict=False)) if x != y)
        letters = 0
        for start in range(len(text)):
            for x, y in zip(text[start:], pattern, strict=False):
                letters += 1
                if x != y:
                    break
        assert (read, word) == (letters, len(text))


def ternary(text):
    """Return the rows of the sorted rotations and how many levels a sort in three parts takes, letter by letter."""
    text += "$"
    order, segments, levels = list(range(len(text))), [(0, len(text), 0)], 0
    while segments:
        levels, after = levels + 1, []
        for first, end, depth in segments:
            rows = order[first:end]
            keys = [text[(row + depth) % len(text)] for row in rows]
            pivot = sorted((keys[0], keys[len(keys) // 2], keys[-1]))[1]
            three = [[], [], []]
            for row, key in zip(rows, keys, strict=True):
                three[(key >= pivot) + (key > pivot)].append(row)
            order[first:end] = [row for some in three for row in some]
            begin = first
            for those, deeper in zip(three, (0, 1, 0), strict=True):
                if len(those) > 1:
                    after.append((begin, begin + len(those), depth + deeper))
                begin += len(those)
        segments = after
    return order, levels


def test_levels_of_a_sort_in_three_parts():
    first, second, _ = parts("ternary")
    for part in (first, second):
        rows, levels = ternary(part["a"])
        assert (part["expect"]["rows"], part["expect"]["levels"]) == (rows, levels)
    text, n, expect = first["a"] + "$", first["inputs"]["rows"], first["expect"]
    assert expect["L"] == "".join(text[row - 1] for row in expect["rows"])
    pivot = expect["pivot 1"]
    blocks = [text[k : k + n] for k in range(0, len(text), n)]
    counts = [[sum(c < pivot for c in one), one.count(pivot), sum(c > pivot for c in one)] for one in blocks]
    assert expect["counts 1"] == counts
    less, equal = (sum(row[k] for row in counts) for k in (0, 1))
    assert (expect["equal 1"], expect["greater 1"]) == (less, less + equal)
    begins = [0, less, less + equal]
    for row, count in zip(expect["writes 1"], counts, strict=True):
        assert row == begins
        begins = [begin + more for begin, more in zip(begins, count, strict=True)]
    assert expect["order 1"] == sorted(range(len(text)), key=lambda at: (text[at] > pivot) - (text[at] < pivot))


def test_threads_of_rows():
    (part,) = parts("swap-threads")
    a, b, expect = part["a"], part["b"], part["expect"]
    cells = [(i, j) for i in range(len(a)) for j in range(len(b))]
    sizes = [sum(i + j == k for i, j in cells) for k in range(len(a) + len(b) - 1)]
    assert (expect["new antidiagonal"], expect["steps antidiagonal"]) == (sizes, len(sizes))
    for letter in "abc":
        assert expect[f"dx {letter}"] == [a.rfind(letter, 0, i) + 1 for i in range(len(a))]


def test_chains_of_dots():
    (part,) = parts("dot-chains")
    a, b, expect = part["a"], part["b"], part["expect"]
    k, gap, least = (part["inputs"][name] for name in ("k", "gap", "least"))
    other = b.translate(str.maketrans("ACGT", "TGCA"))
    matches = []  # runs of equal letters that go on at neither end: strand, first letters in a and b, length
    for i in range(len(a)):
        for j in range(len(b)):
            for strand, c, past in ((1, b, len(b)), (-1, other, -1)):
                before = j - strand
                if not (i and 0 <= before < len(b) and a[i - 1] == c[before]):
                    rest = c[j:past:strand] if past >= 0 else c[j::-1]
                    n = next((n for n, (x, y) in enumerate(zip(a[i:], rest, strict=False)) if x != y), None)
                    n = min(len(a) - i, len(rest)) if n is None else n
                    matches += [(strand, i, j, n)] * (n >= k)
    matches.sort(key=lambda one: (-one[0], one[1], one[2]))
    scores, came_from = [], []
    for strand, i, j, n in matches:
        best, source = float(n), 0
        for at, (other_strand, p, q, m) in enumerate(matches[: len(scores)], 1):
            gap_a, gap_b = i - p - m, (j - q) * strand - m  # less than 0: they overlap
            goes_on = (
                other_strand == strand and p + m < i + n and (q - j) * strand + m < n and i > p and (j - q) * strand > 0
            )
            if goes_on and max(gap_a, gap_b) <= gap:
                d = abs(gap_a - gap_b)
                cost = 0.01 * k * d + 0.5 * log2(d) if d else 0
                score = scores[at - 1] + min(n, n + min(gap_a, gap_b)) - cost
                if score > best:
                    best, source = score, at
        scores.append(best)
        came_from.append(source)
    assert [round(score, 2) for score in scores] == expect["scores"]
    assert came_from == expect["before"]
    taken_a, taken_b = set(), set()
    for chain, is_kept in zip(expect["chains"], expect["kept"], strict=True):
        in_a = {i + at for _, i, _, n in (matches[one - 1] for one in chain) for at in range(n)}
        in_b = {j + at * strand for strand, _, j, n in (matches[one - 1] for one in chain) for at in range(n)}
        assert is_kept == (min(scores[chain[-1] - 1], len(in_a - taken_a), len(in_b - taken_b)) >= least)
        if is_kept:
            taken_a, taken_b = taken_a | in_a, taken_b | in_b
    for first in (0, 2):
        spans = sorted(block[first : first + 2] for block in expect["blocks"])
        assert all(one[1] < two[0] for one, two in pairwise(spans))
