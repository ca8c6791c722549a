"""What the engine says of positions, moves and options that it cannot read."""

from client.i18n.language import later

NOTATION = (
    later("A card is turned up: say which one, as in: deal Ks."),
    later("A card that is turned up is not hidden: say which one it is."),
    later("A card with ^ is the top of a pile that is taken."),
    later("A file of cases has at most {0} lines."),
    later("A line has at most {0} characters."),
    later("A move begins with one of the words {0}."),
    later("A move has at most {0} characters."),
    later("A note has a name, and mostly a text: note game canasta."),
    later("A position begins with a game and a number of players: canasta 4."),
    later("A side has one meld of a rank: state its cards in one line."),
    later("A turn is at one of the steps {0}."),
    later("After the word to comes the number of a meld, from 1 on."),
    later("An option has a name and a value, as in: option target 3000."),
    later("At the step {0}, {1} says nothing."),
    later("Cards are to be dealt or opened first: there is no position yet."),
    later("For {0}, give one number from {1} to {2}."),
    later("Going out ends with a discard ({clause}): state the pile, or its top."),
    later("Here one never comes to draw without a stock: it is renewed."),
    later("Line {0}: a case begins with a position."),
    later("Line {0}: there is a character that cannot be printed."),
    later("Line {0}: {1}"),
    later("No card is to be dealt here."),
    later("No line of {0} begins with {1}."),
    later("No meld can lie so. {0}"),
    later("Nothing follows the word {0}."),
    later("Nothing has been judged that could be expected."),
    later("Of a deck just shuffled nothing is dealt: state no cards."),
    later("One can expect: {0}."),
    later("Option {0} is a whole number from {1} to {2}, not yes or no."),
    later("Option {0} is a whole number from {1} to {2}, not {3}."),
    later("Option {0} is given twice."),
    later("Option {0} is yes or no, not {1}."),
    later("Say at which card, as in: cut 40."),
    later("Say which cards, as in: {0} 7h 7d 7s."),
    later("Say which one card, as in: discard 3s."),
    later(
        "Seat {0} holds {1} cards, so it has not gone out: state an empty hand, hand {2} 0, "
        "or another turn."
    ),
    later(
        "The deck has {0} cards, so {1} are left for the stock, not {2}. Leave the line out, "
        "or mend the counts, or write: stock {3} {4}."
    ),
    later(
        "The deck has {0} cards, so {1} are left for the stock, not {2}. Leave the line out, "
        "or mend the counts."
    ),
    later("The line “{0}” is there twice."),
    later("The line {0} has {1}."),
    later("The top of the pile is the {0}, not the {1}."),
    later("The {0} is no bonus card of {1}."),
    later("There are cards on both sides of a plus sign, and before the word to."),
    later("There are {0} deads, those taken included."),
    later("There is no case in this file: state a position, and moves to try."),
    later("There is no further {0} in the deck: all are placed by now."),
    later("There is no game {0}; there are {1}."),
    later("There is no option {0}; there are {1}."),
    later("There is no {0} in the hand, or not as many as named."),
    later("To count, all cards of seat {0} must be known: state its hand."),
    later("What has happened in the turn is said once."),
    later("When a round is over all hands are open: state all their cards."),
    later("Without a partner nobody asks or answers."),
    later("Write count, or count out if the seat whose turn it is went out."),
    later("{0} cards are to be dealt here, in their order."),
    later("{0} is for {1} players, not {2}."),
    later("{0} is no card; write rank and suit, like Ks or Td."),
    later("{0} is no number of one to three digits."),
)
"""Sentences of NotationError and InvalidOption, with numbers for what is filled in."""
