"""A host that shows one charter and proposes another gets no signature."""

import random
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import evolve

from engine.games import game_named
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.lobby.callbacks import LobbyCallbacks
from p2p.lobby.guest import CLAIM_PAUSES, MOST_ATTEMPTS, Guest, NotUnderstood, claim
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.storage.identity import Identity
from p2p.storage.memberships import PendingCharter
from p2p.transport.endpoint import LOBBY, Caller, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    CommittedSeat,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
)
from p2p.transport.messages import Agreed, Message
from protocol.charter import Charter, Extension, Member, SignedCharter, nonce_commitment
from protocol.errors import Mismatch, OutOfTurn, Refused
from tests.p2p.lobby.lobbies import NONCE, gets_ready, hear_nonce, hear_sit, seat_of, shown
from tests.p2p.machines import PORT, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


Trick = Callable[[Link, Member, Member], Awaitable[None]]


async def meets(machines: Machines, trick: Trick) -> Exception:
    """Return the error in which the second machine's joining ends, as the first plays a trick."""
    host, guest = machines.all

    async def receive(caller: Caller) -> None:
        me, you = await hear_sit(caller, host)
        await trick(caller.link, me, await hear_nonce(caller.link, me, you))
        await trio.sleep(100)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            return await failure_of(guest.sit_down(host.address, "canasta", 2))


def charter(*members: Member, **options: int) -> Charter:
    game = game_named("canasta")
    return Charter(game, game.options.from_pairs(options.items()), members)


