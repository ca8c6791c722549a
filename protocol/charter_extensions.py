"""The extensions of a charter that this program knows; none of them is critical."""

from protocol.charter import Charter, Extension

DEAL_OF_THE_DAY = "deal_of_the_day"
"""The extension of a deal of the day. Its value is the date in the form of ISO 8601: 2026-11-23."""

OPPONENTS = "opponents"
"""The extension of a table where bots play for all members but the first. Its value is the level of
the bots.
"""

KNOWN = (DEAL_OF_THE_DAY, OPPONENTS)

_MOST_WORD = 40  # bytes of a level's name


def opponents_extension(level: str) -> Extension:
    """Return the extension of a charter where bots play for all members but the first."""
    return Extension(OPPONENTS, critical=False, value=level.encode())


def opponents_of(charter: Charter) -> str:
    """Return the level of the bots at a table; "" if the charter names none."""
    value = extension_value(charter, OPPONENTS)
    return value if value.isidentifier() and len(value) <= _MOST_WORD else ""


def extension_value(charter: Charter, name: str) -> str:
    """Return the value of a charter's extension that is not critical; "" if there is none."""
    values = (one.value for one in charter.extensions if one.name == name and not one.critical)
    return next(values, b"").decode("ascii", "replace")
