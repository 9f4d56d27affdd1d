"""SnapGene's files: letters, the circle and features, against Biopython; or a refusal in one line."""

import io
import struct

import pytest
from Bio import SeqIO

from tests.core.reading.test_flat_files import features
from tests.core.reading.tools import load_pieces, noticed, records
from wavediff.core.base.errors import InputError
from wavediff.core.reading import parse, read
from wavediff.core.reading.snapgene import MAX_XML_BYTES
from wavediff.core.sequences.spans import Feature

FEATURES = b"""<?xml version="1.0"?><Features>
<Feature name="bla" type="CDS" directionality="2"><Segment range="10-30"/><Segment range="40-50"/>
<Q name="codon_start"><V int="2"/></Q><Q name="note"><V text="&lt;b&gt;two&lt;/b&gt; words"/></Q></Feature>
<Feature name="ori" type="rep_origin"><Segment range="55-5"/></Feature></Features>"""
NOTES = b"<Notes><AccessionNumber>X1</AccessionNumber><Comments>A plasmid\nof two words</Comments></Notes>"


def packet(kind, data):
    return struct.pack(">BI", kind, len(data)) + data


def snapgene(letters=b"ACGTAC" * 10, flags=1, features=FEATURES, notes=NOTES):
    cookie = packet(9, b"SnapGene" + struct.pack(">HHH", 1, 15, 19))
    return cookie + packet(0, bytes([flags]) + letters) + packet(6, notes) + packet(10, features) + packet(99, b"x")


@pytest.mark.parametrize("flags", [0, 1])
def test_a_record_is_that_of_biopython(flags):
    data = snapgene(flags=flags)
    load, oracle = parse(data), SeqIO.read(io.BytesIO(data), "snapgene")
    sequence = load.sequence(0)
    assert (load.format, sequence.circular) == ("SnapGene", oracle.annotations["topology"] == "circular")
    assert records(load) == [("X1", "A plasmid of two words", bytes(oracle.seq))]
    bla, ori = features(sequence)
    places = [tuple((int(part.start), int(part.end)) for part in one.location.parts) for one in oracle.features]
    assert [bla.parts, ori.parts] == places
    named = {"codon_start": "2", "note": "two words", "label": "bla"}
    assert bla == Feature("bla", "CDS", -1, ((39, 50), (9, 30)), named)
    assert (bla.codon_start, ori.strand) == (2, 1)
    assert noticed(load) == ()


def test_a_file_without_a_name_is_called_by_it(tmp_path):
    path = tmp_path / "pBR322.dna"
    path.write_bytes(snapgene(notes=b"<Notes><Comments>Made by hand</Comments></Notes>"))
    assert records(read(path))[0][:2] == ("pBR322", "Made by hand")


@pytest.mark.parametrize("size", [1, 7, 61])
def test_pieces_are_cut_anywhere(size):
    data = snapgene()
    load = load_pieces([data[:80], *(data[k : k + size] for k in range(80, len(data), size))], head=80)
    assert records(load) == records(parse(data))


def test_a_file_that_is_cut_off_is_refused():
    data = snapgene()
    ends = {data.index(packet(6, NOTES)), data.index(packet(10, FEATURES)), data.index(packet(99, b"x"))}
    for n in range(14, len(data)):
        if n in ends:
            assert parse(data[:n]).sequence(0).letters.tobytes() == b"ACGTAC" * 10
        else:
            with pytest.raises(InputError, match=r"cut off: a packet|no DNA in this"):
                parse(data[:n])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (snapgene()[:60], "cut off: a packet of this SnapGene file ends at byte 85"),
        (packet(9, b"SnapGene" + bytes(6)), "no DNA in this SnapGene file; proteins and RNA"),
        (snapgene(letters=b"AC GT" * 12), "damaged SnapGene file: letter 3 is the byte 0x20"),
        (snapgene(letters=b"AC\xffGT"), "damaged SnapGene file: 'ascii' codec"),
        (snapgene(features=b"<Features><Feature>"), "damaged SnapGene file: no element found"),
        (snapgene(features=FEATURES.replace(b"10-30", b"ten")), "damaged .*; SnapGene exports it as GenBank"),
        (snapgene(features=b'<!DOCTYPE x [<!ENTITY a "b">]><Features/>'), "SnapGene file contains '<!'"),
        (snapgene(features=b" " * (MAX_XML_BYTES + 1)), "16.8 MB of features or notes in a Snap"),
        (snapgene() + packet(0, b"\1ACGT"), "damaged SnapGene file: The file contains more than one DNA packet"),
    ],
    ids=["cut off", "no DNA", "blank", "byte", "XML", "place", "entities", "large", "twice"],
)  # fmt: skip
def test_what_does_not_fit_is_named(data, said):
    with pytest.raises(InputError, match=said):
        parse(data)


def test_features_behind_the_end_are_cut_off():
    load = parse(snapgene(flags=0, features=FEATURES.replace(b"40-50", b"40-5000").replace(b"55-5", b"1-5")))
    assert features(load.sequence(0))[0].parts == ((39, 60), (9, 30))
    (notice,) = noticed(load)
    assert notice == (
        "1 feature cut off at the ends of their sequences, the first one is CDS 'bla', 10 to 5,000 of 60 letters"
    )
