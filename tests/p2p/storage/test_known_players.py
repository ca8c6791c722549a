"""Names and keys of players whom a journal knows."""

from pathlib import Path

import pytest

from p2p.discovery.address_book import Address
from p2p.refusals import Reason
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from protocol.charter import Member
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock")

CHARTER = SeededTable.sit(players=2).charter
TABLE = CHARTER.charter.table_id
ADDRESS = Address(CHARTER.charter.members[0].key, "192.0.2.1", 65535)


ANA, BRUNO, CARLA, EVE = (bytes([number]) * 32 for number in (1, 2, 3, 4))
FRIENDS = ((ANA, "Ana"), (CARLA, "Carla"))


def test_a_known_name_with_another_key_is_refused(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        known = KnownPlayers(journal)
        assert known.objection(ANA, "Ana") is None
        known.meet([Member(ANA, "Ana", bytes(32))], "2026-01-01")
        assert known.objection(ANA, "Ana") is None
        assert known.objection(ANA, "Anna") is None  # a known key may have a new name
        assert known.objection(BRUNO, "Bruno") is None
        assert known.knows(ANA)
        assert not known.knows(BRUNO)
        refusal = known.objection(EVE, "ana")
        assert refusal is not None
        assert refusal.reason is Reason.OTHER_KEY
        assert "another key" in str(refusal.sentence)
        assert known.objection(EVE, "\N{CYRILLIC CAPITAL LETTER A}na") is not None
        journal.forget_peer(ANA)
        assert known.objection(EVE, "Ana") is None


def test_nobody_sits_down_under_a_word_of_the_program_for_players(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        for name in ("You", "host", "Voc\u00ea"):
            refusal = KnownPlayers(journal).objection(EVE, name)
            assert refusal is not None
            assert refusal.reason is Reason.NAME_RESERVED


def test_a_table_for_known_players_refuses_strangers(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        friends = KnownPlayers(journal, known_only=True)
        friends.meet([Member(key, name, bytes(32)) for key, name in FRIENDS], "2026-01-01")
        assert all(friends.objection(key, name) is None for key, name in FRIENDS)
        refusal = friends.objection(BRUNO, "Bruno")
        assert refusal is not None
        assert refusal.reason is Reason.KNOWN_PLAYERS_ONLY
