"""`python -m tests.bench audit`: the time to check a record, compared with the time to play it.

The record is played in this process with the objects of the protocol, without a network. The time
to play is the time that writing all entries and checking each of them takes. Each entry is checked
once, because real players check it at the same time. The time for choosing moves is left out.

The floor is the cost of the proofs and signatures of the same record in the bare libraries: as many
multiplications and additions of points as the equations have, and each signature verified once.
"""

import argparse
import gc
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from attrs import astuple, define, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.bots.eager import choose
from client.reports.auditing import PORTION, on_threads
from client.reports.gather import Gatherer
from engine.games import GAMES, game_named
from protocol.audit import Auditor, Tally, Verdict
from protocol.entries import Entry, ShuffleContent, UnlockContent
from protocol.record_file import record_parts
from protocol.signatures import KEY_BYTES
from protocol.state import State
from tests.bench.deal import Work, floor, timed, verify_work
from tests.bench.figures import Figures, add_number
from tests.in_memory_table import InMemoryTable

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--game", choices=tuple(GAMES), default="canasta")
    parser.add_argument("--players", type=int, metavar="N", help="by default the usual number")
    add_number(parser, "--rounds", 0, 1_000, 1, "rounds to play; 0 for a whole match")
    add_number(parser, "--repeat", 1, 1_000, 3, "audit N times, and take the medians")
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(game: str, players: int | None, rounds: int, repeat: int, seed: int) -> list[Figures]:
    """Play a record and audit it `repeat` times; with `rounds` 0 the record is a whole match.

    Three times are medians: that of an audit on one thread, that of an audit on all threads, and
    that of the floor. A peak is the maximum number of bytes that Python holds while it audits one
    half of the record and gathers its report.

    Raises InvalidOption for values that the game does not have.
    """
    players = players or game_named(game).usual_players
    match = LocalMatch.sit(game, players, rounds)
    _played, play_s = timed(lambda: match.play(random.Random(seed)))
    record, bare = match.record, match.bare()
    audits, threaded, floors = [], [], []
    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        for _again in range(repeat):
            floors.append(timed(bare)[1])
            tally, seconds = timed(lambda: _audited(record, Auditor()))
            audits.append(seconds)
            threaded.append(timed(lambda: _audited(record, Auditor(begin=on_threads(pool))))[1])
    play_s, audit_s, floor_s = play_s - match.thinking, median(audits), median(floors)
    first_half_peak, second_half_peak = _peaks(record)
    counted = {
        "rounds": len(match.table.state.match.sheets),
        "entries": tally.entries.total(),
        "proofs": tally.shuffle_proofs + tally.unlock_proofs + tally.face_proofs,
    }
    return [
        {
            "game": game,
            "players": players,
            **counted,
            "bytes": len(record),
            "repeat": repeat,
            "play_s": play_s,
            "audit_s": audit_s,
            "share_of_play": audit_s / play_s,
            "threads": threads,
            "threads_s": median(threaded),
            "floor_s": floor_s,
            "floor_ratio": audit_s / floor_s,
            "threads_floor_ratio": median(threaded) / floor_s,
            "first_half_peak": first_half_peak,
            "second_half_peak": second_half_peak,
            **{f"{what}_per_s": number / audit_s for what, number in counted.items()},
        }
    ]


def unlock_work(cards: int) -> Work:
    """Return the work of one unlock proof.

    In the words of `spec/protocol.md`: M and Z have a term for each card; t2 and t3 have two terms
    each, and one of these four terms is a multiple of B.
    """
    return Work(2 * cards + 3, 1, 2 * cards)


def entry_work(before: State, after: State) -> Iterator[Work]:
    """Return the work to verify the proofs of the entry between two states."""
    assert after.last is not None
    match after.last.content:
        case ShuffleContent(cards=cards):
            yield verify_work(len(cards))
            return
        case UnlockContent(gives=gives):
            slots = [given.slot for given in gives if given.player != after.last.writer]
        case _:  # any other entry unlocks the cards whose points it changes
            old, new = before.cards.points, after.cards.points
            slots = [slot for slot, point in old.items() if new.get(slot, point) != point]
    for _deal, group in before.cards.by_deal(slots):
        yield unlock_work(len(group))


@define
class LocalMatch:
    """A match whose players are all in this process."""

    table: InMemoryTable
    work: list[Work] = field(factory=list)
    """The work to verify the proofs of each entry."""
    thinking: float = 0.0
    """Seconds that the players took to choose moves."""

    @classmethod
    def sit(cls, game: str, players: int, rounds: int) -> "LocalMatch":
        """Return a match about to begin. Raises InvalidOption."""
        rules = game_named(game)
        rules.check_players(players)
        options = rules.options(rounds=rounds)
        return cls(InMemoryTable.sit(rules, options, NAMES[:players], os.urandom))

    def play(self, rng: random.Random) -> None:
        """Play until the match is over and signed by all."""
        table = self.table
        while table.state.due is not None:
            move = None
            if (player := table.chooser) is not None:
                view = table.view(player)
                assert view is not None
                move, seconds = timed(partial(choose, view, rng))
                self.thinking += seconds
            change = table.write(move)
            self.work += entry_work(change.before, change.after)

    @property
    def record(self) -> bytes:
        return b"".join(record_parts([(self.table.charter, self.table.entries)]))

    def bare(self) -> Callable[[], None]:
        """Return a function that does in the bare libraries what an audit of the record does."""
        points = floor(Work(*map(sum, zip(*map(astuple, self.work), strict=True))))
        signatures = signature_floor(self.table.entries, len(self.table.players))

        def do_all() -> None:
            points()
            signatures()

        return do_all


def signature_floor(entries: list[bytes], more: int) -> Callable[[], None]:
    """Return a function that verifies a signature for each entry, and `more` other signatures.

    The bytes signed for an entry are as long as its body.
    """
    key = Ed25519PrivateKey.generate()
    public = key.public_key()
    bodies = [Entry.decode(entry).body for entry in entries] + more * [bytes(KEY_BYTES)]
    pairs = [(key.sign(body), body) for body in bodies]

    def bare() -> None:
        for signature, body in pairs:
            public.verify(signature, body)

    return bare


def _audited(record: bytes, auditor: Auditor) -> Tally:
    for _found in auditor.feed(record):
        pass
    if auditor.finish().verdict is not Verdict.SOUND:
        raise RuntimeError("the record that was just played is not sound")
    return auditor.tally


def _peaks(record: bytes) -> tuple[int, int]:
    """Return the peak of bytes held while each half of the record is audited and reported.

    The garbage collector runs at every portion. Otherwise it would run at moments that depend on
    everything else that this process has in memory.
    """
    auditor, gatherer, before = Auditor(), Gatherer(), None
    half = len(record) // 2
    peaks = []
    tracemalloc.start()
    try:
        for begin, end in ((0, half), (half, len(record))):
            tracemalloc.reset_peak()
            for at in range(begin, end, PORTION):
                gc.collect()
                for state in auditor.feed(record[at : min(at + PORTION, end)]):
                    if before is not None:
                        gatherer.feed(before, state, auditor.number)
                    before = state
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    return peaks[0], peaks[1]
