"""A command's arguments, and the command itself in the process of the test."""

from argparse import ArgumentParser, Namespace
from typing import Any


def parsed(command: Any, *words: str) -> Namespace:
    parser = ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(words)


def run(command: Any, *words: str) -> int:
    code: int = command.run(parsed(command, *words))
    return code
