"""Functions that find commands: for a typed line, for a key, for the footer, for completions."""

from collections.abc import Iterator, Mapping

from client.i18n.card_letters import spoken_cards
from client.ui.model.command_words import command_word, own_key, spoken
from client.ui.model.commands.table_commands import (
    COMMAND_NAMED,
    COMMANDS,
    MOVE_WORDS,
    Command,
    misused,
)
from client.ui.model.commands.typed_moves import CommandError, legal_lines, read_move
from client.ui.model.controls import Controls
from engine.errors import NotationError
from engine.moves import plays_of

LONGEST_LINE = 400


def short_forms() -> Mapping[str, str]:
    """Return the short form of each command's word: its key, in the language of the screen."""
    return {word: own_key(command.key) for word, command in COMMAND_NAMED.items()}


def run_line(controls: Controls, line: str) -> None:
    """Carry out a typed line. Raises CommandError if the line has no meaning."""
    typed, _blank, rest = line[:LONGEST_LINE].strip().partition(" ")
    if not typed:
        raise CommandError("Type a command, or ? for a list of commands.")
    word = command_word(typed, short_forms())
    if word is None:
        raise CommandError(
            "There is no command {word}. Type ? for a list of commands.", word=typed[:20]
        )
    command = COMMAND_NAMED[word]
    if command.typed is not None:
        command.typed(controls, rest.strip())
    elif command.page is not None:
        controls.open_page(command.page)
    elif word in MOVE_WORDS:
        _move(controls, word, rest.strip())
    elif command.press is not None:
        command.press(controls)


def _move(controls: Controls, word: str, rest: str) -> None:
    if controls.hand is None:
        controls.say_waiting()
        return
    try:
        move = read_move(controls.hand, "meld" if word == "add" else word, rest)
    except NotationError as error:
        raise misused(word) from error
    if word == "add" and any(play.onto is None for play in plays_of(move)):
        raise misused(word)
    controls.make(move)


def command_of(key: str, controls: Controls) -> Command | None:
    """Return the command of a key; None if there is none.

    If several commands have the key, return the first of them that is offered now, or the last one
    if none is offered.
    """
    having = [command for command in COMMANDS if key in command.keys]
    offered = [command for command in having if command.offered(controls)]
    # One key may have several commands at different times: `n` answers No, and after the match asks
    # for a rematch.
    return next(iter((*offered, *having[-1:])), None)


def known_here(controls: Controls) -> tuple[Command, ...]:
    """Return the commands that exist in the game at this table."""
    return tuple(command.here(controls) for command in COMMANDS if command.exists(controls))


def offered_now(controls: Controls) -> tuple[Command, ...]:
    """Return the commands for the footer."""
    return tuple(command for command in COMMANDS if command.offered(controls))


def completions(controls: Controls, typed: str) -> Iterator[str]:
    """Yield lines that begin with `typed`: legal moves first, then words of other commands."""
    moves = {*MOVE_WORDS, "send", "undo"}  # `legal_lines` has these when they are legal
    words = (command.word for command in known_here(controls) if command.word not in moves)
    for line in dict.fromkeys((*legal_lines(controls), *(words if typed else ()))):
        # Prefer the line in the person's language to the line with English words.
        for form in dict.fromkeys((spoken(line), spoken_cards(line))):
            if form.startswith(typed) and form != typed:
                yield form
                break
