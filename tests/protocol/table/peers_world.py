"""Ana's simulated node, which gets messages from its peers, for the scenarios in `peers/`.

The table has three members. Its entries are dummies that no rules check.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, field

from engine.games import game_named
from p2p.storage.identity import Identity
from protocol.charter import Charter, Member
from protocol.entries import Entry
from protocol.errors import Mismatch
from protocol.hashing import digest
from protocol.table import events, tasks
from protocol.table.digest_chain import Chain
from protocol.table.events import TableEvent
from protocol.table.messages import Acknowledgement, Carry, Present, Probe, Status, TableMessage
from protocol.table.peer import WINDOW
from protocol.table.peers import Peers
from protocol.table.resync import Resync, Unheard
from protocol.table.tasks import Ready

NAMES = ("ana", "bruno", "carla")
WHO = {name: Identity.generate() for name in (*NAMES, "eve")}
GAME = game_named("canasta")
NONCE = bytes(range(32))


def _charter() -> Charter:
    members = tuple(Member(WHO[name].public, name.title(), bytes(32)) for name in NAMES)
    return Charter(GAME, GAME.options(), members)


def _head(height: int, branch: str) -> bytes:
    return digest("test", f"{height} {branch}".encode()) if height or branch else bytes(32)


def _names(players: Any) -> str:
    return ", ".join(NAMES[player] for player in sorted(players))


@define
class PeersWorld:
    """The part of Ana's node that talks to its peers, at the time `now`."""

    now: float = 0.0
    chain: Chain = field(factory=lambda: Chain(_charter(), [bytes(32)]))
    peers: Peers[str] = field(init=False)
    resync: Resync | None = None
    _wake: float = math.inf
    _links: dict[str, int] = field(factory=dict)
    _waits: str = ""

    def __attrs_post_init__(self) -> None:
        self.peers = Peers(self.chain, 0, WHO["ana"].sign, NONCE)

    def happens(self, event: str) -> Iterator[str]:
        """Carry out an event and return its effects, as lines of text."""
        said, _, message = event.partition(": ")
        word, *rest = said.split()
        if message:
            yield from self._hears(said, message)
        else:
            command: Callable[..., Iterator[str]] = getattr(self, f"_{word}")
            yield from command(*rest)

    # -- events

    def _record(self, length: str, *writers: str) -> Iterator[str]:
        """Append `length` entries by these writers in turn; the node sees no event for them."""
        writers = writers or ("carla",)
        for number in range(int(length)):
            self._append_entry(writers[number % len(writers)])
        self.peers = Peers(self.chain, 0, WHO["ana"].sign, NONCE)
        yield from ()

    def _play(self) -> Iterator[str]:
        return self._handle(events.Started())

    def _link(self, link: str) -> Iterator[str]:
        self._links[link] = 1 + max(self._links.values(), default=0)
        return self._handle(events.Linked(self._links[link], self._player(link)))

    def _unlink(self, link: str) -> Iterator[str]:
        yield from self._handle(events.Unlinked(self._links[link]))
        del self._links[link]

    def _slow(self, link: str) -> Iterator[str]:
        return self._handle(events.Lost(self._links[link]))

    def _append(self, writer: str, *awaited: str) -> Iterator[str]:
        """Append an entry of that writer; "for bruno" means that the table then waits for Bruno."""
        self._append_entry(writer)
        who = NAMES.index(awaited[-1]) if awaited else None
        return self._handle(events.Grown(NAMES.index(writer), who))

    def _expose(self, *heights: str) -> Iterator[str]:
        self.chain.evidence = tuple((int(height), b"evidence") for height in heights)
        return self._handle(events.EvidenceKept())

    def _talk(self, *messages: str) -> Iterator[str]:
        return self._handle(events.Talked(messages))

    def _leave(self) -> Iterator[str]:
        return self._handle(events.Left())

    def _restart(self, *doubtful: str) -> Iterator[str]:
        self.resync = Resync(self.peers)
        self.resync.doubtful = bool(doubtful)
        self.resync.begin(self.now)
        yield from self._look()

    def _wait(self, seconds: str) -> Iterator[str]:
        end = self.now + float(seconds)
        while (at := min(self._wake, self._look_at)) <= end:
            self.now = at
            time = f"{at:.10g}s "
            if at == self._wake:
                yield from (time + line for line in self._handle(events.Ticked()))
            else:
                yield from (time + line for line in self._look())
        self.now = end

    def _known(self) -> Iterator[str]:
        known = self.peers.known
        heights = (f"{name} {known.of(p)}" for p, name in enumerate(NAMES) if p)
        apart = _names(p for p in self.peers.others if known.is_apart(p))
        lacking = _names(self.peers.lacking(self.chain.height))
        yield f"{', '.join(heights)}; linked: {_names(self.peers.linked) or 'nobody'}"
        yield f"lacking the newest: {lacking or 'nobody'}; apart: {apart or 'nobody'}"

    def _hears(self, link: str, said: str) -> Iterator[str]:
        message = self._message(link, said)
        number, player = self._links[link], self._player(link)
        try:
            yield from self._handle(events.Heard(number, message))
        except Mismatch as error:
            yield f"the link ends: {error}"
            yield from self._unlink(link)
            return
        if isinstance(message, Carry):
            is_news = message.height == self.chain.height + 1
            if is_news and not said.endswith("exposes its writer"):
                by = said.partition(" by ")[2] or NAMES[player]
                self._append_entry(by)
                yield from self._handle(events.Grown(NAMES.index(by), None))
            yield from self._handle(events.Taken(number, message.height, is_news))

    def _message(self, link: str, said: str) -> TableMessage:
        kind, *words = said.replace(",", "").split()
        player = self._player(link)
        match kind:
            case "status":
                return self._status(player, said)
            case "carry":
                return Carry(int(words[0]), b"entry")
            # A `present` (the answer to a probe) is signed by the player named after "by".
            case "probe" | "present":
                who, nonce = NAMES.index(words[0]), words[1].encode().ljust(32)
                nonce = NONCE if words[1] == "ours" else nonce
                if kind == "probe":
                    return Probe(who, nonce)
                return Present.make(self.chain.table_id, who, nonce, WHO[words[-1]].sign)
        raise AssertionError(said)

    def _status(self, player: int, said: str) -> Status:
        """Parse a status such as "status 3 of another record by eve, carla 2, direct carla"."""
        own, *others = said.removeprefix("status ").split(", ")
        told, direct = [], []
        for other in others:
            name, about = other.split(" ", 1)
            if name == "direct":
                direct.append(NAMES.index(about))
            else:
                # A stranger is player 3, whom the table does not have; Ana's key signs for them.
                who = NAMES.index(name) if name in NAMES else 3
                told.append((who, self._acknowledged(NAMES[who % 3], about)))
        return Status(self._acknowledged(NAMES[player], own), tuple(told), tuple(direct))

    def _acknowledged(self, name: str, said: str) -> Acknowledgement:
        about, _, signer = said.partition(" by ")
        height, *branch = about.split(" ", 1)
        table_id = b"t" * 32 if branch == ["at another table"] else self.chain.table_id
        is_ours = not branch or branch == ["at another table"]
        head = _head(int(height), "" if is_ours else "another")
        return Acknowledgement.make(table_id, int(height), head, WHO[signer or name].sign)

    # -- the node

    def _player(self, link: str) -> int:
        return NAMES.index(link.rstrip("'"))  # "bruno'" is a second link to Bruno

    def _append_entry(self, writer: str) -> None:
        height = self.chain.height + 1
        entry = Entry.sign(f"{height}".encode(), WHO[writer].sign).encode()
        self.chain.append(entry, _head(height, ""))

    def _handle(self, event: TableEvent[str]) -> Iterator[str]:
        before = self._facts()
        ready = self.peers.handle(event, self.now)
        assert ready.has_changed or self._facts() == before, (
            "facts have changed, but `has_changed` is False"
        )
        yield from self._told(ready)
        yield from self._look()

    def _told(self, ready: Ready[str]) -> Iterator[str]:
        """Return what the node sends, and its other news about peers, as lines of text."""
        self._wake = ready.wake
        by_link: dict[str, list[str]] = {}
        for link, what in ready.send:
            (name,) = (name for name, number in self._links.items() if number == link)
            by_link.setdefault(name, []).append(self._shown(what))
        for number, (name, said) in enumerate(by_link.items()):
            first = " first" if number == 0 and ready.urgent and len(by_link) > 1 else ""
            yield f"-> {name}{first}: {'; '.join(said)}"
        if ready.is_news:
            yield "news"
        if self.peers.probe.found:
            yield "another node has this key"

    def _facts(self) -> object:
        known, others = self.peers.known, self.peers.others
        spoken = tuple(map(known.has_spoken, others)), tuple(map(known.of, others))
        return known.all, self.peers.linked, spoken

    def _shown(self, what: TableMessage | tasks.Entries | str) -> str:
        match what:
            case tasks.Entries(heights):
                assert len(heights) <= WINDOW
                assert heights[-1] <= self.chain.height
                entries = [self.chain.recent[n] for n in range(heights[0], heights[-1] + 1)]
                return f"entries {_ranges([m.height for m in what.messages(entries)])}"
            case Carry(height):
                return f"evidence at {height}"
            case Status(own, others, direct):
                me = self.chain.charter.members[self.peers.me].key
                assert own.is_signed_by(self.chain.table_id, me)
                told = "".join(f", {NAMES[player]} {one.height}" for player, one in others)
                return f"status {own.height}{told}{', direct ' * bool(direct)}{_names(direct)}"
            case Probe(player, nonce):
                return f"probe {NAMES[player]} {_nonce(nonce)}"
            case Present(player, nonce):
                key = self.chain.charter.members[player].key
                is_true = what.is_signed_by(self.chain.table_id, key)
                return f"present {NAMES[player]} {_nonce(nonce)}{'' if is_true else ', false'}"
            case str():
                return f"talk {what}"

    # -- coming back

    @property
    def _look_at(self) -> float:
        return math.inf if self.resync is None else self._next_look

    _next_look: float = math.inf

    def _look(self) -> Iterator[str]:
        if self.resync is None:
            return
        self._next_look = self.resync.look(self.now)
        waits = waiting(self.resync.awaited, done=self.resync.done)
        if waits != self._waits:
            self._waits = waits
            yield waits


def waiting(unheard: Unheard, *, done: bool) -> str:
    if done:
        return "may write"
    said = []
    if unheard.silent:
        enough = f", of whom {unheard.enough} is enough" if unheard.enough else ""
        said.append(f"waits for {_names(unheard.silent)}{enough}")
    if unheard.empty:
        said.append(f"waits for what {_names(unheard.empty)} claims")
    return "; ".join(said) or "waits"


def _nonce(nonce: bytes) -> str:
    return "ours" if nonce == NONCE else nonce.decode().strip()


def _ranges(numbers: list[int]) -> str:
    """Return numbers as a short text such as "4-19" or "4, 6"."""
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[-1] + 1)]:
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers)) or "none"
