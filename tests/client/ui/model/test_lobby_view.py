"""The sentence on what a lobby waits for, and the commands that are possible then."""

from pathlib import Path

from attrs import evolve

from client.session.display.lobby_interface import LetIn, LobbySnapshot, SendAway
from client.ui.model.commands.lobby_commands import LOBBY_COMMANDS, let_in, sent_away
from client.ui.model.lobby_view import lobby_view
from tests.client.lobby_snapshots import key_of, lobby_at
from tests.client.ui.tui.golden import check_file

UNKNOWN = LobbySnapshot(key_of(1), hosting=False)
SNAPSHOTS = {
    "before the host answers": UNKNOWN,
    "after a delay": evolve(UNKNOWN, delay="The table is busy."),
    "at a table that was left": evolve(UNKNOWN, host="Ana"),
    "as a candidate for a vacant seat": evolve(lobby_at(False, me=1), candidate=True),
    "at the door": lobby_at(False, me=10, knocking=("Eve",)),
    "second at the door": lobby_at(False, me=11, knocking=("Eve", "Fay", "Gus")),
    "two of three": lobby_at(False, False, seats=3),
    "two of three, and the host is known": evolve(lobby_at(False, False, seats=3), host="Ana"),
    "with an opponent, and Eve knocks": lobby_at(False, opponents=(1,), knocking=("Eve",)),
    "two knock at two seats": lobby_at(False, seats=3, knocking=("Eve", "Fay")),
    "three knock at two seats": lobby_at(False, seats=3, knocking=("Eve", "Fay", "Gus")),
    "Eve knocks at no seat": lobby_at(False, False, seats=2, knocking=("Eve",)),
    "two are not ready": lobby_at(True, False, False, seats=3),
    "all are ready": lobby_at(True, True, seats=2),
    "as a guest": lobby_at(False, False, me=1, seats=4, opponents=(0,), knocking=("Eve",)),
}


def test_a_lobby_says_what_it_waits_for_and_offers_what_can_be_done() -> None:
    told = []
    for name, snapshot in SNAPSHOTS.items():
        view = lobby_view(snapshot)
        offered = (one.word for one in LOBBY_COMMANDS if one.decision(view) is not None)
        told += [f"{name}: {view.waits_for}", f"    {', '.join(offered) or 'nothing'}"]
        assert LOBBY_COMMANDS[0].label(view) == ("not ready" if snapshot.ready else "ready")
    check_file(Path(__file__).parent / "texts" / "lobby-views.txt", "\n".join(told))


def test_naming_a_visitor_lets_them_in_only_if_a_seat_is_free() -> None:
    for seats, decision in ((2, LetIn((key_of(10),))), (1, None)):
        view = lobby_view(lobby_at(False, seats=seats, knocking=("Eve",)))
        assert let_in("eve", view) == decision
        assert sent_away("eve", view) == SendAway(key_of(10))
        assert let_in("Zoe", view) is None
        assert sent_away("Zoe", view) is None
