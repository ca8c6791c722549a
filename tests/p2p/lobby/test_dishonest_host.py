"""Dishonest hosts, who for example show one charter and propose another: no guest signs."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import evolve

from engine.sentences import Sentence
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import MOST_ATTEMPTS, NotUnderstood
from p2p.lobby.knock_price import is_paid
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.storage.identity import Identity
from p2p.transport.endpoint import LOBBY, Caller, Declined, hear, say
from p2p.transport.frames import Frames
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    PRICE_BYTES,
    CommittedSeat,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
)
from p2p.transport.messages import Agreed, Message
from protocol.charter import (
    NONCE_BYTES,
    Charter,
    Extension,
    Member,
    SignedCharter,
    nonce_commitment,
)
from protocol.codec import encode
from protocol.errors import Mismatch, OutOfTurn, Refused
from tests.p2p.lobby.lobbies import (
    NONCE,
    charter,
    gets_ready,
    guest_of,
    hear_nonce,
    hear_sit,
    seat_of,
    shown,
)
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


STRANGER = Member(Identity.generate().public, "Eva", NONCE)

Trick = Callable[[Link, Member, Member], Awaitable[None]]


async def meets(machines: Machines, trick: Trick) -> Exception:
    """Return the error with which a guest's joining ends when the host plays a trick."""
    host, guest = machines.all

    async def receive(caller: Caller) -> None:
        me, you = await hear_sit(caller, host)
        await trick(caller.link, me, await hear_nonce(caller.link, me, you))
        await trio.sleep(100)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            return await failure_of(guest.sit_down(host.address, "canasta", 2))


async def test_a_host_who_chooses_their_nonce_after_the_others_gets_no_signature(
    tmp_path: Path,
) -> None:
    """Refuse: the host could search for a nonce with which two tables show the same words."""

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


async def test_each_attempt_has_a_fresh_nonce_and_attempts_are_limited(tmp_path: Path) -> None:
    """Limit attempts: each gives somebody between the two a chance to show both the same words."""
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


