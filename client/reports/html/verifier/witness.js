// What a signature or a proof came to, for whoever asks about one entry (explain.js).

/** Is told of each {kind, numbers, equations}, numbers by name as bytes; null if nobody asks. */
let proofWitness = null;

/** An equation with both sides as bytes: its `text` has the names of protocol.md. */
function equationOf(name, text, left, right) {
  return { name, text, left, right, holds: sameBytes(left, right) };
}
