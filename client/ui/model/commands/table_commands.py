"""All commands of a person at a table, each with its key, its line, and its place in the footer.

Typed lines, their completion, the keys of the screen, its footer, the page of keys and the linear
mode all use this list. The keys for one's own cards have no typed line; they are in `HAND_KEYS`.
"""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from client.i18n.language import _
from client.session.display.snapshot import AfterMatch, Saving
from client.ui.model.command_words import particle, spoken
from client.ui.model.commands import conditions as when
from client.ui.model.commands import people
from client.ui.model.commands.advice import ask_hint, is_hint_ready, may_review, open_review
from client.ui.model.commands.rules_page import open_rules
from client.ui.model.commands.typed_moves import CommandError
from client.ui.model.controls import Controls
from client.ui.model.hand import Sorting
from client.ui.model.pages import Page
from client.ui.model.regrettable_moves import is_gift
from client.ui.model.ways_on import key_named
from engine.cards import Card
from engine.errors import IllegalMove
from engine.moves import Answer, Ask, Cut, DrawStock, Move, Pass, TakeTop
from engine.sentences import N_
from engine.turn import Step

FaceText = Callable[[Card], str]
Press = Callable[[Controls], None]


@frozen
class Command:
    """A command with its key, its typed line, and its place in the footer.

    A typed line does the first of these that is possible for the command:

    - it calls `typed` with the rest of the line;
    - it opens the `page`;
    - it makes the move that it describes in the notation, if its word is one of `MOVE_WORDS`;
    - it does what the key does.

    A key calls `press` or, without `press`, opens the `page`.
    """

    word: str
    """The word that a typed line begins with; "" for a command that has only a key."""
    key: str
    """The key on the screen, and the short form of the word; "" for none."""
    meaning: str
    press: Press | None = None
    usage: str = ""
    """An example of a typed line, if something can follow the word."""
    page: Page | None = None
    typed: Callable[[Controls, str], None] | None = None
    label: str = ""
    """The text in the footer, if it is not the word."""
    offered: when.When = when.never
    """The condition under which the command stands in the footer."""
    detail: Callable[[Controls, FaceText], str] = lambda _controls, _face: ""
    """A text after the label, such as the card that would be discarded."""
    risky: when.When = when.never
    """The condition under which the footer marks the command as risky."""
    yields: int = 0
    """The order in which a full footer drops commands: the highest number first, 0 never."""
    more_keys: tuple[str, ...] = ()
    exists: when.When = when.always
    """The condition under which the command exists in the game at this table."""
    variant: tuple[when.When, str, str] | None = None
    """A condition on the game, and the command's usage and meaning if the condition holds."""

    def here(self, controls: Controls) -> "Command":
        """Return the command with its usage and meaning in the game at this table."""
        if self.variant is None or not self.variant[0](controls):
            return self
        _holds, usage, meaning = self.variant
        return evolve(self, usage=usage, meaning=meaning)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys of the command."""
        return (*filter(None, [self.key]), *self.more_keys)

    @property
    def example(self) -> str:
        """An example of a typed line, in the person's language."""
        return spoken(self.usage or self.word) if self.word else ""


# -- what the footer adds to a label


def _target(controls: Controls, face: FaceText) -> str:
    """Return the card that would be discarded, with a blank before it; "" for none."""
    target = controls.hand.discard_target if controls.hand else None
    return "" if target is None else f" {face(target.card)}"


def _is_gift(controls: Controls) -> bool:
    """Return True if this discard would surely give away the pile, but another one would not."""
    hand = controls.hand
    assert hand is not None, "discarding is offered"
    if (target := hand.discard_target) is None:
        return False
    staged = hand.staging.move
    try:
        return is_gift(hand.view if staged is None else hand.view.apply(staged), target)
    except IllegalMove:
        return False


def _points(controls: Controls, _face: FaceText) -> str:
    """Return the points of the cards selected or laid out for an opening, such as " (30/50)"."""
    opening = controls.hand.reach if controls.hand else None
    if opening is None or opening.need is None or not opening.points:
        return ""
    return f" ({opening.points}/{opening.need})"


def _again(controls: Controls, _face: FaceText) -> str:
    """Return ": play it" if the next press plays what the hint has laid out."""
    return ": " + _("play it") if is_hint_ready(controls) else ""


# -- what typed lines do


def _sort(controls: Controls, text: str) -> None:
    sortings = {sorting.value: sorting for sorting in Sorting}
    sorting = sortings.get(particle(text) or "")
    if text and sorting is None:
        raise misused("sort")
    controls.sort(sorting)


def _number(word: str, text: str) -> int | None:
    """Return the number typed after the word; None if nothing is.

    Raises CommandError if `text` is not a number.
    """
    if text and not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise misused(word)
    return int(text) if text else None


