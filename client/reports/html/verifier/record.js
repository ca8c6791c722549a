// The record: each entry in its place, signed by whoever is to write it (record.md, section 1).

const ENTRY_LABEL = "sobremesa/1/entry";
const ABSENCE_LABEL = "sobremesa/1/absence";

/** The table goes on by one entry: {body, signatures}. Throws Broken or Exposed. */
function advance(table, part) {
  demandNoContradiction(table, part);
  const entry = readEntry(part);
  if (entry === null) throw new Broken("R3");
  const before = { ...table.phase, due: [...table.phase.due] };
  let body;
  try {
    body = entry.signature.length > 64 ? takeJoint(table, entry) : takeSigned(table, entry);
  } catch (error) {
    table.phase = before; // an entry that does not hold changes nothing
    throw error;
  }
  table.height += 1;
  table.head = digest("entry", entry.body);
  return { body, signatures: entry.signature.length / 64 };
}

function takeSigned(table, { body: bytes, signature }) {
  const signer = signerOf(table, bytes, signature);
  if (signer === null) throw new Broken("R4");
  try {
    const place = readPlace(bytes);
    demandPlace(table, place, bytes, signer);
    const body = readBody(place.value, table.game.deck);
    demand(body.kind !== "absent", "R9");
    demandReleases(table, body);
    demand(body.writer === signer, "R10");
    const wasDue = isDue(table, signer);
    demandTurn(table, body);
    TAKE[body.kind](table, body, (deal) => contextOf(table, signer, deal));
    table.last = { bytes, signer, previous: place.previous, wasDue };
    remember(table, place, signer, body.releases);
    return body;
  } catch (error) {
    if (error instanceof FormError) throw new Exposed("R9", signer);
    if (error instanceof Refusal) throw new Exposed(error.cause, signer);
    throw error;
  }
}

/**
 * Whether it is known without the rules that a player is to write. Whoever has no card that nobody
 * has seen may have an empty hand, which is not opened.
 */
function isDue(table, player) {
  const { kind, due } = table.phase;
  if (kind === "move" || due[0] !== player) return false;
  return kind !== "open" || table.hiddenCards(player).length > 0;
}

/** The member who has signed a body, or null. Whoever it says is its writer is tried first. */
function signerOf(table, body, signature) {
  let guess = 0;
  try {
    const value = decodeValue(body);
    if (Array.isArray(value) && Number.isInteger(value[3]) && value[3] < table.size) {
      guess = Math.max(0, value[3]);
    }
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
  }
  const others = table.keys.map((_, player) => player).filter((player) => player !== guess);
  const signer = [guess, ...others].find((player) =>
    table.keys[player].hasSigned(ENTRY_LABEL, body, signature),
  );
  return signer ?? null;
}

/** R5 to R8. */
function demandPlace(table, { table: id, height, previous }, bytes, signer) {
  if (!sameBytes(id, table.tableId)) throw new Broken("R5");
  const { last } = table;
  if (height !== table.height + 1) {
    if (height !== table.height || last === null) throw new Broken("R6");
    if (sameBytes(bytes, last.bytes)) throw new Broken("R6"); // whoever has signed it once more
    if (signer === last.signer) throw new Refusal("R8");
    if (last.wasDue && sameBytes(previous, last.previous)) throw new Refusal("R11");
    throw new Broken("R6");
  }
  if (!sameBytes(previous, table.head)) throw new Broken("R7");
}

/** What a proof of a player about a deal is bound to (protocol.md, section 3). */
function contextOf(table, player, deal) {
  const { bytes } = table.keys[player];
  const height = eightBytes(table.height + 1);
  return digest("context", table.tableId, height, table.head, bytes, eightBytes(deal.number));
}

// -- absence (record.md, section 6)

function takeJoint(table, { body: bytes, signature }) {
  let body;
  try {
    const place = readPlace(bytes);
    demandNotLate(table, place, bytes, signature);
    if (!sameBytes(place.table, table.tableId)) throw new Broken("R5");
    if (place.height !== table.height + 1) throw new Broken("R6");
    if (!sameBytes(place.previous, table.head)) throw new Broken("R7");
    body = readBody(place.value, table.game.deck);
    demand(body.kind === "absent", "R9");
  } catch (error) {
    if (error instanceof FormError || error instanceof Refusal) throw new Broken("R9");
    throw error;
  }
  const isAgreedHere = table.end === null && isAgreed(table, body, bytes, signature);
  if (!isAgreedHere || !couldStand(table, body.content)) throw new Broken("R19");
  replaceAbsent(table, body.content);
  table.last = null;
  table.recent = [];
  return body;
}

const othersThan = (table, absent) =>
  table.members.map((_, player) => player).filter((player) => !absent.includes(player));

/** Points 1 and 3, whoever is due. */
function canBeAgreed(table, { writer, content }) {
  const { players, substitutes } = content;
  if (players.length === 0 || 2 * players.length >= table.size) return false;
  if (!players.every((player, at) => player < table.size && (at === 0 || player > players[at - 1])))
    return false;
  if (writer !== othersThan(table, players)[0]) return false;
  if (substitutes.length !== 0 && substitutes.length !== players.length) return false;
  const keys = [...table.members, ...substitutes].map(({ key }) => toHex(key));
  return isUnique(keys);
}

/**
 * Who is due, and what stands of the round, as far as both are known without the rules: when hands
 * begin to be opened is not, nor who has none to open. Then the table is where the entry says.
 */
function couldStand(table, { players, opening, counted }) {
  const isOver = opening || counted !== null;
  if (isOver && table.phase.kind === "move") table.beginOpening();
  if (opening) {
    const absent = table.phase.due.find((player) => players.includes(player));
    if (table.phase.kind !== "open" || counted !== null || absent === undefined) return false;
    return table.passOver(absent);
  }
  if (table.phase.kind === "open") {
    if (!table.passOver(null)) return false;
    table.beginClosing();
  }
  const { kind, due } = table.phase;
  if (due.length > 0 && !players.includes(due[0])) return false;
  return kind === "close" ? counted !== null && couldClose(table, counted) : counted === null;
}

/** Points 1 to 3: signed by all others and by the substitutes, in that order. */
function isAgreed(table, body, bytes, signature) {
  if (!canBeAgreed(table, body)) return false;
  const { content } = body;
  const substitutes = content.substitutes.map(({ key }) => new VerifyingKey(key));
  const signers = othersThan(table, content.players).map((player) => table.keys[player]);
  signers.push(...substitutes);
  if (signature.length !== 64 * signers.length) return false;
  return signers.every((key, at) =>
    key.hasSigned(ABSENCE_LABEL, bytes, signature.subarray(64 * at, 64 * at + 64)),
  );
}

/** Points 4 and 5: what comes after. */
function replaceAbsent(table, { players, substitutes, opening, counted }) {
  substitutes.forEach((member, at) => {
    table.members[players[at]] = member;
    table.keys[players[at]] = new VerifyingKey(member.key);
  });
  if (opening) {
    const { phase } = table;
    phase.due = phase.due.filter((player) => !players.includes(player));
    if (phase.due.length === 0) table.beginClosing();
  } else if (substitutes.length === 0) table.finish("absence");
  else if (counted !== null) table.endRound(counted.last, "absence");
  else table.beginDeck();
}
