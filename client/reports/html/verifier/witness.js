// The results of signatures and proofs, for the explanation of one entry (explain.js).

/** A callback for each {kind, numbers, equations}; numbers are bytes by name. Null if unused. */
let proofWitness = null;

/** Return an equation with both sides as bytes; its `text` uses the names of protocol.md. */
function equationOf(name, text, left, right) {
  return { name, text, left, right, holds: sameBytes(left, right) };
}
