"""The commands for tables on the network, as far as one machine can test them."""

from argparse import ArgumentParser
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
import trio
from attrs import evolve

from client.cli.commands import host, join, players, resume, tables, watch
from client.cli.commands.join import can_be_joined
from client.cli.commands.watch import can_be_watched
from client.errors import BadRequest
from client.session.network_node import own_name
from client.settings import Settings
from client.ui.text.console import Console
from engine.errors import InvalidOption
from p2p.discovery.beacon import Beacon
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal, KnownPeer
from protocol.errors import Malformed, Refused
from protocol.words_for_keys import words
from tests.client.cli.run_command import run
from tests.client.cli.tables_that_answer import TablesThatAnswer


@pytest.mark.parametrize("command", [join, watch])
def test_an_impossible_address_opens_no_file(command: ModuleType, home: Path) -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    with pytest.raises(BadRequest, match="“99999” is no port"):
        command.play(parser.parse_args(["127.0.0.1:99999"]), None, Settings())
    assert not [*home.iterdir()]


def test_a_table_name_too_long_to_announce_is_refused() -> None:
    """Combining accents take bytes but no columns; an announcement holds a few hundred bytes."""
    parser = ArgumentParser()
    host.add_arguments(parser)
    crowded = parser.parse_args(["--table", 20 * ("a" + 3 * "\U0001d167")])
    with pytest.raises(Malformed, match="too many accents"):
        host._terms(crowded, Settings())
    assert host._terms(parser.parse_args(["--table", " Küche"]), Settings()).title == "Küche"


def test_a_hosted_table_has_the_game_of_the_settings_by_default() -> None:
    parser = ArgumentParser()
    host.add_arguments(parser)
    settings = Settings(game="kanastic")
    assert host._terms(parser.parse_args([]), settings).game.name == "kanastic"
    typed = parser.parse_args(["--game", "canastra"])
    assert host._terms(typed, settings).game.name == "canastra"
    assert host._terms(typed, settings).seats == 2
    assert host._terms(parser.parse_args(["--players", "3"]), settings).seats == 3
    for impossible in ("--players=9", "--grace=1"):
        with pytest.raises(InvalidOption):
            host._terms(parser.parse_args([impossible]), settings)


@pytest.mark.parametrize("opponents", [-1, 4])
def test_a_host_cannot_give_all_seats_to_opponents(
    home: Path, monkeypatch: pytest.MonkeyPatch, opponents: int
) -> None:
    parser = ArgumentParser()
    host.add_arguments(parser)
    arguments = parser.parse_args(["--name", "Ana", f"--opponents={opponents}"])
    with pytest.raises(InvalidOption, match="At a table of 4, 0 to 3 players can be"):
        host.play(arguments, None, Settings())  # type: ignore[arg-type]
    monkeypatch.setattr(host, "play_session", lambda *_: 0)
    for possible in (0, 3):
        arguments.opponents = possible
        assert host.play(arguments, None, Settings()) == 0  # type: ignore[arg-type]


OPEN = Beacon(bytes(32), ("2001:db8::1",), 7, "Kitchen", "canasta", 4, 3)
BEGUN = evolve(OPEN, hosts=("192.0.2.1", "192.0.2.2"), free=1, begun="00" * 8)
WATCHED = evolve(BEGUN, free=0, spectators=True)


