"""Command that lets a node return without some files: `python -m tests.lost_files_in_play`.

The node died in a game. Its journal, its log and its rollback guard are lost, cut or replaced by
copies from an earlier moment of the game, as in `tests.lost_files`. The node is alone for a while,
then the others come back one after the other.

The node must sign nothing that contradicts its earlier signatures. So nobody is exposed, and all
end with the same record. All play on, unless the node's journal cannot be opened or lacks a lock.
"""

import argparse
import itertools
import logging
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
import trio
from attrs import define, field, frozen
from trio.testing import MockClock

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalDamaged
from p2p.storage.private_files import FolderError
from p2p.storage.rollback_guard import GUARD_FILE, RollbackGuard
from p2p.storage.salvage import open_or_mend
from protocol.table.resync import STATUS_SECONDS
from tests.lost_files import LOG, Case, Fault, cases_of, cut, guard_of, lost, put_back
from tests.p2p.machines import Killed, Machine, Machines, failure_of, network_in_memory
from tests.p2p.memory_network import Network
from tests.protocol.proofless import leave_out_proofs

FILES = (JOURNAL_FILE, LOG, GUARD_FILE)
FAULTS: tuple[Fault, ...] = (lost, cut, put_back)

_FURTHER = 6
"""Number of new entries that show that all play on: by then each player has written one."""


@frozen
class Death:
    """Moment at which the first player's machine dies."""

    players: int
    """Number of players at the table."""
    height: int
    """Height of the record from which on the first player dies at `point`."""
    point: str
    """Call before or after which the first player dies."""
    parted: bool = False
    """True if the second player loses all links just before the first player writes.

    Then only the third player has the first player's last entry. In the last of DEATHS it is a
    move.
    """

    def __str__(self) -> str:
        alone = ", heard by one alone" if self.parted else ""
        return f"{self.players} players, {self.point} from height {self.height} on{alone}"


DEATHS = (
    Death(2, 6, "after a write"),
    Death(2, 14, "before a send"),
    Death(2, 30, "after a send"),
    Death(3, 30, "after a write"),
    Death(3, 6, "after a send", parted=True),
    Death(3, 28, "after a send", parted=True),
)


@define(eq=False)
class Game:
    """Game in which the first player's machine has died."""

    folder: Path
    """Folder with the home of each player at that time, by number."""
    death: Death
    left: list[bytes] = field(factory=list)
    """Fingerprints of the guards in these homes."""

    @classmethod
    async def played(cls, folder: Path, death: Death) -> "Game":
        """Sit down, and play until the first player dies."""
        game = cls(folder, death)
        machines = Machines.make(death.players, folder / "played")
        await machines.sit_down("canasta" if death.players > 2 else "canastra", rounds=1)
        first = machines.all[0]
        first.fate = _Fate(game, machines)
        async with trio.open_nursery() as nursery:
            for machine in machines.all[1:]:
                nursery.start_soon(machine.play)
            assert isinstance(await failure_of(first.play()), Killed)
            await trio.sleep(1)  # everything sent arrives
            nursery.cancel_scope.cancel()
        for machine in machines.all[1:]:
            game.keep(machine.home, folder / f"{machine.number}")
        return game

    def keep(self, home: Path, to: Path) -> None:
        """Copy the home of a node that has ended."""
        shutil.copytree(home, to)
        self.left.append(guard_of(home))

    @property
    def moments(self) -> Path:
        return self.folder / "moments"

    def cases(self, most_files: int = len(FILES)) -> Iterator[Case]:
        """Return a case without a loss, and every loss of the dead player's files."""
        yield Case({}, 0)
        yield from cases_of(FILES, FAULTS, most_files, len(list(self.moments.iterdir())))

    async def end_after(self, case: Case, folder: Path) -> str:
        """Let the players come back, and return the outcome.

        Either all play on, or the first player cannot start, or they lack a lock and only watch.
        Raises AssertionError if somebody is exposed, or for any other outcome.
        """
        network = Network()
        homes = [folder / f"{number}" for number in range(self.death.players)]
        for home in homes:
            shutil.copytree(self.folder / home.name, home)
            home.chmod(0o700)
        lies = dict(zip(map(guard_of, homes), self.left, strict=True))
        seen = RollbackGuard.seen
        # The copied guards have other fingerprints. Until touched, they must count as originals.
        with patch.object(RollbackGuard, "seen", lambda guard: lies.get(now := seen(guard), now)):
            for name, fault in case.faults.items():
                fault(homes[0] / name, self.moments / f"{case.moment}")
            try:
                with open_or_mend(homes[0] / JOURNAL_FILE)[0] as journal:
                    assert journal.tables()
            except (FolderError, JournalDamaged):
                return "cannot start"
            return await _come_back([Machine(network, n, home) for n, home in enumerate(homes)])


