// Compares the verifier's arithmetic with @noble/curves and @noble/hashes:
// `node arithmetic.js SCRIPT ROUNDS`. Prints the number of comparisons of each kind, or throws.
"use strict";

const assert = require("node:assert");
const verifier = require("./load.js").loadVerifier(process.argv[2]);
const rounds = Number(process.argv[3]);
const { sha256, sha512 } = require("@noble/hashes/sha2");
const { expand_message_xmd: expandXmd } = require("@noble/curves/abstract/hash-to-curve");
const { ed25519, RistrettoPoint } = require("@noble/curves/ed25519");

const P = verifier.FIELD_ORDER;
const L = verifier.GROUP_ORDER;
const EDGES = [0n, 1n, 2n, 8n, 15n, 16n, 19n, 1n << 21n, (1n << 255n) - 20n, P, P + 1n, L, L - 1n];

let drawn = 0;
/** The next pseudorandom bytes, the same in each run. */
function random(size) {
  const parts = [];
  for (let left = size; left > 0; left -= 64) {
    drawn += 1;
    parts.push(sha512(Uint8Array.of(drawn & 255, drawn >> 8)).subarray(0, Math.min(left, 64)));
  }
  return Uint8Array.from(Buffer.concat(parts));
}
const randomInteger = (size = 32) => verifier.littleEndian(random(size));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const same = (a, b, what) => assert.strictEqual(hex(a), hex(b), what);
const mod = (n) => ((n % P) + P) % P;

const counted = {};
function compare(what, times, action) {
  for (let i = 0; i < times; i++) action(i);
  counted[what] = times;
}

// -- the field

function fieldPairs() {
  const edges = [...EDGES, ...EDGES.map((n) => mod(-n))];
  const pairs = edges.flatMap((a) => edges.map((b) => [a, b]));
  for (let i = 0; i < 20 * rounds; i++) pairs.push([randomInteger(), randomInteger()]);
  return pairs;
}

const pairs = fieldPairs();
compare("field", pairs.length, (i) => {
  const [a, b] = pairs[i];
  const [x, y] = [verifier.fieldFromInteger(a), verifier.fieldFromInteger(b)];
  const is = (element, n) => assert.strictEqual(verifier.fieldToInteger(element), mod(n));
  is(verifier.fieldMultiply(x, y), a * b);
  is(verifier.fieldSquare(x), a * a);
  is(verifier.fieldAdd(x, y), a + b);
  is(verifier.fieldSubtract(x, y), a - b);
  is(verifier.fieldNegate(x), -a);
  if (i % 8 === 0) is(verifier.fieldMultiply(verifier.fieldInvert(x), x), mod(a) === 0n ? 0n : 1n);
});

// Limbs as large as field.js allows, some of them negative: the sums are still exact.
compare("field, largest limbs", rounds, () => {
  const limbs = (s) => {
    const signs = random(12);
    return Array.from({ length: 12 }, (_, i) => {
      const largest = s * 2 ** (verifier.LIMB_START[i + 1] - 1);
      return signs[i] & 1 ? largest : -largest;
    });
  };
  for (const [s, t] of [[1, 15], [3, 5], [5, 3], [15, 1]]) {
    const [x, y] = [limbs(s), limbs(t)];
    const [a, b] = [verifier.fieldToInteger(x), verifier.fieldToInteger(y)];
    assert.strictEqual(verifier.fieldToInteger(verifier.fieldMultiply(x, y)), mod(a * b));
  }
  const x = limbs(3);
  const a = verifier.fieldToInteger(x);
  assert.strictEqual(verifier.fieldToInteger(verifier.fieldSquare(x)), mod(a * a));
});

// -- hashes

compare("hashes", 300, (size) => {
  const message = random(size);
  same(verifier.sha256(message), sha256(message));
  same(verifier.sha512(message), sha512(message));
});
compare("expanded messages", 20, (i) => {
  const [message, tag] = [random(3 * i), random(84)];
  const expanded = verifier.expandMessage(message, tag, 64);
  same(expanded, expandXmd(message, tag, 64, sha512));
});

// -- ristretto255