@pytest.mark.parametrize(
    ("beacon", "label", "place", "joined", "watched"),
    [
        (OPEN, "Canasta, 3 of 4 seats free", "[2001:db8::1]:7", True, False),
        (
            evolve(OPEN, spectators=True, free=0),
            "Canasta, 0 of 4 seats free; spectators are admitted",
            "[2001:db8::1]:7",
            True,
            False,
        ),
        (
            BEGUN,
            "Canasta, 4 seats, begun; one of them may be taken over",
            "192.0.2.1:7, 192.0.2.2:7",
            True,
            False,
        ),
        (
            evolve(BEGUN, free=0),
            "Canasta, 4 seats, begun",
            "192.0.2.1:7, 192.0.2.2:7",
            False,
            False,
        ),
        (
            WATCHED,
            "Canasta, 4 seats, begun; spectators are admitted",
            "192.0.2.1:7, 192.0.2.2:7",
            False,
            True,
        ),
        (
            evolve(OPEN, game="whist"),
            "an unknown game, 3 of 4 seats free",
            "[2001:db8::1]:7",
            True,
            False,
        ),
    ],
)
def test_table_line_describes_a_table(
    beacon: Beacon, label: str, place: str, joined: bool, watched: bool
) -> None:
    opened = " ".join(words(beacon.owner))
    assert tables.table_line(beacon) == f"“Kitchen”: {label}, at {place}, opened by {opened}"
    assert (can_be_joined(beacon), can_be_watched(beacon)) == (joined, watched)
    other = evolve(beacon, version=2)
    assert tables.table_line(other).endswith(" (speaks version 2, this program 1)")


def test_own_name_comes_from_the_argument_or_the_settings(tmp_path: Path) -> None:
    assert own_name(tmp_path, " Ana  María ") == "Ana María"
    with pytest.raises(Malformed):
        own_name(tmp_path, "\x1b \u202e")
    with pytest.raises(Malformed, match="HOST could be mistaken for a word of the program"):
        own_name(tmp_path, "HOST")
    (tmp_path / "settings.toml").write_text('name = "Olga"\n')
    assert own_name(tmp_path, None) == "Olga"


async def test_each_table_is_listed_when_it_answers(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Beacon(bytes([1]) * 32, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3)
    second = evolve(first, key=bytes([2]) * 32, table="Attic")
    late = evolve(first, key=bytes([3]) * 32, table="Roof")
    for moments, lines, end, code in (
        (
            {0.2: first, 0.5: second},
            [
                (0.0, "Tables come and go as they open and close; Ctrl-C ends the list."),
                (0.0, "No table is open."),
                (0.2, "“Kitchen”"),
                *[(0.5, "“Attic”"), (0.5, "“Kitchen”")],
            ],
            7.0,
            None,
        ),
        ({}, [(1.0, "No table is open.")], 1.0, 1),
        ({0.2: first}, [(0.2, "“Kitchen”")], 1.2, 0),
        ({0.2: first, 0.5: evolve(first, free=2)}, [(0.2, "“Kitchen”")], 1.5, 0),
        ({0.2: first, 0.5: second}, [(0.2, "“Kitchen”"), (0.5, "“Attic”")], 1.5, 0),
        # Two players announce the same table, which has begun.
        (
            {0.2: evolve(first, begun="00"), 0.5: evolve(second, begun="00")},
            [(0.2, "“Kitchen”")],
            1.5,
            0,
        ),
        ({0.2: first, 9.0: late}, [(0.2, "“Kitchen”")], 3.0, 0),
    ):
        found: list[tuple[float, str]] = []
        start = trio.current_time()

        class Lines(StringIO):
            encoding = "utf-8"

            def write(self, text: str) -> int:
                found.append((round(trio.current_time() - start, 3), text))  # noqa: B023
                return len(text)

        beacons = TablesThatAnswer({start + moment: one for moment, one in moments.items()})
        monkeypatch.setattr(tables, "open_beacons", lambda _, to=beacons: nullcontext(to))
        ended = None
        with trio.move_on_after(7):
            ended = await tables._list(Console(Lines()), once=code is not None)
        assert ended == code
        assert [(at, text.partition(":")[0].strip()) for at, text in found] == lines
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


def test_resume_without_a_table_is_refused(home: Path) -> None:
    with pytest.raises(Refused, match="No table with other people waits"):
        run(resume, "--autoplay")


def test_joining_an_address_that_does_not_answer_is_refused(home: Path) -> None:
    with pytest.raises(Exception, match="Nobody answers"):
        run(join, "127.0.0.1:9", "--autoplay")
