"""Clauses of the rules as `spec/` has them, with their remarks."""

import re
from pathlib import Path

from engine.games import GAMES

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "spec").glob("rules-*.md"))
LETTERS = {game.title: game.position.letter for game in GAMES.values()}
"""Letter of each game's clauses, by the game's title; X is the letter of common clauses."""
NUMBER = rf"[X{''.join(LETTERS.values())}]\d{{1,3}}[a-z]?"
"""Pattern of the number of a clause."""
WRITTEN = re.compile(rf"^- \*\*({NUMBER})\*\*(?: \*\(([a-z ]+)\)\*)?", re.MULTILINE)
CLAUSES = {
    clause: remark for path in RULES for clause, remark in WRITTEN.findall(path.read_text("utf-8"))
}
"""Remark of each clause, such as "no rule" or "display"; for most clauses it is empty."""
