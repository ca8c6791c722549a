// Evidence: two signatures of one key that contradict each other (record.md, section 6.6).

const STATEMENT = structForm({
  charter: CHARTER_BYTES,
  player: PLAYER,
  abandons: ABANDONS,
  signature: bytesForm(64),
});

const EVIDENCE = structForm({
  kind: constantForm("evidence"),
  one: anyForm,
  other: anyForm,
  table: optionalForm(CHARTER_BYTES),
});

/** Return Exposed for the player against whom a part is evidence. Throws Broken. */
function exposedBy(value, matchId) {
  let evidence;
  try {
    evidence = readEvidence(value);
  } catch (error) {
    if (error instanceof FormError || error instanceof NewerVersion) throw new Broken("R3");
    throw error;
  }
  const { charter, player, cause } = evidence;
  if (cause === null || !sameBytes(charter.matchId, matchId)) throw new Broken("R20");
  return new Exposed(cause, charter, player);
}

/** Return {charter, player, cause}; the cause is null if the two signatures expose nobody. */
function readEvidence(value) {
  const { one, other, table } = EVIDENCE.read(value);
  if (one instanceof Uint8Array) {
    const both = listForm(bytesForm(0, 64 * 1024), 2, 2).read([one, other]);
    const entries = both.map((entry) => ENTRY.read(decodeValue(entry)));
    return againstItself(entries, new Charter(bytesOf(table)));
  }
  const statement = signedStatement(STATEMENT.read(one));
  if (!(other instanceof Uint8Array)) {
    constantForm(null).read(table);
    const second = signedStatement(STATEMENT.read(other));
    return { ...statement, cause: againstStatement(statement, second) };
  }
  const entry = ENTRY.read(decodeValue(other));
  return { ...statement, cause: againstEntry(statement, entry, new Charter(bytesOf(table))) };
}

const bytesOf = (value) => CHARTER_BYTES.read(value);

/** Return a statement with its charter and key. Throws FormError, also for a wrong signature. */
function signedStatement({ charter: bytes, player, abandons, signature }) {
  const charter = new Charter(bytes);
  if (charter.continues === null || !charter.signers.includes(player)) {
    throw new FormError("the statement is not by a signer of a continuation");
  }
  if (!charter.isSignedBy(player, signature, abandons)) {
    throw new FormError("the statement is not signed");
  }
  return { charter, player, abandons, key: charter.keys[player] };
}

/** Return the cause C3 if two statements contradict each other. */
function againstStatement({ charter: one, key }, { charter: other, key: otherKey }) {
  const isSame = sameBytes(one.matchId, other.matchId) && one.attempt === other.attempt;
  const differ = !sameBytes(one.bytes, other.bytes);
  return isSame && differ && sameBytes(key.bytes, otherKey.bytes) ? "C3" : null;
}

/** Return R8 as the cause if one member of the table has signed two entries of one height. */
function againstItself(entries, charter) {
  const player = charter.keys.findIndex((key) =>
    entries.every(({ body, signature }) => key.hasSigned(ENTRY_LABEL, body, signature)),
  );
  const [one, other] = entries.map(({ body }) => readBodyOrNull(body, charter));
  const areBodies = player >= 0 && one !== null && other !== null && one.height === other.height;
  const differ = !sameBytes(entries[0].body, entries[1].body);
  const cause = areBodies && differ && !mayUnlock(one, other) ? "R8" : null;
  return { charter, player, cause };
}

/** Return true if one unlocks and the heads before them differ: a power cut can cause that. */
function mayUnlock(one, other) {
  const hasUnlocking = one.kind === "unlock" || other.kind === "unlock";
  return hasUnlocking && !sameBytes(one.previous, other.previous);
}

/** Return C1 or C2 if the two contradict each other; null if not, or if the entry is not valid. */
function againstEntry({ charter, abandons, key }, { body: bytes, signature }, table) {
  if (!key.hasSigned(ENTRY_LABEL, bytes, signature)) return null;
  const body = readBodyOrNull(bytes, table);
  if (body === null) return null;
  if (!sameBytes(table.matchId, charter.matchId)) return null;
  const { place, parentAttempt, attempt, results } = charter.continues;
  const left = [place, ...abandons].filter((one) => sameBytes(one.table, table.tableId));
  const isLate = left.length > 0 && left.every(({ height }) => body.height > height);
  if (isLate && body.kind !== "unlock") return "C1";
  const isPassed = parentAttempt < table.attempt && table.attempt < attempt;
  const isParent = sameBytes(place.table, table.tableId);
  if (body.kind !== "close" || !(isParent || isPassed)) return null;
  const { round, points } = body.content;
  const result = results[round - 1];
  return result !== undefined && sameList(result, points) ? null : "C2";
}

/** Return the body of an entry at that table, or null. */
function readBodyOrNull(bytes, table) {
  try {
    const body = readBody(decodeValue(bytes), table.deck.cards);
    return sameBytes(body.table, table.tableId) ? body : null;
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}
