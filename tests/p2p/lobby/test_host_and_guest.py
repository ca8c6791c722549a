"""Sitting down: who is let in, what is signed, and what is lost on the way."""

import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from engine.games import game_named
from engine.sentences import Sentence
from p2p.lobby.callbacks import LobbyCallbacks
from p2p.lobby.guest import MOST_ATTEMPTS, Guest, claim
from p2p.lobby.host import ANSWER_SECONDS, MOST_BROKEN_OFF, Host
from p2p.refusals import Reason, Refusal
from p2p.storage.identity import Identity
from p2p.storage.journal import JOURNAL_FILE, Journal, TableRecord
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import LOBBY, Caller, Declined, hear, say
from p2p.transport.frames import LinkClosed, LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    LobbyPlayer,
    LobbyState,
    Propose,
    Ready,
    Reveal,
    Seat,
    Seats,
    Sign,
    Sit,
    Terms,
)
from p2p.transport.messages import Agreed, Status
from protocol.charter import Charter, Member, SignedCharter, nonce_commitment
from protocol.errors import Malformed
from tests.p2p.machines import PORT, Killed, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("on_memory")

NONCE = bytes(32)
COMMITMENT = bytes(32)


@asynccontextmanager
async def hosting(
    machines: Machines, seats: int, company: LobbyCallbacks | None = None
) -> AsyncIterator[list[Membership]]:
    """The first machine hosts as long as the block lasts; gives what it comes to."""
    host = machines.all[0]
    memberships: list[Membership] = []

    async def host_table() -> None:
        memberships.append(await host.sit_down(host.address, "canasta", seats, company))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host_table)
        await trio.testing.wait_all_tasks_blocked()
        yield memberships
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def visiting(machine: Machine, host: Machine) -> AsyncIterator[Link]:
    """A link to the host's lobby, to say on it what one likes."""
    async with (
        machine.process() as (endpoint, _),
        endpoint.dial(host.address, PORT, LOBBY) as link,
    ):
        yield link


