"""A browser for the tests of pages, and a data folder for the tests of commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import make_private
from tests.client.reports.browser import Page, browser, find_browser


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a page of one Chromium, for all tests of a file."""
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium is on this machine")
    with browser(program, tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty data folder for the commands of a test, and return it."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return make_private(tmp_path / "home")
