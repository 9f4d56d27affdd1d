"""GenBank, EMBL and UniProt against Biopython: letters, names, circles, features; or a refusal with its line."""

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from Bio import SeqIO
from Bio.Seq import Seq
from Bio.SeqFeature import CompoundLocation, SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord
from hypothesis import given
from hypothesis import strategies as st

from tests.core.reading.tools import load_pieces, noticed, records
from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse, read
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Alphabet
from wavediff.core.sequences.spans import Feature, SpanKind

DATA = Path(__file__).parents[2] / "data"
FEATURES = b"""\
FEATURES             Location/Qualifiers
     source          1..120
                     /organism="made up"
     gene            complement(<10..>30)
                     /gene="abc"
                     /pseudo
     CDS             join(100..120,
                     1..9)
                     /gene="xyz"
                     /codon_start=2
                     /transl_table=11
                     /note="two ""words"" in
                     two lines"
                     /db_xref="A:1"
                     /db_xref="B:2"
                     /translation="MKV
                     LLA"
     mRNA            complement(join(5..8,20..29))
     CDS             join(40..50,complement(60..65),AB000001.1:5..90)
                     /codon_start=9
     misc_feature    17
"""


def genbank(letters=b"acgtacgtac" * 12, head=b"circular", features=FEATURES, n=None, end=b"//\n"):
    lines = [b"%9d %s\n" % (k + 1, b" ".join(letters[k + j : k + j + 10] for j in range(0, 60, 10)).rstrip())
             for k in range(0, len(letters), 60)]  # fmt: skip
    return b"".join([
        b"LOCUS       SHORT        %10d bp    DNA     %-8s UNK 01-JAN-2026\n" % (n or len(letters), head),
        b"DEFINITION  a record\n            in two lines.\nACCESSION   X1\nVERSION     X1.2\n",
        features, b"ORIGIN      \n", *lines, end,
    ])  # fmt: skip


EMBL = b"""\
ID   X56734; SV 1; circular; genomic DNA; STD; PLN; 70 BP.
XX
AC   X56734; S46826;
XX
DE   Trifolium repens mRNA
DE   for something
XX
FH   Key             Location/Qualifiers
FH
FT   CDS             complement(join(60..70,1..14))
FT                   /gene="abc"
FT                   /codon_start=3
XX
SQ   Sequence 70 BP; 20 A; 20 C; 20 G; 10 T; 0 other;
     aaacaaacca aatatggatt ttattgtagc catatttgct ctgtttgtta ttagctcatt        60
     cacaattact                                                               70
//
"""
UNIPROT = b"""\
ID   HBA_HUMAN               Reviewed;          24 AA.
AC   P69905; P01922;
DE   RecName: Full=Hemoglobin subunit alpha;
FT   CHAIN           2..24
FT                   /note="Hemoglobin subunit alpha"
FT                   /id="PRO_0000052653"
FT   SIGNAL          ?..5
FT   METAL        20     20       Iron
FT                                (heme). /FTId=X1.
SQ   SEQUENCE   24 AA;  15258 MW;  15E13666573BBBAE CRC64;
     MVLSPADKTN VKAAWGKVGA HAGE
//
"""


def features(sequence):
    return [spans.feature(k) for spans in sequence.spans for k in range(len(spans.names))]


def by_biopython(data, kind):
    """Return name, letters, circle and features of each record as Biopython has them, without those of no letter."""
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one in SeqIO.parse(io.StringIO(data.decode()), kind):
            found = []
            for each in one.features:
                parts = [part for part in each.location.parts if part.ref is None]
                named = {key: ", ".join(values) for key, values in each.qualifiers.items()}
                places = tuple((int(part.start), int(part.end)) for part in parts)
                found.append((each.type, places, parts[0].strand, named))
            told.append((one.id, str(one.seq), one.annotations.get("topology") == "circular", found))
    return told


