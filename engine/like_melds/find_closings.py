"""Closings: ways to lay all cards of a hand in one move, in games without a largest meld.

A closing needs three things: every natural lies in a meld, every pair that starts a meld gets a
wild card, and the side has the canastas that going out requires. Wild cards are scarce, so they are
given out in the order of need:

- one to each pair that starts a new meld;
- then to the melds that are nearest to a canasta, until there are enough canastas;
- the rest to any meld that has room.

There is no search: each step is forced or cheapest, so if this order finds no closing there is
none. For example, with 5 5 9 9 9 2 2 Jo in the hand and a meld of five sevens and one two on the
table, the fives take one wild card, the sevens become a canasta with the second, and the third goes
to any meld.
"""

from attrs import define

from engine.cards import Rank
from engine.like_melds.melds import COMPLETE, LikeMelds, wild_count
from engine.like_melds.sorted_hand import SortedHand
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown


@define
class _Target:
    """A meld of the closing: the naturals that join it, and the wild cards planned for it."""

    naturals: tuple[Shown, ...]
    """Naturals of the hand that join the meld."""
    onto: int | None
    """Number of the meld on the table; None for a new one."""
    size: int
    """Number of cards in the meld, without the wild cards that are planned."""
    room: int
    """Number of wild cards that the meld may still get."""
    wilds: int = 0
    """Number of wild cards that are planned for the meld."""

    @property
    def lacking(self) -> int:
        """Number of cards that the meld lacks to be a canasta."""
        return COMPLETE - self.size - self.wilds

    def fill(self, count: int) -> int:
        """Plan `count` wild cards, or as many as the meld has room for, and return the number."""
        taken = min(count, self.room)
        self.wilds += taken
        self.room -= taken
        return taken


def closing(
    like: LikeMelds, hand: SortedHand, melds: tuple[Meld, ...], canastas: int
) -> tuple[Play, ...] | None:
    """Return plays that lay the whole of `hand` and leave the side at least `canastas` canastas.

    The result is None if that is impossible.
    """
    targets = _targets(like, hand, melds)
    if targets is None:
        return None
    left = hand.wild_count
    # First the pairs: without a third card they are no melds at all.
    for target in targets:
        if target.onto is None and len(target.naturals) == 2:
            left -= target.fill(1)
    # Then as many canastas as going out takes; melds that lack the fewest cards come first.
    done = sum(target.lacking <= 0 for target in targets)
    # `room` also counts: a meld that lacks three cards but takes only one more wild card cannot
    # become a canasta.
    near = sorted((t for t in targets if 0 < t.lacking <= t.room), key=lambda t: t.lacking)
    wanted = max(0, canastas - done)
    if len(near) < wanted:
        return None
    for target in near[:wanted]:
        left -= target.fill(target.lacking)
    # Wild cards that find no room would stay in the hand, so that is no closing either.
    if left < 0 or left > sum(target.room for target in targets):
        return None
    for target in targets:
        left -= target.fill(left)
    return _plays(targets, hand.jokers + hand.twos)


def _targets(like: LikeMelds, hand: SortedHand, melds: tuple[Meld, ...]) -> list[_Target] | None:
    """Return the melds of the closing: those on the table, and new ones of the hand's naturals.

    The result is None if a natural finds no place.
    """
    targets = []
    onto = {meld.rank: number for number, meld in enumerate(melds)}
    for number, meld in enumerate(melds):
        added = hand.ranks.get(meld.rank, ()) if meld.rank else ()
        room = 0 if meld.rank is Rank.THREE else like.most_wilds - wild_count(meld)
        targets.append(_Target(added, number, len(meld.cards) + len(added), room))
    for rank, cards in hand.ranks.items():
        if rank in onto:
            continue
        if len(cards) < 2:
            return None
        # C69: two black threes take one wild card, three or four take none.
        room = like.most_wilds if rank is not Rank.THREE else int(len(cards) == 2)
        targets.append(_Target(cards, None, len(cards), room))
    return targets


def _plays(targets: list[_Target], wilds: tuple[Shown, ...]) -> tuple[Play, ...]:
    plays = []
    for target in targets:
        cards = target.naturals + wilds[: target.wilds]
        wilds = wilds[target.wilds :]
        if cards:
            plays.append(Play(cards, target.onto))
    return tuple(plays)
