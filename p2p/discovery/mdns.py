"""mDNS on this machine's interfaces. The library zeroconf runs in its own thread; calls block."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from enum import IntEnum
from typing import Any

from attrs import define, field
from zeroconf import (
    Error,
    IPVersion,
    RecordUpdate,
    RecordUpdateListener,
    ServiceBrowser,
    ServiceInfo,
    ServiceListener,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceInfo

from p2p.discovery.datagram_limits import Limited, Shares
from p2p.discovery.interfaces import Interface, interfaces

_log = logging.getLogger(__name__)

MDNS_ERRORS = (Error, OSError, RuntimeError)
"""The errors of mDNS. A RuntimeError means that a thread could not be started."""

_ASK_MILLISECONDS = 2000

_END_SECONDS = 1.0
"""Seconds to wait for the tasks of zeroconf's loop to end. Then the loop is closed anyway."""

MOST_ASKED = 32
"""The maximum number of names that are asked about at the same time."""

MOST_KEPT = 512 * 1024
"""The maximum number of bytes of all records that are kept."""

MOST_POINTERS = 50_000
"""The number of PTR records (names of services) after which mDNS is opened anew.

For each name, zeroconf's browser remembers when to ask again, which takes 200 bytes. It forgets a
name only when the name's time to live is over, even if the name was taken back.
"""

_MOST_TEXT = 1300
"""The maximum number of bytes of a TXT record (RFC 6763, section 6.2); ours are never longer."""

_RECORD_BYTES = 600
"""Bytes of memory that a record takes, without its text and names."""

MOST_SENDERS = 4
"""The maximum number of senders that are remembered for one service: the first ones."""

_MOST_NAMES = 512
"""The maximum number of services whose senders are remembered."""

Heard = Callable[[str, ServiceInfo | None, Sequence[str]], None]
"""Callback for a service that was heard, or has gone. It is called in another thread.

Its arguments are the service's name, the service itself (None if it has gone), and the addresses of
its senders.
"""


def zeroconf_on(chosen: Sequence[Interface]) -> "_InThread":
    """Return a zeroconf on the addresses of these interfaces. Raises MDNS_ERRORS.

    By itself zeroconf uses either only the interface of the default route, or all interfaces.
    """
    ipv4 = [address for interface in chosen for address in interface.ipv4]
    ipv6 = [address.partition("%")[0] for i in chosen for address in i.ipv6]
    if ipv4 and ipv6:
        with suppress(*MDNS_ERRORS):  # on some systems only one of the two works
            return _InThread([*ipv4, *ipv6], IPVersion.All)
    return _InThread(ipv4 or ipv6, IPVersion.V4Only if ipv4 else IPVersion.V6Only)


class _InThread(Zeroconf):
    """A zeroconf whose event loop is made here, and runs in a thread of its own.

    By default zeroconf makes the loop within the thread. If that fails, for example when too many
    files are open, zeroconf waits for ever.
    """

    def __init__(self, addresses: Sequence[str], ip_version: IPVersion) -> None:
        """Open it. Raises MDNS_ERRORS: the system may refuse the loop, the thread or a socket."""
        self._own_loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._own_loop.run_forever, daemon=True)
        try:
            self._thread.start()
            opening = self._open(list(addresses), ip_version)
            asyncio.run_coroutine_threadsafe(opening, self._own_loop).result()
        except BaseException:
            self._end_loop()
            raise

    async def _open(self, addresses: list[str], ip_version: IPVersion) -> None:
        super().__init__(addresses, ip_version=ip_version, use_asyncio=True)
        await self.async_wait_for_start()
        self.shares = shares = Shares()
        for reader in self.engine.protocols:
            if reader.transport is not None:
                reader.transport.transport.set_protocol(Limited(reader, shares))

    def close(self) -> None:
        super().close()
        self._end_loop()

    def _end_loop(self) -> None:
        if self._thread.is_alive():
            ending = asyncio.run_coroutine_threadsafe(_end_tasks(), self._own_loop)
            with suppress(FutureTimeoutError):
                ending.result(_END_SECONDS)
            self._own_loop.call_soon_threadsafe(self._own_loop.stop)
            self._thread.join()
        self._own_loop.close()


