"""Positions as text, as FEN is to chess: a few lines that say what lies where, and what happened.

    canasta 4
    totals 1520 940
    turn 1 play
    pile 9c 4d
    hand 1 Ks Kh 9d ? ?
    meld 1 7h 7d 7s 2c

`spec/notation.md` names every line and its default. Reading and writing are inverse, up to the
numbers of the slots: these are given anew, hands first and the stock last.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from engine.cards import Card
from engine.decks import Deck
from engine.errors import EngineError, IllegalMove, NotationError
from engine.games import GAMES, game_named
from engine.melds import Laid, Meld
from engine.places import Seat, Shown, Slot, cards_of, slot_range
from engine.position import Position, Step, Turn

HIDDEN_HAND = 11
"""Hidden cards in a hand that no line speaks of."""

_DEADS = (11, 11)
_SEEN = "!"  # after a card of a hand: everybody has seen it
_HIDDEN = "?"
_LONGEST = 2000


@frozen
class _Extra:
    """A field that one game's positions have beside the common ones, as a line of numbers."""

    word: str
    field: str
    write: Callable[[Any], Iterable[int]]
    read: Callable[[tuple[int, ...]], Any]


def _seats(word: str, name: str) -> _Extra:
    """A set of seats, written from 1 on."""
    return _Extra(
        word,
        name,
        lambda seats: sorted(seat + 1 for seat in seats),
        lambda numbers: frozenset(Seat(number - 1) for number in numbers),
    )


def _counts(word: str, name: str) -> _Extra:
    """A number for each seat, or each side."""
    return _Extra(word, name, tuple, tuple)


def _one(word: str, name: str) -> _Extra:
    return _Extra(word, name, lambda number: (number,), lambda numbers: sum(numbers[:1]))


_EXTRAS: dict[str, tuple[_Extra, ...]] = {
    "canasta": (
        _counts("debts", "debts"),
        _counts("asks", "asks"),
        _counts("vain", "vain_questions"),
    ),
    "kanastic": (_seats("waiting", "waiting"), _one("rebuilds", "rebuilds")),
    "canastra": (_seats("deadtaken", "took_dead"), _one("idle", "idle_turns")),
}


# -- writing


def format_position(position: Position) -> str:
    """The position as text. Raises ValueError while cards are being dealt."""
    if position.orders:
        raise ValueError("a position is written when its orders are fulfilled")
    return "\n".join(_lines(position)) + "\n"


def _lines(position: Position) -> Iterator[str]:
    game = next(game for game in GAMES.values() if isinstance(position, game.position))
    marks = _Copies(position.deck)
    yield f"{game.name} {position.seats}"
    defaults = dict(game.options().pairs())
    for name, value in position.options.pairs():
        if value != defaults[name]:
            yield f"option {name} {_option_text(value)}"
    yield f"totals {_numbers(position.totals)}"
    yield f"dealer {position.dealer + 1}"
    yield _turn_line(position)
    if position.closer is not None:
        yield f"closer {position.closer + 1}"
    for seat, hand in enumerate(position.hands, 1):
        yield f"hand {seat} {_hand_text(position, hand, marks)}".rstrip()
    if position.pile:
        yield f"pile {marks.text(cards_of(position.pile))}"
    for side, laid in enumerate(position.laid, 1):
        for meld in laid.melds:
            yield f"meld {side} {marks.text(cards_of(meld.cards))}"
        if laid.bonus:
            yield f"bonus {side} {marks.text(cards_of(laid.bonus))}"
    yield from _extra_lines(game.name, position)
    yield f"stock {len(position.stock)}"


def _turn_line(position: Position) -> str:
    turn = position.turn
    words = [f"turn {turn.seat + 1} {turn.step.name.lower()}"]
    if turn.drawn:
        words.append(f"drew {len(turn.drawn)}")
    if turn.took:
        words.append("took")
    if turn.fresh and position.laid[position.side].melds:
        words.append("fresh")
    if turn.asked:
        words.append("asked")
    if turn.answer is not None:
        words.append("yes" if turn.answer else "no")
    return " ".join(words)


