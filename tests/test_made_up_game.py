"""The made-up game can be played everywhere once it is registered, like every other game."""

import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache, partial
from pathlib import Path

import pytest
from attrs import evolve

from client.bots.levels import LEVELS
from client.cli.main import main
from client.session.display.snapshot import Snapshot
from client.ui.model.command_words import line_of
from client.ui.model.hint_reasons import hint
from client.ui.tui.table.screen import TableScreen
from engine.cards import Rank
from engine.decks import Decks, deck_of, packs, suitless
from engine.games import GAMES
from engine.moves import Discard, DrawStock, LayMelds, Move, TakePile
from engine.notation.game_text import check_game
from engine.notation.moves import format_move, parse_move
from engine.notation.position_reader import parse_position
from engine.notation.position_writer import format_position
from engine.notation.referee import rulings
from engine.orders import Deal
from engine.score_sheet import CLOSED_CARDS
from p2p.storage.data_path import HOME_VARIABLE
from protocol.audit import Verdict
from spec import verifier
from tests.client.bots.level_rounds import at_level
from tests.client.bots.thick_piles import QUICK
from tests.client.plain_seat import PlainSeat
from tests.client.ui.linear.typists import Script, typed_session
from tests.client.ui.tui.golden import table_on
from tests.engine.simulation import at_random, mixed, states, views
from tests.javascript.node import find_node, running
from tests.made_up_game import FAMILIES
from tests.protocol.audited import audit
from tests.protocol.continuing import ended, replaced, seat_newcomers
from tests.protocol.played import Played, play
from tests.protocol.seeded_table import SeededTable
from tests.spec.library_arithmetic import by_the_library
from tests.spec.run_verifier import generated_games
from tests.spec_texts import games_javascript

