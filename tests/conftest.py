"""No test meets the data folder or the language of whoever runs it; the longest come first."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from client.i18n.compile_catalogs import compile_catalogs
from client.i18n.language import LOCALE_FOLDER, choose_language, choose_script
from p2p.storage.data_path import HOME_VARIABLE
from tests.protocol import computed_once

# Bytecode is kept, also where the machine says otherwise, as containers do: without it pytest makes
# every test anew, and each of the hundred processes that the tests start compiles all modules.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_MEMORY = Path("/dev/shm")
_LEAST_ROOM = 1 << 30  # bytes, several times what all tests write


def _keeps_files() -> bool:
    """Whether there is a file system in memory with room for the tests, and for libraries that
    they compile and load.
    """
    if not sys.platform.startswith("linux") or not os.access(_MEMORY, os.W_OK):
        return False
    may_load = not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    return may_load and shutil.disk_usage(_MEMORY).free > _LEAST_ROOM


# Nodes sync what they write to the disk, some hundred times in a round, and a busy disk takes
# milliseconds each time.
if "TMPDIR" not in os.environ and _keeps_files():
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

# Looking for garbage among the modules and thousands of tests took a fifth of the suite's time.
gc.set_threshold(100_000, 20, 100)


LONGEST = (
    "test_newcomer_pty.py",
    "test_lan.py",
    "test_verifier.py",
    "test_node_deaths.py",
    "test_node.py",
    "test_machine_faults.py",
    "test_solo_pty.py",
)
"""Files that take ten seconds and more. They begin first: no core waits for them at the end."""

TOGETHER = ("tests/spec/", "tests/javascript/")
"""Folders whose files one worker runs, one after the other: they look at the same matches, which
take seconds to play and to follow.
"""


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are cores: the tests of processes and terminals wait as long as they
    work. A worker takes 300 MB.
    """
    return (yield) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """File by file, but for those that run together."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415 - it may not be installed

    scheduling = LoadFileScheduling(config, log)
    file_of = scheduling._split_scope
    scheduling._split_scope = lambda nodeid: (
        TOGETHER[0] if nodeid.startswith(TOGETHER) else file_of(nodeid)
    )
    return scheduling


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Examples of Hypothesis are the same each time, and have no time limit: it would be one of
    real time.
    """
    from hypothesis import settings  # noqa: PLC0415 - pytest is to load it first

    settings.register_profile("tests", deadline=None, derandomize=True, database=None)
    settings.load_profile("tests")


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _catalogs() -> None:
    """Those that lie here, whenever they were compiled last."""
    compile_catalogs(Path(LOCALE_FOLDER))


@pytest.fixture(autouse=True, scope="session")
def _computed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, function in computed_once.IN_PLACE_OF.items():
            patch.setattr(name, function)
        yield


@pytest.fixture(autouse=True, scope="session")
def _nobody_in_particular(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home of the tests' own, and a system that speaks no language of ours."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(HOME_VARIABLE, str(tmp_path_factory.mktemp("home", numbered=True)))
        for name in ("LC_ALL", "LC_MESSAGES"):
            environment.delenv(name, raising=False)
        environment.setenv("LANG", "C.UTF-8")
        yield


@pytest.fixture(autouse=True, scope="module")
def _verified_still() -> Iterator[None]:
    """Tests that leave out a check give it back: patches undone out of turn keep it away, and what
    is refused in later tests is accepted.
    """
    yield
    for name, function in computed_once.IN_PLACE_OF.items():
        assert resolve_name(name) is function, f"{name} is still another one"


@pytest.fixture(autouse=True)
def _one_schedule(request: pytest.FixtureRequest) -> None:
    """Tasks that are ready together run in the same order whenever the test runs again.

    Another value of the variable gives another order; `tests.repeat` sets it to its seed.
    """
    # Trio has no public name for it; pytest-trio hands the same object to Hypothesis.
    trio._core._run._r.seed(f"{os.environ.get('SCHEDULE_SEED', '')} {request.node.nodeid}")


def without_threads(patch: pytest.MonkeyPatch) -> None:
    """What would run in a thread of Trio runs at once, until the patch is undone."""

    async def inline(function: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    patch.setattr("trio.to_thread.run_sync", inline)
    patch.setattr("trio.from_thread.check_cancelled", lambda: None)


@pytest.fixture
def autojump_clock(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> MockClock:
    """The clock knows nothing of threads: it would jump on while one of them works."""
    # Not of `request.function`, which pytest-trio replaces when a test runs: mutants run it again.
    function = getattr(request.instance or request.module, request.node.originalname)
    asked = signature(function).parameters
    assert "autojump_clock" in asked, "Trio runs by it only where the test itself asks for it"
    without_threads(monkeypatch)
    return autojump_clock


@pytest.fixture(autouse=True)
def _english() -> None:
    """Whatever the last test has spoken."""
    choose_language("en")
    choose_script(str)
