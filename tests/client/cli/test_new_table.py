"""Choices for a new table, in the first screen and by `solo`: players, level, house rules."""

from pathlib import Path

import pytest

from client.bots.levels import LEVELS
from client.cli.commands import play
from client.cli.main import main
from client.cli.menus.network import hosting
from client.cli.menus.new_table import NewTable, which_table
from client.session.solo import Outcome, SoloTables
from client.settings import Settings, load_settings, save_settings
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.game import Game
from engine.options import Options
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.plain_seat import state_of
from tests.client.terminals import Typed


def look(*lines: str) -> TerminalLook:
    return TerminalLook(UNICODE, style_of("plain"), lines=Typed(lines))


async def chosen(*lines: str) -> NewTable | None:
    return await which_table("canasta", "middle", "Begin", look(*lines))


async def test_two_lines_are_enough_for_the_usual_table() -> None:
    table = await chosen("2", "1")
    assert table is not None
    assert (table.game.name, table.players, table.level) == ("kanastic", 4, "middle")
    assert table.options == table.game.options()


async def test_players_level_and_house_rules_are_chosen_beside_the_game() -> None:
    # 1 chooses Canasta. Then 2 opens the players, 3 the level, and 4 the rules, in which 3 is the
    # target and 5 a flag.
    table = await chosen(*("1", "2", "2", "3", "1"), *("4", "3", "3000", "5", ""), "1")
    assert table is not None
    assert (table.players, table.level) == (3, "easy")
    assert dict(table.options.changes()) == {"target": 3000, "penalties": True}


async def test_a_value_that_cannot_be_is_said_and_nothing_is_changed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = await chosen("1", "4", "3", "7", "3", "many", "3", "", "", "1")
    assert table is not None
    assert table.options == table.game.options()
    told = capsys.readouterr().out
    assert "500 to 100,000, not 7." in told
    assert "Option target is yes, no or a number, not 'many'." in told


async def test_all_is_as_usual_again() -> None:
    table = await chosen("1", "4", "4", "5", "9", "", "1")
    assert table is not None
    assert not table.options.changes()


async def test_a_changed_rule_says_what_is_usual_and_reads_as_it_is_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await chosen("1", "4", "3", "3000", "", "1")
    told = capsys.readouterr().out
    assert "5,000: Match points at which the match ends: C96" in told
    assert "3,000, usually 5,000: Match points at which the match ends: C96" in told
    assert "when a side has so many points" in told
    assert "House rules: 1 changed" in told


async def test_a_game_for_two_asks_for_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    table = await chosen("3", "1")
    assert table is not None
    assert table.players == 2
    assert "Players:" not in capsys.readouterr().out


async def test_going_back_leads_to_the_games_and_then_out() -> None:
    table = await chosen("3", "", "1", "1")
    assert table is not None
    assert table.game.name == "canasta"
    assert await chosen("3", "", "") is None
    assert await chosen() is None


async def test_a_hosted_table_has_the_same_rules() -> None:
    table = await chosen("1", "4", "3", "3000", "8", "", "1")
    assert table is not None
    words = hosting(table)
    assert words[:5] == ("host", "--game", "canasta", "--players", "4")
    assert words[5:] == ("--option", "must_take=False", "--option", "target=3000")


async def test_only_a_table_for_other_people_may_admit_spectators(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # 3 chooses Canastra, 4 admits spectators, 1 opens the table.
    table = await which_table("canasta", "middle", "Open", look("3", "4", "1"), hosted=True)
    told = capsys.readouterr().out
    assert table is not None
    assert table.spectators
    assert told.index("Spectators: not admitted") < told.index("Spectators: admitted")
    assert hosting(table)[-1] == "--spectators"
    await chosen("3", "1")
    assert "Spectators" not in capsys.readouterr().out


Table = tuple[str, Options, int, str]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Table]:
    """Return the list of tables that are begun; nobody plays at them."""
    monkeypatch.setenv(HOME_VARIABLE, str(make_private(tmp_path / "home")))
    tables: list[Table] = []

    async def begun(solo: SoloTables, game: Game, options: Options, players: int) -> Outcome:
        tables.append((game.name, options, players, solo.settings.level))
        return Outcome(state_of(game.name, 2).charter)

    monkeypatch.setattr(TerminalLook, "of", lambda *_: look())
    monkeypatch.setattr(SoloTables, "new", begun)
    return tables


def test_a_level_that_is_chosen_is_kept_and_what_holds_this_time_is_not(
    played: list[Table], tmp_path: Path
) -> None:
    save_settings(tmp_path / "home", Settings(name="Ana"))  # otherwise a newcomer is welcomed
    settings = Settings(name="Ana", linear=True)  # as with --linear
    save_settings(tmp_path / "home", Settings(name="Ana"))  # nobody is welcomed again
    strong = str(1 + LEVELS.index("strong"))
    play.FirstScreen(settings, look("1", "1", "3", strong, "4", "4", "", "1", "")).run()
    ((game, options, players, level),) = played
    assert (game, players, level) == ("canasta", 4, "strong")
    assert dict(options.changes()) == {"two_canastas": True}
    kept = load_settings(tmp_path / "home").settings
    assert (kept.level, kept.linear) == ("strong", False)


def test_solo_takes_house_rules(played: list[Table]) -> None:
    rules = ("--option", "target=700", "--option", "penalties=on")
    assert main(["solo", "--players", "2", *rules]) == 0
    ((_game, options, _players, _level),) = played
    assert dict(options.changes()) == {"target": 700, "penalties": True}


def test_solo_says_which_rules_there_are(
    played: list[Table], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solo", "--option", "jokers=3"]) == 2
    assert "There is no option 'jokers'; there are" in capsys.readouterr().err
    assert played == []