NAME = FAMILIES.name


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the game with one line, which is all that a game needs."""
    monkeypatch.setitem(GAMES, NAME, FAMILIES)


@pytest.mark.parametrize("level", LEVELS)
def test_opponents_of_all_levels_play_the_made_up_game(level: str) -> None:
    player = at_level(level, NAME, QUICK)
    *_, (match, _, _) = states(FAMILIES, FAMILIES.options(rounds=2), 4, 3, player)
    assert match.over
    assert len(match.sheets) == 2


def test_positions_and_moves_of_the_made_up_game_survive_writing_and_reading() -> None:
    """The deck has nine cards of one face, which the notation must distinguish."""
    seen = 0
    for seed in range(2):
        for view, _, _ in views(FAMILIES, FAMILIES.options(), 4, seed):
            text = format_position(view)
            assert format_position(parse_position(text)) == text
            for move in view.legal_moves(view.moving_seat):
                assert parse_move(view, format_move(view, move)) == move
                seen += 1
    assert seen > 100


def test_the_referee_judges_the_made_up_game_and_settles_its_disputes() -> None:
    lines = "try meld 4s 4h 7c\nplay meld 4s 4h 4d\ndispute talk\ndispute draw\ndrawn 4s 7c 5h 6d\n"
    ruled = rulings(f"{NAME} 4\nhand 1 4s 4h 4d 7c\nhand 2 5s\nfamilies 0 1\n{lines}")
    assert [(ruling.verdict.name, ruling.clause) for ruling in ruled] == [
        ("ILLEGAL", "F5"),
        ("LEGAL", ""),
        ("ANSWERED", "F2"),
        ("SILENT", "F1"),
        ("ANSWERED", "F1"),
    ]


@cache
def played_once() -> Played:
    """Return a round by random players, in which somebody takes up a foot."""
    return play(NAME, 4, seed=2, rounds=1, short=True)


Found = tuple[str, int, str, int | None]
"""A verdict, the number of its entry, the cause, and the player who is blamed."""


def findings(folder: Path, *records: bytes) -> list[Found]:
    """Return what two verifiers without the rules find, and assert that they agree.

    Their tables of games are generated anew, which is all that they need for a new game.
    """
    with pytest.MonkeyPatch.context() as patch, by_the_library():
        patch.setattr(verifier, "GAMES", generated_games())
        second = [verifier.verify_record([record]) for record in records]
    found = [(one.verdict, one.entry, one.cause, one.player) for one in second]
    assert third_findings(folder, records, games_javascript()) == found
    return found


def third_findings(folder: Path, records: Sequence[bytes], games: str = "") -> list[Found]:
    """Return what the verifier in JavaScript finds, with its own table of games by default."""
    node = find_node()
    if node is None:
        pytest.skip("no Node is on this machine")
    with running(node, folder, games) as third:
        found = [third.ask("audit", record=record.hex()) for record in records]
    return [(one["verdict"], one["entry"], one["cause"], one["player"]) for one in found]


def test_a_record_of_the_made_up_game_passes_all_three_verifiers(tmp_path: Path) -> None:
    one = played_once()
    end = audit(one.record())
    assert end.verdict is Verdict.SOUND
    assert findings(tmp_path, one.record()) == [("sound", len(one.entries), "", None)]


def test_a_record_of_the_made_up_game_is_exported_and_refereed(tmp_path: Path) -> None:
    record, text = tmp_path / "game.sobremesa", tmp_path / "game.txt"
    record.write_bytes(played_once().record())
    assert main(["export", str(record), "-o", str(text)]) == 0
    assert list(check_game(text.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("written", "go_on"),
    [(1, ended), (2, replaced)],
    ids=["the match ends", "the player is replaced"],
)
def test_feet_that_cannot_be_turned_up_stay_closed(
    written: int, go_on: Callable[..., bytes], tmp_path: Path
) -> None:
    """A player leaves while feet are turned up: the round is over, and the hands are opened.

    All three verifiers must follow, though a verifier without the rules cannot tell that the round
    is over.
    """
    one = played_once()
    begun = one.when("unlock", lambda moment: moment.state.match.opening)
    moment = one.moments[begun.number + written]
    assert isinstance(moment.state.match.orders[0], Deal)
    table = evolve(
        one.table,
        state=moment.state,
        entries=one.entries[: moment.number],
        players=deepcopy(one.table.players),
        signers=list(one.table.signers),
    )
    seat_newcomers(table, go_on(table, table.state, 3))
    table.play()
    closed = table.state.match.sheets[-1].sides[1]
    assert CLOSED_CARDS in {item.what for item in closed}
    assert findings(tmp_path, table.record()) == [("sound", len(table.entries), "", None)]


@pytest.mark.parametrize(("packs_of_it", "players"), [(1, 2), (6, 4)])
def test_verifiers_that_do_not_know_the_game_accuse_nobody(
    packs_of_it: int, players: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Three verifiers that have never heard of a game with 54 or 324 cards read its record.

    Two of them also read it with the line that is generated for the game.
    """
    cards = deck_of(packs(packs_of_it) + suitless(Rank.JOKER, 2 * packs_of_it))
    stranger = evolve(FAMILIES, decks=Decks(cards), players=(players,), couples=(4, 6))
    monkeypatch.setitem(GAMES, NAME, stranger)
    table = SeededTable.sit(NAME, players)
    table.step()
    record = table.record()
    assert findings(tmp_path, record) == [("unfinished", 1, "R18", None)]
    monkeypatch.delitem(GAMES, NAME)
    end = audit(record)
    assert (end.verdict, end.entry, end.cause, end.player) == (Verdict.NEWER, 0, "R2", None)
    assert verifier.verify_record([record]) == verifier.Finding("newer", 0, "R2")
    assert third_findings(tmp_path, [record]) == [("newer", 0, "R2", None)]


