"""Names and keys of players whom a journal knows."""

from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from protocol.charter import Member

ANA, BRUNO, CARLA, EVE = (bytes([number]) * 32 for number in (1, 2, 3, 4))
FRIENDS = ((ANA, "Ana"), (CARLA, "Carla"))


def objections(known: KnownPlayers, *players: tuple[bytes, str]) -> list[Reason | None]:
    """Return the reason for which each of these keys and names is refused, or None."""
    refusals = [known.objection(key, name) for key, name in players]
    return [refusal.reason if refusal else None for refusal in refusals]


def test_a_known_name_with_another_key_is_refused(empty: Journal) -> None:
    known = KnownPlayers(empty)
    assert objections(known, (ANA, "Ana")) == [None]
    known.meet([Member(ANA, "Ana", bytes(32))], "2026-01-01")
    # A known key may have a new name.
    assert objections(known, (ANA, "Ana"), (ANA, "Anna"), (BRUNO, "Bruno")) == 3 * [None]
    assert [known.knows(key) for key in (ANA, BRUNO)] == [True, False]
    alike = (EVE, "ana"), (EVE, "\N{CYRILLIC CAPITAL LETTER A}na")
    assert objections(known, *alike) == 2 * [Reason.OTHER_KEY]
    assert "another key" in str(known.objection(EVE, "ana"))
    empty.forget_peer(ANA)
    assert objections(known, (EVE, "Ana")) == [None]


def test_a_word_that_the_program_uses_for_a_player_is_refused_as_a_name(empty: Journal) -> None:
    words = [(EVE, name) for name in ("You", "host", "Voc\u00ea")]
    assert objections(KnownPlayers(empty), *words) == 3 * [Reason.NAME_RESERVED]


def test_a_table_for_known_players_refuses_strangers(empty: Journal) -> None:
    friends = KnownPlayers(empty, known_only=True)
    friends.meet([Member(key, name, bytes(32)) for key, name in FRIENDS], "2026-01-01")
    refused = objections(friends, *FRIENDS, (BRUNO, "Bruno"))
    assert refused == [None, None, Reason.KNOWN_PLAYERS_ONLY]
