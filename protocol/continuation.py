"""Continuations: charters by which a match goes on, from its middle, when a player stays away.

A *continuation* names the end of the record that it continues, the players who have left, and their
successors. All its signers sign it, more than half of the founders among them. Its digest is the
id of a new table, whose record begins there (`spec/record.md`, 6).

For example: of four players, player 2 stays away in round 3. Players 0, 1 and 3 and a bot with a
new key sign the charter with the same members, except that the bot has seat 2. The cards on the
table are counted, the next player deals, and round 4 is shuffled under the new table id.

Two signatures of one key can contradict each other: `protocol.evidence` has the rules. The rules
by which an honest node never gives two such signatures are in `protocol.agreement`.
"""

from collections.abc import Iterable, Mapping

from attrs import evolve

from engine.sentences import Value
from protocol.charter import Charter, Member, SignedCharter
from protocol.continues import Continues
from protocol.errors import Malformed, Refused, Unattributable
from protocol.lock_state import LockState
from protocol.state import State
from protocol.without_rules import is_undecided, openers


class _Unfit(Unattributable):
    """A charter that does not continue this record (R19)."""

    def __init__(self, text: str, /, **values: Value) -> None:
        super().__init__("R19", text, **values)


def continuation_of(
    state: State,
    left: Iterable[int],
    successors: Mapping[int, Member] | None = None,
    *,
    attempt: int,
) -> Charter:
    """Return the charter by which the match goes on without the players `left`.

    The new table starts at the end of this record. The seats of those who have left go to their
    `successors`. If a seat has no successor, the match ends. Raises Refused if the match cannot go
    on like that.
    """
    gone, taken = tuple(sorted(set(left))), successors or {}
    # `continued`, below, refuses to go on from a match that all have signed.
    match = state.match if state.complete else state.match.interrupted(gone)
    ends = match.over or taken.keys() != set(gone)
    members = list(state.charter.members)
    if not ends:
        for player, member in taken.items():
            members[player] = member
    continues = Continues(
        state.charter.match_id,
        state.place,
        state.charter.attempt,
        attempt,
        gone,
        tuple(sheet.totals for sheet in match.sheets),
        ends,
    )
    charter = evolve(state.charter, members=tuple(members), continues=continues)
    # Judge the charter as the others will, so that this node offers nothing that they would refuse.
    try:
        continued(state, Charter.decode(charter.encode()))
    except (Malformed, Unattributable) as error:
        raise Refused(error.sentence) from error
    return charter


def continued(state: State, charter: Charter) -> State:
    """Return the state in which a continuation of this record begins.

    Signatures are not checked here: `SignedCharter.decode` does that. Raises Unattributable (R19)
    for a charter that does not continue this record.
    """
    continues = _check(state, charter)
    # A round under way may be counted here. For example, if three rounds were closed before, then
    # `match` now has four sheets.
    match = state.match.interrupted(continues.left)
    if continues.results != tuple(sheet.totals for sheet in match.sheets):
        raise _Unfit(
            "The continuation names other points for the rounds before it than the record has."
        )
    if match.over and not continues.ends:
        raise _Unfit(
            "The match is over with the round that is counted, but the continuation does "
            "not end it."
        )
    in_hand = match.opening or match.round_over
    table_id = charter.table_id
    # Somebody who does not know the rules may be unable to tell if hands are opened next. Then
    # `undecided` is the state for the case that they are.
    parent = state.undecided or state
    may_open = openers(parent)
    after = evolve(
        state,
        charter=charter,
        table_id=table_id,
        head=table_id,
        height=0,
        last=None,
        match=match,
        writers=(),
        wrote=frozenset(),
        gone=frozenset(continues.left if continues.ends else ()),
        openers=None,
        undecided=None,
    )
    # There are three cases: hands are opened under the same locks, the round is dealt again with
    # new locks, or the match ends. Without the rules the first two cases can look alike until the
    # next entry is written. Then `undecided` is the state for the first case.
    remaining = tuple(player for player in may_open or () if player not in continues.left)
    undecided = state.undecided is not None or is_undecided(state)
    if in_hand:  # hands are opened and counted under the same locks
        after = evolve(after, openers=remaining).with_next_writers()
        return evolve(after, undecided=after) if undecided else after
    if undecided:
        opened = evolve(after, match=parent.match, cards=parent.cards, openers=remaining)
        after = evolve(after, undecided=opened)
    after = evolve(after, cards=LockState())
    if continues.ends:
        return evolve(after, match=match.ended(), ended=not match.over)
    return after.with_next_writers()


def open_table(state: State | None, signed: SignedCharter) -> State:
    """Return the state in which a table begins.

    If `state` is None, the table is the first of its match. Otherwise it continues the record that
    led to `state`. Raises Unattributable (R2, R19).
    """
    charter = signed.charter
    if state is not None:
        return continued(state, charter)
    if charter.continues is not None:
        raise Unattributable("R2", "A record begins with the first charter of its match.")
    return State.start(charter)


def are_most_founders(state: State, keys: Iterable[bytes]) -> bool:
    """Return True if the keys are those of more than half of the founders (record.md, 6.1)."""
    return 2 * len(frozenset(keys).intersection(state.founders)) > len(state.founders)


def check_founders(state: State, charter: Charter) -> None:
    """Check that more than half of the founders sign a continuation. Raises Unattributable."""
    if not are_most_founders(state, map(charter.key_of, charter.signers)):
        raise _Unfit(
            "The continuation is not signed by more than half of the founders of the match."
        )


def _check(state: State, charter: Charter) -> Continues:
    """Check a continuation, except its results; return its `continues`. Raises Unattributable."""
    before, continues = state.charter, charter.continues
    if continues is None or continues.place != state.place:
        raise _Unfit("The continuation does not start at the end of the record that it continues.")
    if (continues.match_id, continues.parent_attempt) != (before.match_id, before.attempt):
        raise _Unfit(
            "The continuation names another match, or another attempt for the table before it."
        )
    if state.complete:
        raise _Unfit("The match is over and signed by all; nothing follows.")
    # Nothing but `members` and `continues` may differ.
    if evolve(charter, members=before.members, continues=before.continues) != before:
        raise _Unfit("The continuation changes what is played, or how it is played.")
    if len(charter.members) != len(before.members):
        raise _Unfit("The continuation does not have as many seats as the table before it.")
    keys = {member.key for member in before.members}
    for player, (old, new) in enumerate(zip(before.members, charter.members, strict=True)):
        # If the match ends, those who have left stay in the charter; only their seats are empty.
        changes = player in continues.left and not continues.ends
        if changes and new.key in keys:
            raise _Unfit("A player who takes a seat in the continuation has a seat already.")
        if not changes and new != old:
            raise _Unfit(
                "The continuation changes the seat, key, name or nonce of a player who "
                "has not left."
            )
    check_founders(state, charter)
    return continues
