"""The referee: positions with moves to try, and what the rules say of each.

A case is a position (`engine.notation.positions`) followed by what is to be judged:

    case Two fives and two wild cards open, and with the twos they are enough
    canasta 4
    hand 1 5h 5d 2s 2h Jo Kc
    try meld 5h 5d 2s 2h
    expect legal

`try MOVE` judges a move and leaves the position as it was, `play MOVE` goes on from it, `deal
CARDS` names the hidden cards that the last move has ordered, `count` ends the round and counts it,
`expect` says what the last of these comes to. `spec/notation.md` has all of it.
"""

from collections import Counter
from collections.abc import Iterator

from attrs import define, evolve, field, frozen

from engine.errors import EngineError, IllegalMove, NotationError
from engine.moves import Move, ShowBonus
from engine.notation.cards import code_of
from engine.notation.cases import Outcome, holds
from engine.notation.moves import parse_move
from engine.notation.position_reader import check_going_out, read_position
from engine.notation.positions import HIDDEN, Copies, lying
from engine.orders import Deal, OpenHand, Shuffle
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat, Shown
from engine.turn import Step

MOST_LINES = 100_000

_JUDGED = ("try", "play", "deal", "count", "expect")

Lines = tuple[tuple[int, str], ...]
"""Lines without their comments, each with its number in the file."""


@frozen
class Case:
    """One case of a file: its name, the position's lines, and the lines to be judged."""

    name: str
    stated: Lines
    judged: Lines


@frozen
class Expectation:
    """What a file expects of a ruling, and whether it has come."""

    text: str
    met: bool


@frozen
class Ruling:
    """What the rules say of one line: `legal` with the state that follows, or the clause and why.

    `sheet` has the score, where the line ends the round.
    """

    case: str
    line: int
    text: str
    legal: bool
    clause: str = ""
    why: Sentence | None = None
    after: Sentence | None = None
    sheet: ScoreSheet | None = None
    expectations: tuple[Expectation, ...] = ()


def rulings(text: str) -> Iterator[Ruling]:
    """All rulings of a file, one after the other. Raises NotationError, which names the line."""
    for case in read_cases(text):
        yield from judge(case)


def read_cases(text: str) -> tuple[Case, ...]:
    """The cases of a file. A case begins with a line `case NAME`, or with a position after lines
    that were judged; lines `note ...` are for people. Raises NotationError for a file without any.
    """
    cases: list[Case] = []
    name, stated, judged = "", list[tuple[int, str]](), list[tuple[int, str]]()
    for number, line in (*numbered_lines(text), (0, "case")):
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word == "note":
            continue
        if word == "case" or (judged and word not in _JUDGED):
            if stated or judged:
                cases.append(Case(name or f"case {len(cases) + 1}", tuple(stated), tuple(judged)))
            name, stated, judged = rest.strip() if word == "case" else "", [], []
        if word in _JUDGED:
            if not stated:
                raise NotationError("Line {line}: a case begins with a position.", line=number)
            judged.append((number, line))
        elif word != "case":
            stated.append((number, line))
    if not cases:
        raise NotationError("There is no case in this file: state a position, and moves to try.")
    return tuple(cases)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, without comments and outer blanks. Notes, which may have names
    of people in them, have no comments. Raises NotationError.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise NotationError("A file of cases has at most {most} lines.", most=MOST_LINES)
    for number, raw in enumerate(lines, 1):
        line = raw.replace("\t", " ")
        if not line.isprintable():
            raise NotationError(
                "Line {line}: there is a character that cannot be printed.", line=number
            )
        note = line.lower().startswith("note ")
        if said := (line if note else line.partition("#")[0]).strip():
            yield number, said


def judge(case: Case) -> Iterator[Ruling]:
    """The rulings of a case, one for each line that asks for one.

    Raises NotationError, which names the line, after the rulings on the lines before it.
    """
    bench = _Bench(case.name, read_position(case.stated))
    for number, line in case.judged:
        try:
            bench.take(number, line)
        except EngineError as error:
            yield from bench.rulings
            raise NotationError("Line {line}: {error}", line=number, error=error) from error
    yield from bench.rulings


