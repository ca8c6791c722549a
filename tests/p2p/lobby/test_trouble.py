"""Guests who keep a table from beginning, the faults that they are charged, and closed lobbies."""

import random
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import evolve

from engine.errors import InvalidOption
from p2p.background_task import beside
from p2p.lobby.callbacks import LobbyCallbacks
from p2p.lobby.door import MOST_TROUBLE, Trouble
from p2p.lobby.guest import MOST_ATTEMPTS, Guest
from p2p.lobby.host import ANSWER_SECONDS, READY_SECONDS, Host
from p2p.refusals import Reason
from p2p.transport.endpoint import LOBBY, Caller, hear, say
from p2p.transport.frames import LinkClosed, Pace
from p2p.transport.link import Link
from p2p.transport.lobby_messages import LobbyState, Propose, Ready, Reveal, Seats, Sign, Sit
from p2p.transport.messages import Message
from protocol.charter import nonce_commitment
from protocol.errors import OutOfTurn
from tests.p2p.lobby.lobbies import (
    COMMITMENT,
    NONCE,
    at_the_door_of,
    attempt_begins,
    beat,
    goodbye,
    hear_nonce,
    hear_sit,
    hosting,
    journal_of,
    knock,
    listen,
    proposal,
    refusal,
    reveal,
    sees,
    sit,
    sit_idly,
    sit_ready,
    terms,
    visiting,
)
from tests.p2p.machines import PORT, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

TIMES = MOST_TROUBLE // Trouble.BROKEN_OFF
"""The number of attempts that a guest may break off."""


async def break_off(guest: Machine, host: Machine) -> None:
    """Sit down, and leave when an attempt has begun."""
    async with visiting(guest, host) as link:
        await sit_ready(link, guest.name)
        await attempt_begins(link)
    await trio.sleep(1)


async def never_get_ready(guest: Machine, host: Machine) -> None:
    """Sit down, and stay without getting ready until the host refuses."""
    async with visiting(guest, host) as link, beside(partial(beat, link)):
        assert await refusal(link, guest.name) == Reason.NEVER_READY


