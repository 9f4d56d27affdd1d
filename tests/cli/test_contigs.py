"""``contigs``: the answer, its files read back by what others say of them, circles, and what is refused."""

import csv
import gzip
import io
import json

import pytest
from Bio import SeqIO

import wavediff
from tests.cli.helpers import call, trouble
from tests.core.assemblies import Truth, assembly, fasta
from wavediff.core.reading.alignments import read_alignments
from wavediff.core.sequences.orientation import reverse_complement

SEED = 4
GAP_TYPES = {  # AGP 2.1, columns 7 and 9
    "scaffold", "contig", "centromere", "short_arm", "heterochromatin", "telomere", "repeat", "contamination"
}  # fmt: skip
EVIDENCE = {
    "paired-ends", "align_genus", "align_xgenus", "align_trnscpt", "within_clone", "clone_contig", "map", "pcr",
    "proximity_ligation", "strobe", "unspecified",
}  # fmt: skip


def write(folder, a, contigs, names=None):
    (folder / "a.fa").write_text(fasta([a], ["ref"]))
    (folder / "c.fa").write_text(fasta(contigs, names))
    return folder / "a.fa", folder / "c.fa"


@pytest.fixture(scope="module")
def made():
    return assembly(SEED, n=30_000, parts=10, share=0.01)


@pytest.fixture
def files(made, tmp_path):
    a, contigs, _ = made
    return write(tmp_path, a, [*contigs, b"ACGT" * 5])


def tsv(path):
    return list(csv.DictReader(io.StringIO(path.read_text()), delimiter="\t"))


def test_the_answer_counts_and_the_table_lists_along_a(files, made, capsys):
    truths = made[2]
    code, out, err = call(capsys, "contigs", *files)
    lines = out.splitlines()
    turned = sum(truth.minus for truth in truths)
    assert (code, err) == (1, "")
    assert lines[0].startswith(f"10 of 11 contigs placed, {turned} turned, cover 9")
    assert lines[0].endswith(" gaps, 1 not placed")
    order = sorted(range(10), key=lambda at: truths[at].start)
    assert [line.split()[:2] for line in lines[2:12]] == [[str(at + 1), f"c{at + 1}"] for at in order]
    assert [line.split()[3] for line in lines[2:12]] == ["-" if truths[at].minus else "+" for at in order]
    assert lines[12] == "not placed, too short: 11 c11"


def test_table_and_json_have_the_places_that_were_made(files, made, tmp_path, capsys):
    truths = made[2]
    call(capsys, "contigs", *files, "--quiet", "--tsv", tmp_path / "o.tsv", "--json", tmp_path / "o.json")
    value = json.loads((tmp_path / "o.json").read_text())
    rows = tsv(tmp_path / "o.tsv")
    assert len(rows) == len(value["contigs"]) == 11
    assert (value["placed"], value["topology"]) == (10, "linear")
    for row, contig in zip(rows[:10], value["contigs"], strict=False):
        truth = truths[contig["contig"] - 1]
        low, high = contig["a_end_range"]
        assert (int(row["a_start"]) - 1, row["strand"]) == (contig["a_start"], contig["strand"])
        assert (row["strand"], int(row["differences"])) == ("-" if truth.minus else "+", contig["differences"])
        assert contig["a_start_range"][0] <= truth.start <= contig["a_start_range"][1]
        assert low <= truth.end <= high
        assert row["a_end_range"] == f"{low}-{high}"
        assert low <= int(row["a_end"]) <= high
        assert row["a_start_range"] == "-".join(str(at + 1) for at in contig["a_start_range"])
        assert contig["differences"] <= truth.edits
    assert (rows[10]["reason"], rows[10]["a_start"], rows[10]["strand"]) == ("too short", "*", "*")
    assert value["covered"] == sum(end - start for start, end, *_ in truths)
    assert sum(last - first for first, last in value["gaps"]) == 30_000 - value["covered"]


