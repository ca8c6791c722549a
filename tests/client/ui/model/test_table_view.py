"""The log beside a round that the screen still shows when the table has begun later rounds."""

from client.session.display.snapshot import LogLine
from client.ui.model.table_view import log_of_round

LOG = (
    LogLine("before"),
    LogLine("round 1", heading=True),
    LogLine("draws", "Ana"),
    LogLine("says hello", "Ana", aside=True),
    LogLine("round 2", heading=True),
    LogLine("draws", "Bruno"),
    LogLine("says goodbye", "Bruno", aside=True),
)


def test_the_log_leaves_out_later_rounds_but_not_what_people_said() -> None:
    """If the log has fewer headings than there are later rounds, it leaves out nothing."""
    everything = range(7)
    for later, shown in ((0, everything), (1, (0, 1, 2, 3, 6)), (2, (0, 3, 6)), (3, everything)):
        assert log_of_round(LOG, later) == tuple(LOG[place] for place in shown)
