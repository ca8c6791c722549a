"""Matches under all faults at once, for some minutes: `python -m tests.lan.soak --minutes 60`.

Two to six machines play one match after the other. In all matches some frames are lost, and in
every second match all frames are late. Two hostile machines on the same network pester the players,
and every few seconds one of the players has a fault. At the end of each match all records must be
sound and the same, nobody may have seen a traceback, and every program that ended must have said
why in a sentence.
"""

import argparse
import json
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attrs import define, field

from client.cli.log_file import LOG_FILE
from p2p.storage.identity import Identity
from p2p.storage.private_files import make_private
from protocol.player import LOST_LOCK
from tests.lan.at_table import check_records, come_back, sit_down
from tests.lan.calls import acquaint
from tests.lan.disks import disks_in, give_disk
from tests.lan.hosts import Host, Lan, NoLan, lan, why_no_lan
from tests.lan.other_clock import give_clock
from tests.lan.soak_faults import FAULTS, has_spare, put_spare_back, take_moment
from tests.lan.strangers import HOSTILE

LOSS = 0.03
"""The share of all frames that are lost, including those of mDNS."""
DELAY, JITTER = 0.1, 0.05
"""In every second match frames are late by `DELAY` seconds and at most `JITTER` more."""
DISK_BYTES = 32 << 20
ROUNDS = 3
"""The most rounds of a match; in a longer match programs would end more often (`MOST_ENDS`)."""
PAUSE = (0.3, 2.5)
"""The least and the most seconds between two faults."""
TABLES = (
    *(("canastra", 2), ("kanastic", 3), ("canasta", 4)),
    *(("kanastic", 2), ("canasta", 3), ("canasta", 6)),
)
"""The games and numbers of players of the matches, in turn."""
HOSTILE_MACHINES = 2

NEEDS_COPY = "put back"
ENDS = ("make room", NEEDS_COPY, "cannot be written")
"""Parts of the sentences after which a program may end in the middle of a match."""
MOST_ENDS = 10
"""The most times that the program of one machine may end in this way in one match."""
MOMENTS = 0.3
"""The share of faults before which the files of the machine are copied (`take_moment`)."""


@define(eq=False)
class FaultyMatch:
    """A match under faults."""

    table: Lan
    strangers: Sequence[Host]
    rng: random.Random
    came: Counter[str] = field(factory=Counter, init=False)
    """The number of times that each fault has happened."""
    _ends: Counter[int] = field(factory=Counter, init=False)
    _had: dict[int, int] = field(factory=dict, init=False)
    """The number of entries of each machine before its newest fault."""

    def sit_down(self, game: str) -> None:
        """Give each machine a disk and a clock, and let the players sit down. Raises NoLan.

        The hostile machines begin before that. One of them has once played with each player.
        """
        pest, forger = self.strangers
        member = Identity.load_or_create(make_private(pest.home))
        tables = []
        for host in self.table.hosts:
            give_disk(host, DISK_BYTES)
            give_clock(host)
            tables.append(acquaint(host.home, member).hex())
        forger.start_program(*HOSTILE, "forges", forger.address)
        pest.start_program(*HOSTILE, "pesters", *tables, typed=True)
        self._tell_addresses()
        sit_down(self.table, game, rounds=ROUNDS)
        for host in self.table.hosts:
            take_moment(host)

    def play_under_faults(self, deadline: float) -> None:
        """Play until the match is over for a player, or the deadline is reached."""
        self.table.switch.loss = LOSS
        while time.monotonic() < deadline and not any(h.records() for h in self.table.hosts):
            time.sleep(self.rng.uniform(*PAUSE))
            self._revive()
            victim = self.rng.choice(self.table.hosts)
            # A machine has no new fault before it has played on since the last one.
            is_back = victim.entries > self._had.get(victim.number, -1)
            if victim.running and not victim.records() and is_back:
                self._strike(victim)
        self.table.switch.loss = 0.0

    def _strike(self, victim: Host) -> None:
        self._had[victim.number] = victim.entries
        if self.rng.random() < MOMENTS:
            take_moment(victim)
        name = self.rng.choice(tuple(FAULTS))
        self.came[name] += FAULTS[name](self.table, victim, self.rng) is not False
        self._tell_addresses()

    def finish(self) -> None:
        """Play to the end of the match. Raises AssertionError if anything is wrong then."""
        self.table.wait(look=self._revive)
        if not all(host.records() for host in self.table.hosts):
            # A player may have been dead when the others left the table: then all start again.
            for host in self.table.hosts:
                come_back(host)
            self.table.wait()
        check_records(self.table.hosts)
        for host in self.table.hosts:
            self._check_log(host)
        for stranger in self.strangers:
            assert stranger.running, stranger.said
            (*_, last) = re.findall(r"^{.*}$", stranger.said, re.MULTILINE)
            self.came.update(json.loads(last))

    def _revive(self) -> None:
        """Restart each program that has ended, and assert that the program has said why.

        If the program said that only a copy of the journal helps, the journal is replaced first.
        """
        for host in self.table.hosts:
            if host.records() or host.process is None:
                continue
            said = host.said_last
            needs_copy = LOST_LOCK.template in said or NEEDS_COPY in said.lower()
            if host.running and not needs_copy:
                continue
            assert host.running or any(end in said.lower() for end in ENDS), (
                f"machine {host.number} ended with {host.process.poll()} after:\n{said[-1500:]}"
            )
            self._ends[host.number] += 1
            assert self._ends[host.number] <= MOST_ENDS, said
            sentence = next((end for end in ENDS if end in said.lower()), "its lock is lost")
            self.came[f"sentences: {sentence}"] += 1
            host.kill()
            if needs_copy:
                assert has_spare(host), said
                put_spare_back(host)
            come_back(host)

    def _tell_addresses(self) -> None:
        self.strangers[0].type(" ".join(host.address for host in self.table.hosts))

    def _check_log(self, host: Host) -> None:
        for file in host.home.glob(f"{LOG_FILE}*"):
            if file.is_file():
                logged = file.read_text(errors="replace")
                assert "Traceback" not in logged, logged[logged.index("Traceback") - 300 :][:3000]