def test_paf_is_read_back_with_the_letters_it_aligns(files, made, tmp_path, capsys):
    _, contigs, truths = made
    call(capsys, "contigs", *files, "--quiet", "--paf", tmp_path / "o.paf")
    lines = [line.split("\t") for line in (tmp_path / "o.paf").read_text().splitlines()]
    assert len(lines) == len(read_alignments(str(tmp_path / "o.paf"), None)) == 10
    for line in lines:
        truth, contig = truths[int(line[0][1:]) - 1], contigs[int(line[0][1:]) - 1]
        assert (int(line[1]), int(line[2]), int(line[3])) == (len(contig), 0, len(contig))
        assert (line[4], int(line[7]), int(line[8])) == ("-" if truth.minus else "+", *truth[:2])
        edits = next(int(tag[5:]) for tag in line if tag.startswith("NM:i:"))
        assert edits <= truth.edits


def read_agp(text, sizes):
    """Return the objects of an AGP 2.1 file by the specification of NCBI, checked: name -> lines."""
    lines = text.splitlines()
    assert lines[0] == "##agp-version 2.1"
    found, parts = {}, set()
    for line in lines:
        if line.startswith("#"):
            assert not found, "comments stand at the top"
            continue
        fields = line.split("\t")
        assert len(fields) == 9
        assert all(field and field == field.strip() for field in fields)
        name, first, last, part, kind = fields[0], *map(int, fields[1:4]), fields[4]
        before = found.setdefault(name, [])
        assert part == len(before) + 1
        assert first == (before[-1][1] + 1 if before else 1)
        assert last >= first
        if kind in "NU":
            assert int(fields[5]) == last - first + 1
            assert kind == "N" or fields[5] == "100"
            assert fields[6] in GAP_TYPES
            assert fields[7] == "yes"
            assert fields[8] in EVIDENCE
            assert before, "no object begins with a gap"
            assert before[-1][2] == "W", "no two gaps follow each other"
        else:
            assert kind == "W"
            assert 1 <= int(fields[6]) <= int(fields[7]) <= sizes[fields[5]]
            assert int(fields[7]) - int(fields[6]) == last - first
            assert fields[8] in ("+", "-")
            assert fields[5] not in parts
            parts.add(fields[5])
        before.append((first, last, kind, fields[5:]))
    assert all(one[-1][2] == "W" for one in found.values()), "no object ends with a gap"
    assert parts == set(sizes)
    return found


def letters_of(lines, contigs):
    """Return the letters of an object: what the specification says that its lines are."""
    out = []
    for first, last, kind, rest in lines:
        if kind == "W":
            part = contigs[rest[0]][int(rest[1]) - 1 : int(rest[2])]
            out.append(str(part.reverse_complement() if rest[3] == "-" else part))
        else:
            out.append("N" * (last - first + 1))
    return "".join(out)


def agp_and_fasta(capsys, files, *words):
    folder = files[0].parent
    call(capsys, "contigs", *files, *words, "--quiet", "--agp", folder / "o.agp", "--fasta", folder / "o.fa")
    contigs = {one.id: one.seq for one in SeqIO.parse(io.StringIO(files[1].read_text()), "fasta")}
    found = read_agp((folder / "o.agp").read_text(), {name: len(one) for name, one in contigs.items() if len(one)})
    written = {one.id: str(one.seq) for one in SeqIO.parse(io.StringIO((folder / "o.fa").read_text()), "fasta")}
    assert {name: letters_of(lines, contigs) for name, lines in found.items()} == written
    return found, written


def test_agp_and_fasta_say_the_same(files, made, capsys):
    found, written = agp_and_fasta(capsys, files)
    truths = made[2]
    assert [*found] == ["ref_ordered", "c11"]
    order = [rest[0] for _, _, kind, rest in found["ref_ordered"] if kind == "W"]
    assert order == [f"c{at + 1}" for at in sorted(range(10), key=lambda at: truths[at].start)]
    assert written["c11"] == "ACGT" * 5


@pytest.mark.parametrize("seed", range(3))
def test_the_ordered_letters_are_those_of_a_with_n_in_gaps(seed, tmp_path, capsys):
    """Also where neighbours overlap: the letters of both are there once."""
    a, _, truths = assembly(seed, n=30_000, parts=10, share=0)
    truths = sorted(truths)
    spans = [(max(0, start - 150 * (at % 3)), end) for at, (start, end, *_) in enumerate(truths)]
    contigs = [a[start:end] for start, end in spans]
    contigs = [reverse_complement(one) if truth.minus else one for one, truth in zip(contigs, truths, strict=True)]
    expected, reach = "", spans[0][0]
    for start, end in spans:
        expected += "N" * (start - reach) + a[max(reach, start) : end].decode()
        reach = end
    contigs = contigs[::-1]
    _, written = agp_and_fasta(capsys, write(tmp_path, a, contigs))
    assert written == {"ref_ordered": expected}
    answer = wavediff.blocks(a, written["ref_ordered"].encode())
    assert [block.minus for block in answer.blocks] == [False] * len(answer.blocks)


