"""What a table disputes beyond moves: the rules' answer where the text of the game has one, and
plainly that it has none where not.
"""

from collections.abc import Iterator, Mapping

from attrs import frozen

from engine.cards import Card
from engine.decks import Deck
from engine.errors import NotationError
from engine.notation.cards import copies, copy_mark, read_code
from engine.notation.positions import game_of
from engine.notation.rulings import Verdict
from engine.notation.similar_words import unknown_word
from engine.position import Position
from engine.seat_draw import ranked
from engine.sentences import N_, Marked, Sentence


@frozen
class _Answer:
    """`clause` of our rules, whether the text of the game `says` it, and in short what it is."""

    clause: str
    says: bool
    short: Sentence


def _said(clause: str, short: Marked) -> _Answer:
    return _Answer(clause, True, Sentence.of(short))


def _ours(clause: str, short: Marked) -> _Answer:
    return _Answer(clause, False, Sentence.of(short))


_MISDEAL = N_("The text does not say what follows a misdeal. Here the program deals.")
_EXPOSED = N_("The text does not say what follows. Here nobody sees a card before its time.")
_NOT_HELD = N_("The text does not say. A move with a card that is not held is refused.")
_OUT_OF_TURN = N_("The text has no penalty for it. A move out of turn is refused.")
_WRONG = N_("The text does not say. A move that is refused changes nothing, and play goes on.")

_ANSWERS: Mapping[str, Mapping[str, _Answer]] = {
    "canasta": {
        "draw": _said("C5", N_("The highest card chooses the place; jokers are drawn again.")),
        "misdeal": _ours("X22", _MISDEAL),
        "exposed": _said("C97", N_("Uncovering a card while drawing costs 50, with penalties.")),
        "not-held": _ours("X11", _NOT_HELD),
        "take-back": _ours("X3", N_("The text does not say. Here a legal move is final.")),
        "illegal-move": _ours("X2", _WRONG),
        "out-of-turn": _ours("X10", _OUT_OF_TURN),
        "kept-bonus": _said("C97", N_("A red three kept unawares costs 500, with penalties.")),
        "talk": _said("C57", N_("Talk and comments are forbidden. No penalty is named.")),
        "look-at-pile": _said("C61", N_("The pile may not be examined: only its top is seen.")),
        "hand-count": _said("C58", N_("One may ask how many cards a player holds.")),
        "tie": _ours("X8", N_("The text does not say. Here another round is played.")),
    },
    "kanastic": {
        "draw": _said("K13", N_("The first dealer is chosen at random, by any agreed method.")),
        "misdeal": _ours("X22", _MISDEAL),
        "exposed": _ours("X23", _EXPOSED),
        "not-held": _ours("X11", _NOT_HELD),
        "take-back": _said("K119", N_("Only a first meld below its minimum is taken back.")),
        "illegal-move": _said("K53", N_("Melds short of the minimum go back, and play goes on.")),
        "out-of-turn": _said("K27", N_("Nobody draws before the last player has discarded.")),
        "kept-bonus": _ours("K19a", N_("The text does not say. Here it counts nothing.")),
        "talk": _said("K118", N_("Talk and secret signs are forbidden. No penalty is named.")),
        "look-at-pile": _ours("K66", N_("The text does not say. Here all have seen its cards.")),
        "hand-count": _ours("X7", N_("One may announce three cards. Here all counts show.")),
        "tie": _ours("X8", N_("The text does not say. Here another round is played.")),
    },
    "canastra": {
        "draw": _ours("B8", N_("The text does not say who starts. Here it is the higher card.")),
        "misdeal": _ours("X22", _MISDEAL),
        "exposed": _ours("X23", _EXPOSED),
        "not-held": _ours("X11", _NOT_HELD),
        "take-back": _said("B35", N_("Cards are never removed from a run.")),
        "illegal-move": _ours("X2", _WRONG),
        "out-of-turn": _said("B11", N_("Runs are changed only in one's own turn, after drawing.")),
        "talk": _ours("X7", N_("The text does not say.")),
        "look-at-pile": _ours("B14", N_("The text does not say. Here the pile lies open.")),
        "hand-count": _ours("X7", N_("The text does not say. Here all counts show.")),
        "tie": _ours("B65", N_("The text does not say. Here equal points are a draw.")),
    },
}


def topics(game: str) -> tuple[str, ...]:
    """What can be asked about in a game."""
    return tuple(_ANSWERS[game])


def clauses_of(game: str) -> tuple[str, ...]:
    """The clauses that answers of a game name."""
    return tuple(each.clause for each in _ANSWERS[game].values())


def answer(position: Position, topic: str) -> tuple[Verdict, str, Sentence]:
    """Whether the text of the game answers, the clause of our rules, and in short what it says.

    Raises NotationError for a topic that is none.
    """
    answers = _ANSWERS[game_of(position).name]
    word = topic.strip().lower()
    if word not in answers:
        why = Sentence("One can ask about: {topics}.", topics=", ".join(answers))
        raise unknown_word(why, word, answers)
    found = answers[word]
    return Verdict.ANSWERED if found.says else Verdict.SILENT, found.clause, found.short


def seats_drawn(position: Position, words: list[str]) -> tuple[str, tuple[int, ...], Sentence]:
    """The clause, the player at each seat, and what the draw comes to: `words` are the cards that
    the players drew, in the order of the players. Raises NotationError.

    While somebody has to draw again (C3), nobody has a seat.
    """
    game = game_of(position)
    clause = _ANSWERS[game.name]["draw"].clause
    if len(words) != position.seats:
        raise NotationError(
            "A draw has a card for each of the {players} players.", players=position.seats
        )
    cards = dict(enumerate(_drawn_cards(game.deck, words)))
    if void := [player + 1 for player, card in cards.items() if card.suit is None]:
        again = ", ".join(map(str, void))
        return "X21", (), Sentence("these players draw again: {players}", players=again)
    seating, dealer = game.seating(ranked(cards))
    players = tuple(player + 1 for player in seating)
    said = Sentence(
        "players at seats 1 to {count}: {players}; seat {dealer} deals",
        count=len(players),
        players=" ".join(map(str, players)),
        dealer=dealer + 1,
    )
    return clause, players, said


def _drawn_cards(deck: Deck, words: list[str]) -> Iterator[Card]:
    """The physical cards; twins are told apart by a mark (X21). Raises NotationError."""
    read = [read_code(deck, word) for word in words]
    for code, mark in read:
        twins = sum(other == code for other, _ in read) > 1
        if twins and mark is None and copies(deck, code)[0].suit is not None:
            raise NotationError(
                "Two drew the {code}, and the text does not say who is higher: here it is the "
                "lower copy. Write {code}:1 and {code}:2.",
                code=code,
            )
        found = [card for card in copies(deck, code) if mark in (None, copy_mark(deck, card))]
        if not found or read.count((code, mark)) > (1 if mark else len(copies(deck, code))):
            raise NotationError("The deck has not so many {code}.", code=code)
        yield found[0]
