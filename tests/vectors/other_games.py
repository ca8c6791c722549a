"""Records made from rounds of Kanastic, a game of Canastra and a table with spectators.

Some records are sound; the others have the cheats that are impossible in Canasta.
"""

from collections.abc import Iterator

from attrs import evolve

from engine.moves import Discard, DrawStock
from engine.orders import Shuffle
from engine.slots import Shown, Slot
from protocol.entries import Entry, Given, MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.lock_key import LockKey
from protocol.player import Player
from protocol.shuffle import draw_permutation, lock_and_shuffle
from tests.attacks import false_faces
from tests.attacks.forging import lock_of, proven, statement
from tests.protocol.continuing import follow
from tests.protocol.played import Moment, from_a_second_deal
from tests.protocol.seeded import seeded
from tests.protocol.seeded_table import SeededTable
from tests.vectors.continuations import replaced_and_shuffled, shuffled
from tests.vectors.recorded import UNSEEN, Forge, Record, of_two_deals, recorded_as


def kanastic() -> Iterator[Record]:
    one = Forge(recorded_as("kanastic"))
    yield one.whole("sound", "A whole round, in which the stock is rebuilt.")
    yield from _rebuilt_stock(one)
    yield from _second_deal(one)
    yield from _both_deals(one)


def _rebuilt_stock(one: Forge) -> Iterator[Record]:
    """Return records in which a player who shuffles the rebuilt stock cheats.

    In R12-card it is the first player who shuffles it, in the other records the second one.
    The discards are shuffled in the middle of the round.
    """
    first = one.of.when("shuffle", lambda moment: len(moment.state.cards.deals) > 1)
    moment = one.of.at(first.state.height + 2)
    honest = moment.the(ShuffleContent)
    open_faces = set(map(first.state.cards.face, first.state.cards.points))
    hidden = next(card for card in range(108) if card not in open_faces)

    def forged(name: str, what: str, moment: Moment, content: ShuffleContent) -> Record:
        return one.after(moment, name, what, moment.signed(content))

    backwards = evolve(honest, cards=honest.cards[::-1])
    yield forged("R12-order", "The cards of the discards in another order.", moment, backwards)
    from_zero = evolve(honest, first=Slot(0))
    yield forged("R12-slot", "The slots begin with 0.", moment, from_zero)
    other = evolve(first.the(ShuffleContent), cards=(hidden, *honest.cards[1:]))
    yield forged("R12-card", "A card that is not among the discards.", first, other)
    old = lock_of(moment, deal=0).unlock_key.encode()
    what = "The key of the same round's first deal."
    yield forged("R13", what, moment, evolve(honest, unlock_key=old))
    random = seeded("vector shuffle-locked")
    key, size = LockKey.generate(random), len(honest.cards)
    locked = moment.state.cards.deals[0].outputs[:size]
    order = draw_permutation(size, random)
    outputs = lock_and_shuffle(locked, key, order)
    claim = statement(moment, key, outputs, inputs=locked)
    what = "Cards of the old stock under their old locks, instead of the discards."
    yield forged("shuffle-locked", what, moment, proven(moment, claim, key, order))


def _second_deal(one: Forge) -> Iterator[Record]:
    """Return records in which a card of the rebuilt stock is discarded."""
    moment = next(filter(from_a_second_deal, one.of.moments))
    honest = moment.the(MoveContent)
    assert isinstance(honest.move, Discard)
    true = honest.move.card
    deck, deal = moment.state.match.deck, moment.state.cards.last.deck.card_numbers
    other = next(number for number in deal if deck[number].code != true.card.code)
    lie = false_faces.discarded(moment, Shown(true.slot, deck[other]))
    yield one.after(moment, "face-lie", "Another card of the second deal.", moment.signed(lie))
    foreign = next(card for card in deck if card.number not in deal)
    lie = evolve(honest, move=Discard(Shown(true.slot, foreign)))
    yield one.after(moment, "R15", "A card that the deal does not have.", moment.signed(lie))
    twice = evolve(honest, proofs=2 * honest.proofs)
    what = "One proof too many, for a deal of which no card is shown."
    yield one.after(moment, "unlock-length", what, moment.signed(twice))


