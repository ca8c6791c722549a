"""One player's decisions in a replay, and the cards that came to that player by chance.

A decision has the view that the player had then, without the cards that a record opens later.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, pairwise

from attrs import frozen

from client.bots.card_luck import CardsGiven
from client.bots.decision_review import Decision
from client.session.display.pile_events import NOTHING_SEEN, PileEvents
from client.ui.model.replay import Moment, Replay
from engine.moves import Move
from engine.position import Position
from engine.slots import Seat, Shown, Slot, cards_of
from engine.turn import Step
from protocol.entries import MoveContent
from protocol.state import State


@frozen
class Choice:
    """A decision of the player, and its moment in the replay."""

    place: int
    """Number of the moment, from 0."""
    decision: Decision
    events: PileEvents
    names: tuple[str, ...]
    """Names by seat."""


@frozen
class _Played:
    """A move of any player."""

    place: int
    """Number of the moment, from 0."""
    moment: Moment
    before: State
    position: Position
    """The position before the move."""
    move: Move


def choices_of(replay: Replay, player: int, round_number: int | None = None) -> Iterator[Choice]:
    """Return the player's decisions in which they had a choice.

    Decisions are left out if a card that the player held then was never opened.
    """
    for moves in _rounds(replay, round_number):
        events = NOTHING_SEEN
        for played in moves:
            before, position, move = played.before, played.position, played.move
            names = [
                before.charter.name_of(before.match.player_at(Seat(number)))
                for number in range(position.seats)
            ]
            # Events up to the player's own move, which the player had seen when they decided.
            seen = events
            events = events.with_move(position, move, names[position.turn.seat])
            seat = before.match.seat_of(player)
            view = _view(played, seat) if position.to_move == seat else None
            if view is not None and _has_choice(view, seat):
                number = played.moment.number
                decision = Decision(before.charter.game.name, view, move, f"{number}")
                yield Choice(played.place, decision, seen, tuple(names))


def cards_given(
    replay: Replay, player: int, round_number: int | None = None
) -> Iterator[CardsGiven]:
    """Return the cards that came to a player by chance.

    These are the hand that was dealt in each round, and the hidden cards that came by the player's
    moves, such as a draw. A hand or a draw is left out if a card that is needed to judge it was
    never opened.
    """
    for moves in _rounds(replay, round_number):
        dealt = False
        # The cards that a move brings are in the hand at the next move. So a draw is found only if
        # another move follows in the round.
        for played, following in pairwise(moves):
            before, position = played.before, played.position
            seat, game = before.match.seat_of(player), before.charter.game.name
            closed = position.seen(())
            # The first moves of a round may come before the deal, such as a cut.
            if not dealt and position.hands[seat]:
                dealt = True
                if hand := _faces(played, position.hands[seat]):
                    possible = closed.unseen()
                    yield CardsGiven(game, seat, closed, (), cards_of(hand), possible)
            if position.to_move != seat or not dealt:
                continue
            # The faces of the closed cards in all hands; None if one of them was never opened.
            held = chain(*position.hands)
            lying = _faces(played, [slot for slot in held if slot not in position.known])
            hidden = {*position.stock, *chain(*position.set_aside)}
            came = _faces(played, [s for s in following.position.hands[seat] if s in hidden])
            if came and lying is not None:
                opened = position.seen(lying)
                own, possible = tuple(opened.hand_cards(seat)), opened.unseen()
                yield CardsGiven(game, seat, closed, own, cards_of(came), possible)


def _rounds(replay: Replay, round_number: int | None) -> Iterator[list[_Played]]:
    """Yield the moves of each round, or only those of round `round_number`."""
    for _deal, group in groupby(enumerate(replay.moments), lambda one: one[1].deal_number):
        moves: list[_Played] = []
        for place, moment in group:
            before, last = moment.before, moment.after.last
            content = last and last.content
            if before.match.round is not None and isinstance(content, MoveContent):
                moves.append(_Played(place, moment, before, before.match.round, content.move))
        if moves and round_number in (None, moves[0].moment.round_number):
            yield moves


def _faces(played: _Played, slots: Iterable[Slot]) -> tuple[Shown, ...] | None:
    """Return the cards in these slots; None if one of them was never opened."""
    faces, wanted = played.moment.faces, tuple(slots)
    if any(slot not in faces for slot in wanted):
        return None
    return tuple(Shown(slot, faces[slot]) for slot in wanted)


def _view(played: _Played, seat: Seat) -> Position | None:
    """Return what the seat saw; None if a card of its hand is not known."""
    position = played.position
    hand = _faces(played, [slot for slot in position.hands[seat] if slot not in position.known])
    return None if hand is None else position.seen(hand)


def _has_choice(view: Position, seat: Seat) -> bool:
    steps = (Step.DRAW, Step.PLAY, Step.ANSWER)
    return view.turn.step in steps and len(view.legal_moves(seat)) > 1
