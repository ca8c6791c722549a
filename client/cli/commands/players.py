"""`sobremesa players`: the players whom you have met at tables, by the words of their keys."""

import argparse

from client.i18n.language import _
from client.ui.text.console import Console
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.private_files import data_folder
from protocol.errors import Refused
from protocol.words_for_keys import words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--forget", metavar=_("NAME"), help=_("let a player of that name come with another key")
    )


def run(arguments: argparse.Namespace) -> int:
    """List the players, or forget one. Raises Refused if nobody has the name to be forgotten."""
    console = Console()
    folder = data_folder()
    identity = Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        if arguments.forget is not None:
            return _forget(journal, arguments.forget, console)
        console.line(_("Your words: {words}").format(words=" ".join(words(identity.public))))
        met = [peer for peer in journal.peers() if peer.key != identity.public]
        if not met:
            console.line(_("You have met nobody yet. Players whom you meet are listed here."))
        for peer in met:
            console.line(
                _("{name}: {words}, since {day}").format(
                    name=peer.name, words=" ".join(words(peer.key)), day=peer.first_seen
                )
            )
    return 0


def _forget(journal: Journal, name: str, console: Console) -> int:
    known = [peer for peer in journal.peers() if peer.name.casefold() == name.casefold()]
    if not known:
        raise Refused("You have met nobody of the name “{name}”.", name=name)
    for peer in known:
        journal.forget_peer(peer.key)
        console.line(
            _("{name} ({words}) is forgotten.").format(
                name=peer.name, words=" ".join(words(peer.key))
            )
        )
    return 0
