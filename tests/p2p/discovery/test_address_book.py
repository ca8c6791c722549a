"""Addresses of machines: the valid ones, and the ones that a node remembers."""

from functools import partial

import pytest

from p2p.discovery.address_book import (
    _MOST_KEYS,
    MOST_ADDRESSES,
    Address,
    AddressBook,
    address_fields,
    host_of,
    is_for_others,
    is_loopback,
    place_text,
    take_addresses,
)
from protocol.codec import Encodable, Fields, decode, encode
from protocol.errors import Malformed

KEY = bytes(32)


def test_only_ip_addresses_are_hosts() -> None:
    hosts = {
        "192.0.2.1": "192.0.2.1",
        "::ffff:192.0.2.1": "192.0.2.1",
        "2001:DB8::0001": "2001:db8::1",
        "fe80::1%eth0": "fe80::1%eth0",
    }
    others = ("example.org", "192.0.2.1 ", "224.0.0.251", "0.0.0.0", "")
    assert {text: host_of(text) for text in (*hosts, *others)} == hosts | dict.fromkeys(others)


def test_link_local_addresses_are_not_for_others() -> None:
    hosts = ("fe80::1%eth0", "fe80::1", "fec0::1%eth0", "192.0.2.1")
    assert list(filter(is_for_others, hosts)) == ["192.0.2.1"]


def test_loopback_addresses_are_recognized() -> None:
    loopback = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
    assert list(filter(is_loopback, (*loopback, "192.0.2.1", "elsewhere"))) == loopback


def test_an_address_is_written_as_people_type_it() -> None:
    assert place_text("192.0.2.1", 7) == "192.0.2.1:7"
    assert place_text("2001:db8::1", 7) == "[2001:db8::1]:7"


def test_the_newest_hearsay_is_kept_but_displaces_no_address_that_was_seen() -> None:
    book = AddressBook()
    book.learn(Address(KEY, "192.0.2.1", 1), seen=True)
    book.learn(Address(KEY, "192.0.2.2", 2), seen=True)
    book.learn_all(Address(KEY, f"198.51.100.{number}", 9) for number in range(100))
    assert book.of(KEY)[:2] == (("192.0.2.2", 2), ("192.0.2.1", 1))
    assert len(book.of(KEY)) == MOST_ADDRESSES
    assert ("198.51.100.99", 9) in book.of(KEY)
    assert not book.learn(Address(KEY, "198.51.100.99", 9), seen=False)


def test_addresses_that_lead_nowhere_are_not_learned() -> None:
    book = AddressBook()
    assert not book.learn(Address(KEY, "elsewhere", 9), seen=True)
    for port in (0, 65536):
        assert not book.learn(Address(KEY, "192.0.2.1", port), seen=True)
    assert book.of(KEY) == ()
    for port in (1, 65535):
        assert book.learn(Address(KEY, "192.0.2.1", port), seen=True)


def test_learning_a_new_address_returns_true_and_changes_the_version() -> None:
    """The node saves the addresses when the version has changed."""
    book = AddressBook()
    first, second = (Address(KEY, f"192.0.2.{number}", 9) for number in (1, 2))
    for learn, is_news in (
        (partial(book.learn, first, seen=True), True),
        (partial(book.learn, first, seen=True), False),
        (partial(book.learn_all, [first, second]), True),
        (partial(book.learn_all, [first, second]), False),
        (partial(book.learn, second, seen=True), True),  # so far only hearsay, now seen
    ):
        before = book.version
        assert learn() == is_news
        assert (book.version != before) == is_news
    assert book.of(KEY) == (("192.0.2.2", 9), ("192.0.2.1", 9))


def test_the_number_of_keys_is_limited_but_known_keys_can_change_address() -> None:
    """Even if the book is full, a player who has moved must be found."""
    book = AddressBook()
    learned = [
        book.learn(Address(number.to_bytes(32, "big"), "192.0.2.1", 9), seen=False)
        for number in range(_MOST_KEYS + 5)
    ]
    assert learned == _MOST_KEYS * [True] + 5 * [False]
    assert len(list(book)) == _MOST_KEYS
    assert book.learn(Address(KEY, "192.0.2.7", 9), seen=True)
    assert book.of(KEY)[0] == ("192.0.2.7", 9)


def fields(*places: Encodable) -> Fields:
    """Return the fields of a message with these places."""
    return Fields((decode(encode(places), limit=1 << 16),), "addresses")


def test_addresses_in_a_message_need_a_port_and_nothing_more() -> None:
    for port in (1, 65535):
        assert take_addresses(fields((KEY, "192.0.2.1", port))) == (
            Address(KEY, "192.0.2.1", port),
        )
    for place in (
        (KEY, "192.0.2.1", 0),
        (KEY, "192.0.2.1", 65536),
        (KEY, "192.0.2.1", 9, 9),
        (KEY[1:], "192.0.2.1", 9),
        (KEY, "::ffff:192.0.2.1", 9),
    ):
        with pytest.raises(Malformed):
            take_addresses(fields(place))


def test_addresses_that_cannot_be_called_are_not_told() -> None:
    told = [Address(KEY, "192.0.2.1", port) for port in (0, 1, 65535, 65536)]
    told += [Address(KEY, "elsewhere", 9), Address(KEY, "::ffff:192.0.2.2", 9)]
    assert address_fields(told) == [
        (KEY, "192.0.2.1", 1),
        (KEY, "192.0.2.1", 65535),
        (KEY, "192.0.2.2", 9),
    ]
