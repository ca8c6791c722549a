"""Candidates for the seat of a missing player: the messages they get, and their signatures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.match.history import KeptHistory
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
from protocol.charter import Member
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


async def test_a_candidate_is_told_that_the_match_has_ended(tmp_path: Path) -> None:
    async with with_a_guest(tmp_path) as (now, guest):
        async with waiting(guest, now.machines.all[0], "Gil") as link:
            await candidate_at(now, 2)
            now.wish(END, 0, 1, 2)
            error = await failure_of(heard_for(link, 60))
        assert isinstance(error, Declined)
        assert "has ended" in str(error)
        await now.is_ended()


async def test_a_founder_who_has_not_spoken_to_this_node_is_no_candidate(tmp_path: Path) -> None:
    """The founder is refused: they would wait for ever for a seat that they already have.

    For example, player 3 has received the end of the match from others, and wants a rematch before
    this node has ended.
    """
    async with with_a_guest(tmp_path) as (now, _guest):
        await now.kill(0)
        now.switch_on(0)
        await until(lambda: bool(now.node(0).height))
        founder = now.machines.all[3]
        async with waiting(founder, now.machines.all[0], "Dora") as link:
            error = await failure_of(heard_for(link, 60))
    assert isinstance(error, Declined)
    assert error.reason == Reason.MATCH_NOT_OVER


async def test_a_candidate_who_dies_after_signing_still_gets_the_seat(tmp_path: Path) -> None:
    """The candidate may come again until they have spoken at the table where they sit."""
    async with one_missing(4, tmp_path) as now:
        guest, copy = (Machine(now.machines.network, 4, tmp_path / name) for name in ("gil", "eve"))
        now.machines.all = [*now.machines.all, guest]
        guest.fate, copy.identity = lambda point: point == "after a send", guest.identity

        async def invite() -> None:
            await until(lambda: all(node.candidates for node in now.nodes))
            now.wish(Wish(WishKind.PERSON, guest.key), 0, 1, 2)

        async with beside(invite):
            with pytest.raises(BaseExceptionGroup):
                await now.knock(guest)
        await until(lambda: now.node(0).charter.attempt == 1)
        guest.fate = lambda _point: False
        membership = await now.knock(guest)
        assert {address.key for address in membership.addresses} >= {
            machine.key for machine in now.machines.all[:3]
        }
        await now.plays_on(1)
        async with waiting(copy, now.machines.all[0], "Gil") as link:
            error = await failure_of(heard_for(link, 60))
        assert isinstance(error, Declined)
        assert error.reason == Reason.MATCH_NOT_OVER


async def test_a_friends_name_with_another_key_is_refused(tmp_path: Path) -> None:
    """Player 0, who knows another Gil, sends the guest Gil away.

    Player 0 also accepts no proposal that gives the guest a seat.
    """
    async with with_a_guest(tmp_path) as (now, guest):
        friend = Member(bytes([7]) * 32, "Gil", bytes(32))
        now.node(0).tables.known_players.meet([friend], "2026-01-01")
        async with waiting(guest, now.machines.all[0], "Gil") as link:
            error = await failure_of(heard_for(link, 10))
            assert isinstance(error, Declined)
            assert "another key" in str(error)
        async with (
            waiting(guest, now.machines.all[1], "Gil") as link,
            beside(partial(heard_for, link, 60)),
        ):
            wish = Wish(WishKind.PERSON, guest.key)
            assert (await candidate_at(now, 0)).objection is not None
            with pytest.raises(Refused, match="another key"):
                now.node(0).wish(wish)
            await candidate_at(now, 1)
            now.wish(wish, 1)
            await until(lambda: now.node(1).has_accepted(1))
            await until(lambda: now.node(0).proposal is not None)
            with pytest.raises(Refused, match="another key"):
                now.node(0).join_proposal()
            await trio.sleep(5)
            assert not now.node(0).has_accepted(0)
            assert now.node(0).wishes[0] == WAIT


async def test_a_candidate_signs_no_continuation_of_a_false_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = KeptHistory.parts

    async def forged(history: KeptHistory, since: int, most: int) -> tuple[bytes, ...]:
        return tuple(part[:-1] + b"\0" for part in await parts(history, since, most))

    monkeypatch.setattr(KeptHistory, "parts", forged)
    async with with_a_guest(tmp_path) as (now, guest):
        async with trio.open_nursery() as nursery:

            async def invite() -> None:
                await candidate_at(now, 0)
                now.wish(Wish(WishKind.PERSON, guest.key), 0)

            nursery.start_soon(invite)
            error = await failure_of(guest.sit_down(now.machines.all[0].address, "canasta", 0))
        assert isinstance(error, Mismatch)
        assert "is invalid" in str(error)
        assert now.node(0).charter.attempt == 0


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


RING = SeededTable.sit(players=5)
UNCLEAN = Newcomer(evolve(RITA.member, signed_name="Rita\u200b"), RITA.sign)


def proposal(*seats: Newcomer, players: int = 5) -> Proposal:
    """Return a proposal in which these people take the first seats of a table."""
    state = RING.state if players == 5 else SeededTable.sit(players=players).state
    charter = offered(state, range(len(seats)), seats=seats)
    return Proposal(OLGA.member.key, 1, charter.encode()).signed(OLGA.sign)


GREETING = Agreed(RING.charter.encode())


@pytest.mark.parametrize(
    ("messages", "kind", "says"),
    [
        ([Ready(True)], OutOfTurn, "not for candidates"),
        ([proposal(OLGA)], OutOfTurn, "did not begin with its charter"),
        ([Carry(1, b"entry")], OutOfTurn, "not shown in order"),
        ([GREETING, Carry(2, b"entry")], OutOfTurn, "not shown in order"),
        ([GREETING, GREETING, Noted(), proposal(RITA)], Mismatch, "somebody else"),
        ([GREETING, Carry(1, b"entry")], Mismatch, "record of that table is invalid"),
        ([GREETING, proposal(OLGA, players=4)], Mismatch, "no continuation"),
        ([GREETING, proposal(RITA)], Mismatch, "somebody else"),
        ([GREETING, proposal(OLGA, UNCLEAN)], Refused, "not in its clean form"),
        ([GREETING, proposal(OLGA, RITA)], Refused, "sits here already"),
    ],
)
async def test_a_candidate_leaves_a_node_that_shows_something_else(
    tmp_path: Path, messages: list[Message], kind: type[Exception], says: str
) -> None:
    """The candidate also leaves a table with somebody to whom they object, such as Rita."""
    asked: list[str] = []

    def objection(key: bytes, name: str) -> Refusal | None:
        asked.append(name)
        return Refusal.of(Reason.NAME_TAKEN) if key in (OLGA.member.key, RITA.member.key) else None

    with Journal.open(tmp_path / "home" / "journal") as journal:
        async with memory_link_pair(EVA, ANA) as (link, node):
            for message in (*messages, Goodbye(1)):
                await say(node, message)
            nothing: Any = None
            candidacy = Candidacy(nothing, journal, OLGA.member, link, 1, objection, lambda _: None)
            error = await failure_of(candidacy.wait())
    assert (type(error), asked) == (kind, ["Rita"] if "sits here" in says else [])
    assert says in str(error)


async def test_a_candidate_keeps_their_signature_before_they_send_it(tmp_path: Path) -> None:
    endpoint: Any = SimpleNamespace(identity=SimpleNamespace(sign=OLGA.sign))
    states = list[State]()
    offer = proposal(OLGA)
    with Journal.open(tmp_path / "home" / "journal") as journal:
        async with memory_link_pair(EVA, ANA) as (link, node):
            for message in (GREETING, offer, Goodbye(1)):
                await say(node, message)
            arguments = (endpoint, journal, OLGA.member, link, 1, lambda _key, _name: None)
            await failure_of(Candidacy(*arguments, states.append).wait())
            signed = await hear(node)
        assert isinstance(signed, Signed)
        assert journal.statements(RING.state.table_id) == (signed.statement,)
    statement = decode_statement(signed.statement)
    assert statement.charter.encode() == offer.charter
    assert statement.charter.is_signed_by(statement.player, statement.signature)
    assert states == [RING.state]


async def test_a_seat_that_was_lost_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    """The candidate is shown that they got seat 0 and lost it again, and that they get seat 1."""
    table, nobody = SeededTable.sit(players=5), cast(Any, None)
    parts = []
    for left, newcomer in ((0, OLGA), (0, RITA), (1, OLGA)):
        parts.append(concluded(table, table.state, offered(table.state, [left], seats=[newcomer])))
        table.state = follow(table.state, parts[-1].encode())
    with Journal.open(tmp_path / "home" / "journal") as journal:
        journal.create_table(parts[0].charter.table_id, parts[0].encode(), 0)
        async with memory_link_pair(EVA, ANA) as (link, node):
            await say(node, Agreed(table.charter.encode()))
            for number, part in enumerate(parts, 1):
                await say(node, Carry(number, part.encode()))
                await say(node, Noted())
            candidacy = Candidacy(nobody, journal, OLGA.member, link, 1, nobody, lambda _: None)
            assert (await candidacy.wait()).charter == parts[-1]


async def test_a_player_who_was_left_out_when_the_match_ended_has_no_seat(tmp_path: Path) -> None:
    table, nothing = SeededTable.sit(players=3), cast(Any, None)
    me = table.state.charter.members[2]
    with Journal.open(tmp_path / "home" / "journal") as journal:
        async with memory_link_pair(EVA, ANA) as (link, node):
            end = concluded(table, table.state, offered(table.state, [2], ends=True))
            for message in (Agreed(table.charter.encode()), Carry(1, end.encode()), Goodbye(1)):
                await say(node, message)
            candidacy = Candidacy(nothing, journal, me, link, 1, nothing, lambda _: None)
            assert isinstance(await failure_of(candidacy.wait()), Declined)
        assert journal.tables() == ()


async def test_a_candidate_signs_only_what_seats_them_under_their_own_name() -> None:
    state, nobody = SeededTable.sit(players=3).state, cast(Any, None)
    proposal = Proposal(bytes(32), 1, offered(state, [0], seats=[OLGA]).encode())
    for me in (RITA.member, Member(OLGA.member.key, "Eve", bytes(32))):
        candidacy = Candidacy(nobody, nobody, me, nobody, 1, nobody, nobody)
        candidacy._state = state
        with pytest.raises(Mismatch, match="somebody else"):
            await candidacy._consider(proposal)


def test_a_candidate_signs_no_continuation_that_skips_a_table_they_have_joined(
    tmp_path: Path,
) -> None:
    """The candidate signs none even if a member shows a record without that table."""
    table = SeededTable.sit(players=3)
    first, nobody = table.state.charter, cast(Any, None)
    played, other = (offered(table.state, [left], attempt=2 + left) for left in (0, 1))
    later = offered(
        follow(table.state, concluded(table, table.state, played).encode()), [], attempt=4
    )
    with Journal.open(tmp_path / "journal") as journal:
        candidacy = Candidacy(nobody, journal, first.members[2], nobody, 1, nobody, nobody)
        other_match = SeededTable.sit(players=3, seed=2)
        four, three = (offered(other_match.state, [0], attempt=number) for number in (4, 3))
        candidacy._keep(statement(other_match, other_match.state, four, 2))
        with pytest.raises(Refused):
            candidacy._keep(statement(other_match, other_match.state, three, 2))
        first_try = statement(table, table.state, offered(table.state, [0], attempt=1), 2)
        for _ in range(2):
            candidacy._keep(first_try)
        with pytest.raises(Refused):
            candidacy._keep(statement(table, table.state, offered(table.state, [1], attempt=1), 2))
        for charter in (played, later):
            candidacy._keep(statement(table, table.state, charter, 2))
            journal.create_table(charter.table_id, charter.encode(), 2)
        assert other.continues is not None
        for number in (3, 5):
            passing = evolve(other, continues=evolve(other.continues, attempt=number))
            with pytest.raises(Refused):
                candidacy._keep(statement(table, table.state, passing, 2))