def _hand_text(position: Position, hand: tuple[Slot, ...], marks: "_Copies") -> str:
    if all(position.face(slot) is None for slot in hand):
        return str(len(hand))
    words = []
    drawn = set(position.turn.drawn)
    for slot in sorted(hand, key=drawn.__contains__):  # what was drawn in this turn stands last
        card = position.face(slot)
        if card is None:
            words.append(_HIDDEN)
        else:
            words.append(marks.text((card,)) + (_SEEN if slot in position.known else ""))
    return " ".join(words)


def _extra_lines(game: str, position: Any) -> Iterator[str]:
    for extra in _EXTRAS[game]:
        numbers = tuple(extra.write(getattr(position, extra.field)))
        if any(numbers):
            yield f"{extra.word} {_numbers(numbers)}"
    if game == "kanastic" and position.discards != cards_of(position.pile):
        # They lie somewhere else by now as well, so no copy marks: K76 asks only what they are.
        yield f"discards {' '.join(card.code for card in position.discards)}".rstrip()
    if game == "canastra":
        yield f"deads {_numbers(len(dead) for dead in position.deads)}".rstrip()
        hand = position.hands[position.turn.seat]
        if position.barred in hand:
            yield f"barred {hand.index(position.barred) + 1}"


def _option_text(value: bool | int) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


@define
class _Copies:
    """Which copies of a card are placed already: the first code of a face is its first copy."""

    deck: Deck
    placed: set[Card] = field(factory=set)

    def text(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self._code, cards))

    def _code(self, card: Card) -> str:
        copies = self._copies(card.code)
        lowest = next(copy for copy in copies if copy not in self.placed)
        self.placed.add(card)
        return card.code if card == lowest else f"{card.code}:{copies.index(card) + 1}"

    def card(self, word: str) -> Card:
        """The card that the word means, once. Raises NotationError."""
        code, colon, copy = word.partition(":")
        copies = self._copies(code[:1].upper() + code[1:].lower())
        if not copies:
            raise NotationError(f"{word[:20]!r} is no card of this game; write them like Ks or Td.")
        wanted = [c for n, c in enumerate(copies, 1) if not colon or copy == str(n)]
        free = [card for card in wanted if card not in self.placed]
        if not free:
            raise NotationError(f"There is no further {word[:20]} in the deck.")
        self.placed.add(free[0])
        return free[0]

    def _copies(self, code: str) -> list[Card]:
        return [card for card in self.deck if card.code == code]


def card_reader(position: Position) -> Callable[[str], Card]:
    """Reads codes of cards that do not lie face up in the position, each card once.

    It raises NotationError for a code of which no card is left.
    """
    shown = [*position.pile, *(s for laid in position.laid for s in laid.bonus)]
    shown += [s for laid in position.laid for meld in laid.melds for s in meld.cards]
    placed = {*cards_of(shown), *position.known.values(), *position.private.values()}
    return _Copies(position.deck, placed).card


# -- reading


def parse_position(lines: Sequence[str]) -> Position:
    """The position that the lines state.

    What is left out: totals 0, the last seat deals, seat 1 is to meld or discard, hands of hidden
    cards, an empty pile and empty tables, and all other cards of the deck in the stock. Raises
    NotationError, which names the line.
    """
    reader: _Reader | None = None
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            if len(line) > _LONGEST:
                raise NotationError(f"A line has at most {_LONGEST} characters.")
            if reader is None:
                reader = _Reader.begin(words)
            else:
                reader.take(words[0].lower(), words[1:])
        except IllegalMove as error:
            raise NotationError(f"Line {number}: no meld can lie so. {error}") from error
        except EngineError as error:
            raise NotationError(f"Line {number}: {error}") from error
    if reader is None:
        raise NotationError("A position begins with a game and a number of players: canasta 4.")
    return reader.position()


