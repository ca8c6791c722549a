"""The referee: positions with moves to try, and the verdict of the rules on each.

A case is a position (`engine.notation.position_writer`) followed by lines to be judged:

    case Two fives and two wild cards open, and with the twos they are enough
    canasta 4
    hand 1 5h 5d 2s 2h Jo Kc
    try meld 5h 5d 2s 2h
    expect legal

These lines can be judged:

- `try MOVE` judges a move and leaves the position as it was;
- `play MOVE` judges a move and goes on from the position after it;
- `deal CARDS` names the hidden cards that the last move has ordered;
- `count` ends the round and counts it;
- `drawn CARDS` seats the players by the draw;
- `dispute TOPIC` asks about something that is not a move;
- `expect RESULT` names the expected result of the line before.

`spec/notation.md` has the grammar.
"""

from collections.abc import Callable, Container, Iterator
from math import inf

from attrs import define, evolve, field

from engine.errors import EngineError, IllegalMove, NotationError
from engine.notation.automatic_steps import check_settled, counted, settled, summary
from engine.notation.case_files import Case, at_line, read_cases
from engine.notation.dispute_answers import answer
from engine.notation.expectations import LineOutcome, check
from engine.notation.meld_hints import hint_for
from engine.notation.position_reader import read_with_words
from engine.notation.position_writer import HIDDEN, Copies, format_position, lying
from engine.notation.possible_histories import Answers, PossibleHistories, possible_histories
from engine.notation.rulings import CaseReport, Ruling, RulingVerdict
from engine.notation.seat_draws import seats_drawn
from engine.notation.try_move import Result, tried
from engine.orders import Deal, Shuffle
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Shown


def reports(text: str, clauses: Container[str] | None = None) -> Iterator[CaseReport]:
    """Return the report on each case of a file, one after the other.

    `clauses` are the clauses that expectations may name; None accepts any. Raises NotationError for
    a text that is no file of cases at all.
    """
    for case in read_cases(text):
        yield report_on(case, clauses)


def rulings(text: str) -> Iterator[Ruling]:
    """Return all rulings of a file, one after the other.

    Raises NotationError, which names the line, at the first bad line of a case.
    """
    for report in reports(text):
        yield from report.rulings
        if report.problem is not None:
            raise report.problem


def report_on(case: Case, clauses: Container[str] | None = None) -> CaseReport:
    """Return the rulings of a case, one for each line to be judged, up to its first bad line."""
    # Without a bad line all are judged: no number of a line reaches infinity.
    spoilt, problem = case.problem or (inf, None)
    try:
        bench = _Bench.open(case, clauses)
    except NotationError as error:
        return CaseReport(case.name, case.line, (), problem or error)
    for place, (number, line) in enumerate(case.judged):
        if number >= spoilt:
            break
        following = tuple(text for _, text in case.judged[place + 1 :])
        try:
            bench.take(number, line, following)
        except EngineError as error:
            problem = at_line(number, error)
            break
    return CaseReport(case.name, case.line, tuple(bench.rulings), problem, bench.written())


