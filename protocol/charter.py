"""The charter: the agreement that everybody signs before the first card moves.

A match begins with a charter. A *continuation* is a charter that founds a new table in the middle
of the match, when somebody is missing: its field `continues` names the place where the new record
starts, and the players who have left (`protocol.continuation`).

A charter names the game, the version of its rules, the options that differ from the rules, the
grace, whether spectators are admitted, and the players with their keys, names and one fresh nonce
each. Its digest is the table id. The table id is part of every signature, hash and proof that
follows, so nothing of one table is worth anything at another.
"""

import re
from collections.abc import Sequence
from functools import cached_property, partial

from attrs import field, frozen

from engine.decks import Deck
from engine.errors import InvalidOption
from engine.game import MOST_PLAYERS, Game
from engine.games import GAMES
from engine.match import Match
from engine.options import Options
from protocol.codec import Encodable, Fields, Value, encode, front_of
from protocol.continues import Continues, take_abandons
from protocol.errors import Malformed, Newer
from protocol.hashing import DOMAIN, digest
from protocol.names import MAX_LENGTH, is_clean_name, shown_name
from protocol.place import Place
from protocol.signatures import KEY_BYTES, SIGNATURE_BYTES, Signer, is_signed, is_sound_key
from protocol.wire_fields import Wire, a_bool, at_most, exactly, inner, take, take_all, text

FORMAT = 1
"""The version of the record's format, including its group, hashes, proofs and signatures. The rules
of each game, and the messages between nodes, have versions of their own (`spec/record.md`, 7).
"""

_MOST_VERSION = 1 << 32
CHARTER_LIMIT = 48 * 1024
SIGNED_LIMIT = CHARTER_LIMIT + 12 * 1024
"""Six signatures, each with sixteen places, take at most 7913 bytes; the rest is spare."""

NONCE_BYTES = 32
MOST_MEMBERS = MOST_PLAYERS
MOST_OPTIONS = 64
MOST_EXTENSIONS, EXTENSION_LIMIT = 16, 1024
_FIELDS = 9

LEAST_GRACE, USUAL_GRACE, MOST_GRACE = 10, 120, 24 * 60 * 60
"""Seconds of silence before the others may go on without a player: minimum, default, maximum."""

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_LABEL = f"{DOMAIN}/charter".encode()
_CONTINUATION = f"{DOMAIN}/continuation".encode()


def _take_key(fields: Fields) -> bytes:
    """Take the key of an identity. Raises Malformed."""
    key = fields.take_bytes("key", exact=KEY_BYTES)
    if not is_sound_key(key):
        raise Malformed("That key cannot be an identity: anybody could sign for it.")
    return key


def _take_word(what: str, fields: Fields) -> str:
    """Take the name of a game, an option or an extension. Even an unknown name is safe to show."""
    word = fields.take_text(what, 32)
    if not _WORD.fullmatch(word):
        raise Malformed(
            "{word} is no name that a game, an option or an extension can have.", word=ascii(word)
        )
    return word


@frozen
class Member(Wire):
    """One player of the table: their identity key, the name in the charter, and a fresh nonce."""

    key: bytes = field(metadata=take(_take_key))
    signed_name: str = field(repr=ascii, metadata=text("name", MAX_LENGTH))
    nonce: bytes = field(metadata=exactly("nonce", NONCE_BYTES))

    @property
    def name(self) -> str:
        """The name as it is shown."""
        return shown_name(self.signed_name, self.key)


@frozen
class Extension(Wire):
    """A named field for something that a later version of the program adds to charters.

    A `critical` extension changes the meaning of the record: a program that does not know it cannot
    judge the record.
    """

    name: str = field(metadata=take(partial(_take_word, "extension")))
    critical: bool = field(metadata=a_bool("critical"))
    value: bytes = field(metadata=at_most("value", EXTENSION_LIMIT))


