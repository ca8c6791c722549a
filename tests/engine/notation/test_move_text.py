"""Moves written as text and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import moves
from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.moves import LONGEST, format_move, parse_move
from tests.engine.positions import TOP, Table, table_of
from tests.engine.simulation import views

HAND = "7h 7d 7s 7s Ks Ks 2h Jo Jo Td"


def canasta(hand: str = HAND, pile: str = "4c Kh") -> Table:
    return table_of("canasta", hands=[hand], pile=pile, melds=[["Kc Kd Kd"]])


def test_moves_survive_writing_and_reading() -> None:
    table = canasta()
    kings = table.play(f"{TOP} Ks Ks")
    texts: dict[str, moves.Move] = {
        "draw": moves.DrawStock(),
        "ask": moves.Ask(),
        "yes": moves.Answer(True),
        "no": moves.Answer(False),
        "pass": moves.Pass(),
        "cut 17": moves.Cut(17),
        "show": moves.ShowBonus(()),
        "show Td 2h": moves.ShowBonus(table.hand("Td 2h")),
        "discard Td": table.discard("Td"),
        "meld 7h 7d 7s": table.lay("7h 7d 7s"),
        "meld 7h 7d 2h + Ks to 1": table.lay("7h 7d 2h", table.play("Ks", onto=0)),
        "meld Td to 1 low": table.lay(table.play("Td", onto=0, low=True)),
        "take": moves.TakePile(),
        "take ^Kh Ks Ks + 7h 7d 7s": table.take(kings, "7h 7d 7s"),
        "take ^Kh to 1": table.take(table.play(TOP, onto=0)),
        "top ^Kh Ks Ks": moves.TakeTop((kings,)),
    }
    for text, move in texts.items():
        assert format_move(table.position, move) == text
        assert parse_move(table.position, text) == move


def test_suitless_cards_and_gold_cards_have_their_codes() -> None:
    table = table_of("kanastic", hands=["Kg 5g 6g 7g Ar Sw Sw"])
    move = table.lay(table.play("5g 6g 7g Ar", low=False))
    assert format_move(table.position, move) == "meld 5g 6g 7g Ar"
    assert parse_move(table.position, "MELD 5G 6g 7g ar") == move
    assert format_move(table.position, table.discard("Sw")) == "discard Sw"


@pytest.mark.parametrize(
    ("hand", "code", "told"),
    [
        ("Kg 4s 5s", "Ks", "the gold one is written Kg"),
        ("4g 4s 5s", "Ks", "or fewer than the move names"),
        ("Kg 4s 5s", "Kh", "or fewer than the move names"),
    ],
)
def test_refusing_a_plain_spade_names_the_gold_code_only_if_that_card_is_held(
    hand: str, code: str, told: str
) -> None:
    table = table_of("kanastic", hands=[hand])
    with pytest.raises(NotationError, match=told):
        parse_move(table.position, f"discard {code}")


def test_twins_are_numbered_only_if_needed() -> None:
    table = canasta()
    first, second = table.hand("Ks Ks")
    assert format_move(table.position, moves.Discard(first)) == "discard Ks"
    assert format_move(table.position, moves.Discard(second)) == "discard Ks:2"
    assert parse_move(table.position, "discard Ks:2") == moves.Discard(second)
    assert parse_move(table.position, "discard Ks:1") == moves.Discard(first)
    jumbled = moves.LayMelds((moves.Play((second, first)),))
    assert format_move(table.position, jumbled) == "meld Ks:2 Ks"
    assert parse_move(table.position, "meld Ks:2 Ks") == jumbled
    alone = canasta(hand="Ks Td 2h")
    assert format_move(alone.position, alone.discard("Ks")) == "discard Ks"


def test_the_top_of_the_pile_is_distinguished_from_its_twin() -> None:
    table = canasta(hand="Kh Ks Td", pile="Kh")
    move = table.take(f"{TOP} Kh Ks")
    assert format_move(table.position, move) == "take ^Kh Kh Ks"
    assert parse_move(table.position, "take ^Kh Kh Ks") == move


def test_moves_can_be_written_without_seeing_the_hand() -> None:
    table = canasta()
    blind = table.position.seen(())
    assert format_move(blind, table.lay("7h 7d 7s")) == "meld 7h 7d 7s"


def test_parser_accepts_any_case_extra_blanks_and_10_for_t() -> None:
    table = canasta()
    assert parse_move(table.position, "  Discard   10D ") == table.discard("Td")
    onto = table.lay(table.play("Ks", onto=0, low=True))
    assert parse_move(table.position, "Meld Ks TO 01 Low") == onto
    assert parse_move(table.position, "meld 7h 7d 7s+ks jO") == table.lay("7h 7d 7s", "Ks Jo")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "A move begins with one of the words draw, "),
        ("+", "A move begins with one of the words"),
        ("jump", "A move begins with one of the words"),
        ("draw 2", "Nothing may follow the word draw"),
        ("cut", "Say at which card"),
        ("cut 1 2", "Say at which card"),
        ("cut -1", "'-1' is no number"),
        ("cut ²", "is no number"),
        ("cut 1234", "is no number"),
        ("discard", "Say which one card"),
        ("discard 7h 7d", "Say which one card"),
        ("discard Kx", "'Kx' is no card; write rank and suit"),
        ("discard Po", "'Po' is no card"),
        ("discard 7h:0", "'7h:0' is no card"),
        ("discard 7h:1000", "'7h:1000' is no card"),
        ("discard 7h:2", "The hand has no 7h:2"),
        ("discard 9h", "The hand has no 9h"),
        ("discard ^Kh", "The mark \\^ means the top of the pile"),
        ("meld", "Say which cards, as in: meld"),
        ("top", "Say which cards, as in: top"),
        ("meld 7h 7h 7d", "The hand has no 7h, or fewer"),
        ("meld 7h 7d 7s + 7h Td", "or fewer"),
        ("meld 7h +", "Cards are missing before or after a plus sign"),
        ("meld + 7h", "Cards are missing before or after a plus sign"),
        ("meld to 1", "before the word “to”"),
        ("meld low", "Cards are missing before or after a plus sign"),
        ("meld to", "After the word “to” comes the number of a meld"),
        ("meld to to", "'to' is no number"),
        ("meld Ks to", "After the word “to” comes the number of a meld"),
        ("meld Ks to 1 Td", "'to' is no card"),
        ("take Kh Ks Ks", "the top of the pile is written \\^Kh"),
        ("take Qh Ks Ks", "or fewer than the move names"),
        ("discard Kh", "or fewer than the move names"),
        ("meld Ks to 0", "After the word “to” comes the number of a meld"),
        ("meld Ks to x", "'x' is no number"),
        ("take ^7s Ks", "The top of the pile is the Kh, not the 7s"),
        ("take ^Kh ^Kh", "Only a move that takes from the pile can name it, and only once"),
    ],
)
def test_malformed_moves_are_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as refused:
        parse_move(canasta().position, text)
    assert str(refused.value).endswith(".")


def test_a_message_repeats_at_most_twenty_characters_of_a_number() -> None:
    with pytest.raises(NotationError, match=f"^'{'x' * 20}' is no number"):
        parse_move(canasta().position, f"cut {'x' * 30}")


def test_taking_from_an_empty_pile_and_overlong_texts_are_refused() -> None:
    with pytest.raises(NotationError, match="top of the pile"):
        parse_move(canasta(pile="").position, "take ^Kh Ks Ks")
    with pytest.raises(NotationError, match=f"at most {LONGEST} characters"):
        parse_move(canasta().position, "draw".ljust(LONGEST + 1))
    assert parse_move(canasta().position, "draw".ljust(LONGEST)) == moves.DrawStock()


WORDS = "meld take top discard show cut to low + ^Kh 7h Ks:2 1".split()  # noqa: SIM905


@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)))
def test_any_text_is_read_as_a_move_or_refused(text: str) -> None:
    position = canasta().position
    try:
        move = parse_move(position, text)
    except NotationError:
        return
    assert parse_move(position, format_move(position, move)) == move


@pytest.mark.parametrize("name", GAMES)
def test_card_codes_of_a_deck_differ_even_in_lower_case(name: str) -> None:
    codes = {card.code for card in GAMES[name].deck}
    assert len({code.lower() for code in codes}) == len(codes)


@pytest.mark.parametrize("name", ["canasta", "kanastic", "canastra"])
def test_every_legal_move_of_a_round_survives_writing_and_reading(name: str) -> None:
    game, kinds, texts = GAMES[name], set[type](), 0
    for view, _, _ in views(game, game.options(rounds=1), 2, 4):
        legal = view.legal_moves(view.moving_seat)
        written = [format_move(view, each) for each in legal]
        assert len(set(written)) == len(legal)
        assert [parse_move(view, text) for text in written] == list(legal)
        kinds |= set(map(type, legal))
        texts += len(legal)
    assert {moves.DrawStock, moves.Discard, moves.LayMelds} <= kinds
    assert texts > 100