def ours(load):
    every = map(load.sequence, range(load.n_records))
    return [
        (one.name, one.letters.tobytes().decode(), one.circular,
         [(each.type, each.parts, each.strand, dict(each.attributes)) for each in features(one)])
        for one in every
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "kind", "name"),
    [
        (genbank(), "genbank", "GenBank"), (genbank() + genbank(head=b"linear"), "genbank", "GenBank"),
        (EMBL, "embl", "EMBL"),
    ],
    ids=["one", "two", "EMBL"],
)  # fmt: skip
@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_records_are_those_of_biopython(data, kind, name, newline):
    load = parse(data.replace(b"\n", newline))
    assert load.format == name
    assert ours(load) == by_biopython(data, kind)
    assert load.sequence(0).alphabet is Alphabet.DNA
    assert noticed(load) == ()


def test_features_have_names_strands_and_frames():
    sequence = parse(genbank()).sequence(0)
    assert (sequence.name, sequence.description) == ("X1.2", "a record in two lines")
    source, gene, cds, mrna, mixed, point = features(sequence)
    assert (source.type, source.name, source.strand) == ("source", "made up", 1)
    assert gene == Feature("abc", "gene", -1, ((9, 30),), {"gene": "abc", "pseudo": ""})
    assert (cds.parts, cds.codon_start, cds.table) == (((99, 120), (0, 9)), 2, 11)
    assert cds.attributes["note"] == 'two "words" in two lines'
    assert (cds.attributes["translation"], cds.attributes["db_xref"]) == ("MKVLLA", "A:1, B:2")
    assert (mrna.name, mrna.parts, mrna.strand) == ("mRNA", ((19, 29), (4, 8)), -1)
    assert (mixed.parts, mixed.codon_start, mixed.table) == (((39, 50), (59, 65)), 1, 1)
    assert sequence.spans[0].strands.tolist() == [1, -1, 1, 1, -1, -1, 1, -1, 1]
    assert (point.name, point.parts) == ("misc_feature", ((16, 17),))


def test_uniprot_has_proteins_whose_features_have_no_strand():
    load = parse(UNIPROT + UNIPROT.replace(b"P69905; ", b""))
    assert records(load)[0] == ("P69905", "RecName: Full=Hemoglobin subunit alpha;", b"MVLSPADKTNVKAAWGKVGAHAGE")
    assert (load.format, load.sequence(1).name, load.sequence(0).alphabet) == ("UniProt", "P01922", Alphabet.PROTEIN)
    chain, metal = features(load.sequence(0))
    assert chain[:4] == ("Hemoglobin subunit alpha", "CHAIN", 0, ((1, 24),))
    assert metal == Feature("Iron (heme).", "METAL", 0, ((19, 20),), {"note": "Iron (heme).", "id": "X1"})
    (notice,) = noticed(load)
    assert notice.startswith("2 features left out that cannot be read, the first one is SIGNAL in line 7 (")


def test_a_short_protein_of_genpept_is_no_dna():
    data = genbank(b"gatcga", b"linear", b"").replace(b" bp    DNA ", b" aa        ")
    assert parse(data).sequence(0).alphabet is Alphabet.PROTEIN


PHIX_GENES = {
    "A": ((3980, 5386), (0, 136)), "A*": ((4496, 5386), (0, 136)), "B": ((5074, 5386), (0, 51)), "K": ((50, 221),),
    "C": ((132, 393),), "D": ((389, 848),), "E": ((567, 843),), "J": ((847, 964),), "F": ((1000, 2284),),
    "G": ((2394, 2922),), "H": ((2930, 3917),),
}  # fmt: skip


CORONA_GENES = {
    "ORF1ab": ((265, 13468), (13467, 21555)), "S": ((21562, 25384),), "ORF3a": ((25392, 26220),),
    "E": ((26244, 26472),), "M": ((26522, 27191),), "ORF6": ((27201, 27387),), "ORF7a": ((27393, 27759),),
    "ORF8": ((27893, 28259),), "N": ((28273, 29533),), "ORF10": ((29557, 29674),),
}  # fmt: skip


