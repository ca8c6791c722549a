// The fields of a charter that continues a match (record.md, section 6).

const DIGEST = bytesForm(32);
const PLAYER = integerForm(0, 255);
const MOST_HEIGHT = 2 ** 48;
const POINTS = listForm(integerForm(-(2 ** 30), 2 ** 30), 0, 255);

/** The end of a table's record: the height of its last entry, 0 without entries, and its head. */
const PLACE = structForm({ table: DIGEST, height: integerForm(0, MOST_HEIGHT), head: DIGEST });

/** The places that one signature abandons. */
const ABANDONS = listForm(PLACE, 0, 16);

const CONTINUES = structForm({
  match: DIGEST,
  place: PLACE,
  parentAttempt: integerForm(0, MOST_HEIGHT),
  attempt: integerForm(1, MOST_HEIGHT),
  left: listForm(PLAYER, 0, 255),
  results: listForm(POINTS, 0, 1000),
  ends: truthForm,
});

/** Check the bounds that depend on the game and the number of players. Throws FormError. */
function checkContinues({ parentAttempt, attempt, left, results }, game, players) {
  if (attempt <= parentAttempt) throw new FormError("the attempt is not higher");
  const inOrder = left.every((player, at) => at === 0 || player > left[at - 1]);
  if (!inOrder || left.some((player) => player >= players)) {
    throw new FormError("the players who have left are not in order");
  }
  if (results.some((points) => points.length !== sidesOf(game, players))) {
    throw new FormError("a round has no points for some side");
  }
}
