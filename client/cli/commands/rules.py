"""`sobremesa rules GAME`: print the rules of a game, with the house rules of a table."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from client.cli.spelling_suggestions import add_choice
from client.cli.standard_streams import columns
from client.cli.table_arguments import add_house_rules, options_from
from client.errors import BadRequest
from client.i18n.language import _
from client.i18n.rulebook.subjects import Subject, rules_about, subjects
from client.i18n.rulebook.text import NoSuchClause
from client.ui.text.console import Console
from engine.games import GAMES, game_named

_COLUMNS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_choice(parser, "game", tuple(GAMES), _("which game"))
    add_house_rules(parser)
    parser.add_argument("--clause", metavar=_("NUMBER"), help=_("only this clause, such as C26"))
    parser.add_argument(
        "about",
        nargs="*",
        metavar=_("ABOUT"),
        help=_(
            "only rules about these words, or the subject with this number; 0 lists the subjects"
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the rules.

    Raises InvalidOption for an option that does not exist, and BadRequest for a subject that the
    rules do not have.
    """
    game = game_named(arguments.game)
    options = options_from(game, arguments.option)
    about = arguments.clause or " ".join(arguments.about)
    found = subjects(game, options)
    if about:
        try:
            found = rules_about(game, options, "" if about == "0" else about)
        except NoSuchClause as error:
            raise BadRequest(
                "{error} To see the subjects of the rules: {command}",
                error=error,
                command=f"sobremesa rules {game.name} 0",
            ) from error
    width = min(_COLUMNS, columns())
    Console().exactly("\n".join(_lines(found, width)))
    return 0


def _lines(found: Sequence[Subject], width: int) -> Iterator[str]:
    """Return subjects as lines of at most `width` columns."""
    for one in found:
        yield one.title
        for text in one.paragraphs:
            yield from ("", *_folded(text, width))
        yield ""


def _folded(text: str, width: int) -> Iterable[str]:
    """Return the lines of a paragraph, broken between words; all but the first are indented.

    A picture, which has several lines already, stays as it is.
    """
    if "\n" in text:
        return text.split("\n")
    return wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