@pytest.mark.parametrize("sin", ["leaves", "is silent"])
async def test_who_breaks_off_two_attempts_is_not_seated_again(tmp_path: Path, sin: str) -> None:
    """Refuse them: a guest who left at each attempt would keep the table from ever beginning."""
    host, eve, carla = Machines.make(3, tmp_path).all
    refused: list[str] = []
    callbacks = LobbyCallbacks(on_refused=lambda name, _sentence: refused.append(name))
    async with hosting(host, 2, callbacks) as memberships:
        for _attempt in range(MOST_TROUBLE // Trouble.BROKEN_OFF):
            async with visiting(eve, host) as link:
                await sit_ready(link, "Eve")
                await attempt_begins(link)
                if sin == "is silent":
                    assert isinstance(await failure_of(listen(link)), LinkClosed)
            await trio.sleep(1)
        async with visiting(eve, host) as link:
            assert await refusal(link, "Eve") == Reason.BROKE_OFF_TOO_OFTEN
        assert refused == ["Eve"]
        await carla.sit_down(host.address, "canasta", 2)
        while not memberships:
            await trio.sleep(1)
    assert [m.name for m in memberships[0].charter.charter.members] == ["Ana", "Carla"]


@pytest.mark.parametrize("sin", [Trouble.WITHDRAWN, Trouble.LATE])
async def test_who_withdraws_again_while_others_sign_goes(tmp_path: Path, sin: Trouble) -> None:
    """Forgive it once; but each time uses up one of the others' twenty attempts."""
    host, bruno = Machines.make(2, tmp_path).all
    commitment = nonce_commitment(bruno.identity.public, NONCE)
    async with hosting(host, 2), visiting(bruno, host) as link:
        await sit_ready(link, "Bruno", commitment)
        for attempt in range(1, MOST_TROUBLE // sin + 1):
            message = await attempt_begins(link)
            assert message.number == attempt
            if sin is Trouble.WITHDRAWN:
                await say(link, Ready(False))
                await say(link, Ready(True))
            else:
                await say(link, Reveal(attempt + 1, NONCE, commitment))
        assert await goodbye(link) == Reason.BROKE_OFF_TOO_OFTEN


async def test_a_new_key_for_each_attempt_does_not_help(tmp_path: Path) -> None:
    """Charge strangers' faults to their address, as a key costs nothing."""
    ana, *crowd, carla = Machines.make(TIMES + 3, tmp_path).all
    for eve in crowd:
        eve.address = crowd[0].address
    machines = Machines(ana.network, [ana, *crowd, carla])
    async with hosting(machines.all[0], 2):
        for eve in crowd[:TIMES]:
            await break_off(eve, ana)
        async with visiting(crowd[TIMES], ana) as link:
            assert await refusal(link, "Diego") == Reason.BROKE_OFF_TOO_OFTEN
        await carla.sit_down(ana.address, "canasta", 2)


@pytest.mark.parametrize("makes_trouble", [break_off, never_get_ready])
async def test_a_friend_who_makes_trouble_has_to_knock_and_nobody_else_from_there(
    tmp_path: Path, makes_trouble: object
) -> None:
    """Charge a friend's faults to their key alone, as others may share their address."""
    assert callable(makes_trouble)
    ana, bruno, carla = Machines.make(3, tmp_path).all
    carla.address = bruno.address
    async with at_the_door_of(ana, bruno, seats=2, ready=True, everybody=True) as host:
        for _ in range(TIMES):
            await makes_trouble(bruno, ana)
        async with visiting(bruno, ana) as link:
            await knock(link, "Bruno")
            told = await sees(link)
            assert [player.name for player in told.knocking] == ["Bruno"]
        while host.lobby_state.knocking:
            await trio.sleep(0.1)
        async with visiting(carla, ana) as link:
            assert (await sit(link, "Carla")).names == ("Ana", "Carla")


async def test_who_is_sent_away_in_an_attempt_has_not_broken_it_off_as_well(tmp_path: Path) -> None:
    """Charge one fault, not two, to a guest who gets ready too late: they may come once more."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana, bruno, seats=2, ready=True):
        await trio.sleep(1)  # the host's next check comes a while after they are too late
        async with visiting(bruno, ana) as link:
            await say(link, Sit("Bruno", COMMITMENT))
            async with beside(partial(beat, link)):
                await trio.sleep(READY_SECONDS + 1)
            await say(link, Ready(True))
            await attempt_begins(link)
            assert await goodbye(link) == Reason.NEVER_READY
        async with visiting(bruno, ana) as link:
            assert (await sit(link, "Bruno")).names == ("Ana", "Bruno")


async def listened(link: Link, seconds: float) -> list[Message]:
    """Return the messages that come in that time."""
    heard: list[Message] = []
    with trio.move_on_after(seconds):
        while True:
            heard.append(await hear(link))
    return heard


async def test_no_attempt_begins_with_somebody_who_is_being_sent_away(tmp_path: Path) -> None:
    """Begin none: the others would reveal a nonce for an attempt that is already over.

    That would count as a fault of theirs.
    """
    ana, bruno, eve = Machines.make(3, tmp_path).all
    commitment = nonce_commitment(bruno.key, NONCE)
    async with hosting(ana, 3), visiting(bruno, ana) as one, visiting(eve, ana) as other:
        await say(one, Sit("Bruno", commitment))
        await say(other, Sit("Eve", COMMITMENT))
        for link in (one, other):
            await say(link, Ready(True))
        await attempt_begins(one)
        await say(one, Reveal(1, NONCE, commitment))
        heard = await listened(one, ANSWER_SECONDS + 1)
        assert isinstance(await failure_of(listen(other)), LinkClosed)
        assert not [message for message in heard if isinstance(message, Seats)]


async def test_where_a_guest_leaves_the_attempt_is_over_at_once(tmp_path: Path) -> None:
    """Tell the others, and begin another attempt as soon as the table is full again.

    A guest who has revealed commits to another nonce, and keeps the seat.
    """
    ana, bruno, eve, carla = Machines.make(4, tmp_path).all
    first, second = (nonce_commitment(bruno.key, nonce) for nonce in (NONCE, b"\x01" * 32))
    async with (
        at_the_door_of(ana, bruno, eve, ready=True) as host,
        visiting(bruno, ana) as link,
        visiting(carla, ana) as knocking,
    ):
        await knock(knocking, "Carla")
        await say(link, Sit("Bruno", first))
        for one in (knocking, link):
            await say(one, Ready(True))
        async with visiting(eve, ana) as other:
            await sit_ready(other, "Eve")
            await attempt_begins(link)
        left = trio.current_time()
        while (await sees(link)).names != ("Ana", "Bruno"):
            pass
        await say(link, Reveal(1, NONCE, second))
        await trio.testing.wait_all_tasks_blocked()
        host.admit(carla.key)
        attempt = await attempt_begins(link)
        assert trio.current_time() == left
        assert attempt.number == 2
        assert [seat.name for seat in attempt.seats] == ["Ana", "Bruno", "Carla"]
        assert attempt.seats[1].commitment == second


async def test_the_host_can_withdraw_too(tmp_path: Path) -> None:
    """Propose no charter, even to guests who have revealed, until the host is ready again."""
    ana, bruno = Machines.make(2, tmp_path).all
    commitment = nonce_commitment(bruno.key, NONCE)
    async with (
        at_the_door_of(ana, bruno, seats=2, ready=True) as host,
        visiting(bruno, ana) as link,
    ):
        await sit_ready(link, "Bruno", commitment)
        await attempt_begins(link)
        host.set_ready(False)
        await say(link, Reveal(1, NONCE, commitment))
        heard = await listened(link, 1)
        assert not [message for message in heard if isinstance(message, Propose | Seats)]
        assert isinstance(heard[-1], LobbyState)
        assert [player.ready for player in heard[-1].present] == [False, True]
        host.set_ready(True)
        assert (await attempt_begins(link)).number == 2


# -- Leaving a lobby, closing it, and telling the others


async def test_guests_see_at_once_who_has_left(tmp_path: Path) -> None:
    """Tell guests at once who leaves, but nothing more when the table is being closed."""
    ana, bruno, carla = Machines.make(3, tmp_path).all
    shown: list[tuple[str, ...]] = []
    seated = LobbyCallbacks(on_seated=lambda state: shown.append(state.names))
    async with at_the_door_of(ana, everybody=True) as host:
        host.callbacks = evolve(host.callbacks, on_seated=seated.on_seated)
        async with visiting(bruno, ana) as one:
            assert (await sit(one, "Bruno")).names == ("Ana", "Bruno")
            async with visiting(carla, ana) as other:
                await say(other, Sit("Carla", COMMITMENT))
                assert (await sees(one)).names == ("Ana", "Bruno", "Carla")
            began = trio.current_time()
            assert (await sees(one)).names == ("Ana", "Bruno")
            assert trio.current_time() == began
            before = tuple(shown)
            await host.close()
            assert await goodbye(one) == Reason.LOBBY_CLOSED
            while len(host.lobby_state.present) > 1:
                await trio.sleep(0.1)
        assert tuple(shown) == before


async def test_who_does_not_read_goes_soon(tmp_path: Path) -> None:
    """Send them away long before the link times out, as the others cannot begin without them."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with (
        at_the_door_of(ana, bruno, eve) as host,
        visiting(bruno, ana) as one,
        visiting(eve, ana) as other,
    ):
        for link, name in ((one, "Bruno"), (other, "Eve")):
            await sit(link, name)
        for wire in ana.network.wires:
            wire.is_full = ana.address in wire.ends and eve.address in wire.ends
        with trio.fail_after(Pace().patience / 2):
            while host.lobby_state.names != ("Ana", "Bruno"):
                host.set_ready(not host.ready)
                await sees(one)


async def test_where_the_program_ends_the_guests_hear_it_all_the_same(tmp_path: Path) -> None:
    """Send the goodbyes before the host's node ends."""
    ana, bruno = Machines.make(2, tmp_path).all
    scope = trio.CancelScope()

    async def host_table() -> None:
        async with ana.process() as (endpoint, journal):
            with scope:
                await Host(endpoint, journal, "Ana", terms(2), random.Random(1).randbytes).run()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host_table)
        await trio.testing.wait_all_tasks_blocked()
        async with visiting(bruno, ana) as link:
            await sit(link, "Bruno")
            scope.cancel()
            assert await goodbye(link) == Reason.LOBBY_CLOSED


