"""What a person can do about a player who stays away: agree to what is proposed, or propose."""

from attrs import frozen

from client.seating.absence import Absence, Invitation, Proposal
from client.seating.attend import Snapshot
from client.telling.absence import proposal_text
from protocol.entries import AbsentContent


@frozen
class Remedy:
    """A proposal with its words; `proposed` tells that somebody has made it already."""

    proposal: Proposal
    text: str
    proposed: bool


def remedies(snapshot: Snapshot) -> tuple[Remedy, ...]:
    """What there is to agree to or to propose now: what others have proposed first."""
    absence = snapshot.absence
    if absence is None or not may_decide(absence, snapshot.me):
        return ()
    own = (Invitation(absence.player), AbsentContent((absence.player,)))
    new = tuple(proposal for proposal in own if proposal not in absence.proposals)
    return tuple(
        Remedy(proposal, proposal_text(proposal, snapshot.names), proposal in absence.proposals)
        for proposal in (*absence.proposals, *new)
    )


def may_decide(absence: Absence, me: int) -> bool:
    """Whether it is up to this player, now, to agree to anything."""
    waits = absence.player == me or absence.grace_left > 0
    return absence.may_agree and not waits and not absence.agreed
