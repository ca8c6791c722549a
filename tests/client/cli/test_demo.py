"""The command `demo`: once with real sockets, TLS and journals, and once with stand-ins."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock, call

import pytest

from client.cli.commands import demo
from client.cli.main import main
from client.reports.auditing import audit_file
from client.ui.text.console import Console
from engine.games import game_named
from tests.client.plain_seat import state_of


def test_demo_plays_a_round_whose_record_is_sound(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file name, the record goes to the folder of records."""
    assert main(["demo", "--players", "3", "--seed", "1", "--option", "penalties=on"]) == 0
    (record,) = (home / "records").iterdir()
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[:2] == [
        "Canasta. At the table: Ana, Bruno and Carla.",
        "Each is a node of its own: identity, journal, encrypted sockets.",
    ]
    assert "Shuffled by" in shown
    assert "Round 1" in shown
    assert f"one of them is this file: {record}" in shown
    assert shown.rstrip().endswith(
        "Verdict: sound. Every entry holds, and all have signed the end."
    )
    table = audit_file(record).table
    assert table is not None
    options = dict(table.options)
    assert (options["penalties"], options["rounds"]) == (True, 1)


@pytest.mark.parametrize(("seed", "seeds"), [(None, [None, None]), (7, ["7 0", "7 1"])])
@pytest.mark.parametrize("same", [True, False])
async def test_a_demo_has_a_node_with_an_opponent_at_each_seat(
    seed: int | None,
    seeds: list[str | None],
    same: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the nodes come to different records (`same` is False), the demo ends in an error."""
    nodes = [
        Mock(
            run=AsyncMock(),
            charter=state_of("canastra", 2).charter,
            state=SimpleNamespace(head=b"head" if same else bytes([number])),
            record=lambda number=number: [b"record of ", b"%d" % number],
        )
        for number in range(2)
    ]
    table = MagicMock()
    table.return_value.__aenter__ = AsyncMock(return_value=nodes)
    monkeypatch.setattr(demo, "loopback_table", table)
    monkeypatch.setattr(demo, "show_bot_table", show := AsyncMock())
    monkeypatch.setattr(demo, "opponent_at_table", lambda *given: given)
    monkeypatch.setattr(demo, "sit_in", sit_in := AsyncMock())
    game, console, path = game_named("canastra"), Console(StringIO()), tmp_path / "record"
    options = game.options(rounds=1)
    arguments: Any = SimpleNamespace(seed=seed, level="easy")
    playing = demo._play(game, options, 2, path, arguments, console)
    if same:
        await playing
        assert path.read_bytes() == b"record of 0"
    else:
        with pytest.raises(RuntimeError, match="different records"):
            await playing
        assert not path.exists()
    *about, folder = table.call_args.args
    assert about == [game, options, ("Ana", "Bruno")]
    assert folder.name.startswith("sobremesa-demo-")
    assert [node.run.call_count for node in nodes] == [1, 1]
    show.assert_called_once_with(nodes[0], console)
    seated = [call(node, ("easy", "canastra", own)) for node, own in zip(nodes, seeds, strict=True)]
    assert sit_in.call_args_list in (seated, seated[::-1])
