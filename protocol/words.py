"""Words for keys and tables: people compare them aloud."""

from protocol.hashing import digest
from protocol.wordlist import WORDS


def words(key_or_digest: bytes, count: int = 6) -> tuple[str, ...]:
    """Return a few words to read aloud, to compare keys or tables: 8 bits each.

    It takes about 2**48 keys to find one with the six words of another: enough for the eye and the
    ear, and no more than that. A node that has met a player knows the whole key. For a table there
    is one live attempt, for its digest hangs on a nonce of each player.

    >>> words(bytes(32), 3)
    ('unicorn', 'kimono', 'vulture')
    """
    return tuple(WORDS[byte] for byte in digest("words", key_or_digest)[:count])
