// The field of integers modulo p = 2^255 - 19.
//
// An element is a list of twelve limbs, which are doubles with integer values; the element is their
// sum modulo p. Limb i is a multiple of 2^e(i) with e(i) = ceil(21.25 i), and has about 21 bits
// above that. Doubles have 53 bits, so the sums of products below are exact (D. J. Bernstein,
// "Curve25519: new Diffie-Hellman speed records", section 4). In the worst column such a sum is at
// most 125 s t 2^42, in units of 2^e(k). Here s and t count, for each factor, the carried elements
// that were added without another carry. The sum is below 2^53 if s t is at most 15. A product is
// carried (s = 1); an element from an integer counts as s = 2. Nothing here runs in constant time,
// because a verifier has no secrets.

const FIELD_ORDER = (1n << 255n) - 19n;
const LIMB_START = [0, 22, 43, 64, 85, 107, 128, 149, 170, 192, 213, 234, 255];

// 2^255 = 19 modulo p, so a part above 2^255 is multiplied by this and added below.
const FOLD = 19 * 2 ** -255;

// Adding 3 * 2^(51 + e) and subtracting it again rounds to a multiple of 2^e.
const ROUND0 = 3 * 2 ** 73;
const ROUND1 = 3 * 2 ** 94;
const ROUND2 = 3 * 2 ** 115;
const ROUND3 = 3 * 2 ** 136;
const ROUND4 = 3 * 2 ** 158;
const ROUND5 = 3 * 2 ** 179;
const ROUND6 = 3 * 2 ** 200;
const ROUND7 = 3 * 2 ** 221;
const ROUND8 = 3 * 2 ** 243;
const ROUND9 = 3 * 2 ** 264;
const ROUND10 = 3 * 2 ** 285;
const ROUND11 = 3 * 2 ** 306;

/** Return the element for a BigInt that is not negative. */
function fieldFromInteger(n) {
  n %= FIELD_ORDER;
  const limbs = [];
  for (let i = 0; i < 12; i++) {
    const bits = BigInt(LIMB_START[i + 1] - LIMB_START[i]);
    limbs.push(Number(n & ((1n << bits) - 1n)) * 2 ** LIMB_START[i]);
    n >>= bits;
  }
  return limbs;
}

/** Return the element as a BigInt from 0 to p - 1. */
function fieldToInteger(a) {
  let n = 0n;
  for (let i = 0; i < 12; i++) n += BigInt(a[i]);
  n %= FIELD_ORDER;
  return n < 0n ? n + FIELD_ORDER : n;
}

const FIELD_ZERO = fieldFromInteger(0n);
const FIELD_ONE = fieldFromInteger(1n);

const fieldIsZero = (a) => fieldToInteger(a) === 0n;
const fieldEqual = (a, b) => fieldIsZero(fieldSubtract(a, b));
/** Return true for an odd element, which is called negative (RFC 9496, section 3.1). */
const fieldIsNegative = (a) => (fieldToInteger(a) & 1n) === 1n;
const fieldAbsolute = (a) => (fieldIsNegative(a) ? fieldNegate(a) : a);

/** Return a + b, not carried. */
function fieldAdd(a, b) {
  return [
    a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5], a[6] + b[6],
    a[7] + b[7], a[8] + b[8], a[9] + b[9], a[10] + b[10], a[11] + b[11],
  ];
}

/** Return a - b, not carried. */
function fieldSubtract(a, b) {
  return [
    a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6],
    a[7] - b[7], a[8] - b[8], a[9] - b[9], a[10] - b[10], a[11] - b[11],
  ];
}

/** Return -a. */
function fieldNegate(a) {
  return [-a[0], -a[1], -a[2], -a[3], -a[4], -a[5], -a[6], -a[7], -a[8], -a[9], -a[10], -a[11]];
}

