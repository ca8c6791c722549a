// Runs the verifier for tests: `node answer.js SCRIPT`. Questions and answers are lines of JSON,
// in which bytes are written in hexadecimal.
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");

const verifier = require("./load.js").loadVerifier(process.argv[2]);
const { findings, plainFinding } = require("./replay.js");

const { fromHex, toHex } = verifier;

/** The finding about a record, as the tests of the other verifiers have it. */
function audit(record) {
  try {
    const audit = verifier.auditRecord(record);
    let step = audit.next();
    while (!step.done) step = audit.next();
    return plainFinding(step.value);
  } catch (error) {
    if (error instanceof verifier.NoRecord) return { verdict: "no record" };
    throw error;
  }
}

/** The value of `action`, or the kind of error by which the verifier refuses something. */
function attempt(action) {
  try {
    return { value: action() };
  } catch (error) {
    if (error instanceof verifier.NewerVersion) return { refused: "newer" };
    if (error instanceof verifier.FormError) return { refused: "form" };
    if (error instanceof verifier.Refusal) return { refused: error.cause };
    throw error;
  }
}

/** A decoded value as JSON: bytes as {hex}, integers too large for a double as {integer}. */
function plain(value) {
  if (value instanceof Uint8Array) return { hex: toHex(value) };
  if (typeof value === "bigint") return { integer: value.toString() };
  return Array.isArray(value) ? value.map(plain) : value;
}

function pointsOf(encodings) {
  return encodings.map((one) => verifier.decodeRistretto(fromHex(one)));
}

const ANSWERS = {
  audit: ({ record }) => audit(fromHex(record)),
  auditFile: ({ path }) => audit(new Uint8Array(fs.readFileSync(path))),
  findings: ({ charter, entries, alternatives }) => {
    const bytes = alternatives.map(({ keep, added, tail }) => {
      return { keep, added: added.map(fromHex), tail: fromHex(tail) };
    });
    return findings(verifier, fromHex(charter), entries.map(fromHex), bytes);
  },
  decode: ({ bytes }) => attempt(() => plain(verifier.decodeValue(fromHex(bytes)))),
  shown: ({ names }) => names.map((name) => verifier.shownName(name, fromHex("0123456789abcdef"))),
  tableId: ({ charter }) => attempt(() => toHex(verifier.openTable(fromHex(charter)).tableId)),
  generators: ({ n }) => verifier.generators(n).map((one) => toHex(verifier.encodeRistretto(one))),
  base: () => toHex(verifier.encodeRistretto(verifier.BASE)),
  card: ({ table, place }) => {
    const parts = place.map(verifier.eightBytes);
    const point = verifier.hashToPoint("card", fromHex(table), ...parts);
    return toHex(verifier.encodeRistretto(point));
  },
  shuffle: ({ context, unlockKey, inputs, outputs, proof }) =>
    attempt(() => {
      const parts = [fromHex(context), fromHex(unlockKey), pointsOf(inputs), outputs.map(fromHex)];
      return verifier.verifyShuffle(...parts, fromHex(proof)).y.length;
    }),
  unlock: ({ context, unlockKey, locked, unlocked, proof }) =>
    attempt(() => {
      const key = new verifier.UnlockKey(verifier.decodeRistretto(fromHex(unlockKey)));
      const points = [pointsOf(locked), pointsOf(unlocked)];
      verifier.verifyUnlock(fromHex(context), key, ...points, fromHex(proof));
      return true;
    }),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { ask, ...question } = JSON.parse(line);
  process.stdout.write(JSON.stringify(ANSWERS[ask](question) ?? null) + "\n");
});
