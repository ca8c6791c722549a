// The worker of a page: it receives {ask, bytes, ..} and posts its findings.
//
//     {ask: "audit"}             {kind: "progress", entry, done, total} after each entry, then
//                                {kind: "finding", ..} or {kind: "no record"}
//     {ask: "explain", entry}    {kind: "explained", ..}, see explain.js

self.onmessage = ({ data }) => {
  if (data.ask === "audit") self.postMessage(auditAndCount(data.bytes));
  else self.postMessage({ kind: "explained", told: explainEntry(data.bytes, data.entry) });
};

function auditAndCount(bytes) {
  const counts = { entries: {}, signatures: 0, shuffleProofs: 0, unlockProofs: 0, faceProofs: 0 };
  try {
    const audit = auditRecord(bytes);
    let step = audit.next();
    for (; !step.done; step = audit.next()) {
      count(counts, step.value);
      const { entry, done } = step.value;
      self.postMessage({ kind: "progress", entry, done, total: bytes.length });
    }
    return { kind: "finding", counts, ...forPage(step.value) };
  } catch (error) {
    if (error instanceof NoRecord) return { kind: "no record" };
    throw error;
  }
}

/** Count the valid signatures, entries and proofs. */
function count(counts, { table, body, signatures }) {
  counts.signatures += signatures;
  if (body === null) return;
  counts.entries[body.kind] = (counts.entries[body.kind] ?? 0) + 1;
  if (body.kind === "shuffle") counts.shuffleProofs += 1;
  if (body.kind === "unlock") counts.unlockProofs += body.content.proofs.length;
  if (body.kind === "move" || body.kind === "open") counts.faceProofs += body.content.proofs.length;
}

const person = ({ key, name }) => ({ name: shownName(name, key), key: toHex(key) });

/** Return a finding as plain data, with the terms and the players at the end of the record. */
function forPage({ seated, continuations, table, ...found }) {
  const finding = {
    ...found,
    exposed: found.exposed.map((one) => plainExposure(one, seated)),
    continuations: continuations.map(plainContinuation),
    table: null,
  };
  if (table === null) return finding;
  const { charter, founders } = table;
  finding.table = {
    id: toHex(table.tableId),
    head: toHex(table.head),
    round: table.round,
    game: charter.game,
    options: charter.options,
    grace: charter.grace,
    spectators: charter.spectators,
    extensions: charter.extensions.map(({ name }) => name),
    founders: founders.map(person),
    members: charter.members.map(person),
  };
  return finding;
}

/**
 * Return an exposure as plain data. The name is null if nobody with that key had a seat: anybody
 * may have made the key, and taken another player's name.
 */
function plainExposure({ entry, cause, player, member }, seated) {
  const key = toHex(member.key);
  const known = seated.get(key);
  const verdict = verdictOn({ cause });
  return { verdict, entry, cause, player, key, name: known ? person(known).name : null };
}

function plainContinuation({ entry, left, parent, charter, then }) {
  const named = (one) => (player) => person(one.members[player]).name;
  const { ends } = charter.continues;
  return {
    entry,
    left: left.map(named(parent)),
    signers: charter.signers.map(named(charter)),
    successors: ends ? [] : left.map(named(charter)),
    ends,
    then,
  };
}