/** Return a b, carried. */
function fieldMultiply(a, b) {
  const a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7], a8 =
    a[8], a9 = a[9], a10 = a[10], a11 = a[11];
  const b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5], b6 = b[6], b7 = b[7], b8 =
    b[8], b9 = b[9], b10 = b[10], b11 = b[11];
  const w1 = FOLD * b1, w2 = FOLD * b2, w3 = FOLD * b3, w4 = FOLD * b4, w5 = FOLD * b5, w6 = FOLD *
    b6, w7 = FOLD * b7, w8 = FOLD * b8, w9 = FOLD * b9, w10 = FOLD * b10, w11 = FOLD * b11;
  let h0 = a0 * b0 + a1 * w11 + a2 * w10 + a3 * w9 + a4 * w8 + a5 * w7
    + a6 * w6 + a7 * w5 + a8 * w4 + a9 * w3 + a10 * w2 + a11 * w1;
  let h1 = a0 * b1 + a1 * b0 + a2 * w11 + a3 * w10 + a4 * w9 + a5 * w8
    + a6 * w7 + a7 * w6 + a8 * w5 + a9 * w4 + a10 * w3 + a11 * w2;
  let h2 = a0 * b2 + a1 * b1 + a2 * b0 + a3 * w11 + a4 * w10 + a5 * w9
    + a6 * w8 + a7 * w7 + a8 * w6 + a9 * w5 + a10 * w4 + a11 * w3;
  let h3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + a4 * w11 + a5 * w10
    + a6 * w9 + a7 * w8 + a8 * w7 + a9 * w6 + a10 * w5 + a11 * w4;
  let h4 = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + a5 * w11
    + a6 * w10 + a7 * w9 + a8 * w8 + a9 * w7 + a10 * w6 + a11 * w5;
  let h5 = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0
    + a6 * w11 + a7 * w10 + a8 * w9 + a9 * w8 + a10 * w7 + a11 * w6;
  let h6 = a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1
    + a6 * b0 + a7 * w11 + a8 * w10 + a9 * w9 + a10 * w8 + a11 * w7;
  let h7 = a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2
    + a6 * b1 + a7 * b0 + a8 * w11 + a9 * w10 + a10 * w9 + a11 * w8;
  let h8 = a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3
    + a6 * b2 + a7 * b1 + a8 * b0 + a9 * w11 + a10 * w10 + a11 * w9;
  let h9 = a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4
    + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0 + a10 * w11 + a11 * w10;
  let h10 = a0 * b10 + a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5
    + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1 + a10 * b0 + a11 * w11;
  let h11 = a0 * b11 + a1 * b10 + a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6
    + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2 + a10 * b1 + a11 * b0;
  let c;
  c = h0 + ROUND0 - ROUND0; h0 -= c; h1 += c;
  c = h6 + ROUND6 - ROUND6; h6 -= c; h7 += c;
  c = h1 + ROUND1 - ROUND1; h1 -= c; h2 += c;
  c = h7 + ROUND7 - ROUND7; h7 -= c; h8 += c;
  c = h2 + ROUND2 - ROUND2; h2 -= c; h3 += c;
  c = h8 + ROUND8 - ROUND8; h8 -= c; h9 += c;
  c = h3 + ROUND3 - ROUND3; h3 -= c; h4 += c;
  c = h9 + ROUND9 - ROUND9; h9 -= c; h10 += c;
  c = h4 + ROUND4 - ROUND4; h4 -= c; h5 += c;
  c = h10 + ROUND10 - ROUND10; h10 -= c; h11 += c;
  c = h5 + ROUND5 - ROUND5; h5 -= c; h6 += c;
  c = h11 + ROUND11 - ROUND11; h11 -= c; h0 += FOLD * c;
  c = h0 + ROUND0 - ROUND0; h0 -= c; h1 += c;
  c = h6 + ROUND6 - ROUND6; h6 -= c; h7 += c;
  return [h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11];
}

