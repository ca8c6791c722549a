// The options of each game (format.md, section 2): what each is by the rules, and the bounds of a number.

const OPTIONS = {
  canasta: {
    rounds: [0, 0, 1000],
    void_interrupted: [false],
    target: [5000, 500, 100000],
    two_canastas: [false],
    penalties: [false],
    red_start: [false],
    ask_again: [false],
    must_take: [true],
  },
  kanastic: {
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
  canastra: {
    void_interrupted: [false],
    rounds: [1, 1, 1000],
    require_canastra: [false],
    idle_turns: [100, 10, 1000],
  },
};
