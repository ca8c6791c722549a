"""The charter: its encoding, the charters that are refused, and the extensions."""

from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from attrs import evolve

from engine.errors import InvalidOption
from engine.games import GAMES, game_named
from protocol.charter import (
    CHARTER_LIMIT,
    SIGNED_LIMIT,
    Charter,
    Extension,
    SignedCharter,
    check_grace,
)
from protocol.charter_extensions import DEAL_OF_THE_DAY, opponents_extension, opponents_of
from protocol.codec import Encodable, encode
from protocol.deal_of_the_day import DayTable, day_extension, day_of
from protocol.errors import Malformed, Newer
from protocol.words_for_keys import words
from tests.client.plain_seat import state_of
from tests.protocol.continuing import concluded, offered
from tests.protocol.seeded_table import SeededTable

SIGNED = SeededTable.sit("canasta", 3).charter
CHARTER = SIGNED.charter
ANA, BRUNO, CARLA = CHARTER.members


def fields(**changes: Encodable) -> bytes:
    values: dict[str, Encodable] = {
        "format": 1,
        "game": "canasta",
        "rules": 1,
        "options": (),
        "grace": CHARTER.grace,
        "spectators": False,
        "members": (ANA.fields(), BRUNO.fields(), CARLA.fields()),
        "extensions": (),
        "continues": None,
    }
    return encode(tuple((values | changes).values()))


def ana(**changes: Encodable) -> Encodable:
    values: dict[str, Encodable] = {"key": ANA.key, "name": ANA.name, "nonce": ANA.nonce}
    return tuple((values | changes).values())


OTHERS = (BRUNO.fields(), CARLA.fields())


@pytest.mark.parametrize("game", GAMES)
def test_charters_of_all_games_survive_encoding_and_decoding(game: str) -> None:
    for players in game_named(game).players:
        signed = SeededTable.sit(game, players).charter
        assert SignedCharter.decode(signed.encode()) == signed


def test_the_helper_fields_encodes_the_charter_without_changes() -> None:
    assert fields() == CHARTER.encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"options": CHARTER.game.options.from_pairs([("target", 700), ("two_canastas", True)])},
        {"spectators": True},
        {"extensions": (Extension("aside", False, b"1"), Extension("badge", False, b""))},
    ],
    ids=["options", "spectators", "extensions"],
)
def test_rare_fields_survive_encoding_and_decoding(changes: dict[str, Any]) -> None:
    charter = evolve(CHARTER, **changes)
    assert Charter.decode(charter.encode()) == charter


@pytest.mark.parametrize(
    ("signed", "shown"),
    [
        ("A\x1b[2Jna", "A[2Jna"),
        ("\u202eanA", "anA"),
        ("A" + 79 * "\u0316", " ".join(words(ANA.key, 2))),
        ("\u200b", " ".join(words(ANA.key, 2))),
        ("", " ".join(words(ANA.key, 2))),
    ],
)
def test_strange_names_are_cleaned_only_when_shown(signed: str, shown: str) -> None:
    """Decoding keeps the name: a verdict must not depend on the version of Unicode."""
    charter = Charter.decode(fields(members=[ana(name=signed), *OTHERS]))
    assert charter.encode() == fields(members=[ana(name=signed), *OTHERS])
    assert charter.name_of(0) == shown
    assert not charter.has_clean_names
    assert CHARTER.has_clean_names


def test_every_changed_field_changes_the_table_id() -> None:
    ids = {
        CHARTER.table_id,
        evolve(CHARTER, options=evolve(CHARTER.options, rounds=6)).table_id,
        evolve(CHARTER, grace=60).table_id,
        evolve(CHARTER, spectators=True).table_id,
        evolve(CHARTER, extensions=(Extension("aside", False, b""),)).table_id,
        evolve(CHARTER, members=(BRUNO, ANA, CARLA)).table_id,
        evolve(CHARTER, members=(evolve(ANA, signed_name="Anna"), BRUNO, CARLA)).table_id,
        evolve(CHARTER, members=(evolve(ANA, nonce=bytes(32)), BRUNO, CARLA)).table_id,
        SeededTable.sit("kanastic", 3).charter.charter.table_id,
    }
    assert len(ids) == 9


