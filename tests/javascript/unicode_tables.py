"""The ranges of Unicode 3.2 that the verifier in JavaScript holds, from Python's own tables.

`python -m tests.javascript.unicode_tables` writes them anew.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from unicodedata import ucd_3_2_0 as unicode

from client.reports.html.verifier_source import FOLDER

FILE = FOLDER / "unicode_3_2.js"

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_POINTS = 0x110000
_HEAD = """\
// Ranges of code points in Unicode 3.2 (RFC 3454), for names.js: steps from the end of the range
// before to the start, and from there to the end, to the base 36. Generated from Unicode's tables.

const UNICODE_3_2 = {
"""


def _allowed(character: str) -> bool:
    category = unicode.category(character)
    if category == "Zs":
        return character == " "
    return category not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


SETS: dict[str, Callable[[str], bool]] = {
    "allowed": _allowed,
    "lettersAndNumbers": lambda character: unicode.category(character)[0] in "LN",
    "marks": lambda character: unicode.category(character) in {"Mn", "Me"},
    "wide": lambda character: unicode.east_asian_width(character) in {"W", "F"},
}


def _steps(holds: Callable[[str], bool]) -> Iterator[str]:
    at = 0
    for inside, points in groupby(range(_POINTS), lambda point: holds(chr(point))):
        if inside:
            first, *others = points
            last = others[-1] if others else first
            yield _base_36(first - at)
            yield _base_36(last - first)
            at = last


def _base_36(number: int) -> str:
    higher, digit = divmod(number, 36)
    return (_base_36(higher) if higher else "") + _DIGITS[digit]


def source() -> str:
    """The whole file."""
    lines = []
    for name, holds in SETS.items():
        lines.append(f"  {name}:")
        pieces = _wrapped(list(_steps(holds)))
        lines += [f'    "{piece}" +' for piece in pieces[:-1]]
        lines.append(f'    "{pieces[-1]}",')
    return _HEAD + "\n".join(lines) + "\n};\n"


def _wrapped(steps: list[str]) -> list[str]:
    lines = [""]
    for step in steps:
        if len(lines[-1]) + len(step) > 88:
            lines.append("")
        lines[-1] += step + " "
    lines[-1] = lines[-1].rstrip()
    return lines


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
