"""The whole command `demo`, with real sockets, TLS and journals."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

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


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(("seed", "seeds"), [(None, [None, None]), (7, ["7 0", "7 1"])])
@pytest.mark.parametrize("same", [True, False])
async def test_a_demo_has_a_node_with_an_opponent_at_each_seat(
    seed: int | None,
    seeds: list[str | None],
    same: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the nodes came to different records, that would be a fault of the program."""
    done: list[object] = []

    class Node:
        """A stand-in for a node, whose match is over after a second."""

        charter = state_of("canastra", 2).charter

        def __init__(self, number: int) -> None:
            self.number = number
            self.state = SimpleNamespace(head=b"head" if same else bytes([number]))

        async def run(self) -> None:
            await trio.sleep(1)
            done.append(("ran", self.number))

        def record(self) -> list[bytes]:
            return [b"record of ", b"%d" % self.number]

    @asynccontextmanager
    async def table(*given: Any) -> AsyncIterator[list[Node]]:
        *about, folder = given
        assert about == [game, options, ("Ana", "Bruno")]
        assert folder.name.startswith("sobremesa-demo-")
        yield [Node(0), Node(1)]

    async def show(node: Node, to: object) -> None:
        await trio.sleep(2)
        assert to is console
        done.append(("shown", node.number))

    async def sit_in(node: Node, choose: object) -> None:
        await trio.sleep(3 + node.number)
        done.append((node.number, choose))

    game = game_named("canastra")
    options, console = game.options(rounds=1), Console(StringIO())
    monkeypatch.setattr(demo, "loopback_table", table)
    monkeypatch.setattr(demo, "show_bot_table", show)
    monkeypatch.setattr(demo, "opponent_at_table", lambda *given: given)
    monkeypatch.setattr(demo, "sit_in", sit_in)
    arguments: Any = SimpleNamespace(seed=seed, level="easy")
    path = tmp_path / "record"
    playing = demo._play(game, options, 2, path, arguments, console)
    if same:
        await playing
        assert path.read_bytes() == b"record of 0"
    else:
        with pytest.raises(RuntimeError, match="different records"):
            await playing
        assert not path.exists()
    assert sorted(done[:2]) == [("ran", 0), ("ran", 1)]  # type: ignore[type-var]
    chosen = [(number, ("easy", "canastra", own)) for number, own in enumerate(seeds)]
    assert done[2:] == [("shown", 0), *chosen]
