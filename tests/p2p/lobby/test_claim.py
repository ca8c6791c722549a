"""The claim of a guest who has signed a charter, and does not know if all others have signed."""

from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.discovery.address_book import Address
from p2p.lobby.guest import CLAIM_PAUSES, claim
from p2p.refusals import Reason
from p2p.storage.memberships import PendingCharter
from p2p.transport.endpoint import Caller, Declined, Endpoint, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.lobby_messages import Ready
from p2p.transport.messages import Agreed, Goodbye, Message
from protocol.charter import Member, SignedCharter
from protocol.errors import Mismatch, OutOfTurn
from tests.p2p.lobby.lobbies import NONCE, charter
from tests.p2p.machines import PORT, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


def pending(host: Machine, guest: Machine) -> PendingCharter:
    """Return the charter that the guest has signed at the host's table."""
    members = Member(host.key, "Ana", NONCE), Member(guest.key, "Bruno", NONCE)
    return PendingCharter(charter(*members), Address(host.key, host.address, PORT))


async def test_a_claim_accepts_only_the_charter_that_it_asks_for(tmp_path: Path) -> None:
    """Other players' charter is refused, too: a forged journal could make a guest ask for it."""
    host, bruno, guest = Machines.make(3, tmp_path).all
    theirs = pending(host, bruno)
    signatures = tuple(theirs.charter.sign(machine.identity.sign) for machine in (host, bruno))
    agreed = Agreed(SignedCharter(theirs.charter, signatures).encode())
    for answer, asked, kind in (
        (Ready(True), pending(host, guest), OutOfTurn),
        (agreed, theirs, Mismatch),
    ):

        async def receive(caller: Caller, answer: Message = answer) -> None:
            await say(caller.link, answer)
            await hear(caller.link)

        async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
            with endpoint.route(asked.charter.table_id, receive):
                assert isinstance(await failure_of(claim(visitor, journal, asked)), kind)
            assert journal.tables() == ()


@pytest.mark.parametrize("reason", [Reason.NO_TABLE, Reason.OTHER_NETWORK, Reason.OLDER_PROTOCOL])
async def test_a_signed_charter_is_forgotten_only_if_the_host_has_no_such_table(
    tmp_path: Path, reason: Reason
) -> None:
    """The charter is kept if the host refuses the call because the guest's program is old."""
    host, guest = Machines.make(2, tmp_path).all
    signed = pending(host, guest)

    async def refuse(caller: Caller) -> None:
        await say(caller.link, Goodbye(reason))

    async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
        signed.keep(journal)
        with endpoint.route(signed.charter.table_id, refuse):
            error = await failure_of(claim(visitor, journal, signed))
        kept = None if reason is Reason.NO_TABLE else signed
        assert PendingCharter.recalled(journal) == kept
    assert isinstance(error, Declined)


async def test_a_claim_is_repeated_for_a_while_if_no_host_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signed charter is kept after that, because the host may come back another day."""
    host, guest = Machines.make(2, tmp_path).all
    began, attempts = trio.current_time(), list[float]()
    dial = Endpoint.dial

    def dialled(endpoint: Endpoint, *where: Any, **more: Any) -> Any:
        attempts.append(trio.current_time() - began)
        return dial(endpoint, *where, **more)

    monkeypatch.setattr(Endpoint, "dial", dialled)
    async with guest.process() as (visitor, journal):
        signed = pending(host, guest)
        signed.keep(journal)
        error = await failure_of(claim(visitor, journal, signed))
        assert PendingCharter.recalled(journal) == signed
    assert isinstance(error, LinkError)
    assert "not known" in str(error)
    assert attempts == [*accumulate(CLAIM_PAUSES)]
    assert trio.current_time() - began == attempts[-1]