@define
class _Bench:
    """A case that is being judged: its positions, and the rulings so far."""

    case: str
    positions: dict[Answers, Position]
    """The position for each choice of answers to `questions`; the default answers are all 0."""
    questions: tuple[Sentence, ...]
    clauses: Container[str] | None
    rulings: list[Ruling] = field(factory=list)
    tried: Position | None = None
    """The position at which `expect` looks; with None it looks at `position`.

    For example, it is the position after the move of a line `try`, which changes no `positions`.
    """
    seats: tuple[int, ...] = ()

    @classmethod
    def open(cls, case: Case, clauses: Container[str] | None) -> "_Bench":
        """Return the bench for a case, or raise NotationError."""
        position, stated = read_with_words(case.stated)
        found: PossibleHistories = possible_histories(position, stated)
        return cls(case.name, found.positions, found.questions, clauses)

    @property
    def position(self) -> Position:
        """The position that the notation's defaults lead to."""
        return self.positions[len(self.questions) * (0,)]

    def written(self) -> str:
        """Return the position as text; "" while cards are being dealt."""
        return _written(settled(self.position))

    def take(self, number: int, line: str, following: tuple[str, ...]) -> None:
        """Judge one line, or raise NotationError; `following` are the lines after it."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "deal":
                self._deal(number, line, rest.split())
            case "expect":
                self._expect(rest)
            case "count":
                words = rest.lower().split()
                # `_settle` would ask for the cards of the hands that stay closed.
                if "closed" not in words:
                    self._settle()
                self._map(lambda position: counted(position, words))
                self._rule(number, line, self.position)
            case "drawn":
                clause, self.seats, said = seats_drawn(self.position, rest.split())
                self._answer(number, line, RulingVerdict.ANSWERED, clause, said)
            case "dispute":
                verdict, clause, said = answer(self.position, rest)
                self._answer(number, line, verdict, clause, said)
            case trying:
                self._settle()
                self._judge(number, line, rest, following, goes_on=trying == "play")

    # -- moves

    def _judge(
        self, number: int, line: str, text: str, following: tuple[str, ...], *, goes_on: bool
    ) -> None:
        """Judge a move in all possible histories; go on from the position after it if `goes_on`."""
        # One position for each choice of answers to the open questions. If all agree on the
        # verdict, the questions do not matter; the first position has the default answers.
        results = {answers: tried(each, text) for answers, each in self.positions.items()}
        first = results[len(self.questions) * (0,)]
        # If the move is refused, or nobody can decide, `expect` looks at the position before it.
        self.tried = self.position
        if len({_verdict(result) for result in results.values()}) > 1:
            say = tuple(self._deciding(results))
            self.rulings.append(
                Ruling(
                    self.case,
                    number,
                    line,
                    RulingVerdict.UNDECIDED,
                    say=say,
                    position=_written(settled(self.position)),
                )
            )
        elif isinstance(first, IllegalMove):
            hint = hint_for(self.position, text, first, following)
            self._refuse(number, line, first, hint)
        else:
            self._rule(number, line, first)
            self.tried = first
            if goes_on:
                # All results agree here, so none of them is a refusal. The test only tells mypy so.
                after = {a: r for a, r in results.items() if not isinstance(r, IllegalMove)}
                self.positions, self.tried = after, None

    def _deciding(self, results: dict[Answers, Result]) -> Iterator[Sentence]:
        """Return the questions on which the verdict depends, as the lines that would answer them.

        A question matters if, with all other answers the same, its answers lead to different
        verdicts.
        """
        for place, question in enumerate(self.questions):
            rest: dict[Answers, set[str | None]] = {}
            for answers, result in results.items():
                others = answers[:place] + answers[place + 1 :]
                rest.setdefault(others, set()).add(_verdict(result))
            if any(len(verdicts) > 1 for verdicts in rest.values()):
                yield question

    # -- rulings

    def _rule(self, number: int, line: str, after: Position) -> None:
        now = settled(after)
        self.rulings.append(
            Ruling(
                self.case,
                number,
                line,
                RulingVerdict.LEGAL,
                after=summary(now),
                sheet=now.sheet,
                position=_written(now),
            )
        )

    def _refuse(self, number: int, line: str, error: IllegalMove, hint: Sentence | None) -> None:
        self.rulings.append(
            Ruling(
                self.case,
                number,
                line,
                RulingVerdict.ILLEGAL,
                error.clause,
                error.sentence,
                hint=hint,
                position=_written(settled(self.position)),
            )
        )

    def _answer(
        self, number: int, line: str, verdict: RulingVerdict, clause: str, said: Sentence
    ) -> None:
        self.tried = None
        self.rulings.append(
            Ruling(self.case, number, line, verdict, clause, after=said, position=self.written())
        )

    # -- cards

    def _map(self, change: Callable[[Position], Position]) -> None:
        self.positions = {answers: change(each) for answers, each in self.positions.items()}
        self.tried = None

    def _settle(self) -> None:
        """Fulfil the orders of the last move with cards that stay hidden."""
        self._map(settled)
        check_settled(self.position)

    def _deal(self, number: int, line: str, words: list[str]) -> None:
        """Fulfil one order with the cards named, and show the score if that ends the round."""
        self._map(lambda position: dealt(position, words))
        # A deal can end the round: in Hand and Foot by feet that are turned up (H62), in Kanastic
        # by the last card of the stock (K94). Then the round is counted without a line `count`.
        if settled(self.position).sheet is not None:
            self._rule(number, line, self.position)

    def _expect(self, text: str) -> None:
        if not self.rulings:
            raise NotationError(
                "There is no verdict yet: an expectation follows the line that it is about."
            )
        ruling = self.rulings[-1]
        position = settled(self.tried or self.position)
        found = check(text, LineOutcome(ruling, position, self.clauses, self.seats))
        self.rulings[-1] = evolve(ruling, expectations=(*ruling.expectations, found))


def _verdict(result: Result) -> str | None:
    """Return the clause of a refusal; None for a legal move."""
    return result.clause if isinstance(result, IllegalMove) else None


def _written(position: Position) -> str:
    return "" if position.orders else format_position(position)


def dealt(position: Position, words: list[str]) -> Position:
    """Return the position after an order to deal is fulfilled with the cards named.

    Shuffles that come before that order are fulfilled, too. Raises NotationError.
    """
    while position.orders and isinstance(position.orders[0], Shuffle):
        position = position.deliver()
    order = position.orders[0] if position.orders else None
    if not isinstance(order, Deal):
        raise NotationError("No card is to be dealt here.")
    if len(words) != len(order.gives):
        raise NotationError(
            Sentence.counted(
                "{n} card is to be dealt here.",
                "{n} cards are to be dealt here, in their order.",
                len(order.gives),
            )
        )
    copies = Copies(position.deck, set(lying(position)))
    seen = {
        give.slot: Shown(give.slot, copies.read(word))
        for give, word in zip(order.gives, words, strict=True)
        if word != HIDDEN
    }
    if any(slot not in seen for slot in order.turned_up):
        raise NotationError("A card that is turned up is not hidden: say which one it is.")
    up = [seen[slot] for slot in order.turned_up]
    private = {**position.private, **seen}
    return position.deliver(up).seen(private.values())
