"""The private side of a player: the entries they write, their view, and the locks they keep."""

from typing import Any

import pytest
from attrs import evolve

from engine.moves import Discard, DrawStock, Pass
from protocol.entries import OpenContent
from protocol.errors import Miscalculated, Refused
from protocol.group import ONE
from protocol.lock_key import LockKey
from protocol.player import Player
from protocol.reducer import advance
from protocol.shuffle_proof import prove
from protocol.unlock import prove_unlock
from tests.protocol.played import (
    Moment,
    discarding,
    from_a_second_deal,
    opening,
    played,
    shuffling,
    unlocking,
)
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded import seeded
from tests.protocol.seeded_table import SeededTable

entropy = seeded("a player's randomness")


def player(moment: Moment, number: int | None = None) -> Player:
    return moment.table.players[moment.writer if number is None else number]


def test_a_player_writes_only_in_their_turn() -> None:
    moment, end = unlocking(), played().table.state
    assert player(moment).owes(moment.state)
    assert not player(moment).chooses(moment.state)
    others = [(player(moment, moment.other), moment.state)]
    others += [(each, end) for each in played().table.players]
    for other, state in others:
        assert not other.owes(state)
        with pytest.raises(Refused, match="not your turn"):
            other.write(state, entropy)


def test_a_move_must_be_chosen_before_writing() -> None:
    moment = played().moving(DrawStock)
    writer = player(moment)
    assert writer.chooses(moment.state)
    with pytest.raises(Refused, match="choose a move"):
        writer.write(moment.state, entropy)


def test_writing_an_illegal_move_exposes_the_player() -> None:
    """A move is judged when it is chosen, and in the reducer, but not when it is written."""
    moment = played().moving(DrawStock)
    written = player(moment).write(moment.state, entropy, Pass())
    exposed, cause = moment.exposes(written.entry)
    assert exposed == moment.writer
    assert cause.startswith("C")


def test_a_shuffle_returns_the_lock_to_keep() -> None:
    moment = shuffling()
    fresh = Player(moment.writer, moment.table.signers[moment.writer])
    written = fresh.write(moment.state, entropy)
    ((name, secret),) = written.secrets.items()
    after = advance(moment.state, written.entry)
    assert name == f"lock/{after.cards.last.number:06}"
    assert LockKey.decode(secret).unlock_key == after.cards.last.keys[moment.writer]
    assert secret.hex() not in repr(written) + repr(fresh)
    assert name not in repr(fresh)


MOMENTS = {"shuffle": shuffling, "unlock": unlocking, "move": discarding, "open": opening}


