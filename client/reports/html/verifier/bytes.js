// Operations on bytes, which are Uint8Arrays: join, compare, convert to numbers and back.

/** Return the bytes of ASCII text. */
function ascii(text) {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function joinBytes(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sameBytes(a, b) {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Return the bytes of a hexadecimal text. */
function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
    Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
  );
}

/** Return a little-endian number as a BigInt. */
function littleEndian(bytes) {
  return bytes.length ? BigInt("0x" + toHex(Uint8Array.from(bytes).reverse())) : 0n;
}

/** Return a BigInt that is not negative as 32 bytes, little-endian. */
function to32Bytes(n) {
  return fromHex(n.toString(16).padStart(64, "0")).reverse();
}

/** Return I8(n), a number from 0 to 2^53 in 8 bytes, big-endian (protocol.md, 1). */
function eightBytes(n) {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(n / 2 ** 32));
  view.setUint32(4, n % 2 ** 32);
  return bytes;
}

/** Return I2(n), a number from 0 to 65,535 in 2 bytes, big-endian. */
function twoBytes(n) {
  return Uint8Array.of(n >> 8, n & 255);
}
