"""A browser for the tests of pages."""

from collections.abc import Iterator

import pytest

from tests.client.reports.browser import Page, browser, find_browser


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a page of one Chromium, for all tests of a file."""
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium is on this machine")
    with browser(program, tmp_path_factory.mktemp("profile")) as page:
        yield page
