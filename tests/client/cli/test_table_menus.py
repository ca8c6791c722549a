"""Tables in the menus of the first screen: those to join, to watch and to continue."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from client.cli.menus import first_screen_parts
from client.cli.menus.network_tables import _BY_ADDRESS, _WATCH, _table_choices
from client.ui.tui.toolkit.menu import Choice, Menu
from p2p.discovery.beacon import Beacon

OPEN = Beacon(bytes([1]) * 32, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3)
BEGUN = evolve(OPEN, begun="00" * 8, free=0)
WATCHED = evolve(BEGUN, spectators=True)


def test_the_menu_returns_the_name_of_a_table_unless_it_would_be_misread() -> None:
    """An address is returned for a name that two tables have, or that is like a flag or a choice.

    In the list below, four tables can be joined, two watched, and one neither.
    """
    tables = [
        OPEN,
        evolve(WATCHED, table="Attic"),
        evolve(OPEN, table="cellar", hosts=("192.0.2.3",)),
        evolve(WATCHED, table="Cellar", hosts=("192.0.2.4",)),
        evolve(OPEN, table="--x", hosts=("192.0.2.5",)),
        evolve(OPEN, table=_BY_ADDRESS, hosts=("192.0.2.6",)),
        evolve(BEGUN, table="Hall"),
    ]
    joined = ["Kitchen", "192.0.2.3:7", "192.0.2.5:7", "192.0.2.6:7"]
    watched = [_WATCH + "Attic", _WATCH + "192.0.2.4:7"]
    choices = _table_choices(tables)
    assert [choice.value for choice in choices] == [*joined, *watched, _BY_ADDRESS]
    labels = [choice.label for choice in choices[len(joined) : -1]]
    assert all(label.startswith("Watch: ") for label in labels)


@pytest.mark.parametrize(
    ("chosen", "done"),
    [("resume Attic", ["resume", "Attic"]), ("solo-1", ["go on", "solo-1"]), (None, [])],
)
def test_the_menu_continues_a_network_table_or_ones_own_table(
    chosen: str | None, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Menu] = []
    did: list[str] = []

    def answer(menu: Menu, _look: object) -> str | None:
        asked.append(menu)
        return chosen

    parts: dict[str, object] = {
        "resumable": lambda: {("resume", "Attic"): "at 40"},
        "_solo_tables": lambda: [Choice("solo-1", "alone")],
        "solo_folder": Path,
        "ask": answer,
        "_command": lambda _context, command: did.extend(command),
        "_go_on": lambda _context, folder: did.extend(("go on", f"{folder}")),
    }
    for name, part in parts.items():
        monkeypatch.setattr(first_screen_parts, name, part)
    context: Any = SimpleNamespace(look=None)
    first_screen_parts._continue_table(context)
    assert [choice.value for choice in asked[0].choices] == ["resume Attic", "solo-1"]
    assert did == done