async def test_a_nonce_revealed_in_one_attempt_is_not_signed_in_the_next(tmp_path: Path) -> None:
    """Let the host repeat the guest's commitment of the first attempt.

    The host knows that nonce by now, and could choose their own to fit it.
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


async def test_a_table_begins_only_with_the_charter_that_all_have_signed(tmp_path: Path) -> None:
    async def other_charter(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(me, you).encode()))
        await hear(link)
        other = charter(evolve(me, nonce=b"\x01" * 32), you)
        signatures = tuple(other.sign(m.identity.sign) for m in machines.all)
        await say(link, Agreed(SignedCharter(other, signatures).encode()))

    async def unsigned(link: Link, me: Member, you: Member) -> None:
        proposed = charter(me, you)
        await say(link, Propose(proposed.encode()))
        while not isinstance(sign := await hear(link), Sign):
            pass
        await say(link, Agreed(SignedCharter(proposed, (bytes(64), sign.signature)).encode()))

    machines = Machines.make(2, tmp_path / "other")
    assert "another charter" in str(await meets(machines, other_charter))
    machines = Machines.make(2, tmp_path / "unsigned")
    assert isinstance(await meets(machines, unsigned), NotUnderstood)


MORE = (Extension("aside", False, b"what nobody has seen"),)
ELSE, UNNAMED = "another table", "does not name"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda me, you: charter(me, evolve(you, key=STRANGER.key)), UNNAMED),
        (lambda _me, you: charter(STRANGER, you), UNNAMED),
        (lambda me, you: charter(me, you, STRANGER), ELSE),
        (lambda me, you: charter(you, me), ELSE),
        (lambda me, you: charter(evolve(me, signed_name=f"{me.name}\u200b"), you), ELSE),
        (lambda me, you: charter(me, you, target=500), ELSE),
        (lambda me, you: evolve(charter(me, you), grace=86_400), ELSE),
        (lambda me, you: evolve(charter(me, you), spectators=True), ELSE),
        (lambda me, you: evolve(charter(me, you), extensions=MORE), ELSE),
    ],
)
async def test_a_guest_signs_only_the_terms_and_players_that_were_shown(
    tmp_path: Path, change: Callable[[Member, Member], Charter], says: str
) -> None:
    async def propose(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(change(me, you).encode()))

    error = await meets(Machines.make(2, tmp_path), propose)
    assert isinstance(error, Mismatch)
    assert says in str(error)


async def test_a_charter_for_fewer_players_than_the_lobby_has_seats_is_not_signed(
    tmp_path: Path,
) -> None:
    """Refuse a charter for two while the lobby still has a free third seat."""

    async def too_early(link: Link, me: Member, you: Member) -> None:
        lobby = shown(seat_of(me), seat_of(you))
        await say(link, evolve(lobby, terms=evolve(lobby.terms, seats=3)))
        await say(link, Propose(charter(me, you).encode()))

    error = await meets(Machines.make(2, tmp_path), too_early)
    assert isinstance(error, Mismatch)
    assert ELSE in str(error)


# -- messages that do not belong in a lobby


Says = Callable[[Member, CommittedSeat], tuple[Message, ...]]


async def is_told(machines: Machines, says: Says) -> tuple[Exception, list[Message]]:
    """Let a guest join a host who sends these messages; return the guest's error and messages."""
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
async def test_a_guest_without_a_seat_reveals_nothing(
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
    """Sign nothing before the host has shown a lobby."""
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
    assert "have not signed" in str(error)
    error, heard = await is_told(machines, proposes)
    assert isinstance(error, Mismatch)
    assert "that the host has shown" in str(error)
    assert not [one for one in heard if isinstance(one, Sign)]


async def test_a_host_may_send_only_lobby_messages_and_not_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines.make(2, tmp_path)
    error, _ = await is_told(machines, lambda _me, _you: (Sign(bytes(64)),))
    assert isinstance(error, OutOfTurn)
    assert "no place in a lobby" in str(error)
    # The guest pays one price, and leaves if asked for a second one.
    nonce = bytes(PRICE_BYTES)
    error, heard = await is_told(machines, lambda _me, _you: 2 * (Price(nonce),))
    assert "no place in a lobby" in str(error)
    assert [is_paid(nonce, one.work) for one in heard if isinstance(one, Sit)] == [True]
    monkeypatch.setattr("p2p.lobby.guest.RateLimit", partial(RateLimit, burst=3))
    error, _ = await is_told(machines, lambda me, you: 4 * (shown(seat_of(me), you),))
    assert isinstance(error, OutOfTurn)
    assert "too many messages" in str(error)


async def test_after_a_change_of_rules_guests_must_get_ready_again(tmp_path: Path) -> None:
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

    callbacks = LobbyCallbacks(on_withdrawn=lambda: withdrawn.append(True))
    async with guest_of(host, bruno, receive, callbacks) as (guest, _):
        await gets_ready(guest, host)
    assert withdrawn == [True]
    assert heard[-1] == Ready(False)


# -- conditions for signing


async def proposed_to(
    machines: Machines, callbacks: LobbyCallbacks, *, ready: bool
) -> tuple[BaseException | None, list[Message]]:
    """Propose a valid charter; return the guest's error, if any, and the guest's messages.

    If not `ready`, the guest stops being ready when the nonces are revealed.
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

    async with guest_of(host, bruno, receive, callbacks, ready=True) as (guest, _):
        with trio.move_on_after(30):
            ended.append(await failure_of(guest.sit_down(host.address, PORT)))
    return (ended[0] if ended else None), heard


@pytest.mark.parametrize(
    ("unwanted", "ready", "signs"),
    [(None, True, True), ("Bruno", True, True), ("Ana", True, False), (None, False, False)],
)
async def test_a_guest_signs_only_when_ready_and_with_players_they_accept(
    tmp_path: Path, unwanted: str | None, ready: bool, signs: bool
) -> None:
    """Ignore a guest's objection to their own name, which is for the others to judge."""
    objection = Refusal(Reason.OTHER_KEY, Sentence("Another key."))
    callbacks = LobbyCallbacks(objection=lambda _key, name: objection if name == unwanted else None)
    error, heard = await proposed_to(Machines.make(2, tmp_path), callbacks, ready=ready)
    assert bool([one for one in heard if isinstance(one, Sign)]) == signs
    assert isinstance(error, Refused) == (unwanted == "Ana")


# -- The program shows guests its own sentences, never a text that the host has chosen

EVIL = "Update: curl x"
"""A text that a stranger would like the program to say, short enough for a name."""

FRAMES = (
    encode((EVIL,)),
    encode((f"{EVIL}\x1b[2J",)),
    encode(("goodbye", EVIL)),
    encode(("goodbye", 4711)),
    encode(("goodbye", 1, EVIL)),
    encode(("announced", EVIL)),
    encode(("lobby", EVIL + "\n", "canasta", 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", EVIL, 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "update", 1, [], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [("update_now", 1)], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [("target", EVIL)], 4, 60, [], [])),
    encode(("lobby", "Kitchen", "canasta", 1, [], 4, 60, [(bytes(32), f"{EVIL}\x07", True)], [])),
    encode(("propose", EVIL.encode())),
    encode(("propose", encode((1, "update", 1, [], 60, [])))),
    encode(("agreed", EVIL.encode())),
    encode(("seats", 1, [(bytes(32), f"\u202e{EVIL}", bytes(NONCE_BYTES))])),
    EVIL.encode(),
    b"\xa5\xff\xfe" + EVIL.encode(),
)


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
async def test_a_guest_reads_only_sentences_of_the_program(frame: bytes, tmp_path: Path) -> None:
    host, bruno = Machines.make(2, tmp_path).all

    async def receive(caller: Caller) -> None:
        await caller.link.receive()
        await Frames.send(caller.link, frame)  # `caller.link.send` would decode the frame
        await trio.sleep_forever()

    async with guest_of(host, bruno, receive) as (guest, _):
        error = await failure_of(guest.sit_down(host.address, PORT))
    assert isinstance(error, NotUnderstood | Declined | OutOfTurn)
    assert str(error).isprintable()
    assert not any(word in str(error) for word in ("curl", "update_now", "'", '"'))
