"""The group: the test vectors of RFC 9496, and the checks that libsodium leaves to its caller."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol import group, libsodium
from protocol.errors import Malformed, Refused
from protocol.group import (
    BASE,
    ONE,
    ORDER,
    ZERO,
    Point,
    Scalar,
    dot,
    hash_to_point,
    hash_to_scalar,
    point_from_hash,
    random_scalar,
    sum_of_products,
    times_base,
    vanishes,
)
from tests.protocol.bad_encodings import BAD_ENCODINGS
from tests.protocol.seeded import seeded

# RFC 9496 appendix A.1: [0]B .. [15]B
MULTIPLES = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
    "da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
    "e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
    "f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403",
    "44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d",
    "903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c",
    "02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031",
    "20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f",
    "bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42",
    "e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460",
    "aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f",
    "46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e",
    "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e",
]


# RFC 9496 appendix A.3: SHA-512 of these texts, mapped to the group
HASHED = {
    "Ristretto is traditionally a short shot of espresso coffee": (
        "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"
    ),
    "made with the normal amount of ground coffee but extracted with": (
        "f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b"
    ),
    "about half the amount of water in the same amount of time": (
        "006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826"
    ),
    "by using a finer grind.": ("f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a"),
    "This produces a concentrated shot of coffee per volume.": (
        "ae81e7dedf20a497e10c304a765c1767a42d6e06029758d2d7e8ef7cc4c41179"
    ),
    "Just pulling a normal shot short will produce a weaker shot": (
        "e2705652ff9f5e44d3e841bf1c251cf7dddb77d140870d1ab2ed64f1a9ce8628"
    ),
    "and is not a Ristretto as some believe.": (
        "80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065"
    ),
}


@pytest.mark.parametrize("n", range(1, 16))
def test_multiples_of_the_generator_match_rfc_9496(n: int) -> None:
    expected = bytes.fromhex(MULTIPLES[n])
    assert times_base(Scalar.of(n)).encode() == expected
    assert (Scalar.of(n) * BASE).encode() == expected
    assert sum_of_products([(ONE, BASE)] * n).encode() == expected
    assert Point.decode(expected).encode() == expected


@pytest.mark.parametrize("encoding", BAD_ENCODINGS)
def test_bad_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(Malformed):
        Point.decode(bytes.fromhex(encoding))


@pytest.mark.parametrize(("text", "encoding"), HASHED.items())
def test_hashes_map_to_the_points_of_rfc_9496(text: str, encoding: str) -> None:
    hashed = hashlib.sha512(text.encode()).digest()
    assert point_from_hash(hashed).encode().hex() == encoding


def test_the_identity_is_refused_as_a_point() -> None:
    library_says = group.library().crypto_core_ristretto255_is_valid_point(bytes(32))
    assert library_says == 1, (
        "libsodium refuses the identity now, so our own check is not needed any more"
    )
    with pytest.raises(Malformed, match="identity"):
        Point.decode(bytes(32))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_wrong_lengths_are_refused(size: int) -> None:
    with pytest.raises(Malformed):
        Point.decode(bytes(size))
    with pytest.raises(Malformed):
        Scalar.decode(bytes(size))
    if size != 64:
        with pytest.raises(Malformed):
            Scalar.reduce(bytes(size))
        with pytest.raises(Malformed):
            point_from_hash(bytes(size))


@pytest.mark.parametrize("value", [ORDER, ORDER + 1, 2**255, 2**256 - 1])
def test_scalars_that_are_not_reduced_are_refused(value: int) -> None:
    with pytest.raises(Malformed):
        Scalar.decode(value.to_bytes(32, "little"))


def test_the_largest_and_the_smallest_scalar_are_accepted() -> None:
    assert int(Scalar.decode((ORDER - 1).to_bytes(32, "little"))) == ORDER - 1
    assert not Scalar.decode(bytes(32))


def test_operations_that_end_in_the_identity_are_refused() -> None:
    point = hash_to_point("test")
    minus = Scalar.of(-1) * point
    attempts: list[Callable[[], Point]] = [
        lambda: point - point,
        lambda: point + minus,
        lambda: ZERO * point,
        lambda: times_base(ZERO),
        lambda: sum_of_products([(ONE, point), (ONE, minus)]),
        lambda: sum_of_products([]),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="identity"):
            attempt()
    with pytest.raises(Refused, match="inverse"):
        ZERO.invert()


def test_scalars_compute_modulo_the_order() -> None:
    entropy = seeded("scalars")
    x, y = random_scalar(entropy), random_scalar(entropy)
    assert int(x + y) == (int(x) + int(y)) % ORDER
    assert int(x - y) == (int(x) - int(y)) % ORDER
    assert int(x * y) == int(x) * int(y) % ORDER
    assert x * x.invert() == ONE
    assert dot([x, y], [y, ONE]) == x * y + y
    assert int(Scalar.reduce(b"\xff" * 64)) == (2**512 - 1) % ORDER
    assert Scalar.of(-1) + ONE == ZERO


def test_points_obey_the_laws_of_a_group() -> None:
    entropy = seeded("points")
    x, y = random_scalar(entropy), random_scalar(entropy)
    point = hash_to_point("test", b"1")
    assert x * point + y * point == (x + y) * point
    assert x * (y * point) == y * (x * point) == (x * y) * point
    assert x * point - y * point == (x - y) * point
    assert Scalar.of(-1) * point + (point + point) == point


def test_vanishes_is_true_only_for_a_zero_sum() -> None:
    entropy = seeded("vanishes")
    points = [hash_to_point("test", bytes([i])) for i in range(70)]  # more than one slice
    terms = [(random_scalar(entropy), point) for point in points]
    assert not vanishes(terms)
    total = sum_of_products(terms)
    assert vanishes([*terms, (Scalar.of(-1), total)])
    assert not vanishes([*terms, (Scalar.of(-2), total)])
    assert vanishes([])
    # a term of weight zero must add nothing, not the result of the term before it
    assert vanishes([*terms, (ZERO, points[0]), (Scalar.of(-1), total)])


def test_secret_scalars_are_not_printed() -> None:
    secret = random_scalar(seeded("secret"))
    shown = f"{secret!r} {secret}"
    assert secret.encode().hex() not in shown
    assert str(int(secret)) not in shown


def test_values_are_immutable_and_usable_as_keys() -> None:
    point, again = hash_to_point("test"), hash_to_point("test")
    assert {point: 1}[again] == 1
    assert {hash_to_scalar("test"): 1}[hash_to_scalar("test")] == 1
    with pytest.raises(AttributeError):
        point._encoding = bytes(32)  # type: ignore[misc]


_LOAD_AND_LIST = """
import sys, tempfile
from pathlib import Path
tempfile.tempdir = sys.argv[1]
from protocol import group
before = "protocol.libsodium" in sys.modules
group.times_base(group.ONE)
after = "protocol.libsodium" in sys.modules
print(before, after, len(list(Path(sys.argv[1]).iterdir())), {"rbcl", "pdb"} & {*sys.modules})
"""


def _run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps files of loaded libraries")
def test_libsodium_is_loaded_at_first_use_without_the_rest_of_rbcl(tmp_path: object) -> None:
    assert _run(_LOAD_AND_LIST, str(tmp_path)) == "False True 0 set()"


def test_functions_of_the_library_are_looked_up_once() -> None:
    functions = group._Ristretto()
    add = functions.ristretto255_add
    assert vars(functions) == {"ristretto255_add": add}


# -- Loading the library: its file is deleted, and failures have clear messages


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps files of loaded libraries")
def test_loading_libsodium_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`_load` deletes its copy of the library; else each start would leave 3 MB behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    library = libsodium._load()
    assert Path(library._name).parent == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert library.crypto_core_ristretto255_is_valid_point(BASE.encode()) == 1


def test_failing_to_load_libsodium_names_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(Refused, match=r"could not be loaded from the temporary folder.*TMPDIR"):
        libsodium._load()


def test_a_missing_package_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        libsodium._found("no_such_package")
