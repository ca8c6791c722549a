"""Addresses of machines: the valid ones, and the ones that a node remembers."""

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


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8::0001", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("example.org", None),
        ("192.0.2.1 ", None),
        ("224.0.0.251", None),
        ("0.0.0.0", None),
        ("", None),
    ],
)
def test_only_ip_addresses_are_hosts(text: str, host: str | None) -> None:
    assert host_of(text) == host


def test_link_local_addresses_are_not_for_others() -> None:
    assert not is_for_others("fe80::1%eth0")
    assert not is_for_others("fe80::1")
    assert not is_for_others("fec0::1%eth0")
    assert is_for_others("192.0.2.1")


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.1", False),
        ("elsewhere", False),
    ],
)
def test_loopback_addresses_are_recognized(host: str, own: bool) -> None:
    assert is_loopback(host) is own


def test_an_address_is_written_as_people_type_it() -> None:
    assert place_text("192.0.2.1", 7) == "192.0.2.1:7"
    assert place_text("2001:db8::1", 7) == "[2001:db8::1]:7"


def test_hearsay_does_not_displace_addresses_that_were_seen() -> None:
    book = AddressBook()
    book.learn(Address(KEY, "192.0.2.1", 1), seen=True)
    book.learn(Address(KEY, "192.0.2.2", 2), seen=True)
    book.learn_all(Address(KEY, f"198.51.100.{number}", 9) for number in range(100))
    assert book.of(KEY)[:2] == (("192.0.2.2", 2), ("192.0.2.1", 1))
    assert len(book.of(KEY)) == MOST_ADDRESSES


def test_the_newest_hearsay_is_kept() -> None:
    book = AddressBook()
    for number in range(10):
        assert book.learn(Address(KEY, f"198.51.100.{number}", 9), seen=False)
    assert ("198.51.100.9", 9) in book.of(KEY)
    assert not book.learn(Address(KEY, "198.51.100.9", 9), seen=False)


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
    versions = [book.version]

    def news(*, told: bool) -> bool:
        versions.append(book.version)
        return told is (versions[-1] != versions[-2])

    assert book.learn(first, seen=True)
    assert news(told=True)
    assert not book.learn(first, seen=True)
    assert news(told=False)
    assert book.learn_all([first, second])
    assert news(told=True)
    assert not book.learn_all([first, second])
    assert news(told=False)
    assert book.learn(second, seen=True)  # so far only hearsay, now seen
    assert news(told=True)
    assert book.of(KEY) == (("192.0.2.2", 9), ("192.0.2.1", 9))


def test_the_number_of_keys_is_limited_but_known_keys_can_change_address() -> None:
    """Update known keys in a full book: a player who has moved must still be found."""
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