@pytest.mark.parametrize(
    ("file", "topology", "genes"),
    [("phix174_NC_001422.1", "circular", PHIX_GENES), ("sars_cov_2_MN908947.3", "linear", CORONA_GENES)],
)
@pytest.mark.parametrize("minus", [False, True], ids=["plus", "minus"])
def test_genes_of_a_genome_are_read_in_their_frames(file, topology, genes, minus):
    """Genes across the seam of a circle, one inside another, and one with a letter that is read twice."""
    letters = Seq(read(DATA / f"{file}.fa").sequence(0).letters.tobytes())
    n = len(letters)
    genes = {
        name: tuple((n - end, n - start) if minus else (start, end) for start, end in parts)
        for name, parts in genes.items()
    }
    letters = letters.reverse_complement() if minus else letters
    record = SeqRecord(letters, "X1.1", "X1", annotations={"molecule_type": "DNA", "topology": topology})
    for name, parts in genes.items():
        places = [SimpleLocation(*part, strand=-1 if minus else 1) for part in parts]
        place = places[0] if len(places) == 1 else CompoundLocation(places)
        record.features.append(SeqFeature(place, "CDS", qualifiers={"gene": name, "transl_table": 11}))
    written = io.StringIO()
    SeqIO.write(record, written, "genbank")
    sequence = parse(written.getvalue()).sequence(0)
    assert (sequence.circular, len(sequence)) == (topology == "circular", n)
    found = {one.name: one for one in features(sequence)}
    assert {name: one.parts for name, one in found.items()} == genes
    for one in found.values():
        parts = [letters[start:end] for start, end in one.parts]
        read_as = (part.reverse_complement() if one.strand < 0 else part for part in parts)
        protein = Seq("".join(map(str, read_as))).translate(one.table)
        assert protein.startswith("M")
        assert protein.endswith("*")
        assert protein.count("*") == 1


LOCATIONS = st.lists(
    st.tuples(st.integers(0, 99), st.integers(1, 40), st.sampled_from((1, -1))).map(
        lambda one: SimpleLocation(one[0], min(100, one[0] + one[1]), strand=one[2])
    ),
    min_size=1,
    max_size=4,
)
WORDS = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=9)


@given(st.lists(st.tuples(LOCATIONS, WORDS, WORDS), max_size=6), st.booleans(), st.sampled_from(["genbank", "embl"]))
def test_what_biopython_writes_is_read_as_biopython_reads_it(made, circular, kind):
    record = SeqRecord(Seq("ACGTN" * 20), "X1.1", "X1", description="made", annotations={"molecule_type": "DNA"})
    record.annotations["topology"] = "circular" if circular else "linear"
    for places, key, value in made:
        place = places[0] if len(places) == 1 else CompoundLocation(places)
        record.features.append(SeqFeature(place, "CDS", qualifiers={key: [value], "note": ["a longer text " * 9]}))
    file = io.StringIO()
    SeqIO.write(record, file, kind)
    data = file.getvalue().encode()
    load = parse(data)
    assert ours(load) == by_biopython(data, kind)


@pytest.mark.parametrize("data", [genbank() * 2, EMBL, UNIPROT], ids=["GenBank", "EMBL", "UniProt"])
@pytest.mark.parametrize("size", [1, 7, 61])
def test_pieces_are_cut_anywhere(data, size):
    load = load_pieces([data[:80], *(data[k : k + size] for k in range(80, len(data), size))], head=80)
    assert ours(load) == ours(parse(data))


