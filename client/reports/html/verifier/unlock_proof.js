// The unlock proof (protocol.md, section 7).

const UNLOCK_SUITE = ascii("sobremesa/1/unlock-ristretto255-SHA512-");

/** Return S(p, ..): each part after its length in two bytes. */
const sized = (...parts) => joinBytes(...parts.flatMap((part) => [twoBytes(part.length), part]));

/** A player's unlock key for a deal: its bytes, and its point with a table of multiples. */
class UnlockKey {
  constructor(point) {
    this.bytes = point.bytes;
    this.point = point;
    this.fixed = null;
  }

  /** Return sum + c U. */
  addTo(sum, c) {
    this.fixed ??= new FixedPoint(this.point);
    return this.fixed.addTo(sum, c);
  }
}

/** Verify a proof of 64 bytes (VerifyUnlock) for points w and z with bytes. Throws Refusal. */
function verifyUnlock(context, unlockKey, w, z, proof) {
  if (w.length !== z.length || w.length === 0) throw new Refusal("unlock:length");
  const c = requireScalar(proof.subarray(0, 32));
  const s = requireScalar(proof.subarray(32, 64));
  const pairs = [w, z].map((points) => joinBytes(...points.map((point) => point.bytes)));
  const suite = joinBytes(UNLOCK_SUITE, digest("unlock", context, unlockKey.bytes, ...pairs));
  const tag = joinBytes(ascii("HashToScalar-"), suite);
  const ask = (message) => littleEndian(expandMessage(message, tag, 64)) % GROUP_ORDER;
  const seed = sha512(sized(unlockKey.bytes, joinBytes(ascii("Seed-"), suite)));
  const g = w.map((point, i) =>
    ask(joinBytes(sized(seed), twoBytes(i), sized(point.bytes, z[i].bytes), ascii("Composite"))),
  );
  const m = sumOfMultiples(w.map((point, i) => [g[i], point]));
  const zSum = sumOfMultiples(z.map((point, i) => [g[i], point]));
  const t2 = unlockKey.addTo(fixedBase().addTo(NEUTRAL, s), c);
  const t3 = sumOfMultiples([
    [s, m],
    [c, zSum],
  ]);
  const points = [m, zSum, t2, t3];
  if (points.some(isIdentity)) throw new Refusal("unlock:identity");
  const encoded = points.map(encodeRistretto);
  const asked = ask(joinBytes(sized(unlockKey.bytes, ...encoded), ascii("Challenge")));
  proofWitness?.(unlockWitness(unlockKey, { c, s }, encoded, asked));
  if (asked !== c) throw new Refusal("unlock:dleq");
}

function unlockWitness(unlockKey, { c, s }, [m, z, t2, t3], asked) {
  const sums = "M = Σ g_i w_i, Z = Σ g_i z_i, t2 = s B + c U, t3 = s M + c Z";
  const text = `H(U, M, Z, t2, t3) = c, with ${sums}`;
  return {
    kind: "unlock",
    numbers: { U: unlockKey.bytes, s: to32Bytes(s), M: m, Z: z, t2, t3 },
    equations: [equationOf("dleq", text, to32Bytes(asked), to32Bytes(c))],
  };
}
