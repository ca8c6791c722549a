"""Leaving a lobby and closing it, and what the others hear of either."""

import random
from pathlib import Path

import pytest
import trio
from attrs import evolve

from engine.errors import InvalidOption
from p2p.lobby.callbacks import LobbyCallbacks
from p2p.lobby.guest import MOST_ATTEMPTS, Guest
from p2p.lobby.host import ANSWER_SECONDS, Host
from p2p.refusals import Reason
from p2p.transport.endpoint import LOBBY, Caller, say
from p2p.transport.frames import LinkClosed, Pace
from p2p.transport.lobby_messages import Sign, Sit
from protocol.charter import nonce_commitment
from protocol.errors import OutOfTurn
from tests.p2p.lobby.lobbies import (
    COMMITMENT,
    NONCE,
    at_the_door_of,
    attempt_begins,
    goodbye,
    hear_nonce,
    hear_sit,
    journal_of,
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
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_guests_see_at_once_who_has_left(tmp_path: Path) -> None:
    """And nobody is shown a table any more that is being closed."""
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
    """Long before the link is given up: the others could not begin."""
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
    """The last words go out before the host's node ends."""
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
    """A host who closes it, and ends the program, does not wait twice for silent guests."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with trio.open_nursery() as nursery:
        async with at_the_door_of(ana, bruno) as host:
            await nursery.start(sit_idly, bruno, ana)
            for wire in ana.network.wires:
                wire.is_full = True
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


async def test_a_signature_that_comes_while_a_table_is_being_closed_begins_nothing(
    tmp_path: Path,
) -> None:
    """The guests have been told that there is no table."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with (
        at_the_door_of(ana, bruno, seats=2, ready=True) as host,
        visiting(bruno, ana) as link,
    ):
        await sit_ready(link, "Bruno", nonce_commitment(bruno.key, NONCE))
        await reveal(link)
        charter = await proposal(link)
        for wire in ana.network.wires:  # so that the last words take their time
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
    """A host could break it each time, and the guest's program comes back by itself."""
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
