"""The command `sobremesa`: each subcommand is a module with `add_arguments` and `run`."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from client.records import RecordError
from engine.errors import EngineError
from p2p.beacon import NoBeacon
from p2p.folders import FolderError
from p2p.frames import LinkError
from p2p.journal import JournalError
from protocol.errors import ProtocolError

COMMANDS = {
    "play": "the first screen: tables, records, rules, settings",
    "solo": "sit down at once with opponents on this machine",
    "demo": "a table of opponents plays before your eyes, fairly dealt and audited",
    "host": "open a table on this network, and play at it",
    "join": "sit down at somebody's table",
    "tables": "the open tables on this network",
    "resume": "go on at a table where the match is not over",
    "players": "the players whom you have met at tables",
    "doctor": "whether this machine can be found by others, and what to do if not",
    "audit": "check a record from its first byte to its last",
    "replay": "step through a record, forwards and back, from any seat's view",
    "export": "write a record as text to read, which the referee replays",
    "referee": "settle a dispute: say of moves whether they are legal, and count rounds",
    "rules": "the rules of a game, with the values and house rules of the table",
    "bench": "measure the speed on this machine",
}
"""Commands and what they do. The module of a command is `client.<command>`."""

PLAIN_ERRORS = (
    EngineError,
    ProtocolError,
    FolderError,
    JournalError,
    LinkError,
    NoBeacon,
    RecordError,
    ValueError,
)
"""Their text is a sentence for people."""

EXIT_UNREADABLE = 2
EXIT_INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    top = argparse.ArgumentParser(
        prog="sobremesa",
        description="Canasta-family games among friends: no server, nobody trusted with the deck.",
    )
    top.add_argument("--version", action="version", version=f"sobremesa {version('sobremesa')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        import_module(f"client.{name}").add_arguments(command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code. Errors come out as one sentence on standard error."""
    parsed = parser().parse_args(arguments)
    try:
        code: int = import_module(f"client.{parsed.command}").run(parsed)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNREADABLE
    except PLAIN_ERRORS as error:
        print(f"sobremesa: {error}", file=sys.stderr)
        return EXIT_UNREADABLE
    return code
