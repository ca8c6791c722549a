"""Acts about an absence: votes and refusals, and what they say of who has signed them.

In each place of the record every member gives one vote, or one refusal, or neither. Who has voted
goes on past the place only with a *release*: another member's act that keeps the joint entry from
ever having all its signatures. So a joint entry and a record that goes on without it always
contradict each other, and the contradiction has a name on it: whoever has voted and refused, or
voted twice, or voted and gone on without a release (R20 of `spec/record.md`; the table of states
is in its chapter 6).
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Self

from attrs import define, field, frozen

from engine.sentences import Sentence
from protocol.absence import signers
from protocol.charter import MOST_MEMBERS, Charter, Member
from protocol.codec import Fields, encode
from protocol.entries import (
    ACT_LIMIT,
    VOTE_LIMIT,
    AbsentContent,
    Body,
    Entry,
    Place,
)
from protocol.errors import Exposed, Malformed, Refused
from protocol.signing import KEY_BYTES, SIGNATURE_BYTES, Signer
from protocol.state import Step

_CONTRADICTION = "R20"
_REFUSAL = "refuse"


@frozen
class Act:
    """What the holder of `key` has said about an absence in one place: a vote for the joint entry
    with that encoded body, or a refusal.
    """

    body: bytes = field(repr=False)
    key: bytes = field(repr=bytes.hex)
    signature: bytes = field(repr=False)

    @classmethod
    def vote(cls, body: bytes, key: bytes, signer: Signer) -> Self:
        """Agree to the joint entry with that encoded body."""
        return cls(body, key, Entry.vote(body, signer))

    @classmethod
    def refusal(cls, place: Place, player: int, key: bytes, signer: Signer) -> Self:
        """Say that one will agree to no absence in that place."""
        body = encode((*place.fields(), player, _REFUSAL))
        return cls(body, key, Entry.refusal(body, signer))

    def encode(self) -> bytes:
        return encode((self.body, self.key, self.signature))

    @classmethod
    def take(cls, fields: Fields) -> Self:
        """Raises Malformed."""
        return cls(
            fields.take_bytes("body", most=VOTE_LIMIT),
            fields.take_bytes("key", exact=KEY_BYTES),
            fields.take_bytes("signature", exact=SIGNATURE_BYTES),
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises Malformed."""
        fields = Fields.decode(data, "act", limit=ACT_LIMIT)
        act = cls.take(fields)
        fields.end()
        return act

    def said(self, charter: Charter) -> "Said":
        """What a member of that charter has signed with it. Raises Malformed."""
        fields = Fields.decode(self.body, "act", limit=VOTE_LIMIT)
        place = Place.take(fields)
        player, kind = fields.take_int("player", 0, MOST_MEMBERS - 1), fields.take_text("kind", 16)
        if kind == _REFUSAL:
            fields.end()
            content = None
            signed = charter.player_of(self.key) == player and Entry.is_refusal(
                self.body, self.key, self.signature
            )
        else:
            body = Body.decode(self.body, charter.game.deck, joint=True)
            assert isinstance(body.content, AbsentContent), "no other entry is joint"
            content = body.content
            signed = Entry.is_vote(self.body, self.key, self.signature)
        if not signed:
            raise Malformed("That act about an absence is not signed by the player that it names.")
        return Said(place, content)


def check_releases(charter: Charter, table_id: bytes, body: Body) -> None:
    """Raises Malformed for releases that are not acts of members at this table: nobody hides other
    things there. Whether they release anybody is seen when somebody contradicts them.
    """
    for data in body.releases:
        act = Act.decode(data)
        if act.said(charter).place.table_id != table_id or charter.player_of(act.key) is None:
            raise Malformed("A release is an act of a member of this table.")


@frozen
class Said:
    """A vote for that absence in that place, or a refusal if there is none."""

    place: Place
    content: AbsentContent | None

    def binds(self, key: bytes) -> bool:
        """Whether it binds the holder of the key who has signed it: not as a substitute, who signs
        as often as they are asked.
        """
        return self.content is None or all(one.key != key for one in self.content.substitutes)


