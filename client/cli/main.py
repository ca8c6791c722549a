"""The command `sobremesa`: each subcommand is a module with `add_arguments` and `run`."""

import argparse
import gc
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module

from client.cli.spelling_suggestions import one_of, refuse_unknown_arguments, refuse_unknown_command
from client.cli.standard_streams import columns, prepare_standard_streams, what_was_lost
from client.i18n.language import _, choose_language, has_symbols
from client.language_setting import configured_language
from client.session.ending_signals import EXIT_INTERRUPTED, Interrupted
from client.version import VERSION
from engine.marked_texts import N_

COMMANDS = {
    "play": N_("the first screen: tables, records, rules, settings"),
    "learn": N_("a first lesson at the table, step by step"),
    "solo": N_("sit down at once with opponents on this machine"),
    "demo": N_("a table of opponents plays before your eyes, fairly dealt and audited"),
    "host": N_("open a table on this network, and play at it"),
    "join": N_("sit down at somebody's table"),
    "watch": N_("look on at somebody's table, if its players admit spectators"),
    "tables": N_("the open tables on this network"),
    "resume": N_("go on at a table where the match is not over"),
    "players": N_("the players whom you have met at tables"),
    "doctor": N_("check that others can find this machine, and say what to do if not"),
    "audit": N_("check a record from its first byte to its last"),
    "ledger": N_("add up records: who played with whom, won, and how"),
    "share": N_("serve the page of one record to this network for ten minutes"),
    "replay": N_("step through a record, forwards and back, from any seat's view"),
    "review": N_("judge your own moves in a record, and show the costliest mistakes"),
    "export": N_("write a record as text to read, which the referee replays"),
    "referee": N_("settle a dispute: say of moves whether they are legal, and count rounds"),
    "rules": N_("the rules of a game, with the values and house rules of the table"),
}
"""Commands and their descriptions; a command's module is `client.cli.commands.<command>`."""

_PROGRAM = "sobremesa"
_FIRST = "play"
"""The command that runs if none is given."""

_AT_ONCE = (_FIRST, "rules")
"""Commands that begin with the garbage collector off, to answer more quickly."""

_LOG_LEVELS = ("debug", "info", "warning", "error")

EXIT_UNREADABLE = 2


