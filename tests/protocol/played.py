"""Rounds that are played once and cached with the state before each entry.

A test can begin at any of these states, with players who still have all their locks. No test may
change the cached objects.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TypeVar

import pytest
from attrs import field, frozen

from engine.games import game_named
from engine.moves import Discard, DrawStock, LayMelds, Move, TakePile
from protocol.entries import Body, Content, Entry, MoveContent, OpenContent
from protocol.errors import Exposed, Unattributable
from protocol.place import Place
from protocol.record_file import PartKind, kind_of, record_parts
from protocol.reducer import advance
from protocol.shuffle_proof import prove, verify_in_part
from protocol.state import State
from protocol.unlock import prove_unlock, verify_unlock
from tests.engine.simulation import eagerly
from tests.protocol.seeded_table import Choose, SeededTable, random_move

_C = TypeVar("_C", bound=Content)


@frozen
class Moment:
    """The table when its record has `number` parts after the first charter.

    `entry` is the next part, an entry or a continuation.
    """

    table: SeededTable = field(repr=False)
    state: State
    entry: bytes = field(repr=False)
    number: int

    @cached_property
    def body(self) -> Body:
        entry = Entry.decode(self.entry)
        return Body.decode(entry.body, self.state.match.deck)

    @property
    def is_entry(self) -> bool:
        """True if the next part is an entry, not a continuation."""
        return kind_of(self.entry) is PartKind.ENTRY

    def the(self, kind: type[_C]) -> _C:
        """Return the content of the entry, and check that it has that type."""
        content = self.body.content
        assert isinstance(content, kind)
        return content

    @property
    def writer(self) -> int:
        """The player who must write the next entry."""
        return self.state.writers[0]

    @property
    def other(self) -> int:
        """A player who must not write the next entry."""
        return (self.writer + 1) % len(self.table.players)

    def signed(
        self, content: Content, signer: int | None = None, place: Place | None = None
    ) -> bytes:
        """Return an entry with that content, signed by the writer unless `signer` is given."""
        by = self.writer if signer is None else signer
        return self.signed_body(Body(place or self.state.next_place, by, content), by)

    def signed_body(self, body: Body, signer: int) -> bytes:
        return self.signed_bytes(body.encode(), signer)

    def signed_bytes(self, body: bytes, signer: int | None = None) -> bytes:
        """Return an entry with these bytes as its body, even if they encode no body."""
        by = self.writer if signer is None else signer
        return Entry.sign(body, self.table.signers[by]).encode()

    def exposed(self, entry: bytes) -> Exposed:
        """Return the error with which the reducer exposes the signer of `entry`."""
        with pytest.raises(Exposed) as raised:
            advance(self.state, entry)
        assert raised.value.evidence == (entry,)
        return raised.value

    def exposes(self, entry: bytes) -> tuple[int, str]:
        """Return the player whom `entry` exposes, and the clause that they have broken."""
        error = self.exposed(entry)
        return error.player, error.cause

    def cause(self, content: Content) -> str:
        """Return the clause that the writer breaks by signing this content."""
        player, cause = self.exposes(self.signed(content))
        assert player == self.writer
        return cause


@frozen
class Played:
    """A played match: `moments[i]` is the table before part i + 1, `table` the table at the end."""

    table: SeededTable
    moments: tuple[Moment, ...]

    @property
    def entries(self) -> list[bytes]:
        return self.table.entries

    def record(self, *more: bytes, upto: int | None = None) -> bytes:
        """Return the record file: the first `upto` parts (by default all), followed by `more`."""
        return b"".join(record_parts([(self.table.charter, [*self.entries[:upto], *more])]))

    def at(self, number: int) -> Moment:
        """Return the moment before the part with that number."""
        return self.moments[number - 1]

    def when(self, kind: str, test: Callable[[Moment], bool] = lambda _: True) -> Moment:
        """Return the first moment at which an entry of that kind is due and `test` holds."""
        return next(self._when(kind, test))

    def last(self, kind: str) -> Moment:
        """Return the last moment at which an entry of that kind is due."""
        return list(self._when(kind, lambda _: True))[-1]

    def opening(self) -> Moment:
        """Return the last moment at which a hand with cards is opened."""
        return [m for m in self._when("open", lambda _: True) if m.the(OpenContent).cards][-1]

    def moving(self, *moves: type[Move], hidden: bool = False) -> Moment:
        """Return the moment before the first move of one of these types.

        With `hidden`, the move must show a card that the others have not seen.
        """

        def fits(moment: Moment) -> bool:
            content = moment.the(MoveContent)
            return isinstance(content.move, moves) and bool(content.proofs or not hidden)

        return self.when("move", fits)

    def _when(self, kind: str, test: Callable[[Moment], bool]) -> Iterator[Moment]:
        for moment in self.moments:
            due = moment.state.due
            if due is not None and due.kind == kind and moment.is_entry and test(moment):
                yield moment


def shuffling() -> Moment:
    """Return the moment before the second shuffle of the round."""
    return [moment for moment in played().moments if moment.body.content.kind == "shuffle"][-1]


def unlocking() -> Moment:
    """Return the moment before the first unlocking of hands."""
    return played().when("unlock", lambda moment: moment.state.match.round is not None)


def discarding() -> Moment:
    """Return the moment before the first discard of a card that the others have not seen."""
    return played().moving(Discard, hidden=True)


def opening() -> Moment:
    """Return the moment before the opening of a hand of which the others know some cards."""
    return played().opening()


def play(
    game: str = "canasta",
    players: int = 2,
    seed: int = 15,
    choose: Choose = random_move,
    *,
    until: Callable[[State], bool] = lambda state: state.complete,
    spectators: bool = False,
    **options: bool | int,
) -> Played:
    """Play a match, by default one round of random legal moves; the players keep all locks."""
    rules = options or {"rounds": 1}
    table = SeededTable.sit(game, players, seed=seed, spectators=spectators, **rules)
    moments = []
    while not until(table.state):
        moments.append(Moment(table, table.state, table.write(choose), len(table.entries)))
        table.state = advance(table.state, moments[-1].entry)
        table.entries.append(moments[-1].entry)
    return Played(table, tuple(moments))


@cache
def played(game: str = "canasta", players: int = 0) -> Played:
    """Return a short round with entries of each kind, cached for all tests.

    By default it has the fewest players that the game admits.
    """
    seats = players or game_named(game).players[0]
    wanted = {"canasta": knows_half_a_hand, "kanastic": _reshuffles}.get(game, lambda _: True)
    with proving():
        choose = random_move if seats == 2 else eagerly  # eager players end a round in fewer turns
        rounds = (play(game, seats, seed, choose) for seed in (15, *range(1, 40)))
        return next(one for one in rounds if seats > 2 or wanted(one))


@contextmanager
def proving() -> Iterator[None]:
    """Make real proofs within the block, even in a test without proofs.

    Rounds that are cached for all tests need real proofs.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("protocol.player.prove", prove)
        patch.setattr("protocol.player.prove_unlock", prove_unlock)
        patch.setattr("protocol.player.verify_in_part", verify_in_part)
        patch.setattr("protocol.player.verify_unlock", verify_unlock)
        yield


def knows_half_a_hand(one: Played) -> bool:
    """Return True if the last opened hand has cards that all knew and cards that nobody else knew.

    The round must also have discards, draws, melds and a pile that was taken.
    """
    contents = [moment.body.content for moment in one.moments]
    made = {type(content.move) for content in contents if isinstance(content, MoveContent)}
    opened = one.opening()
    faces = [opened.state.cards.face(shown.slot) for shown in opened.the(OpenContent).cards]
    return (
        {Discard, DrawStock, LayMelds, TakePile} <= made and None in faces and set(faces) != {None}
    )


def _reshuffles(one: Played) -> bool:
    return any(map(from_a_second_deal, one.moments))


def from_a_second_deal(moment: Moment) -> bool:
    """Return True if the entry discards a card that was dealt anew in the middle of the round."""
    content, cards = moment.body.content, moment.state.cards
    return (
        len(cards.deals) > 1
        and isinstance(content, MoveContent)
        and isinstance(content.move, Discard)
        and content.move.card.slot in cards.last
    )


def unattributable(state: State, entry: bytes) -> str:
    """Return the clause by which the reducer refuses `entry` and blames nobody."""
    with pytest.raises(Unattributable) as raised:
        advance(state, entry)
    return raised.value.cause
