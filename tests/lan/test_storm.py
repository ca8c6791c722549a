"""The figures of the storm: each bad figure is printed as a sentence."""

import sys

import pytest
from attrs import evolve

pytest.importorskip("termios", reason="the storm needs a POSIX terminal")

from tests.lan import storm

TABLE = storm.Figures(
    "silent", "a table", 1000, [990.0], 77.0, storm.End(0.4, 0.1), [], None, 3.0, 100, 10.0
)
LOBBY = storm.Figures("silent", "a lobby", 1000, [990.0], 77.0, storm.End(0.4, 0.1), [], True)

WRONG = {
    "did not sit down": evolve(TABLE, sat_after=None, guest_said="refused"),
    "did not go on": evolve(TABLE, lines=storm.LEAST_LINES - 1),
    "The host had 101 MB": evolve(TABLE, megabytes=101.0),
    "1 log lines, such as: Traceback": evolve(TABLE, noise=["Traceback (most recent call last):"]),
    "no longer as it was": evolve(LOBBY, is_screen_the_same=False),
    "took 1.60 s to end": evolve(LOBBY, end=storm.End(1.6, 0.5)),
    "shows nothing": evolve(LOBBY, reached=[99.0]),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_bad_figure_is_printed_and_the_exit_code_is_1(
    said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = WRONG[said]
    (sentence,) = wrong.faults()
    assert said in sentence
    for name in ("at_a_table", "on_a_screen"):
        measured = wrong if (wrong.lines is None) == (name == "on_a_screen") else TABLE
        monkeypatch.setattr(storm, name, lambda *_, one=measured: one)
    monkeypatch.setattr(sys, "argv", ["storm", "--kind", "silent"])
    assert storm.main() == 1
    out = capsys.readouterr().out
    assert sentence in out
    assert "2 parts, 1 failed" in out


@pytest.mark.parametrize(
    "figures",
    [TABLE, LOBBY, evolve(LOBBY, reached=[]), evolve(LOBBY, end=storm.End(1.9, 1.0))],
    ids=["table", "lobby", "no storm", "a busy machine"],
)
def test_good_figures_have_no_sentence(figures: storm.Figures) -> None:
    assert figures.faults() == []