TARGET, YES = ("target", 700), ("two_canastas", True)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "do not begin a list"),
        (b"\x90\x02", "do not begin a list"),
        (b"\xdc\x10\x01\x02", "do not begin a list"),  # 4097 items
        (encode(b"canasta"), "do not begin a list"),
        (encode(("canasta",)), "format"),
        (encode((1, "canasta")), "9 fields, not 2"),
        (fields(more=True), "9 fields, not 10"),
        (fields() + b"\0", "not an encoded value"),
        (fields(format=True), "format"),
        (fields(game=7), "game"),
        (fields(game=33 * "s"), "at most 32"),
        (fields(options=[("target", 5000)]), "has its usual value"),
        (fields(options=[YES, TARGET]), "order of their names"),
        (fields(options=[TARGET, TARGET]), "or one is there twice"),
        (fields(options=[("rounds", -1)]), "whole number"),
        (fields(options=[("rounds", 2**64 - 1)]), "whole number"),
        (fields(options=[("two_canastas", 1)]), "yes or no"),
        (fields(options=[("rounds", "many")]), "must be yes, no or a number"),
        (fields(options=[(*YES, 1)]), "1 value too many"),
        (fields(options=65 * [TARGET]), "at most 64"),
        (fields(grace=True), "integer from 10 to 86400"),
        (fields(grace=None), "integer from 10 to 86400"),
        (fields(members=()), "for 2 to 6 players"),
        (fields(members=7 * [ana()]), "at most 6"),
        (fields(members=[ana(key=bytes(32)), *OTHERS]), "anybody could sign"),
        (fields(members=[ana(key=ANA.key[1:]), *OTHERS]), "32 bytes"),
        (fields(members=[(ANA.key, ANA.name), *OTHERS]), "missing"),
        (fields(members=[(ANA.key, ANA.name, ANA.nonce, 1), *OTHERS]), "1 value too many"),
    ],
)
def test_an_unplayable_charter_is_malformed(data: bytes, why: str) -> None:
    """Further charters are in `spec/vectors/charter.json`."""
    with pytest.raises(Malformed, match=why):
        Charter.decode(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xdc\x10\x00\x02", "format 2"),  # 4096 items
        (fields(extensions=[("aside", True, b"")]), "extension aside"),
        (fields(game=32 * "s"), "does not know sss"),
        (fields(rules=2), "version 2 of the rules"),
        (fields(options=[("rounds", 3), ("sevens", 7), ("target", 700)]), "option sevens"),
    ],
)
def test_a_charter_of_a_newer_version_is_recognized(data: bytes, why: str) -> None:
    with pytest.raises(Newer, match=why):
        Charter.decode(data)


def continues(**changes: Encodable) -> bytes:
    """Return a charter by which a match of three players goes on without the first.

    The changes are to the fields of its continuation.
    """
    place = (bytes(32), 0, bytes(32))
    values: dict[str, Encodable] = {"match": bytes(32), "place": place, "parent": 2, "attempt": 3}
    values |= {"left": (0,), "results": ((5, 0, -5),), "ends": False}
    return fields(continues=tuple((values | changes).values()))


@pytest.mark.parametrize(
    "changes",
    [
        {"match": bytes(31)},
        {"place": (bytes(32), -1, bytes(32))},
        {"place": (bytes(32), 0, bytes(32), 0)},
        {"parent": -1},
        {"attempt": 2},
        {"attempt": (1 << 48) + 1},
        {"left": (1, 0)},
        {"left": (3,)},
        {"results": ((5, 0),)},
        {"results": ((5, 0, 1 << 31),)},
        {"results": 1001 * ((0, 0, 0),)},
        {"ends": 0},
        {"more": None},
    ],
)
def test_a_malformed_continuation_is_refused(changes: dict[str, Encodable]) -> None:
    assert Charter.decode(continues()).encode() == continues()
    with pytest.raises(Malformed):
        Charter.decode(continues(**changes))


@pytest.mark.parametrize("seconds", [10, 86400])
def test_the_bounds_of_the_grace_are_allowed(seconds: int) -> None:
    check_grace(seconds)
    assert Charter.decode(fields(grace=seconds)).grace == seconds


@pytest.mark.parametrize("seconds", [-1, 9, 86401])
def test_the_refusal_of_a_grace_names_its_bounds(seconds: int) -> None:
    with pytest.raises(InvalidOption, match="10 to 86400 seconds"):
        check_grace(seconds)


def test_a_charter_over_the_size_limit_is_refused_unread() -> None:
    newer = encode((2,))
    longest, most = CHARTER_LIMIT - len(newer), SIGNED_LIMIT
    with pytest.raises(Newer):
        Charter.decode(newer + bytes(longest))
    with pytest.raises(Malformed, match="do not begin"):
        Charter.decode(newer + bytes(longest + 1))
    signed = b"\x92" + encode(newer)
    with pytest.raises(Newer):
        SignedCharter.decode(signed + bytes(most - len(signed)))
    with pytest.raises(Malformed, match="do not begin"):
        SignedCharter.decode(signed + bytes(most + 1 - len(signed)))