def test_letters_beyond_a_place_make_a_gap_unknown(tmp_path, capsys):
    a, _, _ = assembly(1, n=20_000, parts=4)
    more = assembly(99, n=2_000, parts=4)[0]
    contigs = [a[:5_000] + more[:600], more[600:900] + a[6_000:9_000], a[9_200:15_000], a[10_000:11_000]]
    found, _ = agp_and_fasta(capsys, write(tmp_path, a, contigs))
    kinds = [(kind, rest[0]) for _, _, kind, rest in found["ref_ordered"]]
    assert [kind for kind, _ in kinds] == ["W", "N", "W", "N", "W"]
    assert abs(int(kinds[1][1]) - 100) <= 10  # what is unlike ends where it is no more by chance
    assert kinds[3] == ("N", "200")
    assert [*found] == ["ref_ordered", "c4"]
    found, _ = agp_and_fasta(capsys, write(tmp_path, a, [a[:5_000] + more[:600], more[600:1_200] + a[6_000:9_000]]))
    assert [(kind, rest[0]) for _, _, kind, rest in found["ref_ordered"]][1] == ("U", "100")


def test_rna_and_contigs_of_one_name(tmp_path, capsys):
    a, _, _ = assembly(1, n=9_000, parts=3)
    a = a.replace(b"T", b"U")
    turned = reverse_complement(a[4_000:9_000], rna=True)
    files = write(tmp_path, a, [a[:3_000], turned, a[100:300]], ["same", "same", "in\tside"])
    call(capsys, "contigs", *files, "--quiet", "--agp", tmp_path / "o.agp", "--fasta", tmp_path / "o.fa")
    found = read_agp((tmp_path / "o.agp").read_text(), {"same_1": 3_000, "same_2": 5_000, "in": 200})
    assert [rest[0] for *_, rest in found["ref_ordered"]] == ["same_1", "1000", "same_2"]
    written = [*SeqIO.parse(io.StringIO((tmp_path / "o.fa").read_text()), "fasta")]
    assert str(written[0].seq) == a[:3_000].decode() + "N" * 1_000 + a[4_000:].decode()


@pytest.mark.parametrize("minus", [False, True])
def test_letters_that_both_ends_of_a_circle_share_are_there_once(minus, tmp_path, capsys):
    a, _, _ = assembly(2, n=20_000, parts=4)
    over = a[10_000:-50] + a[450:3_000]  # what it lacks of A cuts it into two blocks
    files = write(tmp_path, a, [a[2_000:11_000], reverse_complement(over) if minus else over, a[2_500:2_900]])
    found, written = agp_and_fasta(capsys, files, "--topology", "circular")
    assert written == {"ref_ordered": (a[2_000:-50] + a[450:2_000]).decode(), "c3": a[2_500:2_900].decode()}
    assert [rest[0] for *_, rest in found["ref_ordered"]] == ["c1", "c2"]