async def _end_tasks() -> None:
    """Cancel all other tasks of the loop, and wait for them: asyncio logs tasks that are left."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _usual_interfaces() -> tuple[Interface, ...]:
    """Return the interfaces that are up; the loopback only if there is no other."""
    up = interfaces()
    return tuple(interface for interface in up if not interface.is_loopback) or up


@define(eq=False)
class Mdns:
    """A browser for services of `kind` with the callback `heard`; it also announces one service.

    mDNS uses the interfaces that were up when it was opened.
    """

    kind: str
    heard: Heard
    _opened_on: tuple[Interface, ...] = field(default=(), init=False)
    _zeroconf: _InThread | None = field(default=None, init=False)
    _browser: ServiceBrowser | None = field(default=None, init=False)
    _listener: "_Listener | None" = field(default=None, init=False)
    _service: ServiceInfo | None = field(default=None, init=False)
    _bound: "_Bound | None" = field(default=None, init=False)

    def open(self) -> None:
        """Begin to listen. Raises MDNS_ERRORS."""
        self._opened_on = _usual_interfaces()
        self._zeroconf = zeroconf_on(self._opened_on)
        self._bound = bound = _Bound(self._zeroconf, self.kind, self._zeroconf.shares)
        self._zeroconf.add_listener(bound, None)
        self._listener = _Listener(self.heard, bound.senders_of)
        self._browser = ServiceBrowser(self._zeroconf, self.kind, None, self._listener)
        bound.forget_question = self._browser.query_scheduler.cancel_ptr_refresh

    @property
    def is_outdated(self) -> bool:
        """Return True if mDNS has to be opened anew.

        That is so if this machine has other addresses now, or if opening has failed.
        """
        return self._zeroconf is None or _usual_interfaces() != self._opened_on

    @property
    def is_flooded(self) -> bool:
        """Return True if mDNS has to be opened anew, to free the memory that many names take."""
        return self._bound is not None and self._bound.pointers > MOST_POINTERS

    def announce(self, service: ServiceInfo) -> None:
        """Announce a service, which replaces the one announced before. Raises MDNS_ERRORS."""
        if self._zeroconf is None:
            raise OSError("mDNS is not open")
        again = self._service is not None
        call = self._zeroconf.update_service if again else self._zeroconf.register_service
        call(service)
        self._service = service

    def close(self) -> None:
        """Withdraw the announcement, and stop listening."""
        if self._listener is not None:
            self._listener.close()
        if self._browser is not None:
            self._browser.cancel()
        if self._zeroconf is not None:
            self._zeroconf.close()
        self._zeroconf = self._browser = self._listener = self._service = None


class _Type(IntEnum):
    """The types of records that a service has (RFC 1035, RFC 2782, RFC 3596)."""

    A = 1
    PTR = 12
    TXT = 16
    AAAA = 28
    SRV = 33


class _Bound(RecordUpdateListener):
    """A limit on the bytes of the records that zeroconf keeps; zeroconf limits only their number.

    A stranger can make up any number of names. So records that cannot belong to a service of `kind`
    are dropped at once, and when the other records have too many bytes, the oldest of them are
    dropped. A dropped record is found again when it is announced again. All methods run in
    zeroconf's loop.
    """

    forget_question: Callable[[Any], object] | None = None
    """Function that makes the browser stop asking for a PTR record; None without a browser."""

    def __init__(self, zc: Zeroconf, kind: str, shares: Shares) -> None:
        self._zeroconf = zc
        self._kind = kind.lower()
        self._shares = shares
        self._senders: dict[str, tuple[str, ...]] = {}
        self.pointers = 0
        self._heard: list[Any] = []
        self._kept: dict[Any, int] = {}
        self._bytes = 0

    def async_update_records(
        self,
        zc: Zeroconf,  # noqa: ARG002
        now: float,  # noqa: ARG002
        records: list[RecordUpdate],
    ) -> None:
        """Note records and their sender: zeroconf calls this while it reads their datagram."""
        self._heard += [record.new for record in records]
        for record in records:
            if record.new.type in (_Type.TXT, _Type.SRV):
                self._note_sender(record.new.name.lower())
            self.pointers += record.new.type == _Type.PTR

    def senders_of(self, name: str) -> tuple[str, ...]:
        """Return the addresses that announced a service, oldest first; ("",) if unknown."""
        return self._senders.get(name.lower(), ("",))

    def _note_sender(self, name: str) -> None:
        # The name is taken out, and put in at the end: so the first one was heard longest ago.
        known = self._senders.pop(name, ())
        new = dict.fromkeys((*known, self._shares.sender))
        self._senders[name] = tuple(new)[:MOST_SENDERS]
        if len(self._senders) > _MOST_NAMES:
            del self._senders[next(iter(self._senders))]

    def async_update_records_complete(self) -> None:
        """Drop records over the limit: zeroconf calls this when it has stored the new ones."""
        heard, self._heard = self._heard, []
        for record in heard:
            if not self._is_of_use(record):
                self._drop(record)
            # A withdrawal is heard as a record, too; by now zeroconf has removed what it withdraws.
            elif self._zeroconf.cache.get(record) is None:  # it was withdrawn
                self._bytes -= self._kept.pop(record, 0)
            elif record not in self._kept:
                self._kept[record] = size = _size(record)
                self._bytes += size
        while self._bytes > MOST_KEPT:
            self._drop(next(iter(self._kept)))

    def _is_of_use(self, record: Any) -> bool:
        name = record.name.lower()
        if record.type == _Type.PTR:
            return bool(name == self._kind)
        if record.type == _Type.TXT and len(record.text) > _MOST_TEXT:
            return False
        is_service = record.type in (_Type.SRV, _Type.TXT)
        is_address = record.type in (_Type.A, _Type.AAAA)
        return is_address or (is_service and name.endswith(f".{self._kind}"))

    def _drop(self, record: Any) -> None:
        self._bytes -= self._kept.pop(record, 0)
        kept = self._zeroconf.cache.get(record)
        if kept is not None:
            self._zeroconf.cache.async_remove_records([kept])
        if self.forget_question is not None and record.type == _Type.PTR:
            self.forget_question(record)


def _size(record: Any) -> int:
    """Return roughly how many bytes of memory a stored record takes."""
    size: int = _RECORD_BYTES + 2 * len(record.name)
    if record.type == _Type.TXT:
        return size + len(record.text)
    if record.type == _Type.PTR:
        return size + 2 * len(record.alias)
    return size + (2 * len(record.server) if record.type == _Type.SRV else 0)


class _Listener(ServiceListener):
    """A listener that asks for the service behind each announced name, in zeroconf's own loop.

    A question that nobody answers delays nothing, since the browser's thread does not wait for the
    answer. At most `MOST_ASKED` questions run at once, and the oldest is dropped for a new one: a
    stranger can make up any number of names.
    """

    def __init__(self, heard: Heard, senders_of: Callable[[str], Sequence[str]]) -> None:
        self._heard = heard
        self._senders_of = senders_of
        self._asking: dict[str, Future[None]] = {}

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        if zc.loop is None or zc.done:
            return
        self._stop_asking(name)
        while len(self._asking) >= MOST_ASKED:
            self._stop_asking(next(iter(self._asking)))
        asking = asyncio.run_coroutine_threadsafe(self._ask(zc, type_, name), zc.loop)
        self._asking[name] = asking
        asking.add_done_callback(lambda _done: self._asked(name, asking))

    update_service = add_service

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self._stop_asking(name)
        self._heard(name, None, ())

    def close(self) -> None:
        """Stop all questions."""
        for name in list(self._asking):
            self._stop_asking(name)

    def _asked(self, name: str, asking: "Future[None]") -> None:
        if self._asking.get(name) is asking:
            self._asking.pop(name, None)

    def _stop_asking(self, name: str) -> None:
        asking = self._asking.pop(name, None)
        if asking is not None:
            asking.cancel()

    async def _ask(self, zc: Zeroconf, type_: str, name: str) -> None:
        try:
            service = AsyncServiceInfo(type_, name)
            if await service.async_request(zc, _ASK_MILLISECONDS):
                self._heard(name, service, self._senders_of(name))
        except (Error, ValueError) as error:
            _log.info("a service was ignored: %s", error)
