// Ed25519 signatures of labelled messages (protocol.md, section 8).

const SMALL_ORDER_Y = smallOrderY();

/** Return the y of the points of order 1, 2, 4 and 8: 1, -1, 0 and two of order 8. */
function smallOrderY() {
  // The double of a point of order 8 has y = 0. So x^2 = -y^2, and with the equation of the curve
  // d y^4 + 2 y^2 - 1 = 0.
  const known = [0n, 1n, FIELD_ORDER - 1n];
  const root = fieldRootOfRatio(fieldAdd(FIELD_ONE, CURVE_D), FIELD_ONE)[1];
  for (const sign of [root, fieldNegate(root)]) {
    const [isSquare, y] = fieldRootOfRatio(fieldSubtract(sign, FIELD_ONE), CURVE_D);
    if (isSquare) known.push(fieldToInteger(y), FIELD_ORDER - fieldToInteger(y));
  }
  return new Set(known);
}

const keyY = (key) => littleEndian(key) & ((1n << 255n) - 1n);

/** Return true if 32 bytes can be a key: y is reduced, and the point is not of small order. */
function isKeyForm(key) {
  return keyY(key) < FIELD_ORDER && !SMALL_ORDER_Y.has(keyY(key));
}

/** A player's key, with a table of multiples for verifying many signatures. */
class VerifyingKey {
  constructor(bytes) {
    this.bytes = bytes;
    this.point = pointOfY(keyY(bytes), bytes[31] >> 7 === 1);
    this.opposite = null;
  }

  /** Return true if the signature by this key is valid for the label and the message. */
  hasSigned(label, message, signature) {
    const s = decodeScalar(signature.subarray(32));
    if (this.point === null || s === null || !isKeyForm(this.bytes)) return false;
    const named = ascii(label);
    const r = signature.subarray(0, 32);
    const asked = sha512(joinBytes(r, this.bytes, Uint8Array.of(named.length), named, message));
    const k = littleEndian(asked) % GROUP_ORDER;
    this.opposite ??= new FixedPoint(negatePoint(this.point));
    const sum = this.opposite.addTo(fixedBase().addTo(NEUTRAL, s), k);
    const left = encodeEdwards(sum);
    proofWitness?.({
      kind: "signature",
      numbers: { A: this.bytes, S: to32Bytes(s), k: to32Bytes(k) },
      equations: [equationOf("signature", "S B − k A = R", left, r)],
    });
    return sameBytes(left, r);
  }
}

/** Return the encoding (RFC 8032, section 5.1.2): y, with the parity of x in the highest bit. */
function encodeEdwards(p) {
  const zInverse = fieldInvert(p.z);
  const bytes = to32Bytes(fieldToInteger(fieldMultiply(p.y, zInverse)));
  if (fieldIsNegative(fieldMultiply(p.x, zInverse))) bytes[31] |= 0x80;
  return bytes;
}
