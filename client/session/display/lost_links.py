"""Links to other players' machines that are lost, and back again."""

from collections.abc import Collection

from attrs import define, field

LOST_SECONDS = 0.3
"""Seconds until a lost link is told of: one that is made anew takes less."""


@define
class LostLinks:
    """The links of this machine that there were, and that are `lost` for more than a moment."""

    lost: dict[bytes, float] = field(factory=dict)
    """Times since which they are lost, by key (Trio's clock, seconds)."""
    _told: set[bytes] = field(factory=set)
    _had: set[bytes] = field(factory=set)

    def look(
        self, linked: Collection[bytes], unreached: Collection[bytes], now: float
    ) -> tuple[list[bytes], list[bytes]]:
        """Return the keys whose links are lost since the last look, and those that are back."""
        self._had.update(linked)
        self.lost = {key: self.lost.get(key, now) for key in unreached if key in self._had}
        lost = [key for key, since in self.lost.items() if now >= since + LOST_SECONDS]
        news = [key for key in lost if key not in self._told]
        back = [key for key in self._told if key in linked]
        self._told = self._told.union(news).difference(back)
        return news, back
