"""Who would take a seat judges what they are shown, and signs for nothing else."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import define, evolve, field
from trio.testing import MockClock

from engine.moves import Pass
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.lobby.callbacks import LobbyCallbacks
from p2p.refusals import Reason, Refusal
from p2p.replacement.take_vacant_seat import Candidacy
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import LOBBY, Caller, Endpoint, hear, say
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import Agreed, Carry, Invite, Message, Noted, Vote, Whereabouts
from protocol.absence import absence
from protocol.charter import Member
from protocol.entries import AbsentContent, Body, Entry, MoveContent
from protocol.errors import Mismatch, OutOfTurn, RemoteError
from tests.p2p.machines import Machines, failure_of
from tests.p2p.memory_links import memory_link_pair
from tests.protocol.absent import NEWCOMER, joint, others
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")

ANA, EVA = Identity.generate(), Identity.generate()
ME = Member(EVA.public, "Eva", bytes(32))
PORT = 7


@cache
def table() -> Ring:
    """Three players, one of whom is to move."""
    ring = Ring.sit(players=3)
    ring.play_until("move")
    return ring


def opening() -> Message:
    return Agreed(table().charter.encode())


def record() -> list[Message]:
    """The charter, and what is written."""
    entries = enumerate(table().entries, 1)
    return [opening(), *(Carry(height, entry) for height, entry in entries)]


def seat(*who: Member) -> AbsentContent:
    return AbsentContent((table().state.writers[0],), who or (ME,))


def invitation(*who: Member) -> Body:
    return absence(table().state, seat(*who))


@define
class Candidate:
    """Eva, to whom a node says things. `shown` are the heights of what they are shown."""

    journal: Journal
    objects_to: str = ""
    shown: list[int] = field(factory=list)
    heard: list[Message] = field(factory=list)

    async def told(self, *messages: Message) -> Membership:
        """What comes of their candidacy where the node says that."""

        def objection(_key: bytes, name: str) -> Refusal | None:
            no = Refusal(Reason.OTHER_KEY, Sentence("Not with them."))
            return no if name == self.objects_to else None

        async with memory_link_pair(EVA, ANA) as (link, node):
            link.address = "10.0.0.1"

            async def listen() -> None:
                while True:
                    self.heard.append(await hear(node))

            for message in messages:
                await say(node, message)
            candidacy = Candidacy(
                Endpoint(EVA),
                self.journal,
                ME,
                link,
                PORT,
                objection,
                lambda state: self.shown.append(state.height),
            )
            try:
                async with beside(listen):
                    return await candidacy.wait()
            finally:
                await link.aclose()


@pytest.fixture
def eva(tmp_path: Path) -> Iterator[Candidate]:
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        yield Candidate(journal)


async def test_who_has_checked_the_record_signs_and_has_the_seat(
    eva: Candidate, autojump_clock: MockClock
) -> None:
    """In the journal, with where the others are."""
    ring, body = table(), invitation()
    (absent,) = seat().players
    entry = joint(body, [*others(ring, absent), EVA.sign])
    other = Address(ring.state.charter.members[(absent + 1) % 3].key, "10.0.0.2", PORT)
    last = Carry(ring.state.height + 1, entry)
    membership = await eva.told(
        Noted(), *record(), Invite(body.encode()), Noted(), Whereabouts((other,)), last
    )
    assert (membership.charter, membership.me) == (ring.charter, absent)
    assert membership.addresses == (Address(ANA.public, "10.0.0.1", PORT), other)
    assert not membership.fresh  # there may be entries of this key
    (kept,) = eva.journal.tables()
    assert Membership.recalled(eva.journal, kept) == membership
    assert eva.shown == list(range(ring.state.height + 2))
    (vote,) = (message for message in eva.heard if isinstance(message, Vote))
    assert (vote.body, vote.key) == (body.encode(), EVA.public)
    assert Entry.is_vote(vote.body, vote.key, vote.signature)


def cheat() -> Message:
    """A move against the rules in the place of the next."""
    state = table().state
    player = state.writers[0]
    body = Body(state.next_place, player, MoveContent(Pass(), ()))
    entry = Entry.sign(body.encode(), table().signers[player]).encode()
    return Carry(state.height + 1, entry)


def in_another_name() -> Message:
    body = invitation()
    return Invite(evolve(body, writer=(body.writer + 1) % 3).encode())


def before(message: Message) -> list[Message]:
    return [*record(), message]


CASES: dict[str, tuple[type[RemoteError], str, Callable[[], list[Message]]]] = {
    "an entry first": (OutOfTurn, "begins with its charter", lambda: record()[1:]),
    "an invitation first": (OutOfTurn, "begins with", lambda: [Invite(invitation().encode())]),
    "two charters": (OutOfTurn, "one charter", lambda: [opening(), opening()]),
    "an entry left out": (OutOfTurn, "one after the other", lambda: [opening(), record()[2]]),
    "an entry twice": (OutOfTurn, "one after the other", lambda: [*record()[:2], record()[1]]),
    "another entry": (Mismatch, "does not hold", lambda: [opening(), Carry(1, table().entries[1])]),
    "a cheat": (Mismatch, "does not hold", lambda: before(cheat())),
    "in another name": (Mismatch, "no invitation", lambda: before(in_another_name())),
    "of somebody else": (
        Mismatch,
        "somebody else",
        lambda: before(Invite(invitation(NEWCOMER).encode())),
    ),
    "what is for a lobby": (OutOfTurn, "not told", lambda: before(Ready(True))),
}


@pytest.mark.parametrize("what", CASES)
async def test_a_node_that_is_up_to_something_gets_no_signature(
    eva: Candidate, autojump_clock: MockClock, what: str
) -> None:
    kind, why, messages = CASES[what]
    error = await failure_of(eva.told(*messages()))
    assert type(error) is kind
    assert why in str(error)
    assert not [message for message in eva.heard if isinstance(message, Vote)]
    assert eva.journal.tables() == ()


async def test_nobody_comes_back_to_a_table_where_their_seat_was_given_away(
    eva: Candidate, autojump_clock: MockClock
) -> None:
    eva.journal.create_table(bytes(32), b"of another table", 0)
    eva.journal.create_table(table().state.table_id, table().charter.encode(), 0)
    error = await failure_of(eva.told(*before(Invite(invitation().encode()))))
    assert "sat at this table before" in str(error)
    assert not [message for message in eva.heard if isinstance(message, Vote)]


async def test_nobody_sits_down_with_players_they_object_to(
    eva: Candidate, autojump_clock: MockClock
) -> None:
    """Though the record holds, and has been shown."""
    eva.objects_to = table().state.charter.members[2].name
    error = await failure_of(eva.told(*before(Invite(invitation().encode()))))
    assert "Not with them." in str(error)
    assert eva.shown == list(range(table().state.height + 1))
    assert not [message for message in eva.heard if isinstance(message, Vote)]


async def test_whoever_asks_for_a_seat_at_a_table_that_has_begun_is_told_that_they_wait(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """And then judges what they are told as a candidate."""
    host, guest = Machines.make(2, tmp_path).all
    noted: list[bool] = []

    async def receive(caller: Caller) -> None:
        assert isinstance(await hear(caller.link), Sit)
        for message in (Noted(), Noted(), record()[1]):
            await say(caller.link, message)
        await hear(caller.link)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            company = LobbyCallbacks(on_noted=lambda: noted.append(True))
            error = await failure_of(guest.sit_down(host.address, "canasta", 2, company))
    assert noted == [True]
    assert isinstance(error, OutOfTurn)
    assert "begins with its charter" in str(error)
