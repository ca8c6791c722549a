"""The limits of `spec/format.md`, 6: every honest match stays within them, even an extreme one."""

import pytest
from attrs import evolve

from engine.cards import Rank
from engine.decks import Decks, OtherDeck, deck_of, packs, suitless
from engine.game import LARGEST_DECK
from engine.games import GAMES, game_named
from engine.kanastic.constants import DOUBLED_TOTAL
from engine.moves import Cut, LayMelds, Play
from engine.slots import Shown, Slot
from protocol.charter import (
    CHARTER_LIMIT,
    MOST_GRACE,
    MOST_MEMBERS,
    MOST_OPTIONS,
    SIGNED_LIMIT,
    Charter,
    Member,
    SignedCharter,
)
from protocol.codec import MAX_DEPTH, MAX_ITEMS, Fields, Value, decode, encode
from protocol.continues import MOST_ABANDONED, MOST_POINTS, MOST_RESULTS, Continues
from protocol.entries import (
    BODY_LIMIT,
    ENTRY_LIMIT,
    PLAYER_LIMIT,
    Body,
    CloseContent,
    Content,
    Entry,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Exposed
from protocol.group import BASE, ONE
from protocol.move_codec import SLOT_LIMIT, move_fields, take_move
from protocol.names import MAX_LENGTH, is_clean_name
from protocol.place import HEIGHT_LIMIT, Place
from protocol.shuffle_proof import Commitments, ShuffleProof
from protocol.signatures import SIGNATURE_BYTES
from tests.protocol.largest_member import largest_member
from tests.protocol.seeded_table import SeededTable

KANASTIC = game_named("kanastic")
DECK = deck_of((packs(7) + suitless(Rank.JOKER, 6))[:LARGEST_DECK])
"""A deck with as many cards as a game can have."""

MOST_SLOTS = 588_708
"""The most slots that the longest round can have."""


def test_a_game_that_is_too_large_is_refused() -> None:
    """The shuffles of such a game would not fit into an entry, and would expose honest players."""
    assert len(evolve(KANASTIC, decks=Decks(DECK)).deck) == LARGEST_DECK
    large = deck_of(packs(7))
    of_four = Decks(DECK, (OtherDeck(large, players=(4,)),))
    for changes in ({"decks": Decks(large)}, {"decks": of_four}, {"players": (2, 7)}):
        with pytest.raises(ValueError, match="at most"):
            evolve(KANASTIC, **changes)


def test_slot_limit_suffices_for_the_longest_round() -> None:
    """Kanastic needs the most slots, because it alone shuffles in the middle of a round.

    It shuffles at most `barren_passes` times between two melds. Each meld lays at least one card,
    and a card that is laid is not shuffled again.
    """
    deck, passes = len(KANASTIC.deck), KANASTIC.options.describe()["barren_passes"]["high"]
    worst = deck + passes * sum(deck - laid for laid in range(deck))
    assert worst == MOST_SLOTS <= SLOT_LIMIT


def test_points_of_a_round_are_within_their_limit() -> None:
    """No round has more than `LARGEST_DECK` cards, red threes or canastas.

    None of them is worth 10,000 points. Options add at most 1,000. The end of a round of Kanastic
    can double all this. With an option the side's match total, up to `DOUBLED_TOTAL`, is added once
    more.
    """
    assert MOST_POINTS >= 2 * (3 * LARGEST_DECK * 10_000 + 1_000) + DOUBLED_TOTAL


def test_the_highest_cut_can_be_encoded() -> None:
    """The number of the highest cut is larger than any deck."""
    assert len(DECK) <= SLOT_LIMIT
    furthest = Cut(SLOT_LIMIT)
    assert take_move(Fields(("cut", SLOT_LIMIT), "move"), DECK) == furthest
    assert encode(move_fields(furthest)) == encode(("cut", SLOT_LIMIT))


def test_height_limit_suffices_for_the_longest_match() -> None:
    """The longest match has the most rounds that an option allows, each with the most slots.

    For each slot there are at most these entries: each player shuffles it, each player unlocks it
    once, and one move plays it. Without a limit of rounds, a match that writes 1,000 entries a
    second reaches the last height after thousands of years.
    """
    bounds = (game.options.describe().get("rounds", {"high": 0}) for game in GAMES.values())
    rounds = max(about["high"] for about in bounds)
    entries = rounds * MOST_SLOTS * (MOST_MEMBERS + 1 + MOST_MEMBERS)
    assert rounds == 1000
    assert entries < HEIGHT_LIMIT // 10_000
    assert HEIGHT_LIMIT / 1000 / (365.25 * 86_400) > 8_900


@pytest.mark.parametrize("players", [2, 3])
def test_a_table_can_be_played_up_to_the_last_height(players: int) -> None:
    """The last possible entry is written like any other, and none after it."""
    table = SeededTable.sit("canasta", players)
    before = evolve(table.state, height=HEIGHT_LIMIT - 2)
    table.state = before
    table.step()
    table.step()
    assert table.state.height == HEIGHT_LIMIT
    with pytest.raises(Exposed, match="height"):
        table.step()


def test_the_longest_name_is_accepted() -> None:
    """A name may have 20 letters with three combining marks each, which take no column."""
    name = largest_member().name
    assert is_clean_name(name)
    assert len(name) == MAX_LENGTH
    assert not is_clean_name(name + "a")
    assert not is_clean_name(name + "\u0316")
    member = largest_member()
    data = encode(member.fields())
    assert Member.from_fields(Fields.decode(data, "member", limit=len(data))) == member


END = Place(bytes(32), HEIGHT_LIMIT, bytes(32))
"""The last place of a record."""


def largest_contents() -> list[Content]:
    """Return the longest content of each kind that an honest player can sign in any game."""
    slot, most = Slot(SLOT_LIMIT), LARGEST_DECK
    shown, point = tuple(Shown(slot, DECK[-1]) for _ in range(most)), BASE.encode()
    plays = tuple(Play((card,), most) for card in shown)
    commitments, bases, ones = Commitments(*6 * (BASE,)), most * (BASE,), most * (ONE,)
    proof = ShuffleProof(bases, bases, commitments, *5 * (ONE,), ones).encode()
    proofs = most * (bytes(64),)
    return [
        ShuffleContent(slot, most * (len(DECK) - 1,), most * point, point, proof),
        UnlockContent(most * (Given(slot, PLAYER_LIMIT),), most * (point,), proofs),
        MoveContent(LayMelds(plays), proofs),
        OpenContent(shown, proofs),
        CloseContent(HEIGHT_LIMIT, MOST_MEMBERS * (-MOST_POINTS,), last=False),
    ]


@pytest.mark.parametrize("content", largest_contents(), ids=lambda content: content.kind)
def test_the_longest_entry_of_each_kind_fits(content: Content) -> None:
    body = Body(END, MOST_MEMBERS - 1, content).encode()
    assert len(body) <= BODY_LIMIT
    entry = Entry(body, bytes(SIGNATURE_BYTES))
    assert len(entry.encode()) <= ENTRY_LIMIT
    assert Entry.decode(entry.encode()) == entry
    assert Body.decode(body, DECK).content == content


def depth_of(value: Value) -> int:
    """Return the depth of the nested lists: 1 for a list without lists in it."""
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, tuple) else 0


