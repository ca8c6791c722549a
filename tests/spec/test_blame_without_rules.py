"""A verifier without the rules of play never blames a player who followed them (`audit.md`)."""

from collections.abc import Iterator

import pytest

from engine.games import GAMES
from engine.moves import DrawStock
from engine.slots import Shown
from protocol.entries import (
    Body,
    CloseContent,
    Content,
    Entry,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.record_file import PartKind, kind_of
from spec import verifier
from tests.engine.simulation import eagerly
from tests.made_up_game import FAMILIES
from tests.protocol.continuing import ended, opened_at_a_third_table, replaced, seat_newcomers
from tests.protocol.played import Moment
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded_table import SeededTable
from tests.spec.alterations import ACCEPTED, BY_RULES, is_told_apart, said_by, verifier_says
from tests.spec.library_arithmetic import believing_proofs, by_the_library
from tests.spec.run_verifier import followed as verifier_tables
from tests.spec.run_verifier import generated_games, tables, vectors
from tests.vectors.recorded import RECORD_FILES, RECORDS, recorded


def free_moments() -> list[tuple[Moment, verifier.Table]]:
    """Return the moments of the recorded round at which only the rules tell who writes next.

    Each moment comes with the second verifier's table at that moment.
    """
    pairs = zip(recorded().moments, tables(RECORDS), strict=False)
    return [(moment, table) for moment, table in pairs if not table.owing]


def test_nobody_is_blamed_for_an_honest_entry_after_one_out_of_turn() -> None:
    """A cheat writes first: the verifier cannot know that it was not their turn."""
    with by_the_library():
        moments = free_moments()
        assert {moment.body.content.kind for moment, _ in moments} == {"move", "unlock", "open"}
        for moment, table in moments:
            cheat = moment.signed(MoveContent(DrawStock(), ()), moment.other)
            misled = table.advance(cheat)
            assert verifier_says(misled, moment.entry) == ("broken", "R6", None)
            again = moment.signed(MoveContent(DrawStock(), (bytes(64),)), moment.other)
            assert verifier_says(misled, again) == ("exposed", "R8", moment.other)


def test_giving_a_card_twice_exposes_the_writer() -> None:
    """Even while the table waits for a move, a card that was given cannot be given again."""
    *_, (moment, table) = (one for one in free_moments() if one[0].body.content.kind == "move")
    dealt = recorded().when("unlock", lambda m: m.state.match.round is not None)
    again = moment.signed(dealt.body.content, dealt.writer)
    assert verifier_says(table, again) == ("exposed", "R14", dealt.writer)


@pytest.mark.parametrize("name", RECORD_FILES)
def test_only_faults_against_the_rules_of_play_are_called_illegal(name: str) -> None:
    """A fault in one program's rules of play must not look like a proof of cheating."""
    for record in vectors(name)["records"]:
        if record["cause"] in BY_RULES:
            verdict = "exposed" if record["without_rules"] is None else "illegal"
            assert record["verdict"] == verdict, record["name"]


def test_nobody_is_blamed_for_opening_a_hand_after_two_continuations() -> None:
    """A verifier without the rules cannot tell that a round is over until its hands are opened."""
    with without_proofs(), by_the_library(), believing_proofs():
        table = opened_at_a_third_table()
        finding = verifier.verify_record([table.record()])
    assert (finding.verdict, finding.entry) == ("unfinished", len(table.entries))
    assert finding.exposed == ()


@pytest.mark.parametrize("name", RECORD_FILES)
def test_without_rules_the_verifier_blames_the_same_player_or_nobody(name: str) -> None:
    seen = 0
    for record in vectors(name)["records"]:
        without = record["without_rules"]
        if without is not None:
            assert without["player"] in {None, record["player"]}, record["name"]
            assert without != {key: record[key] for key in without}, record["name"]
            seen += 1
    assert seen or name != RECORDS


def wrong_contents(table: SeededTable) -> Iterator[Content]:
    """Return contents of every kind that can be written out of turn, or with false statements."""
    state = table.state
    match, deck = state.match, state.match.deck
    sides = match.game.sides(match.players)
    yield CloseContent(match.round_number or 1, (5,) * sides, last=True)
    yield MoveContent(DrawStock(), ())
    written = {}
    for part in table.entries:
        if kind_of(part) is PartKind.ENTRY:
            content = Body.decode(Entry.decode(part).body, deck).content
            if isinstance(content, ShuffleContent | UnlockContent):
                written[content.kind, getattr(content, "first", None)] = content
    yield from written.values()
    for stage in filter(None, (state, state.undecided)):
        for hand in stage.match.round.hands if stage.match.round else ():
            faces = [(slot, stage.cards.face(slot)) for slot in hand]
            proof = (bytes(64),)
            yield OpenContent(tuple(Shown(s, deck[f or 0]) for s, f in faces), proof)
            yield OpenContent(tuple(Shown(s, deck[0]) for s, f in faces if f is None), proof)
            yield OpenContent(tuple(Shown(s, deck[f]) for s, f in faces if f is not None), ())


def wrong_entries(table: SeededTable) -> Iterator[bytes]:
    """Return entries by every player with each of the wrong contents."""
    contents = [*wrong_contents(table)]
    for player, sign in enumerate(table.signers):
        for content in contents:
            body = Body(table.state.next_place, player, content).encode()
            yield Entry.sign(body, sign).encode()


def interrupted(phase: str, *, void: bool) -> SeededTable:
    """Return a table in that phase of a round."""
    game, players = ("families", 4) if phase == "turned up" else ("canasta", 3)
    table = SeededTable.sit(game, players, seed=0, rounds=2, void_interrupted=void)
    table.play_until("move")  # to the cut
    table.step()
    if phase == "turned up":
        while not table.state.match.opening:
            table.step()
    else:
        table.play_until("move" if phase == "move" else "open", eagerly)
    if phase in {"turned up", "half open"}:
        table.step()
    if phase == "open again":
        seat_newcomers(table, replaced(table, table.state))
    return table


def verdicts(table: SeededTable) -> set[str]:
    """Return the program's verdicts on wrong entries, after checking the second verifier's.

    The wrong entries come before or after the next three honest entries.
    """
    (*_, followed), found = verifier_tables(table.charter.encode(), table.entries), set[str]()
    before: tuple[bytes, ...] = ()
    for _ in range(3):
        here = tuple(wrong_entries(table))
        # The wrong entries `before` are in the place of the honest entry that came last.
        for entry in (*here, *before):
            program, second = said_by(table.state, entry), verifier_says(followed, entry)
            assert is_told_apart(program, second), (program, second)
            found.add(program[0])
        if table.state.complete:
            break
        misleading = [entry for entry in here if verifier_says(followed, entry) == ACCEPTED]
        writer = table.state.writers[0]
        table.step(eagerly)
        honest = table.entries[-1]
        for entry in misleading:
            blamed = verifier_says(followed.advance(entry), honest)
            # The writer themself may have signed the misleading entry: that exposes them (R8).
            assert blamed[2] != writer or blamed[1] == "R8", blamed
        followed, before = followed.advance(honest), here
    return found


@pytest.mark.parametrize("void", [False, True], ids=["counts", "void"])
@pytest.mark.parametrize("phase", ["move", "open", "half open", "open again", "turned up"])
def test_both_verifiers_distinguish_illegal_entries_after_a_continuation(
    phase: str, void: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands of players who left stay closed; with `void_interrupted` the round is dealt again."""
    monkeypatch.setitem(GAMES, "families", FAMILIES)
    monkeypatch.setattr(verifier, "GAMES", generated_games())
    with without_proofs(), by_the_library(), believing_proofs():
        goes_on = interrupted(phase, void=void)
        ends, missing = goes_on.copied(), goes_on.state.writers[0]
        seat_newcomers(goes_on, replaced(goes_on, goes_on.state, missing))
        seat_newcomers(ends, ended(ends, ends.state, missing))
        expected = {"exposed"} | ({"illegal"} if void or phase != "move" else set())
        assert verdicts(goes_on) >= expected
        assert verdicts(ends) >= expected
