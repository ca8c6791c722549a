"""The questions of an exploration to the nodes of founders, with a cache of the answers."""

from collections.abc import Iterator

from attrs import define, field

from tests.simulation.explored_match import ExploredMatch, Table
from tests.simulation.founders import Founder, View
from tests.simulation.talk import come_to_one

_NODES = 512
"""The number of nodes in the cache."""


@define(eq=False)
class Founders:
    """The founders of a match with at most `continuations` continuations, who answer questions.

    See `tests.simulation.exploration` for `wide` and `talks`.
    """

    match: ExploredMatch
    continuations: int
    majorities: tuple[int, ...]
    wide: bool
    talks: bool
    _asked: dict[tuple[object, ...], bool] = field(factory=dict, init=False)
    _signed: dict[tuple[object, ...], tuple[int, ...]] = field(factory=dict, init=False)
    _recent: dict[tuple[int, tuple[View, ...], int], Founder] = field(factory=dict, init=False)

    def _node(self, player: int, known: tuple[View, ...], signed: int) -> Founder:
        key = (player, known, signed)
        if key not in self._recent:
            if len(self._recent) >= _NODES:
                del self._recent[next(iter(self._recent))]
            self._recent[key] = Founder(self.match, *key)
        return self._recent[key]

    def _nodes(
        self, player: int, known: tuple[View, ...], signed: int, *, doubts: bool
    ) -> Iterator[Founder]:
        """Yield a founder's node.

        If it `doubts`, yield a node for each other player, which has heard all but this player.
        """
        if not doubts:
            yield self._node(player, known, signed)
            return
        has_seat = player in self.match.by_uid[known[-1][0]].seats
        others = frozenset(range(self.match.players)) - {player}
        for silent in others if has_seat else ():
            yield Founder(self.match, player, known, signed, True, others - {silent})

    def write(
        self, player: int, known: tuple[View, ...], signed: int, uid: int, *, doubts: bool
    ) -> bool:
        """Return True if a node takes the next step at that table."""
        key = (player, known, signed, doubts, uid)
        if key not in self._asked:
            nodes = self._nodes(player, known, signed, doubts=doubts)
            self._asked[key] = any(node.writes(self.match.by_uid[uid]) for node in nodes)
        return self._asked[key]

    def offers(
        self, player: int, known: tuple[View, ...], signed: int, *, doubts: bool
    ) -> tuple[int, ...]:
        """Return the uids (numbers) of the continuations that a node may sign."""
        key = (player, known, signed, doubts)
        if key not in self._signed:
            nodes = tuple(self._nodes(player, known, signed, doubts=doubts))
            made = []
            for uid, end in known if self.wide else known[-1:]:
                parent = self.match.by_uid[uid]
                for height in range(0 if self.wide else end, end + 1):
                    for number in range(parent.attempt + 1, self.continuations + 1):
                        offers = (
                            self.match.table(parent, height, number, signers)
                            for signers in self.majorities
                            if signers >> player & 1
                        )
                        made += [
                            offer.uid for offer in offers if any(n.signs(offer) for n in nodes)
                        ]
            self._signed[key] = tuple(made)
        return self._signed[key]

    def can_go_on(self, player: int, known: tuple[View, ...], signed: int, made: Table) -> bool:
        """Return True if a node signs that continuation, and may play on there."""
        key = (player, known, signed, made.uid)
        if key not in self._asked:
            node = self._node(player, known, signed)
            later = Founder(self.match, player, (*known, (made.uid, 0)), made.uid)
            self._asked[key] = node.signs(made) and later.machine.may_write(made.table_id)
        return self._asked[key]

    def come_to_one(self, group: tuple[int, ...], view: View, signed: tuple[int, ...]) -> bool:
        """Return True if the match goes on when these founders talk, or if this is not explored."""
        table = self.match.by_uid[view[0]]
        key = ("talk", group, view, signed)
        if not self.talks or not set(group) <= set(table.seats):
            return True
        if key not in self._asked:
            known = [view]
            while table.parent is not None:
                known.insert(0, (table.parent.uid, table.height))
                table = table.parent
            self._asked[key] = come_to_one(self.match, group, tuple(known), signed)
        return self._asked[key]
