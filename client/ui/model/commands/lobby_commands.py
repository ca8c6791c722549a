"""The commands of a lobby, for its keys and for typed lines."""

from collections.abc import Callable

from attrs import evolve, frozen

from client.i18n.language import _, bare, own_letter
from client.session.display.lobby_interface import (
    Action,
    LetIn,
    LobbyDecision,
    SendAway,
)
from client.ui.model.lobby_view import KnockView, LobbyView
from engine.sentences import N_

_LETTERS = N_("radlse")
"""The keys of a lobby's commands, one letter each. A translation may use others, none twice."""


@frozen
class LobbyCommand:
    """A command of a person in a lobby."""

    word: str
    """The word to type."""
    key: str
    """The key that does the same."""
    meaning: str
    decision: Callable[[LobbyView], LobbyDecision | None]
    """Function that returns the decision to send; None where the command cannot be used now."""
    label: Callable[[LobbyView], str]
    """Function that returns the text for the footer."""

    @property
    def own_key(self) -> str:
        """The key in the language of the screen."""
        return own_letter(self.key, _LETTERS)


def _readiness(view: LobbyView) -> LobbyDecision | None:
    if not any(sitter.mine for sitter in view.sitters):
        return None  # a player who still knocks cannot be ready
    return Action.WAIT if view.ready else Action.READY


def _marked_name(view: LobbyView) -> str:
    return view.marked.name if view.marked else ""


def _may_all(view: LobbyView) -> bool:
    return view.may_add and 1 < len(view.knocking) <= view.free


# The stars keep the word, the key and the meaning of a command on one line.
LOBBY_COMMANDS = (
    LobbyCommand(
        *(N_("ready"), "r", N_("you are ready, or not ready after all"), _readiness),
        lambda view: _("not ready") if view.ready else _("ready"),
    ),
    LobbyCommand(
        *(N_("add"), "a", N_("another of the program's opponents sits down")),
        lambda view: Action.ADD_OPPONENT if view.may_add else None,
        lambda _view: _("add an opponent"),
    ),
    LobbyCommand(
        *(N_("dismiss"), "d", N_("the last of the program's opponents goes")),
        lambda view: Action.SEND_OPPONENT_AWAY if view.may_send_away else None,
        lambda _view: _("send one away"),
    ),
    LobbyCommand(
        *(N_("let in"), "l", N_("the first at the door, or the one who is marked, may sit down")),
        lambda view: LetIn((view.marked.key,)) if view.may_add and view.marked else None,
        lambda view: _("let {name} in").format(name=_marked_name(view)),
    ),
    LobbyCommand(
        *(N_("send away"), "s"),
        N_("the first at the door, or the one who is marked, goes and may not come back"),
        lambda view: SendAway(view.marked.key) if view.hosting and view.marked else None,
        lambda view: _("send {name} away").format(name=_marked_name(view)),
    ),
    LobbyCommand(
        *(N_("let everybody in"), "e", N_("all who are shown at the door may sit down")),
        lambda view: LetIn(tuple(knock.key for knock in view.knocking)) if _may_all(view) else None,
        lambda _view: _("let everybody in"),
    ),
)
"""Everything that can be done in a lobby, besides leaving it."""


SEAT_KEYS = "23456"
"""The keys by which the host sends guests away: the numbers of their seats."""


def sent_away(seat: str, view: LobbyView) -> SendAway | None:
    """Return the host's decision to send somebody away; None if that cannot be done.

    `seat` is the number of a seat, or the name of a player who sits or knocks.
    """
    for sitter in view.sitters:
        if sitter.seat and bare(seat) in (f"{sitter.seat}", bare(sitter.name)):
            return SendAway(sitter.key)
    knock = _at_the_door(seat, view)
    return None if knock is None else SendAway(knock.key)


def let_in(name: str, view: LobbyView) -> LetIn | None:
    """Return the decision to let in the player with that name; None if that cannot be done."""
    knock = _at_the_door(name, view)
    return None if knock is None or not view.may_add else LetIn((knock.key,))


def _at_the_door(name: str, view: LobbyView) -> KnockView | None:
    """Return the player who knocks with that name or those key words, if there is only one.

    None for a person who is not the host.
    """
    called = [
        knock for knock in view.knocking if bare(name) in (bare(knock.name), bare(knock.words))
    ]
    return called[0] if view.hosting and len(called) == 1 else None


def marked_after(view: LobbyView, step: int) -> bytes:
    """Return the key of the knocking player `step` places after the marked one; b"" for none.

    After the last player comes the first.
    """
    keys = [knock.key for knock in view.knocking]
    if view.marked is None:
        return b""
    return keys[(keys.index(view.marked.key) + step) % len(keys)]


def decision_of(key: str, view: LobbyView) -> LobbyDecision | None:
    """Return the decision that a key or a word stands for now; None if there is none."""
    if key in SEAT_KEYS:
        # A digit means a seat, even if somebody who knocks has that digit as their name.
        return sent_away(key, evolve(view, knocking=()))
    found = (command for command in LOBBY_COMMANDS if key in (command.key, command.word))
    command = next(found, None)
    return None if command is None else command.decision(view)
