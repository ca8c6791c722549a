"""The second verifier knows what the specification says, and agrees with the audit."""

import json
import random
from functools import cache
from typing import Any

import pytest

from protocol.codec import Encodable, Value, decode, encode
from protocol.entries import BODY_LIMIT, CONTENTS, Entry
from protocol.errors import Broken, Exposed, Malformed
from protocol.fold import advance
from protocol.record import framed
from spec import verifier
from tests.protocol.played import Moment, played
from tests.vectors import FOLDER, recorded


def vectors(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


RECORDS: list[dict[str, Any]] = vectors("records.json")["records"]


def lists(value: Value) -> Any:
    return [lists(item) for item in value] if isinstance(value, tuple) else value


# -- by the vectors


def test_values() -> None:
    about = vectors("values.json")
    for case in about["encodings"]:
        assert verifier.decode(bytes.fromhex(case["bytes"])) == case["value"]
    for case in about["bytes_encodings"]:
        assert verifier.decode(bytes.fromhex(case["bytes"])) == bytes.fromhex(case["value"])
    for bad in about["refused"].values():
        with pytest.raises(verifier.NotEncoded):
            verifier.decode(bytes.fromhex(bad))


def test_group_and_hashes() -> None:
    about = vectors("group.json")
    table = bytes.fromhex(about["table_id"])
    assert verifier.encode_point(verifier.BASE).hex() == about["base"]
    assert [verifier.encode_point(p).hex() for p in verifier.generators(8)] == about["generators"]
    for deal in about["cards"]:
        for card, point in enumerate(deal["points"]):
            place = map(verifier.number, (deal["round"], deal["deal"], card))
            computed = verifier.hash_to_point("card", table, *place)
            assert verifier.encode_point(computed).hex() == point


def points(encodings: list[str]) -> list[verifier.Point]:
    return [verifier.decode_point(bytes.fromhex(one)) for one in encodings]


def test_shuffle() -> None:
    about = vectors("shuffle.json")
    outputs = bytes.fromhex("".join(about["outputs"]))
    arguments = (
        bytes.fromhex(about["ctx"]),
        bytes.fromhex(about["unlock_key"]),
        points(about["inputs"]),
        outputs,
    )
    proof = bytes.fromhex(about["proof"])
    assert len(verifier.verify_shuffle(*arguments, proof)) == 5
    for at in range(0, len(proof), 32):
        changed = bytearray(proof)
        changed[at] ^= 1
        with pytest.raises(verifier.Misfit):
            verifier.verify_shuffle(*arguments, bytes(changed))


def test_unlock() -> None:
    about = vectors("unlock.json")
    (key,) = points([about["unlock_key"]])
    ctx, proof = bytes.fromhex(about["ctx"]), bytes.fromhex(about["proof"])
    locked, unlocked = points(about["locked"]), points(about["unlocked"])
    verifier.verify_unlock(ctx, key, locked, unlocked, proof)
    with pytest.raises(verifier.Misfit, match="dleq"):
        verifier.verify_unlock(ctx, key, locked, unlocked[::-1], proof)


def test_charter() -> None:
    about = vectors("charter.json")
    table = verifier.open_table(bytes.fromhex(about["signed_charter"]))
    assert table.table_id.hex() == about["table_id"]
    assert [key.hex() for key in table.keys] == [member["key"] for member in about["members"]]


@cache
def tables() -> list[verifier.Table]:
    """The table of the recorded round after each of its entries."""
    about = vectors("records.json")
    found = [verifier.open_table(bytes.fromhex(about["signed_charter"]))]
    for entry in about["entries"]:
        found.append(found[-1].advance(bytes.fromhex(entry)))
    return found


@pytest.mark.parametrize("record", RECORDS, ids=[record["name"] for record in RECORDS])
def test_record(record: dict[str, Any]) -> None:
    rest = b"".join(framed(bytes.fromhex(entry)) for entry in record["added"])
    rest += bytes.fromhex(record["tail"])
    table = tables()[record["keep"]]
    finding = verifier.verify_record([rest], table)
    if record["rules"]:
        assert finding.verdict == "unfinished"
        return
    assert finding == verifier.Finding(
        record["verdict"],
        record["entry"],
        record["cause"],
        record["player"],
        tuple(record["unsigned"]),
    )


# -- by games played here


def test_four_sit_down_by_their_cards() -> None:
    one = played("canasta", 4)
    upto = one.when("shuffle", lambda m: m.state.match.round_number == 1).state.height + 1
    finding = verifier.verify_record([one.record(upto=upto)])
    assert (finding.verdict, finding.entry) == ("unfinished", upto)


@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 2), ("canastra", 2)])
def test_it_follows_every_game_to_its_end(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reshuffles and deads included. The proofs take long and are left out here."""

    def believed(*arguments: Any) -> list[verifier.Point]:
        outputs = arguments[3]
        return points([outputs[at : at + 32].hex() for at in range(0, len(outputs), 32)])

    monkeypatch.setattr(verifier, "verify_shuffle", believed)
    monkeypatch.setattr(verifier, "verify_unlock", lambda *_: None)
    one = played(game, players)
    finding = verifier.verify_record([one.record()])
    assert finding == verifier.Finding("sound", len(one.entries))


# -- by entries changed at random, and signed by whoever was to write them


def program_says(moment: Moment, entry: bytes) -> tuple[str, str, int | None]:
    try:
        advance(moment.state, entry)
    except Broken as error:
        return "broken", error.cause, None
    except Exposed as error:
        return "exposed", error.cause, error.player
    return "accepted", "", None


def verifier_says(table: verifier.Table, entry: bytes) -> tuple[str, str, int | None]:
    try:
        table.advance(entry)
    except verifier.Broken as error:
        return "broken", error.cause, None
    except verifier.Exposed as error:
        return "exposed", error.cause, error.player
    return "accepted", "", None


def changed(value: Any, rng: random.Random) -> Any:
    """The value with one thing in it changed."""
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.06:
            return value[:at] + value[at + 1 :]
        if kind < 0.12:
            return [*value, value[at]]
        if kind < 0.18:
            return [*value[:at], *value[at:][::-1]]
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        data = bytearray(value)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    if type(value) is int and rng.random() < 0.8:
        return value + rng.choice([-1, 1, 2, 100])
    if isinstance(value, bool):
        return not value
    return rng.choice([None, 0, 1, 2**40, -1, b"", bytes(32), "draw", [], [0, 1], True])


def needs_rules(cause: str) -> bool:
    """What the verifier cannot know: the game's clauses, and what the rules have ordered."""
    return cause[0] not in "Rus" or cause in {"R11", "R12", "R14", "R16", "R17"}


@pytest.mark.parametrize("kind", CONTENTS)
def test_both_say_the_same_of_changed_entries(kind: str) -> None:
    rng = random.Random(kind)
    moments = [m for m in recorded().moments if m.body.content.kind == kind]
    seen = set()
    for _ in range(12 if kind == "shuffle" else 60):
        moment = rng.choice(moments)
        body = lists(decode(Entry.decode(moment.entry).body, limit=BODY_LIMIT))
        other: Encodable = changed(body, rng)
        entry = moment.signed_bytes(encode(other))
        program = program_says(moment, entry)
        second = verifier_says(tables()[moment.state.height], entry)
        seen.add(program[1])
        if needs_rules(program[1] or "R"):
            assert second in {program, ("accepted", "", None)} or second[::2] == program[::2]
        else:
            assert second == program
    assert len(seen) > 1


def test_both_say_the_same_of_bytes_changed_on_the_way() -> None:
    rng = random.Random(1)
    for _ in range(60):
        moment = rng.choice(recorded().moments)
        data = bytearray(moment.entry)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        entry = bytes(data)
        assert verifier_says(tables()[moment.state.height], entry) == program_says(moment, entry)


def test_both_decoders_take_the_same_bytes() -> None:
    rng = random.Random(2)
    good = [encode(case["value"]) for case in vectors("values.json")["encodings"]]
    for _ in range(3000):
        data = bytearray(rng.choice(good) or b"\0")
        for _ in range(rng.randrange(1, 3)):
            data[rng.randrange(min(len(data), 6))] = rng.randrange(256)
        try:
            mine: Any = lists(decode(bytes(data), limit=1000))
        except Malformed:
            mine = Malformed
        try:
            theirs: Any = verifier.decode(bytes(data))
        except verifier.NotEncoded:
            theirs = Malformed
        assert mine == theirs
