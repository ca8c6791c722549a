"""A whole game as text, as PGN is to chess.

The text has notes about the table, and then each round as a case that the referee can replay.

    note game canasta
    note player 1 Ana
    case Round 1
    canasta 2
    totals 0 0
    dealer 2
    shuffled
    play 1 cut 40
    deal 4c Kd ? ...
    play 1 show
    ...
    expect score 310 -45

A line `play` names the seat that moves. A line `deal` names the cards that an order has given, `?`
for a hidden one. A card that became public only later, when it was laid or its hand was opened, is
named already in its line `deal`. So a program that replays the round can read every move.
`spec/notation.md` documents the format.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import field, frozen

from engine.cards import Card
from engine.errors import NotationError
from engine.moves import Move
from engine.notation.case_files import numbered_lines, read_cases
from engine.notation.moves import format_move
from engine.notation.position_writer import HIDDEN, Copies, format_position, lying
from engine.notation.referee import rulings
from engine.notation.rulings import Ruling
from engine.orders import Deal, OpenHand, Order
from engine.position import Position
from engine.slots import Seat, Shown, Slot


@frozen
class RoundText:
    """One round as text."""

    name: str
    lines: tuple[str, ...] = field(repr=False)
    """Lines after the name, without line breaks."""


@frozen
class GameText:
    """A game as text."""

    notes: tuple[tuple[str, str], ...]
    """Facts about the table, as pairs of name and text."""
    rounds: tuple[RoundText, ...]
    """The rounds in their order."""


def format_game(game: GameText) -> str:
    """Return the game as text.

    >>> round_1 = RoundText("Round 1", ("canasta 2", "shuffled"))
    >>> print(format_game(GameText((("game", "canasta"),), (round_1,))), end="")
    note game canasta
    <BLANKLINE>
    case Round 1
    canasta 2
    shuffled
    """
    notes = [f"note {name} {text}".rstrip() for name, text in game.notes]
    rounds = [line for each in game.rounds for line in ("", f"case {each.name}", *each.lines)]
    return "".join(f"{line}\n" for line in (*notes, *rounds))


def parse_game(text: str) -> GameText:
    """Return the game that the text states, or raise NotationError.

    This function does not check that it was played by the rules: `check_game` does.
    """
    words = [line.split(maxsplit=2) for _, line in numbered_lines(text)]
    notes = [line[1:] for line in words if line[0].lower() == "note"]
    if any(not note for note in notes):
        raise NotationError("A note has a name, and usually a text: note game canasta.")
    cases = read_cases(text)
    if spoilt := next((case.problem for case in cases if case.problem), None):
        raise spoilt[1]
    return GameText(
        tuple((note[0], " ".join(note[1:])) for note in notes),
        tuple(
            RoundText(case.name, tuple(line for _, line in (*case.stated, *case.judged)))
            for case in cases
        ),
    )


def check_game(text: str) -> Iterator[Ruling]:
    """Return the rulings that show a broken rule; none if the game was played by the rules.

    Such a ruling is about an illegal move, or a score that is not as stated. Raises NotationError.
    """
    for ruling in rulings(text):
        if not ruling.legal or not all(each.met for each in ruling.expectations):
            yield ruling


def round_text(
    name: str,
    start: Position,
    moves: Sequence[Move],
    faces: Mapping[Slot, Card],
    closed: Collection[Seat] = (),
) -> RoundText:
    """Return the text of a round that begins with a shuffle and has these moves.

    `start` is the position before the shuffle. `faces` has the cards that became public at any
    time. The hands of the seats `closed` were never opened (X24). The text of a round that is not
    over ends at the first missing move or card. Raises IllegalMove.
    """
    lines = format_position(start).splitlines()
    return RoundText(name, (*lines, *_played(start.deliver(), deque(moves), faces, closed)))


def _played(
    position: Position, moves: deque[Move], faces: Mapping[Slot, Card], closed: Collection[Seat]
) -> Iterator[str]:
    while position.sheet is None:
        # Cards that become public at any time are known from the start here, because the text names
        # them in the line `deal`.
        hands = [slot for hand in position.hands for slot in hand if slot in faces]
        position = position.seen(Shown(slot, faces[slot]) for slot in hands)
        if position.orders:
            order = position.orders[0]
            # The hand of a seat in `closed` was never opened. `_shown` would not find its cards,
            # and the text would end here.
            if isinstance(order, OpenHand) and order.seat in closed:
                position = position.leaving_closed([order.seat])
                continue
            shown = _shown(order, faces)
            if shown is None:
                return
            # Written before the delivery, as the referee reads it: a mark such as Ks:2 depends on
            # the cards that are known until then.
            if isinstance(order, Deal):
                yield _dealt(position, order, faces)
            position = position.deliver(shown)
        elif moves:
            yield f"play {position.moving_seat + 1} {format_move(position, moves[0])}"
            position = position.apply(moves.popleft())
        else:
            return
    seats = " ".join(str(seat + 1) for seat in sorted(position.closed))
    yield f"count closed {seats}" if seats else "count"
    yield f"expect score {' '.join(map(str, position.sheet.totals))}"
    opened = format_position(position).splitlines()
    yield from (f"expect {line}" for line in opened if line.startswith("hand "))


def _shown(order: Order, faces: Mapping[Slot, Card]) -> tuple[Shown, ...] | None:
    """Return the cards that the order has turned up; None if one never became public."""
    slots: tuple[Slot, ...] = ()
    if isinstance(order, OpenHand):
        slots = order.slots
    elif isinstance(order, Deal):
        slots = order.turned_up
    if any(slot not in faces for slot in slots):
        return None
    return tuple(Shown(slot, faces[slot]) for slot in slots)


def _dealt(position: Position, order: Deal, faces: Mapping[Slot, Card]) -> str:
    copies = Copies(position.deck, set(lying(position)))
    words = [
        copies.write((faces[give.slot],)) if give.slot in faces else HIDDEN for give in order.gives
    ]
    return f"deal {' '.join(words)}"
