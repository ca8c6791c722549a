"""The reader of positions that are written as text (`engine.notation.position_writer`).

All lines are collected first, and then evaluated in a fixed order. So their order in the text does
not matter. Every error names the line that it is about. `spec/notation.md` has the grammar.
"""

import re
from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, field, frozen

from engine.errors import EngineError, IllegalMove, NotationError
from engine.game import Game
from engine.games import GAMES, game_named
from engine.melds import Laid, Meld
from engine.moves import Discard
from engine.notation.automatic_steps import check_going_out
from engine.notation.case_files import JUDGED
from engine.notation.going_out_questions import read_asked
from engine.notation.moves import parse_move
from engine.notation.numbers import read_number
from engine.notation.position_writer import HIDDEN, SEEN, Copies
from engine.notation.similar_words import unknown_word
from engine.notation.turn_reader import read_turn
from engine.own_lines import NONE, SOME_CARD, LineKind, OwnLine
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat, Shown, Slot, cards_of, slot_range
from engine.turn import Step

_HIDDEN_HAND = 11
"""Number of hidden cards in a hand that no line mentions."""

LONGEST_LINE = 2000
"""The maximum number of characters in a line."""
_MOST_POINTS = 10_000_000
_MOST_TURNS = 1_000_000
_COUNT = re.compile(r"[0-9]{1,3}", re.ASCII)

_MATCH_LINES = {"round", "totals", "dealer", "shuffled"}
_ROUND_LINES = {"turn", "pile", "stock"}
_AFTER_A_POSITION = ("case", "note", *JUDGED)


def line_words(game: Game) -> tuple[str, ...]:
    """Return the first words of lines in a position of that game, except for the first line."""
    own = {own.word for own in game.position.own_lines}
    if game.position.bonus_duty:
        own.add("bonus")
    return tuple(sorted({"hand", "meld", "option", *_MATCH_LINES, *_ROUND_LINES, *own}))


def parse_position(text: str) -> Position:
    r"""Return the position that the text states; a NotationError names the line at fault.

    By default totals are 0, the last seat deals, seat 1 is to meld or discard, hands have hidden
    cards, the pile and the tables are empty, and all other cards are in the stock. With the line
    `shuffled` nothing is dealt yet; only such a position may have orders.

    >>> position = parse_position("canasta 4\nhand 1 Ks Kh ?\nstock 20 ?")
    >>> len(position.hands[0]), len(position.hands[1]), len(position.stock)
    (3, 11, 20)
    """
    return read_with_words(enumerate(text.split("\n"), 1))[0]


def read_with_words(lines: Iterable[tuple[int, str]]) -> tuple[Position, frozenset[str]]:
    """Return the position of numbered lines, and the words that the lines begin with.

    The line `turn` also gives its further words, each in the form "turn drew".
    """
    reader: _Reader | None = None
    at = 0
    try:
        for at, line in lines:
            if len(line) > LONGEST_LINE:
                raise NotationError("A line has at most {most} characters.", most=LONGEST_LINE)
            words = tuple(line.partition("#")[0].split())
            if not words:
                continue
            if reader is None:
                reader = _Reader.begin(words)
            else:
                reader.take(at, words)
    except EngineError as error:
        raise NotationError("Line {line}: {error}", line=at, error=error) from error
    if reader is None:
        raise NotationError("A position begins with a game and a number of players: canasta 4.")
    try:
        return reader.position(), reader.stated
    except EngineError as error:
        raise NotationError("Line {line}: {error}", line=reader.at, error=error) from error


@frozen
class _Line:
    number: int
    words: tuple[str, ...]