def _both_deals(one: Forge) -> Iterator[Record]:
    """Return records in which a hand of cards of two deals is opened, with a proof for each."""
    moment = next(filter(of_two_deals, one.of.moments))
    honest = moment.the(OpenContent)
    exchanged = moment.signed(evolve(honest, proofs=honest.proofs[::-1]))
    yield one.after(moment, "unlock-exchanged", "The proofs of two deals exchanged.", exchanged)
    cards, rebuilt = moment.state.cards, moment.state.cards.deals[1].deck.card_numbers
    gone = next(s for s in cards.points if s in cards.deals[0] and cards.face(s) in rebuilt)
    old = Shown(gone, moment.state.match.deck[cards.face(gone) or 0])
    with_old = moment.signed(evolve(honest, cards=(*honest.cards, old)))
    what = "The old slot of a card that was shuffled again, beside the hand."
    yield one.after(moment, "R16-old", what, with_old)
    single = moment.signed(evolve(honest, proofs=honest.proofs[:1]))
    yield one.after(moment, "unlock-single", "One proof for cards of two deals.", single)


def spectators() -> Iterator[Record]:
    """Return records whose charter admits spectators, who may sign nothing."""
    one = Forge(recorded_as("spectators"))
    last = one.of.moments[-1]
    yield one.whole("unfinished", "A turn at a table that admits spectators.")
    spectator = SeededTable.sit(players=2, seed=98).signers[0]
    signed = Entry.sign(Entry.decode(last.entry).body, spectator).encode()
    yield one.after(last, "R4", "The honest entry, signed by a spectator.", signed)


def redealt() -> Iterator[Record]:
    """Return records in which the stock must be rebuilt, and the first to shuffle is missing."""
    one = Forge(recorded_as("redealt"))
    last = one.of.moments[-1]
    moment = evolve(last, state=one.of.table.state, number=len(one.of.entries))
    assert isinstance(moment.state.match.orders[0], Shuffle)
    assert moment.state.match.round_number == 1
    entry, shuffle = replaced_and_shuffled(moment)
    what = "The next round begins: its deal has the number that the rebuilt stock would have had."
    yield one.after(moment, "sound", what, entry, shuffle)
    state = follow(moment.state, entry)
    ahead = evolve(state, deal_number=state.deal_number + 1).with_next_writers()
    what = "The next round begins, but its deal has a number that is one too high."
    yield one.after(moment, "shuffle-ahead", what, entry, shuffled(moment, ahead))
    honest = Player(moment.writer, moment.table.signers[moment.writer])
    rebuilt = honest.write(moment.state, seeded("vector rebuilt")).entry
    entry, shuffle = replaced_and_shuffled(moment, rebuilt)
    what = "Somebody is missing after the first shuffle of the rebuilt stock."
    yield one.after(moment, "begun", what, rebuilt, entry, shuffle)


def canastra() -> Iterator[Record]:
    one = Forge(recorded_as("canastra"))
    yield one.whole("sound", "A whole game.")
    moment = one.of.moving(Discard, hidden=True)
    honest = moment.the(MoveContent)
    assert isinstance(honest.move, Discard)
    twin = false_faces.twin(moment, honest.move.card)
    lie = moment.signed(evolve(honest, move=Discard(twin)))
    what = "Instead of the card, the equal card of the other pack is named in a discard."
    yield one.after(moment, "face-lie", what, lie)
    assert moment.state.match.round is not None
    aside = moment.state.match.round.set_aside[0][0]
    shares, proofs = moment.table.players[moment.writer]._take_off(moment.state, [aside])
    content = UnlockContent((Given(aside, moment.other),), (shares[aside],), proofs)
    what = "A card of a hand that lies aside is unlocked out of turn."
    unlocked = moment.signed(content)
    yield one.after(moment, "R11-aside", what, unlocked, without=UNSEEN)
    drawing = moment.signed(MoveContent(DrawStock(), ()))
    yield one.after(moment, "X10", "A second card drawn.", drawing, without=UNSEEN)
