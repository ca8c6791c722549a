"""Founders whose real machines talk in an exploration until the match can go on.

All nodes of the group have the same record, and have heard each other once. All other founders and
the newcomers have been away for long. If a player is missing, the founders first have different
wishes: players 0 and 2 wish for bots of their own, players 1 and 3 for the end of the match. Later
they join the leader's proposal. If somebody has signed a continuation that was never completed,
they wish to go on together. No message is lost or late.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import permutations

from attrs import define

from protocol.charter import Member
from protocol.errors import Refused
from protocol.match import events, tasks
from protocol.match.events import MatchEvent
from protocol.match.messages import MatchTalk, Wish, WishKind
from protocol.table.events import Unlinked
from protocol.table.machine import TableMachine
from protocol.table.own_player import OwnPlayer
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from tests.simulation.explored_match import ExploredMatch, Person
from tests.simulation.founders import LATER, NONCE, Founder, View

_JOINS_AFTER = 2
"""The seconds after which founders join the leader's proposal."""

_SECONDS = 60
"""The seconds after which founders count as stuck: more than all their waits together."""


@define(eq=False)
class Talker:
    """The node of a founder, linked to the founders in `present`."""

    founder: Founder
    present: frozenset[int]
    _bots: int = 0

    def __attrs_post_init__(self) -> None:
        table = self.founder.table
        assert table is not None, "the founder has no seat at this table"
        for player in set(table.peers.others) - self.present:
            table.handle(Unlinked(player), 2 * LATER)

    def think(self, now: float) -> None:
        """Tell the node the founder's wish, or join the leader's proposal; then act."""
        going_on = self.founder.machine.going_on
        own = WishKind.END if self.founder.player % 2 else WishKind.OPPONENT
        kind = own if going_on.missing else WishKind.TOGETHER
        wish = Wish(kind if going_on.missing or going_on.stuck else WishKind.WAIT)
        joins = now > 2 * LATER + _JOINS_AFTER and going_on.leader != going_on.negotiation.key
        if joins and going_on.leader is not None:
            with suppress(Refused):
                self.handle(events.Wished(None), now)
        elif going_on.negotiation.mine.wish != wish:
            self.handle(events.Wished(wish), now)
        self.act(now)

    def act(self, now: float) -> None:
        """Make bots if the node wants some, and let it sign what all have accepted."""
        going_on = self.founder.machine.going_on
        ready = self.handle(events.Ticked(), now)
        if seats := going_on.wants_bots:
            self._bots += 1
            mine = f"Robot {self.founder.player} {self._bots}"
            bots = {seat: Person.named(f"{mine} {seat}") for seat in seats}
            members: dict[int, Member] = {seat: bot.member for seat, bot in bots.items()}
            signers = {bot.member.key: bot.sign for bot in bots.values()}
            self.handle(events.BotsMade(members, signers), now)
        if ready.is_due:
            self.handle(events.Due(), now)

    def hear(self, key: bytes, talk: MatchTalk, now: float) -> None:
        """Receive a message from the holder of that key."""
        self.handle(events.Said(key, talk), now)

    def handle(self, event: MatchEvent, now: float) -> tasks.Ready:
        """Handle an event, and confirm all writes that the machine asks for."""
        machine = self.founder.machine
        ready = machine.handle(event, now)
        for what in ready.persist:
            match what:
                case tasks.Open(signed, start):
                    player, person = self.founder.player, self.founder.person
                    record = TableRecord(player, person.member.key, start)
                    table_id = signed.charter.table_id
                    peers = Peers[MatchTalk](record.chain, player, person.sign, NONCE)
                    table = TableMachine(record, OwnPlayer(record, person.sign), peers, True)
                    machine.history.machines[table_id] = table
                    self.handle(events.Opened(record, signed), now)
                case tasks.Expose(error, table_id, stops=True):
                    machine.history.records[table_id].expose(error)
                    self.handle(events.Persisted(what), now)
                case _:
                    self.handle(events.Persisted(what), now)
        return ready


def come_to_one(
    match: ExploredMatch, group: Sequence[int], known: tuple[View, ...], signed: Sequence[int]
) -> bool:
    """Return True if the match goes on among these founders, who know the tables in `known`.

    The match goes on if one of them writes an entry, or if all go on at another table. All of them
    must have a seat at the newest known table. `signed` has the uid of the table that each founder
    has signed last.
    """
    founders = [
        Founder(match, *each, talks=True) for each in zip(group, [known] * 9, signed, strict=False)
    ]
    here = match.by_uid[known[-1][0]]
    talkers = [Talker(founder, frozenset(group)) for founder in founders]
    if any(founder.writes(here) for founder in founders):
        return True
    for second in range(_SECONDS):
        now = 2 * LATER + second
        for talker in talkers:
            talker.think(now)
        for one, other in permutations(talkers, 2):
            machine = one.founder.machine
            for talk in machine.talk:
                other.hear(machine.key, talk, now)
        newest = [founder.machine.history.newest.table_id for founder in founders]
        if len(set(newest)) == 1 and newest[0] != here.table_id:
            return all(founder.machine.may_write(newest[0]) for founder in founders)
    return False
