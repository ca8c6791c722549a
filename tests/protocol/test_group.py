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

# from RFC 9496, appendix A.1: multiples of B
MULTIPLES = {
    1: "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    2: "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    3: "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
    15: "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e",
}

# from RFC 9496, appendix A.3: the SHA-512 of a text, mapped to the group
HASHED = "by using a finer grind."
TO_POINT = "f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a"


@pytest.mark.parametrize("n", MULTIPLES)
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


def test_hashes_map_to_the_points_of_rfc_9496() -> None:
    hashed = hashlib.sha512(HASHED.encode()).digest()
    assert point_from_hash(hashed).encode().hex() == TO_POINT


def test_the_identity_is_refused_as_a_point() -> None:
    library_says = group.library().crypto_core_ristretto255_is_valid_point(bytes(32))
    assert library_says == 1, (
        "libsodium refuses the identity now, so our own check is not needed any more"
    )
    with pytest.raises(Malformed, match="identity"):
        Point.decode(bytes(32))


@pytest.mark.parametrize("size", [0, 31, 33, 63, 64, 65])
def test_wrong_lengths_are_refused(size: int) -> None:
    wide = (Scalar.reduce, point_from_hash) if size != 64 else ()
    for decode in (Point.decode, Scalar.decode, *wide):
        with pytest.raises(Malformed):
            decode(bytes(size))


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps files of loaded libraries")
def test_libsodium_is_loaded_at_first_use_without_the_rest_of_rbcl(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _LOAD_AND_LIST, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False True 0 set()"


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