async def test_a_table_is_closed_once(tmp_path: Path) -> None:
    """Wait only once for silent guests when a host closes the table and then ends the program."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with trio.open_nursery() as nursery:
        async with at_the_door_of(ana, bruno) as host:
            await nursery.start(sit_idly, bruno, ana)
            ana.network.fill()
            await host.close()
            closed = trio.current_time()
        assert trio.current_time() == closed
        nursery.cancel_scope.cancel()


async def test_who_comes_while_a_table_is_being_closed_hears_that_too(tmp_path: Path) -> None:
    ana, bruno, carla = Machines.make(3, tmp_path).all
    async with at_the_door_of(ana, everybody=True, seats=2, ready=True) as host:
        async with visiting(bruno, ana) as one, visiting(carla, ana) as two:
            await sit_ready(one, "Bruno")
            await attempt_begins(one)
            await host.close()
            assert await refusal(two, "Carla") == Reason.LOBBY_CLOSED
        await trio.sleep(ANSWER_SECONDS)
        assert host.lobby_state.names == ("Ana",)


async def test_a_signature_while_a_table_is_being_closed_begins_nothing(tmp_path: Path) -> None:
    """Ignore it, as the guests have been told that there is no table."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with (
        at_the_door_of(ana, bruno, seats=2, ready=True) as host,
        visiting(bruno, ana) as link,
    ):
        await sit_ready(link, "Bruno", nonce_commitment(bruno.key, NONCE))
        await reveal(link)
        charter = await proposal(link)
        for wire in ana.network.wires:  # so that the goodbyes take their time
            wire.is_full = wire.machine is ana
        await say(link, Sign(charter.sign(bruno.identity.sign)))
        await host.close()
        await trio.sleep(ANSWER_SECONDS)
    assert not journal_of(ana)


