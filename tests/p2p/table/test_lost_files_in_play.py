"""A node that has lost some of its files, or has older ones, signs nothing twice, and goes on.

`python -m tests.lost_files_in_play` tries all losses; here are a part of them.
"""

import random
from pathlib import Path

import pytest

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.rollback_guard import GUARD_FILE
from protocol.table.key_probe import OwnKeyElsewhere
from tests.lost_files import LOG, Case, lost, put_back
from tests.lost_files_in_play import DEATHS, Death, Game

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

HEARD_BY_ONE = DEATHS[-1]


@pytest.mark.parametrize("death", DEATHS, ids=str)
async def test_who_has_lost_files_contradicts_nobody_and_goes_on(
    tmp_path: Path, death: Death
) -> None:
    game = await Game.played(tmp_path / "game", death)
    assert await game.end_after(Case({}, 0), tmp_path / "whole") == "goes on"
    assert await game.end_after(Case({LOG: lost}, 0), tmp_path / "log") == "goes on"
    for number, case in enumerate(random.Random(2).sample([*game.cases()], 4)):
        await game.end_after(case, tmp_path / f"{number}")


async def test_an_older_copy_of_all_files_that_is_not_doubted_contradicts_who_comes_back_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests above can fail: of what has been signed only one knows, who comes back last."""
    game = await Game.played(tmp_path / "game", HEARD_BY_ONE)
    before = len([*game.moments.iterdir()]) - 2  # at the last moment that entry is written
    back = Case(dict.fromkeys((JOURNAL_FILE, LOG, GUARD_FILE), put_back), before)
    assert await game.end_after(back, tmp_path / "doubted") == "goes on"
    monkeypatch.setattr(Journal, "_doubt_older_copy", lambda _journal: None)
    with pytest.raises(BaseExceptionGroup) as caught:
        await game.end_after(back, tmp_path / "not doubted")
    assert isinstance(innermost(caught.value), OwnKeyElsewhere)


def innermost(error: BaseException) -> BaseException:
    return innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
