"""A table of bots as plain lines: each turn, each score sheet, and the step in progress."""

from client.i18n.language import _
from client.reports.score_sheet import result_sentence, sheet_lines, side_names
from client.session.display.snapshot import LogLine
from client.ui.text.console import Console
from client.ui.text.events import log_lines, node_activity
from p2p.match.match_node import MatchNode
from protocol.state import State
from protocol.table.tasks import Change


async def show_bot_table(node: MatchNode, console: Console) -> None:
    """Show the view of `node` until the node stops, or all have signed the end of the match."""
    if node.state.complete:
        return
    turn: list[LogLine] = []
    async for change in node.changes():
        for line in log_lines(change, symbols=console.symbols):
            # Consecutive moves of one player are collected and printed in one line: "Ana draws,
            # lays 7 7 7, discards 4".
            if turn and line.who != turn[0].who:
                console.line(_turn_line(turn))
                turn.clear()
            if line.who:
                turn.append(line)
            elif not line.heading:
                console.line(line.text)
        sheet = _sheet(change)
        if turn and sheet:
            console.line(_turn_line(turn))
            turn.clear()
        for text in sheet:
            console.line(text)
        console.progress(_progress(change.after))
        if change.after.complete:
            return


def _turn_line(turn: list[LogLine]) -> str:
    """Return the consecutive moves of one player as one line."""
    return f"{turn[0].who} {', '.join(line.text for line in turn)}"


def _sheet(change: Change) -> list[str]:
    """Return the sheet of the round that the change has ended; after the last one, the winner too.

    Return no lines if no round has ended.
    """
    before, after = change.before.match, change.after.match
    if len(after.sheets) == len(before.sheets):
        return []
    names = [member.name for member in change.after.charter.members]
    sides = side_names(after, names)
    title = _("Round {number}").format(number=len(after.sheets))
    lines = ["", *sheet_lines(after.sheets[-1], after.totals, sides, title), ""]
    if after.over:
        lines.append(result_sentence(after, sides))
    return lines


def _progress(state: State) -> str:
    """Return the step that the table waits for, as a line of progress."""
    if state.due is None:
        return ""
    now = node_activity(state)
    if now is None:
        return _("{name} is thinking").format(name=state.charter.name_of(state.due.player))
    return f"{now.text} ({now.done}/{now.total})" if now.total else now.text
