"""Verifier without the rules, which never blames a player who has followed them (`audit.md`)."""

import pytest

from engine.moves import DrawStock
from protocol.entries import MoveContent
from spec import verifier
from tests.protocol.played import Moment
from tests.spec.alterations import BY_RULES
from tests.spec.followed import by_the_library, tables, vectors
from tests.vectors.recorded import RECORD_FILES, RECORDS, recorded


def free_moments() -> list[tuple[Moment, verifier.Table]]:
    """Return the places of the recorded round where only the rules know who is to write."""
    pairs = zip(recorded().moments, tables(RECORDS), strict=False)
    return [(moment, table) for moment, table in pairs if not table.owing]


def test_the_honest_entry_after_one_that_was_out_of_turn_blames_nobody() -> None:
    """Let a cheat write first: the verifier cannot know that it was not their turn."""
    with by_the_library():
        moments = free_moments()
        assert {moment.body.content.kind for moment, _ in moments} == {"move", "unlock", "open"}
        for moment, table in moments:
            cheat = moment.signed(MoveContent(DrawStock(), ()), moment.other)
            misled = table.advance(cheat)
            with pytest.raises(verifier.Broken) as raised:
                misled.advance(moment.entry)
            assert raised.value.cause == "R6"
            with pytest.raises(verifier.Exposed) as exposed:
                misled.advance(
                    moment.signed(MoveContent(DrawStock(), ((bytes(64)),)), moment.other)
                )
            assert (exposed.value.player, exposed.value.cause) == (moment.other, "R8")


def test_what_was_given_is_not_given_again() -> None:
    """Refuse a card that the rules have given already, even if the table waits for a move."""
    with by_the_library():
        *_, (moment, table) = (
            (m, table) for m, table in free_moments() if m.body.content.kind == "move"
        )
        dealt = recorded().when("unlock", lambda m: m.state.match.round is not None)
        again = moment.signed(dealt.body.content, dealt.writer)
        with pytest.raises(verifier.Exposed) as raised:
            table.advance(again)
        assert raised.value.cause == "R14"


@pytest.mark.parametrize("name", RECORD_FILES)
def test_what_only_the_rules_speak_against_is_illegal_and_the_rest_is_exposed(name: str) -> None:
    """A fault in the rules of one program must not read as a proof."""
    for record in vectors(name)["records"]:
        if record["cause"] in BY_RULES:
            verdict = "exposed" if record["without_rules"] is None else "illegal"
            assert record["verdict"] == verdict, record["name"]


@pytest.mark.parametrize("name", RECORD_FILES)
def test_nobody_is_named_but_who_is_named_with_the_rules(name: str) -> None:
    seen = 0
    for record in vectors(name)["records"]:
        without = record["without_rules"]
        if without is not None:
            assert without["player"] in {None, record["player"]}, record["name"]
            assert without != {key: record[key] for key in without}, record["name"]
            seen += 1
    assert seen or name not in {RECORDS}
