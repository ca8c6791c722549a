"""The menus for reading rules: a game, then a subject or words to search for."""

from collections.abc import Sequence

from client.cli.menus.new_table import which_game
from client.i18n.language import _
from client.i18n.rulebook.subjects import Subject, rules_about, subjects
from client.i18n.rulebook.text import NoSuchClause
from client.i18n.sentences import said
from client.ui.tui.toolkit.dialogs import HEADING, Reader, ask_text, read
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.game import Game

_ALL, _SEARCH = "all", "search"


async def read_rules(name: str, look: TerminalLook) -> None:
    """Show the rules until the person goes back. Raises Interrupted.

    `name` is the game at which the cursor begins.
    """
    game = await which_game(name, look)
    if game is None:
        return
    found = subjects(game, game.options())
    choices = [
        Choice(_SEARCH, _("Search"), _("By a word, or by the number of a clause.")),
        *(Choice(f"{place}", one.title) for place, one in enumerate(found, start=1)),
        Choice(_ALL, _("All of it")),
    ]
    menu = Menu(_("The rules of {game}").format(game=game.title), choices)
    while (chosen := await menu.ask(look)) is not None:
        menu.text = ()
        if chosen == _SEARCH:
            menu.text = await _search(game, look)
        else:
            shown = found if chosen == _ALL else (found[int(chosen) - 1],)
            await read(Reader(game.title, _lines(shown, look)), look)


async def _search(game: Game, look: TerminalLook) -> Sequence[str]:
    """Ask for words, and show the rules that match; return an error message if none match."""
    question = _("Rules about what? A word, or a number such as X10.")
    words = (await ask_text(question, "", look) or "").strip()
    if not words:
        return ()
    try:
        found = rules_about(game, game.options(), words)
    except NoSuchClause as error:
        return (said(error),)
    await read(Reader(words, _lines(found, look)), look)
    return ()


def _lines(found: Sequence[Subject], look: TerminalLook) -> list[str]:
    """Return subjects as lines; without a screen, pictures are left out."""
    lines = []
    for one in found:
        lines.append(HEADING + one.title)
        for text in one.paragraphs:
            if look.lines is None or "\n" not in text:
                lines += ["", *text.split("\n")]
        lines.append("")
    return lines
