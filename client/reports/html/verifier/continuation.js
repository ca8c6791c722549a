// Continuations: a table is founded again in the middle of the match (record.md, section 6).

/** Return the result of `advance` for a charter at the end of a record. Throws Broken. */
function continueTable(table, part) {
  const charter = readContinuation(part);
  // The last entry may expose its writer by a rule of play that is not known here. In that case the
  // entry has changed nothing, and the table before it counts.
  for (const parent of [table, table.before]) {
    const parents = [parent, parent?.opening].filter((one) => one);
    const [founded, other] = parents.flatMap((one) => foundTable(one, charter));
    if (founded === undefined) continue;
    founded.opening ??= other ?? null;
    const signatures = charter.signers.length;
    return { table: founded, kind: "charter", body: null, signatures };
  }
  throw new Broken("R19");
}

/** Return the charter of a continuation. Throws Broken and NewerVersion. */
function readContinuation(part) {
  try {
    return readSignedCharter(part);
  } catch (error) {
    if (error instanceof FormError) throw new Broken("R19");
    throw error;
  }
}

/** Return a list with the table after a continuation; empty if it does not continue the record. */
function foundTable(table, charter) {
  if (charter.continues === null || !continuesRecord(table, charter)) return [];
  const after = table.copy();
  after.foundBy(charter);
  after.continuation = { left: charter.continues.left, parent: table.charter, charter };
  try {
    after.continuation.then = goOn(after, charter.continues);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
  return [after];
}

/** Return true if R19 holds, except for the round. */
function continuesRecord(table, charter) {
  const { charter: before, founders } = table;
  const { match, place, parentAttempt, left, ends } = charter.continues;
  if (!sameValue(place, table.place) || !sameBytes(match, before.matchId)) return false;
  if (parentAttempt !== before.attempt || table.end !== null) return false;
  if (!sameValue(charter.terms, before.terms)) return false;
  if (charter.members.length !== before.members.length) return false;
  const isSeated = ({ key }) => before.members.some((one) => sameBytes(one.key, key));
  const seatsFit = charter.members.every((member, player) =>
    left.includes(player) && !ends ? !isSeated(member) : sameValue(member, before.members[player]),
  );
  const signing = charter.signers.map((player) => toHex(charter.members[player].key));
  const stay = founders.filter(({ key }) => signing.includes(toHex(key)));
  return seatsFit && 2 * stay.length > founders.length;
}

/**
 * Count the round, deal it again, or let it be opened. The results of the charter decide which, as
 * far as this can be known without the rules of play. Return the word for which a page has a text,
 * or "" if there was no round. Throws Refusal.
 */
function goOn(table, { left, results, ends }) {
  const known = table.results.length;
  demand(sameValue(results.slice(0, known), table.results), "R19");
  demand(results.length <= known + 1, "R19");
  // Cards are turned up: perhaps hands set aside, because the round is over.
  if (turnsUp(table)) table.beginPlay();
  const counted = results[known] ?? null;
  const voids = table.charter.options.some((one) => one.name === "void_interrupted" && one.value);
  const { kind, due, said } = table.phase;
  const owed = due.some((player) => table.hiddenCards(player).length > 0);
  const hidden = table.seating.some((player) => table.hiddenCards(player).length > 0);
  const opens = kind === "open" || (kind === "move" && hasHands(table) && !voids);
  if (kind === "close") {
    demand(counted !== null && (said === null || sameList(counted, said.points)), "R19");
  } else if (kind === "open") {
    demand(counted === null || !owed, "R19");
  } else if (kind !== "move") {
    demand((counted !== null) === (hasHands(table) && !voids), "R19");
  } else if (voids && counted !== null) {
    demand(hasHands(table) && !hidden, "R19"); // all hands lie open, and closing the round is next
  }
  if (counted !== null) {
    const last = kind === "close" && said !== null && said.last;
    demand(ends || !last, "R19");
    const isOver = kind === "close" || kind === "open";
    table.endRound(counted, last);
    if (isOver) return "stands";
    return kind === "move" && !hidden ? "counts" : "counts as it lies";
  }
  if (opens) {
    goOnOpening(table, left);
    return "opening";
  }
  const isUnsure = kind === "move" && hasHands(table); // only the rules know which of the two holds
  if (isUnsure) {
    table.opening = table.copy();
    goOnOpening(table.opening, left);
  }
  const isDraw = table.round === 0;
  table.beginDeck();
  if (ends) table.finish("ended");
  if (isUnsure) return "opening or again";
  if (ends) return isDraw ? "" : "nothing";
  return isDraw ? "draw again" : "again";
}

/** Continue with the opening of hands; the hands of players who have left stay closed. */
function goOnOpening(table, left) {
  if (table.phase.kind === "move") table.beginOpening();
  table.phase.due = table.phase.due.filter((player) => !left.includes(player));
  if (table.phase.due.length === 0) table.beginClosing();
}

/** Return true during an unlocking that only turns cards up, after hands were dealt. */
function turnsUp(table) {
  const { kind, gives } = table.phase;
  const isUp = kind === "unlock" && gives.every(({ player }) => player === null);
  return isUp && table.gives.length > 0;
}

/** Return true if players are known to have cards in this round, or are being given cards. */
function hasHands(table) {
  const { kind, gives } = table.phase;
  const giving = kind === "unlock" ? gives : [];
  return table.gives.length > 0 || giving.some(({ player }) => player !== null);
}
