"""Commands as lines of text: "take Kh Kd", "meld 7h 7d 7s + Qc Qd 2h", "discard 3s".

Both the table's command line and the linear mode speak them. What is offered for completion are
the lines of the legal moves.
"""

from collections.abc import Callable, Iterator, Mapping

from attrs import frozen

from client.language import _, later
from client.playing.controls import Controls
from client.playing.desk import Sorting
from client.playing.move_lines import line_of
from engine.cards import Card
from engine.moves import Discard
from engine.places import Shown

LONGEST_LINE = 400

_RANK_NAMES = {"10": "T", "JOKER": "JO", "SWORD": "SW", "SHIELD": "SH", "ARTIFACT": "AR"}


class CommandError(Exception):
    """A line that is no command; the message is a sentence for people."""


@frozen
class Command:
    """A word, what it does, and how it is used."""

    run: Callable[[Controls, str], None]
    usage: str
    meaning: str


def run_line(controls: Controls, line: str) -> None:
    """Do what the line says. Raises CommandError if it says nothing that there is."""
    word, _blank, rest = line[:LONGEST_LINE].strip().partition(" ")
    command = COMMANDS.get(word.lower()) or _abbreviated(word.lower())
    command.run(controls, rest.strip())


def legal_lines(controls: Controls) -> tuple[str, ...]:
    """The lines that do something legal now."""
    desk = controls.desk
    if desk is None or not controls.may_move:
        return ()
    staged = desk.staging.move
    if staged is None:
        return tuple(dict.fromkeys(map(line_of, desk.view.legal_moves(desk.seat))))
    if desk.staging.refusal is not None:
        return ("undo",)
    after = desk.view.apply(staged)
    discards = (move for move in after.legal_moves(desk.seat) if isinstance(move, Discard))
    return ("send", "undo", *map(line_of, discards))


# -- cards by their names


def cards_named(text: str, hand: tuple[Shown, ...]) -> tuple[Shown, ...]:
    """The cards of the hand that the words name, by rank and suit or by rank alone.

    Raises CommandError for a word that names no card of the hand that is not named already.
    """
    left = list(hand)
    named = []
    for word in text.replace(",", " ").split():
        found = next((shown for shown in left if _is_named(shown.card, word)), None)
        if found is None:
            raise CommandError(_("There is no {word} in your hand.").format(word=word[:20]))
        left.remove(found)
        named.append(found)
    return tuple(named)


def _is_named(card: Card, word: str) -> bool:
    name = word.upper()
    for long, code in _RANK_NAMES.items():
        if name.startswith(long):
            name = code + name[len(long) :]
    return name in (card.code.upper(), card.rank.code.upper())


# -- the commands


def _abbreviated(word: str) -> Command:
    """The one command that begins like the word. Raises CommandError."""
    if not word:
        raise CommandError(_("Type a command, or ? for what there is."))
    found = {command for name, command in COMMANDS.items() if name.startswith(word)}
    if len(found) != 1:
        raise CommandError(
            _("There is no command {word}. Type ? for what there is.").format(word=word[:20])
        )
    return found.pop()


def _hand(controls: Controls) -> tuple[Shown, ...]:
    return controls.desk.hand if controls.desk else ()


def _groups(controls: Controls, text: str) -> Iterator[tuple[Shown, ...]]:
    """The cards of each group between plus signs; no card is in two of them."""
    left = _hand(controls)
    for group in text.split("+"):
        cards = cards_named(group, left)
        left = tuple(shown for shown in left if shown not in cards)
        yield cards


def _take(controls: Controls, text: str) -> None:
    first, *more = _groups(controls, text)
    controls.take(first)
    for cards in more:
        controls.meld(cards)


def _meld(controls: Controls, text: str) -> None:
    for cards in tuple(_groups(controls, text)):
        controls.meld(cards)


def _add(controls: Controls, text: str) -> None:
    cards, separator, number = text.removesuffix(" low").rpartition(" to ")
    if not separator or not number.strip().isdecimal():
        raise CommandError(_("Say which cards and which meld: add 7h 7d to 1."))
    controls.add(int(number[:4]), cards_named(cards, _hand(controls)))


def _discard(controls: Controls, text: str) -> None:
    cards = cards_named(text, _hand(controls))
    if len(cards) != 1:
        raise CommandError(_("Say which one card: discard 3s."))
    controls.discard(cards[0])


def _cut(controls: Controls, text: str) -> None:
    if text and not text.isdecimal():
        raise CommandError(_("Cut at a number of cards: cut 40."))
    controls.cut(int(text[:4]) if text else None)


def _agree(controls: Controls, text: str) -> None:
    if text and not text.isdecimal():
        raise CommandError(_("Say the number of a proposal: agree 1."))
    controls.agree(int(text[:4]) if text else None)


def _sort(controls: Controls, text: str) -> None:
    sortings = {sorting.value: sorting for sorting in Sorting}
    if text and text not in sortings:
        raise CommandError(_("Sort by rank or by suit: sort suit."))
    controls.sort(sortings.get(text))


def _bare(run: Callable[[Controls], None]) -> Callable[[Controls, str], None]:
    return lambda controls, _text: run(controls)


COMMANDS: Mapping[str, Command] = {
    "draw": Command(_bare(Controls.draw), "draw", later("draw a card from the stock")),
    "take": Command(_take, "take Kh Kd", later("take the pile, its top with these cards")),
    "meld": Command(_meld, "meld 7h 7d 7s", later("lay out a meld; + between several")),
    "add": Command(_add, "add 7h to 1", later("add cards to the meld of that number")),
    "send": Command(_bare(Controls.send_staged), "send", later("send what is laid out")),
    "undo": Command(_bare(Controls.undo), "undo", later("take back what was laid out last")),
    "discard": Command(_discard, "discard 3s", later("discard a card; it ends the turn")),
    "ask": Command(_bare(Controls.ask), "ask", later("ask your partner: May I go out?")),
    "yes": Command(lambda c, _t: c.answer(True), "yes", later("answer your partner yes")),
    "no": Command(lambda c, _t: c.answer(False), "no", later("answer your partner no")),
    "pass": Command(_bare(Controls.give_up), "pass", later("go no further without a stock")),
    "cut": Command(_cut, "cut 40", later("cut the deck, in the middle without a number")),
    "agree": Command(_agree, "agree 1", later("agree to what is proposed, or propose it")),
    "hint": Command(_bare(Controls.ask_hint), "hint", later("what a strong player would do")),
    "sort": Command(_sort, "sort suit", later("sort the hand by rank or by suit")),
}