def test_data_after_the_signatures_of_a_charter_is_refused() -> None:
    with pytest.raises(Malformed, match="a charter and its signatures"):
        SignedCharter.decode(encode((CHARTER.encode(), SIGNED.signatures, 1)))
    table = SeededTable.sit("canasta", 3)
    continuation = concluded(table, table.state, offered(table.state, [0])).encode()
    charter, signatures = msgpack.unpackb(continuation)
    with pytest.raises(Malformed, match="1 value too many"):
        SignedCharter.decode(encode((charter, [(*item, 1) for item in signatures])))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda s: (), "not signed by each of its signers"),
        (lambda s: (*s, s[0]), "at most 3"),
        (lambda s: (s[1], s[0], s[2]), "Ana has not signed"),
        (lambda s: (s[0], s[1], bytes(64)), "Carla has not signed"),
        (lambda s: (s[0], s[1][:-1], s[2]), "64 bytes"),
    ],
)
def test_a_charter_needs_the_signatures_of_all_signers(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]], why: str
) -> None:
    signed = evolve(SIGNED, signatures=change(SIGNED.signatures))
    with pytest.raises(Malformed, match=why):
        SignedCharter.decode(signed.encode())


def test_a_signature_for_another_use_or_table_does_not_count() -> None:
    table = SeededTable.sit("canasta", 2)
    charter = table.charter.charter
    other = evolve(charter, members=charter.members[::-1])
    assert charter.is_signed_by(0, table.charter.signatures[0])
    assert not other.is_signed_by(1, table.charter.signatures[0])
    assert not charter.is_signed_by(0, table.signers[0](b"sobremesa/1/entry", charter.encode()))
    assert not charter.is_signed_by(0, table.signers[0](b"charter", charter.encode()))


def test_a_player_is_found_by_key() -> None:
    assert CHARTER.player_of(BRUNO.key) == 1
    assert CHARTER.player_of(bytes(32)) is None


def test_every_flipped_bit_of_a_signed_charter_is_found() -> None:
    data = SIGNED.encode()
    for i in range(len(data)):
        with pytest.raises(Malformed):
            SignedCharter.decode(data[:i] + bytes([data[i] ^ 1 << i % 8]) + data[i + 1 :])


# -- The extensions of a charter: the deal of a day, and the level of the opponents

DAY = "2026-11-23"
TABLE = DayTable(DAY, "canasta", 4)


def charter(*extensions: Extension) -> Charter:
    return evolve(
        state_of("canasta", 4, ("Ana", "Bruno", "Carla", "Diego")).charter, extensions=extensions
    )


def test_the_permutation_of_a_day_is_the_same_on_all_machines() -> None:
    """The expected permutation is written out: otherwise nobody would notice a change."""
    assert TABLE.permutation(0, 0, 8) == (0, 7, 5, 2, 3, 1, 6, 4)
    assert DayTable.of(charter(day_extension(DAY))) == TABLE


@pytest.mark.parametrize(
    "other",
    [
        DayTable("2026-11-24", "canasta", 4).permutation(1, 0, 108),
        DayTable(DAY, "kanastic", 4).permutation(1, 0, 108),
        DayTable(DAY, "canasta", 2).permutation(1, 0, 108),
        TABLE.permutation(2, 0, 108),
        TABLE.permutation(1, 1, 108),
    ],
    ids=["day", "game", "number of players", "deal", "player"],
)
def test_permutation_depends_on_day_game_players_deal_and_player(other: tuple[int, ...]) -> None:
    own = TABLE.permutation(1, 0, 108)
    assert sorted(own) == sorted(other) == list(range(108))
    assert own != other


def test_the_order_of_a_deal_combines_all_shuffles() -> None:
    first, second = (TABLE.permutation(1, player, 5) for player in (0, 1))
    cards = (10, 11, 12, 13, 14)
    once = [cards[place] for place in first]
    assert TABLE.dealt(cards, 1, (0, 1)) == tuple(once[place] for place in second)


@pytest.mark.parametrize(
    "value",
    [b"", b"today", b"20261123", b"2026-11-32", b"2026-11-23 ", b"\xff" * 10, b"2026-13-01"],
)
def test_an_invalid_date_makes_no_deal_of_the_day(value: bytes) -> None:
    strange = charter(Extension(DEAL_OF_THE_DAY, critical=False, value=value))
    assert day_of(strange) == ""
    assert DayTable.of(strange) is None


def test_extensions_for_day_and_opponents_are_read() -> None:
    both = charter(day_extension(DAY), opponents_extension("strong"))
    again = Charter.decode(both.encode())
    assert (day_of(again), opponents_of(again)) == (DAY, "strong")
    assert (day_of(charter()), opponents_of(charter())) == ("", "")
    for value in ("a b", "x" * 41, "\x1b[31m"):
        assert opponents_of(charter(opponents_extension(value))) == ""
