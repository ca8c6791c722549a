"""The command of the benches answers bad arguments before anything is measured."""

import json

import pytest

from engine.games import GAMES
from tests.bench.__main__ import BENCHES, main


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("audit --repeat 0", "--repeat: not a number from 1"),
        ("audit --rounds -1", "--rounds: not a number from 0"),
        ("audit --players 7", "Canasta is for 2 to 6 players, not 7."),
        ("deal --players 1", "--players: not a number from 2 to 6"),
        ("deal --cards 0", "--cards: not a number from 1"),
        ("deal --repeat many", "--repeat: invalid whole number value: 'many'"),
        ("deal --threads 0", "--threads: not a number"),
        ("engine --rounds 0", "--rounds: not a number"),
        ("engine --hands 0", "--hands: not a number"),
        ("ledger --records 1", f"--records: not a number from {len(GAMES)} to"),
        ("start --seconds 0", "--seconds: not a number from 1 to 600"),
        ("table --players 7", "--players: not a number"),
        ("table --delay -1", "--delay: not a number"),
        ("table --turns 1", "--turns: not a number"),
        ("table --rest -1", "--rest: not a number"),
        ("opponents --levels middle", "not two of"),
        ("opponents --levels middle,best", "not two of"),
        ("opponents --matches 0", "--matches: not a number"),
        ("opponents --imagined 0", "--imagined: not a number"),
        ("opponents --processes 0", "--processes: not a number"),
        ("opponents --players 7", "--players: not a number from 2 to 6"),
        ("opponents --game canastra --players 4", "Canastra is for 2 players, not 4."),
    ],
)
def test_bad_arguments_are_refused(
    words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


def test_figures_are_for_people_or_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["deal", "--players", "2", "--cards", "8", "--repeat", "1"]
    main([*words, "--json"])
    assert json.loads(capsys.readouterr().out)["cards"] == 8
    main(words)
    assert capsys.readouterr().out.startswith("8 cards, 2 players, 1 thread, medians of 1 deal")


@pytest.mark.parametrize("what", BENCHES)
def test_each_bench_explains_its_arguments(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([what, "--help"])
    assert ended.value.code == 0
    assert "--json" in capsys.readouterr().out
