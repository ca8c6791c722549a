"""What the protocol says: of names and charters, and of records that do not hold."""

from client.i18n.language import later

PROTOCOL = (
    later("A charter is signed by each of its members."),
    later("A deck has at least one card, and each card once."),
    later("A length of {0} bytes: a part has 1 to {1}."),
    later("A lock of zero would turn every card into the identity."),
    later("A message of {0} bytes is too long: at most {1} are allowed."),
    later("A name cannot begin with an accent."),
    later("A name in the charter is not in its clean form."),
    later("A name needs at least one letter or digit."),
    later("A point is derived from exactly 64 bytes."),
    later("A round stands with its points if it is counted, and only then."),
    later("A scalar is 32 bytes, little-endian, and smaller than the group order."),
    later("A scalar is reduced from exactly 64 bytes."),
    later("A shuffle of {0} cards gave {1}."),
    later("A shuffle of {0} cards needs a permutation of exactly these."),
    later("A shuffle proof for {0} cards has {1} bytes, not {2}."),
    later("A signature has {0} bytes."),
    later("A silent player is waited for {0} to {1} seconds, not {2}."),
    later("Absent players are named once, in their order."),
    later("An absence is signed by all the others, and by the substitutes."),
    later("An absence is written in the name of the first who is there."),
    later("An unlock proof has 64 bytes, not {0}."),
    later("An unlock proof is about at least one card, before and after."),
    later("An unlocking of {0} cards gives {1} cards."),
    later("Each absent player has one substitute, who is new, or none has one."),
    later("Every entry holds."),
    later("It is not your turn to write in the record."),
    later("It is your turn to choose a move."),
    later("It is {0} who writes next."),
    later("It was another player's turn to write."),
    later("More than half of all players have to be there."),
    later("Nobody at this table has signed these bytes; they were changed or forged."),
    later("Nobody is absent for whom the table does not wait."),
    later("One identity sits at the table twice."),
    later("One of the two was written by an absent player, or about one."),
    later("Only an absence is signed by several players."),
    later("Shuffle proof, equation {0}: {1}."),
    later("That entry belongs to another record than this one."),
    later("That key cannot be an identity: anybody could sign for it."),
    later("That name has more than {0} accents on one letter."),
    later("That name is too long: at most {0} columns fit."),
    later("That name is {0} columns wide: at most {1} fit."),
    later("The card in slot {0} cannot be that {1}."),
    later("The charter does not hold: {0}"),
    later(
        "The cryptographic library could not be loaded from the temporary folder: {0}. Point "
        "TMPDIR (on Windows TEMP) to a folder with a few free megabytes in which programs may"
        " be executed, and start again."
    ),
    later("The entry belongs to another table."),
    later("The entry continues another record than this one."),
    later("The entry is written in the name of another player."),
    later("The hand has {0} cards, and all of them are opened."),
    later("The identity of the group hides nothing; it is no point here."),
    later(
        "The lock that the record says is yours is not on this machine; the round can go on "
        "only with a newer copy of this journal, or when the others agree on your absence."
    ),
    later("The lock to prove with is not the one whose unlock key is announced."),
    later("The match is over and signed by all; nothing follows."),
    later("The next entry is of kind {0}, not {1}."),
    later("The option {0} is neither yes or no nor a number."),
    later(
        "This table is of a newer version of the program: "
        "it speaks version {0} of the protocol, this program {1}."
    ),
    later(
        "This table is of a newer version of the program: "
        "it plays by version {0} of the rules, this program by {1}."
    ),
    later("This table is of a newer version of the program: this one does not know {0}."),
    later(
        "This table is of a newer version of the program: this one does not know the option {0}."
    ),
    later("This record is of a newer version of the program: it has another form."),
    later("The options of a table stand in the order of their names, each once."),
    later("An option that is as in the rules is not written down."),
    later("{0} is no name that a game or an option can have."),
    later("The proof is not for a deck of {0} cards."),
    later("The record ends after entry {0}, before the match does."),
    later("The record ends within its charter."),
    later("The record goes on after its end, at entry {0}."),
    later("The record ends in the middle, at entry {0}."),
    later("The shuffle is for the {0} cards from slot {1} on."),
    later("The shuffled deck does not have {0} cards."),
    later("The shuffled deck holds the same card twice."),
    later("The unlock key of the shuffle was used before."),
    later("There are two different entries of the same player in one place."),
    later("There is no entry of kind {0}."),
    later("There is no move {0}."),
    later("These bytes are a second encoding of a value that has a shorter one."),
    later("These bytes are not an encoded value: {0}"),
    later("These bytes are not the canonical encoding of a ristretto255 point."),
    later("This computation ends in the identity of the group, which is no point here."),
    later("This is an entry {0}, and number {1} is next."),
    later("This is no record of a Sobremesa game: it ends in its first line."),
    later("This is no record of a Sobremesa game: its first line is another."),
    later("Unlock proof: a sum in it hides nothing. {0}"),
    later("Unlock proof: the cards were not unlocked with the announced key."),
    later("What all sign is {0}, and nothing else."),
    later("Zero has no inverse."),
    later("{0} cards are to be given, and not like that."),
    later("{0} cards are to be unlocked, no more, no less."),
    later("{0} has not signed this charter."),
    later("{0} proofs are due, not {1}."),
    later("{0}: a list of fields is expected."),
    later("{0}: the field “{1}” {2}."),
    later("{0}: {1} values more than it has fields."),
)
"""Sentences with numbers for what is filled in."""

PHRASES = (
    later("the commitment does not take every card exactly once"),
    later("the commitment mixes cards"),
    later("the answers do not belong to the commitment"),
    later("the new deck does not come from the old one"),
    later("the lock is not the one of the announced unlock key"),
    later("the product was not built from the commitment"),
    later("is missing"),
    later("must be true or false"),
    later("must be an integer from {0} to {1}"),
    later("must be bytes"),
    later("must be {0} bytes, not {1}"),
    later("must be at most {0} bytes, not {1}"),
    later("must be text"),
    later("must be at most {0} characters, not {1}"),
    later("must be a list"),
    later("must have at most {0} items, not {1}"),
)
"""What is filled into some of the sentences."""
