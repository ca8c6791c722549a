"""A table shown as plain lines: each turn, each sheet, and what is being waited for."""

from client.telling.console import Console
from client.telling.describe import TurnLines
from client.telling.sheet import sheet_lines, side_names
from client.telling.tell import deck_shuffled
from p2p.node import Change, Node
from protocol.entries import CloseContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State


async def watch(node: Node, console: Console) -> None:
    """Show what `node` sees until it stops."""
    lines = TurnLines(symbols=console.symbols)
    async for change in node.changes():
        for line in lines.feed(change.before, change.after):
            console.line(line)
        for line in _news(change):
            console.line(line)
        console.progress(_doing(change.after))


def _news(change: Change) -> list[str]:
    """Lines about what the change has brought to an end."""
    before, after = change.before.match, change.after.match
    names = [member.name for member in change.after.charter.members]
    lines: list[str] = []
    if after.seating and not before.seating:
        seats = ", ".join(names[player] for player in after.seating)
        lines.append(f"The draw seats them so, clockwise: {seats}.")
    if shufflers := _shufflers(change, names):
        lines.append(f"Shuffled by {shufflers}: {len(names)} proofs, checked by all.")
    if len(after.sheets) > len(before.sheets):
        sides = side_names(after, names)
        title = f"Round {len(after.sheets)}"
        lines += ["", *sheet_lines(after.sheets[-1], after.totals, sides, title), ""]
        if after.over:
            winner = "nobody, a draw" if after.winner is None else sides[after.winner]
            lines.append(f"The winner: {winner}.")
    return lines


def _shufflers(change: Change, names: list[str]) -> str:
    """Who has shuffled, when the change was the last shuffle of a deal; otherwise ""."""
    if not deck_shuffled(change.before, change.after):
        return ""
    return ", ".join(names[player] for player in change.after.cards.last.keys)


def _doing(state: State) -> str:
    """What the table waits for, as a line of progress."""
    due = state.due
    if due is None:
        return ""
    players = len(state.charter.members)
    done = players - len(state.writers)
    name = state.charter.name_of(due.player)
    match due.kind:
        case ShuffleContent.kind:
            return f"{name} locks and shuffles the deck ({done} of {players} have)"
        case UnlockContent.kind:
            return f"{name} takes a lock off {len(state.owed_slots(due))} cards"
        case OpenContent.kind:
            return f"{name} opens what is left in hand"
        case CloseContent.kind:
            return f"{name} signs the score ({done} of {players} have)"
        case _:
            return f"{name} is thinking"
