"""Votes about absence: what members have agreed to, for the next place in the record.

Each member votes once for a place, and what it has voted is on its disk before it is sent: so two
different absences can never both have all the signatures that they take. Until the place is taken,
a member that has voted holds back what the absent one writes late, unless another member carries
it, who then has not voted and will not.

Substitutes sign first, when a member has invited them: so no vote is given to somebody who does
not come. Their signatures count for nothing where no member has invited them or voted for them:
strangers can make as many as they like.
"""

from collections.abc import Iterator
from typing import Self

from attrs import define, evolve, field

from p2p.storage.journal import Journal
from p2p.transport.messages import Invite, Vote
from protocol.absence import absence, signers
from protocol.charter import Member
from protocol.codec import Fields, encode
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Malformed, OutOfTurn, Refused
from protocol.state import State

_MOST_BYTES = 4096

MOST_INVITATIONS = 8
"""For one place, as one member tells."""


@define
class Votes:
    """The votes for what may take the place after `state`. `mine` is this node's own."""

    state: State
    mine: Vote | None = None
    _given: dict[bytes, dict[bytes, bytes]] = field(factory=dict, init=False)
    _invited: dict[int, tuple[bytes, ...]] = field(factory=dict, init=False)

    @classmethod
    def recalled(cls, journal: Journal, state: State) -> Self:
        """With the vote that this node has given for that place before it was started again."""
        votes = cls(state)
        kept = journal.vote(state.table_id)
        if kept is not None:
            fields = Fields.decode(kept, "vote", limit=_MOST_BYTES)
            vote = Vote.take(fields)
            if Body.decode(vote.body, state.match.game.deck, joint=True).place == state.next_place:
                votes.mine = vote
                votes.add(vote)
        return votes

    def keep(self, journal: Journal) -> None:
        """Put this node's own vote into the journal."""
        if self.mine is not None:
            journal.keep_vote(self.state.table_id, encode(self.mine.fields()))

    def __iter__(self) -> Iterator[Vote]:
        """All that were given, those of members first: the others are taken only after them."""
        for body, given in self._given.items():
            for key in sorted(given, key=lambda key: not self._is_member(key)):
                yield Vote(body, key, given[key])

    @property
    def proposals(self) -> tuple[AbsentContent, ...]:
        """What members have voted for and substitutes, if it names any, have signed: as a person
        proposes it, for what stands of the round is not theirs to say.
        """
        contents = {body: self._content(body) for body in self._given if self._has_members(body)}
        return tuple(
            evolve(content, counted=None)
            for body, content in contents.items()
            if self.is_signed_by_substitutes(body)
        )

    def is_signed_by_substitutes(self, body: bytes) -> bool:
        """Whether all whom that body names as substitutes have signed it."""
        given = self._given.get(body, {})
        return all(member.key in given for member in self._content(body).substitutes)

    @property
    def invitations(self) -> tuple[Invite, ...]:
        """What substitutes are asked to sign, each once."""
        bodies = (body for invited in self._invited.values() for body in invited)
        return tuple(map(Invite, dict.fromkeys(bodies)))

    def invitations_for(self, member: Member) -> tuple[Invite, ...]:
        """Those that ask that substitute."""
        invited = self.invitations
        return tuple(i for i in invited if member in self._content(i.body).substitutes)

    def invite(self, player: int, invitation: Invite) -> bool:
        """Note what substitutes are asked to sign, as `player` tells; whether it is new. Of each
        player the first few are remembered: were it the last, members could tell each other for
        ever what the other has forgotten.

        Raises LinkError for what nobody should pass on.
        """
        if invitation in self.invitations:
            return False
        content = self._decoded(invitation.body)
        if content is None:
            return False
        if not content.substitutes:
            raise Malformed("That invites nobody.")
        invited = (*self._invited.get(player, ()), invitation.body)
        if len(invited) > MOST_INVITATIONS:
            return False
        self._invited[player] = invited
        return True

    @property
    def held_back(self) -> tuple[int, ...]:
        """The players whose late entries are not taken from themselves."""
        return () if self.mine is None else self._content(self.mine.body).players

    def add(self, vote: Vote) -> bool:
        """Count a vote; whether it is new. A vote for another place is no news.

        Raises LinkError for one that nobody should pass on.
        """
        if self._given.get(vote.body, {}).get(vote.key) == vote.signature:
            return False
        content = self._decoded(vote.body)
        if content is None:
            return False
        if vote.key not in signers(self.state.charter, content):
            raise OutOfTurn("That vote is not asked for.")
        if not Entry.is_vote(vote.body, vote.key, vote.signature):
            raise Malformed("That vote is not signed.")
        if self._is_member(vote.key):
            if self._has_voted(vote.key):
                return False  # once is enough
        elif not self._has_members(vote.body) and Invite(vote.body) not in self.invitations:
            return False
        self._given.setdefault(vote.body, {})[vote.key] = vote.signature
        return True

    def entry(self) -> bytes | None:
        """The joint entry, when all have voted for it."""
        for body, given in self._given.items():
            wanted = signers(self.state.charter, self._content(body))
            if set(wanted) == set(given):
                return Entry(body, b"".join(given[key] for key in wanted)).encode()
        return None

    def _decoded(self, data: bytes) -> AbsentContent | None:
        """The absence in a body that is to be signed; None if it is for another place. Raises
        LinkError.
        """
        try:
            body = Body.decode(data, self.state.match.game.deck, joint=True)
            if body.place != self.state.next_place:
                return None
            return self._checked(body)
        except (Malformed, Refused) as error:
            raise Malformed("That is no vote: {error}", error=error) from error

    def _checked(self, body: Body) -> AbsentContent:
        """Raises Malformed and Refused."""
        if not isinstance(body.content, AbsentContent):
            raise Malformed("One votes about absence.")
        if absence(self.state, body.content) != body:
            raise Malformed("A vote is for the one entry that says so.")
        return body.content

    def _is_member(self, key: bytes) -> bool:
        return self.state.charter.player_of(key) is not None

    def _has_members(self, body: bytes) -> bool:
        """Whether a member has voted for it."""
        return any(map(self._is_member, self._given.get(body, ())))

    def _has_voted(self, key: bytes) -> bool:
        return any(key in given for given in self._given.values())

    def _content(self, body: bytes) -> AbsentContent:
        content = Body.decode(body, self.state.match.game.deck, joint=True).content
        assert isinstance(content, AbsentContent)
        return content
