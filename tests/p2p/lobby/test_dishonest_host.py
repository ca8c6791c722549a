"""Dishonest hosts, who for example show one charter and propose another: no guest signs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

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
from p2p.transport.endpoint import Caller, Declined, hear, say
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
    Trick,
    charter,
    deceived,
    guest_of,
    hear_next,
    hear_nonce,
    hear_sit,
    seat_of,
    shown,
)
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

STRANGER = Member(Identity.generate().public, "Eva", NONCE)
LATER = b"\x01" * 32
"""A nonce that nobody was committed to."""

Change = Callable[[Member, Member], Charter]


def proposing(change: Change) -> Trick:
    """Return the trick to propose another charter of host and guest when all nonces are known."""

    async def propose(link: Link, me: Member, you: CommittedSeat) -> None:
        await say(link, Propose(change(me, await hear_nonce(link, me, you)).encode()))

    return propose


def saying(messages: Callable[[Member, CommittedSeat], tuple[Message, ...]]) -> Trick:
    """Return the trick to send these messages at once."""

    async def say_all(link: Link, me: Member, you: CommittedSeat) -> None:
        for message in messages(me, you):
            await say(link, message)

    return say_all


@pytest.mark.parametrize(
    "change",
    [
        lambda me, you: charter(evolve(me, nonce=LATER), you),
        lambda me, you: charter(me, evolve(you, nonce=LATER)),
    ],
    ids=["the host's nonce", "the guest's nonce"],
)
async def test_a_host_who_chooses_their_nonce_after_the_others_gets_no_signature(
    tmp_path: Path, change: Change
) -> None:
    """Such a host could search for a nonce with which two tables show the same words."""
    with pytest.raises(Mismatch, match="committed"):
        await deceived(Machines.make(2, tmp_path), proposing(change))


async def test_each_attempt_has_a_fresh_nonce_and_attempts_are_limited(tmp_path: Path) -> None:
    """Each attempt is a chance for somebody between host and guest to show both the same words."""
    nonces: list[bytes] = []

    async def attempts(link: Link, me: Member, first: CommittedSeat) -> None:
        you = first
        await say(link, shown(me, you))
        for number in range(1, 2 * MOST_ATTEMPTS):
            if nonces:
                await say(link, Seats(number, (seat_of(me), first)))  # used up: no answer
            await say(link, Seats(number, (seat_of(me), you)))
            revealed = await hear_next(link, Reveal)
            assert nonce_commitment(link.peer, revealed.nonce) == you.commitment
            nonces.append(revealed.nonce)
            you = evolve(you, commitment=revealed.commitment)

    with pytest.raises(OutOfTurn, match="too often"):
        await deceived(Machines.make(2, tmp_path), attempts)
    assert len(set(nonces)) == len(nonces) == MOST_ATTEMPTS


async def test_a_nonce_revealed_in_one_attempt_is_not_signed_in_the_next(tmp_path: Path) -> None:
    """The host repeats the guest's commitment of the first attempt.

    The host knows that nonce by now, and could choose their own to fit it.
    """
    heard: list[Message] = []

    async def again(link: Link, me: Member, you: CommittedSeat) -> None:
        guest = await hear_nonce(link, me, you)
        await say(link, Seats(2, (seat_of(me), you)))
        with trio.move_on_after(1):
            while True:
                heard.append(await hear(link))
        await say(link, Propose(charter(me, guest).encode()))
        await hear_next(link, Sign)
        await say(link, Propose(charter(me, guest).encode()))

    with pytest.raises(Mismatch, match="committed"):
        await deceived(Machines.make(2, tmp_path), again)
    assert not [one for one in heard if isinstance(one, Reveal)]


async def test_a_table_begins_only_with_the_charter_that_all_have_signed(tmp_path: Path) -> None:
    machines = Machines.make(2, tmp_path)

    async def other_charter(link: Link, me: Member, you: CommittedSeat) -> None:
        guest = await hear_nonce(link, me, you)
        await say(link, Propose(charter(me, guest).encode()))
        other = charter(evolve(me, nonce=LATER), guest)
        signatures = tuple(other.sign(m.identity.sign) for m in machines.all)
        await say(link, Agreed(SignedCharter(other, signatures).encode()))

    async def unsigned(link: Link, me: Member, you: CommittedSeat) -> None:
        proposed = charter(me, await hear_nonce(link, me, you))
        await say(link, Propose(proposed.encode()))
        sign = await hear_next(link, Sign)
        await say(link, Agreed(SignedCharter(proposed, (bytes(64), sign.signature)).encode()))

    with pytest.raises(Mismatch, match="another charter"):
        await deceived(machines, other_charter)
    with pytest.raises(NotUnderstood):
        await deceived(machines, unsigned)


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
    ids=[
        "another guest",
        "another host",
        "one more player",
        "another order",
        "another name",
        "another target",
        "another grace",
        "spectators",
        "an extension",
    ],
)
async def test_a_guest_signs_only_the_terms_and_players_that_were_shown(
    tmp_path: Path, change: Change, says: str
) -> None:
    with pytest.raises(Mismatch, match=says):
        await deceived(Machines.make(2, tmp_path), proposing(change))


async def test_a_charter_with_fewer_players_than_seats_is_not_signed(tmp_path: Path) -> None:
    """A charter for two is proposed while the lobby still has a free third seat."""

    async def too_early(link: Link, me: Member, you: CommittedSeat) -> None:
        guest, lobby = await hear_nonce(link, me, you), shown(me, you)
        await say(link, evolve(lobby, terms=evolve(lobby.terms, seats=3)))
        await say(link, Propose(charter(me, guest).encode()))

    with pytest.raises(Mismatch, match=ELSE):
        await deceived(Machines.make(2, tmp_path), too_early)


# -- messages that do not belong in a lobby


@pytest.mark.parametrize(
    "other", [{"name": "Eva"}, {"key": bytes(32)}], ids=["another name", "another key"]
)
async def test_a_guest_without_a_seat_reveals_nothing(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    def messages(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        theirs = evolve(you, **other)
        return (shown(me, theirs), Seats(1, (seat_of(me), theirs)))

    heard: list[Message] = []
    with pytest.raises(Mismatch, match="does not name this player"):
        await deceived(Machines.make(2, tmp_path), saying(messages), heard)
    assert not [one for one in heard if isinstance(one, Reveal)]


async def test_a_table_does_not_begin_with_a_charter_that_nobody_was_shown(tmp_path: Path) -> None:
    """A guest signs nothing before the host has shown a lobby."""
    machines = Machines.make(2, tmp_path)

    def begins(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        table = charter(me, Member(you.key, you.name, NONCE))
        signatures = tuple(table.sign(machine.identity.sign) for machine in machines.all)
        return (shown(me, you), Agreed(SignedCharter(table, signatures).encode()))

    def proposes(me: Member, you: CommittedSeat) -> tuple[Message, ...]:
        return (Propose(charter(me, Member(you.key, you.name, NONCE)).encode()),)

    with pytest.raises(OutOfTurn, match="have not signed"):
        await deceived(machines, saying(begins))
    heard: list[Message] = []
    with pytest.raises(Mismatch, match="that the host has shown"):
        await deceived(machines, saying(proposes), heard)
    assert not [one for one in heard if isinstance(one, Sign)]


async def test_a_host_may_send_only_lobby_messages_and_not_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines.make(2, tmp_path)
    with pytest.raises(OutOfTurn, match="no place in a lobby"):
        await deceived(machines, saying(lambda _me, _you: (Sign(bytes(64)),)))
    # The guest pays one price, and leaves if asked for a second one.
    heard: list[Message] = []
    nonce = bytes(PRICE_BYTES)
    with pytest.raises(OutOfTurn, match="no place in a lobby"):
        await deceived(machines, saying(lambda _me, _you: 2 * (Price(nonce),)), heard)
    assert [is_paid(nonce, one.work) for one in heard if isinstance(one, Sit)] == [True]
    monkeypatch.setattr("p2p.lobby.guest.RateLimit", partial(RateLimit, burst=3))
    with pytest.raises(OutOfTurn, match="too many messages"):
        await deceived(machines, saying(lambda me, you: 4 * (shown(me, you),)))


async def test_after_a_change_of_rules_guests_must_get_ready_again(tmp_path: Path) -> None:
    withdrawn = Mock()
    heard: list[Message] = []

    async def change(link: Link, me: Member, you: CommittedSeat) -> None:
        lobby = shown(me, you)
        await say(link, lobby)
        while await hear(link) != Ready(True):
            pass
        await say(link, lobby)
        await trio.sleep(1)
        assert not withdrawn.called
        await say(link, evolve(lobby, terms=evolve(lobby.terms, grace=86_400)))

    callbacks = LobbyCallbacks(on_withdrawn=withdrawn)
    machines = Machines.make(2, tmp_path)
    await deceived(machines, change, heard, callbacks, ready=False, gets_ready=True)
    assert withdrawn.call_count == 1
    assert heard[-1] == Ready(False)


# -- conditions for signing


@pytest.mark.parametrize(
    ("unwanted", "ready", "signs"),
    [(None, True, True), ("Bruno", True, True), ("Ana", True, False), (None, False, False)],
)
async def test_a_guest_signs_only_when_ready_and_with_players_they_accept(
    tmp_path: Path, unwanted: str | None, ready: bool, signs: bool
) -> None:
    """The guest (Bruno) does not judge their own name: that is for the others to do.

    If not `ready`, the guest stops being ready when the nonces are revealed.
    """
    objection = Refusal(Reason.OTHER_KEY, Sentence("Another key."))
    callbacks = LobbyCallbacks(objection=lambda _key, name: objection if name == unwanted else None)
    host, bruno = Machines.make(2, tmp_path).all
    heard: list[Message] = []
    errors: list[Exception] = []

    async def receive(caller: Caller) -> None:
        me, you = await hear_sit(caller, host)
        member = await hear_nonce(caller.link, me, you)
        guest.set_ready(ready)
        await say(caller.link, Propose(charter(me, member).encode()))
        while True:
            heard.append(await hear(caller.link))

    async with guest_of(host, bruno, receive, callbacks, ready=True) as (guest, _):
        with trio.move_on_after(30):
            errors.append(await failure_of(guest.sit_down(host.address, PORT)))
    assert bool([one for one in heard if isinstance(one, Sign)]) == signs
    assert [type(error) for error in errors] == [Refused] * (unwanted == "Ana")


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
    async def send(link: Link, _me: Member, _you: CommittedSeat) -> None:
        await Frames.send(link, frame)  # `link.send` would decode the frame

    with pytest.raises((NotUnderstood, Declined, OutOfTurn)) as caught:
        await deceived(Machines.make(2, tmp_path), send)
    assert str(caught.value).isprintable()
    assert not any(word in str(caught.value) for word in ("curl", "update_now", "'", '"'))
