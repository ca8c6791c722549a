"""The second verifier finds what the specification says, and agrees with the audit."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from engine.games import GAMES
from protocol.charter import SignedCharter
from protocol.codec import decode, encode
from protocol.entries import BODY_LIMIT, ENTRY_LIMIT, UnlockContent
from protocol.errors import Malformed, Newer
from protocol.move_codec import move_fields
from protocol.record_file import MAGIC, framed
from spec import verifier
from tests.protocol.audited import audit
from tests.protocol.bad_encodings import BAD_ENCODINGS
from tests.protocol.every_move import EVERY_MOVE, NO_MOVES
from tests.protocol.seeded_table import SeededTable
from tests.spec.alterations import ACCEPTED, agrees, alterations, changed, lists, verifier_says
from tests.spec.library_arithmetic import by_the_library
from tests.spec.run_verifier import tables, vectors, verified
from tests.vectors.recorded import (
    RECORD_FILES,
    ROUNDS,
    recorded_as,
)

MADE: list[tuple[str, dict[str, Any]]] = [
    (name, record) for name in RECORD_FILES for record in vectors(name)["records"]
]


# -- with the vectors


def test_verifier_decodes_the_values_of_the_vectors() -> None:
    about = vectors("values.json")
    good = [(case["bytes"], case["value"]) for case in about["encodings"]]
    good += [(case["bytes"], bytes.fromhex(case["value"])) for case in about["bytes_encodings"]]
    assert [verifier.decode(bytes.fromhex(data)) for data, _ in good] == [one for _, one in good]
    for bad in about["refused"].values():
        with pytest.raises(verifier.NotEncoded):
            verifier.decode(bytes.fromhex(bad))


def test_verifier_computes_the_points_and_hashes_of_the_vectors() -> None:
    about = vectors("group.json")
    table = bytes.fromhex(about["table_id"])
    assert verifier.encode_point(verifier.BASE).hex() == about["base"]
    assert [verifier.encode_point(p).hex() for p in verifier.generators(8)] == about["generators"]
    for deal in about["cards"]:
        place = [verifier.number(deal[which]) for which in ("round", "deal")]
        cards = map(verifier.number, range(len(deal["points"])))
        computed = (verifier.hash_to_point("card", table, *place, card) for card in cards)
        assert [verifier.encode_point(point).hex() for point in computed] == deal["points"]


def points(encodings: list[str]) -> list[verifier.Point]:
    return [verifier.decode_point(bytes.fromhex(one)) for one in encodings]


def test_verifier_accepts_only_the_unchanged_shuffle_of_the_vectors() -> None:
    about = vectors("shuffle.json")
    outputs = bytes.fromhex("".join(about["outputs"]))
    ctx, key, proof = (bytes.fromhex(about[part]) for part in ("ctx", "unlock_key", "proof"))
    arguments = ctx, key, points(about["inputs"]), outputs
    assert len(verifier.verify_shuffle(*arguments, proof)) == 5
    for at in range(0, len(proof), 32):
        changed = bytearray(proof)
        changed[at] ^= 1
        with pytest.raises(verifier.Misfit):
            verifier.verify_shuffle(*arguments, bytes(changed))


def test_verifier_accepts_only_the_unchanged_unlocking_of_the_vectors() -> None:
    about = vectors("unlock.json")
    (key,) = points([about["unlock_key"]])
    ctx, proof = bytes.fromhex(about["ctx"]), bytes.fromhex(about["proof"])
    locked, unlocked = points(about["locked"]), points(about["unlocked"])
    verifier.verify_unlock(ctx, key, locked, unlocked, proof)
    with pytest.raises(verifier.Misfit, match="dleq"):
        verifier.verify_unlock(ctx, key, locked, unlocked[::-1], proof)


def test_verifier_reads_the_charter_of_the_vectors() -> None:
    about = vectors("charter.json")
    table = verifier.open_table(bytes.fromhex(about["signed_charter"]))
    assert table.table_id.hex() == about["table_id"]
    assert [key.hex() for key in table.keys] == [member["key"] for member in about["members"]]


def test_verifier_accepts_the_good_charters_of_the_vectors() -> None:
    for about in vectors("charter.json")["taken"]:
        signed = bytes.fromhex(about["signed_charter"])
        assert verifier.open_table(signed).table_id == SignedCharter.decode(signed).charter.table_id


def test_verifier_refuses_the_bad_charters_of_the_vectors() -> None:
    for about in vectors("charter.json")["refused"]:
        record = MAGIC + framed(bytes.fromhex(about["signed_charter"]))
        found = verifier.verify_record([record])
        assert found == verifier.Finding("broken", 0, "R2"), about["name"]


@pytest.mark.parametrize(
    ("name", "record"), MADE, ids=[f"{name}: {record['name']}" for name, record in MADE]
)
def test_verifier_agrees_with_the_vectors_on_records(name: str, record: dict[str, Any]) -> None:
    finding = verified(name, record["name"])
    seen = record["without_rules"] or record
    assert finding == verifier.Finding(
        seen["verdict"],
        seen["entry"],
        seen["cause"],
        seen["player"],
        tuple(seen["unsigned"]),
        tuple(map(tuple, seen["exposed"])),
    )


# -- with entries and charters made here


def test_cards_of_the_seat_draw_are_checked_without_rules() -> None:
    moment = recorded_as("rounds").when("unlock")
    table, honest = tables(ROUNDS)[moment.number], moment.the(UnlockContent)
    for gives in (honest.gives[::-1], honest.gives[:-1]):
        wrong = moment.signed(evolve(honest, gives=gives))
        assert verifier_says(table, wrong) == ("exposed", "R14", moment.writer)
    out_of_turn = moment.signed(honest, moment.other)
    assert verifier_says(table, out_of_turn) == ("exposed", "R11", moment.other)
    assert verifier_says(table, moment.entry) == ACCEPTED


@pytest.mark.parametrize("encoding", BAD_ENCODINGS)
def test_verifier_refuses_bad_encodings_of_points(encoding: str) -> None:
    """The encodings are the bad ones of RFC 9496, A.2, and the identity."""
    with pytest.raises(verifier.Misfit):
        verifier.decode_point(bytes.fromhex(encoding))


def test_both_verifiers_accept_the_same_moves() -> None:
    for move in EVERY_MOVE:
        verifier.cards_of_move(lists(decode(encode(move_fields(move)), limit=1000)), 108)
    for value in NO_MOVES:
        with pytest.raises(verifier.NotEncoded):
            verifier.cards_of_move(lists(decode(encode(value), limit=100_000)), 108)


# -- with parts of records changed at random, and signed by their writers


def test_both_verifiers_agree_on_altered_records() -> None:
    causes = Counter[tuple[str, str]]()
    for one in alterations(random.Random(3), 600):
        assert agrees(one.program, one.second()), (one, one.second())
        causes[one.program[:2]] += 1
    assert set(causes) >= {
        *(("broken", cause) for cause in ("R3", "R4", "R6", "R19")),
        *(("exposed", cause) for cause in ("R8", "R9", "R11")),
        ("newer", "R2"),
        ACCEPTED[:2],
    }
    assert sum(count for (_, cause), count in causes.items() if ":" in cause) > 20


def says_newer_or_broken(opens: Callable[[bytes], object], signed: bytes) -> str:
    """Return the refusal of a charter as one word, or an empty text."""
    try:
        opens(signed)
    except (Newer, verifier.Newer):
        return "newer"
    except (Malformed, verifier.Broken):
        return "broken"
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_both_verifiers_accept_the_same_charters(game: str) -> None:
    """One field of a charter is changed, and all members sign it again."""
    rng = random.Random(game)
    table = SeededTable.sit(game, GAMES[game].players[0])
    seen = set()
    for _ in range(50):
        fields = lists(decode(table.charter.charter.encode(), limit=BODY_LIMIT))
        at = rng.randrange(len(fields))
        fields[at] = changed(fields[at], rng)
        charter = encode(fields)
        signatures = [sign(b"sobremesa/1/charter", charter) for sign in table.signers]
        signed = encode([charter, signatures])
        program = says_newer_or_broken(SignedCharter.decode, signed)
        with by_the_library():
            assert says_newer_or_broken(verifier.open_table, signed) == program, fields
        seen.add(program)
    assert seen == {"broken", "newer", ""}


def test_r1_a_file_with_only_a_first_line_is_cut_in_its_charter() -> None:
    found = verifier.verify_record([MAGIC])
    assert (found.verdict, found.entry, found.cause) == ("broken", 0, "R1")
    assert audit(MAGIC).cause == "R1"


@pytest.mark.parametrize(
    ("length", "cause"), [(0, "R1"), (1, "R3"), (ENTRY_LIMIT, "R3"), (ENTRY_LIMIT + 1, "R1")]
)
def test_both_verifiers_accept_the_same_lengths_of_parts(length: int, cause: str) -> None:
    charter = bytes.fromhex(vectors("charter.json")["signed_charter"])
    record = MAGIC + framed(charter) + framed(bytes(length))
    program = audit(record)
    assert (program.verdict.value, program.entry, program.cause) == ("broken", 1, cause)
    assert verifier.verify_record([record]) == verifier.Finding(
        "broken", 1, cause, unsigned=program.unsigned
    )


def test_both_decoders_accept_the_same_bytes() -> None:
    rng = random.Random(2)
    good = [encode(case["value"]) for case in vectors("values.json")["encodings"]]
    for _ in range(3000):
        data = bytearray(rng.choice(good) or b"\0")
        for _ in range(rng.randrange(1, 3)):
            data[rng.randrange(min(len(data), 6))] = rng.randrange(256)
        values: list[Any] = []
        for decoder in (lambda data: lists(decode(data, limit=1000)), verifier.decode):
            try:
                values.append(decoder(bytes(data)))
            except (Malformed, verifier.NotEncoded):
                values.append(Malformed)
        assert values[0] == values[1]