def test_limits_of_lists_suffice_for_every_entry() -> None:
    """Lists are at most seven deep (a card in a play in a move in a body) and 360 items long."""
    play = Play((Shown(Slot(0), DECK[0]),))
    body = Body(END, 0, MoveContent(LayMelds((play,)), ())).encode()
    assert depth_of(decode(body, limit=BODY_LIMIT)) == 7 <= MAX_DEPTH
    assert max(LARGEST_DECK, MOST_OPTIONS) <= MAX_ITEMS


def test_the_longest_charter_fits() -> None:
    """The longest charter has the most options, with the longest names and values."""
    # A charter lists only options that differ from their defaults.
    longest = {
        name: about["high"] - (about["default"] == about["high"])
        if "high" in about
        else not about["default"]
        for name, about in KANASTIC.options.describe().items()
    }
    options = KANASTIC.options.from_pairs(longest.items())
    assert len(options.changes()) == len(KANASTIC.options.describe())
    members = tuple(
        evolve(largest_member(), key=bytes([number]) * 32) for number in range(2, 2 + MOST_MEMBERS)
    )
    continues = Continues(
        *(bytes(32), END, HEIGHT_LIMIT, HEIGHT_LIMIT + 1, tuple(range(MOST_MEMBERS))),
        MOST_RESULTS * (MOST_MEMBERS * (-MOST_POINTS,),),
        ends=False,
    )
    charter = Charter(KANASTIC, options, members, MOST_GRACE, continues=continues)
    # Games may get more options, up to MOST_OPTIONS; each takes at most 50 bytes.
    more = MOST_OPTIONS - len(options.changes())
    assert len(charter.encode()) + more * 50 < CHARTER_LIMIT
    abandons = MOST_MEMBERS * (MOST_ABANDONED * (END,),)
    signed = SignedCharter(charter, MOST_MEMBERS * (bytes(64),), abandons)
    assert len(signed.encode()) <= len(charter.encode()) + SIGNED_LIMIT - CHARTER_LIMIT
    assert SIGNED_LIMIT <= ENTRY_LIMIT, "a charter is one part of a record, like an entry"
