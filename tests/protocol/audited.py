"""Audits of bytes that arrive in portions, or that follow the first entries of a played match."""

from protocol.audit import Auditor, Finding
from tests.protocol.played import Played


def audit(data: bytes, portion: int = 10_000) -> Finding:
    auditor = Auditor()
    for at in range(0, len(data), portion):
        for _ in auditor.feed(data[at : at + portion]):
            pass
    return auditor.finish()


def resumed(one: Played, keep: int, data: bytes) -> Finding:
    """Return the finding on the first `keep` entries of a match followed by `data`.

    To save time, the audit starts at the state after these entries, and does not read them again.
    """
    states = [*(moment.state for moment in one.moments), one.table.state]
    auditor = Auditor(states[keep], number=keep)
    auditor._reader.begun = True
    for _ in auditor.feed(data):
        pass
    return auditor.finish()
