"""What p2p says: of folders and journals, of the network, and of peers who do what they may not."""

from client.i18n.language import later

NODE = (
    later("A beacon says where its node listens."),
    later("A candidate waits, and signs for himself."),
    later("A field of a beacon is no number."),
    later("A field of a beacon is no text."),
    later("A field of a beacon is too long."),
    later("A goodbye is one printable sentence."),
    later("A guest changes his mind too often."),
    later("A guest is ready or not, signs, or leaves."),
    later("A key has {0} bytes, a mark {1}."),
    later("A key or mark is hexadecimal."),
    later("A link begins with a hello, said at once."),
    later("A member is greeted with the signed charter."),
    later("A member says too much that is no news."),
    later("A name is not in its clean form."),
    later("A record begins with its charter."),
    later("A record is shown from its first entry, one after the other."),
    later("A record only grows."),
    later("A table has one charter."),
    later("A vote is for the one entry that says so."),
    later("An address is an IP address in its usual form."),
    later("At that table this node was no player."),
    later("At the table one says heights and entries, no more."),
    later("Enough players would take that seat already."),
    later("Entry {0} cannot be written: this table is at {1}."),
    later("Entry {0} does not hold: {1}"),
    later("In the lobby one asks for a seat first."),
    later("It is not your turn."),
    later("No encrypted connection came about ({0})."),
    later("The match at this table is not over yet; you have a seat there."),
    later("No seat is free at this table, and nobody is missed there."),
    later("Nobody answers at {0}, port {1}. {2}"),
    later("Nobody answers at {0}, port {1}."),
    later("One votes about absence."),
    later("This table is kept for those who have just played at it."),
    later("Only players who have sat here before are asked to this table."),
    later(
        "Sobremesa is already running with the identity in {0}. Close the other one first, or"
        " set {1} to another folder to play as somebody else."
    ),
    later("Somebody of that name sits here already; choose another name."),
    later(
        "Tables cannot be looked for on this network ({0}). Sitting down by address works "
        "nevertheless: sobremesa join HOST:PORT."
    ),
    later("That invites nobody."),
    later("That invites somebody else."),
    later("That is no invitation to this table."),
    later("That is no name of a game."),
    later("That is no signature of the charter."),
    later("That is no vote: {0}"),
    later("That vote is not asked for."),
    later("That vote is not signed."),
    later("The charter does not name this player and the host."),
    later("The charter does not name this player."),
    later("The charter is about another table than the host has shown."),
    later("The connection broke."),
    later(
        "The file {0} holds no Ed25519 key. It was left as it is: put back a copy, or move it"
        " away to start with a new identity."
    ),
    later("The file {0} is no journal of Sobremesa. It was left as it is."),
    later("The folder {0} cannot be made ({1}). Set {2} to a folder of your own."),
    later("The handshake took too long."),
    later("The host cannot be reached any more; nobody knows whether the table began."),
    later("The host has closed the table."),
    later("The host said something that has no place in a lobby."),
    later("The journal does not know this table: {0}."),
    later("The journal has another entry {0} of this table; it stays."),
    later("The journal has another secret “{0}” of this table; it stays."),
    later(
        "The journal {0} cannot be used ({1}). Nothing was written: make room on the disk or "
        "see to its permissions, then start again."
    ),
    later(
        "The journal {0} is damaged ({1}). It was left as it is: put back a copy, or move it "
        "away together with the files beside it that begin with its name."
    ),
    later(
        "The journal {0} was written by a newer version of Sobremesa (its format is {1}, this"
        " program knows {2}). Use that version; nothing is lost."
    ),
    later("The link is closed."),
    later("The link was closed by ourselves."),
    later("The name of a table is not in its clean form."),
    later("The node said something that a candidate is not told."),
    later("The peer announced a message of {0} bytes; at most {1} are allowed."),
    later("The peer closed the connection."),
    later("The peer did not read for {0} s."),
    later("The peer is too slow: {0} messages wait to be sent to it."),
    later("The peer refused us ({0})."),
    later("The peer refused us."),
    later("The peer shows a key that anybody can sign for."),
    later("The peer with the key {0}… is not expected here."),
    later("The peer {0} for too long."),
    later("The peer's certificate cannot be read."),
    later("The peer's certificate holds no Ed25519 key."),
    later("The record of that table does not hold: {0}"),
    later("The table begins with a charter that nobody was shown."),
    later("The table begins with another charter than was signed."),
    later("The table goes on with the players it has."),
    later("The table has gone on meanwhile."),
    later("The table is full."),
    later("The table {0} is already in the journal with another charter."),
    later("There are {0} seconds of grace left."),
    later("There is {0} second of grace left."),
    later("There is no message {0}."),
    later("There is no such table here, or not any more."),
    later("This node cannot be announced on the network ({0})."),
    later("This node speaks version {0}, yours {1}."),
    later("Whoever is to take a seat has to wait at the table."),
    later("Whoever was to take the seat has gone again."),
    later("Whoever would take a seat asks for it first."),
    later("You have invited enough people to that seat."),
    later("You have sat at this table before, and your seat was given away."),
    later("You have voted for something else in this place."),
    later("You sit at this table already."),
    later(
        "Your journal was put back from a copy: what you may have agreed to since has to be heard "
        "from {0} first."
    ),
    later("{0} has another key here ({1}) than the player who comes now ({2})."),
    later("{0} has not signed yet to take the seat."),
)
"""Sentences with numbers for what is filled in."""

PHRASES = (
    later("has said nothing"),
    later("left a message unfinished"),
)
"""What is filled into some of the sentences."""
