"""`python -m tests.rulebook`: writes spec/rules-*.md from the texts that the program shows."""

from pathlib import Path

from client.i18n.rulebook.text import common_rules, rules
from engine.games import GAMES

SPEC = Path(__file__).parent.parent / "spec"


def rendered() -> dict[str, str]:
    """File names and contents: the rules with the default options."""
    games = {f"rules-{game.name}.md": rules(game, game.options()) for game in GAMES.values()}
    return {"rules-common.md": common_rules(), **games}


if __name__ == "__main__":
    for name, text in rendered().items():
        (SPEC / name).write_text(text, encoding="utf-8", newline="\n")
