"""Commands as lines of text: moves in the notation, "take ^Kh Ks", "meld 7h 7d 7s + Qc to 1", and
what else one does at a table. The table's command line and the linear mode both speak them.
"""

from collections.abc import Callable, Mapping

from attrs import frozen

from client.i18n.language import _
from client.ui.model.commands import command_word, particle, spoken
from client.ui.model.controls import Controls
from client.ui.model.hand import Sorting
from client.ui.model.typed_moves import CommandError, make, read_move
from engine.errors import NotationError
from engine.moves import plays_of
from engine.sentences import N_

LONGEST_LINE = 400


@frozen
class Command:
    """How it is used, and what it does. Without a `run` it is a move of the notation."""

    usage: str
    meaning: str
    run: Callable[[Controls, str], None] | None = None


def run_line(controls: Controls, line: str) -> None:
    """Do what the line says. Raises CommandError if it says nothing that there is."""
    typed, _blank, rest = line[:LONGEST_LINE].strip().partition(" ")
    if not typed:
        raise CommandError(_("Type a command, or ? for what there is."))
    word = command_word(typed, COMMANDS)
    if word is None:
        raise CommandError(
            _("There is no command {word}. Type ? for what there is.").format(word=typed[:20])
        )
    command = COMMANDS[word]
    if command.run is None:
        _move(controls, word, rest.strip())
    else:
        command.run(controls, rest.strip())


def _move(controls: Controls, word: str, rest: str) -> None:
    if controls.hand is None:
        controls.say_waiting()
        return
    try:
        move = read_move(controls.hand, "meld" if word == "add" else word, rest)
    except NotationError as error:
        raise _misused(word) from error
    if word == "add" and any(play.onto is None for play in plays_of(move)):
        raise _misused(word)
    make(controls, move)


def _misused(word: str) -> CommandError:
    usage = spoken(COMMANDS[word].usage)
    return CommandError(_("Type it like this: {line}.").format(line=usage))


def _number(word: str, text: str) -> int | None:
    """Raises CommandError."""
    if text and not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise _misused(word)
    return int(text) if text else None


def _sort(controls: Controls, text: str) -> None:
    sortings = {sorting.value: sorting for sorting in Sorting}
    sorting = sortings.get(particle(text) or "")
    if text and sorting is None:
        raise _misused("sort")
    controls.sort(sorting)


def _bare(run: Callable[[Controls], None]) -> Callable[[Controls, str], None]:
    return lambda controls, _text: run(controls)


COMMANDS: Mapping[str, Command] = {
    "draw": Command("draw", N_("draw a card from the stock")),
    "take": Command("take Kh Kd", N_("take the pile, its top with these cards")),
    "top": Command("top 7h 7d", N_("take the pile's top alone (Kanastic)")),
    "meld": Command("meld 7h 7d 7s", N_("lay out a meld; + between several")),
    "add": Command("meld 7h to 1", N_("add cards to the meld of that number")),
    "send": Command("send", N_("send what is laid out"), _bare(Controls.send_staged)),
    "undo": Command("undo", N_("take back what was laid out last"), _bare(Controls.undo)),
    "discard": Command("discard 3s", N_("discard a card; it ends the turn")),
    "ask": Command("ask", N_("ask your partner: May I go out?")),
    "yes": Command("yes", N_("answer your partner yes")),
    "no": Command("no", N_("answer your partner no")),
    "pass": Command("pass", N_("go no further without a stock")),
    "cut": Command("cut 40", N_("cut the deck, in the middle without a number")),
    "agree": Command(
        "agree 1",
        N_("agree to what is proposed, or propose it"),
        lambda controls, text: controls.agree(_number("agree", text)),
    ),
    "hint": Command("hint", N_("what a strong player would do"), _bare(Controls.ask_hint)),
    "record": Command(
        "record", N_("save the record so far in a file"), lambda controls, _text: controls.save()
    ),
    "sort": Command("sort suit", N_("sort the hand by rank or by suit"), _sort),
}
