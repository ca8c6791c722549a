"""What a node keeps of its own votes, and comes back to."""

from typing import Any, cast

import pytest
import trio
from attrs import define
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock

from p2p.replacement.own_votes import OwnVotes
from p2p.storage.memberships import Membership
from protocol.ballot import Act
from protocol.charter import Member
from protocol.codec import decode, encode
from protocol.entries import AbsentContent, Entry
from protocol.errors import Malformed
from tests.protocol.ring import signer_of
from tests.simulation.simulation import Simulation
from tests.simulation.tables import GRACE, simulated_nodes, without_proofs

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


@define
class Kept:
    """A journal that keeps one thing."""

    content: bytes | None = None

    def keep_vote(self, table_id: bytes, vote: bytes) -> None:
        self.content = vote

    def vote(self, table_id: bytes) -> bytes | None:
        return self.content


async def test_what_substitutes_have_signed_is_kept_with_the_vote(
    autojump_clock: MockClock,
) -> None:
    """Nobody else may have it: without it the joint entry would never be complete, and who has
    voted would wait for good.
    """
    with without_proofs(), simulated_nodes():
        simulation = Simulation(28)
        due = simulation.start.played.moments[simulation.start.height].state.due
        assert due is not None
        me = (due.player + 1) % 3
        machine = simulation.machines[me]
        membership = cast(Membership, machine.membership)
        node = simulation.node_for(machine, membership)
        await node.restore()
        node.resync.done = True  # it has what the others have
        await trio.sleep(GRACE + 1)
        member = Member(KEY.public_key().public_bytes_raw(), "Gil", bytes(32))
        content = AbsentContent((due.player,), (member,))
        signature = Entry.vote(node.absence(content), signer_of(KEY))
        await node.vote(content, {member.key: signature})
        again = simulation.node_for(machine, membership)
        await again.restore()
        assert again.proposals == (content,)


@pytest.fixture
def kept() -> Kept:
    """One vote with the signature of its substitute, released by nobody."""
    journal, key = Kept(), KEY.public_key().public_bytes_raw()
    own = OwnVotes(cast(Any, journal), bytes(32))
    own.keep(7, Act.vote(b"a body", key, signer_of(KEY)), {bytes(32): bytes(64)})
    return journal


def test_a_vote_comes_back_with_its_substitutes(kept: Kept) -> None:
    own = OwnVotes.recalled(cast(Any, kept), bytes(32))
    assert own.votes[7].substitutes == {bytes(32): bytes(64)}


@pytest.mark.parametrize("place", [(2,), (2, 0), (2, 0, 3, 0)])
def test_nothing_may_follow_what_is_kept(kept: Kept, place: tuple[int, ...]) -> None:
    """In the whole, in a vote, and in the signature of a substitute."""

    def longer(value: Any, at: tuple[int, ...]) -> Any:
        if not at:
            return [*value, 0]
        return [*value[: at[0]], longer(value[at[0]], at[1:]), *value[at[0] + 1 :]]

    assert kept.content is not None
    value = decode(kept.content, limit=1 << 20)
    kept.content = encode(longer(value, place[:-1] if place == (2,) else place))
    with pytest.raises(Malformed):
        OwnVotes.recalled(cast(Any, kept), bytes(32))
