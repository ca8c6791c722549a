"""A function that runs a command in the process of the test."""

from argparse import ArgumentParser


def run(command: object, *arguments: str) -> int:
    parser = ArgumentParser()
    command.add_arguments(parser)  # type: ignore[attr-defined]
    code: int = command.run(parser.parse_args(arguments))  # type: ignore[attr-defined]
    return code
