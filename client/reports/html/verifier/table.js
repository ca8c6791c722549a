// The table: the players who are due, and the state of the cards (record.md, section 2).
//
// The rules of play are not known here (audit.md). A slot is {deal, point, holder, card, gone}. Its
// holder is undefined before the card is given, null for a card on the table, else a player. Its
// card is null until it lies open. A slot is gone when its card has been shuffled again.

/** The error for a wrong part that exposes nobody; `cause` names the failed check. */
class Broken extends Error {
  constructor(cause) {
    super(cause);
    this.cause = cause;
  }
}

/** The error for a part that exposes a player. */
class Exposed extends Error {
  constructor(cause, charter, player) {
    super(cause);
    this.cause = cause;
    this.player = player;
    this.member = charter.members[player];
  }
}

/** The state of a match, which passes from one table to the next. */
class Table {
  constructor(charter) {
    this.game = GAMES[charter.game];
    this.deck = charter.deck;
    this.size = charter.members.length;
    this.founders = charter.members;
    this.announced = new Set(); // unlock keys, in hexadecimal
    this.deals = 0; // number of deals with at least one shuffle
    this.round = 0;
    this.results = []; // the points of the rounds before this one
    this.seating = this.founders.map((_, player) => player); // the player on each seat
    this.dealer = 0;
    this.end = null; // "sound" or "ended", once the match is over
    this.foundBy(charter);
    this.beginDeck();
  }

  /** Begin the record of a charter, in which no entry can contradict another one yet. */
  foundBy(charter) {
    this.charter = charter;
    this.tableId = charter.tableId;
    this.keys = charter.keys;
    this.height = 0;
    this.head = charter.tableId;
    this.last = null; // the entry before
    this.before = null; // the table before that entry, if only the rules can judge the entry
    this.opening = null; // a copy in which hands are opened, if only the rules know if they are
  }

  /** Return a copy that can be changed. It shares keys, points and shuffled deals: none changes. */
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

  /** Return all players clockwise, beginning with this one. */
  clockwiseFrom(player) {
    const seat = this.seating.indexOf(player);
    return this.seating.map((_, at) => this.seating[(seat + at) % this.size]);
  }

  /** Return all players clockwise, ending with this one. */
  clockwiseAfter(player) {
    const [first, ...others] = this.clockwiseFrom(player);
    return [...others, first];
  }

  // -- phases

  /** Begin the draw or a round with a shuffle of all cards. */
  beginDeck() {
    this.slots = [];
    this.gives = []; // [slot, player], in the order in which they were given
    this.drawn = new Map(); // the card that each player drew for the seats
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

  /** Let anybody move or begin a phase; only the rules of play know whose turn it is. */
  beginPlay() {
    this.phase = { kind: "move", due: [] };
  }

  beginOpening() {
    this.phase = { kind: "open", due: this.clockwiseAfter(this.dealer) };
  }

  /** Return [slot, player] of a player's cards that nobody else has seen, in dealing order. */
  hiddenCards(player) {
    return this.gives.filter(([slot, to]) => to === player && this.slots[slot].card === null);
  }

  /**
   * Pass over the players who are due before `player` (all of them for null), as players with no
   * hand to open. Return false if one of them has a hidden card and so must open; without hidden
   * cards only the rules of play know.
   */
  passOver(player) {
    const { due } = this.phase;
    while (due.length > 0 && due[0] !== player) {
      if (this.hiddenCards(due.shift()).length > 0) return false;
    }
    return player === null || due.length > 0;
  }

  /** Begin the closing of a round, which players who have gone do not sign. */
  beginClosing() {
    const due = this.clockwiseFrom(this.dealer).filter((one) => !this.charter.gone.includes(one));
    this.phase = { kind: "close", due, said: null };
  }

  /** Count the round; begin the next one, or end the match. */
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

  /** The players who have not signed (audit.md, 15). */
  get unsigned() {
    if (this.end !== null) return [];
    const owing = this.phase.kind === "close" ? this.phase.due : this.charter.signers;
    return [...owing].sort((a, b) => a - b);
  }

  // -- the draw for seats

  /** Turn cards up for the players who have drawn no suit yet; take seats when all have one. */
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

  /** Note the card that each player drew, except for cards without a suit. */
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

/** One shuffle of cards by all: their points, and the unlock keys (protocol.md, 3 to 5). */
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

  /** Return a copy that the next player can shuffle. */
  copy() {
    const other = Object.assign(Object.create(Deal.prototype), this);
    other.keys = new Map(this.keys);
    return other;
  }
}
