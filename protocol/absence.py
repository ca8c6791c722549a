"""Absence: the others go on without players who have been silent for long.

Nobody can be blamed for silence, and nobody may be voted out by a few: an absence is signed by
*all* the others, who are more than half, and by whoever takes a seat that has become free. So an
entry that an absent player writes late cannot continue the record (R19 of `spec/record.md`).
"""

from attrs import evolve

from protocol.charter import Charter
from protocol.entries import AbsentContent, Body, CloseContent, Entry, Place
from protocol.errors import Malformed, Refused, Unattributable
from protocol.lock_state import LockState
from protocol.state import State


def absence(state: State, content: AbsentContent) -> Body:
    """The body that all the others sign, with what there is to say of the round. Raises Refused if
    that absence cannot be agreed on.
    """
    others = _others(state.charter, content)
    said = evolve(content, opening=state.match.opening, counted=_counted(state))
    body = Body(state.next_place, others[0] if others else 0, said)
    try:
        _check(state, body)
    except Unattributable as error:
        raise Refused(error.sentence) from error
    return body


def signers(charter: Charter, content: AbsentContent) -> tuple[bytes, ...]:
    """The keys of those who sign an absence, in their order: the others, then the substitutes."""
    others = (charter.members[player].key for player in _others(charter, content))
    return (*others, *(member.key for member in content.substitutes))


def accept_absence(state: State, entry: Entry) -> tuple[State, Body]:
    """The state after a joint entry, but for its height and head, and the entry's body.

    Raises Unattributable: what is not signed by all whom it takes shows nothing of those who have
    signed.
    """
    try:
        state.check_place(Place.of(entry.body))
        body = Body.decode(entry.body, state.match.game.deck, joint=True)
    except Malformed as error:
        raise Unattributable("R9", error.sentence) from error
    content = _check(state, body)
    if not entry.is_signed_by_all(signers(state.charter, content)):
        raise Unattributable(
            "R19", "An absence is signed by all the others, and by the substitutes."
        )
    if content.opening:
        match = state.match.leaving_closed(content.players)
    elif state.match.round_over:
        match = state.match.close_round()
    else:
        match = state.match.redealt()
    if content.ends:
        return evolve(state, match=match.ended(), writers=(), cards=LockState(), ended=True), body
    members = list(state.charter.members)
    for player, member in zip(content.players, content.substitutes, strict=False):
        members[player] = member
    charter = evolve(state.charter, members=tuple(members))
    return evolve(state, charter=charter, match=match).with_next_writers(), body


def is_agreed_absence(charter: Charter, entry: Entry, place: Place) -> bool:
    """Whether a joint entry in that place can be an absence of some of these members, and is signed
    by all whom it takes, so that no other entry continues the record there. Who was due, and what
    it says of the round, is not looked at (record.md, 6.11).
    """
    try:
        body = Body.decode(entry.body, charter.game.deck, joint=True)
        content = _check_agreement(charter, body)
    except (Malformed, Unattributable):
        return False
    return body.place == place and entry.is_signed_by_all(signers(charter, content))


def _check_agreement(charter: Charter, body: Body) -> AbsentContent:
    """Raises Unattributable for what 6.1 and 6.3 forbid, whoever is due."""
    content = body.content
    if not isinstance(content, AbsentContent):
        raise Unattributable("R19", "Only an absence is signed by several players.")
    players = content.players
    members = len(charter.members)
    if players != tuple(sorted(set(players))) or not all(p < members for p in players):
        raise Unattributable("R19", "Absent players are named once, in their order.")
    if not 0 < 2 * len(players) < members:
        raise Unattributable("R19", "More than half of all players have to be there.")
    if body.writer != _others(charter, content)[0]:
        raise Unattributable("R19", "An absence is written in the name of the first who is there.")
    keys = {member.key for member in (*charter.members, *content.substitutes)}
    if len(content.substitutes) not in {0, len(players)} or len(keys) != members + len(
        content.substitutes
    ):
        raise Unattributable(
            "R19", "Each absent player has one substitute, who is new, or none has one."
        )
    return content


def _check(state: State, body: Body) -> AbsentContent:
    content, due = _check_agreement(state.charter, body), state.due
    if due is None or due.player not in content.players:
        raise Unattributable("R19", "Nobody is absent for whom the table does not wait.")
    if content.opening != state.match.opening:
        raise Unattributable("R19", "Hands stay closed if they are being opened, and only then.")
    if content.counted != _counted(state):
        raise Unattributable(
            "R19", "A round stands with its points if it is counted, and only then."
        )
    return content


def _counted(state: State) -> CloseContent | None:
    """What all would sign of the round, if it is counted."""
    return state.closing if state.match.round_over else None


def _others(charter: Charter, content: AbsentContent) -> tuple[int, ...]:
    return tuple(p for p in range(len(charter.members)) if p not in content.players)
