// The table: whose turn it is to write, and what has become of the cards (record.md, section 2).
//
// The rules of play are not known here (audit.md). A slot is {deal, point, holder, card, gone}: the
// point that stands in it; the holder is undefined before it is given, null for the table, else a
// player; the card is known when it lies open; it is gone when the card has been shuffled again.

/** A part that exposes nobody, or a player: `cause` says what is wrong. */
class Broken extends Error {
  constructor(cause) {
    super(cause);
    this.cause = cause;
  }
}

class Exposed extends Error {
  constructor(cause, charter, player) {
    super(cause);
    this.cause = cause;
    this.player = player;
    this.member = charter.members[player];
  }
}

/** What a match of some players goes through, at one table after the other. */
class Table {
  constructor(charter) {
    this.game = GAMES[charter.game];
    this.deck = charter.deck;
    this.size = charter.members.length;
    this.founders = charter.members;
    this.announced = new Set(); // unlock keys, in hexadecimal
    this.deals = 0; // of which a shuffle was written
    this.round = 0;
    this.results = []; // the points of the rounds before this one
    this.seating = this.founders.map((_, player) => player); // the player on each seat
    this.dealer = 0;
    this.end = null; // "sound" or "ended", once the match is over
    this.foundBy(charter);
    this.beginDeck();
  }

  /** A record begins: no entry is there that another one could contradict. */
  foundBy(charter) {
    this.charter = charter;
    this.tableId = charter.tableId;
    this.keys = charter.keys;
    this.height = 0;
    this.head = charter.tableId;
    this.last = null; // the entry before
    this.before = null; // the table before it, if only the rules know that it exposes nobody
    this.opening = null; // this one, if hands are opened in it and no cards dealt
  }

  /** A copy to go on from. Keys, points and deals that are shuffled never change. */
  copy() {
    const other = Object.assign(Object.create(Table.prototype), this);
    other.slots = this.slots.map((slot) => ({ ...slot }));
    other.gives = [...this.gives];
    other.drawn = new Map(this.drawn);
    other.phase = { ...this.phase, due: [...this.phase.due] };
    if (this.phase.kind === "shuffle") other.phase.deal = this.phase.deal.copy();
    other.before = other.opening = null;
    return other;
  }

  get sides() {
    return sidesOf(this.game, this.size);
  }

  get place() {
    return { table: this.tableId, height: this.height, head: this.head };
  }

  /** All players, clockwise from one. */
  clockwiseFrom(player) {
    const seat = this.seating.indexOf(player);
    return this.seating.map((_, at) => this.seating[(seat + at) % this.size]);
  }

  /** All players, clockwise from the left of one, who is the last. */
  clockwiseAfter(player) {
    const [first, ...others] = this.clockwiseFrom(player);
    return [...others, first];
  }

  // -- what is due

  /** The draw or a round begins: all cards are to be shuffled. */
  beginDeck() {
    this.slots = [];
    this.gives = []; // [slot, player] in the order of the gives
    this.drawn = new Map(); // the card by which a player is seated
    const cards = Array.from({ length: this.deck.cards }, (_, card) => card);
    this.beginShuffle(cards);
  }

  beginShuffle(cards) {
    const deal = new Deal(this, this.deals, cards, this.slots.length);
    this.phase = { kind: "shuffle", due: this.clockwiseFrom(this.dealer), deal };
  }

  beginUnlock(gives) {
    const receiver = gives[0].player ?? this.dealer;
    const alone = gives.every(({ player }) => player === receiver);
    const writers = this.clockwiseAfter(receiver);
    const due = alone ? writers.filter((player) => player !== receiver) : writers;
    this.phase = { kind: "unlock", due, gives };
  }

  /** Everybody may move, or begin something else: who it is, the rules say. */
  beginPlay() {
    this.phase = { kind: "move", due: [] };
  }

  beginOpening() {
    this.phase = { kind: "open", due: this.clockwiseAfter(this.dealer) };
  }

  /** [slot, player] of the cards in a player's hand that nobody else has seen, as they were given. */
  hiddenCards(player) {
    return this.gives.filter(([slot, to]) => to === player && this.slots[slot].card === null);
  }

