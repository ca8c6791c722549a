"""Five faults of the agreement by votes, each shown by an attack, or an accident, that succeeds.

Members who go on without a missing player sign votes for a joint entry, one vote in each place of
the record. With honest nodes, as they are shipped, these tests show what that can come to: a match
that is dead, an honest player who is exposed, or a round that counts for nothing. They pass as long
as the faults are there.

In all of them the player who is due has been silent for the grace.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import define, evolve, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock

from client.session.bot_absence_votes import AbsencePolicy, IfAbsent
from client.session.display.absence import SubstituteSource
from client.session.seated_bots import BotSettings, play_for
from engine.moves import DrawStock
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.transport.link import PEER_FAULTS
from p2p.transport.messages import Carry, Message
from protocol.absence import absence
from protocol.audit import Auditor, Verdict
from protocol.charter import USUAL_GRACE, Member
from protocol.entries import AbsentContent, Entry, OpenContent
from protocol.errors import Refused
from protocol.player import Player, _secret_name
from protocol.reducer import advance
from protocol.signing import Signer
from protocol.state import State
from tests.p2p.machines import Machine, network_in_memory
from tests.p2p.replacement.deaths import dies_at, three, until_dead
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, replaced
from tests.protocol.played import Moment, Played, play
from tests.protocol.ring import signer_of
from tests.simulation.memory_journal import MemoryJournal
from tests.simulation.simulated_mesh import SimulatedEndpoint, SimulatedIdentity, SimulatedMesh
from tests.simulation.tables import (
    GRACE,
    leave_out_proofs,
    round_of,
    simulated_nodes,
    without_proofs,
)

DAY = 24 * 3600.0

Wish = tuple[AbsentContent, dict[bytes, bytes]]
"""An absence, and what the substitutes that it names have signed, by key."""


@pytest.fixture
def simulated() -> Iterator[None]:
    with simulated_nodes():
        yield


@pytest.fixture
def proofless(simulated: None) -> Iterator[None]:
    """Leave out proofs, where nobody lies about a card."""
    with without_proofs():
        yield


@define(eq=False)
class Table:
    """The nodes of the players who are there, and what they have said to each other (`mail`)."""

    moment: Moment
    nodes: dict[int, Node] = field(factory=dict)
    mail: list[tuple[bytes, bytes, Sequence[Message]]] = field(factory=list)

    @classmethod
    async def at(cls, moment: Moment, *more: bytes, away: Iterable[int] = ()) -> "Table":
        """Return a table with the record before that moment, and these entries behind it.

        The player who is due is away, if nobody is named.
        """
        table, deals = cls(moment), moment.state.cards.deals
        gone = {*away} or {moment.writer}
        for player in sorted({*range(len(moment.ring.players))} - gone):
            known = moment.ring.players[player]._locks
            numbers = [deal.number for deal in deals if player in deal.keys]
            locks = {_secret_name(number): known[number].encode() for number in numbers}
            entries = (*moment.ring.entries[: moment.state.height], *more)
            await table.start(player, MemoryJournal(entries, locks))
        await trio.sleep(GRACE + 1)
        return table

    async def start(self, player: int, journal: MemoryJournal) -> Node:
        """Start that player's node with a journal, as if it had heard what the others have."""
        ring = self.moment.ring
        key = ring.charter.charter.members[player].key
        endpoint = SimulatedEndpoint(SimulatedIdentity(key, ring.signers[player]), self)
        membership = Membership(ring.charter, player, (), fresh=False)
        journal.create_table(membership.table_id, ring.charter.encode(), player)
        self.nodes[player] = node = Node(cast(Any, endpoint), cast(Any, journal), membership)
        await node.restore()
        node.resync.done = True
        return node

    def say(self, sender: bytes, receiver: bytes, messages: Sequence[Message]) -> None:
        self.mail.append((sender, receiver, messages))

    async def talk(self) -> None:
        """Let all who are there hear all that the others have to say."""
        for node in self.nodes.values():
            cast(SimulatedMesh, node.mesh).tick()
        while self.mail:
            sender, receiver, messages = self.mail.pop(0)
            for node in self.nodes.values():
                if node.live_record.key == receiver:
                    for message in messages:
                        with suppress(*PEER_FAULTS):
                            await cast(SimulatedMesh, node.mesh).hears(sender, message)

    async def show(self, entry: bytes, height: int, by: int, *to: int) -> None:
        """Have a player, whose program may be another one, carry that entry to others."""
        key = self.moment.ring.charter.charter.members[by].key
        for player in to or self.nodes:
            with suppress(*PEER_FAULTS):
                mesh = cast(SimulatedMesh, self.nodes[player].mesh)
                await mesh.hears(key, Carry(height, entry))

    async def move_arrives(self, *at: int) -> None:
        """Bring the entry of the player who is due to these, or all, and let everybody talk."""
        await self.show(self.moment.entry, self.moment.state.height + 1, self.moment.writer, *at)
        await self.talk()

    @property
    def grown(self) -> set[int]:
        """The numbers of entries that the nodes have got."""
        return {node.height - self.moment.state.height for node in self.nodes.values()}

    async def is_dead(self, *wishes: Wish) -> bool:
        """Let everybody try to agree to each of these absences for a day.

        Return True if the record is where it was, and everybody has voted for one of them.
        """
        for _ in range(24):
            for node in self.nodes.values():
                for wish in wishes:
                    await agrees(node, wish)
            await self.talk()
            await trio.sleep(DAY / 24)
        assert not any(node.exposed for node in self.nodes.values())
        voted = [[await agrees(node, wish) for wish in wishes] for node in self.nodes.values()]
        return self.grown == {0} and all(sum(one) == 1 for one in voted)


