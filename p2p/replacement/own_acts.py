"""What this node has said about absences at one table, as its journal keeps it: votes and refusals.

An act is on disk before it is told, and stays there: whoever has voted never refuses in that place,
whoever has refused never votes there, and who was released says so in the next entry of their own.
"""

import logging
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Self

from attrs import define, evolve, field, frozen

from p2p.replacement.node_interface import Record
from p2p.storage.journal import Journal
from protocol.absence import signers
from protocol.ballot import Act
from protocol.charter import MOST_MEMBERS
from protocol.codec import Fields, encode
from protocol.entries import ACT_LIMIT, ENTRY_LIMIT, HEIGHT_LIMIT, MOST_RELEASES, Place
from protocol.errors import Malformed, Refused
from protocol.hashing import digest
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES

_log = logging.getLogger(__name__)

_DIGEST_BYTES = 32
_LABEL = "own acts"
"""Of the digest in front of what is kept."""

_MOST_VOTES = 1024
_MOST_REFUSALS = 64
"""The newest. With them all entries before are on disk, so that nobody comes back to such a place
but by a copy, which is doubted.
"""

_MOST_BYTES = (3 * _MOST_VOTES + _MOST_REFUSALS) * (ACT_LIMIT + 16) + ENTRY_LIMIT


