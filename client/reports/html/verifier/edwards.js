// The twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over the field (RFC 8032, 5.1), its points,
// and sums of their multiples.
//
// A point is {x, y, z, t} in extended coordinates: the affine coordinates are x/z and y/z, and t is
// x y / z (Hisil, Wong, Carter, Dawson: "Twisted Edwards curves revisited", 2008). The formulas
// hold for all points, also for equal, opposite and neutral ones. A point that is added often is an
// addend, {sum, difference, z2, t2d} = {y + x, y - x, 2 z, 2 d t}.

// l, the order of the group that B generates.
const GROUP_ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

const CURVE_D = fieldMultiply(
  fieldFromInteger(FIELD_ORDER - 121665n),
  fieldInvert(fieldFromInteger(121666n)),
);
const CURVE_2D = fieldMultiply(CURVE_D, fieldFromInteger(2n));

const NEUTRAL = { x: FIELD_ZERO, y: FIELD_ONE, z: FIELD_ONE, t: FIELD_ZERO };

function affinePoint(x, y) {
  return { x, y, z: FIELD_ONE, t: fieldMultiply(x, y) };
}

function toAddend(p) {
  return {
    sum: fieldAdd(p.y, p.x),
    difference: fieldSubtract(p.y, p.x),
    z2: fieldAdd(p.z, p.z),
    t2d: fieldMultiply(p.t, CURVE_2D),
  };
}

function negatedAddend(q) {
  return { sum: q.difference, difference: q.sum, z2: q.z2, t2d: fieldNegate(q.t2d) };
}

/** Return p + q for an addend q (Hisil et al., section 3.1, with a = -1). */
function addAddend(p, q) {
  const a = fieldMultiply(fieldSubtract(p.y, p.x), q.difference);
  const b = fieldMultiply(fieldAdd(p.y, p.x), q.sum);
  return fromFactors(a, b, fieldMultiply(p.t, q.t2d), fieldMultiply(p.z, q.z2));
}

/** Return p - q for an addend q. */
function subtractAddend(p, q) {
  const a = fieldMultiply(fieldSubtract(p.y, p.x), q.sum);
  const b = fieldMultiply(fieldAdd(p.y, p.x), q.difference);
  return fromFactors(a, b, fieldNegate(fieldMultiply(p.t, q.t2d)), fieldMultiply(p.z, q.z2));
}

function fromFactors(a, b, c, d) {
  const e = fieldSubtract(b, a);
  const f = fieldSubtract(d, c);
  const g = fieldAdd(d, c);
  const h = fieldAdd(b, a);
  return {
    x: fieldMultiply(e, f),
    y: fieldMultiply(g, h),
    z: fieldMultiply(f, g),
    t: fieldMultiply(e, h),
  };
}

function addPoints(p, q) {
  return addAddend(p, toAddend(q));
}

function negatePoint(p) {
  return { x: fieldNegate(p.x), y: p.y, z: p.z, t: fieldNegate(p.t) };
}

/** Return 2 p (Hisil et al., section 3.3). */
function doublePoint(p) {
  const a = fieldSquare(p.x);
  const b = fieldSquare(p.y);
  const zz = fieldSquare(p.z);
  const e = fieldMultiply(fieldAdd(p.x, p.x), p.y);
  const g = fieldSubtract(b, a);
  const f = fieldSubtract(g, fieldAdd(zz, zz));
  const h = fieldNegate(fieldAdd(a, b));
  return {
    x: fieldMultiply(e, f),
    y: fieldMultiply(g, h),
    z: fieldMultiply(f, g),
    t: fieldMultiply(e, h),
  };
}

/** Return a scalar's digits to the base 2^width, lowest first: -2^(width-1) .. 2^(width-1). */
function signedDigits(scalar, width) {
  const bytes = to32Bytes(scalar);
  const base = 1 << width;
  const digits = new Int16Array(Math.ceil(256 / width));
  let carried = 0;
  for (let i = 0; i < digits.length; i++) {
    const at = i * width;
    const low = bytes[at >> 3] | ((bytes[(at >> 3) + 1] ?? 0) << 8);
    let digit = ((low >> (at & 7)) & (base - 1)) + carried;
    carried = digit > base / 2 ? 1 : 0;
    digits[i] = digit - carried * base;
  }
  return digits;
}

/** Return the sum of scalars times points: [[BigInt modulo l, point], ..]. */
function sumOfMultiples(terms) {
  return terms.length < 160 ? sumByTables(terms) : sumByBuckets(terms);
}

/** Straus's method: a table of eight multiples of each point, and doublings shared by all. */
function sumByTables(terms) {
  const rows = terms.map(([scalar, point]) => [signedDigits(scalar, 4), multiplesOf(point, 8)]);
  let sum = NEUTRAL;
  let started = false;
  for (let i = 63; i >= 0; i--) {
    if (started) for (let n = 0; n < 4; n++) sum = doublePoint(sum);
    for (const [digits, table] of rows) {
      if (digits[i] === 0) continue;
      sum = addMultiple(sum, table, digits[i]);
      started = true;
    }
  }
  return sum;
}

/** Return the addends of p, 2 p .. n p. */
function multiplesOf(p, n) {
  const first = toAddend(p);
  const table = [first];
  for (let sum = p; table.length < n; table.push(toAddend(sum))) sum = addAddend(sum, first);
  return table;
}

function addMultiple(p, table, digit) {
  return digit > 0 ? addAddend(p, table[digit - 1]) : subtractAddend(p, table[-digit - 1]);
}

/**
 * Pippenger's method. For each digit position, from the highest, each point is added to the bucket
 * of its digit. The sum of n times the n-th bucket is the sum of the partial sums of the buckets,
 * from the last one down: 1 b1 + 2 b2 + 3 b3 = b3 + (b3 + b2) + (b3 + b2 + b1).
 */
function sumByBuckets(terms) {
  const width = terms.length < 400 ? 6 : 7;
  const rows = terms.map(([scalar, point]) => [signedDigits(scalar, width), toAddend(point)]);
  let sum = NEUTRAL;
  for (let i = Math.ceil(256 / width) - 1; i >= 0; i--) {
    for (let n = 0; n < width; n++) sum = doublePoint(sum);
    const buckets = new Array(2 ** (width - 1)).fill(null);
    for (const [digits, addend] of rows) {
      const digit = digits[i];
      if (digit === 0) continue;
      const at = Math.abs(digit) - 1;
      const bucket = buckets[at] ?? NEUTRAL;
      buckets[at] = digit > 0 ? addAddend(bucket, addend) : subtractAddend(bucket, addend);
    }
    let partial = NEUTRAL;
    for (const bucket of buckets.reverse()) {
      if (bucket !== null) partial = addPoints(partial, bucket);
      if (partial !== NEUTRAL) sum = addPoints(sum, partial);
    }
  }
  return sum;
}

/** A point P for many multiplications, with a table of j 16^i P for all digits j and places i. */
class FixedPoint {
  constructor(point) {
    this.tables = [];
    for (let i = 0; i < 64; i++) {
      this.tables.push(multiplesOf(point, 8));
      for (let n = 0; n < 4; n++) point = doublePoint(point);
    }
  }

  /** Return the sum of another point and a multiple of this point. */
  addTo(sum, scalar) {
    const digits = signedDigits(scalar, 4);
    for (let i = 0; i < 64; i++) {
      if (digits[i] !== 0) sum = addMultiple(sum, this.tables[i], digits[i]);
    }
    return sum;
  }
}
