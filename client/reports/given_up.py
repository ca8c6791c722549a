"""Matches that the player of this machine has given up: a record cannot tell, the journal does."""

from contextlib import suppress

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.folders import FolderError, data_folder
from p2p.storage.journal import who_gave_up
from protocol.state import State


def given_up_by(state: State) -> str:
    """Return the name of the player of this machine who has given up the match; "" for nobody.

    Blocks.
    """
    with suppress(FolderError):
        key = who_gave_up(data_folder() / JOURNAL_FILE, state.charter.match_id)
        player = None if key is None else state.charter.player_of(key)
        return "" if player is None else state.charter.name_of(player)
    return ""
