"""The vectors of charters: valid, refused and newer charters, and names."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protocol.charter import CHARTER_LIMIT, SIGNED_LIMIT, SignedCharter
from protocol.codec import decode, encode
from protocol.names import is_clean_name
from protocol.signatures import Signer
from tests.protocol.continuing import concluded, offered
from tests.protocol.seeded_table import SeededTable
from tests.vectors.json_encoding import Json, as_hex
from tests.vectors.recorded import recorded

RULES, OPTIONS, GRACE, SPECTATORS, MEMBERS, EXTENSIONS, CONTINUES, MORE = range(2, 10)
"""The indices of fields in a charter; MORE is the index after the last field."""

UNKNOWN_GAME = "no_such_game"

_NAMES = (
    *("Ana", "Ñandú", "Łukasz 2", "O'Neil-Søren", "中村さん", "ﷺ", "Ⅷ", "q\u0323\u0302\u0304"),
    *("", " ", "Ana ", " Ana", "Ana  B", "Ana\tB", "Ana\nB", "Ana\u00a0B", "Ana\u2003B"),
    *("Ana\u2028B", "\u001b[2JAna", "Ana\u202e", "Ana\u200b", "Ana\u200d", "An\u00ada"),
    *("Ana\u3164", "Ana\ufe0f", "\u2800a", "An\u0303a", "\u0301Ana", "a\u0315\u0316\u0317\u0318"),
    *("+-*/", "\ue000a", "\U0001f0a1", "\U0001f600a"),
    *(20 * "a", 21 * "a", 10 * "中", 10 * "中" + "a", 20 * "a\u0316"),
)


def charters() -> Json:
    """Return the charter of a recorded round, refused and other charters, and names."""
    return {
        **_fields(recorded().table.charter),
        **{
            which: [
                {"name": name, "what": what, "signed_charter": signed.hex()}
                for name, what, signed in made()
            ]
            for which, made in (("refused", _refused), ("taken", _taken), ("newer", _newer))
        },
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
    """Return the name, a sentence and the bytes of each charter with one fault.

    Each charter is signed by all who can sign it, unless the fault is in the signatures.
    """
    table = _ring()
    honest, signers = table.charter.charter.encode(), table.signers
    target, yes = ["target", 700], ["two_canastas", True]
    yield "version", "A version that never existed.", _put(0, 0)
    yield "version-truth", "A truth value instead of a version.", _put(True, 0)
    what = "A newer version with more bytes than it needs."
    yield "version-long", what, _raw(b"\x92\xcc\x02\xc0")
    yield "version-none", "A list without a version.", _raw(b"\x90")
    yield "version-cut", "A list that is cut within its version.", _raw(b"\x92\xcd\x01")
    yield "game", "A name that no game can have.", _put("Bridge!", 1)
    yield "rules", "A version of the rules that never existed.", _put(0, RULES)
    yield "grace-short", "A grace too short.", _put(9, GRACE)
    yield "grace-long", "A grace too long.", _put(86_401, GRACE)
    yield "option-value", "A target below its bound.", _put([["target", 499]], OPTIONS)
    yield "option-kind", "A number instead of a truth value.", _put([["two_canastas", 1]], OPTIONS)
    yield "option-truth", "A truth value instead of a number.", _put([["rounds", True]], OPTIONS)
    yield "option-name", "A name that no option can have.", _put([["", 1]], OPTIONS)
    yield "option-text", "A text instead of a value.", _put([["rounds", "1"]], OPTIONS)
    yield "option-default", "An option with its default value.", _put([["rounds", 0]], OPTIONS)
    yield "option-order", "Options in another order.", _put([yes, target], OPTIONS)
    yield "option-twice", "An option twice.", _put([target, target], OPTIONS)
    yield "one", "One player alone.", _changed(lambda fields: fields[MEMBERS].pop(), signers[:1])
    seven = SeededTable.sit(players=6, seed=16)
    more = _lists([member.fields() for member in seven.charter.charter.members[:5]])
    everybody = [*signers, *seven.signers[:5]]
    full = _changed(lambda fields: fields[MEMBERS].extend(more), everybody)
    yield "seven", "Seven players.", full
    yield "field", "One field too many.", _put(0, MORE)
    yield "field-less", "One field too few.", _changed(lambda fields: fields.pop())
    unknown = _put_all((UNKNOWN_GAME, [1]), (0, [MORE]))
    yield "field-game", "An unknown game, and one field too many.", unknown
    yield "spectators", "None instead of a truth value.", _put(None, SPECTATORS)
    yield "spectators-one", "A number instead of a truth value.", _put(1, SPECTATORS)
    yield "continues", "The continued table is an empty list.", _put([], CONTINUES)
    what = "A continuation in the place of the first charter."
    yield "continuation", what, concluded(table, table.state, offered(table.state, ())).encode()
    yield from _refused_extensions()
    thrice = [*signers, signers[0]]
    twice = _changed(lambda fields: fields[MEMBERS].append(fields[MEMBERS][0]), thrice)
    yield "twice", "The same key twice.", twice
    for name, what, y in (
        ("key-order", "A key of small order.", 0),
        ("key-identity", "The identity as a key.", 1),
        ("key-reduced", "A key that is not reduced.", 2**255 - 16),
        ("key-curve", "A key that is no point of the curve: nobody can sign with it.", 2),
    ):
        yield name, what, _put(y.to_bytes(32, "little"), MEMBERS, 1, 0)
    yield "name", "A name that is too long.", _put(81 * "a", MEMBERS, 0, 1)
    yield "name-bytes", "Bytes instead of a name.", _put(b"Ana", MEMBERS, 0, 1)
    yield "nonce", "A nonce too short.", _put(bytes(31), MEMBERS, 0, 2)
    signatures = [_signature(honest, signer) for signer in signers]
    yield "unsigned", "A signature is missing.", encode([honest, signatures[:1]])
    yield "signatures", "Signatures in another order.", encode([honest, signatures[::-1]])
    other = bytearray(signatures[1])
    other[40] ^= 1
    what = "One byte of a signature is different."
    yield "signature", what, encode([honest, [signatures[0], bytes(other)]])
    entry = [signer(b"sobremesa/1/entry", honest) for signer in signers]
    yield "use", "Signed with the label of entries.", encode([honest, entry])
    encoded, signed = _lists(decode(_with_more(), limit=CHARTER_LIMIT))
    yield "newer-third", "A newer charter with a third item.", encode([encoded, signed, 0])
    yield "newer-one", "A newer charter without signatures.", encode([encoded])
    long = encode([encoded, bytes(SIGNED_LIMIT)])
    yield "newer-long", "A newer charter with more bytes than any can have.", long
    unknown = _put_all((UNKNOWN_GAME, [1]), (0, [RULES]))
    yield "game-rules", "An unknown game, with a version of the rules that never existed.", unknown
    for name, what, value in (
        ("unknown-list", "A list as the value of an unknown option.", [1]),
        ("unknown-nothing", "None as the value of an unknown option.", None),
    ):
        yield name, what, _put([["doubled", value]], OPTIONS)
    what = "The list of two items is encoded in a longer form."
    yield "form", what, b"\xdc\x00\x02" + encode([honest, signatures])[1:]
    newer = b"\xdc\x00\x02" + encode([encoded, signed])[1:]
    yield "newer-form", "A newer charter, and its list of two is encoded in a longer form.", newer
    length = len(encoded)
    what = "A newer charter, and its bytes are encoded in a longer form."
    yield "newer-bytes", what, b"\x92\xc6" + length.to_bytes(4, "big") + encoded + encode(signed)
    cut = b"\x92" + encode(encoded)[:-1]
    yield "newer-cut", "A newer charter that is cut.", cut


def _refused_extensions() -> Iterator[tuple[str, str, bytes]]:
    def put(name: str, what: str, *value: Any) -> tuple[str, str, bytes]:
        return f"extension-{name}", what, _put([*value], EXTENSIONS)

    one, other = ["aside", False, b""], ["badge", False, b""]
    yield put("order", "Extensions in another order.", other, one)
    yield put("twice", "An extension twice.", one, one)
    yield put("name", "A name that no extension can have.", ["A", False, b""])
    yield put("critical", "A number instead of a truth value.", ["aside", 1, b""])
    yield put("value", "A text instead of the bytes of an extension.", ["aside", False, ""])
    yield put("long", "An extension of too many bytes.", ["aside", False, bytes(1025)])
    yield put("field", "One field too many in an extension.", ["aside", False, b"", 0])
    yield put("most", "Seventeen extensions.", *([f"a{n:02}", False, b""] for n in range(17)))
    late = [["aside", False, b""], ["Aside", True, b""]]
    yield put("first", "A critical extension with a name that no extension can have.", *late)
    for name, what, place, wrong in (
        ("grace", "A grace too short", GRACE, 9),
        ("option", "A target below its bound", OPTIONS, [["target", 499]]),
        ("members", "No players", MEMBERS, []),
    ):
        with_critical = _put_all((_CRITICAL, [EXTENSIONS]), (wrong, [place]))
        yield f"extension-{name}", f"{what} before a critical extension.", with_critical


_CRITICAL = [["aside", True, b""]]


def _taken() -> Iterator[tuple[str, str, bytes]]:
    """Return charters that are valid, although no node would sign some of them."""
    yield "spectators", "Spectators are admitted.", _put(True, SPECTATORS)
    for name, what, text in (
        ("escape", "A name that moves the cursor.", "Ana\u001b[2J"),
        ("direction", "A name that turns the line around.", "\u202eanA"),
        ("marks", "A name of one letter and 79 marks.", "a" + 79 * "\u0316"),
        ("wide", "A name of 80 characters of four bytes each.", 80 * "\U0001f600"),
        ("empty", "No name.", ""),
    ):
        yield f"name-{name}", what, _put(text, MEMBERS, 0, 1)
    ones = [["aside", False, bytes(1024)], ["aside2", False, b""]]
    yield "extension", "Two extensions, neither of them critical.", _put(ones, EXTENSIONS)


def _newer() -> Iterator[tuple[str, str, bytes]]:
    """Return charters that a newer version may make, and that this version cannot judge."""
    yield "version", "The next version of the format.", _put(2, 0)
    yield "version-float", "The next version, with a float.", _raw(b"\x92\x02\xca\x3f\x80\x00\x00")
    what = "The next version, with a map in a list that is cut."
    yield "version-map", what, _raw(b"\x9f\x02\x81")
    yield "version-last", "The highest possible version.", _raw(b"\x91" + encode(1 << 32))
    what = "The next version, as a list of sixteen items that is cut."
    yield "version-list", what, _raw(b"\xdc\x00\x10\x02")
    signed_so = b"\x92" + encode(encode([2])) + b"\xca\x3f\x80\x00\x00"
    yield "version-signed", "The next version, with a float instead of signatures.", signed_so
    what = "The next version, and then the end of the bytes."
    yield "version-end", what, b"\x92" + encode(encode([2]))
    then = "A critical extension, and then a number instead of"
    for name, what, value in (
        ("", "A critical extension.", _CRITICAL),
        ("-later", "A critical extension after another one.", [["aaa", False, b"1"], *_CRITICAL]),
        ("-first", f"{then} an extension.", [*_CRITICAL, 0]),
    ):
        yield f"extension-critical{name}", what, _put(value, EXTENSIONS)
    further = _put_all((_CRITICAL, [EXTENSIONS]), (0, [CONTINUES]))
    yield "extension-continues", f"{then} the continued table.", further
    more = _with_more()
    yield "version-fields", "The next version of the format, with one more field.", more
    yield "game", "An unknown game.", _put(UNKNOWN_GAME, 1)
    yield "rules", "The next version of the rules.", _put(2, RULES)
    yield "option", "An option that the game does not have.", _put([["doubled", True]], OPTIONS)
    both = [["doubled", True], ["target", 499]]
    what = "An option that the game does not have, and then a value out of bounds."
    yield "option-first", what, _put(both, OPTIONS)
    kind = [["rounds", True], ["samba", 1]]
    what = "An option with a value of a wrong type, and then an unknown option."
    yield "option-kind", what, _put(kind, OPTIONS)
    after = [["doubled", 1], "more"]
    what = "An unknown option, and then a text instead of an option."
    yield "option-after", what, _put(after, OPTIONS)
    unsigned = encode([_lists(decode(more, limit=CHARTER_LIMIT))[0], None])
    yield "version-unsigned", "The next version of the format, with no signatures.", unsigned
    twin = _lists(_ring().charter.charter.members[0].fields())
    twins = _put_all((UNKNOWN_GAME, [1]), (twin, [MEMBERS, 1]))
    yield "game-first", "An unknown game, and a key twice.", twins


def _with_more() -> bytes:
    """Return a charter of the next version of the format, with one more field."""
    return _put_all((2, [0]), ("more", [MORE]))


def _ring() -> SeededTable:
    return SeededTable.sit(players=2, seed=15, rounds=1)


def _changed(
    change: Callable[[list[Any]], object], signers: Sequence[Signer] | None = None
) -> bytes:
    """Return the charter of the recorded round with changed fields, signed again.

    It is signed by the two players if no signers are given.
    """
    table = _ring()
    fields = _lists(decode(table.charter.charter.encode(), limit=CHARTER_LIMIT))
    change(fields)
    return _signed(encode(fields), table.signers if signers is None else signers)


def _put(value: Any, *path: int) -> bytes:
    """Return the charter with another value at one index."""
    return _put_all((value, path))


def _put_all(*puts: tuple[Any, Sequence[int]]) -> bytes:
    """Return the charter with other values; each value comes with the indices of its place."""

    def change(fields: list[Any]) -> None:
        for value, path in puts:
            into = fields
            for at in path[:-1]:
                into = into[at]
            into[path[-1] : path[-1] + 1] = [value]

    return _changed(change)


def _raw(charter: bytes) -> bytes:
    """Return a signed charter of these bytes, which need not be a packed value."""
    return _signed(charter, _ring().signers)


def _signed(charter: bytes, signers: Sequence[Signer]) -> bytes:
    return encode([charter, [_signature(charter, signer) for signer in signers]])


def _signature(charter: bytes, signer: Signer) -> bytes:
    return signer(b"sobremesa/1/charter", charter)


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple | list) else value
