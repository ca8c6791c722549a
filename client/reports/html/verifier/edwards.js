// The twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over the field (RFC 8032, 5.1), its points
// and sums of multiples of them.
//
// A point is {x, y, z, t} in extended coordinates: its affine ones are x/z and y/z, and t = x y / z
// (Hisil, Wong, Carter, Dawson: "Twisted Edwards curves revisited", 2008). The formulas hold for
// all points, equal, opposite and neutral ones too. A point that is added often is an addend,
// {sum, difference, z2, t2d} = {y + x, y - x, 2 z, 2 d t}.

// l, the order of the group of B.
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

/** p + q for an addend q (section 3.1 there, with a = -1). */
function addAddend(p, q) {
  const a = fieldMultiply(fieldSubtract(p.y, p.x), q.difference);
  const b = fieldMultiply(fieldAdd(p.y, p.x), q.sum);
  return fromFactors(a, b, fieldMultiply(p.t, q.t2d), fieldMultiply(p.z, q.z2));
}

/** p - q for an addend q. */
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

/** 2 p (section 3.3 there). */
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

/** The digits of a scalar to the base 2^width, lowest first: -2^(width-1) .. 2^(width-1). */
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

/** The sum of scalars times points: [[BigInt modulo l, point], ..]. */
function sumOfMultiples(terms) {
  return terms.length < 160 ? sumByTables(terms) : sumByBuckets(terms);
}

/** Straus: a table of the first eight multiples of each point, and doublings that all share. */
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

/** The addends of p, 2 p .. n p. */
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
 * Pippenger: digit by digit from the highest, each point is added to the bucket of its digit; the
 * sum of n times the n-th bucket is the sum of all partial sums from the last bucket down.
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

/** A point of which many multiples are wanted: j 16^i P is written down for all i and j. */
class FixedPoint {
  constructor(point) {
    this.tables = [];
    for (let i = 0; i < 64; i++) {
      this.tables.push(multiplesOf(point, 8));
      for (let n = 0; n < 4; n++) point = doublePoint(point);
    }
  }

  /** The sum of another point and a multiple of this one. */
  addTo(sum, scalar) {
    const digits = signedDigits(scalar, 4);
    for (let i = 0; i < 64; i++) {
      if (digits[i] !== 0) sum = addMultiple(sum, this.tables[i], digits[i]);
    }
    return sum;
  }
}