async def agrees(node: Node, wish: Wish) -> bool:
    """Return True if the node's player agrees, or has agreed before; False if they may not."""
    with suppress(Refused):
        await node.vote(*wish)
        return True
    return False


def a_draw(players: int) -> Moment:
    return a_round(players).moving(DrawStock)


def a_round(players: int) -> Played:
    return round_of("canasta", players, 0)


def end(*absent: int) -> Wish:
    return AbsentContent(tuple(sorted(absent))), {}


def seat(moment: Moment, member: Member = NEWCOMER, signer: Signer = SUBSTITUTE) -> Wish:
    """Return the absence by which somebody takes the seat of the player who is due."""
    content = AbsentContent((moment.writer,), (member,))
    body = absence(moment.state, content).encode()
    return content, {member.key: Entry.vote(body, signer)}


def own_bot(moment: Moment, number: int) -> Wish:
    """Return the same for a bot: each machine makes its own (`client/session/substitutes.py`)."""
    key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    member = Member(key.public_key().public_bytes_raw(), f"Robot {number}", bytes(32))
    return seat(moment, member, signer_of(key))


# -- 1. Honest players deadlock.


@pytest.mark.usefixtures("proofless")
async def test_1_two_wishes_end_a_match_that_nobody_wants_to_end(autojump_clock: MockClock) -> None:
    """Ana ends the match, and Bruno gives the seat to Olga, before they hear each other.

    Neither can join the other, and Carla can only choose whose vote is left alone. When the missing
    player returns, all play on.
    """
    table = await Table.at(moment := a_draw(4))
    ana, bruno, carla = table.nodes
    wishes = end(moment.writer), seat(moment)
    assert await agrees(table.nodes[ana], wishes[0])
    assert await agrees(table.nodes[bruno], wishes[1])
    await table.talk()
    assert len(table.nodes[carla].proposals) == 2
    assert await table.is_dead(*wishes)
    await table.move_arrives()
    assert table.grown == {1}


@pytest.mark.usefixtures("proofless")
async def test_1_two_opponents_for_one_seat_end_a_match(autojump_clock: MockClock) -> None:
    """Two players choose "an opponent takes the seat": each machine has made a bot for it."""
    table = await Table.at(moment := a_draw(3))
    wishes = [own_bot(moment, player + 1) for player in table.nodes]
    for node, wish in zip(table.nodes.values(), wishes, strict=True):
        assert await agrees(node, wish)
    assert await table.is_dead(*wishes, end(moment.writer))


