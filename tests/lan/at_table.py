"""An evening on a LAN: one host opens a table, the others find it and sit down, and all play."""

from collections.abc import Mapping, Sequence
from filecmp import cmp
from types import MappingProxyType

from protocol.audit import Auditor, Verdict
from tests.lan.hosts import COMMAND, Host, Lan, until

TABLE = "Kitchen"
WORDS = "The table's words"
"""Text that the program prints when all sit; the table's words follow it."""


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
    seats = f"{len(lan.hosts) + opponents}"
    host.start(
        "host",
        "--game",
        game,
        "--players",
        seats,
        "--opponents",
        f"{opponents}",
        "--table",
        TABLE,
        *player_arguments(host),
        "--option",
        f"rounds={rounds}",
        *waiting,
        *hosting,
    )
    host.wait_for("is open", 120)
    for guest in guests:
        program = programs.get(guest.number, (f"{COMMAND}",))
        guest.start_program(*program, "join", TABLE, *player_arguments(guest), *waiting)
    for player in lan.hosts:
        player.wait_for(WORDS, 120)
    said = {player.said.split(f"{WORDS}: ")[1].splitlines()[0] for player in lan.hosts}
    assert len(said) == 1, said


def come_back(host: Host, *arguments: str) -> None:
    """Start the program again after a death."""
    host.start("resume", "--autoplay", "--seed", f"{host.number}", *arguments)


def until_played_on(network: Lan, host: Host) -> None:
    """Wait until the record is longer than the others could make it, or the match is over.

    Every deal needs all players, so without this machine the others can write only a few entries.
    """
    enough = host.entries + 2 * len(network.hosts)
    until(lambda: has_played_on(host, enough), 120, lambda: host.said[-1500:])


def has_played_on(host: Host, enough: int) -> bool:
    """Return True if the machine's record has `enough` entries, or its match is over."""
    return host.entries >= enough or bool(host.records())


def check_records(lan: Lan) -> None:
    """Assert that all records are the same and sound, and that no output has an error."""
    until(
        lambda: all(host.records() for host in lan.hosts),
        5,
        lambda: "\n".join(host.said[-500:] for host in lan.hosts),
    )
    first, *others = [record for host in lan.hosts for record in host.records()]
    for other in others:
        assert cmp(first, other, shallow=False), f"The records {first} and {other} differ."
    auditor = Auditor()
    assert list(auditor.feed(first.read_bytes()))
    conclusion = auditor.finish()
    assert conclusion.verdict is Verdict.SOUND, conclusion
    wrong = [line for host in lan.hosts for line in host.said.splitlines() if _is_wrong(line)]
    assert not wrong, wrong[0]


def _is_wrong(line: str) -> bool:
    return "!!" in line or "Traceback" in line


def player_arguments(host: Host) -> list[str]:
    """Return the arguments for the player's name, and for an opponent that plays for them."""
    return ["--name", f"Player {host.number}", "--autoplay", "--seed", f"{host.number}"]
