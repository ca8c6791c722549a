"""The wishes of a program that plays a seat, when another player is missing."""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum

import trio
from attrs import frozen

from client.i18n.language import _
from client.session.display.absence import are_enough
from p2p.match.match_node import MatchNode
from protocol.errors import Refused
from protocol.match.messages import Wish, WishKind

_LOOK_SECONDS = 1.0  # longest time between two checks for missing players
_TELL_SECONDS = 10  # seconds of silence until the person is told whom the table waits for


class IfAbsent(Enum):
    """The wish of a program that plays a seat, once the grace for a missing player is over."""

    WAIT = "wait"
    END = "end"
    OPPONENT = "opponent"
    PERSON = "person"


@frozen
class AbsencePolicy:
    """The policy of the program that plays at one node, when another player is missing."""

    node: MatchNode
    tell: Callable[[str], None]
    """Prints a line for the person who started the program."""
    if_absent: IfAbsent

    async def run(self) -> None:
        """Run until the match is over."""
        told_head = b""  # the head at which the person was last told whom the table waits for
        while not self.node.over:
            # The event is read before the checks: a change during them sets this very event, so the
            # wait below ends at once.
            progress = self.node.progress
            awaited = self.node.awaited
            if awaited is not None and awaited.player != self.node.me:
                silent = trio.current_time() - awaited.since
                if silent >= _TELL_SECONDS and told_head != self.node.state.head:
                    told_head = self.node.state.head
                    name = self.node.charter.name_of(awaited.player)
                    self.tell(
                        _("Waiting for {name}, {seconds} s so far.").format(
                            name=name, seconds=int(silent)
                        )
                    )
            if self.if_absent is not IfAbsent.WAIT:
                with suppress(Refused):  # nobody is missing any more
                    self._decide()
            with trio.move_on_after(_LOOK_SECONDS):
                await progress.wait()

    def _decide(self) -> None:
        """Join another player's proposal; if there is none, announce a wish. Raises Refused."""
        node, proposal = self.node, self.node.proposal
        if proposal is not None and proposal.proposer != node.key:
            if not node.has_accepted(node.me):
                node.join_proposal()
            return
        wish: Wish | None = None
        if node.missing and are_enough(node.state, node.missing):
            wish = self._wish()
        elif node.stuck:
            wish = Wish(WishKind.TOGETHER)
        if wish is not None and wish != node.wishes[node.me]:
            node.wish(wish)

    def _wish(self) -> Wish | None:
        """Return the wish of this policy; None if it wants a person and nobody suits."""
        match self.if_absent:
            case IfAbsent.END:
                return Wish(WishKind.END)
            case IfAbsent.OPPONENT:
                return Wish(WishKind.OPPONENT)
            case IfAbsent.PERSON:
                for candidate in self.node.candidates:
                    if candidate.objection is None:
                        return Wish(WishKind.PERSON, candidate.key)
        return None
