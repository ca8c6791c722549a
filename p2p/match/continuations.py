"""Continuations at one node: from what is said about them to the new table.

`p2p.match.going_on` says what is to be proposed, accepted and signed at any moment; here it is
done, told to the members, and kept. What members say about it comes in here, too.
"""

from collections.abc import Callable

import trio
from attrs import define, field

from p2p.match.going_on import GoingOn
from p2p.match.negotiation import Negotiation, Offered
from p2p.match.statements import Statements, decode_statement, encode_statement
from p2p.match.tables import Tables
from p2p.storage.journal import Journal
from p2p.table.node_updates import Change
from p2p.transport.match_messages import (
    Candidates,
    Continued,
    MatchTalk,
    Proposal,
    ShownEvidence,
    Signed,
    Stance,
)
from protocol.charter import Charter, Member, SignedCharter
from protocol.errors import Exposed, Malformed, Refused, Unattributable
from protocol.evidence import Evidence, Statement, statements_of
from protocol.signing import Signer
from protocol.state import State

_TICK_SECONDS = 1.0
"""Seconds between two looks at who is missing, where nothing else happens."""


@define(eq=False)
class Continuations:
    """The continuations of one match.

    `on_continued` gets the change that a continuation makes, `wake` is called whenever something
    changes, and `progress` gives the event that is set then.
    """

    journal: Journal
    signer: Signer = field(repr=False)
    tables: Tables
    negotiation: Negotiation
    statements: Statements
    going_on: GoingOn
    on_continued: Callable[[Change], None]
    wake: Callable[[], None]
    progress: Callable[[], trio.Event]
    evidence: dict[bytes, bytes] = field(factory=dict, init=False)
    """The evidence that stands by itself, by the key that it exposes, as it came."""
    candidates: dict[bytes, tuple[Member, ...]] = field(factory=dict, init=False)
    """Candidates who wait for a seat at the nodes of others, by the keys of these."""
    _later: list[State] = field(factory=list, init=False)
    """The states after entries whose writers had signed to leave lower tables before."""

    def after_talk(self) -> None:
        """Go on after something was said or has changed."""
        self._think()
        self.wake()
        self._show_talk()

    def _think(self) -> None:
        self.going_on.note_late()
        self.going_on.lead()
        self.going_on.accept()

    def _show_talk(self) -> None:
        for node in tuple(self.tables.running.values()):
            node.show_talk()

    def note_entry(self, after: State) -> None:
        """Note an entry that leads to that state: it may contradict what its writer has signed."""
        assert after.last is not None
        key, attempt = after.charter.key_of(after.last.writer), after.charter.attempt
        if any(s.key == key and s.continues.attempt > attempt for s in self.statements.all()):
            self._later.append(after)

    async def _compare_entries(self) -> None:
        while self._later:
            after = self._later.pop(0)
            assert after.last is not None
            record, charter = self.tables.history.records[after.table_id], after.charter
            (entry,) = await record.entries(after.height, 1)
            key, check = charter.key_of(after.last.writer), self.statements.check_entry
            try:
                await trio.to_thread.run_sync(check, key, entry, charter)
            except Exposed as error:
                await self._expose(error)

    async def look_after(self) -> None:
        """Look, now and then and whenever something changes, at what is to be done."""
        while True:
            progress, before = self.progress(), self._said
            await self._compare_entries()
            self._think()
            if self.negotiation.beat() or self._said != before:
                self._show_talk()
            for signed in self.tables.due():
                await self._go_on(signed)
            charter = self.going_on.agreed()
            if charter is not None:
                await self._sign(charter)
            self.tables.stop_old()
            if progress is self.progress():
                with trio.move_on_after(_TICK_SECONDS):
                    await progress.wait()

    @property
    def _said(self) -> tuple[Stance, Offered | None]:
        return self.negotiation.mine, self.negotiation.offered.get(self.tables.key)

    async def _sign(self, charter: Charter) -> None:
        """Sign a continuation, while nothing is written at any table."""
        for node in (nodes := tuple(self.tables.running.values())):
            await node.advancing.acquire()
        try:
            statement = self.going_on.sign(charter, self.signer)
            attempt, data = statement.continues.attempt, encode_statement(statement)
            keep = self.journal.keep_statement
            await trio.to_thread.run_sync(keep, self.tables.match_id, attempt, data)
            await self._add_statement(statement)
        except Refused:
            return
        finally:
            for node in nodes:
                node.advancing.release()
        for other in self.going_on.signed(statement):
            await self._add_statement(other)
        await self._conclude(charter.table_id)
        self.after_talk()

    async def _add_statement(self, statement: Statement) -> bool:
        """Add a signature. Return true if it is news."""
        try:
            return await trio.to_thread.run_sync(self.statements.add, statement)
        except Exposed as error:
            await self._expose(error)
            return True

    async def _conclude(self, table_id: bytes) -> None:
        """Go on at that table, when all signatures are there."""
        signed = self.statements.concluded(table_id)
        if signed is not None and not self.tables.knows(table_id):
            await self._go_on(signed)

    async def _go_on(self, signed: SignedCharter) -> None:
        """Take a continuation that all its signers have signed. Raises Malformed."""
        change = await self.tables.go_on(signed)
        for statement in statements_of(signed):
            await self._add_statement(statement)
        if change is not None:
            self.going_on.settle()
            self.on_continued(change)
        self.after_talk()

    async def _expose(self, error: Exposed) -> None:
        """Note that two signatures of one key contradict each other.

        Those of a former member stop nobody.
        """
        part = error.evidence[0]
        self.evidence.setdefault(error.key, part)
        newest = self.tables.history.newest
        node = self.tables.nodes.get(newest.table_id)
        if node is not None and newest.state.charter.player_of(error.key) is not None:
            await node.expose(error)
        else:
            keep = self.journal.keep_evidence
            await trio.to_thread.run_sync(keep, newest.table_id, str(error), part)
        self.wake()

    def recall(self) -> None:
        """Recall the own signatures, and the evidence, from the journal. Blocks."""
        self.statements.recall(self.journal)
        charter = self.tables.history.newest.state.charter
        for record in self.tables.history.records.values():
            for _, part in self.journal.evidence(record.table_id):
                try:
                    raise Evidence.decode(part).exposes(charter.match_id)
                except (Malformed, Unattributable):
                    continue  # an entry, which the record has judged
                except Exposed as error:
                    self.evidence.setdefault(error.key, part)
                    if charter.player_of(error.key) is not None:
                        record.expose(error)

    # -- among members

    def talk(self, waiting: tuple[Member, ...]) -> tuple[MatchTalk, ...]:
        """Return the messages for all peers; `waiting` are those who wait for a seat here."""
        records = self.tables.history.records.values()
        continued = (r.membership.charter for r in records if r.state.charter.attempt)
        missing, offered = self.going_on.missing, self.negotiation.offered
        talks = missing or offered or self.going_on.stuck
        stances = self.negotiation.stances.values() if talks else (self.negotiation.mine,)
        return (
            *(Continued(signed.encode()) for signed in continued),
            *((Candidates(waiting),) if missing else ()),
            *stances,
            # Before the signatures: a newcomer's counts once it is known that they are proposed.
            *(one.message for one in offered.values()),
            *(Signed(encode_statement(statement)) for statement in self.statements.all()),
            *map(ShownEvidence, self.evidence.values()),
        )

    async def on_talk(self, key: bytes, talk: MatchTalk) -> bool:
        """Note what the holder of that key says. Return true for news. Raises Malformed."""
        news = await self._heard(key, talk)
        if news and isinstance(talk, Candidates):
            self.wake()
        elif news:
            self.after_talk()
        return news

    async def _heard(self, key: bytes, talk: MatchTalk) -> bool:
        match talk:
            case Candidates(members):
                news = self.candidates.get(key, ()) != members
                self.candidates[key] = members
                return news
            case Stance():
                return self.negotiation.hear(talk, self._expected)
            case Proposal():
                return self.negotiation.hear_proposal(talk, self.going_on.founders)
            case Signed(data):
                if self.statements.has_bytes(data):
                    return False
                statement = decode_statement(data)
                if statement.key not in self._expected:
                    return False
                news = await self._add_statement(statement)
                await self._conclude(statement.charter.table_id)
                return news
            case Continued(data):
                signed = SignedCharter.decode(data)
                known = self.tables.knows(signed.charter.table_id)
                if known or signed.charter.match_id != self.tables.match_id:
                    return False
                await self._go_on(signed)
                return True
            case ShownEvidence(data):
                return data not in self.evidence.values() and await self._shown(data)

    async def _shown(self, data: bytes) -> bool:
        """Note evidence that somebody shows, of a member that nothing has exposed yet."""
        try:
            raise Evidence.decode(data).exposes(self.tables.match_id)
        except Unattributable:
            return False
        except Exposed as error:
            if error.key in self.tables.exposed or error.key not in self._expected:
                return False
            await self._expose(error)
            return True

    @property
    def _expected(self) -> frozenset[bytes]:
        """The keys that may say something.

        They are those of the members of any table of the match, and of those who are to become one.
        """
        offered = self.negotiation.offered.values()
        proposed = (member for one in offered for member in one.charter.members)
        return frozenset(member.key for member in (*self.tables.members, *proposed))
