"""Melds that are laid out in front of a player, and not sent yet, so that they can be taken back.

Staged plays are not in the record. They are sent together, as one move (clauses X2, X3).
"""

from contextlib import suppress
from typing import Self

from attrs import evolve, frozen

from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import LayMelds, Move, Play, TakePile, TakeTop, plays_of
from engine.position import Position
from engine.position_facts import Opening, Taking
from engine.slots import Seat, Shown, Side, Slot


class AmbiguousMeld(Exception):
    """The error for cards that fit several melds; `numbers` has the melds' numbers, from 0."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


_KINDS = {TakeTop: Taking.TOP, TakePile: Taking.PILE}
"""The part of the pile that each kind of move takes. K72 may let a side choose between the two."""


@frozen
class Staging:
    """The plays that a seat has laid out over the position `view`.

    If the pile is taken with a meld, the top card of the pile is in the first play.
    """

    view: Position
    seat: Seat
    plays: tuple[Play, ...] = ()
    taking: Taking = Taking.NOTHING

    @property
    def side(self) -> Side:
        return self.view.side_of(self.seat)

    @property
    def slots(self) -> frozenset[Slot]:
        """The cards that are laid out."""
        return frozenset(shown.slot for play in self.plays for shown in play.cards)

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The melds of the side after the plays. Raises IllegalMove if a play is no meld."""
        if not self.plays:
            return self.view.laid[self.side].melds
        return self.view.melds_after(self.side, self.plays)

    @property
    def opening(self) -> Opening | None:
        """The opening that the plays make; None if the side has opened."""
        return self.view.opening(self.side, self.plays)

    @property
    def move(self) -> Move | None:
        """The single move that all plays make; None if nothing is laid out or taken."""
        match self.taking:
            case Taking.PILE:
                return TakePile(self.plays)
            case Taking.TOP:
                return TakeTop(self.plays)
            case Taking.NOTHING:
                return LayMelds(self.plays) if self.plays else None

    @property
    def refusal(self) -> IllegalMove | None:
        """The error with which the rules refuse `move`; None if the move is legal or is None."""
        if self.move is None:
            return None
        try:
            self.view.apply(self.move)
        except IllegalMove as error:
            return error
        return None

    # -- laying out (raises IllegalMove if the cards make no melds), and taking back

    def laying(
        self, cards: tuple[Shown, ...], onto: int | None = None, *, low: bool = False
    ) -> Self:
        """Return the staging with a new meld, or with cards added to the meld number `onto`.

        Staged melds are numbered after the melds on the table. Cards added to a staged meld join
        the play of that meld.
        """
        there = len(self.view.laid[self.side].melds)
        if onto is None or onto < there:
            return self._checked((*self.plays, Play(cards, onto, low)), self.taking)
        # With two melds on the table (numbers 0 and 1), number 2 is the first play that lays a new
        # meld.
        place = [n for n, play in enumerate(self.plays) if play.onto is None][onto - there]
        play = self.plays[place]
        joined = cards + play.cards if low else play.cards + cards
        plays = list(self.plays)
        plays[place] = evolve(play, cards=joined)
        return self._checked(tuple(plays), self.taking)

    def with_move(self, move: Move) -> Self:
        """Return the staging with the plays of a move added to those that are laid out.

        If nothing is laid out yet and the move is legal, its plays are laid exactly as they are.
        Otherwise cards that make no new meld are added to a meld that they fit. Raises
        AmbiguousMeld if they fit several.
        """
        taking = self.view.taking if isinstance(move, TakePile | TakeTop) else Taking.NOTHING
        # Try the move's own kind first: a side may take the top alone instead of the pile (K72).
        for kind in dict.fromkeys((_KINDS.get(type(move), taking), taking)):
            if not self.plays:
                with suppress(IllegalMove):
                    exact = self._checked(plays_of(move), kind)
                    if exact.refusal is None:
                        return exact
        staging, rest = self, plays_of(move)
        if taking is not Taking.NOTHING:
            top = self.view.pile[-1] if self.view.pile else None
            first = next((play for play in rest if top in play.cards), Play(()))
            beside = tuple(shown for shown in first.cards if shown != top)
            staging = self.taking_pile(beside, first.onto)
            rest = tuple(play for play in rest if play != first)
        for play in rest:
            if play.onto is None:
                staging = staging.melding(play.cards)
            elif play.low:
                staging = staging.laying(play.cards, play.onto, low=True)
            else:
                staging = staging.adding(play.cards, play.onto)
        return staging

    def turned(self, onto: int) -> Self | None:
        """Return the staging with the last play at the other end of its meld.

        None if the last play is not on the meld `onto`, or does not fit at the other end.
        """
        last = self.plays[-1] if self.plays else None
        if last is None or last.onto != onto:
            return None
        try:
            # Cards are listed from the lowest rank up: at the high end the card next to the run
            # comes first, at the low end it comes last.
            other = evolve(last, cards=last.cards[::-1], low=not last.low)
            return self._checked((*self.plays[:-1], other), self.taking)
        except IllegalMove:
            return None

    def adding(self, cards: tuple[Shown, ...], onto: int) -> Self:
        """Return the staging with cards added to a meld, at the low end if they only fit there."""
        try:
            return self.laying(cards, onto)
        except IllegalMove:
            with suppress(IllegalMove):
                return self.laying(cards, onto, low=True)
            raise

    def melding(self, cards: tuple[Shown, ...]) -> Self:
        """Return the staging with the cards as a new meld or, if they make none, added to a meld.

        Raises AmbiguousMeld if the cards fit several melds.
        """
        try:
            return self.laying(cards)
        except IllegalMove:
            if arranged := self._arranged(cards):
                return self.laying(arranged)
            homes = []
            for onto in range(len(self.melds)):
                with suppress(IllegalMove):
                    homes.append((onto, self.adding(cards, onto)))
            if not homes:
                raise
        if len(homes) > 1:
            raise AmbiguousMeld(tuple(onto for onto, _ in homes))
        return homes[0][1]

    def _arranged(self, cards: tuple[Shown, ...]) -> tuple[Shown, ...]:
        """Return the cards in the order in which the engine lists a new meld of them.

        Return () if the engine lists no such meld. For example, artifacts at the low end of a
        golden suit come first (K113).
        """
        if self.view.to_move != self.seat:
            return ()
        plays = (play for move in self.view.candidates() for play in plays_of(move))
        same = (p for p in plays if p.onto is None and frozenset(p.cards) == frozenset(cards))
        return next((play.cards for play in same), ())

    def taking_pile(self, cards: tuple[Shown, ...], onto: int | None = None) -> Self:
        """Return the staging with the pile taken.

        If the game asks for a meld, the top of the pile and `cards` are laid onto the meld with
        the number `onto`. If `onto` is None, they go where they fit.
        """
        taken = evolve(self, taking=self.view.taking)
        if self.view.takes_pile_bare:
            self.view.check(TakePile(()))
            return taken
        if not self.view.pile:
            refusal = taken.refusal
            assert refusal is not None, "an empty pile cannot be taken"
            raise refusal
        try:  # the play with the pile's top comes first, whatever was laid out before
            topped = (self.view.pile[-1], *cards)
            bare = evolve(self, plays=())
            alone = bare.melding(topped) if onto is None else bare.laying(topped, onto)
        except IllegalMove as error:
            # With no cards selected, tell why the pile is closed, and not why the top is no meld.
            raise (error if cards else taken.refusal or error) from error
        return self._checked((*alone.plays, *self.plays), taken.taking)

    def undone(self) -> Self:
        """Return the staging without the play that was laid out last.

        If no play is left, the pile is given back, too.
        """
        if not self.plays:
            return evolve(self, taking=Taking.NOTHING)
        plays = self.plays[:-1]
        return evolve(self, plays=plays, taking=self.taking if plays else Taking.NOTHING)

    def over(self, view: Position) -> Self:
        """Return the staging over a newer position, with the plays if they still fit there.

        If the staging takes the pile, its plays are dropped in any case.
        """
        empty = evolve(self, view=view, plays=(), taking=Taking.NOTHING)
        held = set(view.hands[self.seat])
        if self.taking is not Taking.NOTHING or not self.slots <= held:
            return empty
        try:
            return empty._checked(self.plays, Taking.NOTHING)
        except IllegalMove:
            return empty

    def _checked(self, plays: tuple[Play, ...], taking: Taking) -> Self:
        staged = evolve(self, plays=plays, taking=taking)
        # Only for the error that `melds` raises if a play is no meld.
        _ = staged.melds
        return staged


def as_listed(view: Position, move: Move) -> Move:
    """Return a move with melds as the engine lists it: the same plays, cards in the usual order.

    A move that the engine does not list is returned as it is.
    """
    if not isinstance(move, LayMelds | TakePile | TakeTop) or not move.plays:
        return move
    wanted = _unordered(move)
    same = (listed for listed in view.candidates() if _unordered(listed) == wanted)
    return next((listed for listed in same if view.allows(listed)), move)


def _unordered(move: Move) -> tuple[type[Move], frozenset[object]]:
    plays = ((frozenset(play.cards), play.onto, play.low) for play in plays_of(move))
    return type(move), frozenset(plays)
