// Ed25519 signatures over labelled messages (protocol.md, section 8).

const SMALL_ORDER_Y = smallOrderY();

/** The y of the points of order 1, 2, 4 and 8: 1, -1, 0 and the two of order 8. */
function smallOrderY() {
  // Twice a point of order 8 has y = 0, so x^2 = -y^2, and d y^4 + 2 y^2 - 1 = 0 by the curve.
  const known = [0n, 1n, FIELD_ORDER - 1n];
  const root = fieldRootOfRatio(fieldAdd(FIELD_ONE, CURVE_D), FIELD_ONE)[1];
  for (const sign of [root, fieldNegate(root)]) {
    const [isSquare, y] = fieldRootOfRatio(fieldSubtract(sign, FIELD_ONE), CURVE_D);
    if (isSquare) known.push(fieldToInteger(y), FIELD_ORDER - fieldToInteger(y));
  }
  return new Set(known);
}

const keyY = (key) => littleEndian(key) & ((1n << 255n) - 1n);

/** Whether 32 bytes have the form of a key: y reduced, and not that of a point of small order. */
function isKeyForm(key) {
  return keyY(key) < FIELD_ORDER && !SMALL_ORDER_Y.has(keyY(key));
}

/** A key of somebody at the table, with what it takes to verify many signatures of theirs. */
class VerifyingKey {
  constructor(bytes) {
    this.bytes = bytes;
    this.point = pointOfY(keyY(bytes), bytes[31] >> 7 === 1);
    this.opposite = null;
  }

  /** Whether the holder of the key has signed the message for the label. */
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

/** RFC 8032, section 5.1.2: y, and whether x is odd in the highest bit. */
function encodeEdwards(p) {
  const zInverse = fieldInvert(p.z);
  const bytes = to32Bytes(fieldToInteger(fieldMultiply(p.y, zInverse)));
  if (fieldIsNegative(fieldMultiply(p.x, zInverse))) bytes[31] |= 0x80;
  return bytes;
}
