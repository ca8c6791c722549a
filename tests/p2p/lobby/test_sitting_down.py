"""Sitting down and leaving: admission, signatures, messages that are lost, and closed lobbies.

`scenes/sitting_down.txt` shows more of this.
"""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
import trio
from attrs import evolve

from engine.errors import InvalidOption
from engine.sentences import Sentence
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import MOST_ATTEMPTS, Guest, claim
from p2p.lobby.host import ANSWER_SECONDS, Host
from p2p.refusals import Reason, Refusal
from p2p.shuffle_threads import prepare
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import LOBBY, Caller, Declined, say
from p2p.transport.frames import LinkClosed, Pace
from p2p.transport.link import Limits, Link
from p2p.transport.lobby_messages import CommittedSeat, Sign, Sit
from p2p.transport.messages import Goodbye, Noted
from protocol.charter import Member, nonce_commitment
from protocol.errors import OutOfTurn
from tests.p2p.lobby.lobbies import (
    NONCE,
    at_the_door_of,
    deceived,
    goodbye,
    hear_nonce,
    hear_sit,
    hold_up,
    hosting,
    journal_of,
    knock,
    proposal,
    refusal,
    sees,
    sit,
    sit_idly,
    sit_ready,
    terms,
    visiting,
)
from tests.p2p.machines import PORT, Killed, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_all_sign_one_charter_and_have_it_in_their_journals(tmp_path: Path) -> None:
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


async def test_the_first_shuffle_is_prepared_before_anybody_can_be_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the players are ready, all wait for the shuffle."""
    prepared: list[int] = []
    for side in ("host", "guest"):
        monkeypatch.setattr(f"p2p.lobby.{side}.prepare", prepared.append)
    host, bruno = Machines.make(2, tmp_path).all
    before: list[int] = []
    company = LobbyCallbacks(lambda _state: before.append(len(prepared)))
    async with hosting(host, 2):
        assert prepared == [108]
        await bruno.sit_down(host.address, "canasta", 2, company)
    assert prepared == [108, 108]
    assert before[0] == 2


async def test_a_guest_who_calls_while_the_host_prepares_is_seated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = hold_up(monkeypatch, lambda function: function is prepare)
    monkeypatch.setattr("p2p.lobby.guest.prepare", lambda _cards: None)
    host, bruno = Machines.make(2, tmp_path).all

    async def load() -> None:
        await trio.testing.wait_all_tasks_blocked()
        loaded.set()

    async with hosting(host, 2), trio.open_nursery() as nursery:
        nursery.start_soon(load)
        membership = await bruno.sit_down(host.address, "canasta", 2)
    assert membership.me == 1


async def test_nobody_sits_down_any_more_while_the_table_goes_into_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the seat of a signer who has left, a newcomer would learn the addresses of the others."""
    keep = Membership.keep
    kept = hold_up(monkeypatch, lambda function: getattr(function, "__func__", None) is keep)
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with at_the_door_of(ana, bruno, eve, seats=2, ready=True) as host:
        commitment = nonce_commitment(bruno.key, NONCE)
        async with visiting(bruno, ana) as link:
            await sit_ready(link, "Bruno", commitment)
            charter = await proposal(link)
            await say(link, Sign(charter.sign(bruno.identity.sign)))
            await trio.sleep(1)
        while len(host.lobby_state.present) > 1:
            await trio.sleep(0.1)
        async with visiting(eve, ana) as link:
            assert await refusal(link, "Eve") == Reason.TABLE_FULL
        kept.set()
        await trio.sleep(1)
    (record,) = journal_of(ana)
    assert record.me == 0


