"""The audit of bytes that come in portions."""

from protocol.audit import Auditor, Finding


def audit(data: bytes, portion: int = 10_000) -> Finding:
    auditor = Auditor()
    for at in range(0, len(data), portion):
        for _ in auditor.feed(data[at : at + portion]):
            pass
    return auditor.finish()
