"""Documents of the specification, as text."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "spec"


def text(name: str) -> str:
    return (SPEC / name).read_text(encoding="utf-8")
