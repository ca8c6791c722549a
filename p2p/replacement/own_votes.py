"""The votes about absence that this node has given at one table, as its journal keeps them.

A vote is on disk before it is told, and stays there: whoever has voted never refuses in that
place, and says in the next entry of their own what has released them.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Self

from attrs import define, evolve, field, frozen

from p2p.storage.journal import Journal
from protocol.ballot import Act
from protocol.charter import MOST_MEMBERS
from protocol.codec import Fields, encode
from protocol.entries import ACT_LIMIT, ENTRY_LIMIT, HEIGHT_LIMIT, MOST_RELEASES
from protocol.errors import Refused
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES

_MOST_VOTES = 1024
_MOST_BYTES = _MOST_VOTES * 3 * (ACT_LIMIT + 16) + ENTRY_LIMIT


@frozen
class OwnVote:
    """The vote for the entry at that height, what has released this node from it, and what the
    `substitutes` whom the entry names have signed, by key: nobody else may have that any more.
    """

    height: int
    act: Act
    release: Act | None = None
    substitutes: Mapping[bytes, bytes] = field(factory=dict)

    @property
    def acts(self) -> Iterator[Act]:
        """What others have said, for a ballot."""
        if self.release is not None:
            yield self.release
        for key, signature in self.substitutes.items():
            yield Act(self.act.body, key, signature)


@define
class OwnVotes:
    """The votes by height. The methods that keep something block. `refuses_after` is the height of
    the record up to which this node may have voted without knowing it: its journal was put back
    from a copy. `dismissal` is the joint entry by which this node is dismissed.
    """

    journal: Journal
    table_id: bytes
    refuses_after: int = 0
    dismissal: bytes = b""
    votes: dict[int, OwnVote] = field(factory=dict)

    @classmethod
    def recalled(cls, journal: Journal, table_id: bytes) -> Self:
        """Raises Malformed for a journal that was changed by somebody else."""
        own = cls(journal, table_id)
        kept = journal.vote(table_id)
        if kept is not None:
            fields = Fields.decode(kept, "own votes", limit=_MOST_BYTES)
            own.refuses_after = fields.take_int("refuses after", 0, HEIGHT_LIMIT)
            own.dismissal = fields.take_bytes("dismissal", most=ENTRY_LIMIT)
            for item in fields.take_each("votes", _MOST_VOTES):
                height = item.take_int("height", 1, HEIGHT_LIMIT)
                act = Act.decode(item.take_bytes("vote", most=ACT_LIMIT))
                release = item.take_bytes("release", most=ACT_LIMIT)
                substitutes = dict(map(_signature, item.take_each("substitutes", MOST_MEMBERS)))
                item.end()
                released = Act.decode(release) if release else None
                own.votes[height] = OwnVote(height, act, released, substitutes)
            fields.end()
        return own

    def check_room(self, since: int) -> None:
        """Raises Refused if one more vote would be one too many to answer for in one entry."""
        given = sum(height > since for height in self.votes)
        if given >= MOST_RELEASES or len(self.votes) >= _MOST_VOTES:
            raise Refused(
                "You have voted for an absence too often since your last entry; the table waits "
                "for the player who is due."
            )

    def keep(
        self, height: int, act: Act, substitutes: Mapping[bytes, bytes] = MappingProxyType({})
    ) -> None:
        """Keep the vote in that place, for good."""
        if height not in self.votes:
            self.votes[height] = OwnVote(height, act, substitutes=substitutes)
            self._write()

    def keep_release(self, height: int, release: Act | None) -> None:
        """Keep what has released this node from its vote there, before its record goes on."""
        vote = self.votes.get(height)
        if vote is not None and release is not None and vote.release is None:
            self.votes[height] = evolve(vote, release=release)
            self._write()

    def keep_doubt(self, height: int) -> None:
        """Keep the height up to which other members have to tell what this node has voted for."""
        self.refuses_after = max(self.refuses_after, height)
        self._write()

    def keep_dismissal(self, joint: bytes) -> None:
        """Keep the joint entry by which this node is dismissed, for good."""
        self.dismissal = joint
        self._write()

    def releases(self, since: int) -> tuple[bytes, ...]:
        """The releases from the votes in places after that height, encoded, in their order."""
        return tuple(
            vote.release.encode()
            for height, vote in sorted(self.votes.items())
            if height > since and vote.release is not None
        )[:MOST_RELEASES]

    def _write(self) -> None:
        votes = [
            (
                vote.height,
                vote.act.encode(),
                vote.release.encode() if vote.release else b"",
                list(vote.substitutes.items()),
            )
            for vote in self.votes.values()
        ]
        content = encode((self.refuses_after, self.dismissal, votes))
        self.journal.keep_vote(self.table_id, content)


def _signature(fields: Fields) -> tuple[bytes, bytes]:
    """A substitute's key and signature."""
    key = fields.take_bytes("key", exact=KEY_BYTES)
    signature = fields.take_bytes("signature", exact=SIGNATURE_BYTES)
    fields.end()
    return key, signature