def test_the_deck_can_depend_on_the_players_and_an_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All verifiers accept the first shuffle of each of the three decks.

    Verifiers that know only the largest deck blame the players who shuffle a smaller one.
    """
    records = []
    for players, short, cards in ((4, False, 144), (2, True, 80), (4, True, 48)):
        table = SeededTable.sit(NAME, players, short=short)
        assert len(table.state.match.deck) == len(table.state.charter.deck) == cards
        table.step()
        records.append(table.record())
        end = audit(records[-1])
        assert (end.entry, end.cause) == (1, "R18")
    assert findings(tmp_path, *records) == 3 * [("unfinished", 1, "R18", None)]
    monkeypatch.setitem(GAMES, NAME, evolve(FAMILIES, decks=Decks(FAMILIES.deck)))
    verdicts = [verdict for verdict, *_ in findings(tmp_path, *records)]
    assert verdicts == ["unfinished", "exposed", "exposed"]


def test_a_deck_in_another_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifiers would find other ranks in such a deck.

    They would seat the players differently, and accuse the players who go on.
    """
    faces = [(card.rank, card.suit, False) for card in FAMILIES.deck[::-1]]
    monkeypatch.setitem(GAMES, NAME, evolve(FAMILIES, decks=Decks(deck_of(faces))))
    with pytest.raises(ValueError, match="order of suits and ranks"):
        games_javascript()


def test_hints_work_without_an_evaluator_of_the_game() -> None:
    view, _, _ = next(views(FAMILIES, FAMILIES.options(), 4, 0))
    given = hint(view)
    assert given.move in view.legal_moves(view.moving_seat)
    assert given.line == line_of(view, given.move)


def test_a_game_can_name_its_kinds_of_melds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Complete melds of one class have two names in this game."""
    given = hint(parse_position(f"{NAME} 4\nhand 1 7s 7h 5h 6d\nhand 2 4s\nmeld 1 7d 7c 7s\n"))
    assert given.reason.startswith("It completes a royal family.")
    record = tmp_path / "game.sobremesa"
    record.write_bytes(played_once().record())
    assert main(["audit", str(record)]) == 0
    told = capsys.readouterr().out
    assert set(re.findall(r" completes a (\w+ \w+)\n", told)) == {"clean meld", "royal family"}
    assert " opens\n" not in told, "in this game nothing is asked of a side's first melds"


@pytest.mark.parametrize("words", [["learn", NAME], ["learn"]], ids=["named", "in the settings"])
def test_a_game_needs_no_lesson(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    (tmp_path / "settings.toml").write_text(f'game = "{NAME}"\n', encoding="utf-8")
    with suppress(SystemExit):
        assert main(words) == 2
    assert "There is no lesson of Families yet." in capsys.readouterr().err


def seated() -> PlainSeat:
    """Return the table of a person with computer opponents."""
    return PlainSeat.sit(NAME, 4, partial(at_random, rng=random.Random(1)), seed=2)


async def test_a_round_of_the_made_up_game_is_played_in_lines() -> None:
    seat = seated()
    written = await typed_session(seat, Script(seat, random.Random(9)))
    assert seat.state.match.over
    assert "Won by" in written
    assert "takes up a hand that lay aside" in written
    assert "This deal was fair:" not in written, "nobody has shuffled here, so nothing was checked"


async def test_a_round_of_the_made_up_game_is_played_on_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[Move] = []
    counted, called = set[str](), set[str]()
    monkeypatch.setattr(TableScreen, "_send", lambda _self, *moves: sent.extend(moves))
    seat, rng, seen = seated(), random.Random(10), set()
    seat.run()
    with table_on(snapshot_of(seat)) as (hands, screen):
        while not seat.state.match.over:
            screen.window.show(snapshot_of(seat))
            view = seat.view
            assert view is not None
            move = mixed(view, rng)
            counted |= set(re.findall(r" [34]/\d", hands.screen))
            called |= set(re.findall(r"\d (?:●|  )? (\w+)\n", hands.screen))
            hands.press(f":{line_of(view, move)}\r")
            if isinstance(move, LayMelds):
                hands.press("\r")
            assert [line_of(view, each) for each in sent] == [line_of(view, move)], hands.screen
            await seat.play(sent.pop())
            seen.add(type(move))
        assert "Families" in hands.screen
    assert counted == {" 3/4", " 4/4"}, (
        "a meld must show its cards and the number that completes it"
    )
    assert called == {"clean", "royal"}
    assert seen == {DrawStock, TakePile, LayMelds, Discard}


def snapshot_of(seat: PlainSeat) -> Snapshot:
    """Return the person's snapshot of the table."""
    return Snapshot(seat.state, seat.view, seat.me, chooses=seat.chooses)
