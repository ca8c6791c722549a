"""Cases, and the referee's rulings on them."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.case_files import read_cases
from engine.notation.referee import rulings
from engine.notation.rulings import Ruling
from engine.turn import Step

SPEC = Path(__file__).parents[3] / "spec"
CASES = sorted((SPEC / "referee").glob("*.txt"))

OPENING = """case opening
canasta 4
hand 1 5h 5d 2s 2h Jo Kc
"""


def ruled(text: str) -> list[Ruling]:
    return list(rulings(text))


def verdicts(text: str) -> list[str]:
    return ["legal" if ruling.legal else ruling.clause for ruling in ruled(text)]


def met(text: str) -> list[bool | None]:
    return [each.met for ruling in ruled(text) for each in ruling.expectations]


# -- the files of the spec


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_cases_of_the_spec_come_out_as_they_say(path: Path) -> None:
    found = ruled(path.read_text("utf-8"))
    assert [(r.line, e.text) for r in found for e in r.expectations if not e.met] == []
    assert all(ruling.expectations for ruling in found if ruling.text.startswith(("try", "count")))


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_its_disputes(game: str) -> None:
    path = SPEC / "referee" / f"{game}.txt"
    assert path in CASES, f"write at least 25 cases of {game} into spec/referee/{game}.txt"
    assert len(read_cases(path.read_text("utf-8"))) >= 25


def test_the_examples_of_the_notation_are_right() -> None:
    text = (SPEC / "notation.md").read_text("utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    found = [re.sub("^    ", "", block, flags=re.MULTILINE).strip() for block in blocks]
    cases = [block for block in found if re.match("case|canasta|note", block)]
    assert len(cases) == 3
    for case in cases:
        assert all(met(case))


def test_the_notation_names_every_line_and_every_word() -> None:
    text = (SPEC / "notation.md").read_text("utf-8")
    steps = [step.name.lower() for step in Step if step not in (Step.CUT, Step.DEAL)]
    for word in (*steps, "shuffled", "option", "bonus"):
        assert f"`{word}" in text, f"spec/notation.md does not name `{word}`"


# -- trying, and going on


def test_alternatives_leave_the_position_and_plays_go_on_from_it() -> None:
    found = ruled(
        OPENING
        + "try meld 5h 5d 2s\ntry meld 5h 5d 2s 2h\nplay meld 5h 5d Jo\nplay meld 2s to 1\n"
        + "play discard Kc\n"
    )
    assert [ruling.clause for ruling in found] == ["C37", "", "", "", ""]
    assert str(found[1].after).startswith("seat 1 to meld or discard; hands 2 11 11 11")
    assert str(found[-1].after).startswith("seat 2 to draw; hands 1 11 11 11, stock 69, pile 1")


def test_an_illegal_play_changes_nothing() -> None:
    assert verdicts(OPENING + "play meld 5h 5d 2s\nplay meld 5h 5d 2s 2h\n") == ["C37", "legal"]


def test_a_move_may_name_who_makes_it() -> None:
    assert verdicts(OPENING + "try 1 discard Kc\ntry 2 discard Kc\n") == ["legal", "X10"]


def test_cards_of_whose_turn_it_is_not_need_not_be_known() -> None:
    (ruling,) = ruled("canasta 4\nhand 1 4c 5c\ntry 2 discard Ks")
    assert (ruling.clause, str(ruling.why)) == ("X10", "It is for seat 1 to move.")


def test_nobody_moves_when_the_round_is_over() -> None:
    over = "canasta 2\nturn 1 over\nhand 1 Ks\nhand 2 0\n"
    found = ruled(over + "try discard Ks\ntry 2 discard Ks\n")
    assert [(each.clause, str(each.why)) for each in found] == 2 * [
        ("X10", "The round is over; nobody moves.")
    ]


def test_partners_ask_and_answer() -> None:
    text = (
        "canasta 4\nmeld 1 7h 7d 7s 7c 7h 7d 7s\nhand 1 8h 8d 8s Kc\n"
        "play ask\nexpect turn 1 answer\nplay 1 no\nplay 3 no\nplay meld 8h 8d 8s\n"
    )
    assert verdicts(text) == ["legal", "X10", "legal", "C74"]
    assert met(text) == [True]


# -- cards that are dealt


def test_a_drawn_card_stays_hidden_unless_it_is_dealt() -> None:
    start = "canasta 4\nturn 1 draw\nhand 1 Ks\nplay draw\n"
    assert verdicts(start + "try discard 4c\ntry discard Ks") == ["legal", "legal", "legal"]
    assert verdicts(start + "deal 5c\ntry discard 4c") == ["legal", "X11"]
    assert verdicts(start + "deal 4c\ntry discard 4c") == ["legal", "legal"]
    assert verdicts(start + "deal ?\ntry discard Ks") == ["legal", "legal"]


def test_a_move_shows_hidden_cards_of_its_hand() -> None:
    text = "canasta 4\nhand 1 Ks! 8\n"
    assert met(text + "play meld Ks Kh Kd Jo + 5h 5d 2c\nexpect legal\nexpect hand 1 2") == 2 * [
        True
    ]
    assert verdicts(text + "try meld Ks Kh Kd 4c") == ["C25"]
    assert verdicts("canasta 4\nhand 1 Ks 2\ntry meld 7c 8c 9c") == ["X11"]
    # The text names two kings: one is known, and the other is one of the hidden cards.
    assert verdicts("canasta 4\nhand 1 Ks 8\ntry meld Ks Ks Kh 2s") == ["legal"]


def test_who_names_a_card_that_is_not_there_is_told_what_is_wrong_first() -> None:
    text = "canasta 4\nhand 1 4c 5c\n"
    assert verdicts(text + "turn 1 draw\ntry discard Ks") == ["X10"]
    assert verdicts(text + "turn 1 draw\ntry take Ks Kd Kh") == ["C17"]
    assert verdicts(text + "turn 1 draw\npile Qs\ntry take ^Ks Kd Kh") == ["X11"]
    assert verdicts(text + "try meld 9c 9d 9h") == ["X11"]
    assert verdicts("kanastic 4\nturn 1 draw\nhand 1 4c\ntry top Ks Kd Kh") == ["K57"]


def test_a_red_three_that_is_shown_was_drawn_in_this_turn() -> None:
    assert verdicts("canasta 4\nturn 1 play drew 1\nhand 1 9\ntry show 3h") == ["legal"]
    assert verdicts("canasta 4\nturn 1 play drew 0\nhand 1 9\ntry show 3h") == ["C64"]
    both = "canasta 4\nturn 1 play drew 1\nhand 1 3h Ks 3d\n"
    assert verdicts(both + "try show 3h 3d\ntry show 3d") == ["C64", "legal"]


def test_a_dealt_red_three_must_be_laid_and_is_replaced() -> None:
    text = "canasta 4\nturn 1 draw\nhand 1 Ks 4c 5c\nplay draw\ndeal 3h\ntry discard Ks\n"
    assert verdicts(text + "play show 3h\ndeal 9c\nplay discard 9c") == [
        "legal",
        "C62",
        "legal",
        "legal",
    ]


def test_all_red_threes_of_a_deal_are_laid() -> None:
    text = "canasta 4\nturn 1 show\nhand 1 3h 3d 5c\n"
    found = ruled(text + "try show\ntry show 3h\ntry show 3d 3h")
    assert [ruling.clause for ruling in found] == ["C62", "C62", ""]
    names = [str(ruling.why).split()[1] for ruling in found[:2]]
    assert names == ["3h", "3d"]  # the first of the cards that are kept back


def test_a_pot_must_be_laid_too() -> None:
    text = "kanastic 4\nturn 1 play drew 1\nhand 1 9c Po\n"
    assert verdicts(text + "try discard 9c\ntry show Po") == ["K18", "legal"]


def test_a_whole_round_can_be_dealt() -> None:
    deal = "4c 4d 5c 5d 6c 6d 7c 7d 8c 8d 9c 9d Tc Td" + 16 * " ?"
    text = f"canasta 2\nshuffled\nplay 2 cut 3\nplay cut 7\ndeal {deal} 3s\ndeal Kh\nplay show\n"
    found = ruled(text + "expect pile 3s Kh\nexpect hand 1 15\nexpect hand 1 14\n")
    assert [ruling.clause for ruling in found] == ["X10", "", ""]
    assert [each.met for each in found[-1].expectations] == [True, True, False]


def test_the_turned_up_card_must_be_named() -> None:
    text = "canasta 2\nshuffled\nplay cut 7\n"
    (ruling,) = ruled(text)
    assert str(ruling.after) == "a card is turned up; hands 0 0, stock 108, pile 0"
    with pytest.raises(NotationError, match="Line 4: A card is turned up: say which one"):
        ruled(text + "play show")
    with pytest.raises(NotationError, match="Line 4: A card that is turned up is not hidden"):
        ruled(text + "deal " + 31 * "? ")
    with pytest.raises(NotationError, match="Line 4: Cards are to be dealt or opened first"):
        ruled(text + "expect stock 3")


def test_a_rebuilt_stock_of_kanastic_is_shuffled_by_itself() -> None:
    text = (
        "kanastic 2\nturn 1 draw\nhand 1 9c\nhand 2 4\npile 4c 5c 6c\nstock 1 ?\n"
        "play draw\ndeal Po\nplay show Po\ndeal 4c\nplay discard 9c\n"
        "expect stock 2\nexpect pile 9c\nexpect discards 6c 9c\n"
    )
    assert verdicts(text) == ["legal", "legal", "legal"]
    assert met(text) == [True, True, True]


def test_a_dead_of_canastra_is_dealt() -> None:
    text = (
        "canastra 2\nhand 1 4h 5h 6h\nplay meld 4h 5h 6h\n"
        "deal 7h 8h 9h Th Jh Qh Kh Ah 2h 3h 4h\nplay meld 7h 8h to 1\n"
        "expect deads 1\nexpect deadtaken 1\nexpect stock 68\n"
    )
    assert met(text) == [True, True, True]


def test_a_deal_that_ends_the_round_has_its_score() -> None:
    text = (
        "canastra 2\ndeads 1\ndeadtaken 2\nstock 0 ?\nhand 1 Ks\nhand 2 4c\nplay discard Ks\n"
        "deal 7h 8h 9h Th Jh Qh Kh Ah 2h 3h 4h\n"
    )
    *_, ruling = ruled(text)
    assert ruling.text.startswith("deal")
    assert ruling.sheet is not None


# -- counting


def test_a_round_that_nobody_ends_is_counted() -> None:
    (ruling,) = ruled("canasta 2\nhand 1 Ks\nhand 2 Jo\ncount\nexpect score -10 -50")
    assert ruling.sheet is not None
    assert ruling.sheet.closer is None
    assert str(ruling.after) == "the round is over: side 1 -10, side 2 -50"


def test_what_was_ordered_before_a_count_is_dealt_first() -> None:
    text = "canastra 2\nturn 1 draw\nhand 1 Ks\nhand 2 Kd\nplay draw\ncount\n"
    assert met(text + "expect score 0 0\n") == [True]  # nobody has gone out


def test_what_a_sheet_can_be_expected_to_have() -> None:
    text = (
        "canasta 4\ntotals 4000 100\nmeld 1 7h 7d 7s 7c 7h 7d 7s\nhand 1 0\nhand 2 Jo\nhand 3 Ks\n"
        "hand 4 0\ncount out\n"
    )
    right = "score 625 -50,item 1 C91 500,item 1 C76 100,total 4625 50,winner none,item 2 C76 0"
    wrong = "score 625 -5,item 1 C91 300,item 2 C76 100,total 625 50,winner 1,illegal,illegal C1"
    lines = [f"expect {each}\n" for each in f"{right},legal,{wrong}".split(",")]
    assert met(text + "".join(lines)) == 7 * [True] + 7 * [False]
    assert met(text.replace("4000", "4400") + "expect winner 1\nexpect winner none") == [
        True,
        False,
    ]
    assert met(text.replace("count out", "count") + "expect score 525 -50") == [True]


def test_a_hand_that_is_never_opened_counts_the_worst_it_can() -> None:
    text = "canasta 3\nhand 1 Ks\nhand 2 2\nhand 3 {}\ncount closed {}\nexpect score -10 -200 {}\n"
    assert met(text.format("4c", "2", "-5")) == [True], "two red threes"
    assert met(text.format("2", "2 3", "-200")) == [True]
    first = "canasta 3\nhand 1 1\nhand 2 Ks\nhand 3 0\ncount closed 1\nexpect score -100 -10 0\n"
    assert met(first) == [True]
    out = (
        "canasta 3\nturn 3 play\nhand 1 1\nhand 2 Ks\nhand 3 0\nmeld 3 4c 4d 4h\ncount {}closed 1\n"
    )
    assert met(out.format("out ") + "expect score -100 -10 115\n") == [True]
    assert met(out.format("") + "expect score -100 -10 15\n") == [True]


def test_going_out_by_a_move_ends_the_round_with_a_score() -> None:
    text = "canastra 2\nmeld 1 4h 5h 6h\nhand 1 7h\nhand 2 Kc Kd\ndeads 0\n"
    (ruling,) = ruled(text + "play meld 7h to 1\nexpect score 140 -20\nexpect winner 1")
    assert [each.met for each in ruling.expectations] == [True, True]
    hidden = text.replace("Kc Kd", "2") + "play meld 7h to 1\nexpect score 140 -20"
    assert met(hidden) == [True]  # B62 counts cards, whatever they are
    other = "canasta 2\nhand 1 Ks\nhand 2 1\nmeld 1 7h 7d 7s 7c 7h 7d 7s\nplay discard Ks\n"
    (ruling,) = ruled(other + "expect score 200 -10")
    assert str(ruling.after) == "the round is over, and the hands are opened"
    assert [each.met for each in ruling.expectations] == [False]


def test_an_expected_score_of_a_move_that_ends_nothing_does_not_hold() -> None:
    text = OPENING + "try discard Kc\nexpect score 0 0\nexpect item 1 C92 0\nexpect winner none"
    assert met(text) == [False, False, True]


# -- files


def test_cases_need_no_name_and_notes_are_for_people() -> None:
    text = "note by Ana\ncanasta 2\ntry draw\nexpect illegal\ncanasta 3 # of us\ntry draw\n"
    assert [(case.name, len(case.judged)) for case in read_cases(text)] == [
        ("case 1", 2),
        ("case 2", 1),
    ]


def test_lines_keep_their_numbers() -> None:
    text = "\r\n# nothing\r\ncase one\r\n\r\ncanasta 4\r\n\ttry draw # or not\r\n"
    (ruling,) = ruled(text)
    assert (ruling.case, ruling.line, ruling.text) == ("one", 6, "try draw")
    assert [case.line for case in read_cases(text)] == [3]
    assert [case.line for case in read_cases("canasta 4\ntry draw\n")] == [1]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "There is no case in this file"),
        ("case nothing\n# at all", "There is no case in this file"),
        ("\ntry draw", "Line 2: a case begins with a position"),
        ("case x\nexpect legal", "Line 2: a case begins with a position"),
        ("canasta 4\nhand 1 Kx\ntry draw", "Line 2: 'Kx' is no card"),
        ("canasta 4\ntry", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry fly", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry fly Ks Ks Ks", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry 2 fly", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry discard Ks Ks Ks", "Line 2: Say which one card"),
        ("canasta 4\ntry meld Ks Ks Ks to x", "Line 2: 'x' is no number"),
        ("canasta 4\ntry meld Ks Ks Ks + to 2", "Line 2: There are cards on both sides"),
        ("canasta 4\nhand 1 4c\ntry meld 9c + Ks to x", "Line 3: 'x' is no number"),
        ("canasta 4\ntry meld Ks Ks Ks Kx", "Line 2: 'Kx' is no card"),
        ("canasta 4\ntry 1", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry 5 draw", "Line 2: A move begins with one of the words"),
        ("canasta 4\ntry draw\ndraw\npass", "Line 3: A line after moves begins with"),
        ("canasta 4\nexpect legal", "Line 2: There is no verdict yet"),
        ("canasta 4\ntry draw\nexpect", "Line 3: One can expect: legal"),
        ("canasta 4\ntry draw\nexpect fun", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect legal C1", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect illegal c1", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect score 5", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect score 5 five", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect winner 3", "Line 3: One can expect"),
        ("canasta 4\ntry draw\nexpect item 3 C1 5", "Line 3: One can expect"),
        ("canasta 4\ncount in", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed 5", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed 2 2", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed two", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed ٢", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed ²", "Line 2: Write count, or count out"),
        ("canasta 4\ncount closed 2", "Line 2: To count, all cards of seat 1 must be known"),
        ("canasta 4\ncount", "Line 2: To count, all cards of seat 1 must be known"),
        ("canasta 4\ncount out", "Line 2: Seat 1 holds 11 cards"),
        ("canasta 4\ndeal Ks", "Line 2: No card is to be dealt here"),
        ("canasta 4\nturn 1 draw\nplay draw\ndeal Ks Kd", "Line 4: 1 card is to be dealt"),
        ("canasta 2\nturn 1 draw\npile Ks Ks\nplay draw\ndeal Ks", "Line 5: There is no further"),
        ("canasta 4\ntry draw\x1b[2J", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\ntry draw\x0b", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\n\x1b\ntry draw", "Line 2: there is a character that cannot be printed"),
        ("canasta 4\nnote \x1b\ntry draw", "Line 2: there is a character that cannot be printed"),
        ("\n" * 100_000, "at most 100000 lines"),
        ("\n" * 99_999, "There is no case in this file"),
    ],
)
def test_what_cannot_be_read_is_named_in_a_sentence(text: str, error: str) -> None:
    with pytest.raises(NotationError, match=re.escape(error)):
        ruled(text)


WORDS = """
try play deal count expect case draw discard meld take top ask yes no show pass cut out legal
illegal score winner total item C37 1 2 Ks 5h 5d 2s Sw Kg ? 0 -5 turn stock hand canasta kanastic
canastra 4 + to low ^Ks
"""
STARTS = [
    OPENING,
    "kanastic 2\nturn 1 draw\nhand 1 Ks Kg Kd 4c 5c\npile 5h Kh\nstock 1 ?\n",
    "canastra 2\nhand 1 Ks Kd 2s 5h\nhand 2 5h\ndeads 1\n",
    "canasta 2\nshuffled\n",
]


@settings(max_examples=200)
@given(
    st.sampled_from(STARTS),
    st.lists(
        st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=5), max_size=7), max_size=7
    ),
)
def test_garbage_is_judged_or_refused_and_nothing_else(start: str, lines: list[list[str]]) -> None:
    with suppress(NotationError):
        ruled(start + "\n".join(map(" ".join, lines)))


@pytest.mark.parametrize(
    ("expected", "as_expected"),
    [("illegal C26", True), ("illegal C27", False), ("illegal", True), ("answered C26", False)],
)
def test_another_clause_or_verdict_than_expected_is_told(expected: str, as_expected: bool) -> None:
    assert met(f"{OPENING}try meld 5h 2s 2h\nexpect {expected}\n") == [as_expected]


@pytest.mark.parametrize("expected", ["illegal K26", "answered K26", "item 1 K26 100"])
def test_a_clause_of_another_game_cannot_be_expected(expected: str) -> None:
    with pytest.raises(NotationError, match="Canasta has no clause K26"):
        met(f"{OPENING}try meld 5h 2s 2h\nexpect {expected}\n")
