"""`python -m tests.rulebook`: writes spec/rules-*.md from the texts that the program shows."""

from pathlib import Path

from client.i18n.rulebook.text import all_common_rules, all_rules
from engine.games import GAMES

SPEC = Path(__file__).parent.parent / "spec"


def rendered() -> dict[str, str]:
    """File names and contents: the rules with whatever options."""
    games = {f"rules-{game.name}.md": all_rules(game) for game in GAMES.values()}
    return {"rules-common.md": all_common_rules(), **games}


if __name__ == "__main__":
    for name, text in rendered().items():
        (SPEC / name).write_text(text, encoding="utf-8", newline="\n")