def parser(chosen: str | None, *, alone: bool = False) -> argparse.ArgumentParser:
    """Return the parser of all commands; with `alone`, of the chosen command only.

    Only the chosen command gets its arguments, so only the modules of that command are imported.
    `alone` saves more time: adding all other commands takes longer than importing a small command.
    """
    help_formatter = partial(argparse.HelpFormatter, width=columns() - 2)
    top = argparse.ArgumentParser(
        prog=_PROGRAM,
        formatter_class=help_formatter,
        description=_(
            "Canasta-family games among friends: no server, nobody trusted with the deck."
        ),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"{_PROGRAM} {VERSION}",
        help=_("show the version and exit"),
    )
    commands = top.add_subparsers(
        prog=_PROGRAM, dest="command", required=True, metavar=_("COMMAND")
    )
    for name in (chosen,) if chosen is not None and alone else COMMANDS:
        text = _(COMMANDS[name])
        command = commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            formatter_class=help_formatter,
            add_help=name == chosen,
        )
        if name == chosen:
            import_module(f"client.cli.commands.{name}").add_arguments(command)
            command.add_argument(
                "--log-level",
                type=one_of(_LOG_LEVELS),
                choices=_LOG_LEVELS,
                default="info",
                help=_("how much is written to the log in the data folder"),
            )
            command.set_defaults(parser=command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; errors become one sentence on standard error."""
    prepare_standard_streams()
    words = (sys.argv[1:] if arguments is None else list(arguments)) or [_FIRST]
    try:
        choose_language(configured_language())
        if not has_symbols(sys.stdout.encoding):
            import_module("client.ui.text.ascii_text").choose_script_for(sys.stdout)
        parsed = _parsed(words)
        if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:  # see `client.cli.entry_point`
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if "logging" in sys.modules:  # otherwise no module can log anything
            _begin_log(parsed.log_level)
        command = import_module(f"client.cli.commands.{parsed.command}")
        if parsed.command not in _AT_ONCE:
            gc.enable()
        code: int = command.run(parsed)
    except SystemExit:
        if not (what_was_lost(sys.stdout) or what_was_lost(sys.stderr)):
            raise
        return _code_of_what_is_printed(EXIT_UNREADABLE)
    except BaseException as error:
        try:
            return _answer(error)
        except (ImportError, MemoryError, OSError, SystemError) as fault:
            return _say_without_help(fault)
    return _code_of_what_is_printed(code)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of the command that the words name, or exit for unknown words."""
    chosen = next((word for word in words if not word.startswith("-")), None)
    top = parser(chosen, alone=words[0] in COMMANDS)
    if chosen is not None and chosen not in COMMANDS:
        refuse_unknown_command(top, chosen, COMMANDS)
    parsed, unknown = top.parse_known_args(words)
    refuse_unknown_arguments(parsed.parser, unknown)
    return parsed


def _begin_log(level: str) -> None:
    """Write the log to a file, and never to the terminal, which belongs to the game."""
    folders = import_module("p2p.storage.private_files")
    with suppress(folders.FolderError):
        import_module("client.cli.log_file").write_log(folders.data_path(), level)


def _answer(error: BaseException) -> int:
    """Print one sentence on the error that has ended the command, and return the exit code.

    An error that is no fault of the person, the peers or the machine is a bug, and is raised again.
    """
    causes = tuple(_leaves(error))
    if any(map(_is_interruption, causes)):
        # Python would warn of coroutines that were created but never awaited.
        warnings.simplefilter("ignore", RuntimeWarning)
        with suppress(OSError):  # the cause may be that the terminal is gone
            print(_("Interrupted."), file=sys.stderr)
        for stream in (sys.stdout, sys.stderr):
            what_was_lost(stream)
        return EXIT_INTERRUPTED
    if what_was_lost(sys.stdout) or any(isinstance(cause, BrokenPipeError) for cause in causes):
        return _code_of_what_is_printed(EXIT_UNREADABLE)
    machine = import_module("client.cli.machine_faults")
    SentenceError = import_module("engine.sentences").SentenceError  # noqa: N806 - a class
    if not all(isinstance(c, SentenceError) or machine.is_machine_fault(c) for c in causes):
        raise error
    plain = (cause for cause in causes if isinstance(cause, SentenceError))
    first: BaseException = next(plain, causes[0])
    text = first if isinstance(first, SentenceError) else machine.machine_sentence(first)
    return _complain(import_module("client.i18n.sentences").said(text))


def _say_without_help(fault: Exception) -> int:
    """Report a fault that came up while an error was reported, such as a module that is missing."""
    with suppress(MemoryError, OSError):
        if isinstance(fault, MemoryError):
            text = _("There is not enough memory. Close other programs, and try again.")
        else:  # too many open files, a broken installation, or a lack of memory in a library
            text = _(
                "A part of the program cannot be loaded ({reason}). Close other programs, and "
                "start again; if that does not help, install it again."
            ).format(reason=fault)
        print(f"{_PROGRAM}: {text}", file=sys.stderr, flush=True)
    return EXIT_UNREADABLE


def _is_interruption(error: BaseException | None) -> bool:
    """Return True if Ctrl-C or another signal has caused the error.

    If a signal comes while a class is created, Python before 3.12 raises a RuntimeError that has
    the interruption as its cause.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt | Interrupted):
        error = error.__cause__
    return error is not None


def _code_of_what_is_printed(code: int) -> int:
    """Return the exit code of the command: `code`, or `EXIT_UNREADABLE` if output was lost."""
    lost = what_was_lost(sys.stdout)
    if isinstance(lost, BrokenPipeError):
        return EXIT_UNREADABLE  # the program that read our output has ended
    if lost is not None:
        return _complain(_("The output could not be printed: standard output takes no more text."))
    return code if what_was_lost(sys.stderr) is None else EXIT_UNREADABLE


def _complain(sentence: str) -> int:
    """Print a sentence on standard error, if the stream accepts text, and return the exit code."""
    console = import_module("client.ui.text.console").Console(sys.stderr)
    with suppress(OSError):
        console.line(f"sobremesa: {sentence}")
    what_was_lost(sys.stderr)
    return EXIT_UNREADABLE


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Return the errors in an exception group, or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
