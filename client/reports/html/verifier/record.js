// The record: each part must be in its place, with the right signature (record.md, section 1).

const ENTRY_LABEL = "sobremesa/1/entry";

/**
 * Return {table, kind, body, signatures} after a part. `kind` is "entry" or "charter"; `body` is
 * the body of an entry, else null. Throws Broken, Exposed and NewerVersion.
 */
function advance(table, part) {
  const kind = kindOfPart(part);
  if (kind === "evidence") throw exposedBy(decodeValue(part), table.charter.matchId);
  return kind === "charter" ? continueTable(table, part) : takeEntry(table, part);
}

/** Return "charter" or "evidence" by the outer form, and "entry" for any other bytes. */
function kindOfPart(part) {
  try {
    const value = decodeValue(part);
    if (!Array.isArray(value)) return "entry";
    if (typeof value[0] === "string") return "evidence";
    const [one, other] = value;
    const isCharter = value.length === 2 && one instanceof Uint8Array && Array.isArray(other);
    return isCharter ? "charter" : "entry";
  } catch (error) {
    if (error instanceof FormError) return "entry";
    throw error;
  }
}

/** Return an entry, checked for its outer form. Throws Broken. */
function readEntry(part) {
  try {
    return ENTRY.read(decodeValue(part));
  } catch (error) {
    if (error instanceof FormError) throw new Broken("R3");
    throw error;
  }
}

function takeEntry(told, part) {
  const { body: bytes, signature } = readEntry(part);
  const kind = kindOf(bytes);
  const opens = told.opening !== null && (kind === "open" || kind === "close");
  const before = opens ? told.opening : told;
  const signer = signerOf(before, bytes, signature);
  if (signer === null) throw new Broken("R4");
  const table = before.copy();
  // Asked of `told`: where a continuation leaves two tables, nobody is known to be due.
  const wasDue = isDue(told, signer);
  try {
    const place = readPlace(bytes);
    demandPlace(before, place, bytes, signer);
    const body = readBody(place.value, table.deck.cards);
    demand(body.writer === signer, "R10");
    demandTurn(table, body);
    TAKE[kind](table, body, (deal) => contextOf(before, signer, deal));
    table.last = { bytes, kind, signer, previous: place.previous, wasDue };
    table.height += 1;
    table.head = digest("entry", bytes);
    if (!wasDue || kind === "move" || kind === "open" || kind === "close") {
      table.before = Object.assign(before.copy(), { opening: before.opening });
    }
    return { table, kind: "entry", body, signatures: 1 };
  } catch (error) {
    if (error instanceof FormError) throw new Exposed("R9", before.charter, signer);
    if (error instanceof Refusal) throw new Exposed(error.cause, before.charter, signer);
    throw error;
  }
}

/**
 * Return true if the player is due, as far as this is known without the rules of play. A player
 * with no hidden card may have an empty hand, which is not opened.
 */
function isDue(table, player) {
  const { kind, due } = table.phase;
  if (table.opening !== null || kind === "move" || due[0] !== player) return false;
  return kind !== "open" || table.hiddenCards(player).length > 0;
}

/** Return the member who signed a body, or null. The writer that it names is tried first. */
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

/** Check R5 to R8. */
function demandPlace(table, { table: id, height, previous }, bytes, signer) {
  if (!sameBytes(id, table.tableId)) throw new Broken("R5");
  const { last } = table;
  if (height !== table.height + 1) {
    if (height !== table.height || last === null) throw new Broken("R6");
    if (sameBytes(bytes, last.bytes)) throw new Broken("R6"); // the same entry again
    const sameHead = sameBytes(previous, last.previous);
    const rival = { kind: kindOf(bytes), previous };
    if (signer === last.signer && !mayUnlock(last, rival)) throw new Refusal("R8");
    if (last.wasDue && sameHead) throw new Refusal("R11");
    throw new Broken("R6");
  }
  if (!sameBytes(previous, table.head)) throw new Broken("R7");
}

/** Return the context to which a player's proof about a deal is bound (protocol.md, section 3). */
function contextOf(table, player, deal) {
  const { bytes } = table.keys[player];
  const height = eightBytes(table.height + 1);
  return digest("context", table.tableId, height, table.head, bytes, eightBytes(deal.number));
}
