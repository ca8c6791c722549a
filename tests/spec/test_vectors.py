"""Vectors of the specification: they have not changed, and agree with the program."""

import json
from typing import Any

import pytest

from protocol.audit import Auditor
from protocol.charter import SignedCharter
from protocol.names import is_clean_name
from protocol.record import MAGIC, framed, record_parts
from tests.protocol.audited import audit
from tests.protocol.proofless import without_proofs
from tests.vectors.files import FILES, text_of
from tests.vectors.recorded import (
    CONTINUATIONS,
    PLANS,
    RECORD_FILES,
    RECORDS,
    recorded,
    recorded_as,
    recorded_with_spectators,
)
from tests.vectors.seeded_matches import KeptMatch, moves_of
from tests.vectors.shape import FOLDER


@pytest.mark.parametrize("name", FILES)
def test_vectors_are_what_the_program_computes(name: str) -> None:
    """Compare the file. After an intended change, `python -m tests.vectors` writes it anew."""
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name)


@pytest.mark.parametrize("name", PLANS)
def test_the_moves_of_a_recorded_match_are_kept_apart(name: str) -> None:
    kept = KeptMatch.read(name)
    assert KeptMatch.parse(kept.text()) == kept
    assert tuple(moves_of(recorded_as(name))) == kept.moves


def test_a_match_is_recorded_with_its_proofs_also_by_a_test_that_leaves_them_out() -> None:
    with without_proofs():
        again = recorded_as.__wrapped__("spectators")
    assert again.entries == recorded_with_spectators().entries


def test_there_are_no_other_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FILES)


def kept(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "name"),
    [(RECORDS, "cut-within"), (RECORDS, "R8"), (RECORDS, "R17-other"), (CONTINUATIONS, "R4-late")],
)
def test_a_file_from_its_first_byte_says_the_same(file: str, name: str) -> None:
    """Audit whole files: a record in the vectors begins only where it leaves the recorded match."""
    about = kept(file)
    record = next(one for one in about["records"] if one["name"] == name)
    entries = [*about["entries"][: record["keep"]], *record["added"]]
    charter = SignedCharter.decode(bytes.fromhex(about["signed_charter"]))
    whole = b"".join(record_parts([(charter, map(bytes.fromhex, entries))]))
    finding = audit(whole + bytes.fromhex(record["tail"]))
    assert (finding.verdict.value, finding.entry) == (record["verdict"], record["entry"])
    assert (finding.cause, finding.player) == (record["cause"], record["player"])
    assert finding.unsigned == tuple(record["unsigned"])


def test_each_kind_of_cause_has_a_record() -> None:
    made = [record for name in RECORD_FILES for record in kept(name)["records"]]
    causes = {record["cause"] for record in made}
    clauses = {f"R{number}" for number in range(1, 21)} - {"R2"}
    equations = {"length", "distinct", "sum", "prod", "commit", "map", "key", "chain"}
    assert causes >= clauses | {"C1", "C2", "C3"}
    assert causes >= {f"shuffle:{equation}" for equation in equations}
    assert causes >= {"unlock:length", "unlock:dleq"}


@pytest.mark.parametrize("name", RECORD_FILES)
def test_a_record_is_named_by_its_cause(name: str) -> None:
    made = kept(name)["records"]
    assert len({record["name"] for record in made}) == len(made)
    for record in made:
        if record["name"][0] in "RX":
            assert record["name"].split("-")[0] == record["cause"]


@pytest.mark.parametrize("about", kept("charter.json")["refused"], ids=lambda one: one["name"])
def test_what_is_no_charter_is_r2(about: Any) -> None:
    refused = bytes.fromhex(about["signed_charter"])
    finding = audit(MAGIC + framed(refused))
    assert (finding.verdict.value, finding.entry, finding.cause) == ("broken", 0, "R2")


@pytest.mark.parametrize("about", kept("charter.json")["newer"], ids=lambda one: one["name"])
def test_a_charter_of_a_newer_version_is_called_that(about: Any) -> None:
    finding = audit(MAGIC + framed(bytes.fromhex(about["signed_charter"])))
    assert (finding.verdict.value, finding.entry, finding.cause) == ("newer", 0, "R2")
    assert (finding.player, finding.unsigned) == (None, ())


def test_a_charter_that_is_cut_off_is_r1() -> None:
    for size in (0, 3, 100):
        whole = framed(bytes.fromhex(kept("charter.json")["signed_charter"]))
        finding = audit(MAGIC + whole[:size])
        assert (finding.verdict.value, finding.entry, finding.cause) == ("broken", 0, "R1")


def test_names_are_clean_or_not() -> None:
    names = kept("charter.json")["names"]
    assert {is_clean_name(about["name"]) for about in names if about["clean"]} == {True}
    assert sum(about["clean"] for about in names) == 11


def test_the_charter_is_that_of_the_records() -> None:
    signed = bytes.fromhex(kept("charter.json")["signed_charter"])
    auditor = Auditor()
    assert signed in recorded().record()
    for _ in auditor.feed(recorded().record(upto=0)):
        pass
    assert auditor.state is not None
    assert auditor.state.charter.encode() in signed