@define
class _Reader:
    """A reader that collects the lines of a position, and then makes the position."""

    game: Game
    start: Position
    copies: Copies
    options: list[tuple[str, bool | int]] = field(factory=list)
    lines: dict[tuple[str, ...], _Line] = field(factory=dict)
    melds: list[tuple[int, _Line]] = field(factory=list)
    at: int = 0
    """Number of the line that is being evaluated."""
    next_slot: int = 0
    """The next slot to be given to a card."""

    @classmethod
    def begin(cls, words: tuple[str, ...]) -> "_Reader":
        """Return a reader for the game and the number of players in the first line."""
        if words[0].lower() not in GAMES:
            why = Sentence(
                "There is no game {name!r}; a position begins with one of {games} and the number "
                "of players: canasta 4.",
                name=words[0][:20],
                games=", ".join(GAMES),
            )
            raise unknown_word(why, words[0], (*GAMES, *_AFTER_A_POSITION))
        game = game_named(words[0].lower())
        players = read_number(words[1:], 2, 6, Sentence("the players"))
        game.check_players(players)
        start = game.position.start(
            game.options(), players, Seat(players - 1), game.sides(players) * (0,)
        )
        return cls(game, start, Copies(start.deck))

    @property
    def stated(self) -> frozenset[str]:
        """The words that `read_with_words` returns."""
        turn = self.lines.get(("turn",))
        happened = (f"turn {word.lower()}" for word in (turn.words[2:] if turn else ()))
        return frozenset((*(key[0] for key in self.lines), *happened))

    # -- taking lines

    def take(self, number: int, words: tuple[str, ...]) -> None:
        """Collect one line; raise NotationError if it is there twice, or not a line of the game."""
        self.at = number
        word, rest = words[0].lower(), words[1:]
        sides = self.start.sides
        numbered = {"hand": self.start.seats}
        if self.start.bonus_duty:
            numbered["bonus"] = sides
        if word == "option":
            self._take_option(rest)
        elif word == "meld":
            side = read_number(rest[:1], 1, sides, Sentence("the side"))
            self.melds.append((side, _Line(number, rest[1:])))
        elif word in numbered:
            whose = read_number(rest[:1], 1, numbered[word], Sentence("the seat or side"))
            self._keep((word, str(whose)), rest[1:])
        elif word in line_words(self.game):
            self._keep((word,), rest)
        else:
            possible = line_words(self.game)
            why = Sentence(
                "No line of {game} begins with {word!r}. Lines of a position begin with {lines}; "
                "those to be judged with {judged}.",
                game=self.game.title,
                word=word[:20],
                lines=", ".join(possible),
                judged=", ".join(JUDGED),
            )
            raise unknown_word(why, word, (*possible, *_AFTER_A_POSITION))

    def _take_option(self, rest: tuple[str, ...]) -> None:
        if len(rest) != 2:
            raise NotationError("An option has a name and a value, as in: option target 3000.")
        name, value = rest[0].lower()[:40], rest[1].lower()
        yes_or_no = value in ("yes", "no")
        self.options.append(
            (
                name,
                value == "yes"
                if yes_or_no
                else read_number([value], 0, 10**7, Sentence("the option")),
            )
        )
        self.game.options.from_pairs(self.options)  # refuses a bad option while `at` is its line

    def _keep(self, key: tuple[str, ...], rest: tuple[str, ...]) -> None:
        if key in self.lines:
            raise NotationError("The line “{words}” is there twice.", words=" ".join(key))
        self.lines[key] = _Line(self.at, rest)

    def _words(self, *key: str) -> tuple[str, ...] | None:
        """Return the words of a line; None if there is no such line.

        Errors that follow are reported for this line.
        """
        line = self.lines.get(key)
        if line is not None:
            self.at = line.number
        return None if line is None else line.words

    # -- the whole

    def position(self) -> Position:
        """Return the position, when all lines are collected."""
        start = self._start()
        self.copies = Copies(start.deck)  # the deck may depend on the options
        if (words := self._words("shuffled")) is not None:
            if words or self.melds or self.lines.keys() - {(line,) for line in _MATCH_LINES}:
                raise NotationError(
                    "With the line “shuffled” no card is dealt yet: state no cards."
                )
            return start.deliver()
        # The order matters: slots are given out one after the other, the turn needs hands and
        # melds, a game's own lines need the turn, and the stock gets what is left of the deck.
        known: dict[Slot, Shown] = {}
        private: dict[Slot, Shown] = {}
        hands = tuple(self._hand(seat, known, private) for seat in range(1, start.seats + 1))
        pile = self._shown(self._words("pile") or ())
        dealt = evolve(start, orders=(), hands=hands, pile=pile, known=known, private=private)
        laid = tuple(self._laid(dealt, side) for side in range(1, start.sides + 1))
        played = evolve(dealt, laid=laid)
        turning = evolve(played, turn=read_turn(played, self._words("turn")))
        whole = self._stocked(self._with_own_lines(turning))
        return self._counted(whole) if whole.turn.step is Step.OVER else whole

    def _start(self) -> Position:
        """Return a round about to be shuffled, with the stated options, points and dealer."""
        seats = self.start.seats
        words = self._words("dealer")
        dealer = seats if words is None else read_number(words, 1, seats, Sentence("the dealer"))
        return self.game.position.start(
            self.game.options.from_pairs(self.options),
            seats,
            Seat(dealer - 1),
            self._numbers("totals", self.start.sides, -_MOST_POINTS, _MOST_POINTS)
            or self.start.totals,
            # `_numbers` returns () without such a line, and otherwise one number: the sum is 0 or
            # that number.
            sum(self._numbers("round", 1, 1, _MOST_TURNS)) or 1,
        )

    # -- cards

    def _hand(
        self, seat: int, known: dict[Slot, Shown], private: dict[Slot, Shown]
    ) -> tuple[Slot, ...]:
        words = self._words("hand", str(seat))
        slots: list[Slot] = []
        # A number stands for so many hidden cards: `hand 1 Ks 3` has four cards.
        for word in (str(_HIDDEN_HAND),) if words is None else words:
            if _COUNT.fullmatch(word):
                slots += self._new_slots(int(word))
                continue
            slots += self._new_slots(1)
            if word != HIDDEN:
                seen = known if word.endswith(SEEN) else private
                card = self.copies.read(word.removesuffix(SEEN))
                seen[slots[-1]] = Shown(slots[-1], card)
        return tuple(slots)

    def _shown(self, words: Iterable[str]) -> tuple[Shown, ...]:
        return tuple(Shown(self._new_slots(1)[0], self.copies.read(word)) for word in words)

    def _laid(self, position: Position, side: int) -> Laid:
        melds: list[Meld] = []
        for whose, line in self.melds:
            if whose == side:
                self.at = line.number
                melds.append(self._meld(position, line.words, melds))
        bonus = self._shown(self._words("bonus", str(side)) or ())
        for shown in bonus:
            if not position.is_bonus(shown.card):
                raise NotationError(
                    "The {shown} is no bonus card of {game}.", shown=shown, game=self.game.title
                )
        return Laid(tuple(melds), bonus)

    def _meld(self, position: Position, words: Iterable[str], before: list[Meld]) -> Meld:
        try:
            meld = position.meld_of(self._shown(words))
        except IllegalMove as error:
            raise NotationError("These cards are no meld. {error}", error=error) from error
        ranks = {other.rank for other in before} - {None}
        if position.one_meld_of_a_rank and meld.rank in ranks:
            raise NotationError(
                "A side has only one meld of each rank: state its cards in one line."
            )
        return meld

    def _new_slots(self, count: int) -> tuple[Slot, ...]:
        first, self.next_slot = self.next_slot, self.next_slot + count
        if self.next_slot > len(self.copies.deck):
            raise NotationError(
                "Together these are more cards than the {deck} of the deck. (A hand "
                "without a line has {size}.)",
                deck=len(self.copies.deck),
                size=_HIDDEN_HAND,
            )
        return slot_range(first, count)

    # -- the turn

    def _counted(self, position: Position) -> Position:
        """Return a round that is over, with its sheet."""
        out = "out" in (self._words("turn") or ())
        hidden = any(position.face(slot) is None for hand in position.hands for slot in hand)
        if hidden and not position.hands_cost_by_number:
            raise NotationError("When a round is over all hands are open: state all their cards.")
        closer = position.turn.seat if out else None
        check_going_out(position, closer)
        # `score` looks at the closer, so the closer must be set before the sheet is made.
        ended = evolve(position, closer=closer)
        return evolve(ended, sheet=ended.score())

    # -- lines that only this game has

    def _with_own_lines(self, position: Position) -> Position:
        # In the game's order, because a line may need another one before it: how many `deads` are
        # left depends on `deadtaken`.
        for own in position.own_lines:
            value = self._own_value(position, own)
            if isinstance(value, Shown):  # a card that lay in the pile: everybody has seen it
                position = evolve(position, known={**position.known, value.slot: value})
                value = value.slot
            position = evolve(position, **{own.field: value})
        return position.inferred()

    def _own_value(self, position: Position, own: OwnLine) -> Any:
        match own.kind:
            case LineKind.SEATS:
                seats = self._numbers(own.word, None, 1, position.seats)
                return frozenset(Seat(seat - 1) for seat in seats)
            case LineKind.ONE:
                return sum(self._numbers(own.word, 1, 0, _MOST_TURNS))
            case LineKind.BY_SEAT | LineKind.BY_SIDE:
                size = position.seats if own.kind is LineKind.BY_SEAT else position.sides
                return self._numbers(own.word, size, 0, _MOST_TURNS) or size * (0,)
            case LineKind.DISCARDS:
                words = self._words(own.word)
                if words is None:
                    return cards_of(position.pile)
                # The same cards are stated again where they lie now, so copies are counted
                # separately here.
                copies = Copies(self.copies.deck)
                return tuple(SOME_CARD if w == HIDDEN else copies.read(w) for w in words)
            case LineKind.HANDS:
                hands = own.most or position.seats
                most = hands - len(getattr(position, own.taken))
                left = self._numbers(own.word, 1, 0, hands) or (most,)
                return tuple(self._new_slots(own.size) for _ in range(left[0]))
            case LineKind.ASKED:
                groups = " ".join(self._words(own.word) or ()).split(" / ")
                return tuple(read_asked(position, group.split()) for group in groups if group)
            case LineKind.CARD:
                words = self._words(own.word) or ()
                if _are_none(words):
                    return None
                move = parse_move(position, f"discard {' '.join(words)}")
                assert isinstance(move, Discard)
                return move.card

    # -- the stock

    def _stocked(self, position: Position) -> Position:
        """Return the position with all cards that lie nowhere else in the stock.

        A number in the line `stock` must agree with that.
        """
        words = self._words("stock") or (HIDDEN,)
        # Slots were given to all cards that are stated, one after the other, so `next_slot` counts
        # them.
        left = len(self.copies.deck) - self.next_slot
        count = left
        if words != (HIDDEN,):
            # `stock 40` must be all cards that are left; `stock 40 ?` may be fewer.
            open_rest = words[1:] == (HIDDEN,)
            count = read_number(
                words[:1] if open_rest else words,
                0,
                len(self.copies.deck),
                Sentence("the cards of the stock"),
            )
            if count > left:
                raise NotationError(
                    "The deck has {deck} cards, so {left} are left for the stock, not {count}. "
                    "Leave the line out, or mend the counts.",
                    deck=len(self.copies.deck),
                    left=left,
                    count=count,
                )
            if count < left and not open_rest:
                raise NotationError(
                    "The deck has {deck} cards, so {left} are left for the stock, not {count}. "
                    "Leave the line out, or mend the counts, or write: stock {count} {hidden}.",
                    deck=len(self.copies.deck),
                    left=left,
                    count=count,
                    hidden=HIDDEN,
                )
        if not count and position.turn.step is Step.DRAW and not position.draws_without_stock:
            raise NotationError(
                "Before this draw the stock would have been renewed, so it cannot be empty."
            )
        return evolve(position, stock=self._new_slots(count))

    # -- numbers

    def _numbers(self, word: str, size: int | None, low: int, high: int) -> tuple[int, ...]:
        """Return the numbers of a line; () if there is no such line."""
        words = self._words(word)
        if words is None or (size is None and _are_none(words)):
            return ()
        if size is not None and len(words) != size:
            raise NotationError(
                "The line {word} has {count}.",
                word=word,
                count=Sentence.counted("{n} number", "{n} numbers", size),
            )
        return tuple(
            read_number([each], low, high, Sentence("the line {word}", word=word)) for each in words
        )


def _are_none(words: tuple[str, ...]) -> bool:
    return not words or tuple(word.lower() for word in words) == (NONE,)
