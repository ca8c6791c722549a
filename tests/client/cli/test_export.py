"""`sobremesa export`, and the threads, progress and exit code of `sobremesa audit`."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import Mock, call

import pytest

from client.cli.commands import audit, export, ledger
from client.cli.main import main
from client.reports.auditing import audit_file
from engine.notation.game_text import check_game, format_game, parse_game
from protocol.player import Player
from tests.client.quick_reviews import CANASTA
from tests.client.reports.audited import absent
from tests.protocol.continuing import OLGA, ended, follow
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("proofless")


Exported = Callable[[SeededTable, int], list[str]]


@pytest.fixture
def exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Exported:
    """Return a function that exports a table's record, checks the text, and returns its lines.

    The second argument is the exit code that is expected.
    """

    def export_it(table: SeededTable, code: int) -> list[str]:
        path = tmp_path / "game.sobremesa"
        path.write_bytes(table.record())
        assert main(["export", str(path)]) == code
        text = capsys.readouterr().out
        if "\ncase " in text:
            assert list(check_game(text)) == []
        return text.splitlines()

    return export_it


def beginning(lines: list[str], *starts: str) -> list[str]:
    """Return the lines that begin with one of these texts."""
    return [line for line in lines if line.startswith(starts)]


def test_an_unfinished_round_is_exported_up_to_its_last_move(exported: Exported) -> None:
    table = SeededTable.sit("canasta", 2)
    while table.state.match.round is None or table.state.match.round.to_move is None:
        table.step()
    for _ in range(9):
        table.step()
    lines = exported(table, 1)
    assert beginning(lines, "note verdict", "expect score") == ["note verdict unfinished"]
    assert any(" ? " in line for line in lines)


def test_an_interrupted_round_and_the_next_one_are_exported_as_two_cases(
    exported: Exported,
) -> None:
    table, state, entries, _charter = absent(substitute=True)
    table.state, table.entries = state, entries
    height = len(entries)
    table.players[0] = Player(0, OLGA.sign)
    table.play_until("move")
    table.step()
    lines = exported(table, 1)
    assert beginning(lines, "case ") == ["case Round 1", "case Round 2"]
    (note,) = beginning(lines, "note absent ")
    assert note.startswith(f"note absent round 1, counted, entry {height}: seat ")
    assert ": Ana, key " in note
    assert note.endswith("; signed by Olga, Bruno, Carla; followed by Olga")
    text = "\n".join((*lines, ""))
    assert format_game(parse_game(text)) == text


def test_a_hand_that_was_never_opened_is_exported_as_closed(exported: Exported) -> None:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=1)
    table.play_until("open")
    (gone,) = table.state.writers[:1]
    entry = ended(table, table.state, gone)
    table.entries.append(entry)
    table.state = follow(table.state, entry)
    table.play()
    lines = exported(table, 0)
    seat = table.state.match.seat_of(gone) + 1
    assert lines[-5] == f"count closed {seat}"
    points = " ".join(map(str, table.state.match.sheets[-1].totals))
    assert lines[-4] == f"expect score {points}"
    assert lines[-4 + seat].startswith(f"expect hand {seat} ")


def test_a_record_in_which_the_seats_are_being_drawn_has_neither_rounds_nor_seats(
    exported: Exported,
) -> None:
    """The draw takes four entries, and the fifth is the first shuffle of the round."""
    table = SeededTable.sit("canasta", 2)
    table.step()
    lines = exported(table, 1)
    players = [line.partition(", key ")[0] for line in beginning(lines, "note player ")]
    assert players == ["note player no seat: Ana", "note player no seat: Bruno"]
    assert beginning(lines, "case ") == []
    for _ in range(4):
        table.step()
    assert beginning(exported(table, 1), "case ") == ["case Round 1"]


def test_a_text_that_does_not_replay_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a text would be a fault of the program, so here the check of the text is replaced."""
    ruling = SimpleNamespace(line=7, text="play draw")
    monkeypatch.setattr(
        export, "check_game", lambda text: [ruling] if "case Round 1" in text else []
    )
    out = tmp_path / "out"
    assert main(["export", f"{CANASTA}", "--out", f"{out}"]) == 2
    told = "sobremesa: The text does not replay at its line 7: play draw\n"
    assert (capsys.readouterr().err, out.exists()) == (told, False)


@pytest.mark.parametrize(("cores", "threads"), [(5, 5), (None, 1)])
def test_one_record_is_audited_on_all_cores(
    cores: int | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    monkeypatch.setattr(audit, "audit_file", done := Mock())
    assert audit._audit_files([CANASTA], print) == [done()]
    assert done.call_args_list[0] == call(CANASTA, print, threads=threads)


@pytest.mark.parametrize("module", [audit, ledger])
def test_the_progress_is_cleared_before_the_results(
    module: ModuleType, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cut.sobremesa"
    file.write_bytes(CANASTA.read_bytes()[:19])
    monkeypatch.setattr(module, "Console", Mock(return_value=(console := Mock())))
    assert main([module.__name__.rpartition(".")[2], f"{file}"]) == 1
    names = [name for name, *_ in console.mock_calls if name != "progress"]
    assert names[:2] == ["clear", "line"]
    assert {*names[1:]} == {"line"}


@pytest.mark.parametrize("order", [1, -1])
def test_the_worst_of_several_records_gives_the_exit_code(
    order: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    part = tmp_path / "part"
    part.write_bytes(CANASTA.read_bytes()[:-400])
    reports = [audit_file(CANASTA), audit_file(part)][::order]
    assert [one.sound for one in reports] == [True, False][::order]
    monkeypatch.setattr(audit, "_audit_files", lambda *_: reports)
    assert main(["audit", f"{CANASTA}", f"{part}"]) == 1
