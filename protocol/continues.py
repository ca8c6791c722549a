"""The part of a continuation's charter that names where the match goes on, and what changes."""

from attrs import field, frozen

from protocol.codec import Encodable, Fields
from protocol.errors import Malformed
from protocol.place import DIGEST_BYTES, HEIGHT_LIMIT, Place

MOST_RESULTS = 1000
"""Maximum number of rounds whose results a continuation can name. No option allows more rounds."""

MOST_POINTS = 1 << 30
MOST_ABANDONED = 16
"""Maximum number of places that one signature for a continuation can abandon."""


@frozen
class Continues:
    """The place in the records of a match at which a continuation starts, and what it changes."""

    match_id: bytes = field(repr=bytes.hex)
    """The table id of the match's first charter."""
    place: Place
    """The place in the record of an earlier table from which the match goes on."""
    parent_attempt: int
    """The attempt of that earlier table; 0 for the first table of a match."""
    attempt: int
    """The attempt of the new table, which is higher."""
    left: tuple[int, ...]
    """The players whose seats change hands; if the match ends, their seats stay empty."""
    results: tuple[tuple[int, ...], ...]
    """The points by side of each round that was counted before."""
    ends: bool
    """True if the match ends."""

    def fields(self) -> Encodable:
        """Return the value that stands in the charter: the inverse of `from_fields`."""
        return (
            self.match_id,
            self.place.fields(),
            self.parent_attempt,
            self.attempt,
            self.left,
            self.results,
            self.ends,
        )

    @classmethod
    def from_fields(cls, fields: Fields, players: int, sides: int) -> "Continues":
        """Take all fields, for a table with that number of players and sides. Raises Malformed."""
        match_id = fields.take_bytes("match", exact=DIGEST_BYTES)
        inner = fields.take_fields("place")
        place = Place.from_fields(inner, least=0)
        inner.end()
        parent = fields.take_int("parent attempt", 0, HEIGHT_LIMIT)
        attempt = fields.take_int("attempt", parent + 1, HEIGHT_LIMIT)
        left = fields.take_ints("left", players, 0, players - 1)
        if list(left) != sorted(set(left)):
            raise Malformed(
                "The players who have left are not in ascending order, or one is named twice."
            )
        listed = Fields(fields.take_list("results", MOST_RESULTS), "results")
        results = tuple(
            listed.take_ints(f"round {number}", sides, -MOST_POINTS, MOST_POINTS)
            # `len(listed)` is the number of values not taken yet. `range` reads it once, before the
            # first value is taken.
            for number in range(1, len(listed) + 1)
        )
        if any(len(points) != sides for points in results):
            raise Malformed("A round does not have as many points as there are sides.")
        ends = fields.take_bool("ends")
        fields.end()
        return cls(match_id, place, parent, attempt, left, results, ends)


def take_abandons(fields: Fields) -> tuple[Place, ...]:
    """Take the places that a signature abandons. Raises Malformed."""
    places = []
    for item in fields.take_each("abandons", MOST_ABANDONED):
        places.append(Place.from_fields(item, least=0))
        item.end()
    return tuple(places)
