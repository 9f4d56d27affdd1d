"""GFF3, GTF and BED beside a FASTA file: features of its records, or a refusal that names the line."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.reading.test_flat_files import features
from tests.core.reading.tools import noticed
from wavediff.core.base.errors import InputError
from wavediff.core.jobs.events import run_to_end
from wavediff.core.jobs.read import ReadJob
from wavediff.core.reading import read
from wavediff.core.reading.run import run
from wavediff.core.run.api.reading import read as read_sequence

GFF = """\
##gff-version 3
##sequence-region b 1 120
b\tx\tregion\t1\t120\t.\t+\t.\tID=b;Is_circular=true
b\tx\tgene\t10\t30\t.\t-\t.\tID=g1;Name=abc%3Bd;Dbxref=A:1,B:2
b\tx\tCDS\t10\t15\t.\t-\t2\tID=c1;Parent=g1;transl_table=11
b\tx\tCDS\t20\t30\t.\t-\t1\tID=c1;Parent=g1;transl_table=11
b\tx\tCDS\t100\t129\t.\t+\t0\tID=c2;gene=wrap
c\tx\tgene\t1\t5\t.\t.\t.\t
b\tx\tgene\tfive\t9\t.\t.\t.\tID=bad
##FASTA
>other
"""
GTF = """\
b\tx\ttranscript\t10\t60\t.\t+\t.\tgene_id "g"; transcript_id "t";
b\tx\tCDS\t10\t15\t.\t+\t0\tgene_id "g"; transcript_id "t"; exon_number 1;
b\tx\tCDS\t50\t60\t.\t+\t1\tgene_id "g"; transcript_id "t"; exon_number 2;
"""
BED = """\
track name=x
b\t9\t30\tabc\t5\t-
b\t0\t100\tblocks\t0\t-\t0\t0\t0\t2\t10,20,\t0,80,
b\t5\t6
"""


@pytest.fixture
def fasta(tmp_path):
    path = tmp_path / "x.fa"
    path.write_text(">a\nACGT\n>b two\n" + "ACGTACGTAC" * 12 + "\n")
    return path


def beside(fasta, name, text):
    fasta.with_name(name).write_text(text)
    return read(fasta)


@pytest.mark.parametrize("name", ["x.gff3", "x.gff"])
def test_gff3_has_parts_in_order_frames_and_circles(fasta, name):
    load = beside(fasta, name, GFF)
    region, gene, cds, wrap = features(load.sequence(1))
    assert (load.sequence(1).circular, load.sequence(0).circular, load.sequence(0).spans) == (True, False, ())
    assert (region.type, region.parts) == ("region", ((0, 120),))
    assert (gene.name, gene.strand, gene.attributes["Dbxref"]) == ("abc;d", -1, "A:1, B:2")
    assert (cds.parts, cds.strand, cds.codon_start, cds.table) == (((19, 30), (9, 15)), -1, 2, 11)
    assert (wrap.name, wrap.parts, wrap.codon_start) == ("wrap", ((99, 120), (0, 9)), 1)
    source = fasta.with_name(name)
    assert noticed(load) == (
        f"4 features of {source}",
        f"1 feature left out of records that are not here, the first one is in line 8 of {source}, of 'c'",
        f"1 feature left out that cannot be read, the first one is in line 9 of {source}",
    )


def test_gtf_joins_the_lines_of_a_transcript(fasta):
    transcript, cds = features(beside(fasta, "x.gtf", GTF).sequence(1))
    assert (transcript.type, transcript.parts) == ("transcript", ((9, 60),))
    assert (cds.type, cds.parts, cds.codon_start) == ("CDS", ((9, 15), (49, 60)), 1)
    assert cds.attributes == {"gene_id": "g", "transcript_id": "t", "exon_number": "1"}


def test_bed_counts_from_0_and_may_have_blocks(fasta):
    one, blocks, plain = features(beside(fasta, "x.bed", BED).sequence(1))
    assert (one.name, one.strand, one.parts, one.attributes) == ("abc", -1, ((9, 30),), {"score": "5"})
    assert (blocks.name, blocks.parts) == ("blocks", ((80, 100), (0, 10)))
    assert (plain.name, plain.strand, plain.parts) == ("region", 0, ((5, 6),))


def test_a_file_is_found_compressed_or_given(fasta, tmp_path):
    given_file = tmp_path / "other.gff3.gz"
    given_file.write_bytes(gzip.compress(GFF.encode()))
    assert read(fasta).spans == {}
    load = run_to_end(run(ReadJob(path=fasta, features=given_file)))
    assert len(features(load.sequence(1))) == 4
    (tmp_path / "x.gff3.gz").write_bytes(given_file.read_bytes())
    packed = fasta.with_name("x.fa.gz")
    packed.write_bytes(gzip.compress(fasta.read_bytes()))
    for path in (fasta, packed):
        assert len(features(read(path).sequence(1))) == 4
    sequence = read_sequence(fasta, record="b", features=tmp_path / "other.gff3.gz")
    assert [one.type for one in features(sequence)] == ["region", "gene", "CDS", "CDS"]
    assert [one.parts for one in features(read(f"{fasta}:b:20-100").sequence(0))][1:3] == [((0, 11),), ((0, 11),)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what is\n", "line 1: no line of features; nine columns of GFF3 or GTF, or three or more of BED"),
        ("#x\n\nb\tx\tgene\t9\t5\t.\t+\t.\t\n", "line 3: no line of features"),
        ("b\t9\n", "line 1: no line of features"),
        ("b\t9\t9\n", "line 1: no line of features"),
        ("b" * (3 << 20), "line 1: a line of over 1,048,576 bytes"),
    ],
)
def test_what_is_no_such_file_is_refused_where_it_was_given(fasta, tmp_path, text, said):
    file = tmp_path / "given.gff3"
    file.write_text(text)
    with pytest.raises(InputError, match=f"given.gff3, {said}"):
        read_sequence(fasta, record="b", features=file)
    (notice,) = noticed(beside(fasta, "x.bed", text))
    assert notice.startswith(f"features are not read: {fasta.with_name('x.bed')}, {said[:20]}")


def test_a_file_of_features_alone_names_its_fasta(tmp_path):
    (tmp_path / "x.gff3").write_text(GFF)
    with pytest.raises(InputError, match=r"this is GFF or GTF, features without letters; open its FASTA file"):
        read(tmp_path / "x.gff3")


PLACES = st.lists(
    st.tuples(st.integers(1, 120), st.integers(1, 40), st.sampled_from("+-."), st.integers(0, 3)),
    min_size=1,
    max_size=8,
)


@given(PLACES)
def test_lines_with_one_id_are_one_feature(tmp_path_factory, places):
    """Parts of one ID follow each other along its strand, whatever the order of its lines."""
    folder = tmp_path_factory.mktemp("gff")
    (folder / "x.fa").write_text(">b\n" + "A" * 200)
    signs = {id_: sign for *_, sign, id_ in reversed(places)}
    lines = [f"b\t.\texon\t{start}\t{start + n}\t.\t{signs[id_]}\t.\tID={id_}\n" for start, n, _, id_ in places]
    found = features(beside(folder / "x.fa", "x.gff3", "".join(lines)).sequence(0))
    wanted = {}
    for start, n, _, id_ in places:
        wanted.setdefault(id_, []).append((start - 1, start + n))
    assert [int(one.attributes["ID"]) for one in found] == list(wanted)
    for one, (id_, parts) in zip(found, wanted.items(), strict=True):
        minus = signs[id_] == "-"
        assert list(one.parts) == sorted(parts, key=lambda part: -part[1] if minus else part[0])


@pytest.mark.thorough
def test_a_million_lines_are_read(fasta):
    lines = (f"b\tx\tgene\t{k % 99 + 1}\t120\t.\t+\t.\tID=g{k}\n" for k in range(1_000_000))
    (spans,) = beside(fasta, "x.gff3", "".join(lines)).sequence(1).spans
    assert (len(spans.names), spans.names[-1], int(spans.ends.sum())) == (1_000_000, "g999999", 120_000_000)