def play_matches(minutes: float, seed: int) -> int:
    """Play match after match for some minutes; return 1 if one of them failed.

    Raises NoLan if a machine cannot have its own disk or clock.
    """
    deadline = time.monotonic() + minutes * 60
    came: Counter[str] = Counter()
    matches = failed = 0
    while time.monotonic() < deadline:
        game, players = TABLES[matches % len(TABLES)]
        rng = random.Random(f"{seed} {matches} storm")
        matches += 1
        wrong, happened = _play(game, players, deadline, rng, slow=matches % 2 == 0)
        failed += wrong is not None
        came += happened
        told = wrong or "all records sound and the same"
        print(f"match {matches}: {game} of {players}, {told}; {dict(happened)}", flush=True)
    print(f"{matches} matches, {failed} failed; {dict(came)}")
    return 1 if failed else 0


def _play(
    game: str, players: int, deadline: float, rng: random.Random, *, slow: bool
) -> tuple[str | None, Counter[str]]:
    """Play a match, on a `slow` network if wanted.

    Return a sentence about the failure, or None, and then how often each fault happened.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        disks_in(Path(folder)),
        lan(players + HOSTILE_MACHINES, Path(folder)) as network,
    ):
        if slow:
            network.switch.delay, network.switch.jitter = DELAY, JITTER
        table = Lan(network.hosts[:players], network.switch)
        match = FaultyMatch(table, network.hosts[players:], rng)
        try:
            match.sit_down(game)
            match.play_under_faults(deadline)
            match.finish()
        except AssertionError as error:
            for host in network.hosts:
                host.kill()
            kept = tempfile.mkdtemp(prefix="soak")
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            return f"FAILED: {error}; kept in {kept}", match.came
        return None, match.came


def main() -> int:
    """Play for the time that the arguments say; return 1 if a match failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, metavar="M")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if (reason := why_no_lan()) is not None:
        print(f"No LAN can be made here: {reason}.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that `with` blocks clean up
    try:
        return play_matches(given.minutes, given.seed)
    except NoLan as error:
        print(f"The machines cannot be made here: {error}.")
        return 2


if __name__ == "__main__":
    sys.exit(main())
