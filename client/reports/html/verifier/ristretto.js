// ristretto255 (RFC 9496): the group of prime order l, on points of the curve.
//
// A decoded element is a point with its encoding: {x, y, z, t, bytes}.

// The constants of RFC 9496, section 4.1. Each root is the non-negative one, except for
// SQRT_AD_MINUS_ONE, which is odd.
const ONE_MINUS_D_SQUARED = fieldSubtract(FIELD_ONE, fieldSquare(CURVE_D));
const D_MINUS_ONE_SQUARED = fieldSquare(fieldSubtract(CURVE_D, FIELD_ONE));
const A_MINUS_D = fieldNegate(fieldAdd(FIELD_ONE, CURVE_D));
const AD_MINUS_ONE = fieldNegate(fieldAdd(CURVE_D, FIELD_ONE));
const INVERSE_ROOT_A_MINUS_D = fieldRootOfRatio(FIELD_ONE, A_MINUS_D)[1];
const SQRT_AD_MINUS_ONE = fieldNegate(fieldRootOfRatio(AD_MINUS_ONE, FIELD_ONE)[1]);

/** Decode a point (section 4.3.1); null for a wrong encoding, and for the identity. */
function decodeRistretto(bytes) {
  if (bytes.length !== 32) return null;
  const n = littleEndian(bytes);
  if (n >= FIELD_ORDER || (n & 1n) === 1n || n === 0n) return null;
  const s = fieldFromInteger(n);
  const ss = fieldSquare(s);
  const u1 = fieldSubtract(FIELD_ONE, ss);
  const u2 = fieldAdd(FIELD_ONE, ss);
  const u2Squared = fieldSquare(u2);
  const v = fieldSubtract(fieldNegate(fieldMultiply(CURVE_D, fieldSquare(u1))), u2Squared);
  const [wasSquare, inverse] = fieldRootOfRatio(FIELD_ONE, fieldMultiply(v, u2Squared));
  const denominatorX = fieldMultiply(inverse, u2);
  const denominatorY = fieldMultiply(fieldMultiply(inverse, denominatorX), v);
  const x = fieldAbsolute(fieldMultiply(fieldAdd(s, s), denominatorX));
  const y = fieldMultiply(u1, denominatorY);
  const t = fieldMultiply(x, y);
  if (!wasSquare || fieldIsNegative(t) || fieldIsZero(y)) return null;
  return { x, y, z: FIELD_ONE, t, bytes };
}

/** Return the encoding, 32 bytes (section 4.3.2). */
function encodeRistretto(p) {
  const u1 = fieldMultiply(fieldAdd(p.z, p.y), fieldSubtract(p.z, p.y));
  const u2 = fieldMultiply(p.x, p.y);
  const [, inverse] = fieldRootOfRatio(FIELD_ONE, fieldMultiply(u1, fieldSquare(u2)));
  const denominator1 = fieldMultiply(inverse, u1);
  const denominator2 = fieldMultiply(inverse, u2);
  const zInverse = fieldMultiply(fieldMultiply(denominator1, denominator2), p.t);
  const rotate = fieldIsNegative(fieldMultiply(p.t, zInverse));
  const x = rotate ? fieldMultiply(p.y, SQRT_MINUS_ONE) : p.x;
  let y = rotate ? fieldMultiply(p.x, SQRT_MINUS_ONE) : p.y;
  const denominator = rotate ? fieldMultiply(denominator1, INVERSE_ROOT_A_MINUS_D) : denominator2;
  if (fieldIsNegative(fieldMultiply(x, zInverse))) y = fieldNegate(y);
  const s = fieldAbsolute(fieldMultiply(denominator, fieldSubtract(p.z, y)));
  return to32Bytes(fieldToInteger(s));
}

/** Return the point for 64 bytes by the one-way map (section 4.3.4). */
function ristrettoFrom64Bytes(bytes) {
  return addPoints(mapToPoint(bytes.subarray(0, 32)), mapToPoint(bytes.subarray(32, 64)));
}

/** Return MAP of 32 bytes (section 4.3.4). */
function mapToPoint(bytes) {
  const t = fieldFromInteger(littleEndian(bytes) & ((1n << 255n) - 1n));
  const r = fieldMultiply(SQRT_MINUS_ONE, fieldSquare(t));
  const u = fieldMultiply(fieldAdd(r, FIELD_ONE), ONE_MINUS_D_SQUARED);
  const v = fieldMultiply(
    fieldNegate(fieldAdd(FIELD_ONE, fieldMultiply(r, CURVE_D))),
    fieldAdd(r, CURVE_D),
  );
  let [wasSquare, s] = fieldRootOfRatio(u, v);
  if (!wasSquare) s = fieldNegate(fieldAbsolute(fieldMultiply(s, t)));
  const c = wasSquare ? fieldNegate(FIELD_ONE) : r;
  const n = fieldSubtract(
    fieldMultiply(fieldMultiply(c, fieldSubtract(r, FIELD_ONE)), D_MINUS_ONE_SQUARED),
    v,
  );
  const ss = fieldSquare(s);
  const w0 = fieldMultiply(fieldAdd(s, s), v);
  const w1 = fieldMultiply(n, SQRT_AD_MINUS_ONE);
  const w2 = fieldSubtract(FIELD_ONE, ss);
  const w3 = fieldAdd(FIELD_ONE, ss);
  return {
    x: fieldMultiply(w0, w3),
    y: fieldMultiply(w2, w1),
    z: fieldMultiply(w1, w3),
    t: fieldMultiply(w0, w2),
  };
}

/** Return true if two points are the same element (section 4.3.3). */
function sameElement(p, q) {
  return (
    fieldEqual(fieldMultiply(p.x, q.y), fieldMultiply(p.y, q.x)) ||
    fieldEqual(fieldMultiply(p.y, q.y), fieldMultiply(p.x, q.x))
  );
}

const isIdentity = (p) => sameElement(p, NEUTRAL);

/** Return an encoded scalar as a BigInt; null if it is not below l, or not 32 bytes. */
function decodeScalar(bytes) {
  if (bytes.length !== 32) return null;
  const n = littleEndian(bytes);
  return n < GROUP_ORDER ? n : null;
}

/** Return a BigInt modulo l, never negative. */
function modulo(n) {
  n %= GROUP_ORDER;
  return n < 0n ? n + GROUP_ORDER : n;
}

// B, with y = 4/5 and x even (RFC 8032, section 5.1), which also generates ristretto255.
const FIFTH = fieldToInteger(fieldInvert(fieldFromInteger(5n)));
const BASE = pointOfY((4n * FIFTH) % FIELD_ORDER, false);

/** Return the point with this y, and x odd or even; null if there is none (RFC 8032, 5.1.3). */
function pointOfY(n, odd) {
  const y = fieldFromInteger(n);
  const yy = fieldSquare(y);
  const u = fieldSubtract(yy, FIELD_ONE);
  const v = fieldAdd(fieldMultiply(CURVE_D, yy), FIELD_ONE);
  const [wasSquare, x] = fieldRootOfRatio(u, v);
  if (!wasSquare || (fieldIsZero(x) && odd)) return null;
  return affinePoint(odd ? fieldNegate(x) : x, y);
}

let basePoint = null;
/** Return B with its table of multiples, which is made at the first call. */
function fixedBase() {
  basePoint ??= new FixedPoint(BASE);
  return basePoint;
}
