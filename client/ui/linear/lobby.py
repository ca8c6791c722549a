"""A lobby in the linear mode: a line for each event, and words that the person types."""

from collections.abc import AsyncIterator, Callable

import trio

from client.i18n.language import _, with_and
from client.session.display.lobby_interface import LobbyDecision, LobbySnapshot
from client.ui.model.command_words import command_word, spoken
from client.ui.model.commands.lobby_commands import LOBBY_COMMANDS, decision_of, let_in, sent_away
from client.ui.model.lobby_view import LobbyView, in_a_row, lobby_view
from engine.sentences import N_
from protocol.errors import LocalError

Write = Callable[[str], None]

_LEAVE = N_("quit")
_SEND_AWAY = "send away"
_LET_IN = "let in"


def lobby_words() -> dict[str, str]:
    """Return the words that can be typed, with their short forms in the screen's language."""
    return {command.word: command.own_key for command in LOBBY_COMMANDS} | {_LEAVE: ""}


class LobbyLines:
    """A lobby display that writes a line for each change in a snapshot.

    Without `typed` lines it only shows the lobby, and `run` lasts until it is cancelled.
    """

    def __init__(self, write: Write, typed: AsyncIterator[str] | None = None) -> None:
        self._write = write
        self._typed = typed
        self._view: LobbyView | None = None
        self._to_room, self._decisions = trio.open_memory_channel[LobbyDecision](100)

    async def run(self) -> None:
        """Run until the person leaves. Raises LocalError when there are no more lines."""
        if self._typed is None:
            await trio.sleep_forever()
            return
        self._write(
            _("Type {ready} when you are ready; {help} lists the other commands.").format(
                ready=spoken("ready"), help=spoken("help")
            )
        )
        async for line in self._typed:
            word = command_word(line.strip(), lobby_words())
            if word == _LEAVE:
                return
            decision = None
            if self._view is not None:
                decision = decision_of(word, self._view) if word else _guest(line, self._view)
            if decision is not None:
                self._to_room.send_nowait(decision)
            elif word is None:
                self._help()
            else:
                self._write(_("That cannot be done now."))
        raise LocalError(
            "The input has ended before the match has begun, so you have left the lobby. If "
            "nobody can type, use --autoplay: an opponent then plays for you."
        )

    def show(self, snapshot: LobbySnapshot) -> None:
        before, self._view = self._view, lobby_view(snapshot)
        for line in _news(before, self._view):
            self._write(line)

    async def decided(self) -> LobbyDecision:
        return await self._decisions.receive()

    def _help(self) -> None:
        for command in LOBBY_COMMANDS:
            self._write(f"{_(command.word)}: {_(command.meaning)}")
        if self._view is not None and self._view.hosting:
            text = _("{send_away} NAME: that guest goes and may not come back")
            self._write(text.format(send_away=spoken(_SEND_AWAY)))
            text = _("{let_in} NAME: the player who knocks with that name may sit down")
            self._write(text.format(let_in=spoken(_LET_IN)))
        leaving = _("leave the lobby")
        self._write(f"{spoken(_LEAVE)}: {leaving}")


def _guest(line: str, view: LobbyView) -> LobbyDecision | None:
    """Return the host's decision in a line such as "send away Bruno" or "let in Bruno".

    A guest can also be named by the number of their seat, as in "send away 2".
    """
    words = line.split()
    # Commands and names can have several words, so each way to divide the line is tried.
    for place in range(1, len(words)):
        word, name = command_word(" ".join(words[:place]), lobby_words()), " ".join(words[place:])
        if word == _SEND_AWAY and (guest := sent_away(name, view)) is not None:
            return guest
        if word == _LET_IN and (knock := let_in(name, view)) is not None:
            return knock
    return None


def _news(before: LobbyView | None, now: LobbyView) -> list[str]:
    """Return lines about the differences between two views."""
    lines: list[str] = []
    if now.title and (before is None or not before.title):
        lines += _introduction(now)
    if before is None or before.sitters != now.sitters:
        lines += _people(now)
    knocked = {knock.key for knock in before.knocking} if before else set()
    new = [knock.sentence for knock in now.knocking if knock.key not in knocked]
    lines += new
    if now.hosting and new:
        text = _("Type {let_in} or {send_away} to answer {name}, who knocked first.")
        first = now.knocking[0].name
        words = {"let_in": _("let in"), "send_away": _("send away")}
        lines.append(text.format(name=first, **words))
    lines += now.news.after(before.news.said if before else 0)
    if before is None or before.waits_for != now.waits_for:
        lines.append(now.waits_for)
    return lines


def _introduction(view: LobbyView) -> list[str]:
    about = _("The table “{title}” is open: {game}, {seats} seats.").format(
        title=view.title, game=view.game, seats=view.seats
    )
    you = _("You are {name} ({words}).")
    me = [
        you.format(name=sitter.name, words=sitter.words) for sitter in view.sitters if sitter.mine
    ]
    return [about, *me, *view.rules, *view.joining]


def _people(view: LobbyView) -> list[str]:
    """Return a line with the players who are there, or no line."""
    if not view.sitters:
        return []
    names = [
        in_a_row(sitter.name) + (_(" (ready)") if sitter.ready else "") for sitter in view.sitters
    ]
    there = _("{there} of {seats}: {names}.").format(
        there=len(view.sitters), seats=view.seats, names=with_and(names)
    )
    return [f"{there} {view.couples}".rstrip()]