@pytest.mark.usefixtures("proofless")
async def test_1_another_death_ends_a_match_of_which_three_of_five_are_there(
    autojump_clock: MockClock,
) -> None:
    """Three have voted that one is absent when a second machine dies.

    That both are absent would be another vote. Nor does it help that the first one comes back: the
    voters may take their move only when the second, whose signature is missing, has spoken.
    """
    table = await Table.at(moment := a_draw(5))
    ana, *voters = table.nodes
    for player in voters:
        assert await agrees(table.nodes[player], end(moment.writer))
    await table.talk()
    del table.nodes[ana]
    assert await table.is_dead(end(moment.writer), end(moment.writer, ana))
    await table.move_arrives()
    assert await table.is_dead(end(moment.writer), end(moment.writer, ana))


# -- 2. Seated bots never vote.


@pytest.mark.parametrize("bot_votes", [False, True])
async def test_2_a_host_with_a_bot_waits_forever_for_their_guest(
    bot_votes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """The host's program votes for the end of the match, and `play_for` runs the bot beside it.

    If the bot's node voted as the host's does, the match would end.
    """
    network_in_memory(monkeypatch)
    leave_out_proofs(monkeypatch)
    _, host, bot, guest = await three(tmp_path)
    dies_at(guest, 1)
    host.steward = votes_for_the_end
    async with trio.open_nursery() as nursery:
        nursery.start_soon(until_dead, guest)
        nursery.start_soon(host.play)
        nursery.start_soon(sits_there, bot, bot_votes)
        await trio.sleep(10 * USUAL_GRACE)
        nursery.cancel_scope.cancel()
    assert [bool(one.votes) for one in (host, bot)] == [True, bot_votes]
    assert [one.node and one.node.state.ended for one in (host, bot)] == [bot_votes] * 2


async def votes_for_the_end(node: Node) -> None:
    substitutes = cast(SubstituteSource, SimpleNamespace(own=()))
    await AbsencePolicy(node, substitutes, lambda _told: None, IfAbsent.END).run()


async def sits_there(bot: Machine, votes: bool) -> None:
    """Run the node of a bot, as the process of its host does."""
    async with bot.process() as (endpoint, journal), trio.open_nursery() as nursery:
        (record,) = journal.tables()
        bot.node = node = Node(endpoint, journal, Membership.recalled(journal, record))
        await node.restore()
        if votes:
            nursery.start_soon(votes_for_the_end, node)
        await play_for(node, BotSettings("easy"))
        nursery.cancel_scope.cancel()


# -- 3. A power cut exposes an honest player.


@pytest.mark.usefixtures("simulated")
async def test_3_a_power_cut_and_a_cheat_make_an_honest_player_sign_two_entries(
    autojump_clock: MockClock,
) -> None:
    """Bruno's node exposes Ana for two unlockings of one height (R8). The proofs are real.

    Carla has unlocked a card in two ways, with other nonces. Ana's node has written its unlocking
    behind the one, has sent it before it was on the disk, and has lost its power. Carla hides both,
    and shows everybody the other one. Behind that, Ana's node unlocks anew.
    """
    played = play("canasta", 3, until=is_unlocking_a_card)
    first, height = played.moments[-1], len(played.moments)
    carla, ana = first.writer, played.ring.state.writers[0]
    (bruno,) = {0, 1, 2} - {carla, ana}
    locks = played.ring.players[carla]._locks.items()
    seeded_anew = {number: evolve(lock, seed=bytes(32)) for number, lock in locks}
    cheat = Player(carla, played.ring.signers[carla], seeded_anew)
    other = cheat.write(first.state, bytes).entry
    assert other != first.entry
    table = await Table.at(first)

    await table.show(first.entry, height, carla, ana)
    hidden = await written(table.nodes[ana])
    journal = cast(MemoryJournal, table.nodes[ana]._journal).after_power_failure()
    table.mail.clear()  # Bruno has not got it
    node = await table.start(ana, journal)
    assert node.height == height - 1, "both unlockings are lost"
    assert not journal.doubtful

    await table.show(other, height, carla, ana, bruno)
    assert await written(node) != hidden
    await table.talk()
    assert table.grown == {2}
    await table.show(hidden, height + 1, carla, bruno)
    exposed = table.nodes[bruno].exposed
    assert exposed is not None
    assert (exposed.player, exposed.cause) == (ana, "R8")
    auditor = Auditor()
    list(auditor.feed(b"".join(table.nodes[bruno].record())))
    assert (auditor.finish().verdict, auditor.finish().player) == (Verdict.EXPOSED, ana)


def is_unlocking_a_card(state: State) -> bool:
    """Tell whether one has unlocked a card, and another one unlocks it next."""
    kinds = {state.last.content.kind, state.due.kind} if state.last and state.due else set()
    return state.match.round is not None and kinds == {"unlock"}


async def written(node: Node) -> bytes:
    """Return the entry that the node owes, which it writes now."""
    async with node.advancing:
        assert node._appender.can_write
        await node._appender.write()
    (entry,) = await node.entries(node.height, 1)
    return entry


# -- 4. Silence pays, and exposure is a veto.


@pytest.mark.usefixtures("proofless")
def test_4_whoever_loses_a_round_goes_silent_before_its_last_card() -> None:
    """All that the others can agree on makes the round void, with all points that are laid out."""
    played = a_round(4)
    assert played.ring.state.match.totals == (1230, 2275)
    last = [
        moment
        for moment in played.moments[: played.opening().state.height]
        if moment.state.match.seating and not moment.state.match.opening
        if moment.state.match.seat_of(moment.writer) % 2 == 0
    ][-1]
    assert last.state.height == played.opening().state.height - 5
    for agree in (ended, replaced):
        after = advance(last.state, agree(last.ring, last.state, last.writer))
        assert after.match.totals == (0, 0)


@pytest.mark.usefixtures("proofless")
async def test_4_junk_stops_a_match_that_lacks_one_signature(autojump_clock: MockClock) -> None:
    """A player who has closed the round signs something malformed, which exposes them.

    Nobody takes the last signature any more, by which the points would count.
    """
    moment = a_round(4).moments[-1]
    assert moment.body.content.kind == "close"
    table = await Table.at(moment, away=[cheat := moment.other])
    await table.show(moment.signed_bytes(b"junk", cheat), moment.state.height + 1, cheat)
    await table.move_arrives()
    assert table.grown == {0}
    for node in table.nodes.values():
        assert node.exposed is not None
        assert node.exposed.player == cheat
        assert node.over
        assert not node.state.complete
        assert not node.state.match.sheets


@pytest.mark.usefixtures("proofless")
async def test_4_a_former_member_stops_the_match_that_goes_on_without_them(
    autojump_clock: MockClock,
) -> None:
    """The player whose seat Olga has signs a second entry in an old place, and Bruno brings it."""
    moment, played = a_draw(4), a_round(4)
    former, bruno = moment.writer, moment.other
    table = await Table.at(moment, replaced(moment.ring, moment.state, former))
    old = next(one for one in played.moments if one.writer == former)
    forged = old.signed(OpenContent((), ()))
    assert {node.charter.members[former] for node in table.nodes.values()} == {NEWCOMER}
    assert not any(node.over for node in table.nodes.values())
    await table.show(forged, old.state.height + 1, bruno)
    for node in table.nodes.values():
        assert node.stopped
        assert node.live_record.cheat == played.ring.charter.charter.members[former]


# -- 5. One player alone decides.


@pytest.mark.usefixtures("proofless")
@pytest.mark.parametrize("third", ["takes the move", "votes", "says nothing"])
async def test_5_the_third_of_three_decides_alone_about_the_move_of_the_fourth(
    third: str, autojump_clock: MockClock
) -> None:
    """Two have voted that the fourth is absent when that player's move arrives, and refuse it.

    If the third takes it, the match goes on with all; if the third votes, it is over without the
    fourth; if the third says nothing, all wait.
    """
    table = await Table.at(moment := a_draw(4))
    carla, node = table.nodes.popitem()
    for other in table.nodes.values():
        assert await agrees(other, end(moment.writer))
    await table.move_arrives()
    assert table.grown == {0}
    if third == "says nothing":
        assert await table.is_dead(end(moment.writer))
        return
    table.nodes[carla] = node
    if third == "takes the move":
        await table.move_arrives(carla)
    else:
        assert await agrees(node, end(moment.writer))
        await table.talk()
    assert table.grown == {1}
    assert {one.state.ended for one in table.nodes.values()} == {third == "votes"}
