"""Vectors of the specification: their files agree with the program."""

import json
from typing import Any

import pytest

from protocol.audit import Auditor
from protocol.charter import SignedCharter
from protocol.names import is_clean_name
from protocol.record_file import MAGIC, framed, record_parts
from tests.protocol.audited import audit
from tests.protocol.proofless import without_proofs
from tests.vectors.files import FILES, text_of
from tests.vectors.json_encoding import FOLDER
from tests.vectors.kept_matches import KeptMatch, moves_of
from tests.vectors.recorded import (
    CONTINUATIONS,
    PLANS,
    RECORD_FILES,
    RECORDS,
    recorded,
    recorded_as,
    recorded_with_spectators,
)


@pytest.mark.parametrize("name", FILES)
def test_vector_files_match_the_program(name: str) -> None:
    """After an intended change, `python -m tests.vectors` writes the file anew."""
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name)


@pytest.mark.parametrize("name", PLANS)
def test_moves_of_a_recorded_match_are_kept_in_their_own_file(name: str) -> None:
    kept = KeptMatch.read(name)
    assert KeptMatch.parse(kept.text()) == kept
    assert tuple(moves_of(recorded_as(name))) == kept.moves


def test_recording_a_match_always_makes_real_proofs() -> None:
    with without_proofs():
        again = recorded_as.__wrapped__("spectators")
    assert again.entries == recorded_with_spectators().entries


def test_the_folder_has_only_the_listed_vector_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FILES)


def kept(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "name"),
    [(RECORDS, "cut-within"), (RECORDS, "R8"), (RECORDS, "R17-other"), (CONTINUATIONS, "R4-late")],
)
def test_auditing_a_vector_as_a_whole_file_gives_the_same_finding(file: str, name: str) -> None:
    """In the vectors a record lacks the parts that it has in common with the recorded match."""
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
    clauses = {f"R{number}" for number in range(1, 21)} - {"R2"}  # charter.json shows R2
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
def test_r2_a_malformed_charter_breaks_the_record(about: Any) -> None:
    refused = bytes.fromhex(about["signed_charter"])
    finding = audit(MAGIC + framed(refused))
    assert (finding.verdict.value, finding.entry, finding.cause) == ("broken", 0, "R2")


@pytest.mark.parametrize("about", kept("charter.json")["newer"], ids=lambda one: one["name"])
def test_a_charter_of_a_newer_version_is_recognized(about: Any) -> None:
    finding = audit(MAGIC + framed(bytes.fromhex(about["signed_charter"])))
    assert (finding.verdict.value, finding.entry, finding.cause) == ("newer", 0, "R2")
    assert (finding.player, finding.unsigned) == (None, ())


def test_r1_a_charter_cut_off_breaks_the_record() -> None:
    for size in (0, 3, 100):
        whole = framed(bytes.fromhex(kept("charter.json")["signed_charter"]))
        finding = audit(MAGIC + whole[:size])
        assert (finding.verdict.value, finding.entry, finding.cause) == ("broken", 0, "R1")


def test_is_clean_name_agrees_with_the_vectors() -> None:
    names = kept("charter.json")["names"]
    assert {is_clean_name(about["name"]) for about in names if about["clean"]} == {True}
    assert sum(about["clean"] for about in names) == 11


def test_the_charter_vector_is_the_charter_of_the_records() -> None:
    signed = bytes.fromhex(kept("charter.json")["signed_charter"])
    auditor = Auditor()
    assert signed in recorded().record()
    for _ in auditor.feed(recorded().record(upto=0)):
        pass
    assert auditor.state is not None
    assert auditor.state.charter.encode() in signed
