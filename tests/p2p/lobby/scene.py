"""Scenes in a lobby: text files of what host and guests do, and of what all then see and hear.

A line without an indent is an event, and a line with # a comment. The indented lines below an event
are its effects, and are generated: `python -m tests.p2p.lobby.scene` rewrites them in all files.
Scenes are divided by empty lines, and begin with the table that Ana opens.

Ana has a real lobby. A guest is only a link, on which the test sends the messages of the scene.
Every five seconds it also sends that the guest is ready, or not ready, as the program of a guest
does. Only `sits down` runs such a program.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from tempfile import TemporaryDirectory

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from p2p.lobby.client_callbacks import STILL_HERE_SECONDS
from p2p.lobby.host import Host
from p2p.lobby.knock_price import pay
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Declined, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    LobbyPlayer,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
)
from p2p.transport.messages import Agreed, Message
from protocol.charter import Charter, SignedCharter, nonce_commitment
from protocol.table.messages import Acknowledgement, Status
from tests.p2p.lobby.lobbies import at_the_door_of, visiting
from tests.p2p.machines import Machine, network_in_memory
from tests.p2p.memory_network import Network

PEOPLE = ("ana", "bruno", "carla", "diego", "eve", "mallory")
LONGEST_SECONDS = 600
"""Seconds within which something has to happen while a scene says `wait`."""
FILES = sorted((Path(__file__).parent / "scenes").glob("*.txt"))


def scenes(path: Path) -> list[str]:
    """Return the scenes of a file, each with its effects."""
    return [scene + "\n" for scene in path.read_text("utf-8").rstrip("\n").split("\n\n")]


async def written(scene: str, folder: Path) -> str:
    """Return the scene with the effects that its events have."""
    lines = [line for line in scene.splitlines() if not line.startswith(" ")]
    notes = [line for line in lines if line.startswith("#")]
    opening, *events = lines[len(notes) :]
    async with _Lobby.opened(opening, folder) as lobby:
        written = [*notes, opening]
        for event in events:
            written += [event, *(f"    {effect}" for effect in await lobby.effects(event))]
    return "\n".join(written) + "\n"


@define(eq=False)
class _Visit:
    """A guest's link to the lobby, and what the guest has said and heard there."""

    name: str
    link: Link
    ready: bool = False
    has_asked: bool = False
    leave: trio.Event = field(factory=trio.Event)
    price: Price | None = None
    attempt: int = 0
    charter: Charter | None = None


