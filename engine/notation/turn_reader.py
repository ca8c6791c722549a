"""The line `turn` of a position: the seat, its step, and what has happened in the turn."""

from collections.abc import Mapping

from engine.errors import NotationError
from engine.notation.numbers import read_number
from engine.notation.similar_words import unknown_word
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat
from engine.turn import Step, Turn

_HAPPENED: Mapping[Step, set[str]] = {
    Step.SHOW: {"drew"},
    Step.PLAY: {"drew", "took", "fresh", "yes", "no"},
    Step.ANSWER: {"drew", "took", "fresh"},
    Step.OVER: {"fresh", "out"},
}


def read_turn(position: Position, words: tuple[str, ...] | None) -> Turn:
    """Return the turn that the line `turn` states.

    The hands and melds of `position` must have been read already. Raises NotationError.
    """
    words = words or ("1", "play")
    seat = Seat(
        read_number(words[:1], 1, position.seats, Sentence("the seat whose turn it is")) - 1
    )
    steps = {step.name.lower(): step for step in position.steps}
    step = steps.get("".join(words[1:2]).lower())
    if step is None:
        why = Sentence("A turn is at one of the steps {steps}.", steps=", ".join(steps))
        raise unknown_word(why, "".join(words[1:2]), steps)
    happened = [word.lower() for word in words[2:]]
    hand = position.hands[seat]
    drawn = 0
    if "drew" in happened:
        place = happened.index("drew")
        drawn = read_number(
            happened[place + 1 : place + 2], 0, len(hand), Sentence("the cards drawn")
        )
        # The number belongs to `drew`; what is left are words that stand for themselves.
        del happened[place + 1 : place + 2]
    _check_happened(position, seat, step, happened)
    answered = {"yes", "no"} & set(happened)
    return Turn(
        seat,
        step,
        drawn=hand[len(hand) - drawn :],  # new cards are at the end of a hand
        took="took" in happened,
        fresh="fresh" in happened or not position.laid[position.side_of(seat)].melds,
        asked=bool(answered) or step is Step.ANSWER,
        answer="yes" in answered if answered else None,
    )


def _check_happened(position: Position, seat: Seat, step: Step, happened: list[str]) -> None:
    for word in happened:
        if word not in _HAPPENED.get(step, set()):
            raise NotationError(
                "At the step {step}, the word {word!r} has no meaning.",
                step=step.name.lower(),
                word=word[:20],
            )
    if len(set(happened)) != len(happened) or {"yes", "no"} <= set(happened):
        raise NotationError("The line “turn” has a word twice, or both yes and no.")
    asked = step is Step.ANSWER or {"yes", "no"} & set(happened)
    if asked and position.partner_of(seat) is None:
        raise NotationError("This seat has no partner whom it could ask.")
