"""Simulated nodes that negotiate continuations of a match, for the scenarios in `match/`.

Each node has a machine for the match and a machine for the current table. The game is the small one
of the explorations. All nodes are linked to each other, except those that are away.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

import pytest
from attrs import define, field

from engine.sentences import Sentence
from protocol.charter import Member
from protocol.continuation import continuation_of
from protocol.entries import Body, CloseContent, Entry, place_of
from protocol.errors import Exposed, Refused
from protocol.evidence import Evidence, Statement
from protocol.match import events
from protocol.match.machine import MatchMachine
from protocol.match.messages import MatchTalk, ShownEvidence, Signed, Wish, WishKind
from protocol.match.statements import encode_statement
from protocol.reducer import check_equivocation
from protocol.table.events import Carried, Computed, Linked, Persisted, Unlinked
from protocol.table.tasks import Append
from tests.simulation.explored_match import ExploredMatch, Person
from tests.simulation.founders import LATER, Founder, remembered
from tests.simulation.small_game import registered
from tests.simulation.talk import Talker

NAMES = ("ana", "bruno", "carla", "diego", "elena")
NEWCOMERS = ("olga", "pablo")


@define(eq=False)
class MatchWorld:
    """The nodes of the founders, by name, at the time `now`."""

    now: float = field(default=2 * LATER, init=False)
    talkers: dict[str, Talker] = field(factory=dict, init=False)
    away: set[str] = field(factory=set, init=False)
    _match: ExploredMatch = field(init=False)
    _height: int = field(default=0, init=False)
    _told: dict[str, str] = field(factory=dict, init=False)

    def happens(self, event: str) -> Iterator[str]:
        """Carry out an event and return its effects, as lines of text."""
        with registered(), remembered():
            yield from self._happens(event)
            for name, talker in self.talkers.items():
                if name not in self.away and (facts := self._facts(talker)) != self._told.get(name):
                    self._told[name] = facts
                    yield f"{name}: {facts}"

    def _happens(self, event: str) -> Iterator[str]:
        match event.split():
            case "begin", players, steps:
                self.talkers.clear()
                self.away.clear()
                self._told.clear()
                self.now = 2 * LATER
                self._match, self._height = ExploredMatch(int(players)), int(steps)
                self._match.table(None, 0, 0, (1 << int(players)) - 1)
                everybody = frozenset(range(int(players)))
                for player, name in enumerate(NAMES[: int(players)]):
                    founder = Founder(self._match, player, ((0, self._height),))
                    self.talkers[name] = Talker(founder, everybody)
                yield f"it is {NAMES[self._due]}'s turn"
            case "away", name:
                self.away.add(name)
                player = NAMES.index(name)
                for other in self._present.values():
                    for table in other.founder.machine.history.running.values():
                        table.handle(Unlinked(player), self.now)
                    other.founder.machine.negotiation.forget(
                        self._match.founders[player].member.key
                    )
            case "back", name:
                self.away.discard(name)
                player = NAMES.index(name)
                for friend in sorted({*self._present} - {name}):
                    for one, linked in ((friend, player), (name, NAMES.index(friend))):
                        machine = self.talkers[one].founder.table
                        assert machine is not None
                        machine.handle(Linked(linked, linked), self.now)
            case name, "wishes", kind, *person:
                wish = Wish(WishKind[kind.upper()], *(self._member(one).key for one in person))
                yield from self._tell(name, events.Wished(wish))
            case newcomer, "waits", "at", name:
                yield from self._tell(name, events.Came((self._member(newcomer),)))
            case name, "objects", "to", newcomer:
                key = self._member(newcomer).key
                self._machine(name).going_on.objection = lambda one, _: (
                    Sentence("{name} may not sit here.", name=newcomer) if one == key else None
                )
            case name, "signs", attempt, "without", *gone:
                self._say(name, Signed(encode_statement(self._signed(name, int(attempt), gone))))
            case name, "shows", "evidence", "against", other:
                first, second = (self._signed(other, 9, [gone]) for gone in NAMES[:2])
                self._say(name, ShownEvidence(Evidence(first, second).encode()))
            case name, "signs", "a", "second", "entry":
                self._sign_again(name)
            case name, "follows", owner:
                self._machine(name).going_on.follows = self._member(owner).key
            case name, "joins":
                yield from self._tell(name, events.Wished(None))
            case name, "catches", "up":
                self._append([name])
            case name, "acts":
                self.talkers[name].act(self.now)
            case name, "moves":
                yield from self._move(name)
            case "talk", *rounds:
                for _ in range(int(*rounds or ["4"])):
                    self.now += 1
                    for talker in self._present.values():
                        talker.act(self.now)
                    self._talk()
            case ["hear"]:
                self._talk()
            case "wait", seconds:
                self.now += float(seconds)
                for talker in self._present.values():
                    talker.handle(events.Ticked(), self.now)
            case _:
                raise ValueError(event)

    @property
    def _present(self) -> Mapping[str, Talker]:
        return {name: one for name, one in self.talkers.items() if name not in self.away}

    @property
    def _due(self) -> int:
        due = self._match.by_uid[0].writer(self._height)
        assert due is not None, "nobody is due: the round is over"
        return due

    def _tell(self, name: str, event: events.MatchEvent) -> Iterator[str]:
        try:
            self.talkers[name].handle(event, self.now)
        except Refused as error:
            yield f"refused: {error}"

    def _machine(self, name: str) -> MatchMachine:
        return self.talkers[name].founder.machine

    def _member(self, name: str) -> Member:
        """Return the founder, or the newcomer, with that name."""
        named = dict(zip(NAMES, self._match.founders, strict=False))
        return (named.get(name) or Person.named(name)).member

    def _signed(self, name: str, attempt: int, gone: list[str]) -> Statement:
        """Return a statement that is signed here, not by a machine.

        If a newcomer signs, they get the seat of `gone`.
        """
        root, key = self._match.by_uid[0], self._member(name).key
        left = [NAMES.index(one) for one in gone]
        seats = {} if name in NAMES else {player: self._member(name) for player in left}
        state = root.at(self._height).state
        charter = continuation_of(state, left, seats, attempt=attempt)
        player = charter.player_of(key)
        assert player is not None
        sign = self._match.founders[player].sign if name in NAMES else Person.named(name).sign
        return Statement(charter, player, charter.sign(sign))

    def _say(self, name: str, talk: MatchTalk) -> None:
        key = self._member(name).key
        for other in self._present.values():
            if other.founder.machine.key != key:
                other.hear(key, talk, self.now)

    def _talk(self) -> None:
        """Let all nodes that are present hear what the others say."""
        for one, other in permutations(self._present.values(), 2):
            machine = one.founder.machine
            for talk in machine.talk:
                other.hear(machine.key, talk, self.now)

    def _move(self, name: str) -> Iterator[str]:
        """Take the next step of the round, and give its entries to all nodes that are present."""
        root, founder = self._match.by_uid[0], self.talkers[name].founder
        if not founder.machine.may_write(root.table_id):
            yield f"{name} has left the table, and writes no more"
            return
        self._height += 1
        self._append(self._present)
        yield f"it is {NAMES[self._due]}'s turn"

    def _sign_again(self, name: str) -> None:
        """Let all who are present compare a player's last entry with a second one in its place."""
        root, player = self._match.by_uid[0], NAMES.index(name)
        ours = root.telling(player, self._height)[-1]
        body = Body(place_of(Entry.decode(ours).body), player, CloseContent(1, (), last=False))
        again = Entry.sign(body.encode(), self._match.founders[player].sign).encode()
        with pytest.raises(Exposed) as caught:
            check_equivocation(root.charter, ours, again)
        for talker in (one for who, one in self._present.items() if who != name):
            table = talker.founder.machine.history.machines[root.table_id]
            ready = table.handle(Carried(player, body.place.height, again), self.now)
            assert ready.compute is not None
            ready = table.handle(Computed(ready.compute, caught.value), self.now)
            for what in ready.persist:
                table.handle(Persisted(what), self.now)
            talker.handle(events.Ticked(), self.now)

    def _append(self, names: Iterable[str]) -> None:
        """Give these nodes the entries that they lack."""
        root = self._match.by_uid[0]
        for name in names:
            machine = self.talkers[name].founder.machine
            table = machine.history.machines[root.table_id]
            for state, entry in root.at(self._height).entries[table.record.height :]:
                table.handle(Persisted(Append(state, entry)), self.now)
                self.talkers[name].handle(events.Grown(state, entry), self.now)

    def _facts(self, talker: Talker) -> str:
        """Return a summary of a node's state, such as "misses bruno, wishes for end, leads"."""
        machine = talker.founder.machine
        going_on, newest = machine.going_on, machine.history.newest
        facts = [f"misses {' and '.join(NAMES[p] for p in sorted(going_on.missing))}"]
        if not going_on.missing:
            facts = ["goes on" if machine.may_write(newest.table_id) else "waits"]
        wish = machine.negotiation.mine.wish.kind
        facts += [f"wishes for {wish.name.lower()}"] if wish is not WishKind.WAIT else []
        if going_on.leader == machine.key:
            facts.append("leads")
        if going_on.wants_bots:
            facts.append("is to name opponents")
        if machine.negotiation.mine.accepts:
            facts.append("accepts")
        known = machine.evidence
        cheats = [one for one in (*NAMES, *NEWCOMERS) if self._member(one).key in known]
        facts += [f"has evidence against {' and '.join(cheats)}"] if cheats else []
        if machine.statements.highest > newest.state.charter.attempt:
            facts.append(f"has signed {machine.statements.highest}")
        if newest.state.charter.attempt:
            left = newest.state.charter.continues
            assert left is not None
            names = " and ".join(NAMES[p] for p in left.left)
            seated = f"without {names}" if names else "with everybody"
            ends = ", where the match ends" if left.ends else ""
            rounds = f", with {len(left.results)} counted round" if left.results else ""
            facts.append(f"is at table {left.attempt}, {seated}{ends}{rounds}")
        return ", ".join(facts)
