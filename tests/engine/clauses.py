"""The clauses of the rules as spec/ has them, and the remark on each."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "spec").glob("rules-*.md"))
WRITTEN = re.compile(r"^- \*\*([XCKB]\d+[a-z]?)\*\*(?: \*\(([a-z ]+)\)\*)?", re.MULTILINE)
CLAUSES = {
    clause: remark for path in RULES for clause, remark in WRITTEN.findall(path.read_text("utf-8"))
}
