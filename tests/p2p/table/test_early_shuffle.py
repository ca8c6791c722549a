"""Early shuffles, made while the shuffle before is still verified, and sent only if it is sound."""

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import define, field

from engine.games import game_named
from p2p.background_task import beside
from protocol import shuffle_proof
from protocol.entries import Body, Entry
from protocol.errors import Exposed, ProofFailed
from protocol.group import Point
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement
from tests.p2p.machines import Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock")

Deck = tuple[Point, ...]


@define
class Proofs:
    """A fake verifier that calls the first proof false, after the next shuffle has been proven.

    For each deck, `proven` has an event, which is set when the shuffle of that deck is proven.
    """

    first: Deck = ()
    proven: dict[Deck, threading.Event] = field(factory=dict)

    def prove(self, statement: ShuffleStatement, *secrets: Any, **threads: Any) -> ShuffleProof:
        proof = shuffle_proof.prove(statement, *secrets, **threads)
        self._proven(statement.inputs).set()
        return proof

    def verify(self, statement: ShuffleStatement, _proof: ShuffleProof, **_: Any) -> None:
        self.first = self.first or statement.outputs
        if statement.outputs == self.first:
            assert self._proven(self.first).wait(120), "nobody has made the next shuffle meanwhile"
            raise ProofFailed("map", "The new deck does not come from the old one.")

    def _proven(self, deck: Deck) -> threading.Event:
        return self.proven.setdefault(deck, threading.Event())


@pytest.mark.usefixtures("on_memory")
async def test_an_early_shuffle_is_dropped_if_the_shuffle_before_has_a_false_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs = Proofs()
    monkeypatch.setattr("protocol.player.prove", proofs.prove)
    monkeypatch.setattr("protocol.reducer.verify", proofs.verify)
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta")
    ana, bruno = machines.all
    async with beside(partial(failure_of, ana.play())):
        with trio.fail_after(120):
            error = await failure_of(bruno.play())
    assert isinstance(error, Exposed)
    assert (error.player, error.cause) == (0, "shuffle:map")
    assert proofs.proven[proofs.first].is_set()
    (evidence,) = bruno.said
    body = Body.decode(Entry.decode(evidence).body, game_named("canasta").deck)
    assert (body.writer, body.content.kind) == (0, "shuffle")
    assert not bruno.entries()
    assert not bruno.secrets()
