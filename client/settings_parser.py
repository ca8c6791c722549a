"""The parser of a file of settings, which is TOML (https://toml.io/en/v1.0.0)."""

import re

_LINE = re.compile(
    r"""(?:[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*(?:"([^"\\\x00-\x1f\x7f]*)"|(true|false)))?"""
    r"""[ \t]*(?:\#[^\x00-\x08\x0a-\x1f\x7f]*)?"""
)


def values_of(data: bytes) -> dict[str, object]:
    """Return the values in a file of settings, by name. Raises ValueError, RecursionError."""
    text = data.decode()
    values = _simple_values(text)
    if values is not None:
        return values
    import tomllib  # noqa: PLC0415 - slow, and rarely needed

    return tomllib.loads(text)


def _simple_values(text: str) -> dict[str, object] | None:
    """Return the values of a file in the form that the program writes; None for other files.

    Such a file has one setting in a line: a string without escapes, true, or false.
    """
    values: dict[str, object] = {}
    for line in text.replace("\r\n", "\n").split("\n"):
        found = _LINE.fullmatch(line)
        if found is None or found[1] in values:
            return None
        if found[1] is not None:
            values[found[1]] = found[2] if found[3] is None else found[3] == "true"
    return values
