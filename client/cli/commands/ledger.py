"""`sobremesa ledger [FILE...]`: add up records by the keys of their players."""

import argparse
from pathlib import Path

from client.cli.record_command_helpers import add_page, write_page
from client.i18n.control_characters import plain
from client.i18n.language import _
from client.record_files import check_new, kept_records, record_folder
from client.reports.ledger.audit_files import audit_files
from client.reports.ledger.ledger import ledger_of
from client.reports.ledger.page import ledger_page
from client.reports.ledger.text import ledger_json, ledger_lines
from client.ui.text.console import Console
from p2p.storage.private_files import data_folder

EXIT_ALL_COUNT, EXIT_SOME_LEFT = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        type=Path,
        nargs="*",
        metavar=_("FILE"),
        help=_("records to add up; by default all in your data folder"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("the whole result as JSON, for programs")
    )
    add_page(parser)


def run(arguments: argparse.Namespace) -> int:
    """Add up the records; return 0 if all of them count, and 1 otherwise.

    Raises RecordError if the page cannot be written, FolderError, OSError.
    """
    if arguments.html:
        check_new(arguments.html)
    folder = data_folder()
    files: list[Path] = arguments.files or sorted(kept_records())
    console = Console()
    audited = audit_files(files, folder, console.progress)
    console.clear()
    ledger = ledger_of((plain(str(file)), one) for file, one in zip(files, audited, strict=True))
    if arguments.json:
        console.exactly(ledger_json(ledger))
    elif not files:
        text = _("There is no record in {folder} yet: each match that is over leaves one.")
        console.line(text.format(folder=record_folder()))
    else:
        for line in ledger_lines(ledger):
            console.line(line)
    if arguments.html:
        write_page(arguments.html, [ledger_page(ledger)], console)
    return EXIT_SOME_LEFT if ledger.left else EXIT_ALL_COUNT