def _say(controls: Controls, text: str) -> None:
    """Say the phrase with that number or wording; without `text`, list the phrases."""
    number = people.phrase_number(controls, text)
    if not text:
        controls.open_page(Page.PHRASES)
    elif number is not None or not people.phrases(controls):
        people.say_phrase(controls, number or 0)
    else:
        raise misused("say")


def _agree(controls: Controls, text: str) -> None:
    if text and key_named(text) is None:
        raise misused("agree")
    people.agree(controls, text)


def misused(word: str) -> CommandError:
    """Return an error with an example of a correct line."""
    usage = COMMAND_NAMED[word].example
    return CommandError("Type it like this: {line}.", line=usage)


def _makes(move: Move) -> Press:
    return lambda controls: controls.make(move)


def _part(choice: AfterMatch) -> Press:
    return lambda controls: controls.part(choice)


# The stars keep the word, the key, the meaning and the action of a command on one line.
COMMANDS = (
    Command(
        *(N_("cut"), "c", N_("cut the deck at a number, or in the middle"), Controls.cut),
        usage="cut 40",
        offered=when.at(Step.CUT),
        more_keys=("Enter",),
        exists=when.has(Cut),
    ),
    Command(
        *(N_("draw"), "d", N_("draw a card from the stock"), _makes(DrawStock())),
        offered=when.allowed(DrawStock()),
    ),
    Command(
        *(N_("take"), "t", N_("take the pile: its top (^) joins selected cards"), Controls.take),
        usage="take ^Ks Kh Kd",
        label=N_("take the pile"),
        offered=when.may_take,
        variant=(when.takes_bare, "take", N_("take the whole pile")),
    ),
    Command(
        *(N_("top"), "", N_("take only the top card of the pile")),
        usage="top 7h 7d",
        exists=when.has(TakeTop),
    ),
    Command(
        *(N_("pass"), "p", N_("end the round when the stock is empty"), _makes(Pass())),
        label=N_("go no further"),
        offered=when.allowed(Pass()),
        exists=when.has(Pass),
    ),
    Command(
        *(N_("yes"), "y", N_("answer your partner yes"), _makes(Answer(True))),
        offered=when.at(Step.ANSWER),
        exists=when.has(Answer),
    ),
    Command(
        *(N_("no"), "n", N_("answer your partner no"), _makes(Answer(False))),
        offered=when.at(Step.ANSWER),
        exists=when.has(Answer),
    ),
    Command(
        *(N_("meld"), "m", N_("lay out the selected cards; + between melds"), Controls.meld),
        usage="meld 7h 7d 7s",
        offered=when.at(Step.PLAY),
        detail=_points,
    ),
    Command(
        *(N_("add"), "1…9", N_("add the selected cards to that meld")),
        usage="add 7h to 1",
        variant=(
            when.has_two_ends,
            "add 7h to 1",
            N_("add the selected cards to that meld; again: at its other end"),
        ),
    ),
    Command(
        *(N_("discard"), "x", N_("discard the selected card; it ends the turn"), Controls.discard),
        usage="discard 3s",
        offered=when.at(Step.OPEN, Step.PLAY),
        detail=_target,
        risky=_is_gift,
    ),
    Command(
        *(N_("ask"), "g", N_("ask your partner: May I go out?"), _makes(Ask())),
        offered=when.may_ask,
        exists=when.has(Ask),
        yields=1,
    ),
    Command(
        *(N_("send"), "Enter", N_("send what is laid out"), Controls.send_staged),
        offered=lambda controls: controls.stages,
    ),
    Command(
        *(N_("undo"), "u", N_("take back what was laid out last"), Controls.undo),
        offered=lambda controls: controls.stages,
        more_keys=("backspace",),
    ),
    Command(
        *(N_("again"), "a", N_("a rematch"), _part(AfterMatch.AGAIN)),
        label=N_("rematch"),
        offered=when.after(AfterMatch.AGAIN),
    ),
    Command(
        *(N_("seats"), "n", N_("a rematch with the seats changed"), _part(AfterMatch.OTHER_SEATS)),
        label=N_("rematch, seats changed"),
        offered=when.after(AfterMatch.OTHER_SEATS),
    ),
    Command(
        *(N_("quit"), "q", N_("leave the table")),
        press=_part(AfterMatch.LEAVE),
        # Unlike the key, the typed word leaves the table in the middle of a match, too.
        typed=lambda controls, _text: controls.leave(AfterMatch.LEAVE),
        label=N_("leave"),
        offered=when.after(AfterMatch.LEAVE),
    ),
    Command(
        *(N_("review"), "j", N_("judge your decisions of this match, and show the mistakes")),
        press=open_review,
        page=Page.REVIEW,
        typed=open_review,
        label=N_("judge my game"),
        offered=may_review,
        yields=1,
    ),
    Command(
        *(N_("agree"), "", N_("say how to go on without a player who is missing")),
        usage="agree opponent",
        typed=_agree,
    ),
    Command(
        *(N_("away"), "w", N_("who is missing, and what can be done")),
        page=Page.AWAY,
        label=N_("what can be done"),
        offered=lambda controls: bool(controls.ways_on),
    ),
    Command(
        *(N_("hint"), "h", N_("lay out a hint, and say why; again: play it"), ask_hint),
        detail=_again,
        offered=when.may_be_advised,
        yields=2,
    ),
    Command(
        *(N_("sort"), "s", N_("sort the hand by rank or by suit"), Controls.sort),
        usage="sort suit",
        typed=_sort,
        offered=lambda controls: not controls.snapshot.watching,
        yields=4,
    ),
    Command(
        *(N_("rules"), "F1", N_("the cited rule, or the table's rules by subject or word")),
        press=open_rules,
        page=Page.RULES,
        typed=open_rules,
        label=N_("rule"),
        offered=lambda controls: bool(when.cited(controls)),
    ),
    Command(
        *(N_("help"), "?", N_("keys and commands")),
        page=Page.KEYS,
        label=N_("keys"),
        offered=when.always,
    ),
    Command(
        *(N_("say"), "e", N_("say one of a few phrases to the others")),
        usage="say 1",
        page=Page.PHRASES,
        typed=_say,
        offered=lambda controls: bool(people.phrases(controls)),
        yields=6,
    ),
    Command(
        *(N_("bar"), "b", N_("send a spectator away for good"), people.bar),
        usage="bar 1",
        typed=lambda controls, text: people.bar(controls, _number("bar", text)),
        offered=lambda controls: bool(people.spectators(controls)),
        yields=7,
    ),
    Command(N_("hand"), "", N_("your cards"), page=Page.HAND),
    Command(
        *(N_("table"), "", N_("what lies on the table, and who holds how many cards")),
        page=Page.TABLE,
    ),
    Command(N_("moves"), "", N_("every line that is legal now"), page=Page.MOVES),
    Command(
        *(N_("cards"), "k", N_("the special cards of this game")),
        page=Page.CARDS,
        offered=when.has_legend,
        exists=when.has_legend,
        yields=5,
    ),
    Command(N_("sheet"), "v", N_("the score sheets"), page=Page.SHEET),
    Command(N_("hands"), "o", N_("the hands as they were opened"), page=Page.HANDS, yields=2),
    Command(
        *(N_("fair"), "f", N_("what was checked in the last deal")),
        page=Page.FAIRNESS,
        label=N_("was it fair"),
        yields=3,
    ),
    Command(N_("log"), "l", N_("what has happened"), page=Page.LOG, yields=4),
    Command(N_("words"), "i", N_("the table's words"), page=Page.WORDS),
    Command(
        *(N_("record"), "r", N_("save the record so far in a file")),
        press=lambda controls: controls.decide(Saving.RECORD),
    ),
    Command(
        *("", ":", N_("type a command; Tab completes it, up and down recall the last ones")),
        label=N_("command"),
        offered=when.always,
        yields=3,
    ),
)
"""All commands, in the order of the footer and of the page of keys."""

