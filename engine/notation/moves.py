"""The text notation of moves: "draw", "meld 7h 7d 7s + Qc to 2", "discard Ks:2".

`spec/notation.md` has the grammar. Cards are written by the codes printed on them. If several
cards of the hand have the same code, the code alone means the card with the lowest number among the
cards not named yet. A mark after the code names another card, as in `Ks:2`. So the text is short,
means the same to everybody who sees the hand, and `parse_move` returns the same move that
`format_move` has written.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Self

from attrs import define

from engine.decks import Deck
from engine.errors import CardNotThere, NotationError
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
    shown_by,
)
from engine.notation.cards import copy_mark, gold_twin, read_code
from engine.notation.similar_words import unknown_word
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Shown, Slot

LONGEST = 1000
"""Maximum number of characters in a move."""

_PLAIN: Mapping[str, Move] = {
    "draw": DrawStock(),
    "ask": Ask(),
    "yes": Answer(True),
    "no": Answer(False),
    "pass": Pass(),
}
_PLAYING: Mapping[str, type[TakePile | TakeTop | LayMelds]] = {
    "take": TakePile,
    "top": TakeTop,
    "meld": LayMelds,
}
_WORDS = (*_PLAIN, *_PLAYING, "cut", "show", "discard")

_TOP = "^"
_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


def format_move(position: Position, move: Move) -> str:
    """Return the move as text, for readers who see the cards that `position` shows."""
    cards = _Cards.of(position, named=shown_by(move), taking=isinstance(move, TakePile | TakeTop))
    match move:
        case Cut(number):
            return f"cut {number}"
        case Discard(card):
            return f"discard {cards.written((card,))}"
        case ShowBonus(shown):
            return f"show {cards.written(shown)}".rstrip()
        case TakePile(plays) | TakeTop(plays) | LayMelds(plays):
            word = next(word for word, kind in _PLAYING.items() if isinstance(move, kind))
            return f"{word} {' + '.join(_written_play(play, cards) for play in plays)}".rstrip()
        case _:
            return next(word for word, plain in _PLAIN.items() if plain == move)


def parse_move(position: Position, text: str) -> Move:
    """Return the move that the text names, with cards that are known to be in the mover's hand.

    Raises NotationError if the text names no move. `Position.apply` checks if the move is legal.
    """
    check_move(position.deck, text)
    word, rest = _words(text)
    return _read_move(word, rest, _Cards.of(position, taking=word in ("take", "top")))


def check_move(deck: Deck, text: str) -> None:
    """Raise NotationError for a text that names no move; it does not matter who has the cards.

    >>> from engine.canasta.deck import CANASTA
    >>> check_move(CANASTA, "meld 7h 7d 7s + Qc to 2")
    >>> check_move(CANASTA, "draw 2")
    Traceback (most recent call last):
    ...
    engine.errors.NotationError: Nothing may follow the word draw.
    """
    if len(text) > LONGEST:
        raise NotationError("A move has at most {most} characters.", most=LONGEST)
    _read_move(*_words(text), _AnyCards(deck))


def _words(text: str) -> tuple[str, list[str]]:
    """Return the first word, and the others."""
    # Blanks beside a plus sign may be left out: `7h 7d 7s+Qc`.
    word, *rest = text.replace("+", " + ").split() or [""]
    return word.lower(), rest


def _read_move(word: str, rest: list[str], cards: "_Cards | _AnyCards") -> Move:
    if word in _PLAIN:
        if rest:
            raise NotationError("Nothing may follow the word {word}.", word=word)
        return _PLAIN[word]
    if word in _PLAYING:
        plays = tuple(_read_play(group, cards) for group in _groups(rest))
        if not plays and word != "take":
            raise NotationError("Say which cards, as in: {word} 7h 7d 7s.", word=word)
        return _PLAYING[word](plays)
    match word:
        case "cut":
            if len(rest) != 1:
                raise NotationError("Say at which card, as in: cut 40.")
            return Cut(_read_number(rest[0]))
        case "show":
            return ShowBonus(cards.read(rest))
        case "discard":
            if len(rest) != 1:
                raise NotationError("Say which one card, as in: discard 3s.")
            return Discard(*cards.read(rest))
        case _:
            why = Sentence("A move begins with one of the words {words}.", words=", ".join(_WORDS))
            raise unknown_word(why, word, _WORDS)


def kind_of(text: str) -> type[Move] | None:
    """Return the kind of move that the first word of a text names; None for any other word.

    >>> kind_of("discard 3s").__name__
    'Discard'
    """
    word, _rest = _words(text)
    if word in _PLAIN:
        return type(_PLAIN[word])
    return {**_PLAYING, "cut": Cut, "show": ShowBonus, "discard": Discard}.get(word)


# -- plays


def _written_play(play: Play, cards: "_Cards") -> str:
    onto = "" if play.onto is None else f" to {play.onto + 1}"
    return f"{cards.written(play.cards)}{onto}{' low' if play.low else ''}"


def _groups(words: list[str]) -> list[list[str]]:
    """Return the words between plus signs."""
    groups: list[list[str]] = [[]] if words else []
    for word in words:
        if word == "+":
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _read_play(words: list[str], cards: "_Cards | _AnyCards") -> Play:
    low = _lower(words[-1:]) == ["low"]
    if low:
        words = words[:-1]
    onto = None
    # In `4c to 2` the word “to” is the last but one. In `4c to` it is the last, and the number is
    # missing.
    if "to" in _lower(words[-2:]):
        number = _read_number(words[-1]) if _lower(words[-2:-1]) == ["to"] else 0
        if not number:
            raise NotationError("After the word “to” comes the number of a meld, from 1 on.")
        onto, words = number - 1, words[:-2]
    if not words:
        raise NotationError(
            "Cards are missing before or after a plus sign, or before the word “to”."
        )
    return Play(cards.read(words), onto, low)


def _lower(words: list[str]) -> list[str]:
    return [word.lower() for word in words]


def _read_number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise NotationError("{word!r} is no number of one to three digits.", word=word[:20])
    return int(word)


# -- cards


@define
class _AnyCards:
    """Reader of cards for a move whose cards may lie anywhere, as long as the deck has them."""

    deck: Deck

    def read(self, words: Iterable[str]) -> tuple[Shown, ...]:
        """Return an arbitrary card for each word, because only the number of cards matters."""
        return tuple(map(self._read, words))

    def _read(self, word: str) -> Shown:
        read_code(self.deck, word.removeprefix(_TOP))
        return Shown(Slot(0), self.deck[0])


@define
class _Cards:
    """Cards that a move may still name: cards of the hand, the lowest first, and the pile's top."""

    deck: Deck
    hand: list[Shown]
    top: Shown | None

    @classmethod
    def of(cls, position: Position, *, taking: bool, named: Iterable[Shown] = ()) -> Self:
        """Return the cards that a move may name.

        The cards `named` count as cards of the hand, even if `position` does not show them there.
        """
        top = position.pile[-1] if taking and position.pile else None
        # Cards of another player's move may be hidden in this view, so they are added from the
        # move. The top of the pile is written with ^ and is no card of the hand.
        hand = {*position.hand(position.turn.seat), *named} - {top}
        return cls(position.deck, sorted((s for s in hand if s), key=_number), top)

    def written(self, cards: Iterable[Shown]) -> str:
        """Return the cards as text, and take them out of the hand."""
        return " ".join(map(self._write, cards))

    def read(self, words: Iterable[str]) -> tuple[Shown, ...]:
        """Return the cards that the words name, and take them out of the hand."""
        return tuple(map(self._read, words))

    def _write(self, shown: Shown) -> str:
        code = shown.card.code
        if shown == self.top:
            return f"{_TOP}{code}"
        # The lowest card is found before `shown` is removed, because both may be the same card.
        # After Ks:1 the lowest king left is Ks:2, so that is written without a mark, too.
        lowest = next(other for other in self.hand if other.card.code == code)
        self.hand.remove(shown)
        return code if lowest == shown else f"{code}:{copy_mark(self.deck, shown.card)}"

    def _read(self, word: str) -> Shown:
        code, mark = read_code(self.deck, word.removeprefix(_TOP))
        return self._read_top(code) if word.startswith(_TOP) else self._read_held(code, mark)

    def _read_top(self, code: str) -> Shown:
        if self.top is None:
            raise NotationError(
                "The mark ^ means the top of the pile. Only a move that takes from the pile can "
                "name it, and only once."
            )
        if self.top.card.code != code:
            raise CardNotThere(
                "The top of the pile is the {top}, not the {code}.", top=self.top, code=code
            )
        top, self.top = self.top, None
        return top

    def _read_held(self, code: str, mark: int | None) -> Shown:
        for shown in self.hand:
            if shown.card.code == code and mark in (None, copy_mark(self.deck, shown.card)):
                self.hand.remove(shown)
                return shown
        raise self._not_held(code, f"{code}:{mark}" if mark else code)

    def _not_held(self, code: str, name: str) -> CardNotThere:
        gold = gold_twin(code)
        if self.top is not None and self.top.card.code == code:
            return CardNotThere(
                "There is no {name} in the hand: the top of the pile is written ^{code}.",
                name=name,
                code=code,
            )
        if gold and any(shown.card.code == gold for shown in self.hand):
            return CardNotThere(
                "There is no {name} in the hand: the gold one is written {gold}.",
                name=name,
                gold=gold,
            )
        return CardNotThere("The hand has no {name}, or fewer than the move names.", name=name)


def _number(shown: Shown) -> int:
    return shown.card.number
