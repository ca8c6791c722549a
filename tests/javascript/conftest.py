"""Fixture of the verifier in JavaScript. Without Node, tests that use it are skipped."""

from collections.abc import Iterator

import pytest

from tests.javascript.node import Verifier, find_node, running


@pytest.fixture(scope="session")
def node() -> str:
    found = find_node()
    if found is None:
        pytest.skip("no Node is on this machine")
    return found


@pytest.fixture(scope="session")
def verifier(node: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    with running(node, tmp_path_factory.mktemp("javascript")) as one:
        yield one
