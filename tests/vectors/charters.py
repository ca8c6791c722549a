"""Vectors of charters: one that holds, such as nobody can play under, and names."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protocol.charter import CHARTER_LIMIT, SignedCharter
from protocol.codec import decode, encode
from protocol.names import is_clean_name
from protocol.signing import Signer
from tests.protocol.ring import Ring
from tests.vectors.recorded import recorded
from tests.vectors.shape import Json, as_hex

_NAMES = (
    *("Ana", "Ñandú", "Łukasz 2", "O'Neil-Søren", "中村さん", "ﷺ", "Ⅷ", "q\u0323\u0302\u0304"),
    *("", " ", "Ana ", " Ana", "Ana  B", "Ana\tB", "Ana\nB", "Ana\u00a0B", "Ana\u2003B"),
    *(
        "Ana\u2028B",
        "\u001b[2JAna",
        "Ana\u202e",
        "Ana\u200b",
        "Ana\u200d",
        "An\u00ada",
        "Ana\u3164",
    ),
    *(
        "Ana\ufe0f",
        "\u2800a",
        "An\u0303a",
        "\u0301Ana",
        "a\u0315\u0316\u0317\u0318",
        "+-*/",
        "\ue000a",
    ),
    *("\U0001f0a1", "\U0001f600a", 20 * "a", 21 * "a", 10 * "中", 10 * "中" + "a", 20 * "a\u0316"),
)


def charters() -> Json:
    """The charter of the recorded round between two, those that do not hold (R2), and names."""
    return {
        **_fields(recorded().ring.charter),
        "refused": [
            {"name": name, "what": what, "signed_charter": signed.hex()}
            for name, what, signed in _refused()
        ],
        "newer": [
            {"name": name, "what": what, "signed_charter": signed.hex()}
            for name, what, signed in _newer()
        ],
        "names": [{"name": name, "clean": is_clean_name(name)} for name in _NAMES],
    }


def _fields(signed: SignedCharter) -> Json:
    return {
        "game": signed.charter.game.name,
        "rules": signed.charter.game.rules_version,
        "options": dict(signed.charter.options.changes()),
        "grace": signed.charter.grace,
        "members": [
            {"key": m.key.hex(), "name": m.name, "nonce": m.nonce.hex()}
            for m in signed.charter.members
        ],
        "charter": signed.charter.encode().hex(),
        "signatures": as_hex(signed.signatures),
        "signed_charter": signed.encode().hex(),
        "table_id": signed.charter.table_id.hex(),
    }


def _refused() -> Iterator[tuple[str, str, bytes]]:
    """Name, sentence and bytes: each is signed by whoever can sign it, but for one thing."""
    ring = _ring()
    honest, signers = ring.charter.charter.encode(), ring.signers
    rules, options, grace, members = 2, 3, 4, 5
    target, yes = ["target", 700], ["two_canastas", True]
    yield "version", "A version that there never was.", _put(0, 0)
    yield "game", "A name that no game can have.", _put("Bridge!", 1)
    yield "rules", "A version of the rules that there never was.", _put(0, rules)
    yield "grace-short", "A grace too short.", _put(9, grace)
    yield "grace-long", "A grace too long.", _put(86_401, grace)
    yield "option-value", "A target below its bound.", _put([["target", 499]], options)
    yield "option-kind", "A number for a truth value.", _put([["two_canastas", 1]], options)
    yield "option-truth", "A truth value for a number.", _put([["rounds", True]], options)
    yield "option-name", "A name that no option can have.", _put([["", 1]], options)
    yield "option-text", "A text for a value.", _put([["rounds", "1"]], options)
    yield "option-default", "An option that is as in the rules.", _put([["rounds", 0]], options)
    yield "option-order", "Options in another order.", _put([yes, target], options)
    yield "option-twice", "An option twice.", _put([target, target], options)
    yield "one", "One player alone.", _signed(_of_one(honest), signers[:1])
    seven = Ring.sit(players=6, seed=16)
    more = _lists([member.fields() for member in seven.charter.charter.members[:5]])
    full = _changed(lambda fields: fields[members].extend(more), seven.signers[:5])
    yield "seven", "Seven players.", full
    yield "field", "A field more.", _changed(lambda fields: fields.append(0))
    none = _changed(lambda fields: fields.append(False))
    yield "spectators", "Spectators mentioned that are not admitted.", none
    yield "spectators-one", "A number for a truth value.", _changed(lambda f: f.append(1))
    more = _changed(lambda fields: fields.extend([True, True]))
    yield "spectators-twice", "A field more where spectators are admitted.", more
    twice = _changed(lambda fields: fields[members].append(fields[members][0]), signers[:1])
    yield "twice", "The same key twice.", twice
    for name, what, y in (
        ("key-order", "A key of small order.", 0),
        ("key-identity", "The identity as a key.", 1),
        ("key-reduced", "A key that is not reduced.", 2**255 - 16),
        ("key-curve", "A key that is on no curve: nobody can sign with it.", 2),
    ):
        yield name, what, _put(y.to_bytes(32, "little"), members, 1, 0)
    yield "name", "A name that moves the cursor.", _put("Ana\u001b[2J", members, 0, 1)
    yield "name-blank", "A name with a space at its end.", _put("Ana ", members, 0, 1)
    yield "nonce", "A nonce too short.", _put(bytes(31), members, 0, 2)
    signatures = [_signature(honest, signer) for signer in signers]
    yield "unsigned", "A signature is missing.", encode([honest, signatures[:1]])
    yield "signatures", "Signatures in another order.", encode([honest, signatures[::-1]])
    other = bytearray(signatures[1])
    other[40] ^= 1
    yield "signature", "A signature is another.", encode([honest, [signatures[0], bytes(other)]])
    entry = [signer(b"sobremesa/1/entry", honest) for signer in signers]
    yield "use", "Signed for another use.", encode([honest, entry])
    of_a_newer = _changed(_with_more)
    encoded, signed = _lists(decode(of_a_newer, limit=CHARTER_LIMIT))
    yield "newer-third", "A newer charter with a third item.", encode([encoded, signed, 0])
    yield "newer-one", "A newer charter without signatures.", encode([encoded])
    long = encode([encoded, bytes(CHARTER_LIMIT + 1024)])
    yield "newer-long", "A newer charter with more bytes than one can have.", long
    unknown = _changed(_samba_of_no_rules)
    yield "game-rules", "A game that is not known, by no version of its rules.", unknown
    for name, what, value in (
        ("unknown-list", "A list for the value of an option that is not known.", [1]),
        ("unknown-nothing", "Nothing for the value of an option that is not known.", None),
    ):
        yield name, what, _put([["doubled", value]], options)
    yield "form", "A second form.", b"\xdc\x00\x02" + encode([honest, signatures])[1:]


def _newer() -> Iterator[tuple[str, str, bytes]]:
    """Charters that a newer version may make: nobody here can say more of them."""
    rules, options = 2, 3
    yield "version", "The next version of the protocol.", _put(2, 0)
    more = _changed(_with_more)
    yield "version-fields", "As before, with a field more.", more
    yield "game", "A game that is not known.", _put("samba", 1)
    yield "rules", "The next version of the rules.", _put(2, rules)
    yield "option", "An option that the game has not.", _put([["doubled", True]], options)
    both = [["doubled", True], ["target", 499]]
    yield "option-first", "As before, and after it a value out of bounds.", _put(both, options)
    kind = [["rounds", True], ["samba", 1]]
    yield (
        "option-kind",
        "An option that is not known behind one of another type.",
        _put(kind, options),
    )
    after = [["doubled", 1], "more"]
    yield "option-after", "An option that is not known, and none behind it.", _put(after, options)
    unsigned = encode([_lists(decode(more, limit=CHARTER_LIMIT))[0], None])
    yield "version-unsigned", "The next version of the protocol, with no signatures.", unsigned
    yield "game-first", "A game that is not known, and a key twice.", _changed(_samba_of_twins)


def _with_more(fields: list[Any]) -> None:
    _set(fields, 2, 0)
    fields.append("more")


def _samba_of_no_rules(fields: list[Any]) -> None:
    _set(fields, "samba", 1)
    _set(fields, 0, 2)


def _samba_of_twins(fields: list[Any]) -> None:
    _set(fields, "samba", 1)
    fields[5][1] = fields[5][0]


def _ring() -> Ring:
    return Ring.sit(players=2, seed=15, rounds=1)


def _changed(change: Callable[[list[Any]], object], more: Sequence[Signer] = ()) -> bytes:
    """The charter of the recorded round with a change in its fields, signed again."""
    ring = _ring()
    fields = _lists(decode(ring.charter.charter.encode(), limit=CHARTER_LIMIT))
    change(fields)
    return _signed(encode(fields), [*ring.signers, *more])


def _put(value: Any, *path: int) -> bytes:
    """With another value in that place."""
    return _changed(lambda fields: _set(fields, value, *path))


def _set(fields: list[Any], value: Any, *path: int) -> None:
    *outer, last = path
    for at in outer:
        fields = fields[at]
    fields[last] = value


def _of_one(charter: bytes) -> bytes:
    *rest, members = _lists(decode(charter, limit=CHARTER_LIMIT))
    return encode([*rest, members[:1]])


def _signed(charter: bytes, signers: Sequence[Signer]) -> bytes:
    return encode([charter, [_signature(charter, signer) for signer in signers]])


def _signature(charter: bytes, signer: Signer) -> bytes:
    return signer(b"sobremesa/1/charter", charter)


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple | list) else value
