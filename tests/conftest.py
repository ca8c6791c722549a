"""Fixtures and order of all tests; no test uses the user's data folder or language.

The longest tests run first, so that no core waits for them at the end.
"""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from functools import partial
from inspect import iscoroutinefunction
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
from tests.protocol.proofless import without_proofs

# Keep bytecode even if the environment forbids it, as in containers. Without bytecode pytest would
# compile all tests in each run, and each of the hundred processes that the tests start would
# compile all modules.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_MEMORY = Path("/dev/shm")
_LEAST_ROOM = 1 << 30  # bytes, several times what all tests write


def _keeps_files() -> bool:
    """Return True if there is a usable file system in memory for the files of the tests.

    It must have room for the files, and must allow loading libraries that the tests compile.
    """
    if not sys.platform.startswith("linux") or not os.access(_MEMORY, os.W_OK):
        return False
    may_load = not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    return may_load and shutil.disk_usage(_MEMORY).free > _LEAST_ROOM


# Files are in memory if possible: nodes sync some hundred writes in a round, each of which takes
# milliseconds on a busy disk.
if "TMPDIR" not in os.environ and _keeps_files():
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

# The garbage collector need not search modules and tests: that took a fifth of the suite's time.
gc.set_threshold(100_000, 20, 100)


LONGEST = (
    "test_newcomer_pty.py",
    "test_lan.py",
    "test_verifier.py",
    "test_html.py",
    "test_rounds.py",
    "test_machine_faults.py",
)
"""Test files that take ten seconds or more. They run first."""

TOGETHER = {
    "tests/spec/": "spec",
    "tests/javascript/": "spec",
    "tests/client/reports/": "reports",
    "tests/client/ui/model/test_replay.py": "reports",
}
"""Folders and files whose tests run in one worker, with the name of their group.

The tests of a group need the same matches, which take seconds to play and to follow.
"""


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Return the number of cores plus one.

    Tests of processes and terminals spend as much time waiting as working. A worker takes 300 MB.
    """
    return (yield) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Schedule tests file by file, and each group of TOGETHER as one file."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415 - it may not be installed

    scheduling = LoadFileScheduling(config, log)
    file_of = scheduling._split_scope

    def group_of(nodeid: str) -> str:
        groups = (group for place, group in TOGETHER.items() if nodeid.startswith(place))
        return next(groups, None) or file_of(nodeid)

    scheduling._split_scope = group_of
    return scheduling


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
    for item in items:
        if not isinstance(item, pytest.Function) or "autojump_clock" not in item.fixturenames:
            continue
        if iscoroutinefunction(item.function):
            item.add_marker(pytest.mark.trio(run=partial(_run_by_its_clock, item)))


def _run_by_its_clock(item: pytest.Function, test: Callable[[], Any], **others: Any) -> object:
    """Run a test by `autojump_clock`, even if only `usefixtures` asks for it.

    pytest-trio looks for a clock among the test's arguments only.
    """
    return trio.run(test, **{**others, "clock": item.funcargs["autojump_clock"]})


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Let Hypothesis use the same examples in each run, without a deadline."""
    from hypothesis import settings  # noqa: PLC0415 - pytest must import it first

    settings.register_profile("tests", deadline=None, derandomize=True, database=None)
    settings.load_profile("tests")


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _catalogs() -> None:
    """Compile the catalogs of this tree, even if they seem up to date."""
    compile_catalogs(Path(LOCALE_FOLDER))


@pytest.fixture(autouse=True, scope="session")
def _computed_once() -> Iterator[None]:
    """Keep verified proofs and signatures in caches that all tests share."""
    with pytest.MonkeyPatch.context() as patch:
        for name, function in computed_once.IN_PLACE_OF.items():
            patch.setattr(name, function)
        yield


@pytest.fixture(autouse=True, scope="session")
def _nobody_in_particular(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests their own home folder, and a system language that has no catalog."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(HOME_VARIABLE, str(tmp_path_factory.mktemp("home", numbered=True)))
        for name in ("LC_ALL", "LC_MESSAGES"):
            environment.delenv(name, raising=False)
        environment.setenv("LANG", "C.UTF-8")
        yield


@pytest.fixture(autouse=True, scope="module")
def _verified_still() -> Iterator[None]:
    """Assert that tests which replace a check have put it back.

    If patches are undone in the wrong order, the check stays replaced, and later tests accept what
    must be refused.
    """
    yield
    for name, function in computed_once.IN_PLACE_OF.items():
        assert resolve_name(name) is function, f"{name} is still replaced"


@pytest.fixture(scope="module")
def proofless() -> Iterator[None]:
    """Make and verify no proofs, in all tests of a file that tests something else."""
    with without_proofs():
        yield


@pytest.fixture(autouse=True)
def _one_schedule(request: pytest.FixtureRequest) -> None:
    """Run tasks that are ready together in the same order whenever the test runs again.

    Another value of SCHEDULE_SEED gives another order; `tests.repeat` sets it to the run's seed.
    """
    # Trio has no public name for its random generator; pytest-trio gives the same object to
    # Hypothesis.
    trio._core._run._r.seed(f"{os.environ.get('SCHEDULE_SEED', '')} {request.node.nodeid}")


def without_threads(patch: pytest.MonkeyPatch) -> None:
    """Run functions meant for a thread of Trio in place, until the patch is undone."""

    async def inline(function: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    patch.setattr("trio.to_thread.run_sync", inline)
    patch.setattr("trio.from_thread.check_cancelled", lambda: None)


@pytest.fixture
def autojump_clock(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> MockClock:
    """Return the clock, with threads replaced by plain calls.

    The clock knows nothing of threads, so it would jump on while one of them works.
    """
    without_threads(monkeypatch)
    return autojump_clock


@pytest.fixture(autouse=True)
def _english() -> None:
    """Set the language to English before each test, as an earlier one may have chosen another."""
    choose_language("en")
    choose_script(str)
