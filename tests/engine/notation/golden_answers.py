"""Transcripts: text files of cases with the referee's answers, and with looks at positions.

Lines without an indent are cases, divided by empty lines; a case that begins with a game needs no
name. The indented lines below a line are the answer, and are generated:
`python -m tests.engine.notation.golden_answers` rewrites the answers in all files. Read the
difference before you commit it. Where the referee names all games, an answer has "(all games)", so
that a new game changes no file.

The last lines of a case may be looks at its last position. The referee does not know looks;
they are:

- `moves` lists the moves that are tried there, in their order. Those that the rules refuse are
  marked, and so are legal moves that are not offered.
- `facts` tells what the table shows to displays and opponents.
- `position` is the position as the notation writes it.
- `offer CARD` tells what a discard of this card would offer to the next seat.
- `missing SEATS` counts the round as if it were interrupted, because these seats are missing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from engine.errors import IllegalMove, NotationError
from engine.games import GAMES
from engine.moves import Discard
from engine.notation.moves import format_move, parse_move
from engine.notation.position_reader import parse_position
from engine.notation.position_writer import format_position
from engine.notation.referee import reports
from engine.notation.rulings import Expectation, Ruling
from engine.position import Position
from engine.position_facts import Taking
from engine.score_sheet import ScoreSheet
from engine.slots import Seat, Side
from engine.turn import Step
from tests.engine.clauses import CLAUSES
from tests.engine.positions import codes_of

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
LOOK = re.compile("moves|facts|position|offer .*|missing .*")


def written(text: str) -> str:
    """Return the cases with the answers that the referee gives today."""
    asked = re.sub("^    .*\n", "", text, flags=re.MULTILINE)
    return "\n".join(_answered(case) for case in asked.rstrip().split("\n\n"))


def _answered(case: str) -> str:
    lines = case.splitlines()
    if all(line.startswith("#") for line in lines):
        return f"{case}\n"
    looks = [line for line in lines if LOOK.fullmatch(line)]
    answers = defaultdict[int, list[str]](list)
    try:
        (report,) = reports("\n".join(line for line in lines if line not in looks), CLAUSES)
    except NotationError as error:
        answers[len(lines)].append(_told(error))
    else:
        for ruling in report.rulings:
            answers[ruling.line] += _ruled(ruling)
            after = (n for n, line in enumerate(lines, 1) if n > ruling.line and "expect" in line)
            for number, expectation in zip(after, ruling.expectations, strict=False):
                answers[number].append(_compared(expectation))
        if report.problem is not None:
            answers[len(lines)].append(_told(report.problem))
            looks = []
        for number, look in enumerate(looks, len(lines) - len(looks) + 1):
            answers[number] += _seen(parse_position(report.position), look)
    told = ((line, *(f"    {answer}" for answer in answers[n])) for n, line in enumerate(lines, 1))
    return "".join(f"{line}\n" for group in told for line in group)


def _told(error: NotationError) -> str:
    return f"cannot be read: {error}".replace(", ".join(GAMES), "(all games)")


def _ruled(ruling: Ruling) -> Iterator[str]:
    why = ruling.why or ruling.after or "; ".join(map(str, ruling.say))
    yield f"{ruling.verdict.value} {ruling.clause}".rstrip() + f": {why}"
    if ruling.hint is not None:
        yield f"hint: {ruling.hint}"
    if ruling.sheet is not None:
        out = ruling.sheet.closer
        who = "nobody" if out is None else f"seat {out + 1}"
        yield f"score {' '.join(map(str, ruling.sheet.totals))}; {who} went out"
        yield from _sheet(ruling.sheet)


def _sheet(sheet: ScoreSheet) -> Iterator[str]:
    for number, items in enumerate(sheet.sides, 1):
        told = (f"{one.count} {one.what} {one.points} [{one.clause}]" for one in items)
        yield f"side {number}: " + (", ".join(told) or "nothing")


def _compared(expectation: Expectation) -> str:
    if expectation.met is None:
        return "undecided"
    return "so it is" if expectation.met else f"no: {expectation.found}"


# -- looks at a position


def _seen(position: Position, look: str) -> Iterator[str]:
    match look.split():
        case ["moves"]:
            return _moves(position)
        case ["facts"]:
            return _facts(position)
        case ["position"]:
            text = format_position(position)
            assert format_position(parse_position(text)) == text
            return iter(text.splitlines())
        case ["offer", card]:
            return _offer(position, card)
        case [_, *seats]:
            missing = (Seat(int(seat) - 1) for seat in seats if seat != "nobody")
            return _sheet(position.interrupted_sheet(missing))
    raise ValueError(look)


def _moves(position: Position) -> Iterator[str]:
    if position.turn.step is Step.DRAW:
        yield f"may{'' if position.may_take_pile() else ' not'} take the pile"
    legal = position.legal_moves(position.moving_seat)
    discards = [move for move in legal if isinstance(move, Discard)]
    for move in dict.fromkeys((*legal, *position.candidates())):
        if move not in discards:
            try:
                position.check(move)
                refused = "" if move in legal else " is legal, but not offered"
            except IllegalMove as error:
                refused = f" is tried in vain: {error.clause}"
            yield f"{format_move(position, move)}{refused}"
    if discards:
        yield "discard " + ", ".join(move.card.card.code for move in discards)


def _facts(position: Position) -> Iterator[str]:
    taking = "the top" if position.taking is Taking.TOP else "the pile"
    yield f"takes {taking}; sees below its top: {codes_of(position.pile_seen) or 'nothing'}"
    if position.set_aside:
        yield f"hands set aside: {len(position.set_aside)}"
    if position.duty is not None:
        cards = codes_of(position.duty.cards) or "that there is none"
        yield f"must show {cards} [{position.duty.clause}]"
    for side in map(Side, range(position.sides)):
        status, opening = position.pile_status(side), position.opening(side)
        pile = status.state.value
        if status.until is not None:
            pile += f" until seat {status.until + 1} moves"
        yield f"side {side + 1}: the pile is {pile}; {position.table_points(side)} points laid"
        if opening is not None:
            limit = opening.most_wilds
            wilds = "" if limit is None else f" and at most {limit} wild cards"
            yield f"  opens with {opening.need or 'a canasta'}{wilds}"
        for meld in position.laid[side].melds:
            kind = position.meld_class(meld)
            word = position.words_of(meld).word if kind else "not complete"
            yield f"  {codes_of(position.in_order(meld))}: {word}"
        gets_more = any(position.gets_more(seat) for seat in position.members(side))
        if position.may_go_out(side):
            yield "  may go out" + (", but gets more cards first" if gets_more else "")


def _offer(position: Position, card: str) -> Iterator[str]:
    throw = parse_move(position, f"discard {card}")
    assert isinstance(throw, Discard)
    try:
        offer = position.pile_offer(throw.card)
    except IllegalMove as error:
        yield f"illegal {error.clause}"
        return
    if offer is None:
        yield "nobody plays next"
    elif offer.taking is Taking.NOTHING:
        yield f"seat {offer.taker + 1} can take nothing"
    else:
        sure = "surely" if offer.certain else "perhaps"
        cards = f"{offer.cards} card{'s' * (offer.cards > 1)}, {offer.points} points"
        yield f"seat {offer.taker + 1} can {sure} take the {offer.taking.value}: {cards}"


if __name__ == "__main__":
    for path in FILES:
        print(path.name)
        path.write_text(written(path.read_text("utf-8")), "utf-8")
