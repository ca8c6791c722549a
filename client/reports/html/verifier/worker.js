// The worker of a page: it is sent {ask, bytes, ..}, and posts what it finds.
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

/** How much holds. */
function count(counts, { table, body, signatures }) {
  counts.signatures += signatures;
  if (body === null) return;
  counts.entries[body.kind] = (counts.entries[body.kind] ?? 0) + 1;
  if (body.kind === "shuffle") counts.shuffleProofs += 1;
  if (body.kind === "unlock") counts.unlockProofs += body.content.proofs.length;
  if (body.kind === "move" || body.kind === "open") counts.faceProofs += body.content.proofs.length;
}

/** A finding as plain data, with the charter and whoever sits at the table in the end. */
function forPage({ verdict, entry, cause, player, unsigned, size, table }) {
  const finding = { verdict, entry, cause, player, unsigned, size, table: null };
  if (table === null) return finding;
  const { charter, members } = table;
  const people = (ones) =>
    ones.map(({ key, name }) => ({ name: shownName(name, key), key: toHex(key) }));
  finding.table = {
    id: toHex(table.tableId),
    head: toHex(table.head),
    round: table.round,
    end: table.end,
    game: charter.game,
    options: charter.options,
    grace: charter.grace,
    spectators: charter.spectators,
    extensions: charter.extensions.map(({ name }) => name),
    founders: people(charter.members),
    members: people(members),
  };
  return finding;
}
