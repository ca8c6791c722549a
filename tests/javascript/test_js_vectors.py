"""The verifier in JavaScript, which has the right result for each test vector."""

from typing import Any

import pytest

from protocol.charter import SignedCharter
from tests.javascript.node import Verifier
from tests.spec.run_verifier import vectors
from tests.vectors.recorded import RECORD_FILES


def test_verifier_decodes_the_values_of_the_vectors(verifier: Verifier) -> None:
    about = vectors("values.json")
    for case in about["encodings"]:
        told = verifier.ask("decode", bytes=case["bytes"])["value"]
        assert case["value"] == (int(told["integer"]) if isinstance(told, dict) else told)
        assert type(told) is dict or type(told) is type(case["value"])
    for case in about["bytes_encodings"]:
        assert verifier.ask("decode", bytes=case["bytes"]) == {"value": {"hex": case["value"]}}
    for what, bad in about["refused"].items():
        assert verifier.ask("decode", bytes=bad) == {"refused": "form"}, what


def test_verifier_computes_the_points_and_hashes_of_the_vectors(verifier: Verifier) -> None:
    about = vectors("group.json")
    assert verifier.ask("base") == about["base"]
    assert verifier.ask("generators", n=8) == about["generators"]
    for deal in about["cards"]:
        for card, point in enumerate(deal["points"]):
            place = [deal["round"], deal["deal"], card]
            assert verifier.ask("card", table=about["table_id"], place=place) == point


def test_verifier_accepts_only_the_unchanged_shuffle_of_the_vectors(verifier: Verifier) -> None:
    about = vectors("shuffle.json")
    question = {
        "context": about["ctx"],
        "unlockKey": about["unlock_key"],
        "inputs": about["inputs"],
        "outputs": about["outputs"],
    }
    proof = bytes.fromhex(about["proof"])
    assert verifier.ask("shuffle", **question, proof=proof.hex()) == {"value": 5}
    for at in range(0, len(proof), 32):
        changed = bytearray(proof)
        changed[at] ^= 1
        assert "refused" in verifier.ask("shuffle", **question, proof=changed.hex()), at


def test_verifier_accepts_only_the_unchanged_unlocking_of_the_vectors(verifier: Verifier) -> None:
    about = vectors("unlock.json")
    question = {"context": about["ctx"], "unlockKey": about["unlock_key"], "proof": about["proof"]}
    locked, unlocked = about["locked"], about["unlocked"]
    told = verifier.ask("unlock", **question, locked=locked, unlocked=unlocked)
    assert told == {"value": True}
    told = verifier.ask("unlock", **question, locked=locked, unlocked=unlocked[::-1])
    assert told == {"refused": "unlock:dleq"}


def test_verifier_agrees_with_the_vectors_on_charters(verifier: Verifier) -> None:
    about = vectors("charter.json")
    told = verifier.ask("tableId", charter=about["signed_charter"])
    assert told == {"value": about["table_id"]}
    for good in about["taken"]:
        table = SignedCharter.decode(bytes.fromhex(good["signed_charter"])).charter.table_id
        told = verifier.ask("tableId", charter=good["signed_charter"])
        assert told == {"value": table.hex()}, good["name"]
    for bad in about["refused"]:
        told = verifier.ask("tableId", charter=bad["signed_charter"])
        assert told == {"refused": "form"}, bad["name"]
    for newer in about["newer"]:
        told = verifier.ask("tableId", charter=newer["signed_charter"])
        assert told == {"refused": "newer"}, newer["name"]


@pytest.mark.parametrize("name", RECORD_FILES)
def test_verifier_agrees_with_the_vectors_on_records(verifier: Verifier, name: str) -> None:
    about = vectors(name)
    told = verifier.ask(
        "findings",
        charter=about["signed_charter"],
        entries=about["entries"],
        alternatives=about["records"],
    )
    for record, finding in zip(about["records"], told, strict=True):
        check(record, finding)


def check(record: dict[str, Any], finding: dict[str, Any]) -> None:
    seen = record["without_rules"] or record
    assert finding == {key: seen[key] for key in finding}, record["name"]