async def test_a_charter_that_names_the_guest_otherwise_is_not_signed(tmp_path: Path) -> None:
    async def without_guest(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, guest.name, guest.nonce)
        await say(link, Propose(charter(me, stranger).encode()))

    async def without_host(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, "Eva", NONCE)
        await say(link, Propose(charter(stranger, guest).encode()))

    for number, trick in enumerate((without_guest, without_host)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "does not name" in str(error)


async def test_a_host_who_chooses_a_nonce_after_the_others_gets_no_signature(
    tmp_path: Path,
) -> None:
    """With one they could look for a table id whose words are those of another table."""

    async def ground(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(evolve(me, nonce=b"\x01" * 32), guest).encode()))

    async def ground_for_guest(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(me, evolve(guest, nonce=b"\x01" * 32)).encode()))

    async def twice(link: Link, me: Member, guest: Member) -> None:
        """Propose a second charter, when all nonces are known."""
        await say(link, Propose(charter(me, guest).encode()))
        while not isinstance(await hear(link), Sign):
            pass
        await say(link, Propose(charter(me, guest).encode()))

    for number, trick in enumerate((ground, ground_for_guest, twice)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "committed" in str(error)


async def test_each_attempt_has_a_fresh_nonce_and_there_are_not_many(tmp_path: Path) -> None:
    """Each is a chance for somebody in between to show the same words on both sides."""
    host, guest = Machines.make(2, tmp_path).all
    nonces: list[bytes] = []

    async def receive(caller: Caller) -> None:
        link = caller.link
        ana, first = await hear_sit(caller, host)
        me, you = seat_of(ana), first
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
    assert isinstance(error, OutOfTurn)
    assert "too often" in str(error)
    assert len(set(nonces)) == len(nonces) == MOST_ATTEMPTS


async def test_a_nonce_that_is_known_already_is_not_signed_in_a_second_attempt(
    tmp_path: Path,
) -> None:
    """A host shows the commitment of the first attempt again.

    They know the nonce in it, and choose their own after it.
    """
    heard: list[object] = []

    async def again(link: Link, me: Member, guest: Member) -> None:
        await say(link, Seats(2, (seat_of(me), seat_of(guest))))
        with trio.move_on_after(1):
            while True:
                heard.append(await hear(link))
        await say(link, Propose(charter(me, guest).encode()))
        await say(link, Propose(charter(me, guest).encode()))

    error = await meets(Machines.make(2, tmp_path), again)
    assert isinstance(error, Mismatch)
    assert "committed" in str(error)
    assert not [one for one in heard if isinstance(one, Reveal)]


async def test_the_table_begins_with_what_was_signed_or_not_at_all(tmp_path: Path) -> None:
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


async def test_a_charter_that_not_all_have_signed_is_none(tmp_path: Path) -> None:
    machines = Machines.make(2, tmp_path)

    async def unsigned(link: Link, me: Member, you: Member) -> None:
        proposed = charter(me, you)
        await say(link, Propose(proposed.encode()))
        while not isinstance(sign := await hear(link), Sign):
            pass
        await say(link, Agreed(SignedCharter(proposed, (bytes(64), sign.signature)).encode()))

    assert isinstance(await meets(machines, unsigned), NotUnderstood)


async def test_terms_and_players_are_signed_as_they_were_shown_or_not_at_all(
    tmp_path: Path,
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

    async def spectators(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(evolve(charter(me, you), spectators=True).encode()))

    async def look_alike(link: Link, me: Member, you: Member) -> None:
        hidden = evolve(me, signed_name=f"{me.name}\u200b")
        await say(link, Propose(charter(hidden, you).encode()))

    async def extension(link: Link, me: Member, you: Member) -> None:
        more = (Extension("aside", False, b"what nobody has seen"),)
        await say(link, Propose(evolve(charter(me, you), extensions=more).encode()))

    players = (another_player, other_order, look_alike)
    tricks = (*players, other_rules, longer_grace, spectators, extension)
    for number, trick in enumerate(tricks):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "another table" in str(error)


# -- what has no place in a lobby


Says = Callable[[Member, CommittedSeat], tuple[Message, ...]]


async def is_told(machines: Machines, says: Says) -> tuple[Exception, list[Message]]:
    """Join a host who says that; return the error, and what the guest has said by then."""
    host, guest = machines.all
    heard: list[Message] = []

    async def receive(caller: Caller) -> None:
        for message in says(*await hear_sit(caller, host)):
            await say(caller.link, message)
        while True:
            heard.append(await hear(caller.link))

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            error = await failure_of(guest.sit_down(host.address, "canasta", 2))
    return error, heard


@pytest.mark.parametrize("other", [{"name": "Eva"}, {"key": bytes(32)}])
async def test_a_guest_reveals_nothing_where_they_have_no_seat(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    def says(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        theirs = evolve(you, **other)
        return (shown(seat_of(me), theirs), Seats(1, (seat_of(me), theirs)))

    error, heard = await is_told(Machines.make(2, tmp_path), says)
    assert isinstance(error, Mismatch)
    assert "does not name this player" in str(error)
    assert not [one for one in heard if isinstance(one, Reveal)]


async def test_a_table_does_not_begin_with_a_charter_that_nobody_was_shown(tmp_path: Path) -> None:
    """Nor is anything signed before anything was shown."""
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all

    def begins(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        table = charter(me, Member(you.key, you.name, NONCE))
        signatures = tuple(table.sign(machine.identity.sign) for machine in (host, guest))
        return (shown(seat_of(me), you), Agreed(SignedCharter(table, signatures).encode()))

    def proposes(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        return (Propose(charter(me, Member(you.key, you.name, NONCE)).encode()),)

    error, _ = await is_told(machines, begins)
    assert isinstance(error, OutOfTurn)
    assert "nobody was shown" in str(error)
    error, heard = await is_told(machines, proposes)
    assert isinstance(error, Mismatch)
    assert "than the host has shown" in str(error)
    assert not [one for one in heard if isinstance(one, Sign)]


async def test_a_host_says_only_what_belongs_in_a_lobby_and_not_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines.make(2, tmp_path)
    error, _ = await is_told(machines, lambda _me, _you: (Sign(bytes(64)),))
    assert isinstance(error, OutOfTurn)
    assert "no place in a lobby" in str(error)
    monkeypatch.setattr("p2p.lobby.guest.RateLimit", partial(RateLimit, burst=3))
    error, _ = await is_told(machines, lambda me, you: 4 * (shown(seat_of(me), you),))
    assert isinstance(error, OutOfTurn)
    assert "says too much" in str(error)


async def test_a_charter_for_fewer_than_the_host_wanted_is_not_signed(tmp_path: Path) -> None:
    """A guest who waits for a third player does not begin with one of the two that are there."""

    async def too_early(link: Link, me: Member, you: Member) -> None:
        lobby = shown(seat_of(me), seat_of(you))
        await say(link, evolve(lobby, terms=evolve(lobby.terms, seats=3)))
        await say(link, Propose(charter(me, you).encode()))

    error = await meets(Machines.make(2, tmp_path), too_early)
    assert isinstance(error, Mismatch)
    assert "another table" in str(error)


async def test_other_rules_have_to_be_got_ready_for_again(tmp_path: Path) -> None:
    host, bruno = Machines.make(2, tmp_path).all
    withdrawn: list[bool] = []
    heard: list[Message] = []

    async def receive(caller: Caller) -> None:
        lobby = shown(*await hear_sit(caller, host))
        await say(caller.link, lobby)
        while await hear(caller.link) != Ready(True):
            pass
        await say(caller.link, lobby)
        await trio.sleep(1)
        assert withdrawn == []
        await say(caller.link, evolve(lobby, terms=evolve(lobby.terms, grace=86_400)))
        while True:
            heard.append(await hear(caller.link))

    async with host.process() as (endpoint, _), bruno.process() as (visitor, notes):
        callbacks = LobbyCallbacks(on_withdrawn=lambda: withdrawn.append(True))
        entropy = random.Random(2).randbytes
        guest = Guest(visitor, notes, "Bruno", entropy, callbacks, ready=False)
        await gets_ready(guest, host, endpoint, receive)
    assert withdrawn == [True]
    assert heard[-1] == Ready(False)


# -- who signs


async def proposed_to(
    machines: Machines, callbacks: LobbyCallbacks, *, ready: bool
) -> tuple[BaseException | None, list[Message]]:
    """Return what a guest says to a charter that holds, and why they have left, if they have.

    They are `ready` then, or were so only as long as they revealed.
    """
    host, bruno = machines.all
    heard: list[Message] = []
    ended: list[BaseException] = []

    async def receive(caller: Caller) -> None:
        me, you = await hear_sit(caller, host)
        member = await hear_nonce(caller.link, me, you)
        guest.set_ready(ready)
        await say(caller.link, Propose(charter(me, member).encode()))
        while True:
            heard.append(await hear(caller.link))

    async def sits() -> None:
        ended.append(await failure_of(guest.sit_down(host.address, PORT)))

    async with host.process() as (endpoint, _), bruno.process() as (visitor, notes):
        guest = Guest(visitor, notes, "Bruno", random.Random(2).randbytes, callbacks)
        with endpoint.route(LOBBY, receive), trio.move_on_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sits)
    return (ended[0] if ended else None), heard


@pytest.mark.parametrize(
    ("unwanted", "ready", "signs"),
    [(None, True, True), ("Bruno", True, True), ("Ana", True, False), (None, False, False)],
)
async def test_nobody_signs_with_players_they_object_to_nor_when_not_ready_any_more(
    tmp_path: Path, unwanted: str | None, ready: bool, signs: bool
) -> None:
    """Objections to one's own name are for the others to make."""
    objection = Refusal(Reason.OTHER_KEY, Sentence("Another key."))
    callbacks = LobbyCallbacks(objection=lambda _key, name: objection if name == unwanted else None)
    error, heard = await proposed_to(Machines.make(2, tmp_path), callbacks, ready=ready)
    assert bool([one for one in heard if isinstance(one, Sign)]) == signs
    assert isinstance(error, Refused) == (unwanted == "Ana")


# -- fetching what was signed


def pending(host: Machine, guest: Machine) -> PendingCharter:
    """Return the charter that the guest has signed at the host's."""
    members = Member(host.key, "Ana", NONCE), Member(guest.key, "Bruno", NONCE)
    return PendingCharter(charter(*members), Address(host.key, host.address, PORT))


async def test_who_asks_for_a_charter_is_answered_with_nothing_else(tmp_path: Path) -> None:
    host, guest = Machines.make(2, tmp_path).all
    signed = pending(host, guest)

    async def receive(caller: Caller) -> None:
        await say(caller.link, Ready(True))
        await hear(caller.link)

    async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
        with endpoint.route(signed.charter.table_id, receive):
            error = await failure_of(claim(visitor, journal, signed))
    assert isinstance(error, OutOfTurn)


async def test_a_charter_that_names_others_is_not_kept(tmp_path: Path) -> None:
    """As may be in a journal that somebody else has written in."""
    host, bruno, guest = Machines.make(3, tmp_path).all
    signed = pending(host, bruno)
    signatures = tuple(signed.charter.sign(machine.identity.sign) for machine in (host, bruno))

    async def receive(caller: Caller) -> None:
        await say(caller.link, Agreed(SignedCharter(signed.charter, signatures).encode()))
        await hear(caller.link)

    async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
        with endpoint.route(signed.charter.table_id, receive):
            error = await failure_of(claim(visitor, journal, signed))
        assert journal.tables() == ()
    assert isinstance(error, Mismatch)


async def test_where_no_host_answers_it_is_tried_for_a_while(tmp_path: Path) -> None:
    """The signed charter is kept: the host may come back another day."""
    host, guest = Machines.make(2, tmp_path).all
    began = trio.current_time()
    async with guest.process() as (visitor, journal):
        signed = pending(host, guest)
        signed.keep(journal)
        error = await failure_of(claim(visitor, journal, signed))
        assert PendingCharter.recalled(journal) == signed
    assert isinstance(error, LinkError)
    assert "nobody knows" in str(error)
    assert trio.current_time() - began >= sum(CLAIM_PAUSES)
