"""Words that stand for keys and tables, so that people can compare these aloud."""

from protocol.hashing import digest
from protocol.wordlist import WORDS


def words(key_or_digest: bytes, count: int = 6) -> tuple[str, ...]:
    """Return the words for a key, or for the digest of a table: 8 bits each.

    Somebody has to try about 2**48 keys to find one with the same six words as another. That is
    enough for people who compare by eye or ear; a node that has met a player compares the whole
    key. For a table there is only one try: its digest depends on a fresh nonce of each player, to
    which they commit before they see the others' nonces.

    >>> words(bytes(32), 3)
    ('unicorn', 'kimono', 'vulture')
    """
    return tuple(WORDS[byte] for byte in digest("words", key_or_digest)[:count])