@frozen(slots=False)
class Charter:
    """The agreement of a table.

    `protocol.charter_extensions` has the extensions that this program knows.
    """

    game: Game
    options: Options
    members: tuple[Member, ...]
    """The members by player number, which does not depend on the seat that a player draws."""
    grace: int = USUAL_GRACE
    """The time to wait for a missing player, in seconds. A record has no times, so it cannot show
    if the players have waited that long.
    """
    spectators: bool = False
    """True if others may watch."""
    extensions: tuple[Extension, ...] = ()
    continues: Continues | None = None

    def encode(self) -> bytes:
        return self._encoded

    @cached_property
    def _encoded(self) -> bytes:
        return encode(
            (
                FORMAT,
                *rules_fields(self.game, self.options),
                self.grace,
                self.spectators,
                [member.fields() for member in self.members],
                [extension.fields() for extension in self.extensions],
                None if self.continues is None else self.continues.fields(),
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> "Charter":
        """Return the charter in `data`. Raises Malformed, or Newer.

        The first field that is wrong decides which of the two is raised. So each field is judged as
        soon as it is read.
        """
        _check_format(data)
        fields = Fields.decode(data, "charter", limit=CHARTER_LIMIT)
        if len(fields) != _FIELDS:
            raise Malformed("A charter has {n} fields, not {found}.", n=_FIELDS, found=len(fields))
        # `_check_format` has checked this field.
        fields.take("format")
        game, options = take_rules(fields)
        grace = fields.take_int("grace", LEAST_GRACE, MOST_GRACE)
        spectators = fields.take_bool("spectators")
        members = _take_members(fields, game)
        extensions = _take_extensions(fields)
        given = fields.take_optional_fields("continues")
        sides = game.sides(len(members))
        continues = None if given is None else Continues.from_fields(given, len(members), sides)
        return cls(game, options, members, grace, spectators, extensions, continues)

    @property
    def deck(self) -> Deck:
        """The deck of this table."""
        return self.game.decks.at(self.options, len(self.members))

    @property
    def has_clean_names(self) -> bool:
        """True if all names are in their clean form: a node signs only such a charter."""
        return all(is_clean_name(member.signed_name) for member in self.members)

    @cached_property
    def table_id(self) -> bytes:
        """The digest of the charter, 32 bytes, which is the id of the table."""
        return digest("charter", self.encode())

    @property
    def match_id(self) -> bytes:
        """The table id of the first charter of the match."""
        return self.table_id if self.continues is None else self.continues.match_id

    @property
    def attempt(self) -> int:
        """The attempt of this continuation; 0 for the first charter of a match."""
        return 0 if self.continues is None else self.continues.attempt

    @property
    def signers(self) -> tuple[int, ...]:
        """The players who have to sign the charter.

        These are all members, except in a continuation that ends the match: there the players who
        have left do not sign. (In any other continuation a successor has their seat and number, and
        signs.)
        """
        continues = self.continues
        gone = continues.left if continues is not None and continues.ends else ()
        return tuple(player for player in range(len(self.members)) if player not in gone)

    def match(self) -> Match:
        """Return the match as it starts."""
        return Match.start(self.game, self.options, len(self.members))

    def player_of(self, key: bytes) -> int | None:
        """Return the number of the player with that key; None if no member has it."""
        return self._players.get(key)

    @cached_property
    def _players(self) -> dict[bytes, int]:
        return {member.key: player for player, member in enumerate(self.members)}

    def key_of(self, player: int) -> bytes:
        """Return the key of a player."""
        return self.members[player].key

    def name_of(self, player: int) -> str:
        return self.members[player].name

    def sign(self, signer: Signer, abandons: Sequence[Place] = ()) -> bytes:
        """Return a member's signature.

        A signature for a continuation also covers the places that the member abandons.
        """
        return signer(*self._signed(abandons))

    def is_signed_by(self, player: int, signature: bytes, abandons: Sequence[Place] = ()) -> bool:
        """Return True if that is the player's signature, given the places that they abandon."""
        return is_signed(self.members[player].key, *self._signed(abandons), signature)

    def _signed(self, abandons: Sequence[Place]) -> tuple[bytes, bytes]:
        """Return the label and the message of a signature."""
        if self.continues is None:
            return _LABEL, self.encode()
        return _CONTINUATION, encode((self.encode(), [place.fields() for place in abandons]))


def _check_format(data: bytes) -> None:
    """Check the version in front of an encoded charter. Raises Malformed and Newer.

    Nothing else of a newer charter is read, so the rest need not even be an encoded value.
    """
    _, version = front_of(data, limit=CHARTER_LIMIT)
    version = Fields((version,), "charter").take_int("format", 1, _MOST_VERSION)
    if version > FORMAT:
        raise Newer(
            "This table is of a newer version of the program: its record has format {version}, and "
            "this program knows formats up to {ours}.",
            version=version,
            ours=FORMAT,
        )


def nonce_commitment(key: bytes, nonce: bytes) -> bytes:
    """Return the commitment of the holder of `key` to a nonce: 32 bytes (`spec/messages.md`, 7)."""
    return digest("commitment", key, nonce)


def check_grace(seconds: int) -> None:
    """Check that a charter can have that grace. Raises InvalidOption."""
    if not LEAST_GRACE <= seconds <= MOST_GRACE:
        raise InvalidOption(
            "The others can wait {least} to {most} seconds for a silent player, not {seconds}.",
            least=LEAST_GRACE,
            most=MOST_GRACE,
            seconds=seconds,
        )


def rules_fields(game: Game, options: Options) -> tuple[Encodable, ...]:
    """Return the fields for a game and its options: the inverse of `take_rules`.

    They are the name of the game, the version of its rules, and the options that differ from the
    rules, in the order of their names.
    """
    return (game.name, game.rules_version, options.changes())


def take_rules(fields: Fields) -> tuple[Game, Options]:
    """Take the game and its options.

    Raises Malformed, and Newer for names and versions that only a newer program knows.
    """
    name = _take_word("game", fields)
    version = fields.take_int("rules", 1, _MOST_VERSION)
    if name not in GAMES:
        raise Newer(
            "This table is of a newer version of the program: this one does not know {name}.",
            name=name,
        )
    game = GAMES[name]
    if version > game.rules_version:
        raise Newer(
            "This table is of a newer version of the program: it plays by version {version} of "
            "the rules, this program by {ours}.",
            version=version,
            ours=game.rules_version,
        )
    return game, _take_options(fields, game)


def _take_options(fields: Fields, game: Game) -> Options:
    pairs = []
    for item in fields.take_each("options", MOST_OPTIONS):
        pairs.append(_take_option(item))
        name = pairs[-1][0]
        # Check the order before the name: a wrong order is an error in every version of the
        # program, an unknown name only in this one.
        if len(pairs) > 1 and name <= pairs[-2][0]:
            raise Malformed(
                "The options of the charter are not in the order of their names, or one is "
                "there twice."
            )
        if name not in game.options.describe():
            raise Newer(
                "This table is of a newer version of the program: this one does not know the "
                "option {name}.",
                name=name,
            )
    try:
        options = game.options.from_pairs(pairs)
    except InvalidOption as error:
        raise Malformed(error.sentence) from error
    if options.changes() != tuple(pairs):
        raise Malformed(
            "The charter names an option that has its usual value; only other values are "
            "written down."
        )
    return options


def _take_members(fields: Fields, game: Game) -> tuple[Member, ...]:
    members = take_all(fields, "members", Member, max(game.players))
    try:
        game.check_players(len(members))
    except InvalidOption as error:
        raise Malformed(error.sentence) from error
    if len({member.key for member in members}) != len(members):
        raise Malformed("One identity sits at the table twice.")
    return members


def _take_extensions(fields: Fields) -> tuple[Extension, ...]:
    """Take the extensions.

    Raises Newer for a critical extension: this program knows none that is critical, so the charter
    must be of a newer version.
    """
    extensions: list[Extension] = []
    for item in fields.take_each("extensions", MOST_EXTENSIONS):
        extension = inner(Extension, item)
        if extensions and extension.name <= extensions[-1].name:
            raise Malformed(
                "The extensions of the charter are not in the order of their names, or one "
                "is there twice."
            )
        if extension.critical:
            raise Newer(
                "This table is of a newer version of the program: this one does not know the "
                "extension {name}.",
                name=extension.name,
            )
        extensions.append(extension)
    return tuple(extensions)


def _take_option(fields: Fields) -> tuple[str, bool | int]:
    name = _take_word("option", fields)
    value: Value = fields.take("value")
    fields.end()
    # A bool passes, because it is an int in Python. The game judges if it fits the option.
    if not isinstance(value, int):
        raise Malformed("The value of the option {name!r} must be yes, no or a number.", name=name)
    return name, value


@frozen
class SignedCharter:
    """A charter with the signature of each of its signers, in the order of their numbers.

    In a continuation each signature comes with the places that its signer abandons.
    """

    charter: Charter
    signatures: tuple[bytes, ...]
    abandons: tuple[tuple[Place, ...], ...] = ()

    def encode(self) -> bytes:
        signatures: Encodable = self.signatures
        if self.charter.continues is not None:
            signatures = [
                (signature, [place.fields() for place in places])
                for signature, places in zip(self.signatures, self.abandons, strict=True)
            ]
        return encode((self.charter.encode(), signatures))

    @classmethod
    def decode(cls, data: bytes) -> "SignedCharter":
        """Return the signed charter in `data`.

        Raises Malformed, also when a signature is missing or wrong.
        """
        # In every version `data` is a list of two items, and the first is the encoded charter.
        items, encoded = front_of(data, limit=SIGNED_LIMIT)
        if items != 2 or not isinstance(encoded, bytes):
            raise Malformed("These bytes are not a list of a charter and its signatures.")
        _check_format(encoded)
        fields = Fields.decode(data, "signed charter", limit=SIGNED_LIMIT)
        fields.take("charter")
        charter = Charter.decode(encoded)
        abandons: list[tuple[Place, ...]] = []
        most = len(charter.members)
        if charter.continues is None:
            signatures = fields.take_all_bytes("signatures", most, exact=SIGNATURE_BYTES)
        else:
            given = []
            for item in fields.take_each("signatures", most):
                given.append(item.take_bytes("signature", exact=SIGNATURE_BYTES))
                abandons.append(take_abandons(item))
                item.end()
            signatures = tuple(given)
        if len(signatures) != len(charter.signers):
            raise Malformed("The charter is not signed by each of its signers.")
        # The signatures of a first charter come without places.
        places = abandons or [()] * len(signatures)
        for player, signature, left in zip(charter.signers, signatures, places, strict=True):
            if not charter.is_signed_by(player, signature, left):
                raise Malformed("{name} has not signed this charter.", name=charter.name_of(player))
        return cls(charter, signatures, tuple(abandons))
