"""The commands for tables on the network, as far as one machine can test them."""

from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest
import trio
from attrs import evolve

from client.cli.commands import host, join, players, tables, watch
from client.cli.commands.join import can_be_joined
from client.cli.commands.watch import can_be_watched
from client.errors import BadRequest
from client.settings import Settings
from engine.errors import InvalidOption
from p2p.discovery.beacon import Beacon
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal, KnownPeer
from p2p.transport.lobby_messages import Terms
from protocol.errors import Malformed, Refused
from protocol.words_for_keys import words
from tests.client.cli.run_command import parsed, run
from tests.client.cli.tables_that_answer import TablesThatAnswer


@pytest.mark.parametrize("command", [join, watch])
def test_an_impossible_address_opens_no_file(command: ModuleType, home: Path) -> None:
    with pytest.raises(BadRequest, match="“99999” is no port"):
        command.play(parsed(command, "127.0.0.1:99999"), None, Settings())
    assert not [*home.iterdir()]


def terms_of(*words: str) -> Terms:
    """Return the terms of a table that is hosted with these words."""
    return host._terms(parsed(host, *words), Settings(game="kanastic"))


def test_a_table_name_too_long_to_announce_is_refused() -> None:
    """Combining accents take bytes but no columns; an announcement holds a few hundred bytes."""
    with pytest.raises(Malformed, match="too many accents"):
        terms_of("--table", 20 * ("a" + 3 * "\U0001d167"))
    assert terms_of("--table", " Küche").title == "Küche"


def test_a_hosted_table_has_the_game_of_the_settings_by_default() -> None:
    assert terms_of().game.name == "kanastic"
    typed = terms_of("--game", "canastra")
    assert (typed.game.name, typed.seats) == ("canastra", 2)
    assert terms_of("--players", "3").seats == 3
    for impossible in ("--players=9", "--grace=1"):
        with pytest.raises(InvalidOption):
            terms_of(impossible)


@pytest.mark.parametrize("opponents", [-1, 4])
def test_a_host_cannot_give_all_seats_to_opponents(
    home: Path, monkeypatch: pytest.MonkeyPatch, opponents: int
) -> None:
    arguments = parsed(host, "--name", "Ana", f"--opponents={opponents}")
    with pytest.raises(InvalidOption, match="At a table of 4, 0 to 3 players can be"):
        host.play(arguments, None, Settings())  # type: ignore[arg-type]
    monkeypatch.setattr(host, "play_session", lambda *_: 0)
    for possible in (0, 3):
        arguments.opponents = possible
        assert host.play(arguments, None, Settings()) == 0  # type: ignore[arg-type]


OPEN = Beacon(bytes(32), ("2001:db8::1",), 7, "Kitchen", "canasta", 4, 3)
BEGUN = evolve(OPEN, hosts=("192.0.2.1", "192.0.2.2"), free=0, begun="00" * 8)
WATCHED = evolve(OPEN, spectators=True, free=0)


@pytest.mark.parametrize(
    ("beacon", "label", "joined", "watched"),
    [
        (OPEN, "Canasta, 3 of 4 seats free", True, False),
        (WATCHED, "Canasta, 0 of 4 seats free; spectators are admitted", True, False),
        (evolve(OPEN, game="whist"), "an unknown game, 3 of 4 seats free", True, False),
        (evolve(BEGUN, free=1), "Canasta, 4 seats, begun; one of them may be taken over", 1, 0),
        (BEGUN, "Canasta, 4 seats, begun", False, False),
        (evolve(BEGUN, spectators=True), "Canasta, 4 seats, begun; spectators are admitted", 0, 1),
    ],
)
def test_table_line_describes_a_table(
    beacon: Beacon, label: str, joined: bool, watched: bool
) -> None:
    opened = " ".join(words(beacon.owner))
    place = "192.0.2.1:7, 192.0.2.2:7" if beacon.begun else "[2001:db8::1]:7"
    assert tables.table_line(beacon) == f"“Kitchen”: {label}, at {place}, opened by {opened}"
    assert (can_be_joined(beacon), can_be_watched(beacon)) == (joined, watched)
    other = evolve(beacon, version=2)
    assert tables.table_line(other).endswith(" (speaks version 2, this program 1)")


KITCHEN = Beacon(bytes([1]) * 32, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3)
ATTIC = evolve(KITCHEN, key=bytes([2]) * 32, table="Attic")
ADVICE = "Tables come and go as they open and close; Ctrl-C ends the list."


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(
    ("moments", "lines", "end", "code"),
    [
        (
            {0.2: KITCHEN, 0.5: ATTIC},
            [
                *[(0.0, ADVICE), (0.0, "No table is open."), (0.2, "“Kitchen”")],
                *[(0.5, "“Attic”"), (0.5, "“Kitchen”")],
            ],
            7.0,
            None,
        ),
        ({}, [(1.0, "No table is open.")], 1.0, 1),
        ({0.2: KITCHEN}, [(0.2, "“Kitchen”")], 1.2, 0),
        ({0.2: KITCHEN, 0.5: evolve(KITCHEN, free=2)}, [(0.2, "“Kitchen”")], 1.5, 0),
        ({0.2: KITCHEN, 0.5: ATTIC}, [(0.2, "“Kitchen”"), (0.5, "“Attic”")], 1.5, 0),
        # Two players announce the same table, which has begun.
        (
            {0.2: evolve(KITCHEN, begun="00"), 0.5: evolve(ATTIC, begun="00")},
            [(0.2, "“Kitchen”")],
            1.5,
            0,
        ),
        ({0.2: KITCHEN, 9.0: ATTIC}, [(0.2, "“Kitchen”")], 3.0, 0),
    ],
)
async def test_each_table_is_listed_when_it_answers(
    moments: dict[float, Beacon],
    lines: list[tuple[float, str]],
    end: float,
    code: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With `--once` the list ends with an exit code. Otherwise it goes on until Ctrl-C."""
    found: list[tuple[float, str]] = []
    start = trio.current_time()

    def note(text: str) -> None:
        found.append((round(trio.current_time() - start, 3), text.partition(":")[0].strip()))

    beacons = TablesThatAnswer({start + moment: one for moment, one in moments.items()})
    monkeypatch.setattr(tables, "open_beacons", lambda _: nullcontext(beacons))
    console: Any = Mock(line=note)
    ended = None
    with trio.move_on_after(7):
        ended = await tables._list(console, once=code is not None)
    assert (ended, found) == (code, lines)
    assert round(trio.current_time() - start, 3) == end


def test_known_players_are_listed_and_forgotten(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player's own key, which a journal may have, is not listed."""
    own = Identity.load_or_create(home).public

    def listed(*words: str) -> str:
        assert run(players, *words) == 0
        return capsys.readouterr().out

    first = f"Your words: {' '.join(words(own))}\n"
    nobody = f"{first}You have met nobody yet. Players whom you meet are listed here.\n"
    assert listed() == nobody
    with Journal.open(home / JOURNAL_FILE) as journal:
        for key, name in ((own, "Me"), (bytes(32), "Bruno"), (bytes([1]) * 32, "Carla")):
            journal.remember_peer(KnownPeer(key, name, "2026-01-01"))
    met = {
        name: f"{name}: {' '.join(words(key))}, since 2026-01-01\n"
        for key, name in ((bytes(32), "Bruno"), (bytes([1]) * 32, "Carla"))
    }
    assert listed() == first + met["Bruno"] + met["Carla"]
    assert "Bruno" in listed("--forget", "bruno")
    assert listed() == first + met["Carla"]
    with pytest.raises(Refused, match="nobody"):
        run(players, "--forget", "Bruno")
