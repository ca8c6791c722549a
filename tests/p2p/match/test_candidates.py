"""Candidates for the seat of a missing player: the messages they get, and their signatures.

`test_waiting_room.py` tests the node at which they wait.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.match.table_status import Candidate
from p2p.match.take_vacant_seat import Candidacy
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.storage.journal import Journal
from p2p.transport.endpoint import LOBBY, Declined, hear, say
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import Agreed, Goodbye, Message, Noted
from protocol.charter import Charter, Member, SignedCharter
from protocol.errors import Mismatch, OutOfTurn, Refused
from protocol.match.messages import Proposal, Signed, Wish, WishKind
from protocol.match.statements import decode_statement
from protocol.state import State
from protocol.table.messages import Carry
from tests.p2p.machines import PORT, Machine, failure_of
from tests.p2p.match.evening import END, WAIT, Evening, one_missing, until
from tests.p2p.match.watchers import ANA, EVA, ended
from tests.p2p.memory_network import memory_link_pair
from tests.protocol.continuing import (
    OLGA,
    RITA,
    Newcomer,
    concluded,
    follow,
    offered,
    statement,
)
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


@asynccontextmanager
async def with_a_guest(folder: Path) -> AsyncIterator[tuple[Evening, Machine]]:
    """Yield a match of four without player 3, and the machine of a guest."""
    async with one_missing(4, folder) as now:
        yield now, Machine(now.machines.network, 9, folder / "guest")


@asynccontextmanager
async def waiting(guest: Machine, at: Machine, name: str) -> AsyncIterator[Link]:
    """Open a link on which the guest asks for the seat under that name."""
    async with guest.process() as (endpoint, _), endpoint.dial(at.address, PORT, LOBBY) as link:
        await say(link, Sit(name, bytes(32)))
        yield link


async def heard_for(link: Link, seconds: float) -> list[Message]:
    """Return the messages that a guest who stays ready receives in that time."""
    messages: list[Message] = []
    with trio.move_on_after(seconds):
        while True:
            messages.append(await hear(link))
            await say(link, Ready(True))
    return messages


async def candidate_at(now: Evening, number: int) -> Candidate:
    """Wait until that node has one candidate, and return them."""
    await until(lambda: len(now.node(number).candidates) == 1)
    return now.node(number).candidates[0]


async def test_a_candidate_learns_nothing_until_a_proposal_seats_them(tmp_path: Path) -> None:
    async with with_a_guest(tmp_path) as (now, guest):
        async with waiting(guest, now.machines.all[0], "Gil") as link:
            now.wish(END, 1)
            heard = await heard_for(link, 60)
            assert heard
            assert set(heard) == {Noted()}
            assert now.node(1).proposal is not None
            assert (await candidate_at(now, 1)).key == guest.key
            now.wish(Wish(WishKind.PERSON, guest.key), 1)
            kinds = [message.kind for message in await heard_for(link, 12)]
            shown = [kind for kind in kinds if kind != "noted"]
            assert shown == ["agreed", *now.node(0).height * ["carry"], "proposal"]
        await until(lambda: not now.node(1).candidates)


async def test_a_friends_name_with_another_key_is_refused(tmp_path: Path) -> None:
    """Player 0 knows another Gil. So player 0 sends the guest Gil away.

    Player 0 also accepts no proposal that gives the guest a seat.
    """
    async with with_a_guest(tmp_path) as (now, guest):
        one, two, *_ = now.nodes
        friend = Member(bytes([7]) * 32, "Gil", bytes(32))
        one.tables.known_players.meet([friend], "2026-01-01")
        for who, name, reason in (
            (guest, "Gil", Reason.OTHER_KEY),
            (now.machines.all[3], "Dora", Reason.MATCH_NOT_OVER),  # this player has a seat
        ):
            async with waiting(who, now.machines.all[0], name) as link:
                error = await failure_of(heard_for(link, 10))
            assert isinstance(error, Declined)
            assert error.reason == reason
        async with (
            waiting(guest, now.machines.all[1], "Gil") as link,
            beside(partial(heard_for, link, 60)),
        ):
            wish = Wish(WishKind.PERSON, guest.key)
            assert (await candidate_at(now, 0)).objection is not None
            await candidate_at(now, 1)
            two.wish(wish)
            await until(lambda: two.has_accepted(1) and one.proposal is not None)
            for accept in (partial(one.wish, wish), one.join_proposal):
                with pytest.raises(Refused, match="another key"):
                    accept()
            await trio.sleep(5)
            assert not one.has_accepted(0)
            assert one.wishes[0] == WAIT


async def test_a_candidate_who_sends_wrong_or_too_many_messages_must_go(tmp_path: Path) -> None:
    flood = (RateLimit().burst + 1) * [Ready(True)]
    async with with_a_guest(tmp_path) as (now, guest):
        for messages in ([Noted()], [Signed(bytes(64))], flood):
            async with waiting(guest, now.machines.all[0], "Gil") as link:
                await candidate_at(now, 0)
                for message in messages:
                    await say(link, message)
                with trio.fail_after(4):
                    assert isinstance(await ended(link), LinkClosed)


# -- The candidate's own node, which judges what the other node shows

RING = SeededTable.sit(players=5)
EVE = Newcomer(evolve(OLGA.member, signed_name="Eve"), OLGA.sign)
UNCLEAN = Newcomer(evolve(RITA.member, signed_name="Rita\u200b"), RITA.sign)
GREETING = Agreed(RING.charter.encode())


def proposal(*seats: Newcomer, players: int = 5) -> Proposal:
    """Return a proposal in which these people take the first seats of a table."""
    state = RING.state if players == 5 else SeededTable.sit(players=players).state
    charter = offered(state, range(len(seats)), seats=seats)
    return Proposal(OLGA.member.key, 1, charter.encode()).signed(OLGA.sign)


@asynccontextmanager
async def applying(
    folder: Path, messages: Sequence[Message], me: Member = OLGA.member
) -> AsyncIterator[tuple[Candidacy, Link]]:
    """Yield a candidacy, and the node's end of its link.

    The node has sent these messages and a goodbye. The candidate objects to Rita, and nobody else.
    """

    def objection(key: bytes, name: str) -> Refusal | None:
        assert (key, name) != (me.key, me.name)
        return Refusal.of(Reason.NAME_TAKEN) if key == RITA.member.key else None

    endpoint: Any = SimpleNamespace(identity=SimpleNamespace(sign=OLGA.sign))
    with Journal.open(folder / "home" / "journal") as journal:
        async with memory_link_pair(EVA, ANA) as (link, node):
            for message in (*messages, Goodbye(1)):
                await say(node, message)
            yield Candidacy(endpoint, journal, me, link, 1, objection, lambda _: None), node


@pytest.mark.parametrize(
    ("messages", "kind", "says"),
    [
        ([Ready(True)], OutOfTurn, "not for candidates"),
        ([proposal(OLGA)], OutOfTurn, "did not begin with its charter"),
        ([Carry(1, b"entry")], OutOfTurn, "not shown in order"),
        ([GREETING, Carry(2, b"entry")], OutOfTurn, "not shown in order"),
        ([GREETING, Carry(1, b"entry")], Mismatch, "record of that table is invalid"),
        ([GREETING, proposal(OLGA, players=4)], Mismatch, "no continuation"),
        ([GREETING, GREETING, Noted(), proposal(RITA)], Mismatch, "somebody else"),
        ([GREETING, proposal(EVE)], Mismatch, "somebody else"),
        ([GREETING, proposal(OLGA, UNCLEAN)], Refused, "not in its clean form"),
        ([GREETING, proposal(OLGA, RITA)], Refused, "sits here already"),
    ],
)
async def test_a_candidate_leaves_a_node_that_sends_what_it_should_not(
    tmp_path: Path, messages: list[Message], kind: type[Exception], says: str
) -> None:
    async with applying(tmp_path, messages) as (candidacy, _):
        error = await failure_of(candidacy.wait())
    assert type(error) is kind
    assert says in str(error)


async def test_a_candidate_keeps_their_signature_before_they_send_it(tmp_path: Path) -> None:
    offer, states = proposal(OLGA), list[State]()
    async with applying(tmp_path, [GREETING, offer]) as (candidacy, node):
        candidacy.on_shown = states.append
        await failure_of(candidacy.wait())
        signed = await hear(node)
        assert isinstance(signed, Signed)
        assert candidacy.journal.statements(RING.state.table_id) == (signed.statement,)
    statement = decode_statement(signed.statement)
    assert statement.charter.encode() == offer.charter
    assert statement.charter.is_signed_by(statement.player, statement.signature)
    assert states == [RING.state]


async def test_a_lost_seat_is_not_mistaken_for_the_new_one(tmp_path: Path) -> None:
    """The candidate is shown that they got seat 0 and lost it again, and that they get seat 1."""
    table, parts = SeededTable.sit(players=5), list[SignedCharter]()
    messages: list[Message] = [Agreed(table.charter.encode())]
    for number, (left, newcomer) in enumerate(((0, OLGA), (0, RITA), (1, OLGA)), 1):
        parts.append(concluded(table, table.state, offered(table.state, [left], seats=[newcomer])))
        table.state = follow(table.state, parts[-1].encode())
        messages += [Carry(number, parts[-1].encode()), Noted()]
    async with applying(tmp_path, messages) as (candidacy, _):
        first = parts[0].charter
        candidacy.journal.create_table(first.table_id, parts[0].encode(), 0)
        assert (await candidacy.wait()).charter == parts[-1]


async def test_a_player_who_was_left_out_when_the_match_ended_has_no_seat(tmp_path: Path) -> None:
    table = SeededTable.sit(players=3)
    end = concluded(table, table.state, offered(table.state, [2], ends=True))
    messages = Agreed(table.charter.encode()), Carry(1, end.encode())
    me = table.state.charter.members[2]
    async with applying(tmp_path, messages, me) as (candidacy, _):
        assert isinstance(await failure_of(candidacy.wait()), Declined)
        assert candidacy.journal.tables() == ()


async def test_a_candidate_signs_no_continuation_that_skips_a_table_they_have_joined(
    tmp_path: Path,
) -> None:
    """The candidate refuses even if a member shows a record without that table.

    Attempts are counted in each match, and only higher attempts than the last can be signed.
    """
    table, other_match = (SeededTable.sit(players=3, seed=seed) for seed in (1, 2))
    async with applying(tmp_path, ()) as (candidacy, _):

        def keep(charter: Charter, at: SeededTable = table) -> None:
            candidacy._keep(statement(at, at.state, charter, 2))

        def refuses(charter: Charter, at: SeededTable = table) -> None:
            with pytest.raises(Refused):
                keep(charter, at)

        # Attempt 4 in another match does not forbid attempt 1 in this one.
        keep(offered(other_match.state, [0], attempt=4), other_match)
        refuses(offered(other_match.state, [0], attempt=3), other_match)
        for _ in range(2):
            keep(offered(table.state, [0], attempt=1))
        refuses(offered(table.state, [1], attempt=1))
        # The candidate joins the tables of attempts 2 and 4. A continuation of the first
        # table would skip both, whatever attempt it has.
        played = offered(table.state, [0], attempt=2)
        after = follow(table.state, concluded(table, table.state, played).encode())
        for charter in (played, offered(after, [], attempt=4)):
            keep(charter)
            candidacy.journal.create_table(charter.table_id, charter.encode(), 2)
        for attempt in (3, 5):
            refuses(offered(table.state, [1], attempt=attempt))
