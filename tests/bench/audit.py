"""`python -m tests.bench audit`: the time to check a record, compared with the time to play it.

The record is played in this process with the objects of the protocol, without a network. The time
to play is the time that writing all entries and checking each of them takes. Each entry is checked
once, because real players check it at the same time. The time for choosing moves is left out.

The floor is the cost of the proofs and signatures of the same record in the bare libraries: as many
multiplications and additions of points as the equations have, and each signature verified once.
"""

import argparse
import gc
import json
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from attrs import asdict, astuple, define, field, frozen
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
from tests.bench.figures import aligned, counted, in_seconds, rounded, whole
from tests.in_memory_table import InMemoryTable

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")


@frozen
class AuditBench:
    """Results of the bench.

    Times are in seconds. `audit_s` (on one thread), `threads_s` (on `threads`) and `floor_s` are
    medians of `repeat` runs. A peak is the maximum number of bytes that Python holds while
    it audits one half of the record and gathers its report.
    """

    game: str
    players: int
    rounds: int
    entries: int
    proofs: int
    bytes: int
    repeat: int
    play_s: float
    audit_s: float
    threads: int
    threads_s: float
    floor_s: float
    first_half_peak: int
    second_half_peak: int

    @property
    def share(self) -> float:
        """Time of the audit as a fraction of the time to play."""
        return self.audit_s / self.play_s


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--game", choices=tuple(GAMES), default="canasta")
    parser.add_argument("--players", type=int, metavar="N", help="by default as many as usual")
    parser.add_argument(
        "--rounds", type=whole(0, 1_000), default=1, metavar="N", help="0: a whole match"
    )
    parser.add_argument(
        "--repeat", type=whole(1, 1_000), default=3, metavar="R", help="medians are of R audits"
    )
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(game: str, players: int | None, rounds: int, repeat: int, seed: int) -> AuditBench:
    """Play a record and audit it `repeat` times; with `rounds` 0 the record is a whole match.

    Raises InvalidOption for values that the game does not have.
    """
    players = players or game_named(game).usual_players
    match = LocalMatch.sit(game, players, rounds)
    _played, play_s = timed(lambda: match.play(random.Random(seed)))
    record = b"".join(record_parts([(match.table.charter, match.table.entries)]))
    points = floor(total_work(match.work))
    signatures = signature_floor(match.table.entries, players)
    audits, threaded, floors = [], [], []
    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        for _again in range(repeat):
            floors.append(timed(points)[1] + timed(signatures)[1])
            tally, seconds = timed(lambda: _audited(record, Auditor()))
            audits.append(seconds)
            threaded.append(timed(lambda: _audited(record, Auditor(begin=on_threads(pool))))[1])
    return AuditBench(
        game,
        players,
        len(match.table.state.match.sheets),
        tally.entries.total(),
        tally.shuffle_proofs + tally.unlock_proofs + tally.face_proofs,
        len(record),
        repeat,
        play_s - match.thinking,
        median(audits),
        threads,
        median(threaded),
        median(floors),
        *_peaks(record),
    )


def as_json(bench: AuditBench) -> str:
    """Return all figures as one JSON object, with rates."""
    rates = {f"{what}_per_s": rate for what, rate in _rates(bench)}
    ratios = {"share_of_play": bench.share, "floor_ratio": bench.audit_s / bench.floor_s}
    ratios["threads_floor_ratio"] = bench.threads_s / bench.floor_s
    return json.dumps(rounded(asdict(bench) | rates | ratios))


def render(bench: AuditBench) -> str:
    """Return the figures for people."""
    head = (
        f"{bench.game}, {counted(bench.players, 'player')}, {counted(bench.rounds, 'round')}: "
        f"{counted(bench.entries, 'entry', 'entries')}, {counted(bench.proofs, 'proof')}, "
        f"{counted(bench.bytes, 'byte')}; medians of {bench.repeat}"
    )
    beside = f"{100 * bench.share:,.0f}% of that, {bench.audit_s / bench.floor_s:,.2f} × floor"
    ratio = f"{bench.threads_s / bench.floor_s:,.2f}"
    threads = f"{ratio} × floor, proofs verified on {bench.threads} of them"
    first = f"{bench.first_half_peak / 1000:,.0f}"
    halves = f"at most in the second half, {first} kB in the first"
    rows = [
        ("play", in_seconds(bench.play_s), "the players' machines, without any thinking"),
        ("audit", in_seconds(bench.audit_s), beside),
        ("threads", in_seconds(bench.threads_s), threads),
        ("floor", in_seconds(bench.floor_s), "the bare library, one thread"),
        ("memory", f"{bench.second_half_peak / 1000:,.0f} kB", halves),
        *((what, f"{rate:,.1f}", "a second") for what, rate in _rates(bench)),
    ]
    return "\n".join([head, *aligned(rows)])


def unlock_work(cards: int) -> Work:
    """Return the work of one unlock proof.

    In the words of `spec/protocol.md`: M and Z have a term for each card; t2 and t3 have two terms
    each, and one of these four is a multiple of B.
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
        case _:
            old, new = before.cards.points, after.cards.points
            slots = [slot for slot, point in old.items() if new.get(slot, point) != point]
    for _deal, group in before.cards.by_deal(slots):
        yield unlock_work(len(group))


@define
class LocalMatch:
    """A match whose players are all in this process."""

    table: InMemoryTable
    work: list[Work] = field(factory=list)
    """Work to verify its proofs."""
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


def _rates(bench: AuditBench) -> Iterator[tuple[str, float]]:
    for what in ("entries", "proofs", "rounds"):
        yield what, getattr(bench, what) / bench.audit_s


def total_work(work: Sequence[Work]) -> Work:
    """Return the sum of all work."""
    return Work(*(sum(one) for one in zip(*map(astuple, work), strict=True)))
