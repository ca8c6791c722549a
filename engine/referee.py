"""The referee: positions with moves to try, and what the rules say of each.

A case is a position (`engine.position_text`) followed by what is to be judged:

    case Two fives and two wild cards open, and with the twos they are enough
    canasta 4
    hand 1 5h 5d 2s 2h Jo Kc
    try meld 5h 5d 2s 2h
    expect legal

`try MOVE` judges a move and leaves the position as it was, `play MOVE` goes on from it, `deal
CARDS` names the hidden cards that the last move has ordered, `count` ends the round and counts it
(`count closer 1` with seat 1 going out), `expect` says what the last of these must have come to.
See `spec/notation.md`.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, evolve, field, frozen

from engine.errors import EngineError, IllegalMove, NotationError
from engine.moves import Move, ShowBonus
from engine.notation import parse_move
from engine.orders import Deal, OpenHand
from engine.places import Seat, Shown
from engine.position import Position, Step
from engine.position_text import card_reader, parse_position
from engine.scoring import ScoreSheet

MOST_LINES = 100_000

_JUDGED = ("try", "play", "deal", "count", "expect")


@frozen
class Case:
    """One case of a file: its name, the position's lines and the lines to be judged, each with
    its number in the file.
    """

    name: str
    stated: tuple[tuple[int, str], ...]
    judged: tuple[tuple[int, str], ...]


@frozen
class Ruling:
    """What the rules say of one line: `legal` with the state that follows, or the clause and why.

    For a count, `sheet` has the score. `met` tells whether what the file expects has come; None
    where it expects nothing.
    """

    case: str
    line: int
    text: str
    legal: bool
    clause: str = ""
    why: str = ""
    after: str = ""
    sheet: ScoreSheet | None = None
    expected: str = ""
    met: bool | None = None


def read_cases(text: str) -> tuple[Case, ...]:
    """The cases of a file. Raises NotationError for a file without any."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise NotationError(f"A file of cases has at most {MOST_LINES} lines.")
    cases: list[Case] = []
    name, stated, judged = "", [], []  # type: str, list[tuple[int, str]], list[tuple[int, str]]
    for number, line in enumerate([*lines, "case"], 1):
        word = (line.split("#")[0].split() or [""])[0].lower()
        if word == "case" or (judged and word and word not in _JUDGED):
            if stated or judged:
                cases.append(Case(name or f"case {len(cases) + 1}", tuple(stated), tuple(judged)))
            name, stated, judged = " ".join(line.split()[1:]) if word == "case" else "", [], []
            if word == "case":
                continue
        if word:
            (judged if word in _JUDGED else stated).append((number, line))
    if not cases:
        raise NotationError("There is no case in this file: state a position, and moves to try.")
    return tuple(cases)


def judge(case: Case) -> tuple[Ruling, ...]:
    """The rulings of a case, one for each line that asks for one.

    Raises NotationError, which names the line, for what cannot be read.
    """
    if not case.stated:
        raise NotationError(f"Line {case.judged[0][0]}: a case begins with a position.")
    first = case.stated[0][0]
    # Lines keep the numbers that they have in the file.
    padded = [""] * (case.stated[-1][0] - first + 1)
    for number, line in case.stated:
        padded[number - first] = line
    try:
        position = parse_position([*([""] * (first - 1)), *padded])
    except NotationError as error:
        raise NotationError(f"{case.name}: {error}") from error
    bench = _Bench(case.name, position)
    for number, line in case.judged:
        try:
            bench.take(number, line.split("#")[0].strip())
        except EngineError as error:
            raise NotationError(f"{case.name}: Line {number}: {error}") from error
    return tuple(bench.rulings)


