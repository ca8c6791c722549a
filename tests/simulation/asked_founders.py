"""The questions of an exploration to the nodes of founders, with cached answers.

There are two questions: may the node write at a table, and may it sign a continuation?
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from attrs import define

from tests.simulation.explored_match import ExploredMatch, Table
from tests.simulation.founders import Founder, View
from tests.simulation.talk import come_to_one


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

    @lru_cache(512)  # noqa: B019 - the caches live as long as the exploration
    def _node(self, player: int, known: tuple[View, ...], signed: int) -> Founder:
        return Founder(self.match, player, known, signed)

    def _nodes(
        self, player: int, known: tuple[View, ...], signed: int, *, doubts: bool
    ) -> Iterator[Founder]:
        """Yield the nodes to ask: a founder's node, in all states in which it may be.

        If the node `doubts` its journal, it has heard all other players but one, who may be any of
        them. If it does not, it has heard all.
        """
        if not doubts:
            yield self._node(player, known, signed)
            return
        has_seat = player in self.match.by_uid[known[-1][0]].seats
        others = frozenset(range(self.match.players)) - {player}
        for silent in others if has_seat else ():
            yield Founder(self.match, player, known, signed, True, others - {silent})

    @cache  # noqa: B019
    def write(
        self, player: int, known: tuple[View, ...], signed: int, uid: int, *, doubts: bool
    ) -> bool:
        """Return True if a node takes the next step at that table."""
        nodes = self._nodes(player, known, signed, doubts=doubts)
        return any(node.writes(self.match.by_uid[uid]) for node in nodes)

    @cache  # noqa: B019
    def offers(
        self, player: int, known: tuple[View, ...], signed: int, *, doubts: bool
    ) -> tuple[int, ...]:
        """Return the uids (numbers) of the continuations that a node may sign."""
        nodes = tuple(self._nodes(player, known, signed, doubts=doubts))
        own = [signers for signers in self.majorities if signers >> player & 1]
        made = []
        for uid, end in known if self.wide else known[-1:]:
            parent = self.match.by_uid[uid]
            for height in range(0 if self.wide else end, end + 1):
                for number in range(parent.attempt + 1, self.continuations + 1):
                    offers = (self.match.table(parent, height, number, each) for each in own)
                    made += [offer.uid for offer in offers if any(n.signs(offer) for n in nodes)]
        return tuple(made)

    @cache  # noqa: B019
    def can_go_on(self, player: int, known: tuple[View, ...], signed: int, made: Table) -> bool:
        """Return True if a node signs that continuation, and may play on there."""
        node = self._node(player, known, signed)
        later = Founder(self.match, player, (*known, (made.uid, 0)), made.uid)
        return node.signs(made) and later.machine.may_write(made.table_id)

    @cache  # noqa: B019
    def come_to_one(self, group: tuple[int, ...], view: View, signed: tuple[int, ...]) -> bool:
        """Return True if the match goes on when these founders talk, or if this is not explored."""
        table = self.match.by_uid[view[0]]
        if not self.talks or not set(group) <= set(table.seats):
            return True
        known = [view]
        while table.parent is not None:
            known.insert(0, (table.parent.uid, table.height))
            table = table.parent
        return come_to_one(self.match, group, tuple(known), signed)