async def test_a_table_that_has_begun_is_not_closed_any_more(tmp_path: Path) -> None:
    ana, bruno = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana, everybody=True, seats=2, ready=True) as host:
        await bruno.sit_down(ana.address, "canasta", 2)
        await host.close()
        assert not host.closed


async def test_on_terms_on_which_nobody_can_play_no_table_is_opened(tmp_path: Path) -> None:
    (ana,) = Machines.make(1, tmp_path).all
    async with ana.process() as (endpoint, journal):
        for bad in (terms(7), evolve(terms(2), grace=-1)):
            host = Host(endpoint, journal, "Ana", bad, random.Random(1).randbytes)
            with trio.fail_after(1), pytest.raises(InvalidOption):
                await host.run()


async def test_who_comes_back_because_the_link_breaks_has_no_more_attempts(tmp_path: Path) -> None:
    """Count attempts across links, as a host could break each link, and the guest reconnects."""
    host, guest = Machines.make(2, tmp_path).all
    revealed = 0

    async def receive(caller: Caller) -> None:
        nonlocal revealed
        ana, first = await hear_sit(caller, host)
        await hear_nonce(caller.link, ana, first)
        revealed += 1

    async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
        bruno = Guest(visitor, journal, "Bruno", random.Random(1).randbytes)
        with endpoint.route(LOBBY, receive):
            errors = [
                await failure_of(bruno.sit_down(host.address, PORT))
                for _ in range(MOST_ATTEMPTS + 1)
            ]
    assert [type(error) for error in errors] == [LinkClosed] * MOST_ATTEMPTS + [OutOfTurn]
    assert revealed == MOST_ATTEMPTS
