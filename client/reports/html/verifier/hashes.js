// The hashes of protocol.md, section 2, and expand_message_xmd (RFC 9380, section 5.3.1).

const VERSION_LABEL = "sobremesa/1/";

/** Return framed(label, ..): each part after its length. */
function framed(label, parts) {
  const named = ascii(VERSION_LABEL + label);
  return joinBytes(...[named, ...parts].flatMap((part) => [eightBytes(part.length), part]));
}

/** Return digest(label, ..), 32 bytes. */
const digest = (label, ...parts) => sha256(framed(label, parts));

/** Return labelled_hash(label, ..), 64 bytes. */
const labelledHash = (label, ...parts) => sha512(framed(label, parts));

/** Return hash_to_scalar(label, ..), a BigInt modulo l. */
const hashToScalar = (label, ...parts) => littleEndian(labelledHash(label, ...parts)) % GROUP_ORDER;

/** Return hash_to_point(label, ..), a point. */
const hashToPoint = (label, ...parts) => ristrettoFrom64Bytes(labelledHash(label, ...parts));

/** Return expand_message_xmd with SHA-512, up to 255 times 64 bytes. */
function expandMessage(message, tag, size) {
  const suffix = joinBytes(tag, Uint8Array.of(tag.length));
  const zeros = new Uint8Array(128); // a block of SHA-512
  const b0 = sha512(joinBytes(zeros, message, twoBytes(size), Uint8Array.of(0), suffix));
  let block = new Uint8Array(64);
  const blocks = [];
  for (let i = 1; blocks.length * 64 < size; i++) {
    block = sha512(joinBytes(block.map((byte, at) => byte ^ b0[at]), Uint8Array.of(i), suffix));
    blocks.push(block);
  }
  return joinBytes(...blocks).subarray(0, size);
}
