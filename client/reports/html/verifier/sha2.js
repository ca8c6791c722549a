// SHA-256 and SHA-512 (FIPS 180-4). A word of 64 bits is two halves of 32.

// The constants are the first bits of the fractions of roots of primes (sections 4.2 and 5.3).
const SHA_PRIMES = (() => {
  const primes = [];
  for (let n = 2; primes.length < 80; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
})();

/** Return the first 64 bits of the fraction of the k-th root of n, as a BigInt. */
function rootFraction(n, k) {
  const target = BigInt(n) << BigInt(64 * k);
  let root = 0n;
  for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** BigInt(k) <= target) root += bit;
  }
  return root & ((1n << 64n) - 1n);
}

const highHalf = (word) => Number(word >> 32n) | 0;
const lowHalf = (word) => Number(word & 0xffffffffn) | 0;
const CUBE_ROOTS = SHA_PRIMES.map((prime) => rootFraction(prime, 3));
const SQUARE_ROOTS = SHA_PRIMES.slice(0, 8).map((prime) => rootFraction(prime, 2));
const ROUND_HIGH = Int32Array.from(CUBE_ROOTS, highHalf);
const ROUND_LOW = Int32Array.from(CUBE_ROOTS, lowHalf);
const START_HIGH = Int32Array.from(SQUARE_ROOTS, highHalf);
const START_LOW = Int32Array.from(SQUARE_ROOTS, lowHalf);

/** Pad the message with a bit, zeros and its length to whole blocks (section 5.1). */
function padded(message, block) {
  const lengthSize = block / 8;
  const size = Math.ceil((message.length + 1 + lengthSize) / block) * block;
  const all = new Uint8Array(size);
  all.set(message);
  all[message.length] = 0x80;
  all.set(eightBytes(message.length * 8), size - 8);
  return new DataView(all.buffer);
}

/** Return the SHA-256 digest, 32 bytes (section 6.2). */
function sha256(message) {
  const view = padded(message, 64);
  const state = START_HIGH.slice();
  const w = new Int32Array(64);
  const rotate = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >>> 3);
      const s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >>> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_HIGH[t] + w[t]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** Return the SHA-512 digest, 64 bytes (section 6.4). */
function sha512(message) {
  const view = padded(message, 128);
  const high = START_HIGH.slice();
  const low = START_LOW.slice();
  const wh = new Int32Array(80);
  const wl = new Int32Array(80);
  for (let at = 0; at < view.byteLength; at += 128) {
    for (let t = 0; t < 16; t++) {
      wh[t] = view.getInt32(at + 8 * t);
      wl[t] = view.getInt32(at + 8 * t + 4);
    }
    sha512Schedule(wh, wl);
    sha512Block(high, low, wh, wl);
  }
  const digest = new DataView(new ArrayBuffer(64));
  for (let i = 0; i < 8; i++) {
    digest.setInt32(8 * i, high[i]);
    digest.setInt32(8 * i + 4, low[i]);
  }
  return new Uint8Array(digest.buffer);
}

// The halves of a word rotated to the right by n < 32; swap the halves to rotate by n + 32.
const rotateHigh = (h, l, n) => (h >>> n) | (l << (32 - n));
const rotateLow = (h, l, n) => (l >>> n) | (h << (32 - n));

/** Compute words 16 to 79 of a block. */
function sha512Schedule(wh, wl) {
  for (let t = 16; t < 80; t++) {
    const h0 = wh[t - 15];
    const l0 = wl[t - 15];
    const s0h = rotateHigh(h0, l0, 1) ^ rotateHigh(h0, l0, 8) ^ (h0 >>> 7);
    const s0l = rotateLow(h0, l0, 1) ^ rotateLow(h0, l0, 8) ^ rotateLow(h0, l0, 7);
    const h1 = wh[t - 2];
    const l1 = wl[t - 2];
    const s1h = rotateHigh(h1, l1, 19) ^ rotateHigh(l1, h1, 29) ^ (h1 >>> 6);
    const s1l = rotateLow(h1, l1, 19) ^ rotateLow(l1, h1, 29) ^ rotateLow(h1, l1, 6);
    const sum = (wl[t - 16] >>> 0) + (s0l >>> 0) + (wl[t - 7] >>> 0) + (s1l >>> 0);
    wl[t] = sum | 0;
    wh[t] = wh[t - 16] + s0h + wh[t - 7] + s1h + Math.floor(sum / 2 ** 32);
  }
}

/** Change the state by the eighty rounds of one block. */
function sha512Block(high, low, wh, wl) {
  let [ah, bh, ch, dh, eh, fh, gh, hh] = high;
  let [al, bl, cl, dl, el, fl, gl, hl] = low;
  for (let t = 0; t < 80; t++) {
    const s1h = rotateHigh(eh, el, 14) ^ rotateHigh(eh, el, 18) ^ rotateHigh(el, eh, 9);
    const s1l = rotateLow(eh, el, 14) ^ rotateLow(eh, el, 18) ^ rotateLow(el, eh, 9);
    const chosenHigh = (eh & fh) ^ (~eh & gh);
    const chosenLow = (el & fl) ^ (~el & gl);
    const t1 =
      (hl >>> 0) + (s1l >>> 0) + (chosenLow >>> 0) + (ROUND_LOW[t] >>> 0) + (wl[t] >>> 0);
    const t1h = (hh + s1h + chosenHigh + ROUND_HIGH[t] + wh[t] + Math.floor(t1 / 2 ** 32)) | 0;
    const s0h = rotateHigh(ah, al, 28) ^ rotateHigh(al, ah, 2) ^ rotateHigh(al, ah, 7);
    const s0l = rotateLow(ah, al, 28) ^ rotateLow(al, ah, 2) ^ rotateLow(al, ah, 7);
    const mostHigh = (ah & bh) ^ (ah & ch) ^ (bh & ch);
    const mostLow = (al & bl) ^ (al & cl) ^ (bl & cl);
    const t2 = (s0l >>> 0) + (mostLow >>> 0);
    const t2h = (s0h + mostHigh + Math.floor(t2 / 2 ** 32)) | 0;
    hh = gh;
    hl = gl;
    gh = fh;
    gl = fl;
    fh = eh;
    fl = el;
    const e = (dl >>> 0) + ((t1 | 0) >>> 0);
    eh = (dh + t1h + Math.floor(e / 2 ** 32)) | 0;
    el = e | 0;
    dh = ch;
    dl = cl;
    ch = bh;
    cl = bl;
    bh = ah;
    bl = al;
    const a = ((t1 | 0) >>> 0) + ((t2 | 0) >>> 0);
    ah = (t1h + t2h + Math.floor(a / 2 ** 32)) | 0;
    al = a | 0;
  }
  const highs = [ah, bh, ch, dh, eh, fh, gh, hh];
  const lows = [al, bl, cl, dl, el, fl, gl, hl];
  for (let i = 0; i < 8; i++) {
    const sum = (low[i] >>> 0) + (lows[i] >>> 0);
    high[i] += highs[i] + Math.floor(sum / 2 ** 32);
    low[i] = sum | 0;
  }
}