@define
class _Fate:
    """Fate of the first machine: a callback that keeps copies, and tells when the machine dies."""

    game: Game
    machines: Machines
    taken: int = 0

    def __call__(self, point: str) -> bool:
        death, first = self.game.death, self.machines.all[0]
        if first.node is None:
            return False
        if death.parted and not self.machines.network.apart:
            due = first.node.state.due
            writes = point == "before a write" and due is not None and due.player == first.number
            if writes and first.height >= death.height:
                _, second, third = self.machines.all
                for other in (first, third):
                    self.machines.network.part(second.address, other.address)
        elif first.height >= death.height and point == death.point:
            self.game.keep(first.home, self.game.folder / "0")
            return True
        if point == "after a write":
            shutil.copytree(first.home, self.game.moments / f"{self.taken}")
            self.taken += 1
        return False


async def _come_back(machines: Sequence[Machine]) -> str:
    """Start the first machine alone, then the others one by one, and return the outcome."""
    first, *others = machines
    enough = max(len(machine.entries()) for machine in others) + _FURTHER
    gone_on = trio.Event()

    def look(_point: str = "") -> bool:
        if min(machine.height for machine in machines) >= enough:
            gone_on.set()
        return False

    async with trio.open_nursery() as nursery:
        for machine in machines:
            machine.deaths = 1  # so the machine uses other random keys and moves from now on
            machine.fate = look  # wakes the wait when all have gone on
            nursery.start_soon(machine.play)
            with trio.move_on_after(2 * STATUS_SECONDS):
                await gone_on.wait()
        looks_on = first.node is not None and first.node.trouble is not None
        if looks_on:
            assert len({machine.height for machine in machines}) == 1
        else:
            with trio.fail_after(20 * STATUS_SECONDS):
                await gone_on.wait()
        nursery.cancel_scope.cancel()
    for machine in machines:
        with Journal.open(machine.home / JOURNAL_FILE) as journal:
            (table,) = journal.tables()
            assert not journal.evidence(table.table_id), machine.name
    records = sorted((machine.entries() for machine in machines), key=len)
    assert all(record == records[-1][: len(record)] for record in records)
    return "looks on" if looks_on else "goes on"


def main() -> int:
    """Try the cases, and return 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.lost_files_in_play")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try each Nth case")
    every = parser.parse_args().every
    logging.disable()  # warnings about a damaged journal are expected here
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as context:
        network_in_memory(context)
        leave_out_proofs(context)
        return max([_try_all(Path(folder) / f"{death}", death, every) for death in DEATHS])


def _try_all(folder: Path, death: Death, every: int) -> int:
    game = trio.run(Game.played, folder, death, clock=MockClock(autojump_threshold=0))
    counted: Counter[str] = Counter()
    began = time.monotonic()
    for number, case in enumerate(itertools.islice(game.cases(), 0, None, every)):
        there = folder / f"case {number}"
        try:
            clock = MockClock(autojump_threshold=0)
            counted[trio.run(game.end_after, case, there, clock=clock)] += 1
        except Exception as error:
            counted["wrong"] += 1
            print(f"{death}: {case}: {error!r}")
        shutil.rmtree(there)
    told = ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))
    print(f"{death}: {told}, in {time.monotonic() - began:.0f} s", flush=True)
    return 1 if counted["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