@pytest.mark.parametrize("topology", ["linear", "circular"])
def test_contained_contigs_name_the_one_they_lie_in(topology, tmp_path, capsys):
    """Also the first one along A, in the contig across the origin; that one is cut by no contained one."""
    a, _, _ = assembly(2, n=20_000, parts=4)
    over = a[18_000:] + a[:2_000] * (topology == "circular")
    files = write(tmp_path, a, [a[500:1_500], over, a[3_000:9_000], a[4_000:5_000], a[8_900:18_300], a[9_000:9_500]])
    out = tmp_path / "o.tsv", tmp_path / "o.json"
    words = ("contigs", *files, "--topology", topology, "--tsv", out[0], "--json", out[1])
    code, text, _ = call(capsys, *words)
    assert code == 0
    circle = topology == "circular"
    last = ("gap", "1000", "3") if circle else ("end", "0", "*")
    expected = {
        "1": ("contained", "1000", "2") if circle else ("gap", "1500", "3"),
        "3": ("overlap", "100", "5"), "4": ("contained", "1000", "3"), "5": ("overlap", "300", "2"),
        "6": ("contained", "500", "5"), "2": last,
    }  # fmt: skip
    fields = ("next", "next_letters", "next_contig")
    assert {row["contig"]: tuple(row[name] for name in fields) for row in tsv(out[0])} == expected
    rows = json.loads(out[1].read_text())["contigs"]
    told = [tuple("*" if row[name] is None else str(row[name]) for name in fields) for row in rows]
    assert [(str(row["contig"]), one) for row, one in zip(rows, told, strict=True)] == [*expected.items()]
    lines = {line.split()[0]: line for line in text.splitlines()[2:8]}
    assert lines["4"].endswith("100 %  contained in 3")
    assert lines["3"].endswith("100 %  overlap 100")
    found, written = agp_and_fasta(capsys, files, "--topology", topology)
    ordered = (["c1", "1500"] if not circle else []) + ["c3", "c5", "c2"]
    assert [rest[0] for *_, rest in found["ref_ordered"]] == ordered
    assert [*found][1:] == (["c1"] if circle else []) + ["c4", "c6"]
    if circle:
        assert written["ref_ordered"] == (a[3_000:] + a[:2_000]).decode()


def test_a_circle_by_option_and_gzip(tmp_path, capsys):
    a, _, _ = assembly(2, n=20_000, parts=4)
    over = reverse_complement(a[-2_000:] + a[:3_000])
    one, other = write(tmp_path, a, [a[4_000:17_000], over])
    (tmp_path / "c.fa.gz").write_bytes(gzip.compress(other.read_bytes()))
    words = ("contigs", one, tmp_path / "c.fa.gz", "--topology", "circular", "--tsv", tmp_path / "o.tsv")
    code, out, _ = call(capsys, *words, "--paf", tmp_path / "o.paf", "--threads", "1", "--seed-letters", "20")
    assert (code, out.splitlines()[0]) == (0, "2 of 2 contigs placed, 1 turned, cover 90.0 % of A; 2 gaps")
    row = tsv(tmp_path / "o.tsv")[1]
    assert (row["a_start"], row["a_end"], row["strand"], row["next"]) == ("18001", "3000", "-", "gap")
    assert "seeds of 20 letters and more, A is circular" in out
    lines = [line.split("\t") for line in (tmp_path / "o.paf").read_text().splitlines()]
    assert sorted(tuple(map(int, (*line[2:4], *line[7:9]))) for line in lines) == [
        (0, 3_000, 0, 3_000), (0, 13_000, 4_000, 17_000), (3_000, 5_000, 18_000, 20_000),
    ]  # fmt: skip


def test_what_is_rearranged_inside_a_contig_is_counted_in_all_files(tmp_path, capsys):
    a, _, _ = assembly(4, n=20_000, parts=4)
    moved = a[12_000:14_000] + a[16_000:18_000] + a[14_000:16_000] + a[18_000:]
    contig = a[:8_000] + reverse_complement(a[8_000:11_000]) + a[11_000:12_000] + moved
    one, other = write(tmp_path, a, [contig, a[500:900]])
    words = "--tsv", tmp_path / "o.tsv", "--json", tmp_path / "o.json", "--paf", tmp_path / "o.paf"
    code, out, _ = call(capsys, "contigs", one, other, *words)
    lines = out.splitlines()
    assert (code, lines[0]) == (
        0, "2 of 2 contigs placed, cover 100 % of A; 0 gaps; inside contigs: 1 inverted, 1 moved"
    )  # fmt: skip
    assert lines[2].endswith("1 inverted, 1 moved inside")
    value, row = json.loads((tmp_path / "o.json").read_text()), tsv(tmp_path / "o.tsv")[0]
    for told in (value, value["contigs"][0], row):
        assert [int(told[kind]) for kind in ("inverted", "moved", "duplicated")] == [1, 1, 0]
    names = "a_start", "a_end", "covered", "blocks", "elsewhere", "chimeric", "differences"
    assert [row[name] for name in names] == ["1", "20000", "20000", "6", "0", "no", "0"]
    strands = [line.split("\t")[4] for line in (tmp_path / "o.paf").read_text().splitlines()]
    assert strands == [*"+-++++", "+"]


