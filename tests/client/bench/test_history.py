"""A history of benches grows by a line, and is no other file."""

import json
from pathlib import Path

import pytest

from client.bench import deal
from client.bench.history import append_history, check_history, ratios
from client.cli.main import main
from client.errors import BadRequest
from client.version import VERSION

DEAL = ["bench", "deal", "--players", "2", "--cards", "8", "--repeat", "1"]


def test_a_bench_adds_its_ratios_with_the_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "history.jsonl"
    assert main([*DEAL, "--history", str(path)]) == 0
    assert main([*DEAL, "--json", "--history", str(path)]) == 0
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert (first["version"], first["what"]) == (VERSION, "deal")
    assert set(first["ratios"]) == {
        "lock_floor_ratio",
        "prove_floor_ratio",
        "verify_floor_ratio",
    }
    assert second["figures"] == json.loads(capsys.readouterr().out.splitlines()[-1])
    assert second["figures"]["cards"] == 8
    assert second["ratios"].items() <= second["figures"].items()
    assert first["machine"]["cores"] >= 1


def test_ratios_are_found_wherever_they_are() -> None:
    engine = [
        {"game": "canasta", "players": 4, "positions_per_second": 500.0, "yardstick": 2000.0},
        {"game": "canasta", "players": 6, "positions_per_second": 1.0, "yardstick": 3.0},
    ]
    assert dict(ratios(engine)) == {
        "canasta of 4 yardstick_ratio": 0.25,
        "canasta of 6 yardstick_ratio": 0.3333,
    }
    assert dict(ratios({"draw_ms": 3.0, "parts_ms": {"proof": 1.0}})) == {}
    assert dict(ratios({"pairings": [{"a_ratio": 2}, {"a_ratio": 3}]})) == {
        "1 a_ratio": 2,
        "2 a_ratio": 3,
    }


@pytest.mark.parametrize("text", ["a letter\n", "[]\n", "{}\n", '{"version": 1}\n', "1\n", "\0"])
def test_another_file_is_left_alone_before_anything_is_measured(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(deal, "run", lambda *_: pytest.fail("it was measured"))
    path = tmp_path / "other"
    path.write_text(text, encoding="utf-8")
    assert main([*DEAL, "--history", str(path)]) == 2
    assert "is no history of benches: name another file" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text
    for other in (tmp_path, tmp_path / "no" / "folder"):
        with pytest.raises(BadRequest):
            check_history(other)


def test_an_empty_file_becomes_a_history(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    append_history(path, "deal", {"floor_ratio": 1.5})
    append_history(path, "deal", {"floor_ratio": 1.25})
    told = [json.loads(line)["ratios"] for line in path.read_text("utf-8").splitlines()]
    assert told == [{"floor_ratio": 1.5}, {"floor_ratio": 1.25}]