  /**
   * The due before a player who opens, or all for null, have no hands to open: with cards that nobody
   * has seen they have, otherwise only the rules know. Whether that can be.
   */
  passOver(player) {
    const { due } = this.phase;
    while (due.length > 0 && due[0] !== player) {
      if (this.hiddenCards(due.shift()).length > 0) return false;
    }
    return player === null || due.length > 0;
  }

  /** Whoever is gone signs nothing more. */
  beginClosing() {
    const due = this.clockwiseFrom(this.dealer).filter((one) => !this.charter.gone.includes(one));
    this.phase = { kind: "close", due, said: null };
  }

  /** The round is counted: the next one begins, or the match is over. */
  endRound(points, last) {
    this.results = [...this.results, points];
    if (last || this.charter.continues?.ends) {
      this.finish(last ? "sound" : "ended");
      return;
    }
    this.dealer = this.clockwiseAfter(this.dealer)[0];
    this.round += 1;
    this.beginDeck();
  }

  finish(end) {
    this.end = end;
    this.phase = { kind: "over", due: [] };
  }

  /** Who has not signed (audit.md, 15). */
  get unsigned() {
    if (this.end !== null) return [];
    const owing = this.phase.kind === "close" ? this.phase.due : this.charter.signers;
    return [...owing].sort((a, b) => a - b);
  }

  // -- the draw for seats

  /** The next cards are turned up for those who have none with a suit yet, or seats are taken. */
  continueDraw() {
    const waiting = this.founders.map((_, player) => player).filter((one) => !this.drawn.has(one));
    if (waiting.length === 0) {
      this.takeSeats();
      return;
    }
    const first = this.slots.findIndex((slot) => slot.holder === undefined);
    const gives = waiting.map((_, at) => ({ slot: first + at, player: null }));
    this.beginUnlock(gives);
    this.phase.drawers = waiting;
  }

  /** The cards that were turned up belong to the drawers, but those without a suit. */
  noteDrawn({ gives, drawers }) {
    gives.forEach(({ slot }, at) => {
      const card = this.slots[slot].card;
      if (card < this.deck.packs * 4 * this.game.ranks) this.drawn.set(drawers[at], card);
    });
  }

  takeSeats() {
    const { ranks } = this.game;
    const strength = (card) => [-(card % ranks), Math.floor(card / ranks) % 4, card];
    const ranking = [...this.drawn.keys()].sort((a, b) => {
      const [one, other] = [strength(this.drawn.get(a)), strength(this.drawn.get(b))];
      const at = one.findIndex((part, i) => part !== other[i]);
      return one[at] - other[at];
    });
    if (this.game.drawsSeats) {
      const seats = [];
      for (let side = 0; side < this.sides; side++) {
        for (let seat = side; seat < this.size; seat += this.sides) seats.push(seat);
      }
      this.seating = [...this.seating];
      seats.forEach((seat, at) => (this.seating[seat] = ranking[at]));
    }
    const [first] = ranking;
    this.dealer = this.game.highestDeals ? first : this.clockwiseFrom(first).at(-1);
    this.round = 1;
    this.beginDeck();
  }
}

/** One shuffling of cards: their points, and each player's unlock key (protocol.md, 3 to 5). */
class Deal {
  constructor(table, number, cards, first) {
    this.number = number;
    this.cards = cards;
    this.first = first;
    this.keys = new Map();
    this.points = cards.map((card) => {
      const place = [table.round, number, card].map(eightBytes);
      const point = hashToPoint("card", table.tableId, ...place);
      point.bytes = encodeRistretto(point);
      return point;
    });
    this.pointOf = new Map(cards.map((card, at) => [card, this.points[at]]));
    this.cardOf = new Map(cards.map((card, at) => [toHex(this.points[at].bytes), card]));
  }

  /** A copy that other players can shuffle. */
  copy() {
    const other = Object.assign(Object.create(Deal.prototype), this);
    other.keys = new Map(this.keys);
    return other;
  }
}
