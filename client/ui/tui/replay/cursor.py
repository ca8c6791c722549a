"""Where one is in a replay, and from whose seat one looks: a value that keys move about."""

from collections.abc import Callable
from typing import Self

from attrs import evolve, frozen

from client.ui.model.replay import Moment, Replay, Viewer


@frozen
class ReplayCursor:
    """`at` is the number of a moment, from 0. The replay has one at least."""

    replay: Replay
    at: int = 0
    viewer: Viewer = None

    @property
    def moment(self) -> Moment:
        return self.replay.moments[self.at]

    def step(self, count: int) -> Self:
        """So many moments on (or back); not beyond the ends."""
        return evolve(self, at=min(max(self.at + count, 0), len(self.replay.moments) - 1))

    def turn(self, way: int) -> Self:
        """To where the turn passes to another player next (1), or did before (-1)."""
        return self._until(way, lambda moment: (moment.deal_number, _turn_of(moment)))

    def round(self, way: int) -> Self:
        """To the first moment of the next round, or of this one and then of the one before."""
        if way < 0:
            return self.step(-1)._to_first()
        return self._until(1, lambda moment: moment.deal_number)

    def first(self) -> Self:
        return evolve(self, at=0)

    def last(self) -> Self:
        return self.step(len(self.replay.moments))

    def next_viewer(self) -> Self:
        """All that was opened, then each player in turn."""
        viewers: list[Viewer] = [None, *range(self.replay.players)]
        return self.seen_by(viewers[(viewers.index(self.viewer) + 1) % len(viewers)])

    def seen_by(self, viewer: Viewer) -> Self:
        return evolve(self, viewer=viewer)

    def _to_first(self) -> Self:
        cursor, here = self, self.moment.deal_number
        while cursor.at > 0 and cursor.step(-1).moment.deal_number == here:
            cursor = cursor.step(-1)
        return cursor

    def _until(self, way: int, key: Callable[[Moment], object]) -> Self:
        cursor, here = self.step(way), key(self.moment)
        while cursor.step(way).at != cursor.at and key(cursor.moment) == here:
            cursor = cursor.step(way)
        return cursor


def _turn_of(moment: Moment) -> object:
    position = moment.after.match.round
    return None if position is None else position.turn.seat