async def test_nobody_sits_down_twice(tmp_path: Path) -> None:
    """A second knock is refused, and also a knock by a player who has a seat."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with at_the_door_of(ana, bruno) as host:
        for machine in (bruno, eve):
            async with (
                machine.process() as (endpoint, _),
                endpoint.dial(ana.address, PORT, LOBBY) as one,
                endpoint.dial(ana.address, PORT, LOBBY) as other,
            ):
                asks = knock(one, "Eve") if machine is eve else say(one, Sit("Bruno", NONCE))
                await asks
                before = await sees(one)
                assert await refusal(other, "Another") == Reason.SEATED_ALREADY
                assert host.lobby_state == before


async def test_many_players_at_one_address_sit_at_one_table(tmp_path: Path) -> None:
    """Few strangers may connect from one address, but a guest with a seat is no stranger."""
    ana, bruno, carla = Machines.make(3, tmp_path).all
    carla.address = bruno.address
    ana.limits = Limits(per_address=1)
    async with at_the_door_of(ana, bruno, carla) as host, visiting(bruno, ana) as link:
        await sit(link, "Bruno")
        async with visiting(carla, ana) as other:
            assert (await sit(other, "Carla")).names == ("Ana", "Bruno", "Carla")
            await trio.sleep(1)
            assert host.lobby_state.names == ("Ana", "Bruno", "Carla")


async def test_a_guest_hears_the_reason_of_an_objection_and_the_host_reads_its_sentence(
    tmp_path: Path,
) -> None:
    host, bruno = Machines.make(2, tmp_path).all
    refused: list[tuple[str, str]] = []
    objection = Refusal(Reason.OTHER_KEY, Sentence("Read by the host alone."))
    company = LobbyCallbacks(
        objection=lambda _key, _name: objection,
        on_refused=lambda name, sentence: refused.append((name, str(sentence))),
    )
    async with hosting(host, 2, company), visiting(bruno, host) as link:
        assert await refusal(link, "Bruno") == Reason.OTHER_KEY
    assert refused == [("Bruno", "Read by the host alone.")]


async def test_a_guest_is_told_that_they_wait_for_the_seat_of_somebody_else(tmp_path: Path) -> None:
    async def note(link: Link, _me: Member, _you: CommittedSeat) -> None:
        for message in (Noted(), Goodbye(Reason.MATCH_ENDED)):
            await say(link, message)

    callbacks = LobbyCallbacks(on_noted=(noted := Mock()))
    with pytest.raises(Declined):
        await deceived(Machines.make(2, tmp_path), note, callbacks=callbacks)
    assert noted.call_count == 1


async def test_guests_may_wait_long_in_a_lobby(tmp_path: Path) -> None:
    host, bruno, carla = Machines.make(3, tmp_path).all
    async with hosting(host, 3) as memberships, trio.open_nursery() as nursery:
        nursery.start_soon(bruno.sit_down, host.address, "canasta", 3)
        await trio.sleep(1000)
        await carla.sit_down(host.address, "canasta", 3)
        while not memberships:
            await trio.sleep(1)


async def test_a_guest_who_dies_after_signing_fetches_the_charter_later(tmp_path: Path) -> None:
    """The table has begun, but the guest does not know it."""
    host, guest = Machines.make(2, tmp_path).all
    writes: list[str] = []

    def fate(point: str) -> bool:
        writes.append(point)
        return point == "before a write" and writes.count(point) == 2  # the write of the membership

    guest.fate = fate
    async with hosting(host, 2) as memberships:
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


async def test_a_guest_whose_host_dies_after_signing_fetches_the_charter(tmp_path: Path) -> None:
    host, guest = Machines.make(2, tmp_path).all
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
    with closing(sqlite3.connect(machine.home / JOURNAL_FILE)) as database:
        return database.execute("SELECT * FROM tables").fetchall()


async def test_a_charter_that_not_all_have_signed_is_dropped(tmp_path: Path) -> None:
    host, guest = Machines.make(2, tmp_path).all
    guest.fate = lambda point: point == "after a write"
    async with hosting(host, 2) as memberships:
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


async def test_a_guest_who_does_not_read_does_not_delay_a_host_who_ends_the_program(
    tmp_path: Path,
) -> None:
    ana, bruno = Machines.make(2, tmp_path).all
    async with trio.open_nursery() as nursery:
        async with hosting(ana, 2):
            await nursery.start(sit_idly, bruno, ana)
            ana.network.fill()
            began = trio.current_time()
        assert trio.current_time() - began < 0.2
        nursery.cancel_scope.cancel()


# -- Leaving a lobby, closing it, and telling the others


async def test_a_guest_who_does_not_read_must_go_soon(tmp_path: Path) -> None:
    """The others cannot begin without this guest, so the host does not wait for the timeout."""
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


async def test_guests_hear_that_the_host_program_ends(tmp_path: Path) -> None:
    """The goodbyes are sent before the host's node ends."""
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
    """A host who closes the table and then ends the program waits once for silent guests."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with trio.open_nursery() as nursery:
        async with at_the_door_of(ana, bruno) as host:
            await nursery.start(sit_idly, bruno, ana)
            ana.network.fill()
            await host.close()
            closed = trio.current_time()
        assert trio.current_time() == closed
        nursery.cancel_scope.cancel()


async def test_a_signature_while_a_table_is_being_closed_begins_no_table(tmp_path: Path) -> None:
    """The guests have been told that there is no table."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with (
        at_the_door_of(ana, bruno, seats=2, ready=True) as host,
        visiting(bruno, ana) as link,
    ):
        await sit_ready(link, "Bruno", nonce_commitment(bruno.key, NONCE))
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


async def test_no_table_is_opened_with_terms_that_nobody_can_play(tmp_path: Path) -> None:
    (ana,) = Machines.make(1, tmp_path).all
    async with ana.process() as (endpoint, journal):
        for bad in (terms(7), evolve(terms(2), grace=-1)):
            host = Host(endpoint, journal, "Ana", bad, random.Random(1).randbytes)
            with trio.fail_after(1), pytest.raises(InvalidOption):
                await host.run()


async def test_a_guest_whose_link_breaks_gets_no_more_attempts(tmp_path: Path) -> None:
    """Otherwise a host could end each link, and the guest would reconnect and reveal again."""
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
