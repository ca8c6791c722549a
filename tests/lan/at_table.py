"""An evening on a LAN: one host opens a table, the others find it and sit down, and all play."""

import time
from collections.abc import Mapping, Sequence
from filecmp import cmp
from types import MappingProxyType

from protocol.audit import Auditor, Verdict
from tests.lan.hosts import COMMAND, Host, Lan, outputs, until

TABLE = "Kitchen"
WORDS = "The table's words"
"""Text that the program prints when all sit; the table's words follow it."""


def player_arguments(host: Host) -> tuple[str, ...]:
    """Return the arguments for the player's name, and for an opponent that plays for them."""
    return ("--name", f"Player {host.number}", "--autoplay", "--seed", f"{host.number}")


def open_table(
    host: Host, game: str, *arguments: str, players: int = 2, by_hand: bool = False
) -> None:
    """Open a table, and wait until others can find it.

    The host's program plays by itself, unless a person plays `by_hand`: they type lines.
    """
    words = ("--game", game, "--players", f"{players}", "--table", TABLE, *arguments)
    who = ("--linear", "--name", "Ana") if by_hand else player_arguments(host)
    host.start("host", *words, *who, typed=by_hand)
    host.wait_for("is open")


def sit_down(
    lan: Lan,
    game: str,
    *,
    rounds: int = 1,
    opponents: int = 0,
    programs: Mapping[int, Sequence[str]] = MappingProxyType({}),
    waiting: Sequence[str] = (),
    hosting: Sequence[str] = (),
) -> None:
    """Let the first host open a table over mDNS, and the others sit down at it by its name.

    The host brings `opponents` computer opponents. `programs` maps the number of a guest to the
    command that this guest runs instead of the installed one. `waiting` are arguments about absent
    players; `hosting` are arguments of the host alone.
    """
    host, *guests = lan.hosts
    more = ("--opponents", f"{opponents}", "--option", f"rounds={rounds}", *waiting, *hosting)
    open_table(host, game, *more, players=len(lan.hosts) + opponents)
    for guest in guests:
        program = programs.get(guest.number, (f"{COMMAND}",))
        guest.start_program(*program, "join", TABLE, *player_arguments(guest), *waiting)
    for player in lan.hosts:
        player.wait_for(WORDS)
    said = {player.said.split(f"{WORDS}: ")[1].splitlines()[0] for player in lan.hosts}
    assert len(said) == 1, said


def until_dealt(hosts: Sequence[Host], entries: int = 24) -> None:
    """Wait until all have so many entries that the first round has been dealt."""
    until(lambda: min(host.entries for host in hosts) >= entries, 120, hosts)


def come_back(host: Host, *arguments: str) -> None:
    """Start the program again after a death."""
    host.start("resume", "--autoplay", "--seed", f"{host.number}", *arguments)


def play_by_lines(host: Host, told: str = "Your hand") -> None:
    """Restart the program for a player who types lines, and wait until it prints `told`."""
    host.kill()
    host.start("resume", "--linear", typed=True)
    until(lambda: told in host.said_last, 60, [host])


def type_turn(host: Host) -> None:
    """Type commands for a turn: draw, and discard a card that is already in the hand."""
    hand = host.said.rpartition("Your hand, ")[2].partition(".")[0].split(": ")[-1].split()
    for line in ("draw", *(f"discard {card.rstrip('★')}" for card in hand[-6:])):
        host.type(line)
    time.sleep(1)


def has_played_on(host: Host, enough: int) -> bool:
    """Return True if the machine's record has `enough` entries, or its match is over."""
    return host.entries >= enough or bool(host.records())


def check_records(hosts: Sequence[Host]) -> None:
    """Assert that all records are the same and sound, and that no output has an error."""
    until(lambda: all(host.records() for host in hosts), 5, hosts)
    first, *others = [record for host in hosts for record in host.records()]
    for other in others:
        assert cmp(first, other, shallow=False), f"The records {first} and {other} differ."
    auditor = Auditor()
    assert list(auditor.feed(first.read_bytes()))
    conclusion = auditor.finish()
    assert conclusion.verdict is Verdict.SOUND, conclusion
    assert not any(sign in host.said for host in hosts for sign in ("!!", "Traceback")), outputs(
        hosts
    )


def finish(table: Lan) -> None:
    """Let the table play to the end of the match; programs that have ended are started again."""
    table.wait()
    for host in table.hosts:
        if not host.records():
            come_back(host)
    table.wait()
    check_records(table.hosts)