/** Return a a, carried. */
function fieldSquare(a) {
  const a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7], a8 =
    a[8], a9 = a[9], a10 = a[10], a11 = a[11];
  const d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2, d3 = 2 * a3, d4 = 2 * a4, d5 = 2 * a5, d6 = 2 * a6,
    d7 = 2 * a7, d8 = 2 * a8, d9 = 2 * a9, d10 = 2 * a10;
  const w6 = FOLD * a6, w7 = FOLD * a7, w8 = FOLD * a8, w9 = FOLD * a9, w10 = FOLD * a10, w11 = FOLD
    * a11;
  let h0 = a0 * a0 + d1 * w11 + d2 * w10 + d3 * w9 + d4 * w8 + d5 * w7 + a6 * w6;
  let h1 = d0 * a1 + d2 * w11 + d3 * w10 + d4 * w9 + d5 * w8 + d6 * w7;
  let h2 = d0 * a2 + a1 * a1 + d3 * w11 + d4 * w10 + d5 * w9 + d6 * w8 + a7 * w7;
  let h3 = d0 * a3 + d1 * a2 + d4 * w11 + d5 * w10 + d6 * w9 + d7 * w8;
  let h4 = d0 * a4 + d1 * a3 + a2 * a2 + d5 * w11 + d6 * w10 + d7 * w9 + a8 * w8;
  let h5 = d0 * a5 + d1 * a4 + d2 * a3 + d6 * w11 + d7 * w10 + d8 * w9;
  let h6 = d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + d7 * w11 + d8 * w10 + a9 * w9;
  let h7 = d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + d8 * w11 + d9 * w10;
  let h8 = d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + d9 * w11 + a10 * w10;
  let h9 = d0 * a9 + d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5 + d10 * w11;
  let h10 = d0 * a10 + d1 * a9 + d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5 + a11 * w11;
  let h11 = d0 * a11 + d1 * a10 + d2 * a9 + d3 * a8 + d4 * a7 + d5 * a6;
  let c;
  c = h0 + ROUND0 - ROUND0; h0 -= c; h1 += c;
  c = h6 + ROUND6 - ROUND6; h6 -= c; h7 += c;
  c = h1 + ROUND1 - ROUND1; h1 -= c; h2 += c;
  c = h7 + ROUND7 - ROUND7; h7 -= c; h8 += c;
  c = h2 + ROUND2 - ROUND2; h2 -= c; h3 += c;
  c = h8 + ROUND8 - ROUND8; h8 -= c; h9 += c;
  c = h3 + ROUND3 - ROUND3; h3 -= c; h4 += c;
  c = h9 + ROUND9 - ROUND9; h9 -= c; h10 += c;
  c = h4 + ROUND4 - ROUND4; h4 -= c; h5 += c;
  c = h10 + ROUND10 - ROUND10; h10 -= c; h11 += c;
  c = h5 + ROUND5 - ROUND5; h5 -= c; h6 += c;
  c = h11 + ROUND11 - ROUND11; h11 -= c; h0 += FOLD * c;
  c = h0 + ROUND0 - ROUND0; h0 -= c; h1 += c;
  c = h6 + ROUND6 - ROUND6; h6 -= c; h7 += c;
  return [h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11];
}

/** Return a^(2^n). */
function fieldSquareTimes(a, n) {
  for (let i = 0; i < n; i++) a = fieldSquare(a);
  return a;
}

/** Return [a^(2^250 - 1), a^11], from which the powers below are made. */
function fieldCommonPowers(a) {
  const a2 = fieldSquare(a);
  const a9 = fieldMultiply(a, fieldSquareTimes(a2, 2));
  const a11 = fieldMultiply(a2, a9);
  const ones5 = fieldMultiply(a9, fieldSquare(a11)); // a^(2^5 - 1)
  const ones10 = fieldMultiply(ones5, fieldSquareTimes(ones5, 5));
  const ones20 = fieldMultiply(ones10, fieldSquareTimes(ones10, 10));
  const ones40 = fieldMultiply(ones20, fieldSquareTimes(ones20, 20));
  const ones50 = fieldMultiply(ones10, fieldSquareTimes(ones40, 10));
  const ones100 = fieldMultiply(ones50, fieldSquareTimes(ones50, 50));
  const ones200 = fieldMultiply(ones100, fieldSquareTimes(ones100, 100));
  return [fieldMultiply(ones50, fieldSquareTimes(ones200, 50)), a11];
}

/** Return a^(p - 2), which is 1 / a, or 0 for 0. */
function fieldInvert(a) {
  const [ones250, a11] = fieldCommonPowers(a);
  return fieldMultiply(fieldSquareTimes(ones250, 5), a11);
}

/** Return a^((p - 5) / 8). */
function fieldPower(a) {
  const [ones250] = fieldCommonPowers(a);
  return fieldMultiply(fieldSquareTimes(ones250, 2), a);
}

// 2^((p - 1) / 4) is a root of -1, because 2 is no square. Of the two roots the even one is taken
// (RFC 9496, section 4.1).
const SQRT_MINUS_ONE = fieldAbsolute(
  fieldMultiply(fieldSquare(fieldPower(fieldFromInteger(2n))), fieldFromInteger(2n)),
);

/**
 * Return SQRT_RATIO_M1 (RFC 9496, section 4.2): true and the root of u / v if u / v is a square,
 * otherwise false and the root of SQRT_MINUS_ONE u / v. The root is the one that is not negative.
 */
function fieldRootOfRatio(u, v) {
  const v3 = fieldMultiply(fieldSquare(v), v);
  const v7 = fieldMultiply(fieldSquare(v3), v);
  let root = fieldMultiply(fieldMultiply(u, v3), fieldPower(fieldMultiply(u, v7)));
  const check = fieldMultiply(v, fieldSquare(root));
  const correct = fieldEqual(check, u);
  const flipped = !correct && fieldIsZero(fieldAdd(check, u));
  const flippedByRoot = !correct && fieldIsZero(fieldAdd(check, fieldMultiply(u, SQRT_MINUS_ONE)));
  if (flipped || flippedByRoot) root = fieldMultiply(root, SQRT_MINUS_ONE);
  return [correct || flipped, fieldAbsolute(root)];
}