def test_many_contigs_are_listed_in_part(tmp_path, capsys):
    a, contigs, _ = assembly(3, n=12_000, parts=60, share=0, most_gap=20)
    files = write(tmp_path, a, contigs)
    _, out, _ = call(capsys, "contigs", *files)
    assert "  ···  20 more contigs; --all shows them" in out.splitlines()
    _, out, _ = call(capsys, "contigs", *files, "--all")
    assert len(out.splitlines()) == 63


def test_none_is_placed(tmp_path, capsys):
    a, b = (assembly(seed, n=3_000, parts=2)[0] for seed in (1, 2))
    files = write(tmp_path, a, [b, b[:500]])
    code, out, _ = call(capsys, "contigs", *files)
    assert code == 1
    assert out.splitlines()[0] == "none of 2 contigs placed: no chain of shared 13-mers"
    assert [line.split(": ")[1] for line in out.splitlines() if line.startswith("not placed")] == ["1 c1", "2 c2"]
    _, written = agp_and_fasta(capsys, files)
    assert written == {"c1": b.decode(), "c2": b[:500].decode()}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("reads.fq", "@r1\nACGT\n+\nIIII\n@r2\nACGT\n+\nIIII\n", "reads.fq: 2 reads of FASTQ"),
        ("empty.fa", "", "empty.fa: no letters; contigs are records of DNA or RNA"),
        ("names.fa", ">c1\n>c2\n", "there are headers, but no letter follows (--format "),
        ("protein.fa", ">p\nMKVLAAGIVWEEFMKVLAAGIVWEEF\n", "contigs are DNA or RNA"),
    ],
)  # fmt: skip
def test_what_is_no_assembly_is_refused(name, text, said, files, tmp_path, capsys):
    (tmp_path / name).write_text(text)
    code, out, err = call(capsys, "contigs", files[0], tmp_path / name)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def test_a_reference_of_several_records_needs_one(files, capsys):
    trouble(call(capsys, "contigs", files[1], files[1]), "choose one with --record-a NAME|N")
    code, out, _ = call(capsys, "contigs", files[1], files[1], "--record-a", "c3")
    assert code == 1
    assert out.startswith("1 of 11 contigs placed, cover 100 % of A; 0 gaps")
    assert call(capsys, "contigs", f"{files[1]}:c3", files[1])[1] == out


def test_the_function_takes_letters_and_files(files, made):
    a, contigs, truths = made
    answer = wavediff.contigs(a, contigs, topology="linear", threads=1)
    assert str(answer).startswith("10 of 10 contigs placed")
    assert [one.minus for one in answer.result.placements] == [truth.minus for truth in truths]
    assert answer.to("agp").count(b"\tW\t") == 10
    same = wavediff.contigs(files[0], files[1])
    assert [one.a for one in same.result.placed] == [one.a for one in answer.result.placed]
    assert wavediff.contigs(a, a[100:9_000]).result.placements[0].a[0].at == 100
    with pytest.raises(wavediff.WavediffError, match="seeds have 11 to 64 letters, not 5"):
        wavediff.contigs(a, contigs, seed_letters=5)
    with pytest.raises(wavediff.WavediffError, match="topology='ring'"):
        wavediff.contigs(a, contigs, topology="ring")
    with pytest.raises(wavediff.WavediffError, match="format 'sam': tsv, paf, agp, fasta, json are known"):
        answer.to("sam")


def test_what_was_made_is_the_truth_of_the_test(made):
    """The places of the assembly are those that its letters come from, but for what was changed."""
    a, contigs, truths = made
    for contig, truth in zip(contigs, truths, strict=True):
        assert isinstance(truth, Truth)
        letters = reverse_complement(contig) if truth.minus else contig
        assert abs(len(letters) - (truth.end - truth.start)) <= truth.edits
        assert letters[:8] == a[truth.start : truth.start + 8] or truth.edits


def test_a_card_and_a_cluster_are_refused_together(files, capsys):
    code, _, said = call(capsys, "contigs", *files, "--scheduler", "tcp://127.0.0.1:1", "--device", "gpu")
    assert code == 2
    assert "--device gpu does not go with --scheduler" in said
