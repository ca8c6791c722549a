"""The node of this machine before it sits at any table.

The node has an identity, a journal, an endpoint and beacons. Every command that plays over the
network runs inside `open_network_node`.
"""

import getpass
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import trio
from attrs import field, frozen

from client.i18n.sentences import said
from client.language_setting import SETTINGS_FILE
from client.settings import load_settings
from p2p.discovery.beacon import MOST_HOSTS, Beacon
from p2p.discovery.beacons import Beacons, NoBeacon, open_beacons
from p2p.discovery.interfaces import Neighbourhood, OwnAddresses, listen
from p2p.lobby.beacon_check import beacon_checker
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.salvage import open_or_mend
from p2p.table.record_server import RecordServer
from p2p.transport.endpoint import Endpoint
from p2p.transport.lobby_messages import Announced
from protocol.errors import Malformed
from protocol.names import clean_name, is_reserved


@frozen
class NetworkNode:
    """The parts of a node."""

    folder: Path
    endpoint: Endpoint
    journal: Journal
    beacons: Beacons | None
    """The beacons heard; None if mDNS cannot be used."""
    announcer: Identity
    """The identity that signs the beacons of this node; a new one each time that the program
    starts.
    """
    trouble: str | None = None
    """The reason why mDNS cannot be used, if it cannot."""
    mended: str | None = None
    """A sentence on how much of a damaged journal was saved, if it was damaged."""
    addresses: OwnAddresses = field(factory=OwnAddresses)

    @property
    def identity(self) -> Identity:
        return self.endpoint.identity

    def beacon(self) -> Beacon:
        """Return the beacon of this node, without a table."""
        hosts = self.addresses.now()[:MOST_HOSTS]
        return Beacon(self.announcer.public, hosts, self.endpoint.port)

    async def announce(self, beacon: Beacon) -> None:
        """Announce this node, if mDNS can be used."""
        if self.beacons is not None:
            await self.beacons.announce(beacon, self.announcer.sign)


@asynccontextmanager
async def open_network_node(
    folder: Path, port: int | None = None, *, anywhere: bool = False
) -> AsyncIterator[NetworkNode]:
    """Open the node with the identity in `folder`, listening at `port` (None: at a usual one).

    The node accepts connections from the networks of this machine or, with `anywhere`, from all.
    Raises IdentityInUse if another process has this identity open, OSError if `port` is taken,
    FolderError and JournalError.
    """
    identity = Identity.load_or_create(folder)
    opened, mended = open_or_mend(folder / JOURNAL_FILE)
    with opened as journal:
        endpoint, announcer = Endpoint(identity), Identity.generate()
        # All this is set before the endpoint listens, because a call may come at once.
        endpoint.announced = Announced.make(identity.public, announcer.sign)
        endpoint.near = None if anywhere else Neighbourhood().has
        endpoint.fallback = RecordServer(endpoint, journal).serve
        listeners, chosen = await listen(port)
        async with trio.open_nursery() as nursery:
            await nursery.start(endpoint.serve, listeners, chosen)
            beacons, trouble = None, None
            async with AsyncExitStack() as stack:
                try:
                    beacons = await stack.enter_async_context(open_beacons(beacon_checker()))
                except NoBeacon as error:
                    trouble = said(error)
                salvage = None if mended is None else said(mended)
                yield NetworkNode(folder, endpoint, journal, beacons, announcer, trouble, salvage)
            nursery.cancel_scope.cancel()


def own_name(folder: Path, wanted: str | None) -> str:
    """Return the person's name at the table: `wanted`, or else the name in the settings.

    Without a file of settings it is the name of the account. Raises Malformed if the name is not
    valid, or looks like a word of the program.
    """
    name = clean_name(wanted) if wanted is not None else _usual_name(folder)
    if is_reserved(name):
        raise Malformed(
            "{name} could be mistaken for a word of the program: choose another name with --name.",
            name=name,
        )
    return name


def _usual_name(folder: Path) -> str:
    if (folder / SETTINGS_FILE).exists():
        return load_settings(folder).settings.name
    try:
        return clean_name(getpass.getuser())
    # For an account without a name, `getuser` raises KeyError, and from Python 3.13 on OSError.
    except (Malformed, OSError, KeyError):
        return load_settings(folder).settings.name