const points = [];
compare("points", rounds, () => {
  const bytes = random(64);
  const [mine, theirs] = [verifier.ristrettoFrom64Bytes(bytes), RistrettoPoint.hashToCurve(bytes)];
  const encoded = verifier.encodeRistretto(mine);
  same(encoded, theirs.toBytes());
  const decoded = verifier.decodeRistretto(encoded);
  assert(verifier.sameElement(decoded, mine));
  points.push([decoded, theirs]);
});

/** True if noble decodes the bytes to a point other than the identity, which we refuse. */
function decodes(bytes) {
  try {
    return !RistrettoPoint.fromHex(hex(bytes)).is0();
  } catch {
    return false;
  }
}
const encodings = [...EDGES, ...EDGES.map((n) => mod(-n))].map((n) => verifier.to32Bytes(n));
for (let i = 0; i < 4 * rounds; i++) encodings.push(random(32));
for (let i = 0; i < rounds; i++) {
  const even = random(32);
  even[0] &= 0xfe;
  even[31] &= 0x7f;
  encodings.push(even);
}
compare("encodings", encodings.length, (i) => {
  const accepted = verifier.decodeRistretto(encodings[i]) !== null;
  assert.strictEqual(accepted, decodes(encodings[i]), hex(encodings[i]));
});

const scalars = [0n, 1n, 2n, 7n, 8n, 9n, 15n, 16n, (1n << 252n) - 1n, 1n << 252n];
scalars.push(L - 1n, L - 2n, L - 8n);
for (let i = 0; i < rounds; i++) scalars.push(randomInteger() % L);
const timesTheirs = (point, k) => (k === 0n ? RistrettoPoint.ZERO : point.multiply(k));
compare("multiples", scalars.length, (i) => {
  const [mine, theirs] = points[i % points.length];
  const expected = timesTheirs(theirs, scalars[i]).toBytes();
  const fixed = new verifier.FixedPoint(mine);
  same(verifier.encodeRistretto(verifier.sumByTables([[scalars[i], mine]])), expected);
  same(verifier.encodeRistretto(verifier.sumByBuckets([[scalars[i], mine]])), expected);
  same(verifier.encodeRistretto(fixed.addTo(verifier.NEUTRAL, scalars[i])), expected);
});

// Sums of few and of many terms, in which some points occur twice, and some are negated.
compare("sums", 6, (i) => {
  const terms = [];
  let expected = RistrettoPoint.ZERO;
  for (let n = 0; n < [1, 2, 33, 159, 160, 410][i]; n++) {
    const [mine, theirs] = points[(n * n) % points.length];
    const k = scalars[(n + i) % scalars.length];
    terms.push([k, n % 3 === 0 ? verifier.negatePoint(mine) : mine]);
    const product = timesTheirs(theirs, k);
    expected = expected.add(n % 3 === 0 ? product.negate() : product);
  }
  same(verifier.encodeRistretto(verifier.sumOfMultiples(terms)), expected.toBytes());
});
compare("zero", 2, (i) => {
  const [mine] = points[i];
  const zero = verifier.sumOfMultiples([[5n, mine], [L - 5n, mine]]);
  assert(verifier.isIdentity(zero));
});

// -- signatures

const LABEL = "sobremesa/1/entry";
const labelled = (message) => Buffer.concat([Buffer.of(LABEL.length), Buffer.from(LABEL), message]);
compare("signatures", rounds, (i) => {
  const [secret, message] = [random(32), random(i)];
  const key = new verifier.VerifyingKey(ed25519.getPublicKey(secret));
  const signature = ed25519.sign(labelled(message), secret);
  assert(key.hasSigned(LABEL, message, signature));
  for (const at of [0, 31, 32, 63]) {
    const other = Uint8Array.from(signature);
    other[at] ^= 1 << (i % 8);
    assert(!key.hasSigned(LABEL, message, other));
  }
  const s = verifier.to32Bytes(verifier.littleEndian(signature.subarray(32)) + L);
  const second = Uint8Array.from([...signature.subarray(0, 32), ...s]);
  assert(!key.hasSigned(LABEL, message, second), "S is not reduced");
});

// A point of order 8: its multiples are all points of small order, and no key may be one of them.
const torsion = ed25519.Point.fromHex(
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
);
compare("keys of small order", 8, (n) => {
  let point = ed25519.Point.ZERO;
  for (let i = 0; i < n; i++) point = point.add(torsion);
  assert(!verifier.isKeyForm(point.toBytes()), hex(point.toBytes()));
});

console.log(JSON.stringify(counted));
