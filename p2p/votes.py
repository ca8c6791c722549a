"""Votes about absence: what members have agreed to, for the next place in the record.

Each member votes once for a place, and what it has voted is on its disk before it is sent: so two
different absences can never both have all the signatures that they take. Until the place is taken,
a member that has voted holds back what the absent one writes late, unless another member carries
it, who then has not voted and will not.
"""

from collections.abc import Iterator
from typing import Self

from attrs import define, field

from p2p.frames import LinkError
from p2p.journal import Journal
from p2p.messages import Vote
from protocol.absence import absence, signers
from protocol.codec import Fields, encode
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Malformed, Refused
from protocol.state import State

_MOST_BYTES = 4096


@define
class Votes:
    """The votes for what may take the place after `state`. `mine` is this node's own."""

    state: State
    mine: Vote | None = None
    _given: dict[bytes, dict[bytes, bytes]] = field(factory=dict, init=False)

    @classmethod
    def recalled(cls, journal: Journal, state: State) -> Self:
        """With the vote that this node has given for that place before it was started again."""
        votes = cls(state)
        setting = journal.setting(_name(state))
        if setting:
            fields = Fields.decode(setting, "vote", limit=_MOST_BYTES)
            vote = Vote.take(fields)
            if Body.decode(vote.body, state.match.game.deck, joint=True).place == state.next_place:
                votes.mine = vote
                votes.add(vote)
        return votes

    def keep(self, journal: Journal) -> None:
        """Put this node's own vote into the journal."""
        if self.mine is not None:
            journal.set_setting(_name(self.state), encode(self.mine.fields()))

    def __iter__(self) -> Iterator[Vote]:
        for body, given in self._given.items():
            yield from (Vote(body, key, signature) for key, signature in given.items())

    @property
    def proposals(self) -> tuple[AbsentContent, ...]:
        """What members have voted for."""
        return tuple(map(self._content, self._given))

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
        try:
            body = Body.decode(vote.body, self.state.match.game.deck, joint=True)
            if body.place != self.state.next_place:
                return False
            content = self._checked(body)
        except (Malformed, Refused) as error:
            raise LinkError(f"That is no vote: {error}") from error
        if vote.key not in signers(self.state.charter, content):
            raise LinkError("That vote is not asked for.")
        if not Entry.is_vote(vote.body, vote.key, vote.signature):
            raise LinkError("That vote is not signed.")
        if self._has_voted(vote.key):
            return False  # once is enough
        self._given.setdefault(vote.body, {})[vote.key] = vote.signature
        return True

    def entry(self) -> bytes | None:
        """The joint entry, when all have voted for it."""
        for body, given in self._given.items():
            wanted = signers(self.state.charter, self._content(body))
            if set(wanted) == set(given):
                return Entry(body, b"".join(given[key] for key in wanted)).encode()
        return None

    def _checked(self, body: Body) -> AbsentContent:
        """Raises Malformed and Refused."""
        if not isinstance(body.content, AbsentContent):
            raise Malformed("One votes about absence.")
        if absence(self.state, body.content) != body:
            raise Malformed("A vote is for the one entry that says so.")
        return body.content

    def _has_voted(self, key: bytes) -> bool:
        return any(key in given for given in self._given.values())

    def _content(self, body: bytes) -> AbsentContent:
        content = Body.decode(body, self.state.match.game.deck, joint=True).content
        assert isinstance(content, AbsentContent)
        return content


def _name(state: State) -> str:
    return f"vote/{state.table_id.hex()}"