@define
class _Bench:
    """The position as the moves of the case have made it, and the rulings so far.

    `tried` is what the last line has come to, where it has left the position as it was.
    """

    case: str
    position: Position
    rulings: list[Ruling] = field(factory=list)
    tried: Position | None = None

    def take(self, number: int, line: str) -> None:
        """One line to be judged. Raises NotationError."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "deal":
                self._deal(rest.split())
            case "expect":
                self._expect(rest)
            case "count":
                self._settle()
                self.position = counted(self.position, rest.split())
                self._rule(number, line, self.position)
            case trying:
                self._settle()
                after = self._judge(number, line, rest)
                if trying == "play" and after is not None:
                    self.position, self.tried = after, None
                else:
                    self.tried = after or self.position

    def _judge(self, number: int, line: str, text: str) -> Position | None:
        """Judge a move; the position after it if it is legal."""
        seat, text = _seat_and_move(text, self.position.seats)
        try:
            _check_mover(self.position, seat)
            position = revealing(self.position, text)
            move = parse_move(position, text)
            after = position.apply(move)
            check_duty(position, move)
        except IllegalMove as error:
            self.rulings.append(
                Ruling(self.case, number, line, False, error.clause, error.sentence)
            )
            return None
        self._rule(number, line, after)
        return after

    def _rule(self, number: int, line: str, after: Position) -> None:
        now = settled(after)
        self.rulings.append(
            Ruling(self.case, number, line, True, after=summary(now), sheet=now.sheet)
        )

    # -- cards

    def _settle(self) -> None:
        """Fulfil what the last move has ordered, with cards that stay hidden."""
        self.position, self.tried = settled(self.position), None
        if isinstance(order := next(iter(self.position.orders), None), OpenHand):
            raise NotationError(
                "To count, all cards of seat {seat} must be known: state its hand.",
                seat=order.seat + 1,
            )
        if self.position.orders:
            raise NotationError("A card is turned up: say which one, as in: deal Ks.")

    def _deal(self, words: list[str]) -> None:
        """Fulfil one order with the cards named. The cards of a shuffle are dealt later."""
        while self.position.orders and isinstance(self.position.orders[0], Shuffle):
            self.position = self.position.deliver()
        order = self.position.orders[0] if self.position.orders else None
        if not isinstance(order, Deal):
            raise NotationError("No card is to be dealt here.")
        if len(words) != len(order.gives):
            raise NotationError(
                "{count} cards are to be dealt here, in their order.", count=len(order.gives)
            )
        copies = Copies(self.position.deck, set(lying(self.position)))
        faces = {
            give.slot: copies.read(word)
            for give, word in zip(order.gives, words, strict=True)
            if word != HIDDEN
        }
        if any(slot not in faces for slot in order.to(None)):
            raise NotationError("A card that is turned up is not hidden: say which one it is.")
        up = [Shown(slot, faces[slot]) for slot in order.to(None)]
        private = {**self.position.private, **faces}
        self.position, self.tried = self.position.deliver(up).seen(private), None

    # -- expecting

    def _expect(self, text: str) -> None:
        if not self.rulings:
            raise NotationError("Nothing has been judged that could be expected.")
        ruling = self.rulings[-1]
        outcome = Outcome(
            ruling.legal, ruling.clause, ruling.sheet, settled(self.tried or self.position)
        )
        expectation = Expectation(text, holds(text, outcome))
        self.rulings[-1] = evolve(ruling, expectations=(*ruling.expectations, expectation))


# -- moves


def _seat_and_move(text: str, seats: int) -> tuple[Seat | None, str]:
    """A move may have the number of who makes it before it."""
    word, _, rest = text.strip().partition(" ")
    if word not in map(str, range(1, seats + 1)):
        return None, text
    return Seat(int(word) - 1), rest


def revealing(position: Position, text: str) -> Position:
    """The position in which hidden cards of the mover's hand are those that the move shows, as far
    as none of the known ones are. Raises NotationError for a card of which the deck has no more.
    """
    seat, drawn = position.turn.seat, position.turn.drawn
    known = Counter(shown.card.code for shown in position.hand(seat))
    hidden = [slot for slot in position.hands[seat] if position.face(slot) is None]
    word, *rest = text.lower().replace("+", " ").split() or [""]
    hidden.sort(key=lambda slot: (slot in drawn) != (word == "show"))  # C64, K18: what was drawn
    copies = Copies(position.deck, set(lying(position)))
    private = dict(position.private)
    for named in rest:
        code = code_of(position.deck, named)
        if code and known[code]:
            known[code] -= 1
        elif code and hidden:
            private[hidden.pop(0)] = copies.read(named)
    return position.seen(private)


def _check_mover(position: Position, seat: Seat | None) -> None:
    """It is the turn of `seat`, if one is named. Raises IllegalMove."""
    mover = position.to_move
    if mover is None:
        raise IllegalMove("X10", "The round is over; nobody moves.")
    if seat not in (None, mover):
        raise IllegalMove("X10", "It is for seat {seat} to move.", seat=mover + 1)


def check_duty(position: Position, move: Move) -> None:
    """The mover lays the bonus cards that he has to: what only the holder of a hand can know, and
    so no part of `apply` (X12). Raises IllegalMove.
    """
    duty = position.duty
    if position.to_move is None or duty is None:
        return
    laid = set(move.cards) if isinstance(move, ShowBonus) else set()
    if kept := set(duty.cards) - laid:
        first = min(kept, key=lambda shown: shown.card)
        raise IllegalMove(
            duty.clause, "The {first} must be laid on the table, before anything else.", first=first
        )


# -- cards that move by themselves


def settled(position: Position) -> Position:
    """The position with its orders fulfilled, cards staying hidden, as far as that goes."""
    while position.orders:
        shown: tuple[Shown, ...] = ()
        match position.orders[0]:
            case OpenHand(seat, slots):
                shown = position.hand(seat)
                if len(shown) != len(slots):
                    return position
            case Deal() as order if order.to(None):
                return position
        position = position.deliver(shown)
    return position


def counted(position: Position, words: list[str]) -> Position:
    """The round as it would be counted now: nobody has gone out, or with the word `out` the seat
    whose turn it is. Raises NotationError.
    """
    if words not in ([], ["out"]):
        raise NotationError("Write count, or count out if the seat whose turn it is went out.")
    if position.sheet is not None:
        return position
    closer = position.turn.seat if words else None
    check_going_out(position, closer)
    for seat, hand in enumerate(position.hands, 1):
        if any(position.face(slot) is None for slot in hand):
            raise NotationError(
                "To count, all cards of seat {seat} must be known: state its hand.", seat=seat
            )
    return settled(position.finishing(closer))


def summary(position: Position) -> Sentence:
    """The state in one line, for people: who does what next, and how many cards lie where."""
    if position.sheet is not None:
        sides = tuple(
            Sentence("side {side} {points}", side=side, points=points)
            for side, points in enumerate(position.sheet.totals, 1)
        )
        return Sentence("the round is over: {points}", points=sides)
    if position.turn.step is Step.OVER:
        return Sentence("the round is over, and the hands are opened")
    hands = " ".join(str(len(hand)) for hand in position.hands)
    stock, pile = len(position.stock), len(position.pile)
    if position.to_move is None:
        return Sentence(
            "a card is turned up; hands {hands}, stock {stock}, pile {pile}",
            hands=hands,
            stock=stock,
            pile=pile,
        )
    return Sentence(
        "seat {seat} to {step}; hands {hands}, stock {stock}, pile {pile}",
        seat=position.to_move + 1,
        step=Sentence.of(position.turn.step.value),
        hands=hands,
        stock=stock,
        pile=pile,
    )
