"""Votes about absence: what members have agreed to, for the next place in the record.

Each member votes once for a place, and what it has voted is on its disk before it is sent: so two
different absences can never both have all the signatures that they take. Who has voted takes
nothing that the absent one writes late, until another member's act releases them
(`protocol.ballot`).

Substitutes sign first, when a member has invited them: so no vote is given to somebody who does
not come. Their signatures count for nothing where no member has invited them or voted for them:
strangers can make as many as they like.
"""

from collections.abc import Iterator

from attrs import define, evolve, field

from p2p.transport.messages import Invite, Vote
from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.charter import Member
from protocol.entries import AbsentContent, Body
from protocol.errors import Malformed, Mismatch, Refused
from protocol.state import State

MOST_INVITATIONS = 8
"""Invitations that are remembered of one member, for one place."""


@define
class Votes:
    """The votes for what may take the place after `state`. `ballot` has all acts, `mine` is this
    node's own vote.
    """

    state: State
    ballot: Ballot
    _invited: dict[int, tuple[bytes, ...]] = field(factory=dict, init=False)

    @property
    def mine(self) -> Vote | None:
        return None if self.ballot.mine is None else vote_of(self.ballot.mine)

    def __iter__(self) -> Iterator[Vote]:
        """All votes, those of members first: a peer takes a substitute's only after a member's."""
        return map(vote_of, self.ballot)

    @property
    def proposals(self) -> tuple[AbsentContent, ...]:
        """What members have voted for and substitutes, if it names any, have signed: as a person
        proposes it, for what stands of the round is not theirs to say.
        """
        return tuple(
            evolve(self.ballot.content_of(body), counted=None)
            for body in self.ballot.bodies
            if self._has_members(body) and self.is_signed_by_substitutes(body)
        )

    def is_signed_by_substitutes(self, body: bytes) -> bool:
        """Whether all whom that body names as substitutes have signed it."""
        content = Body.decode(body, self.state.match.game.deck, joint=True).content
        assert isinstance(content, AbsentContent)
        given = self.ballot.keys_for(body)
        return all(member.key in given for member in content.substitutes)

    @property
    def invitations(self) -> tuple[Invite, ...]:
        """The invitations of this place, each once."""
        bodies = (body for invited in self._invited.values() for body in invited)
        return tuple(map(Invite, dict.fromkeys(bodies)))

    def invitations_for(self, member: Member) -> tuple[Invite, ...]:
        """The invitations that name this candidate as a substitute."""
        invited = ((i, self._decoded(i.body)) for i in self.invitations)
        return tuple(i for i, content in invited if content and member in content.substitutes)

    def invite(self, player: int, invitation: Invite) -> bool:
        """Note what substitutes are asked to sign, as `player` tells; whether it is new. Of each
        player the first few are remembered: were it the last, members could tell each other for
        ever what the other has forgotten.

        Raises Malformed or Mismatch for what nobody should pass on.
        """
        if invitation in self.invitations:
            return False
        content = self._decoded(invitation.body)
        if content is None:
            return False
        if not content.substitutes:
            raise Mismatch("That invites nobody.")
        invited = (*self._invited.get(player, ()), invitation.body)
        if len(invited) > MOST_INVITATIONS:
            return False
        self._invited[player] = invited
        return True

    def add(self, vote: Vote) -> bool:
        """Count a vote, or a refusal; whether it is new. One for another place is no news.

        Raises Malformed for one that nobody should pass on, Exposed when a member contradicts
        themselves.
        """
        act = act_of(vote)
        said = act.said(self.state.charter)
        if said.place != self.ballot.place:
            return False
        if said.content is not None:
            self._decoded(vote.body)
            known = self._has_members(vote.body) or Invite(vote.body) in self.invitations
            asked = {member.key for member in said.content.substitutes}
            if vote.key in asked and not known:
                return False
        return self.ballot.add(act)

    def _decoded(self, data: bytes) -> AbsentContent | None:
        """The absence in a body that is to be signed; None if it is for another place. Raises
        Malformed.
        """
        try:
            body = Body.decode(data, self.state.match.game.deck, joint=True)
            assert isinstance(body.content, AbsentContent), "no other entry is joint"
            if body.place != self.state.next_place:
                return None
            wanted = absence(self.state, body.content)
        except (Malformed, Refused) as error:
            raise Malformed("That is no vote: {error}", error=error) from error
        if wanted != body:
            raise Malformed("A vote is for the one entry that says so.")
        return body.content

    def _has_members(self, body: bytes) -> bool:
        """Whether a member has voted for it."""
        return any(map(self.ballot.is_member, self.ballot.keys_for(body)))


def act_of(vote: Vote) -> Act:
    return Act(vote.body, vote.key, vote.signature)


def vote_of(act: Act) -> Vote:
    return Vote(act.body, act.key, act.signature)
