"""The place in a replay and the seat from which one looks, as an immutable value."""

from collections.abc import Callable
from typing import Self

from attrs import evolve, frozen

from client.ui.model.replay import Moment, Replay, Viewer
from engine.sentences import N_


@frozen
class ReplayCursor:
    """A place in a replay, which has at least one moment."""

    replay: Replay
    at: int = 0
    """Number of the moment, from 0."""
    viewer: Viewer = None

    @property
    def moment(self) -> Moment:
        return self.replay.moments[self.at]

    def step(self, count: int) -> Self:
        """Return the cursor moved by `count` moments (back if negative), but not past an end."""
        return evolve(self, at=min(max(self.at + count, 0), len(self.replay.moments) - 1))

    def turn(self, way: int) -> Self:
        """Return the cursor at the nearest later (1) or earlier (-1) moment of another turn."""
        return self._until(way, _turn_of)

    def round(self, way: int) -> Self:
        """Return the cursor at the first moment of the next round (1), or of this one (-1).

        If the cursor is there already, -1 leads to the first moment of the round before.
        """
        if way > 0:
            return self._until(1, lambda moment: moment.deal_number)
        moments, at = self.replay.moments, self.step(-1).at
        while at > 0 and moments[at - 1].deal_number == moments[at].deal_number:
            at -= 1
        return evolve(self, at=at)

    def last(self) -> Self:
        return self.step(len(self.replay.moments))

    def next_viewer(self) -> Self:
        """Return the cursor with the next view: all that was opened, then each player in turn."""
        viewers: list[Viewer] = [None, *range(self.replay.players)]
        return evolve(self, viewer=viewers[(viewers.index(self.viewer) + 1) % len(viewers)])

    def _until(self, way: int, key: Callable[[Moment], object]) -> Self:
        moments, here = self.replay.moments, key(self.moment)
        at = self.step(way).at
        while 0 <= at + way < len(moments) and key(moments[at]) == here:
            at += way
        return evolve(self, at=at)


def _turn_of(moment: Moment) -> object:
    position = moment.after.match.round
    return moment.deal_number, None if position is None else position.turn.seat


@frozen
class Movement:
    """A movement of the cursor, with its keys (named as in prompt_toolkit) and its button."""

    name: str
    words: str
    symbol: str
    """The text of the button on an HTML page."""
    keys: tuple[str, ...]
    move: Callable[[ReplayCursor], ReplayCursor]


MOVEMENTS = (
    Movement("start", N_("to the start"), "|◀", ("home",), lambda now: evolve(now, at=0)),
    Movement("round back", N_("one round back"), "◀◀", ("pageup",), lambda now: now.round(-1)),
    Movement("turn back", N_("one turn back"), "▲", ("up",), lambda now: now.turn(-1)),
    Movement(
        "back", N_("one step back"), "◀", ("left", "backspace", "p"), lambda now: now.step(-1)
    ),
    Movement("on", N_("one step on"), "▶", ("right", "space", "n"), lambda now: now.step(1)),
    Movement("turn on", N_("one turn on"), "▼", ("down",), lambda now: now.turn(1)),
    Movement("round on", N_("one round on"), "▶▶", ("pagedown",), lambda now: now.round(1)),
    Movement("end", N_("to the end"), "▶|", ("end",), ReplayCursor.last),
)

VIEW_KEYS = ("tab", "v")
"""Keys for the next view. An HTML page leaves Tab to the browser, where it moves the focus."""
