"""The figures of the storm: each bad figure is told in a sentence."""

import pytest
from attrs import evolve

pytest.importorskip("termios", reason="the storm needs a POSIX terminal")

from tests.lan.storm import Figures, faults

GOOD = Figures(990.0, 77.0, 0.4, 0.1, seated_after=3.0, lines_a_second=10.0)


@pytest.mark.parametrize(
    ("figures", "said", "sentences"),
    [
        (GOOD, "", []),
        (evolve(GOOD, a_second=None, lines_a_second=None), "", []),
        (evolve(GOOD, seconds_to_end=1.9, without_processor=1.0), "", []),
        (evolve(GOOD, seconds_to_end=1.6), "", ["After Ctrl-C the host took 1.60 s to end."]),
        (evolve(GOOD, lines_a_second=0.5), "", ["The game did not go on: 0.5 lines a second."]),
        (evolve(GOOD, megabytes=101.0), "", ["The host had 101 MB, more than 100."]),
        (
            evolve(GOOD, a_second=99.0),
            "",
            ["The storm had only 99 connections a second, so this run shows nothing."],
        ),
        (GOOD, "Ana draws.\nINFO a link", ["The host said: INFO a link"]),
    ],
    ids=[
        "all is good",
        "two figures are not measured",
        "the processor was not free",
        "the end was slow",
        "the game was slow",
        "much memory",
        "a weak storm",
        "a line of the log",
    ],
)
def test_each_bad_figure_has_a_sentence(figures: Figures, said: str, sentences: list[str]) -> None:
    assert faults(figures, said) == sentences
