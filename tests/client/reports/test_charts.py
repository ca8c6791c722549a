"""Charts and other drawn parts of the audit page, compared with a file.

`python -m tests.update_golden_files` writes the file anew.
"""

from pathlib import Path

from attrs import evolve

from client.reports.html.curves import Curve, chart_steps, points_chart
from client.reports.html.page import page
from client.reports.html.round_columns import Scale
from client.reports.html.timeline import lane
from tests.client.reports.audited import audited
from tests.client.ui.tui.golden import check_file


def test_charts_match_their_file() -> None:
    """In the file a higher value lies further up, and each mark lies on its line.

    A goal is a line with a label. A name that is too long for the place beside its lane is cut.
    """
    ana = Curve(((110.0, -50), (300.0, 150)), "Ana", 0, 0)
    bruno = Curve(((110.0, 50), (300.0, 100)), "Bruno", 7, 1)
    to_goal = [Curve(((110.0, 100), (300.0, 600)), "Ana", 0, 0)]
    drawn = {
        "two curves": points_chart(300, 126, "P", [ana, bruno]),
        "a curve to a goal": points_chart(300, 120, "P", to_goal, 1000),
        "the same without a goal": points_chart(300, 120, "P", to_goal, 0),
        **{f"lane of {name}": lane(300, 2, name, 10) for name in ("Maximiliano!", "Maximiliano!!")},
    }
    told: list[str] = []
    for title, picture in drawn.items():
        told += [f"=== {title}", *picture.replace("><", ">\n<").split("\n")]
    check_file(Path(__file__).parent / "texts" / "charts.txt", "\n".join(told))


def test_a_grid_has_about_five_lines_at_round_numbers() -> None:
    for low, high, steps in (
        *((0, 1, [0, 1]), (0, 6, [0, 1, 2, 3, 4, 5, 6]), (0, 7, [0, 2, 4, 6])),
        *((0, 12, [0, 2, 4, 6, 8, 10, 12]), (0, 13, [0, 5, 10]), (0, 31, [0, 10, 20, 30])),
        *((0, 700, [0, 200, 400, 600]), (-130, 250, [-100, 0, 100, 200])),
    ):
        assert list(chart_steps(low, high)) == steps


def test_a_round_with_more_entries_has_a_wider_column_and_each_column_a_least_width() -> None:
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


def test_the_proofs_of_a_round_are_counted_if_there_are_any() -> None:
    report = audited()
    draw, counted = report.rounds
    for unlockings, faces, told in ((5, 5, True), (0, 5, True), (5, 0, True), (0, 0, False)):
        checked = evolve(counted.checked, unlock_proofs=unlockings, face_proofs=faces)
        html = "".join(page([evolve(report, rounds=(evolve(counted, checked=checked),))]))
        assert (f"{unlockings} unlocking proofs, {faces} proofs of cards shown" in html) is told
    assert draw.checked.unlock_proofs == 2
