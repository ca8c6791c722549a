"""Example cases for the referee, with a comment on the first line of each kind."""

from collections.abc import Callable, Mapping

from client.errors import BadRequest
from client.i18n.language import _
from engine.game import Game
from engine.notation.case_files import JUDGED
from engine.notation.position_reader import line_words
from engine.sentences import N_, Marked

_COLUMN = 30
"""Column in which the comments begin."""

_GAME = N_("the game, and how many play; seats and sides are numbered from 1")

_MEANINGS: Mapping[str, Marked] = {
    "case": N_("begins a case, with a name for it"),
    "totals": N_("match points before the round, by side"),
    "turn": N_("whose turn it is, and the step of the turn"),
    "pile": N_("the discard pile, its top last"),
    "hand": N_(
        "the cards of a seat; ? is a hidden card, a number stands for that many hidden cards"
    ),
    "meld": N_("a meld of a side"),
    "try": N_("judges a move, and leaves the position as it was; ^ is the top of the pile"),
    "play": N_("judges a move, and goes on from it"),
    "expect": N_("the results to compare with; these lines may be left out"),
}
"""Meanings of lines, by their first word."""


def example_case(game: Game, write: Callable[[str], None]) -> None:
    """Write the example of a game. Raises BadRequest for a game without one."""
    if not game.example:
        raise BadRequest("There is no example of {game}.", game=game.title)
    explained: set[str] = set()
    for line in game.example.splitlines():
        word = line.partition(" ")[0]
        meaning = _GAME if word == game.name else _MEANINGS.get(word)
        if meaning is None or word in explained:
            write(line)
        elif word == "case":  # a comment behind it would become a part of the name
            write(f"# {_(meaning)}")
            write(line)
        else:
            write(f"{line:<{_COLUMN}}  # {_(meaning)}")
        explained.add(word)
    positions, judged = ", ".join(line_words(game)), ", ".join(JUDGED)
    steps = ", ".join(step.name.lower() for step in game.position.steps)
    write("")
    write("# " + _("lines of a position: {lines}").format(lines=positions))
    write("# " + _("steps of a turn: {steps}").format(steps=steps))
    write("# " + _("lines to be judged: {lines}").format(lines=judged))
    write("# " + _("to run it: {command}").format(command="sobremesa referee FILE"))