@define
class _Bench:
    """The position as the moves of the case have made it, and the rulings so far."""

    case: str
    position: Position
    rulings: list[Ruling] = field(factory=list)

    def take(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word.lower():
            case "try":
                self._dealt_hidden()
                self._rule(number, line, rest)
            case "play":
                self._dealt_hidden()
                after = self._rule(number, line, rest)
                self.position = after or self.position
            case "deal":
                self._deal(rest.split())
            case "count":
                self._dealt_hidden()
                self._count(number, line, rest.split())
            case _:
                self._expect(rest)

    def _rule(self, number: int, line: str, text: str) -> Position | None:
        move = parse_move(self.position, text)
        try:
            after = self.position.apply(move)
            self._check_duty(move)
        except IllegalMove as error:
            self.rulings.append(Ruling(self.case, number, line, False, error.clause, error.why))
            return None
        self.rulings.append(
            Ruling(self.case, number, line, True, after=summary(after), sheet=after.sheet)
        )
        return after

    def _check_duty(self, move: Move) -> None:
        """What only the holder of a hand can know to be due. Raises IllegalMove (X5)."""
        turn = self.position.turn
        if turn.step is not Step.PLAY or isinstance(move, ShowBonus):
            return
        due = self.position.legal_moves(turn.seat)
        if due and all(isinstance(duty, ShowBonus) for duty in due):
            raise IllegalMove("X5", "A bonus card must be laid first; it shows when hands open.")

    # -- cards

    def _dealt_hidden(self) -> None:
        """Fulfil what the last move has ordered, with cards that stay hidden."""
        while self.position.orders:
            match self.position.orders[0]:
                case OpenHand(seat, slots):
                    self.position = self.position.deliver(self._open(seat, slots))
                case Deal() as order if order.to(None):
                    raise NotationError("A card is turned up: say which one, as in: deal Ks.")
                case _:
                    self.position = self.position.deliver()

    def _open(self, seat: Seat, slots: Sequence[int]) -> tuple[Shown, ...]:
        shown = self.position.hand(seat)
        if len(shown) != len(slots):
            raise NotationError(f"To count, all cards of seat {seat + 1} must be known.")
        return shown

    def _deal(self, words: list[str]) -> None:
        """Fulfil one order with the cards named, those turned up and those of the receiver."""
        order = self.position.orders[0] if self.position.orders else None
        if not isinstance(order, Deal) or len(words) != len(order.gives):
            count = len(order.gives) if isinstance(order, Deal) else 0
            raise NotationError(f"There are {count} cards to be dealt here.")
        read = card_reader(self.position)
        shown = [
            Shown(give.slot, read(word)) for give, word in zip(order.gives, words, strict=True)
        ]
        up = [card for card, give in zip(shown, order.gives, strict=True) if give.seat is None]
        private = {**self.position.private, **{card.slot: card.card for card in shown}}
        self.position = self.position.deliver(up).seen(private)

    # -- counting and expecting

    def _count(self, number: int, line: str, words: list[str]) -> None:
        closer = self.position.closer
        if words:
            if len(words) != 2 or words[0] != "closer" or words[1] not in map(str, self._seats()):
                raise NotationError("Write count, or count closer and a seat.")
            closer = Seat(int(words[1]) - 1)
        if self.position.sheet is None:
            base = evolve(self.position, closer=closer)
            self.position = base.finishing(closer)
            self._dealt_hidden()
        sheet = self.position.sheet
        self.rulings.append(
            Ruling(self.case, number, line, True, after=summary(self.position), sheet=sheet)
        )

    def _seats(self) -> range:
        return range(1, self.position.seats + 1)

    def _expect(self, text: str) -> None:
        if not self.rulings:
            raise NotationError("Nothing has been judged that could be expected.")
        ruling = self.rulings[-1]
        word, *rest = text.split() or [""]
        match word.lower():
            case "legal" if not rest:
                met = ruling.legal
            case "illegal" if len(rest) <= 1:
                met = not ruling.legal and (not rest or rest[0] == ruling.clause)
            case "score":
                points = ruling.sheet.totals if ruling.sheet else ()
                met = [str(number) for number in points] == rest
            case _:
                raise NotationError(
                    "Expect is followed by legal, illegal with a clause, or score with points."
                )
        earlier = ruling.met is not False
        expected = f"{ruling.expected}; {text}" if ruling.expected else text
        self.rulings[-1] = evolve(ruling, expected=expected, met=met and earlier)


def summary(position: Position) -> str:
    """The state in one line, for people: who does what next, and how many cards lie where."""
    if position.sheet is not None:
        points = ", ".join(f"side {n} {p}" for n, p in enumerate(position.sheet.totals, 1))
        return f"the round is over: {points}"
    if position.turn.step is Step.OVER:
        return "the round is over; the hands are opened"
    seat = position.turn.seat if position.to_move is None else position.to_move
    hands = " ".join(str(len(hand)) for hand in position.hands)
    return (
        f"seat {seat + 1} to {position.turn.step.value}; hands {hands}, "
        f"stock {len(position.stock)}, pile {len(position.pile)}"
    )


def rulings(text: str) -> Iterator[Ruling]:
    """All rulings of a file. Raises NotationError."""
    for case in read_cases(text):
        yield from judge(case)


def failed(found: Iterable[Ruling]) -> bool:
    """Whether an expectation does not hold."""
    return any(ruling.met is False for ruling in found)