@pytest.mark.parametrize("kind", MOMENTS)
def test_a_wrongly_computed_proof_is_not_written(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Otherwise a faulty machine would expose its player, or use a nonce twice."""
    moment = MOMENTS[kind]()
    writer = with_locks(moment, player(moment)._locks)

    def faulty(*statement: Any, **how: Any) -> Any:
        if kind == "shuffle":
            shuffled = prove(*statement, **how)
            return evolve(shuffled, s4=shuffled.s4 + ONE)
        proof = prove_unlock(*statement)
        return evolve(proof, s=proof.s + ONE)

    with monkeypatch.context() as fault:
        fault.setattr("protocol.player.prove", faulty)
        fault.setattr("protocol.player.prove_unlock", faulty)
        with pytest.raises(Miscalculated, match="was not sent"):
            writer.write(moment.state, entropy, _move(moment))
    advance(moment.state, writer.write(moment.state, entropy, _move(moment)).entry)


def test_only_a_shuffle_is_random_and_returns_secrets() -> None:
    """Any other entry can be written again with the same bytes after a power cut erased it."""

    def none(_size: int) -> bytes:
        raise AssertionError("random bytes are drawn")

    for moment in (unlocking(), discarding(), opening(), played().when("close")):
        written = player(moment).write(moment.state, none, _move(moment))
        assert written.entry == moment.entry
        assert not written.secrets
    moment = shuffling()
    entries = {
        with_locks(moment, {}).write(moment.state, seeded(name)).entry for name in ("one", "two")
    }
    assert len(entries) == 2


def test_a_restored_player_has_their_locks() -> None:
    """After a restart, a player writes the same entry as without the restart."""
    table = SeededTable.sit(players=2, seed=3, rounds=1)
    secrets: list[dict[str, bytes]] = [{}, {}]
    while table.state.due is not None and table.state.due.kind == "shuffle":
        who = table.state.due.player
        written = table.players[who].write(table.state, table.rng.randbytes)
        secrets[who] |= written.secrets
        table.state = advance(table.state, written.entry)
    assert table.state.due is not None
    who = table.state.due.player
    again = Player.restored(who, table.signers[who], secrets[who])
    mine = table.players[who].write(table.state, entropy)
    assert again.write(table.state, entropy).entry == mine.entry


@pytest.mark.parametrize(
    "name", ["", "lock/", "lock/1", "lock/-00001", "lock/0000x1", "pin/000001"]
)
def test_a_secret_with_a_damaged_name_is_ignored(name: str) -> None:
    table = played().table
    lock = LockKey.generate(entropy).encode()
    assert not Player.restored(0, table.signers[0], {name: lock})._locks


@pytest.mark.parametrize("secret", [b"", bytes(64), b"\xff" * 64, bytes(31) + b"\1"])
def test_a_damaged_lock_does_not_affect_the_others(secret: bytes) -> None:
    """The other locks are kept, so that the player can come back to the table and watch."""
    lock = LockKey.generate(entropy)
    secrets = {"lock/000001": secret, "lock/000002": lock.encode()}
    assert Player.restored(0, played().table.signers[0], secrets)._locks == {2: lock}


def test_a_player_without_their_lock_signs_nothing() -> None:
    """Otherwise false proofs would look like cheating.

    A journal restored from an old copy lacks the lock, or has another one under its name.
    """
    for moment in (unlocking(), discarding(), opening()):
        me, signer = moment.writer, moment.table.signers[moment.writer]
        number = moment.state.cards.last.number
        stale = {f"lock/{number:06}": LockKey.generate(entropy).encode()}
        for secrets in ({}, stale):
            poor = Player.restored(me, signer, secrets)
            with pytest.raises(Refused, match="does not have your lock"):
                poor.write(moment.state, entropy, _move(moment))


def _move(moment: Moment) -> Discard | None:
    move = getattr(moment.body.content, "move", None)
    return move if isinstance(move, Discard) else None


def test_a_lock_that_the_record_needs_and_the_player_lacks_counts_as_lost() -> None:
    """The player is told, and can look for a newer copy of the journal."""
    moment = unlocking()
    number = moment.state.cards.last.number
    assert not player(moment).has_lost_a_lock(moment.state)
    for locks in ({}, {number: LockKey.generate(entropy)}):
        assert with_locks(moment, locks).has_lost_a_lock(moment.state)
    ahead = shuffling()  # the writer has no lock on the deal yet
    assert not with_locks(ahead, {}).has_lost_a_lock(ahead.state)
    over = played().when("close")  # all cards lie open
    assert not with_locks(over, {}).has_lost_a_lock(over.state)


def test_a_lock_is_forgotten_if_its_shuffle_is_missing_from_the_record() -> None:
    """The shuffle was lost before it was sent, and the next shuffle has another lock."""
    ahead, after = shuffling(), unlocking()
    number = ahead.state.cards.last.number
    poor = with_locks(ahead, {number: LockKey.generate(entropy)})
    assert poor.forget_unannounced(ahead.state) == (f"lock/{number:06}",)
    assert poor._locks == {}
    assert poor.forget_unannounced(ahead.state) == ()
    locks = player(after)._locks
    rich = with_locks(after, locks)
    assert rich.forget_unannounced(after.state) == ()
    assert rich._locks == locks


def test_losing_one_of_two_locks_is_noticed() -> None:
    """After a reshuffle in the middle of a round, hands have cards of both deals."""
    moment = next(filter(from_a_second_deal, played("kanastic", 2).moments))
    locks = player(moment)._locks
    one, other = (deal.number for deal in moment.state.cards.deals)
    for lost, noticed in (([], False), ([one], True), ([other], True)):
        kept = {number: lock for number, lock in locks.items() if number not in lost}
        assert with_locks(moment, kept).has_lost_a_lock(moment.state) == noticed


def with_locks(moment: Moment, locks: dict[int, LockKey]) -> Player:
    """Return the writer as a new player with these locks, who remembers no cards."""
    return Player(moment.writer, moment.table.signers[moment.writer], dict(locks))


def test_players_know_how_many_shuffles_come_before_theirs() -> None:
    """A player whose shuffle comes after `others` more shuffles can prepare it meanwhile."""
    one, players = played("canasta", 4), played("canasta", 4).table.players
    waiting = [(one.at(1), (0, 1, 2, 3)), (one.at(2), (1, 2, 3))]
    waiting += [(one.when(kind), ()) for kind in ("unlock", "move", "close")]
    for moment, shufflers in waiting:
        for others in range(len(shufflers) + 1):
            after = [p.me for p in players if p.shuffles(moment.state, after_others=others)]
            assert after == [*shufflers[others : others + 1]]
    assert not any(each.shuffles(one.table.state) for each in players)


@pytest.mark.parametrize("game", ["canasta", "kanastic"])
def test_a_view_shows_only_the_hand_of_its_player(game: str) -> None:
    for moment in played(game, 2).moments[6::9]:
        position = moment.state.match.round
        if position is None:  # seats are drawn
            continue
        for me in range(2):
            view = player(moment, me).view(moment.state)
            assert view is not None
            seat = moment.state.match.seat_of(me)
            assert len(view.hand(seat)) == len(position.hands[seat])
            assert set(view.private) == set(position.hands[seat])
            assert evolve(view, private=position.private) == position


def test_there_is_a_view_at_the_end_of_a_round_but_none_of_the_draw_for_seats() -> None:
    moment = opening()
    view = player(moment).view(moment.state)
    assert view is not None
    seat = moment.state.match.seat_of(moment.writer)
    assert view.hand(seat) == moment.the(OpenContent).cards
    moment = played().at(2)
    assert player(moment).view(moment.state) is None


def test_the_view_of_a_state_is_cached() -> None:
    """Screens ask for the view many times."""
    moment = discarding()
    fresh = with_locks(moment, player(moment)._locks)
    view = fresh.view(moment.state)
    assert view is not None
    assert fresh.view(moment.state) is view
    after = advance(moment.state, moment.entry)
    again = fresh.view(after)
    assert again is not None
    seat = after.match.seat_of(moment.writer)
    assert len(again.hand(seat)) == len(view.hand(seat)) - 1


def test_locks_and_cached_faces_are_forgotten_with_their_deal() -> None:
    """Faces are cached until the deal ends: finding one takes a multiplication of a point."""
    with without_proofs():
        table = SeededTable.sit(players=2, seed=3, rounds=2)
        me, forgotten = table.players[0], []
        while table.state.match.mover is None:
            table.state = advance(table.state, table.write())
            forgotten += [each.forget(table.state) for each in table.players]
        assert [names for names in forgotten if names] == 2 * [("lock/000000",)]
        while not me._faces:
            table.step()
        seen = set(me._faces)
        assert len(seen) > 10
        assert me.forget(table.state) == ()
        assert set(me._faces) == seen
        table.play_until("close")
        assert [each.forget(table.state) for each in table.players] == [(), ()]
        table.play_until("shuffle")
        assert me._faces == {}
        table.play()  # the locks of the last round are forgotten when all have signed it
    for each in table.players:
        assert each.forget(table.state) == ()
        assert (each._locks, each.has_lost_a_lock(table.state)) == ({}, False)
