// Acts about an absence that contradict each other, or the record (R20; record.md, 6.7 to 6.11).

const REFUSAL_LABEL = "sobremesa/1/refusal";
const ACT = structForm({ said: bytesForm(0, 2048), key: bytesForm(32), signature: bytesForm(64) });
const RELEASES = listForm(bytesForm(0, 2176), 0, 8);

const samePlace = (a, b) =>
  sameBytes(a.table, b.table) && a.height === b.height && sameBytes(a.previous, b.previous);

const playerOf = (table, key) => table.members.findIndex((member) => sameBytes(member.key, key));

/** The place of a vote or a refusal that is signed. Throws FormError. */
function placeOfAct(table, { said, key, signature }) {
  const place = readPlace(said);
  const isRefusal = place.value.length === 5;
  if (isRefusal) {
    const [, , , player, kind] = place.value;
    if (kind !== "refuse" || PLAYER.read(player) !== playerOf(table, key)) {
      throw new FormError("it is no refusal");
    }
  } else if (readBody(place.value, table.game.deck).kind !== "absent") {
    throw new FormError("it is no vote");
  }
  const label = isRefusal ? REFUSAL_LABEL : ABSENCE_LABEL;
  if (!new VerifyingKey(key).hasSigned(label, said, signature)) {
    throw new FormError("the act is not signed");
  }
  return place;
}

/** Whether an act binds who has signed it: not as a substitute, who signs as often as they are asked. */
function bindsSigner(table, { said, key }) {
  const { value } = readPlace(said);
  if (value.length === 5) return true;
  const { substitutes } = readBody(value, table.game.deck).content;
  return !substitutes.some((member) => sameBytes(member.key, key));
}

/** R9: releases are acts of members at this table. */
function demandReleases(table, body) {
  for (const bytes of body.releases) {
    const act = ACT.read(decodeValue(bytes));
    const place = placeOfAct(table, act);
    if (!sameBytes(place.table, table.tableId) || playerOf(table, act.key) < 0) {
      throw new FormError("a release is an act of a member");
    }
  }
}

/** Keep what an entry of one player says, back to where every player has written one. */
function remember(table, place, writer, releases) {
  const last = new Map(table.recent.map((step, at) => [step.writer, at]));
  const begin = last.size === table.size ? Math.min(...last.values()) + 1 : 0;
  table.recent = [...table.recent.slice(begin), { place, writer, releases }];
}

/** The two acts of a contradiction, or null for a part that is none. */
function readContradiction(part) {
  try {
    const acts = decodeValue(part);
    const has = Array.isArray(acts) && acts.length === 2 && acts.every(Array.isArray);
    return has ? acts.map((act) => ACT.read(act)) : null;
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}

/** Throws Exposed or Broken for two acts that stand in the place of an entry. */
function demandNoContradiction(table, part) {
  const acts = readContradiction(part);
  if (acts === null) return;
  const [one, other] = acts;
  const player = playerOf(table, one.key);
  try {
    const [place, second] = acts.map((act) => placeOfAct(table, act));
    const ours = sameBytes(place.table, table.tableId) && samePlace(place, second);
    const differ = sameBytes(one.key, other.key) && !sameBytes(one.said, other.said);
    const bind = acts.every((act) => bindsSigner(table, act));
    if (player >= 0 && ours && differ && bind) throw new Exposed("R20", player);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
  }
  throw new Broken("R20");
}

/** The body of an absence, or null for what has not its form. */
function readAbsence(table, { value }) {
  try {
    const body = readBody(value, table.game.deck);
    return body.kind === "absent" ? body : null;
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}

/** Throws Exposed for an absence in a place in which one who has signed it has written, or past it. */
function demandNotLate(table, place, bytes, signature) {
  const at = table.recent.findIndex((step) => samePlace(step.place, place));
  if (at < 0) return;
  const body = readAbsence(table, place);
  if (body === null || !isAgreed(table, body, bytes, signature)) return;
  const signers = othersThan(table, body.content.players);
  const step = table.recent.slice(at).find(({ writer }) => signers.includes(writer));
  if (step === undefined) return;
  for (const release of step.releases) {
    const act = ACT.read(decodeValue(release));
    const player = playerOf(table, act.key);
    const isOther = player !== step.writer && signers.includes(player) && bindsSigner(table, act);
    if (isOther && !sameBytes(act.said, bytes) && samePlace(readPlace(act.said), place)) {
      throw new Exposed("R20", player);
    }
  }
  throw new Exposed("R20", step.writer);
}
