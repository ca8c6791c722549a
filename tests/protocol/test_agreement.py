"""The rules by which an honest node signs continuations (rules 1 and 2 of `agreement`)."""

from contextlib import nullcontext

import pytest
from attrs import evolve

from protocol.agreement import (
    MOST_SKIPPED,
    Branch,
    Offer,
    check_may_sign,
    highest_attempt,
    may_write,
    newest,
)
from protocol.errors import Refused
from protocol.place import Place


def branch(attempt: int, table: int | None = None, *, wrote: int = 0, closed: int = 0) -> Branch:
    """Return the branch of a table with that attempt; its record has 10 entries or more."""
    table_id = bytes([attempt if table is None else table]) * 32
    return Branch(attempt, Place(table_id, 10 + attempt, bytes(32)), wrote, closed)


def offer(parent: Branch, attempt: int) -> Offer:
    """Return a continuation of that table."""
    return Offer(parent.end, attempt)


@pytest.mark.parametrize(
    ("signed", "attempt", "why"),
    [
        (0, 1, ""),
        (1, 1, "later try"),
        (2, 2, "later try"),
        (2, 3, ""),
        (0, MOST_SKIPPED, ""),
        (0, MOST_SKIPPED + 1, "much higher"),
        (7, 7 + MOST_SKIPPED, ""),
        (0, 1 << 48, "much higher"),
    ],
)
def test_1_a_node_signs_only_a_higher_attempt_than_before(
    signed: int, attempt: int, why: str
) -> None:
    """A much higher attempt is refused, too: few numbers would be left after it."""
    with pytest.raises(Refused, match=why) if why else nullcontext():
        assert check_may_sign([branch(0)], signed, offer(branch(0), attempt)) == ()


@pytest.mark.parametrize(
    ("signed", "heard", "counts"),
    [
        (0, [], 0),
        (5, [3], 5),
        (0, [MOST_SKIPPED], MOST_SKIPPED),
        (0, [MOST_SKIPPED + 1], 0),
        (0, [2 * MOST_SKIPPED, 7, MOST_SKIPPED], 2 * MOST_SKIPPED),
        (0, [1 << 48, 9], 9),
    ],
)
def test_1_attempts_that_others_have_signed_justify_a_higher_one(
    signed: int, heard: list[int], counts: int
) -> None:
    assert highest_attempt(signed, heard) == counts
    assert check_may_sign([branch(0)], signed, offer(branch(0), counts + 1), heard) == ()


HERE = branch(0).end


@pytest.mark.parametrize(
    ("tables", "other", "why"),
    [
        ([branch(0), branch(4)], offer(branch(4), 4), "later try"),
        ([branch(0)], Offer(evolve(HERE, height=9), 1), "end of this machine's record"),
        ([branch(0)], Offer(evolve(HERE, previous=b"\1" * 32), 1), "end of this machine's record"),
        ([branch(1), branch(0)], offer(branch(0), 2), "end of this machine's record"),
    ],
    ids=["not above the table", "another height", "another head", "an older table"],
)
def test_1_a_node_continues_only_the_end_of_its_newest_table_and_with_a_higher_attempt(
    tables: list[Branch], other: Offer, why: str
) -> None:
    """A substitute is bound by this, too, although they have signed none of the lower attempts."""
    with pytest.raises(Refused, match=why):
        check_may_sign(tables, 0, other)


def test_1_of_two_tables_with_the_same_attempt_all_nodes_continue_the_same_one() -> None:
    """A founder has signed both continuations, and is exposed by that (C3)."""
    tables = [branch(0), branch(1, 7), branch(1, 8)]
    assert newest(tables) == newest(tables[::-1]) == tables[2]


def test_1_after_a_fork_a_node_names_the_place_that_it_abandons() -> None:
    """A node that has closed a round after a fork does not go on from before the fork."""
    # The fork is at height 3. The node has written nothing after it, a move, or a closing.
    for wrote, closed, names in ((3, 3, False), (4, 3, True), (4, 4, None)):
        mine = branch(0, wrote=wrote, closed=closed)
        before = evolve(mine.end, height=3)
        mine = evolve(mine, fork=before)
        if names is None:
            with pytest.raises(Refused, match="would lose a round"):
                check_may_sign([mine], 0, Offer(before, 1))
        else:
            assert check_may_sign([mine], 0, Offer(before, 1)) == ((mine.end,) if names else ())
        assert check_may_sign([mine], 0, offer(mine, 1)) == ()


@pytest.mark.parametrize(
    ("attempts", "signed", "at", "writes"),
    [
        ([0], 0, 0, True),
        ([0], 1, 0, False),  # the signer of attempt 1 has left all tables with lower attempts
        ([0, 1], 1, 1, True),
        ([0, 1], 0, 0, False),  # also if only others have signed the newer table
        ([0, 1], 2, 1, False),
        ([0, 3], 2, 3, True),
    ],
)
def test_2_a_node_writes_only_in_the_newest_table(
    attempts: list[int], signed: int, at: int, writes: bool
) -> None:
    tables = [branch(attempt) for attempt in attempts]
    assert may_write(tables, signed, branch(at).table_id) == writes
