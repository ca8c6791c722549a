// The checks and effects of each kind of entry (record.md, sections 1 and 2).
//
// Each function takes the table, the body, and a function that returns the context of a proof. It
// throws Refusal with the cause, and changes the table only if all checks pass.

function demand(holds, cause) {
  if (!holds) throw new Refusal(cause);
}

const sameList = (a, b) => a.length === b.length && a.every((one, at) => one === b[at]);
const isUnique = (list) => new Set(list).size === list.length;

/** Check that writer and kind are due, or begin something that may begin (R11; audit.md, 7). */
function demandTurn(table, body) {
  const { kind, writer } = body;
  demand(table.end === null, "R11");
  const ends = kind === "open" || kind === "close";
  if (ends && (table.phase.kind === "move" || table.phase.kind === "open")) {
    demandOpening(table, body);
  } else if (table.phase.kind === "move" && kind !== "move") {
    if (kind === "shuffle") demand(writer === table.dealer, "R11");
    else demandUnlockBegins(table, body);
  } else {
    demand(kind === table.phase.kind, "R11");
    demand(kind === "move" || writer === table.phase.due[0], "R11");
  }
}

/** Check an opening, or the first closing: the players passed over must have no hand to open. */
function demandOpening(table, { kind, writer }) {
  if (table.phase.kind === "move") table.beginOpening();
  demand(table.passOver(kind === "open" ? writer : null), "R11");
  if (kind === "close") {
    table.beginClosing();
    demand(writer === table.phase.due[0], "R11");
  }
}

/** Check the first entry of an unlocking: its writer must be the first player who owes one. */
function demandUnlockBegins(table, { writer, content }) {
  const { gives } = content;
  demand(gives.length > 0 && (gives[0].player ?? 0) < table.size, "R14");
  const receiver = gives[0].player ?? table.dealer;
  demand(writer === table.clockwiseAfter(receiver)[0], "R11");
}

/** Take the writer off the players who are due; the phase ends when nobody is due. */
function wrote(table, whenAllHave) {
  table.phase.due.shift();
  if (table.phase.due.length === 0) whenAllHave(table.phase);
}

function takeShuffle(table, { writer, content }, contextOf) {
  if (table.phase.kind === "move") {
    const open = openCards(table);
    demand(content.cards.length > 0 && isUnique(content.cards), "R12");
    demand(content.cards.every((card) => open.has(card)), "R12");
    demand(content.first === table.slots.length, "R12");
    table.beginShuffle(content.cards);
  }
  const { deal } = table.phase;
  demand(content.first === deal.first && sameList(content.cards, deal.cards), "R12");
  demand(!table.announced.has(toHex(content.unlockKey)), "R13");
  const { unlockKey, proof } = content;
  demand(content.outputs.length === 32 * deal.cards.length, "shuffle:length");
  const outputs = deal.cards.map((_, at) => content.outputs.subarray(32 * at, 32 * at + 32));
  const shuffled = verifyShuffle(contextOf(deal), unlockKey, deal.points, outputs, proof);
  deal.points = shuffled.y;
  if (deal.keys.size === 0) table.deals += 1;
  deal.keys.set(writer, new UnlockKey(shuffled.unlockKey));
  table.announced = new Set(table.announced).add(toHex(unlockKey));
  wrote(table, () => putShuffled(table, deal));
}

/** Return the slots with open cards, by card. */
function openCards(table) {
  const open = new Map();
  for (const slot of table.slots) if (slot.card !== null && !slot.gone) open.set(slot.card, slot);
  return open;
}

/** Put the cards into new slots, after all players have shuffled. */
function putShuffled(table, deal) {
  const open = openCards(table);
  for (const card of deal.cards) if (open.has(card)) open.get(card).gone = true;
  for (const point of deal.points) {
    table.slots.push({ deal, point, holder: undefined, card: null, gone: false });
  }
  if (table.round === 0) table.continueDraw();
  else table.beginPlay();
}

function takeUnlock(table, { writer, content }, contextOf) {
  const { gives, shares, proofs } = content;
  if (table.phase.kind === "move") {
    demand(isUnique(gives.map(({ slot }) => slot)), "R14");
    for (const { slot, player } of gives) {
      demand(slot < table.slots.length && table.slots[slot].holder === undefined, "R14");
      demand(player === null || player < table.size, "R14");
    }
  } else {
    const told = table.phase.gives;
    demand(gives.length === told.length, "R14");
    demand(
      gives.every(({ slot, player }, at) => slot === told[at].slot && player === told[at].player),
      "R14",
    );
  }
  const slots = gives
    .filter(({ player }) => player !== writer)
    .map(({ slot }) => table.slots[slot]);
  demand(shares.length === slots.length, "unlock:length");
  const proven = slots.map((slot, at) => ({ slot, w: slot.point, zBytes: shares[at] }));
  verifyByDeal(writer, proven, proofs, contextOf, () => {
    for (const one of proven) one.z = requirePoint(one.zBytes);
  });
  if (table.phase.kind === "move") table.beginUnlock(gives);
  for (const { slot, z } of proven) slot.point = z;
  wrote(table, (phase) => giveCards(table, phase));
}