@define
class _Reader:
    """What the lines have said so far. Slots are numbered in the order of the lines."""

    start: Position
    marks: _Copies
    game: str
    options: dict[str, bool | int] = field(factory=dict)
    lines: dict[tuple[str, ...], tuple[str, ...]] = field(factory=dict)
    melds: dict[int, list[tuple[str, ...]]] = field(factory=dict)
    next_slot: int = 0

    @classmethod
    def begin(cls, words: list[str]) -> "_Reader":
        game = game_named(words[0].lower())
        players = _number(words[1:2], 2, 6, "players")
        game.check_players(players)
        totals = game.sides(players) * (0,)
        start = game.position.start(game.options(), players, Seat(players - 1), totals)
        return cls(start, _Copies(game.deck), game.name)

    def take(self, word: str, rest: list[str]) -> None:
        """One line. Cards are placed only when all is known, in a fixed order."""
        numbered = {"hand": self.start.seats, "bonus": self.start.sides, "meld": self.start.sides}
        if word == "option":
            name, value = (*rest, "", "")[:2]
            self.options[name] = _option_value(value)
        elif word == "meld":
            side = _number(rest[:1], 1, self.start.sides, "a side")
            self.melds.setdefault(side, []).append(tuple(rest[1:]))
        elif word in numbered:
            number = _number(rest[:1], 1, numbered[word], "a seat or side")
            self._keep((word, str(number)), rest[1:])
        elif word in {"totals", "dealer", "turn", "closer", "pile", "stock", *self._extra_words()}:
            self._keep((word,), rest)
        else:
            raise NotationError(f"No line of a position begins with {word[:20]!r}.")

    def _extra_words(self) -> set[str]:
        own = {"kanastic": {"discards"}, "canastra": {"deads", "barred"}}.get(self.game, set())
        return own | {extra.word for extra in _EXTRAS[self.game]}

    def _keep(self, key: tuple[str, ...], rest: list[str]) -> None:
        if key in self.lines:
            raise NotationError(f"The line “{' '.join(key)}” is there twice.")
        self.lines[key] = tuple(rest)

    # -- the whole

    def position(self) -> Position:
        start, game = self.start, game_named(self.game)
        options = game.options.from_pairs(self.options.items())
        seats, sides = start.seats, start.sides
        known: dict[Slot, Card] = {}
        private: dict[Slot, Card] = {}
        hands = tuple(self._hand(seat, known, private) for seat in range(1, seats + 1))
        pile = self._shown(self.lines.get(("pile",), ()))
        base = evolve(
            start,
            options=options,
            orders=(),
            dealer=Seat(self._one("dealer", 1, seats, seats) - 1),
            totals=self._line_of_numbers("totals", sides, -(10**7), 10**7) or sides * (0,),
            hands=hands,
            pile=pile,
            known=known,
            private=private,
        )
        laid = tuple(self._laid(base, side) for side in range(1, sides + 1))
        base = evolve(base, laid=laid, turn=self._turn(hands, laid), **self._extras(base))
        if ("closer",) in self.lines:
            base = evolve(base, closer=Seat(self._one("closer", 1, seats, 1) - 1))
        return evolve(base, stock=self._stock())

    def _hand(
        self, seat: int, known: dict[Slot, Card], private: dict[Slot, Card]
    ) -> tuple[Slot, ...]:
        words = self.lines.get(("hand", str(seat)), (str(HIDDEN_HAND),))
        slots: list[Slot] = []
        for word in words:
            if word.isdecimal() and len(word) <= 3:
                slots += self._new_slots(int(word))
                continue
            slots += self._new_slots(1)
            if word != _HIDDEN:
                seen = word.endswith(_SEEN)
                faces = known if seen else private
                faces[slots[-1]] = self.marks.card(word.removesuffix(_SEEN))
        return tuple(slots)

    def _shown(self, words: Iterable[str]) -> tuple[Shown, ...]:
        return tuple(Shown(self._new_slots(1)[0], self.marks.card(word)) for word in words)

    def _laid(self, base: Position, side: int) -> Laid:
        melds: list[Meld] = [base.meld_of(self._shown(words)) for words in self.melds.get(side, ())]
        return Laid(tuple(melds), self._shown(self.lines.get(("bonus", str(side)), ())))

    def _turn(self, hands: tuple[tuple[Slot, ...], ...], laid: tuple[Laid, ...]) -> Turn:
        words = list(self.lines.get(("turn",), ("1", "play")))
        seat = Seat(_number(words[:1], 1, self.start.seats, "a seat") - 1)
        steps = {step.name.lower(): step for step in Step if step is not Step.DEAL}
        name = "".join(words[1:2]).lower()
        if name not in steps:
            raise NotationError(f"A turn is at one of the steps {', '.join(steps)}.")
        rest = [word.lower() for word in words[2:]]
        drawn = 0
        if "drew" in rest:
            place = rest.index("drew")
            drawn = _number(rest[place + 1 : place + 2], 1, len(hands[seat]), "drawn cards")
            del rest[place : place + 2]
        if wrong := set(rest) - {"took", "fresh", "asked", "yes", "no"}:
            raise NotationError(f"A turn knows nothing of {sorted(wrong)[0][:20]!r}.")
        return Turn(
            seat,
            steps[name],
            drawn=hands[seat][len(hands[seat]) - drawn :],
            took="took" in rest,
            fresh="fresh" in rest or not laid[seat % self.start.sides].melds,
            asked="asked" in rest or "yes" in rest or "no" in rest,
            answer=("yes" in rest) if {"yes", "no"} & set(rest) else None,
        )

    def _extras(self, base: Position) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for extra in _EXTRAS[self.game]:
            default = getattr(base, extra.field)
            size = len(default) if isinstance(default, tuple) else None
            if numbers := self._line_of_numbers(extra.word, size, 0, 10**6):
                fields[extra.field] = extra.read(numbers)
        if self.game == "kanastic":
            codes = self.lines.get(("discards",))
            fields["discards"] = (
                cards_of(base.pile)
                if codes is None
                else tuple(_Copies(self.start.deck).card(code) for code in codes)
            )
        if self.game == "canastra":
            sizes = (
                self._line_of_numbers("deads", None, 1, 11)
                if ("deads",) in self.lines
                else (11, 11)
            )
            fields["deads"] = tuple(tuple(self._new_slots(size)) for size in sizes)
            if ("barred",) in self.lines:
                turn = self.lines.get(("turn",), ("1",))
                hand = base.hands[_number(list(turn[:1]), 1, 2, "a seat") - 1]
                fields["barred"] = hand[self._one("barred", 1, len(hand), 1) - 1]
        return fields

    def _stock(self) -> tuple[Slot, ...]:
        """All that lies nowhere else; a stated number must agree with that."""
        left = len(self.start.deck) - self.next_slot
        stated = self.lines.get(("stock",), (_HIDDEN,))
        if left < 0:
            raise NotationError(f"These are {-left} cards more than the deck has.")
        if stated != (_HIDDEN,) and _number(list(stated), 0, 200, "cards") != left:
            raise NotationError(
                f"The deck has {len(self.start.deck)} cards, so the stock has {left}, "
                f"not {' '.join(stated)}. Leave the line out, or mend the counts."
            )
        return tuple(self._new_slots(left))

    # -- small things

    def _new_slots(self, count: int) -> tuple[Slot, ...]:
        first, self.next_slot = self.next_slot, self.next_slot + count
        return slot_range(first, count)

    def _one(self, word: str, low: int, high: int, default: int) -> int:
        words = self.lines.get((word,))
        return default if words is None else _number(list(words), low, high, f"the line {word}")

    def _line_of_numbers(self, word: str, size: int | None, low: int, high: int) -> tuple[int, ...]:
        """The numbers of a line; () where there is none."""
        words = self.lines.get((word,), ())
        numbers = tuple(_number([each], low, high, f"the line {word}") for each in words)
        if words and size is not None and len(numbers) != size:
            raise NotationError(f"The line {word} has {size} numbers.")
        return numbers


def _number(words: list[str], low: int, high: int, what: str) -> int:
    text = words[0] if len(words) == 1 else ""
    if not text.lstrip("-").isdecimal() or len(text) > 9 or not low <= int(text) <= high:
        raise NotationError(f"For {what}, give a number from {low} to {high}.")
    return int(text)


def _option_value(text: str) -> bool | int:
    if text.lower() in ("yes", "no"):
        return text.lower() == "yes"
    return _number([text], -(10**7), 10**7, "an option")
