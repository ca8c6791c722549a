// The games (format.md, section 2): who plays, the ranks of a suit, the decks (packs of four suits, and
// then cards without a suit; a table has the first that fits its players and options), and the options:
// what each is by the rules, and the bounds of a number.

const GAMES = {
  canasta: {
    rules: 1,
    players: [2, 3, 4, 5, 6],
    couples: [4, 6],
    drawsSeats: true,
    highestDeals: false,
    ranks: 13,
    decks: [
      { packs: 2, cards: 108, option: "", value: 0, players: [] },
    ],
    options: {
      rounds: [0, 0, 1000],
      void_interrupted: [false],
      target: [5000, 500, 100000],
      two_canastas: [false],
      penalties: [false],
      red_start: [false],
      ask_again: [false],
      must_take: [true],
    },
  },
  kanastic: {
    rules: 1,
    players: [2, 3, 4],
    couples: [4],
    drawsSeats: false,
    highestDeals: true,
    ranks: 11,
    decks: [
      { packs: 2, cards: 108, option: "", value: 0, players: [] },
    ],
    options: {
      rounds: [0, 0, 1000],
      void_interrupted: [false],
      target: [10000, 500, 100000],
      distinct_suits: [true],
      going_out_bonus: [100, 0, 1000],
      barren_passes: [2, 1, 100],
      short_suits: [false],
      leave_pile: [false],
      double_totals: [false],
    },
  },
  canastra: {
    rules: 1,
    players: [2],
    couples: [],
    drawsSeats: false,
    highestDeals: false,
    ranks: 13,
    decks: [
      { packs: 2, cards: 104, option: "", value: 0, players: [] },
    ],
    options: {
      void_interrupted: [false],
      rounds: [1, 1, 1000],
      require_canastra: [false],
      idle_turns: [100, 10, 1000],
    },
  },
  hand_and_foot: {
    rules: 1,
    players: [2, 3, 4, 5, 6],
    couples: [4, 6],
    drawsSeats: true,
    highestDeals: false,
    ranks: 13,
    decks: [
      { packs: 3, cards: 162, option: "packs", value: 3, players: [] },
      { packs: 4, cards: 216, option: "packs", value: 4, players: [] },
      { packs: 6, cards: 324, option: "packs", value: 6, players: [] },
      { packs: 5, cards: 270, option: "", value: 0, players: [] },
    ],
    options: {
      void_interrupted: [false],
      rounds: [4, 1, 1000],
      packs: [5, 3, 6],
      draw: [2, 1, 3],
      whole_pile: [false],
      clean_books: [1, 0, 5],
      dirty_books: [1, 0, 5],
    },
  },
  samba: {
    rules: 1,
    players: [2, 3, 4, 5, 6],
    couples: [4, 6],
    drawsSeats: true,
    highestDeals: false,
    ranks: 13,
    decks: [
      { packs: 3, cards: 162, option: "", value: 0, players: [] },
    ],
    options: {
      rounds: [0, 0, 1000],
      void_interrupted: [false],
      target: [10000, 500, 100000],
      draw: [2, 1, 3],
      closed_sequences: [true],
      canastas: [2, 0, 5],
    },
  },
};
