"""Charts and other drawn parts of the audit page, by their numbers."""

import re

import pytest
from attrs import evolve

from client.reports.html.curves import Curve, chart_steps, points_chart
from client.reports.html.page import page
from client.reports.html.round_columns import Scale
from client.reports.html.timeline import lane
from tests.client.reports.audited import audited


def test_a_chart_has_a_line_at_the_goal_and_a_label_on_it() -> None:
    curves = [Curve(((110.0, 100), (300.0, 600)), "Ana", 0, 0)]
    with_goal, without = (points_chart(300, 120, "P", curves, goal) for goal in (1000, 0))
    assert '<line x1="104" x2="300" y1="14" y2="14" class="target"/>' in with_goal
    assert '<text x="108" y="10" text-anchor="start">target' in with_goal
    assert "target" not in without


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (0, 1, [0, 1]),
        (0, 6, [0, 1, 2, 3, 4, 5, 6]),
        (0, 7, [0, 2, 4, 6]),
        (0, 12, [0, 2, 4, 6, 8, 10, 12]),
        (0, 13, [0, 5, 10]),
        (0, 31, [0, 10, 20, 30]),
        (0, 700, [0, 200, 400, 600]),
        (-130, 250, [-100, 0, 100, 200]),
    ],
)
def test_a_grid_has_about_five_lines_at_round_numbers(
    low: int, high: int, steps: list[int]
) -> None:
    assert list(chart_steps(low, high)) == steps


def test_rounds_have_columns_by_their_entries_but_not_too_narrow() -> None:
    def scale(*entries: int) -> Scale:
        rounds, first = [], 1
        for many in entries:
            rounds.append(evolve(audited().rounds[1], first=first, last=first + many - 1))
            first += many
        return Scale.of(rounds)

    two = scale(10, 30)
    # Without the margins there are 642 points. Each column has 18 of them, and a share of the
    # other 606 by its number of entries.
    assert two.width == 760
    assert [(one.left, one.right) for one in two.columns] == [(104, 273.5), (273.5, 746)]
    assert [(one.first, one.entries) for one in two.columns] == [(1, 10), (11, 30)]
    assert two.columns[1].x_of(11) == 273.5 + 472.5 / 60
    assert scale(*[5] * 100).width == 100 * 36 + 104 + 14
    assert Scale.of([]) == Scale(760, ())


def test_a_chart_puts_high_values_up_and_each_mark_on_its_line() -> None:
    curves = [
        Curve(((110.0, -50), (300.0, 150)), "Ana", 0, 0),
        Curve(((110.0, 50), (300.0, 100)), "Bruno", 7, 1),
    ]
    drawn = points_chart(300, 126, "P", curves)
    assert re.findall(r'<polyline points="([^"]*)"', drawn) == [
        "110.0,114.0 300.0,14.0",
        "110.0,64.0 300.0,39.0",
    ]
    marks = re.findall(r'<path d="([^"]*)" transform="([^"]*)"><title>([^<]*)', drawn)
    circle, square = marks[0][0], marks[2][0]
    assert circle != square
    assert marks == [
        (circle, "translate(110.0 114.0)", "Ana: -50"),
        (circle, "translate(300.0 14.0)", "Ana: 150"),
        (square, "translate(110.0 64.0)", "Bruno: 50"),
        (square, "translate(300.0 39.0)", "Bruno: 100"),
    ]
    grid = re.findall(r'<line x1="104" x2="300" y1="([^"]*)" y2="([^"]*)"/>', drawn)
    assert grid == [("114", "114"), ("89", "89"), ("64", "64"), ("39", "39"), ("14", "14")]
    labels = re.findall(r'<text x="96" y="([^"]*)" text-anchor="end">([^<]*)', drawn)
    assert labels == [("118", "-50"), ("93", "0"), ("68", "50"), ("43", "100"), ("18", "150")]


def test_a_long_name_is_cut_beside_its_lane() -> None:
    for name, shown in (("Maximiliano!", "Maximiliano!"), ("Maximiliano!!", "Maximiliano…")):
        drawn = lane(300, 2, name, 10)
        assert drawn == (
            '<g class="lane p2"><line x1="104" x2="300" y1="75" y2="75"/>'
            f'<text x="96" y="79" text-anchor="end"><title>{name}</title>{shown}</text></g>'
        )


def test_the_proofs_of_a_round_are_counted_if_there_are_any() -> None:
    report = audited()
    draw, counted = report.rounds
    for unlockings, faces, told in ((5, 5, True), (0, 5, True), (5, 0, True), (0, 0, False)):
        checked = evolve(counted.checked, unlock_proofs=unlockings, face_proofs=faces)
        html = "".join(page([evolve(report, rounds=(evolve(counted, checked=checked),))]))
        assert (f"{unlockings} unlocking proofs, {faces} proofs of cards shown" in html) is told
    assert draw.checked.unlock_proofs == 2