@define(eq=False)
class _Lobby:
    """Ana's lobby, and everything that people were told since the last event."""

    seats: int
    folder: Path
    nursery: trio.Nursery
    network: Network = field(factory=Network)
    machines: dict[str, Machine] = field(factory=dict)
    visits: dict[str, _Visit] = field(factory=dict)
    nonces: dict[str, int] = field(factory=dict)
    """Number of the nonce to which each guest is committed."""
    host: Host = field(init=False)
    _told: dict[str, list[str]] = field(factory=dict)
    _news: trio.Event = field(factory=trio.Event)
    _seen: dict[str, str] = field(factory=dict)
    _commitments: dict[bytes, str] = field(factory=dict)

    @classmethod
    @asynccontextmanager
    async def opened(cls, opening: str, folder: Path) -> AsyncIterator["_Lobby"]:
        """Open the table: `table SEATS`, then `ready`, `open` to all, `unattended`, or friends."""
        _, seats, *words = opening.split()
        async with trio.open_nursery() as nursery:
            lobby = cls(int(seats), folder, nursery)
            async with at_the_door_of(
                lobby.machine("ana"),
                *(lobby.machine(name) for name in PEOPLE if name in words),
                seats=lobby.seats,
                ready="ready" in words,
                everybody="open" in words,
                attended="unattended" not in words,
                refused=lambda name, why: lobby._tell("ana", f"{name} is refused. {why}"),
                seen=partial(lobby._sees, "ana"),
                begun=partial(lobby._begins, "ana"),
            ) as lobby.host:
                lobby._told.clear()
                yield lobby
                nursery.cancel_scope.cancel()

    def machine(self, name: str) -> Machine:
        if name not in self.machines:
            number = PEOPLE.index(name)
            self.machines[name] = Machine(self.network, number, self.folder / name)
        return self.machines[name]

    async def effects(self, event: str) -> Iterator[str]:
        """Let the event happen; return what people are told.

        People who are told the same share a line. The lines of one person are sorted,
        because Trio runs tasks in any order.
        """
        began = trio.current_time()
        await self._happens(event.split())
        await trio.testing.wait_all_tasks_blocked()
        told, self._told = self._told, {}
        alike: dict[tuple[str, ...], list[str]] = {}
        for name in self.machines:
            alike.setdefault(tuple(sorted(told.get(name, ()))), []).append(name)
        later = [f"{trio.current_time() - began:g} s later:"] if event == "wait" else []
        lines = (f"{', '.join(names)}: {text}" for texts, names in alike.items() for text in texts)
        return chain(later, lines)

    async def _happens(self, words: Sequence[str]) -> None:
        match words:
            case [seconds, "s"]:
                await trio.sleep(float(seconds))
            case ["wait"]:
                with trio.fail_after(LONGEST_SECONDS):
                    await self._news.wait()
            case [name, "lives", "with", other]:
                self.machine(name).address = self.machine(other).address
            case ["ana", "lets", name, "in"]:
                self.host.admit(self.machine(name).key)
            case ["ana", "turns", name, "away"]:
                self.host.turn_away(self.machine(name).key)
            case ["ana", "is", *no, "ready"]:
                self.host.set_ready(not no)
            case ["ana", "looks"]:
                self._seen.pop("ana")
                self._sees("ana", self.host.lobby_state)
            case ["ana", "closes", "the", "table"]:
                await self.host.close()
            case [name, "sits", "down"]:
                self.nursery.start_soon(self._sits_down, name)
            case [name, "calls"]:
                await self.nursery.start(self._visits, name)
            case [name, "leaves"]:
                self.visits[name].leave.set()
            case [name, *words]:
                if name not in self.visits:
                    await self.nursery.start(self._visits, name)
                await self._says(self.visits[name], words)

    async def _says(self, visit: _Visit, words: Sequence[str]) -> None:
        """Let a guest send the message that the words of the event name."""
        key, number = self.machine(visit.name).key, self.nonces.setdefault(visit.name, 0)
        commitments = [nonce_commitment(key, _nonce(number + more)) for more in (0, 1)]
        match words:
            case [("asks" | "knocks") as way, *other]:
                visit.has_asked = True
                named = " ".join(other[1:]) or visit.name.title()
                if visit.price is None:
                    await say(visit.link, Sit(named, commitments[0]))
                    await trio.testing.wait_all_tasks_blocked()
                if way == "knocks" and visit.price is not None:
                    await say(visit.link, Sit(named, commitments[0], pay(visit.price.nonce)))
            case ["is", *no, "ready"]:
                visit.ready = not no
                await say(visit.link, Ready(visit.ready))
            case ["says", "it", "too", "often"]:
                with suppress(LinkError):
                    for _ in range(RateLimit().burst + 1):
                        await say(visit.link, Ready(visit.ready))
            case ["reveals", *attempt]:
                self.nonces[visit.name] += 1
                attempted = int(attempt[-1]) if attempt else visit.attempt
                await say(visit.link, Reveal(attempted, _nonce(number), commitments[1]))
            case ["makes", "up", "a", "nonce"]:
                await say(visit.link, Reveal(visit.attempt, _nonce(99), commitments[1]))
            case ["signs"] if visit.charter is not None:
                sign = self.machine(visit.name).identity.sign
                await say(visit.link, Sign(visit.charter.sign(sign)))
            case ["signs", "nothing"]:
                await say(visit.link, Sign(bytes(64)))
            case ["talks", "of", "a", "record"]:
                await say(visit.link, Status(Acknowledgement(0, bytes(32), bytes(64))))
            case _:
                raise ValueError(f"no such event: {visit.name} {' '.join(words)}")

    # -- what people at the table do

    async def _sits_down(self, name: str) -> None:
        ana = self.machine("ana").address
        self._begins(name, await self.machine(name).sit_down(ana, "canasta", self.seats))

    def _begins(self, name: str, membership: Membership) -> None:
        self._tell(name, f"the table begins with {_names(membership.charter.charter.members)}")

    async def _visits(self, name: str, *, task_status: trio.TaskStatus[None]) -> None:
        async with visiting(self.machine(name), self.machine("ana")) as link:
            visit = self.visits[name] = _Visit(name, link)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listens, visit)
                nursery.start_soon(self._beats, visit)
                task_status.started()
                await visit.leave.wait()
                nursery.cancel_scope.cancel()
        del self.visits[name]
        self._seen.pop(name, None)

    async def _listens(self, visit: _Visit) -> None:
        try:
            while True:
                self._hears(visit, await hear(visit.link))
        except Declined as error:
            self._tell(visit.name, f"sent away, {Reason(error.reason).name.lower()}")
        except LinkError:
            self._tell(visit.name, "the link is lost")
        visit.leave.set()

    async def _beats(self, visit: _Visit) -> None:
        with suppress(LinkError):
            while True:
                await trio.sleep(STILL_HERE_SECONDS)
                if visit.has_asked:
                    await say(visit.link, Ready(visit.ready))

    # -- what people are told

    def _tell(self, name: str, text: str) -> None:
        self._told.setdefault(name, []).append(text)
        self._news.set()
        self._news = trio.Event()

    def _hears(self, visit: _Visit, message: Message) -> None:
        match message:
            case LobbyState():
                self._sees(visit.name, message)
            case Price():
                visit.price = message
            case Seats(number, seats):
                visit.attempt = number
                nonces = " ".join(self._letter(seat.commitment) for seat in seats)
                self._tell(visit.name, f"attempt {number} of {_names(seats)}, nonces {nonces}")
            case Propose(charter):
                visit.charter = Charter.decode(charter)
                self._tell(visit.name, f"a charter of {_names(visit.charter.members)}")
            case Agreed(signed):
                if SignedCharter.decode(signed).charter == visit.charter:
                    self._tell(visit.name, "that charter, signed by all")

    def _sees(self, name: str, state: LobbyState) -> None:
        """Tell the person the state of the lobby, if it has changed."""
        text = f"at the table {', '.join(map(self._shown, state.present))}"
        if state.knocking:
            text += f"; at the door {', '.join(map(self._shown, state.knocking))}"
        if self._seen.get(name) != text:
            self._seen[name] = text
            self._tell(name, text)

    def _shown(self, player: LobbyPlayer) -> str:
        (owner,) = (name for name, machine in self.machines.items() if machine.key == player.key)
        own = "" if player.name.lower() == owner else f" ({owner})"
        return f"{player.name}{own}{' ready' * player.ready}"

    def _letter(self, commitment: bytes) -> str:
        """Return a letter for a commitment, in the order in which they were first seen."""
        return self._commitments.setdefault(commitment, ascii_lowercase[len(self._commitments)])


def _nonce(number: int) -> bytes:
    return bytes([number]) * 32


def _names(players: Sequence[object]) -> str:
    return ", ".join(player.name for player in players)  # type: ignore[attr-defined]


def main() -> None:
    """Write the effects in all files anew."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        network_in_memory(patch)
        for path in FILES:
            print(path.name)
            anew = [
                trio.run(
                    written,
                    scene,
                    Path(folder) / f"{path.stem} {number}",
                    clock=MockClock(autojump_threshold=0),
                )
                for number, scene in enumerate(scenes(path))
            ]
            path.write_text("\n".join(anew), "utf-8")


if __name__ == "__main__":
    main()
