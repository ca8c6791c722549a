"""Whole texts of the pages made from a kept record, without the parts that all pages share.

`python -m tests.update_golden_files` writes the texts anew.
"""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest
from attrs import evolve

from client.reports.html.document import STYLE
from client.ui.html.replay_drawings import ReplayDrawings
from client.ui.html.replay_page import _CSS, SCRIPT, replay_page
from client.ui.html.review_page import review_page
from client.ui.model.game_review import review_game
from client.ui.model.replay import Replay
from tests.client.quick_reviews import CANASTA, quickly
from tests.client.ui.tui.golden import check_file

TEXTS = Path(__file__).parent / "texts"

_MATCH = re.compile(r'(?<=id="match">)[^<]*')
_DIGEST = re.compile(r"sha256-[\w+/=]+")
_BREAKS = re.compile(r"(?<=>)(?=<(?:/?(?:main|section|div|p|h\d|ol|details|script|meta|pre)\b))")


@pytest.fixture
def replay(proofless: None) -> Replay:
    return Replay.load(CANASTA, lambda _now: None)


def readable(html: str) -> str:
    """Return the page in many lines, without the style, script and drawings."""
    own = html.replace(STYLE, "").replace(_CSS, "").replace(SCRIPT, "")
    return _BREAKS.sub("\n", _DIGEST.sub("sha256", _MATCH.sub("", own)))


def test_the_whole_replay_page_matches_its_file(replay: Replay) -> None:
    told: list[str] = []
    html = "".join(replay_page(replay, (None, 1), told.append))
    (packed,) = _MATCH.findall(html)
    data = json.loads(zlib.decompress(base64.b64decode(packed)))
    views = [
        {name: view[name] if name == "name" else view[name][:: len(data["entries"]) // 9]}
        for view in data["views"]
        for name in view
    ]
    numbers = {name: len(data[name]) for name in ("sentences", "screens", "lines")}
    written = [json.dumps({**data, **numbers, "views": views}), *told[:2], told[-1]]
    written += [json.dumps(line, ensure_ascii=False) for line in data["lines"][:40]]
    check_file(TEXTS / "replay-page.txt", "\n".join([readable(html), *written]))


def test_the_size_counts_each_drawing_once_and_its_lines_again_at_each_use(replay: Replay) -> None:
    drawings = ReplayDrawings(replay)
    data = drawings.data((None, 0), lambda _line: None)
    new = (
        sum(map(len, data["sentences"]))
        + sum(map(len, data["screens"]))
        + sum(len(str(part)) for line in data["lines"] for part in line)
    )
    drawn = [line for view in data["views"] for name in ("wide", "narrow") for line in view[name]]
    used = sum(len(data["screens"][number]) for number in drawn)
    # Each of the two views has three numbers for a moment: its sentence and its two screens.
    assert drawings.size == new + used + 3 * 2 * len(replay.moments)


def test_the_whole_review_page_matches_its_file(
    monkeypatch: pytest.MonkeyPatch, replay: Replay
) -> None:
    quickly(monkeypatch)
    found = review_game(replay, 1, 1)
    found = evolve(found, mistakes=found.mistakes[1:3])
    check_file(TEXTS / "review-page.txt", readable(review_page(found)))
