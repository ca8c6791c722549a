// The shuffle proof (protocol.md, section 6).

/** The error for a proof or a signed value that is wrong; `cause` names the failed check. */
class Refusal extends Error {
  constructor(cause) {
    super(cause);
    this.cause = cause;
  }
}

function requirePoint(bytes) {
  const point = decodeRistretto(bytes);
  if (point === null) throw new Refusal("R9");
  return point;
}

function requireScalar(bytes) {
  const scalar = decodeScalar(bytes);
  if (scalar === null) throw new Refusal("R9");
  return scalar;
}

const generatorPoints = [];
/** Return H_0 .. H_n. */
function generators(n) {
  while (generatorPoints.length <= n) {
    generatorPoints.push(hashToPoint("generator", eightBytes(generatorPoints.length)));
  }
  return generatorPoints.slice(0, n + 1);
}

const EQUATIONS = ["sum", "prod", "commit", "map", "key", "chain"];
const SCALARS = ["s1", "s2", "s3", "s4", "sHat"];

/** Decode a proof about n cards, 32 (3n + 11) bytes. Throws Refusal. */
function readShuffleProof(bytes, n) {
  if (bytes.length !== 32 * (3 * n + 11)) throw new Refusal("R9");
  const parts = Array.from({ length: 3 * n + 11 }, (_, at) =>
    bytes.subarray(32 * at, 32 * at + 32),
  );
  const points = parts.slice(0, 2 * n + 6).map(requirePoint);
  const scalars = parts.slice(2 * n + 6).map(requireScalar);
  return {
    c: points.slice(0, n),
    d: points.slice(n, 2 * n),
    t: Object.fromEntries(EQUATIONS.map((name, at) => [name, points[2 * n + at]])),
    dBytes: bytes.subarray(32 * n, 64 * n),
    cBytes: bytes.subarray(0, 32 * n),
    tBytes: bytes.subarray(64 * n, 64 * n + 192),
    responses: bytes.subarray(64 * n + 192),
    ...Object.fromEntries(SCALARS.map((name, at) => [name, scalars[at]])),
    sPrime: scalars.slice(5),
  };
}

/**
 * Verify a shuffle (VerifyShuffle). The inputs x are points with their bytes; the outputs y and the
 * unlock key are bytes. Return the points of both. Throws Refusal.
 */
function verifyShuffle(context, unlockKeyBytes, x, outputs, proofBytes) {
  const n = x.length;
  if (outputs.length !== n || n === 0) throw new Refusal("shuffle:length");
  const y = outputs.map(requirePoint);
  const unlockKey = requirePoint(unlockKeyBytes);
  const proof = readShuffleProof(proofBytes, n);
  if (new Set(outputs.map(toHex)).size !== n) throw new Refusal("shuffle:distinct");

  const xBytes = joinBytes(...x.map((point) => point.bytes));
  const yBytes = joinBytes(...outputs);
  const parts = [context, unlockKeyBytes, xBytes, yBytes, proof.cBytes];
  const seed = labelledHash("shuffle seed", ...parts);
  const e = x.map((_, at) => hashToScalar("shuffle e", seed, eightBytes(at + 1)));
  const f = hashToScalar("shuffle f", seed, proof.dBytes);
  const challenge = hashToScalar("shuffle c", seed, proof.dBytes, proof.tBytes);
  const equations = shuffleEquations({ x, y, unlockKey, proof, e, f, challenge });

  proofWitness?.(shuffleWitness(equations, proof, { C: challenge, f, e_1: e[0], e_N: e[n - 1] }));

  // Check all six equations at once, by their sum. Each is weighted with a power of a hash over the
  // responses, so that the sum of wrong equations is zero only with probability 6/l. If the sum is
  // not zero, check the equations one by one to name the wrong one.
  const weight = hashToScalar("shuffle sum", to32Bytes(challenge), proof.responses);
  if (!isIdentity(weighedSum(EQUATIONS.map((name) => equations[name]), weight))) {
    for (const name of EQUATIONS) {
      if (!isIdentity(sumOfMultiples(equations[name]))) throw new Refusal(`shuffle:${name}`);
    }
  }
  return { y, unlockKey };
}

const EQUATION_TEXTS = {
  sum: "s1 B − C (Σ c_j − Σ H_j) = T_sum",
  prod: "s2 B − C (d_N − e_1 e_2 .. e_N H_0) = T_prod",
  commit: "s3 B + Σ s'_i H_i − C Σ e_j c_j = T_commit",
  map: "Σ s'_i y_i − s4 Σ e_j x_j = T_map",
  key: "s4 U − C B = T_key",
  chain: "ŝ B + Σ f^i s'_i d_(i−1) − C Σ f^i d_i = T_chain",
};

function shuffleWitness(equations, proof, asked) {
  const scalars = { ...asked, ...Object.fromEntries(SCALARS.map((name) => [name, proof[name]])) };
  const numbers = Object.entries(scalars).map(([name, scalar]) => [name, to32Bytes(scalar)]);
  return {
    kind: "shuffle",
    numbers: Object.fromEntries(numbers),
    equations: EQUATIONS.map((name) => {
      const left = encodeRistretto(sumOfMultiples(equations[name].slice(0, -1)));
      return equationOf(name, EQUATION_TEXTS[name], left, proof.t[name].bytes);
    }),
  };
}

/** Return, for each equation of steps 3 to 8, the terms of its left side minus its right side. */
function shuffleEquations({ x, y, unlockKey, proof, e, f, challenge }) {
  const { c, d, t, s1, s2, s3, s4, sHat, sPrime } = proof;
  const n = x.length;
  const h = generators(n);
  const minus = modulo(-challenge);
  const product = e.reduce((a, b) => (a * b) % GROUP_ORDER, 1n);
  const before = [h[0], ...d]; // d_0 .. d_N
  const powers = [1n];
  for (let i = 1; i <= n; i++) powers.push((powers[i - 1] * f) % GROUP_ORDER);
  const terms = {
    sum: [
      [s1, BASE],
      ...c.map((point) => [minus, point]),
      ...h.slice(1).map((point) => [challenge, point]),
    ],
    prod: [
      [s2, BASE],
      [minus, d[n - 1]],
      [modulo(challenge * product), h[0]],
    ],
    commit: [
      [s3, BASE],
      ...sPrime.map((s, at) => [s, h[at + 1]]),
      ...c.map((point, at) => [modulo(minus * e[at]), point]),
    ],
    map: [
      ...sPrime.map((s, at) => [s, y[at]]),
      ...x.map((point, at) => [modulo(-s4 * e[at]), point]),
    ],
    key: [
      [s4, unlockKey],
      [minus, BASE],
    ],
    chain: [
      [sHat, BASE],
      ...sPrime.map((s, at) => [modulo(powers[at + 1] * s), before[at]]),
      ...d.map((point, at) => [modulo(minus * powers[at + 1]), point]),
    ],
  };
  for (const name of EQUATIONS) terms[name].push([GROUP_ORDER - 1n, t[name]]);
  return terms;
}

/** Return the weighted sum of several sums; a point that is in several is multiplied once. */
function weighedSum(sums, weight) {
  const scalars = new Map();
  let power = 1n;
  for (const terms of sums) {
    for (const [scalar, point] of terms) {
      scalars.set(point, modulo((scalars.get(point) ?? 0n) + scalar * power));
    }
    power = (power * weight) % GROUP_ORDER;
  }
  return sumOfMultiples(Array.from(scalars, ([point, scalar]) => [scalar, point]));
}