@frozen
class OwnVote:
    """A vote, what has released this node from it, and what the `substitutes` whom the entry names
    have signed, by key: nobody else may have that any more.
    """

    act: Act
    release: Act | None = None
    substitutes: Mapping[bytes, bytes] = field(factory=dict)

    @property
    def place(self) -> Place:
        return Place.of(self.act.body)

    @property
    def acts(self) -> Iterator[Act]:
        """What others have said, for a ballot."""
        if self.release is not None:
            yield self.release
        for key, signature in self.substitutes.items():
            yield Act(self.act.body, key, signature)

    def fields(self) -> tuple[bytes, bytes, list[tuple[bytes, bytes]]]:
        """Without the place, which the vote names."""
        release = self.release.encode() if self.release else b""
        return self.act.encode(), release, list(self.substitutes.items())

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed."""
        act = Act.decode(fields.take_bytes("vote", most=ACT_LIMIT))
        release = fields.take_bytes("release", most=ACT_LIMIT)
        substitutes = dict(map(_signature, fields.take_each("substitutes", MOST_MEMBERS)))
        fields.end()
        return cls(act, Act.decode(release) if release else None, substitutes)


@define
class OwnActs:
    """The votes and refusals by place: a record that was overtaken by an absence had other places
    of the same heights. The methods that keep something block. `refuses_after` is the height of the
    record up to which this node may have voted without knowing it: its journal was put back from a
    copy. `dismissal` is the joint entry by which this node is dismissed.
    """

    journal: Journal
    table_id: bytes
    refuses_after: int = 0
    dismissal: bytes = b""
    votes: dict[Place, OwnVote] = field(factory=dict)
    refusals: dict[Place, Act] = field(factory=dict)

    @classmethod
    def recalled(cls, journal: Journal, table_id: bytes) -> Self:
        """Of acts that a disk has changed none is taken, and the table is doubted: by one bit a
        vote is one for another place, and others have to tell what this node has said.
        """
        own = cls(journal, table_id)
        kept = journal.vote(table_id)
        if kept is not None:
            try:
                own._take(kept)
            except Malformed as error:
                _log.warning("own acts in the journal are damaged: %s", error)
                journal.doubt(table_id)
                return cls(journal, table_id)
        return own

    def _take(self, kept: bytes) -> None:
        """Raises Malformed."""
        check, content = kept[:_DIGEST_BYTES], kept[_DIGEST_BYTES:]
        if check != digest(_LABEL, content):
            raise Malformed("Own acts have another digest.")
        fields = Fields.decode(content, "own acts", limit=_MOST_BYTES)
        self.refuses_after = fields.take_int("refuses after", 0, HEIGHT_LIMIT)
        self.dismissal = fields.take_bytes("dismissal", most=ENTRY_LIMIT)
        votes = map(OwnVote.take, fields.take_each("votes", _MOST_VOTES))
        self.votes = {vote.place: vote for vote in votes}
        refusals = Fields(fields.take_list("refusals", _MOST_REFUSALS), "refusals")
        while len(refusals):
            act = Act.decode(refusals.take_bytes("refusal", most=ACT_LIMIT))
            self.refusals[Place.of(act.body)] = act
        fields.end()

    def acts_in(self, place: Place) -> Iterator[Act]:
        """What is kept of that place beside the own vote, for a ballot."""
        if place in self.votes:
            yield from self.votes[place].acts
        if place in self.refusals:
            yield self.refusals[place]

    def unsettled(self, record: Record) -> tuple[OwnVote, ...]:
        """The votes in places of the record since this node's last entry, in their order."""
        later = range(record.settled + 1, record.height + 2)
        places = (record.place_of(height)[0] for height in later if self.votes)
        return tuple(self.votes[place] for place in places if place in self.votes)

    def releases(self, record: Record) -> tuple[bytes, ...]:
        """What has released this node from them, encoded."""
        released = (vote.release for vote in self.unsettled(record) if vote.release is not None)
        return tuple(release.encode() for release in released)[:MOST_RELEASES]

    def binds(self, record: Record, key: bytes) -> bool:
        """Whether one of them keeps this node, whose key that is, from writing: its journal was put
        back, the record has gone past the place, and others have told of the vote since. Nothing
        has released it, and nobody else who would complete the absence has gone on either.
        """
        for vote in self.unsettled(record):
            place, charter = record.place_of(vote.place.height)
            content = vote.act.said(charter).content
            assert content is not None, "a vote is for an absence"
            others = (other for other in signers(charter, content) if other != key)
            gone_on = any(record.signed.get(other, 0) > place.height for other in others)
            if place.height <= record.height and not (vote.release or gone_on):
                return True
        return False

    def check_room(self, record: Record) -> None:
        """Raises Refused if one more vote would be one too many to answer for in one entry."""
        if len(self.unsettled(record)) >= MOST_RELEASES or len(self.votes) >= _MOST_VOTES:
            raise Refused(
                "You have voted for an absence too often since your last entry; the table waits "
                "for the player who is due."
            )

    def keep(self, act: Act, substitutes: Mapping[bytes, bytes] = MappingProxyType({})) -> None:
        """Keep the vote, for good."""
        vote = OwnVote(act, substitutes=substitutes)
        if vote.place not in self.votes:
            self.votes[vote.place] = vote
            self._write()

    def keep_refusal(self, act: Act, record: Record) -> None:
        """Keep a refusal, and with it the entry by which the record has gone past its place. Where
        an own entry came after that, it is on the disk with all before: members could have a
        refusal written for each place of a long record.
        """
        place = Place.of(act.body)
        if place.height > record.settled and place not in self.refusals:
            kept = self.refusals | {place: act}
            newest = sorted(kept, key=lambda one: one.height)[-_MOST_REFUSALS:]
            self.refusals = {one: kept[one] for one in newest}
            self._write()

    def keep_release(self, place: Place, release: Act | None) -> None:
        """Keep what has released this node from its vote there, before its record goes on."""
        vote = self.votes.get(place)
        if vote is not None and release is not None and vote.release is None:
            self.votes[place] = evolve(vote, release=release)
            self._write()

    def keep_doubt(self, height: int) -> None:
        """Keep the height up to which other members have to tell what this node has voted for."""
        self.refuses_after = max(self.refuses_after, height)
        self._write()

    def keep_dismissal(self, joint: bytes) -> None:
        """Keep the joint entry by which this node is dismissed, for good."""
        self.dismissal = joint
        self._write()

    def _write(self) -> None:
        votes = [vote.fields() for vote in self.votes.values()]
        refusals = [act.encode() for act in self.refusals.values()]
        content = encode((self.refuses_after, self.dismissal, votes, refusals))
        self.journal.keep_vote(self.table_id, digest(_LABEL, content) + content)


def _signature(fields: Fields) -> tuple[bytes, bytes]:
    """A substitute's key and signature."""
    key = fields.take_bytes("key", exact=KEY_BYTES)
    signature = fields.take_bytes("signature", exact=SIGNATURE_BYTES)
    fields.end()
    return key, signature
