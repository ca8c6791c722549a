"""The whole command `demo`, with real sockets, TLS and journals."""

from pathlib import Path

import pytest

from client.cli.main import main
from client.reports.auditing import audit_file


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

    assert main(["audit", str(record)]) == 0
    data = bytearray(record.read_bytes())
    data[-40] ^= 1
    record.write_bytes(data)
    assert main(["audit", str(record)]) == 1
    assert "Verdict: broken at entry" in capsys.readouterr().out
