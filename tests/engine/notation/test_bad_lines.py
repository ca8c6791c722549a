"""Lines of positions that cannot be read, and the errors about them."""

import re

import pytest

from engine.errors import NotationError
from engine.notation.position_reader import LONGEST_LINE, parse_position

ERRORS = [
    ("", "begins with a game"),
    ("poker 4", "Line 1: There is no game 'poker'"),
    ("poker" + 3000 * "x", "Line 1: A line has at most"),
    ("canasta", "Line 1: For the players, give one number"),
    ("canasta 4 4", "Line 1: For the players"),
    ("canasta 7", "Line 1: For the players"),
    ("kanastic 5", "Line 1: Kanastic is for 2 to 4"),
    ("canasta ٤", "Line 1: For the players"),
    ("canasta --4", "Line 1: For the players"),
    ("canasta 4\nhats 3", "Line 2: No line of Canasta begins with 'hats'"),
    ("canasta 4\ndeads 1", "Line 2: No line of Canasta"),
    ("canastra 2\nbonus 1 3h", "Line 2: No line of Canastra"),
    ("canasta 4\noption target", "Line 2: An option has a name and a value"),
    ("canasta 4\noption hats yes", "Line 2: There is no option 'hats'"),
    ("canasta 4\noption penalties 1", "Line 2: Option penalties is yes or no"),
    ("canasta 4\noption target 3", "Line 2: Option target is a whole number"),
    ("canasta 4\noption target 3000\noption target 3000", "Line 3: .*given twice"),
    ("canasta 4\npile 4c\npile 5c", "Line 3: The line “pile” is there twice"),
    ("canasta 4\nhand 1 4c\nhand 1 5c", "Line 3: The line “hand 1” is there twice"),
    ("canasta 4\nhand 5 4c", "Line 2: For the seat or side"),
    ("canasta 4\nhand", "Line 2: For the seat or side"),
    ("canasta 4\nhand 1 Kx", "Line 2: 'Kx' is no card"),
    ("canasta 4\nhand 1 Sw", "Line 2: 'Sw' is no card"),
    ("canasta 4\nhand 1 ♠K", "Line 2: '♠K' is no card"),
    ("canasta 4\nhand 1 Ks Ks\n\npile Ks", "Line 4: There is no further Ks in the deck: all"),
    ("canasta 4\nhand 1 Ks:2\npile Ks:2", "Line 3: There is no further Ks:2"),
    ("canasta 4\nhand 1 Ks:3", "Line 2: There is no further Ks:3"),
    ("canasta 4\nhand 1 999", "Line 2: With these cards there are more than the 108"),
    ("canasta 4\nhand 1 " + 400 * "99 ", "Line 2: With these cards"),
    ("canasta 4\npile 4c\nhand 2 ٣", "Line 3: '٣' is no card"),
    ("canasta 4\nmeld 3 7h 7d 7s", "Line 2: For the side"),
    ("canasta 4\nmeld 1 7h 7d", r"Line 2: No meld can lie so. .*\[C25\]"),
    ("canasta 4\nmeld 1", "Line 2: No meld can lie so"),
    ("canasta 4\nmeld 1 7h 7d 7s\nmeld 2 8h 8d 8s\nmeld 1 7c 7c 7h", "Line 4: A side has one meld"),
    ("kanastic 4\nmeld 1 7h 7h 7s", r"Line 2: No meld can lie so. .*\[K31\]"),
    ("canastra 2\nmeld 1 4h 4d 4s", r"Line 2: No meld can lie so. .*\[B25\]"),
    ("canasta 4\nbonus 1 3c", "Line 2: The 3c is no bonus card of Canasta"),
    ("kanastic 4\nbonus 1 Sw", "Line 2: The Sw is no bonus card of Kanastic"),
    ("canasta 4\nturn 5 play", "Line 2: For the seat whose turn it is"),
    ("canasta 4\nturn 1", "Line 2: A turn is at one of the steps"),
    ("canasta 4\nturn 1 open", "Line 2: A turn is at one of the steps"),
    ("canasta 4\nturn 1 plya drew 1", "Line 2: A turn is at one of .* Did you mean “play”?"),
    ("canastra 2\nturn 1 answer", "Line 2: A turn is at one of the steps"),
    ("canasta 4\nturn 1 cut", "Line 2: A turn is at one of the steps"),
    ("canasta 4\nturn 1 draw took", "Line 2: At the step draw, 'took' says nothing"),
    ("canasta 4\nturn 1 play jumped", "Line 2: At the step play, 'jumped' says nothing"),
    ("canasta 4\nturn 1 play yes no", "Line 2: Only one line says"),
    (
        "canasta 4\nturn 1 play took took",
        "Line 2: Only one line says",
    ),
    ("canasta 4\nturn 1 play drew", "Line 2: For the cards drawn"),
    ("canasta 4\nhand 1 4c 5c\nturn 1 play drew 3", "Line 3: .*from 0 to 2"),
    ("canasta 3\nturn 1 answer", "Line 2: Without a partner"),
    ("canastra 2\nturn 1 play yes", "Line 2: Without a partner"),
    ("canasta 4\ntotals 5", "Line 2: The line totals has 2 numbers"),
    ("canasta 4\ntotals a b", "Line 2: For the line totals"),
    ("canasta 4\ndealer 0", "Line 2: For the dealer"),
    ("canasta 4\ndebts 1 2", "Line 2: The line debts has 4 numbers"),
    ("canasta 4\nquestions 1 Ks", "Line 2: A question has a seat, cards, the word of"),
    ("canasta 4\nquestions 1 Ks of 3", "Line 2: Somebody held a Ks"),
    ("canasta 7", "Line 1: For the players, give one number from 2 to 6"),
    ("canasta 4\noption target 10000001", "Line 2: For the option, .* from 0 to 10000000"),
    ("canasta 4\noption target 0", "Line 2: Option target is a whole number"),
    ("canasta 4\noption hats yes\npile 4c", "Line 2: There is no option 'hats'"),
    ("canasta 4\nshuffled\nmeld 1 7h 7d 7s", "Line 2: No card of a deck"),
    (
        "canasta 4\ntotals 5 5\nshuffled\npile 4c",
        "Line 3: No card of a deck",
    ),
    ("canasta 4\nstock 201", "Line 2: For the cards of the stock"),
    ("canasta 4\nhand 1 Ks\nquestions 1 ? of 3", "Line 3: Seat 1 has not so many hidden cards"),
    ("canasta 4\nhand 1 1\nquestions 1 ? ? of 3", "Line 3: Seat 1 has not so many"),
    ("canasta 4\nquestions 9 of 3", "Line 2: For the seat that has asked"),
    ("kanastic 4\nwaiting 5", "Line 2: For the line waiting"),
    ("kanastic 4\nwaiting 0", "Line 2: For the line waiting"),
    ("kanastic 4\nrebuilds 1 2", "Line 2: The line rebuilds has 1 number"),
    ("kanastic 4\nrebuilds -1", "Line 2: For the line rebuilds"),
    ("kanastic 4\ndiscards Kx", "Line 2: 'Kx' is no card"),
    ("canastra 2\ndeads 3", "Line 2: For the line deads, give one number from 0 to 2"),
    ("canastra 2\ndeads 2\ndeadtaken 1", "Line 2: There are 2 deads"),
    ("canastra 2\nturn 1 play\nhand 1 4c 5c\nbarred Ks", "Line 4: There is no Ks in the hand"),
    ("canastra 2\nbarred Ks Kd", "Line 2: Say which one card"),
    ("canasta 4\npil Ks", "Line 2: No line of Canasta begins with 'pil'.* Did you mean “pile”?"),
    ("kanasta 4", "Line 1: There is no game 'kanasta'; .* Did you mean “canasta”?"),
    ("kanastic 4\npile As As", "Line 2: There is no further As in the deck: .* written Ag"),
    ("kanastic 4\npile Ag As As", "Line 2: There is no further As in the deck: all"),
    ("canasta 4\nstock 9", "Line 2: The deck has 108 cards, so 64 are left for the stock, not 9"),
    ("canasta 4\nstock 99 ?", "Line 2: The deck has 108 cards"),
    ("canasta 4\nstock many", "Line 2: For the cards of the stock"),
    ("kanastic 4\nturn 1 draw\nstock 0 ?", "Line 3: Here one never comes to draw"),
    ("canasta 4\nshuffled\npile 4c", "Line 2: No card of a deck that was just shuffled is dealt"),
    ("canasta 4\nshuffled well", "Line 2: No card of a deck"),
    ("canasta 4\nturn 1 over", "Line 2: When a round is over all hands are open"),
    ("kanastic 2\nturn 1 over out\nhand 1 0\nhand 2 4c", "Line 2: Going out ends with a discard"),
    ("canasta 2\nturn 1 over out\nhand 1 4c\nhand 2 4c", "Line 2: Seat 1 holds 1 card,"),
]


@pytest.mark.parametrize(("text", "error"), ERRORS)
def test_a_bad_line_is_named_in_a_sentence(text: str, error: str) -> None:
    with pytest.raises(NotationError, match=error) as raised:
        parse_position(text)
    assert re.search(r"[.?](\)| \[[KBC]\d+\])?$", str(raised.value))
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "canasta 4\n{}",
        "canasta 4\nhand 1 {}",
        "canasta 4\nturn 1 play {}",
        "canasta 4\noption {} yes",
    ],
)
def test_of_a_long_word_no_more_than_forty_characters_are_repeated(text: str) -> None:
    most = 40 if "option" in text else 20
    with pytest.raises(NotationError, match=f"'{most * 'x'}'"):
        parse_position(text.format(50 * "x"))


def test_lines_have_a_limit() -> None:
    assert parse_position("canasta 4\n# " + (LONGEST_LINE - 2) * "x")
    with pytest.raises(NotationError, match="Line 2: A line has at most"):
        parse_position("canasta 4\n# " + (LONGEST_LINE - 1) * "x")