/**
 * Verify the proofs about [{slot, w, z}, ..]. There is one proof for each deal, in the order of
 * deals. `decodePoints` is called before the number of proofs is checked.
 */
function verifyByDeal(writer, proven, proofs, contextOf, decodePoints = () => {}) {
  const deals = new Map();
  for (const one of proven) {
    const { deal } = one.slot;
    deals.set(deal, [...(deals.get(deal) ?? []), one]);
  }
  decodePoints();
  demand(proofs.length === deals.size, "unlock:length");
  const inOrder = [...deals].sort(([a], [b]) => a.number - b.number);
  inOrder.forEach(([deal, ones], at) => {
    const w = ones.map((one) => one.w);
    const z = ones.map((one) => one.z);
    verifyUnlock(contextOf(deal), deal.keys.get(writer), w, z, proofs[at]);
  });
}

/** Give the cards, after all players have unlocked: open on the table, or into hands. */
function giveCards(table, phase) {
  for (const { slot, player } of phase.gives) {
    const given = table.slots[slot];
    given.holder = player;
    // All locks are off, as the proofs show, so the point is the point of a card.
    if (player === null) given.card = given.deal.cardOf.get(toHex(given.point.bytes));
    else table.gives.push([slot, player]);
  }
  if (table.round === 0) {
    table.noteDrawn(phase);
    table.continueDraw();
  } else {
    table.beginPlay();
  }
}

function takeMove(table, { writer, content }, contextOf) {
  const shown = shownByMove(content.move);
  demand(isUnique(shown.map(({ slot }) => slot)), "X11");
  demand(isUnique(shown.map(({ card }) => card)), "X11");
  for (const { slot: number, card } of shown) {
    const slot = table.slots[number];
    demand(slot !== undefined, "X11");
    if (slot.card !== null) demand(slot.card === card && !slot.gone, "X11");
    else demand(slot.holder === writer, "X11");
  }
  showCards(table, writer, shown, content.proofs, contextOf);
}

/** Check that cards belong to their deals (R15), verify the hidden ones, and open them. */
function showCards(table, writer, shown, proofs, contextOf) {
  const hidden = [];
  for (const { slot: number, card } of shown) {
    const slot = table.slots[number];
    demand(slot.deal.pointOf.has(card), "R15");
    if (slot.card === null) {
      hidden.push({ slot, card, w: slot.point, z: slot.deal.pointOf.get(card) });
    }
  }
  verifyByDeal(writer, hidden, proofs, contextOf);
  for (const { slot, card, z } of hidden) {
    slot.card = card;
    slot.point = z;
  }
}

function takeOpening(table, { writer, content }, contextOf) {
  const { cards, proofs } = content;
  const owed = table.hiddenCards(writer).map(([slot]) => slot);
  demand(cards.length > 0 || owed.length > 0, "R11");
  demand(isUnique(cards.map(({ slot }) => slot)), "R16");
  demand(cards.every(({ slot }) => slot < table.slots.length), "R16");
  const hidden = cards.map(({ slot }) => slot).filter((slot) => table.slots[slot].card === null);
  demand(sameList(hidden, owed), "R16");
  demand(cards.every(({ slot }) => !table.slots[slot].gone), "R16");
  for (const { slot, card } of cards) {
    const seen = table.slots[slot].card;
    demand(seen === null || seen === card, "R15");
  }
  showCards(table, writer, cards, proofs, contextOf);
  wrote(table, () => table.beginClosing());
}

function takeClosing(table, { content }) {
  const { said } = table.phase;
  if (said === null) {
    demand(content.round === table.round && content.points.length === table.sides, "R17");
    table.phase.said = content;
  } else {
    demand(sameValue(content, said), "R17");
  }
  wrote(table, () => table.endRound(content.points, content.last));
}

const TAKE = {
  shuffle: takeShuffle,
  unlock: takeUnlock,
  move: takeMove,
  open: takeOpening,
  close: takeClosing,
};