@pytest.mark.parametrize("data", [genbank(), EMBL, UNIPROT], ids=["GenBank", "EMBL", "UniProt"])
def test_a_file_that_is_cut_off_is_refused_or_whole(data):
    whole = ours(parse(data))
    for n in range(20, len(data)):
        if n >= len(data) - len("\n//\n"):  # before that the number behind the last letters may be cut off
            assert ours(parse(data[:n])) == whole
        elif data[n:].strip(b"\n/ 0123456789"):
            with pytest.raises(InputError, match=r"cut off: the record has|the line has the number"):
                parse(data[:n])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (genbank().replace(b"       61 a", b"       62 a"), "record 1 'X1.2', line 29: the line has the number 62"),
        (EMBL.replace(b" 60\n", b" 59\n"), "record 1 'X56734.1', line 15: .* number 59; its last letter is number 60"),
        (genbank() + genbank().replace(b"acgt", b"ac#t", 1), "record 2 'X1.2', line 58, column 13: the character '#'"),
        (genbank().replace(b"acgt", b"ac\xff\xfe", 1), "line 28, column 13: the byte 0xFF among letters"),
        (genbank(end=b"") + genbank(), "record 1 'X1.2', line 30: another record begins in this one; a record ends"),
        (genbank(b"", features=b"CONTIG      join(AB000001.1:1..50)\n"), "1 record, no letters; download the whole"),
        (genbank(b"", features=b""), "no sequence in the file: 1 record, no letters; letters follow ORIGIN or SQ"),
        (genbank(n=200, end=b""), "cut off: the record has 120 of 200 letters; a record ends with a line '//'"),
        (b"LOCUS       X" + b" " * (3 << 20), "line 0: a line of over 1,048,576 bytes"),
    ],
    ids=["number", "EMBL", "letter", "byte", "no end", "contig", "no letters", "cut off", "long line"],
)  # fmt: skip
def test_what_does_not_fit_is_named(data, said):
    with pytest.raises(InputError, match=said):
        parse(data)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("100..130", "1 feature cut off at the ends of their sequences, the first one is gene 'g' in line 7, 100 to"),
        ("500..600", "1 feature cut off at the ends of their sequences, the first one is gene 'g' in line 7, 500 to"),
        ("1..99999999999999999999", "1 feature cut off at the ends of their sequences"),
        ("5^6", "1 feature left out that have no letter here, the first one is gene 'g' in line 7"),
        ("AB1.1:5..9", "1 feature left out that have no letter here"),
        ("9..5", "1 feature left out that cannot be read, the first one is gene in line 7 ("),
        ("somewhere", "1 feature left out that cannot be read"),
        ("join(" * 500, "1 feature left out that cannot be read"),
        ("1.." + "9" * 5000, "1 feature left out that cannot be read"),
    ],
)  # fmt: skip
def test_features_that_do_not_fit_leave_the_letters(place, said):
    table = f'FEATURES             Location/Qualifiers\n     gene            {place}\n                     /gene="g"\n'
    load = parse(genbank(head=b"linear", features=table.encode()))
    (notice,) = noticed(load)
    assert said in notice
    stays = {"100..130": [((99, 120),)], "1..99999999999999999999": [((0, 120),)]}
    sequence = load.sequence(0)
    assert [one.parts for one in features(sequence)] == stays.get(place, [])


def test_a_record_and_letters_of_it_keep_their_features(tmp_path):
    path = tmp_path / "two.gb"
    path.write_bytes(genbank() + genbank().replace(b"X1.2", b"Y1.1"))
    whole = read(f"{path}:Y1.1").sequence(0)
    assert whole.circular
    assert [one.name for one in features(whole)] == ["made up", "abc", "xyz", "mRNA", "CDS", "misc_feature"]
    part = read(f"{path}:Y1.1:6-25").sequence(0)
    assert not part.circular
    assert [(one.name, one.parts) for one in features(part)] == [
        ("made up", ((0, 20),)), ("abc", ((4, 20),)), ("xyz", ((0, 4),)), ("mRNA", ((14, 20), (0, 3))),
        ("misc_feature", ((11, 12),)),
    ]  # fmt: skip


def test_the_length_of_the_header_is_compared_with_the_letters():
    assert noticed(parse(genbank(n=3000) * 2)) == ("record 1 'X1.2' names 3,000 letters and has 120 (and 1 more)",)


def test_it_is_no_fasta_and_may_be_read_as_a_text():
    with pytest.raises(InputError, match="no line begins with '>'"):
        parse(genbank(), read_as=ReadAs.FASTA)
    assert parse(genbank(), read_as=ReadAs.TEXT).sequence(0).alphabet is Alphabet.TEXT
    assert parse(b"ID   Name\n1    Ann\n").sequence(0).alphabet is Alphabet.TEXT


@pytest.mark.thorough
def test_a_million_features_are_read():
    place = b"     gene            %d..%d\n"
    table = b"FEATURES             Location/Qualifiers\n" + b"".join(
        place % (k % 99 + 1, 120) for k in range(1_000_000)
    )
    (spans,) = parse(genbank(features=table)).sequence(0).spans
    assert (len(spans.names), spans.kind, int(spans.ends.sum())) == (1_000_000, SpanKind.FEATURE, 120_000_000)
    assert spans.covered(np.array([0]), np.array([120])).tolist() == [int((spans.ends - spans.starts).sum())]
