"""The engine's own words in the language of the person: refusals, steps, items of the score sheet.

The engine speaks English and knows of no catalogs; a test sees to it that no text of it is missing.
"""

import re
from functools import cache

from client.language import _, later
from engine.position import Step

REFUSALS = (
    later("Without a canasta one cannot go out, so a card must be kept."),
    later("The partner said No: one does not go out in this turn."),
    later("Going out takes two canastas between two players."),
    later("Black threes are melded only when one goes out."),
    later("Melding takes at least one meld."),
    later("Opening takes {0} points, and these cards have {1}."),
    later("There are no sequences here, so no meld has a low end."),
    later("The side has a meld of that rank already; add to it."),
    later("Cards are added to a meld of one's own side only."),
    later("Wild cards alone are no meld."),
    later("The naturals of a meld are all of one rank."),
    later("Adding to a meld takes at least one card."),
    later("Red threes are never melded."),
    later("A meld has at least three cards."),
    later("A meld of three cards has at most one wild card."),
    later("A meld has at least two naturals."),
    later("A meld has at most three wild cards."),
    later("Black threes are laid three, four, or two with one wild card."),
    later("The {0} is of another rank than the meld."),
    later("There is no discard pile to take."),
    later("A pile with a {0} on top cannot be taken."),
    later("The top card, the {0}, must be melded at once."),
    later("Taking the {0} needs two more of its rank from the hand: the side has not opened."),
    later("Taking the {0} needs two more of its rank from the hand: the pile is frozen."),
    later("No {0} from the hand joins the top card."),
    later("The cut is a number from 0 to {0}."),
    later("A red three is laid when it is drawn, and not later."),
    later("The stock is empty: take the pile, or the hand is over."),
    later("There is no partner to ask."),
    later("One asks once in a turn."),
    later("One asks before melding down to the last card."),
    later("A red three is never discarded: lay it on the table."),
    later("The hand goes on: there is a stock to draw from."),
    later("A card must be discarded."),
    later("Canasta does not have that move."),
    later("The {0} is no red three."),
    later("The pile must be taken: its top card joins an own meld."),
    later("Melding takes at least one run."),
    later("Cards of a run lie wherever they fit: a run has no low end."),
    later("Adding to a run takes at least one card."),
    later("One adds to one's own runs, and there is no such run."),
    later("Take the pile first, and meld afterwards."),
    later("The pile is empty: draw from the stock."),
    later("With a single card in hand one draws from the stock."),
    later("The only card left would be one that may not be discarded."),
    later("The {0} was the only card of the pile: discard another one."),
    later("Without a canastra one cannot go out, so a card must stay in the hand."),
    later("Canastra does not have that move."),
    later("A run of one number takes a single two."),
    later("The cards do not follow each other."),
    later("A run has at least three cards."),
    later("Twos alone are no run."),
    later("A sequence is all of one suit."),
    later("A run of one number has aces only, kings only or threes only."),
    later("A sequence has each of its cards once."),
    later("Only the whole sequence of 14, ace to ace, has two aces."),
    later("A sequence takes one wild card, and beside it only the two of its own suit."),
    later("An ace is the first or the last card, and joins no two ends."),
    later("A golden suit lies within 4 and ace, and the ace is high."),
    later("The gold cards of a suit follow each other, the lowest first."),
    later("A golden suit has at most three Artifacts."),
    later("Swords have no place in a golden suit."),
    later("The {0} is no gold card."),
    later("In stage {0} the first melds have at most {1} wild cards."),
    later("The last card is discarded: a card must stay in the hand."),
    later(
        "Without a canasta or a golden suit one cannot go out, "
        "so a card must stay in the hand after the discard."
    ),
    later("In stage IV one opens with a canasta or a golden suit."),
    later("The first melds take {0} points in stage {1}, and these cards have {2}."),
    later("There is no such meld on one's own side."),
    later("The naturals of a meld are of one rank, or all of them are gold."),
    later("A meld has at least three naturals."),
    later("Only a golden suit on the table has a low end."),
    later("Shields are never melded."),
    later("Treasure Pots are never melded."),
    later("A meld of one rank has at most eight cards."),
    later("A new meld shows naturals of at least three suits."),
    later("There is no discard pile."),
    later("The first discard of the round is never taken."),
    later("The pile is blocked: a stop card was discarded this turn around."),
    later("The {0} goes into a new meld, not onto an old one."),
    later("The meld with the {0} has no wild cards."),
    later("The {0} needs two naturals from the hand beside it."),
    later("A Treasure Pot is laid when it is drawn, and not later."),
    later("The top alone is taken only by a side that has not melded."),
    later("A side takes the whole pile only after its first meld."),
    later("The pile must wait until one's partner has played again."),
    later("Taking the pile needs four cards in hand."),
    later("Taking the pile needs four cards in the stock."),
    later("Take the pile with one meld; lay the others afterwards."),
    later("A Treasure Pot is never discarded: lay it on the table."),
    later("Nobody passes: a turn is a draw and a discard."),
    later("The {0} is no Treasure Pot."),
    later("Seats are being drawn; nobody moves yet."),
    later("Cards are being dealt or turned up; nobody moves yet."),
    later("It is the moment to {0}."),
    later("One physical card is named twice."),
    later("The {0} is not in the hand, or named twice."),
    later("That card was seen before, and it is no {0}."),
    later("The round is over; nobody moves."),
    later("It is for seat {0} to move."),
    later("The {0} must be laid on the table, before anything else."),
)
"""Sentences of IllegalMove, with numbers for what is filled in."""

