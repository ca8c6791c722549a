"""`python -m tests.playthroughs` writes the playthroughs anew; look at the difference."""

from tests.playthroughs.playthrough import PLAYTHROUGHS

for playthrough in PLAYTHROUGHS:
    playthrough.path.write_text(playthrough.text(), "utf-8", newline="\n")