async def test_all_sign_one_charter_and_have_it_in_their_journals(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(4, tmp_path)
    await machines.sit_down("canasta", rounds=3)
    kept = []
    for number, machine in enumerate(machines.all):
        with Journal.open(machine.home / JOURNAL_FILE) as journal:
            (record,) = journal.tables()
            assert record.me == number
            assert PendingCharter.recalled(journal) is None
            membership = Membership.recalled(journal, record)
            kept.append(membership.charter)
            others = {m.identity.public for m in machines.all if m is not machine}
            assert {address.key for address in membership.addresses} >= others - {
                machines.all[0].identity.public
            }
    assert kept == 4 * kept[:1]
    assert kept[0].charter.options.rounds == 3


async def test_late_and_doubled_guests_hear_a_clear_no(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all

    async def refused(machine: Machine, name: str) -> str:
        async with visiting(machine, host) as link:
            await say(link, Sit(name, COMMITMENT))
            with pytest.raises(Declined) as caught:
                await hear(link)
            return str(caught.value)

    async with hosting(machines, 3), visiting(bruno, host) as link:
        await say(link, Sit("Bruno", COMMITMENT))
        seen = await hear(link)
        assert isinstance(seen, LobbyState)
        assert seen.names == ("Ana", "Bruno")
        assert seen.free == 1
        assert [player.ready for player in seen.present] == [True, False]
        assert "name" in await refused(carla, "bruno")
        bruno.network.listeners.pop(bruno.address)
    await machines.sit_down("canasta")
    assert "no such table" in await refused_at_table(carla, host)


async def refused_at_table(machine: Machine, host: Machine) -> str:
    """What somebody hears who wants to sit down where the game is on."""
    async with host.process(), visiting(machine, host) as link:
        await say(link, Sit("Diego", COMMITMENT))
        with pytest.raises(Declined) as caught:
            await hear(link)
    return str(caught.value)


async def test_a_full_table_says_so(tmp_path: Path, autojump_clock: MockClock) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    async with hosting(machines, 2), visiting(bruno, host) as link:
        await say(link, Sit("Bruno", COMMITMENT))
        assert isinstance(await hear(link), LobbyState)
        async with visiting(carla, host) as other:
            await say(other, Sit("Carla", COMMITMENT))
            with pytest.raises(Declined, match="full"):
                await hear(other)


async def test_an_objection_is_told_to_the_guest(tmp_path: Path, autojump_clock: MockClock) -> None:
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    company = LobbyCallbacks(
        objection=lambda _key, _name: Refusal(Reason.OTHER_KEY, Sentence("Read by the host alone."))
    )
    async with hosting(machines, 2, company), visiting(bruno, host) as link:
        await say(link, Sit("Bruno", COMMITMENT))
        with pytest.raises(Declined, match="with another key"):
            await hear(link)


async def reveal(link: Link, nonce: bytes = NONCE) -> None:
    """Reveal a nonce as soon as all have committed."""
    while not isinstance(attempt := await hear(link), Seats):
        pass
    await say(link, Reveal(attempt.number, nonce, COMMITMENT))


@pytest.mark.parametrize(
    "sin", ["bad signature", "silence", "nonsense", "leaving", "no nonce", "another nonce"]
)
async def test_who_does_not_sign_makes_room_for_somebody_who_does(
    tmp_path: Path, autojump_clock: MockClock, sin: str
) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    async with hosting(machines, 2) as memberships:
        async with visiting(bruno, host) as link:
            await say(link, Sit("Bruno", nonce_commitment(bruno.identity.public, NONCE)))
            await say(link, Ready(True))
            if sin == "another nonce":
                await reveal(link, b"\x01" * 32)
            elif sin != "no nonce":
                await reveal(link)
                while not isinstance(await hear(link), Propose):
                    pass
            if sin == "bad signature":
                await say(link, Sign(bytes(64)))
            elif sin == "nonsense":
                await say(link, Status(0, bytes(32), ()))
            elif sin in ("silence", "no nonce"):
                await trio.sleep(ANSWER_SECONDS + 1)
            if sin != "leaving":
                assert isinstance(await failure_of(_listen(link)), LinkClosed)
        membership = await carla.sit_down(host.address, "canasta", 2)
        while not memberships:
            await trio.sleep(1)
    assert memberships[0].charter == membership.charter
    assert [m.name for m in membership.charter.charter.members] == ["Ana", "Carla"]


async def _listen(link: Link) -> None:
    while True:
        await hear(link)


async def test_guests_may_wait_long_in_a_lobby(tmp_path: Path, autojump_clock: MockClock) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    async with hosting(machines, 3) as memberships, trio.open_nursery() as nursery:
        nursery.start_soon(bruno.sit_down, host.address, "canasta", 3)
        await trio.sleep(3600)
        await carla.sit_down(host.address, "canasta", 3)
        while not memberships:
            await trio.sleep(1)


async def test_an_answer_lost_with_the_guest_is_fetched_after_the_restart(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """The guest has signed and died; the table has begun without their knowing."""
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all
    writes: list[str] = []

    def fate(point: str) -> bool:
        writes.append(point)
        return point == "before a write" and writes.count(point) == 2  # that of the membership

    guest.fate = fate
    async with hosting(machines, 2) as memberships:
        error = await failure_of(guest.sit_down(host.address, "canasta", 2))
        assert isinstance(error, Killed)
        while not memberships:
            await trio.sleep(1)
    with Journal.open(guest.home / JOURNAL_FILE) as journal:
        assert journal.tables() == ()
        assert PendingCharter.recalled(journal) is not None
    async with host.process(), guest.process() as (endpoint, journal):
        pending = PendingCharter.recalled(journal)
        assert pending is not None
        membership = await claim(endpoint, journal, pending)
        assert membership.charter == memberships[0].charter
        assert PendingCharter.recalled(journal) is None
        assert len(journal.tables()) == 1


async def test_an_answer_lost_with_the_host_is_fetched_when_it_is_back(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all
    host.fate = lambda point: point == "after a write" and bool(_tables(host))
    memberships: list[Membership] = []

    async def sit_down() -> None:
        memberships.append(await guest.sit_down(host.address, "canasta", 2))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit_down)
        error = await failure_of(host.sit_down(host.address, "canasta", 2))
        assert isinstance(error, Killed)
        host.fate = lambda _point: False
        async with host.process():
            while not memberships:
                await trio.sleep(1)
    assert memberships[0].charter.charter.members[0].name == "Ana"


def _tables(machine: Machine) -> list[object]:
    database = sqlite3.connect(machine.home / JOURNAL_FILE)
    try:
        return database.execute("SELECT * FROM tables").fetchall()
    finally:
        database.close()


async def test_a_pledge_that_came_to_nothing_is_dropped(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all
    guest.fate = lambda point: point == "after a write"
    async with hosting(machines, 2) as memberships:
        error = await failure_of(guest.sit_down(host.address, "canasta", 2))
        assert isinstance(error, Killed)
        await trio.sleep(5)
        assert not memberships
    guest.fate = lambda _point: False
    async with host.process(), guest.process() as (endpoint, journal):
        pending = PendingCharter.recalled(journal)
        assert pending is not None
        with pytest.raises(Declined, match="no such table"):
            await claim(endpoint, journal, pending)
        assert PendingCharter.recalled(journal) is None


# A host that is up to something

Trick = Callable[[Link, Member, Member], Awaitable[None]]


async def meets(machines: Machines, trick: Trick) -> Exception:
    """What comes of the second machine's joining at the first, which plays a trick."""
    host, guest = machines.all

    async def receive(caller: Caller) -> None:
        sit = await hear(caller.link)
        assert isinstance(sit, Sit)
        me = Member(host.identity.public, "Ana", NONCE)
        you = Seat(caller.link.peer, sit.name, sit.commitment)
        await say(caller.link, shown(seat_of(me), you))
        await say(caller.link, Seats(1, (seat_of(me), you)))
        while not isinstance(revealed := await hear(caller.link), Reveal):
            pass
        await trick(caller.link, me, Member(you.key, you.name, revealed.nonce))
        await trio.sleep(100)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            return await failure_of(guest.sit_down(host.address, "canasta", 2))


def seat_of(member: Member) -> Seat:
    return Seat(member.key, member.name, nonce_commitment(member.key, member.nonce))


def charter(*members: Member, **options: int) -> Charter:
    game = game_named("canasta")
    return Charter(game, game.options(**options), members)


def shown(*members: Member | Seat) -> LobbyState:
    """What the lobby of a host shows who means to play with these."""
    game = game_named("canasta")
    sitters = tuple(LobbyPlayer(member.key, member.name, ready=True) for member in members)
    return LobbyState(Terms("Kitchen", game, game.options(), len(members)), sitters)


async def test_a_charter_that_names_the_guest_otherwise_is_not_signed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def without_guest(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, guest.name, guest.nonce)
        await say(link, Propose(charter(me, stranger).encode()))

    async def without_host(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, "Eva", NONCE)
        await say(link, Propose(charter(stranger, guest).encode()))

    for number, trick in enumerate((without_guest, without_host)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Malformed)
        assert "does not name" in str(error)


async def test_a_host_who_chooses_a_nonce_after_the_others_gets_no_signature(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """With one they could look for a table id whose words are those of another table."""

    async def ground(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(evolve(me, nonce=b"\x01" * 32), guest).encode()))

    async def ground_for_guest(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(me, evolve(guest, nonce=b"\x01" * 32)).encode()))

    async def twice(link: Link, me: Member, guest: Member) -> None:
        """A second charter, when all nonces are known."""
        await say(link, Propose(charter(me, guest).encode()))
        while not isinstance(await hear(link), Sign):
            pass
        await say(link, Propose(charter(me, guest).encode()))

    for number, trick in enumerate((ground, ground_for_guest, twice)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Malformed)
        assert "committed" in str(error)


async def test_each_attempt_has_a_fresh_nonce_and_there_are_not_many(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Each is a chance for somebody in between to show the same words on both sides."""
    host, guest = Machines.make(2, tmp_path).all
    nonces: list[bytes] = []

    async def receive(caller: Caller) -> None:
        link = caller.link
        sit = await hear(link)
        assert isinstance(sit, Sit)
        me = seat_of(Member(host.identity.public, "Ana", NONCE))
        you = first = Seat(link.peer, sit.name, sit.commitment)
        await say(link, shown(me, you))
        for number in range(1, 2 * MOST_ATTEMPTS):
            if nonces:
                await say(link, Seats(number, (me, first)))  # used up: not answered
            await say(link, Seats(number, (me, you)))
            while not isinstance(revealed := await hear(link), Reveal):
                pass
            assert nonce_commitment(link.peer, revealed.nonce) == you.commitment
            nonces.append(revealed.nonce)
            you = evolve(you, commitment=revealed.commitment)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            error = await failure_of(guest.sit_down(host.address, "canasta", 2))
    assert isinstance(error, Malformed)
    assert "Too often" in str(error)
    assert len(set(nonces)) == len(nonces) == MOST_ATTEMPTS


async def test_the_table_begins_with_what_was_signed_or_not_at_all(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all

    async def other_charter(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(me, you).encode()))
        await hear(link)
        fresh = Member(me.key, me.name, b"\x01" * 32)
        other = charter(fresh, you)
        signatures = tuple(other.sign(m.identity.sign) for m in (host, guest))
        await say(link, Agreed(SignedCharter(other, signatures).encode()))

    assert "another charter" in str(await meets(machines, other_charter))


async def test_a_charter_that_not_all_have_signed_is_none(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)

    async def unsigned(link: Link, me: Member, you: Member) -> None:
        proposed = charter(me, you)
        await say(link, Propose(proposed.encode()))
        while not isinstance(sign := await hear(link), Sign):
            pass
        await say(link, Agreed(SignedCharter(proposed, (bytes(64), sign.signature)).encode()))

    assert "Ana has not signed" in str(await meets(machines, unsigned))


async def test_terms_and_players_are_signed_as_they_were_shown_or_not_at_all(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def other_rules(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(me, you, target=500).encode()))

    async def another_player(link: Link, me: Member, you: Member) -> None:
        third = Member(Identity.generate().public, "Eva", NONCE)
        await say(link, Propose(charter(me, you, third).encode()))

    async def other_order(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(you, me).encode()))

    async def longer_grace(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(evolve(charter(me, you), grace=86_400).encode()))

    for number, trick in enumerate((other_rules, another_player, other_order, longer_grace)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Malformed)
        assert "another table" in str(error)


# Being ready


async def test_nothing_is_signed_until_all_are_ready(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    heard: list[LobbyState] = []
    async with host.process() as (endpoint, journal), bruno.process() as (visitor, notes):
        hosting = Host(endpoint, journal, "Ana", terms(2), random.Random(1).randbytes, ready=False)
        company = LobbyCallbacks(heard.append)
        guest = Guest(visitor, notes, "Bruno", random.Random(2).randbytes, company, ready=False)
        async with trio.open_nursery() as nursery:
            await nursery.start(hosting.run)
            nursery.start_soon(guest.sit_down, host.address, PORT)
            await trio.sleep(1)
            assert [player.ready for player in heard[-1].present] == [False, False]
            hosting.set_ready(True)
            await trio.sleep(1)
            assert [player.ready for player in heard[-1].present] == [True, False]
            assert journal.tables() == ()
            guest.set_ready(True)
    (one,), (other,) = journal_of(host), journal_of(bruno)
    assert one.charter == other.charter


async def test_who_is_not_ready_signs_nothing(tmp_path: Path, autojump_clock: MockClock) -> None:
    """A host that does not wait gets no signature."""
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    said: list[object] = []

    async def receive(caller: Caller) -> None:
        sit = await hear(caller.link)
        assert isinstance(sit, Sit)
        me = seat_of(Member(host.identity.public, "Ana", NONCE))
        you = Seat(caller.link.peer, sit.name, sit.commitment)
        await say(caller.link, shown(me, you))
        await say(caller.link, Seats(1, (me, you)))
        while True:
            said.append(await hear(caller.link))

    async with host.process() as (endpoint, _), bruno.process() as (visitor, notes):
        guest = Guest(visitor, notes, "Bruno", random.Random(2).randbytes, ready=False)
        with endpoint.route(LOBBY, receive), trio.move_on_after(30):
            await guest.sit_down(host.address, PORT)
        assert PendingCharter.recalled(notes) is None
    assert set(said) == {Ready(False)}


@pytest.mark.parametrize("sin", ["leaves", "is silent"])
async def test_who_breaks_off_two_attempts_is_not_seated_again(
    tmp_path: Path, autojump_clock: MockClock, sin: str
) -> None:
    """Somebody who left at each attempt would keep a table from ever beginning."""
    machines = Machines.make(3, tmp_path)
    host, eve, carla = machines.all
    refused: list[str] = []
    callbacks = LobbyCallbacks(on_refused=lambda name, _sentence: refused.append(name))
    async with hosting(machines, 2, callbacks) as memberships:
        for _attempt in range(MOST_BROKEN_OFF):
            async with visiting(eve, host) as link:
                await say(link, Sit("Eve", COMMITMENT))
                await say(link, Ready(True))
                while not isinstance(await hear(link), Seats):
                    pass
                if sin == "is silent":
                    assert isinstance(await failure_of(_listen(link)), LinkClosed)
            await trio.sleep(1)
        async with visiting(eve, host) as link:
            await say(link, Sit("Eve", COMMITMENT))
            error = await failure_of(_listen(link))
        assert isinstance(error, Declined)
        assert error.reason == Reason.BROKE_OFF_TOO_OFTEN
        assert refused == ["Eve"]
        await carla.sit_down(host.address, "canasta", 2)
        while not memberships:
            await trio.sleep(1)
    assert [m.name for m in memberships[0].charter.charter.members] == ["Ana", "Carla"]


async def test_who_withdraws_while_others_sign_may_do_so_often(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Not to be ready is no offence, though it ends an attempt."""
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    async with hosting(machines, 2), visiting(bruno, host) as link:
        await say(link, Sit("Bruno", COMMITMENT))
        for _attempt in range(2 * MOST_BROKEN_OFF):
            await say(link, Ready(True))
            while not isinstance(await hear(link), Seats):
                pass
            await say(link, Ready(False))
            await trio.sleep(1)
        await say(link, Ready(True))
        while not isinstance(await hear(link), Seats):
            pass


async def test_a_nonce_revealed_too_late_is_not_used_in_the_next_attempt(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """It is known by then: the host begins once more, with the commitment to another one."""
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    other = nonce_commitment(bruno.identity.public, b"\x01" * 32)
    async with hosting(machines, 2), visiting(bruno, host) as link:
        await say(link, Sit("Bruno", nonce_commitment(bruno.identity.public, NONCE)))
        for ready in (True, False, True):
            await say(link, Ready(ready))
            await trio.sleep(1)
        await say(link, Reveal(1, NONCE, other))
        attempts: list[Seats] = []
        while len(attempts) < 3:
            message = await hear(link)
            assert not isinstance(message, Propose)
            if isinstance(message, Seats):
                attempts.append(message)
    assert [attempt.number for attempt in attempts] == [1, 2, 3]
    assert attempts[2].seats[1].commitment == other
    assert len({attempt.seats[0].commitment for attempt in attempts}) == 3


async def test_who_withdraws_while_others_sign_keeps_his_seat(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    async with hosting(machines, 3), visiting(bruno, host) as one, visiting(carla, host) as two:
        for link, name in ((one, "Bruno"), (two, "Carla")):
            await say(link, Sit(name, COMMITMENT))
            await say(link, Ready(True))
        for link in (one, two):
            while not isinstance(await hear(link), Seats):
                pass
        await say(one, Ready(False))
        await trio.sleep(ANSWER_SECONDS + 1)
        for link in (one, two):
            seen = [message for message in [await hear(link)] if isinstance(message, LobbyState)]
            assert [player.ready for player in seen[0].present] == [True, False, True]


async def test_who_changes_his_mind_all_the_time_is_the_one_who_goes(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """All are told each time: those who are slow to read would be sent away instead of them."""
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    async with hosting(machines, 3), visiting(bruno, host) as one, visiting(carla, host) as two:
        for link, name in ((one, "Bruno"), (two, "Carla")):
            await say(link, Sit(name, COMMITMENT))
            await trio.sleep(0.1)
        assert isinstance(await failure_of(_dither(two)), LinkError)
        last = None
        while last is None or last.names != ("Ana", "Bruno"):
            message = await hear(one)
            if isinstance(message, LobbyState) and len(message.present) == 2:
                last = message
        await trio.sleep(60)
        await say(one, Ready(True))


async def _dither(link: Link) -> None:
    for number in range(10_000):
        await say(link, Ready(number % 2 == 0))


async def test_a_host_who_closes_the_table_says_so(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, bruno = machines.all
    async with host.process() as (endpoint, journal), visiting(bruno, host) as link:
        async with trio.open_nursery() as nursery:
            hosting = Host(endpoint, journal, "Ana", terms(2), random.Random(1).randbytes)
            await nursery.start(hosting.run)
            await say(link, Sit("Bruno", COMMITMENT))
            assert isinstance(await hear(link), LobbyState)
            nursery.cancel_scope.cancel()
        with pytest.raises(Declined, match="has closed the table"):
            await hear(link)


async def test_a_rematch_has_the_order_that_the_host_wants(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(3, tmp_path)
    host, bruno, carla = machines.all
    order = (carla.identity.public, bruno.identity.public)
    async with host.process() as (endpoint, journal):
        hosting = Host(endpoint, journal, "Ana", terms(3), random.Random(1).randbytes, order=order)
        async with trio.open_nursery() as nursery:
            await nursery.start(hosting.run)
            nursery.start_soon(bruno.sit_down, host.address, "canasta", 3)
            await trio.sleep(1)
            await carla.sit_down(host.address, "canasta", 3)
    (record,) = journal_of(host)
    members = SignedCharter.decode(record.charter).charter.members
    assert [member.name for member in members] == ["Ana", "Carla", "Bruno"]


def terms(seats: int) -> Terms:
    game = game_named("canasta")
    return Terms("Kitchen", game, game.options(), seats)


def journal_of(machine: Machine) -> tuple[TableRecord, ...]:
    with Journal.open(machine.home / JOURNAL_FILE) as journal:
        return journal.tables()