STEPS = {
    Step.DEAL: later("shuffle and deal"),
    Step.CUT: later("cut the deck"),
    Step.SHOW: later("lay dealt bonus cards on the table"),
    Step.OPEN: later("make the round's first discard"),
    Step.DRAW: later("draw"),
    Step.PLAY: later("meld or discard"),
    Step.ANSWER: later("answer one's partner"),
    Step.OVER: later("open the hands and count"),
}

ITEMS = (
    later("clean canastas"),
    later("dirty canastas"),
    later("real canastras"),
    later("clean canastras"),
    later("dirty canastras"),
    later("natural canastas"),
    later("mixed canastas"),
    later("natural ace canastas"),
    later("mixed ace canastas"),
    later("royal golden suits"),
    later("mixed golden suits"),
    later("cards melded"),
    later("cards in runs"),
    later("going out at one stroke"),
    later("going out"),
    later("cards in hand"),
    later("wild cards in hand"),
    later("Shields in hand"),
    later("Treasure Pots"),
    later("Treasure Pots kept in hand"),
    later("vain questions"),
    later("red threes"),
    later("red threes kept in hand"),
    later("doubled by the last discard"),
)
"""What points are for."""

OPTIONS = (
    later("A new meld of like cards shows naturals of three different suits."),
    later("Games to play; the players take turns at starting."),
    later("Going out for good takes a canastra of one's own."),
    later("Match points at which the match ends."),
    later("Penalties for a kept red three and for a vain question."),
    later("Points for the side that goes out."),
    later("Rebuilt stocks played through on end with no card melded that end the round."),
    later("Rounds to play; 0: until a side reaches the target."),
    later("Turns in a row without a card drawn from the stock or melded that end the game."),
    later("Two players: going out takes two canastas instead of one."),
)
"""What table options are about."""


def refusal_text(why: str) -> str:
    """A sentence of the engine, translated where the catalogs have it."""
    for template in REFUSALS:
        match = _pattern(template).fullmatch(why)
        if match is not None:
            return _(template).format(*(_(value) for value in match.groups()))
    return why


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Matches the template with anything filled in."""
    return re.compile(re.sub(r"\\\{\d\\\}", "(.+)", re.escape(template)))