COMMAND_NAMED: Mapping[str, Command] = {
    command.word: command for command in COMMANDS if command.word
}

MOVE_WORDS = frozenset(
    ("cut", "draw", "take", "top", "pass", "yes", "no", "meld", "add", "discard", "ask")
)
"""Commands whose lines are moves of the notation."""


# -- the keys for one's own cards, which have no words to type


def _along(by: int) -> Press:
    return lambda controls: controls.move_cursor(by)


def _shift(by: int) -> Press:
    return lambda controls: controls.shift(by)


HAND_KEYS: tuple[tuple[str, str, Mapping[str, Press]], ...] = (
    (
        *("← →", N_("go along the cards")),
        {"left": _along(-1), "right": _along(1), "home": _along(-999), "end": _along(999)},
    ),
    (
        *(N_("space"), N_("select a card, or unselect it")),
        dict.fromkeys(("space", "up", "down"), Controls.toggle),
    ),
    (
        *("< >", N_("move the card under the cursor")),
        {"<": _shift(-1), ">": _shift(1), "s-left": _shift(-1), "s-right": _shift(1)},
    ),
    ("!", N_("a mark at discard: with that card the next player can take the pile"), {}),
    ("U", N_("take back all that is laid out"), {"U": Controls.undo_all}),
    (N_("Esc"), N_("unselect, close this page"), {"escape": Controls.unselect}),
    (N_("mouse"), N_("click cards, melds, the stock, the pile, and the keys below"), {}),
    (N_("Ctrl-C"), N_("leave the table"), {}),
)
"""Lines of the page of keys: the names of some keys, their meaning, and the action of each."""