@frozen
class Contradiction:
    """Two acts of one member in one place. In a record file it may follow any entry."""

    one: Act
    other: Act

    def encode(self) -> bytes:
        return encode([(act.body, act.key, act.signature) for act in (self.one, self.other)])

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises Malformed."""
        fields = Fields.decode(data, "contradiction", limit=2 * ACT_LIMIT + 8)
        acts = []
        for name in ("one act", "the other act"):
            inner = fields.take_fields(name)
            acts.append(Act.take(inner))
            inner.end()
        fields.end()
        return cls(*acts)

    def exposes(self, charter: Charter, table_id: bytes) -> Exposed:
        """Who is exposed by it, and why. Raises Malformed if nobody is."""
        player = charter.player_of(self.one.key)
        one, other = self.one.said(charter), self.other.said(charter)
        if player is None or self.one.key != self.other.key or self.one.body == self.other.body:
            raise Malformed("Those are not two acts of one member.")
        if one.place != other.place or one.place.table_id != table_id:
            raise Malformed("Those acts are about different places.")
        if not (one.binds(self.one.key) and other.binds(self.other.key)):
            raise Malformed("What a substitute has signed contradicts nothing.")
        sentence = Sentence(
            "They have voted for an absence, and refused or voted otherwise in that place."
        )
        return Exposed(player, _CONTRADICTION, sentence, (self.encode(),))


def is_contradiction(evidence: bytes) -> bool:
    """Whether these are the bytes of a contradiction, and of no entry."""
    try:
        Contradiction.decode(evidence)
    except Malformed:
        return False
    return True


def height_of(evidence: bytes, most: int) -> int:
    """The height of the place that an entry or a contradiction is about; `most`, if it is higher or
    cannot be read (what is malformed exposes its signer anywhere).
    """
    try:
        one = Contradiction.decode(evidence).one if is_contradiction(evidence) else None
        body = Entry.decode(evidence).body if one is None else one.body
        return min(Place.of(body).height, most)
    except Malformed:
        return most


@define
class Ballot:
    """The acts about an absence in `place`, as the holder of the key `me` knows them. `charter`
    has those who sit there then, `mine` is the own vote.
    """

    charter: Charter = field(repr=False)
    place: Place
    me: bytes = field(repr=bytes.hex)
    mine: Act | None = None
    _votes: dict[bytes, dict[bytes, Act]] = field(factory=dict, init=False)
    _refusals: dict[bytes, Act] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        if self.mine is not None:
            self._votes[self.mine.body] = {self.me: self.mine}

    def __iter__(self) -> Iterator[Act]:
        """All acts, each body's votes of members before those of substitutes."""
        yield from self._refusals.values()
        for given in self._votes.values():
            yield from sorted(given.values(), key=lambda act: not self.is_member(act.key))

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What there are votes for."""
        return tuple(self._votes)

    def keys_for(self, body: bytes) -> frozenset[bytes]:
        """Who has voted for it."""
        return frozenset(self._votes.get(body, ()))

    @property
    def voters(self) -> frozenset[bytes]:
        """The members who have voted, by key."""
        return frozenset(filter(self.is_member, chain.from_iterable(self._votes.values())))

    def signatures(self, body: bytes, members: Iterable[Member]) -> dict[bytes, bytes]:
        """What those of these who have voted for it have signed, by key."""
        given = self._votes.get(body, {})
        return {one.key: given[one.key].signature for one in members if one.key in given}

    def is_member(self, key: bytes) -> bool:
        return self.charter.player_of(key) is not None

    def content_of(self, body: bytes) -> AbsentContent:
        """The absence in a body that somebody has voted for."""
        content = Body.decode(body, self.charter.game.deck, joint=True).content
        assert isinstance(content, AbsentContent)
        return content

    def vote(self, body: bytes, signer: Signer) -> Act:
        """The own vote, to be kept before it is told and then added. Raises Refused after another
        act of one's own, and for an absence of one's own.
        """
        if self.me not in signers(self.charter, self.content_of(body)):
            raise Refused("You cannot agree that you are absent yourself.")
        mine = Act.vote(body, self.me, signer)
        if self.mine not in {None, mine}:
            raise Refused("You have voted for something else in this place.")
        if self.me in self._refusals:
            raise Refused("You have refused to agree to an absence in this place.")
        return mine

    def add(self, act: Act) -> bool:
        """Count an act; whether it is new. An own vote that others tell is one's own again.

        Raises Malformed for what nobody should pass on, Exposed when it contradicts another act
        of the same member.
        """
        said = act.said(self.charter)
        if said.place != self.place:
            raise Malformed("That act is about another place.")
        if self.is_member(act.key):
            for earlier in self.acts_of(act.key):
                if earlier.body == act.body:
                    return False
                raise Contradiction(earlier, act).exposes(self.charter, self.place.table_id)
        if said.content is None:
            self._refusals[act.key] = act
            return True
        asked = act.key in signers(self.charter, said.content)
        if not asked or self.is_member(act.key) != said.binds(act.key):
            raise Malformed("That vote is not asked for.")
        given = self._votes.setdefault(act.body, {})
        new = act.key not in given
        given[act.key] = act
        if act.key == self.me:
            self.mine = act
        return new

    def acts_of(self, key: bytes) -> tuple[Act, ...]:
        """What that member has said here: one act, if they are honest."""
        votes = (given[key] for given in self._votes.values() if key in given)
        return (*votes, *(act for act in self._refusals.values() if act.key == key))

    @property
    def own_refusal(self) -> Act | None:
        """That of this member."""
        return self._refusals.get(self.me)

    @property
    def release(self) -> Act | None:
        """The act that frees this member from the own vote; None without it, or without a vote."""
        if self.mine is None:
            return None
        return next((act for act in self if releases(self.charter, self.mine, act)), None)

    @property
    def holds_back(self) -> bool:
        """Whether this member may not go on past the place yet with an entry of one player."""
        return self.mine is not None and self.release is None

    @property
    def owes_refusal(self) -> bool:
        """Whether somebody waits for the refusal of this member, who has gone on without a vote."""
        silent = self.mine is None and self.me not in self._refusals
        return silent and any(
            self.me in signers(self.charter, self.content_of(body))
            and any(self.is_member(key) for key in given)
            for body, given in self._votes.items()
        )

    def joint(self) -> bytes | None:
        """The joint entry, when all whom it takes have voted for it."""
        for body, given in self._votes.items():
            wanted = signers(self.charter, self.content_of(body))
            if set(wanted) == set(given):
                return Entry(body, b"".join(given[key].signature for key in wanted)).encode()
        return None


def releases(charter: Charter, vote: Act, act: Act) -> bool:
    """Whether that act of another member, whose signature the vote's joint entry takes, shows that
    it will never be complete.
    """
    content = vote.said(charter).content
    assert content is not None
    needed = act.key in signers(charter, content) and charter.player_of(act.key) is not None
    binds = act.said(charter).binds(act.key)
    return needed and binds and act.key != vote.key and act.body != vote.body


def step_of(charter: Charter, entry: Entry) -> Step:
    """An entry that holds, as a step of the record; `charter` has the members before it."""
    return step_by(charter, Body.decode(entry.body, charter.game.deck, joint=entry.is_joint))


def step_by(charter: Charter, body: Body) -> Step:
    """Likewise, by the body of the entry."""
    if isinstance(body.content, AbsentContent):
        return Step(body.place, signers(charter, body.content), is_joint=True)
    key = charter.members[body.writer].key
    return Step(body.place, (key,), releases=body.releases)


def with_step(recent: tuple[Step, ...], keys: Collection[bytes], step: Step) -> tuple[Step, ...]:
    """The last steps and this one: from the first on that comes after the last entry of any of
    the holders of these keys. So a record that is cut after somebody's entry has all that they
    have gone past with it.
    """
    last = {earlier.signers[0]: place for place, earlier in enumerate(recent)}
    begin = min(last.values()) + 1 if last.keys() >= set(keys) else 0
    return (*recent[begin:], step)


def is_void(charter: Charter, place: Place, joint: Entry, later: Iterable[Step]) -> bool:
    """Whether a joint entry in `place` counts for nothing, because members who have signed it have
    agreed to another one further on in the record that goes on without it. `later` is that
    record from the place on; `charter` has the members before it.

    Raises Exposed when one of them has written there without a release, or with one by somebody
    who has signed the joint entry nevertheless. Who has written in the place itself was due there,
    and has signed the absence of somebody else.
    """
    votes = _votes_in(charter, joint)
    for step in later:
        signed = votes.keys() & step.signers
        if signed and step.is_joint:
            return True
        for key in signed:
            raise _gone_on(charter, place, joint, votes, key, step)
    return False


def check_two_absences(charter: Charter, place: Place, one: Entry, other: Entry) -> None:
    """Two joint entries in one place, each with all its signatures: raises Exposed for a member
    who has signed both. There is one: each is signed by more than half of the members.
    """
    votes, others = _votes_in(charter, one), _votes_in(charter, other)
    both = [key for key in votes if key in others and one.body != other.body]
    for key in both:
        raise Contradiction(votes[key], others[key]).exposes(charter, place.table_id)


def signers_of(charter: Charter, joint: Entry) -> tuple[bytes, ...]:
    """Whose signatures a joint entry takes, in their order."""
    content = Body.decode(joint.body, charter.game.deck, joint=True).content
    assert isinstance(content, AbsentContent), "no other entry is joint"
    return signers(charter, content)


def _votes_in(charter: Charter, joint: Entry) -> dict[bytes, Act]:
    """The votes of members in a joint entry, by key."""
    size = SIGNATURE_BYTES
    return {
        key: Act(joint.body, key, joint.signature[i * size : (i + 1) * size])
        for i, key in enumerate(signers_of(charter, joint))
        if charter.player_of(key) is not None
    }


def _gone_on(
    charter: Charter,
    place: Place,
    joint: Entry,
    votes: dict[bytes, Act],
    key: bytes,
    step: Step,
) -> Exposed:
    """Who is exposed by a joint entry, one of whose signers has written that step after it."""
    for data in step.releases:
        try:
            act = Act.decode(data)
            if act.said(charter).place == place and releases(charter, votes[key], act):
                return Contradiction(act, votes[act.key]).exposes(charter, place.table_id)
        except Malformed:
            continue  # the act of somebody who did not sit there then
    player = charter.player_of(key)
    assert player is not None
    sentence = Sentence("They have voted for an absence, and gone on past it without a release.")
    return Exposed(player, _CONTRADICTION, sentence, (joint.encode(),))
