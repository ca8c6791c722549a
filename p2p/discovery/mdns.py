"""mDNS on this machine's own interfaces, by zeroconf, which has threads of its own. Calls block."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

from attrs import define, field
from zeroconf import Error, IPVersion, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from p2p.discovery.interfaces import Interface, interfaces

_log = logging.getLogger(__name__)

MDNS_ERRORS = (Error, OSError, RuntimeError)
"""What goes wrong where a network cannot be used for mDNS; a RuntimeError of a thread that cannot
be started.
"""

_ASK_MILLISECONDS = 2000

MOST_ASKED = 32
"""Names that are asked about at once."""

Heard = Callable[[str, ServiceInfo | None], None]
"""Is called, in a thread, with the name of a service and what it says; None when it is gone."""


def zeroconf_on(chosen: Sequence[Interface]) -> Zeroconf:
    """On explicit addresses: left to itself it would take the default route's alone, or all.

    Raises MDNS_ERRORS.
    """
    ipv4 = [address for interface in chosen for address in interface.ipv4]
    ipv6 = [address.partition("%")[0] for i in chosen for address in i.ipv6]
    if ipv4 and ipv6:
        with suppress(*MDNS_ERRORS):  # some systems have one of the two in name only
            return Zeroconf([*ipv4, *ipv6], ip_version=IPVersion.All, use_asyncio=False)
    version = IPVersion.V4Only if ipv4 else IPVersion.V6Only
    return Zeroconf(ipv4 or ipv6, ip_version=version, use_asyncio=False)


def _usual_interfaces() -> tuple[Interface, ...]:
    """Those that are up; the loopback only where there are no others."""
    up = interfaces()
    return tuple(interface for interface in up if not interface.is_loopback) or up


@define(eq=False)
class Mdns:
    """Listens for services of `kind` on the interfaces that are up when it is opened, and announces
    one.
    """

    kind: str
    heard: Heard
    _opened_on: tuple[Interface, ...] = field(default=(), init=False)
    _zeroconf: Zeroconf | None = field(default=None, init=False)
    _browser: ServiceBrowser | None = field(default=None, init=False)
    _listener: "_Listener | None" = field(default=None, init=False)
    _service: ServiceInfo | None = field(default=None, init=False)

    def open(self) -> None:
        """Raises MDNS_ERRORS."""
        self._opened_on = _usual_interfaces()
        self._zeroconf = zeroconf_on(self._opened_on)
        self._listener = _Listener(self.heard)
        self._browser = ServiceBrowser(self._zeroconf, self.kind, None, self._listener)

    @property
    def is_outdated(self) -> bool:
        """Whether this machine has other addresses by now, or was never heard at those it has."""
        return self._zeroconf is None or _usual_interfaces() != self._opened_on

    def announce(self, service: ServiceInfo) -> None:
        """Instead of what was announced before. Raises MDNS_ERRORS."""
        if self._zeroconf is None:
            raise OSError("mDNS is not open")
        again = self._service is not None
        call = self._zeroconf.update_service if again else self._zeroconf.register_service
        call(service)
        self._service = service

    def close(self) -> None:
        """Take back what was announced."""
        if self._listener is not None:
            self._listener.close()
        if self._browser is not None:
            self._browser.cancel()
        if self._zeroconf is not None:
            self._zeroconf.close()
        self._zeroconf = self._browser = self._listener = self._service = None


class _Listener(ServiceListener):
    """Asks what stands behind each name that is announced, in zeroconf's own loop.

    A name that nobody answers for holds nothing up: the browser's thread only begins to ask. There
    are few questions at once, and who is asked about longest gives way: names cost a stranger
    nothing.
    """

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
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
        self._heard(name, None)

    def close(self) -> None:
        """Ask no more."""
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
                self._heard(name, service)
        except (Error, ValueError) as error:
            _log.info("a service was ignored: %s", error)
