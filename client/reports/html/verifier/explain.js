// The explanation of one entry: its bytes, the decoded fields with their names, and its equations
// with numbers. The numbers depend on earlier entries, so the record is checked again up to this
// entry.

/** Return {entry, kind, size, hex, fields, witnesses}; null if there is no such part. */
function explainEntry(bytes, entry) {
  const part = partAt(bytes, entry);
  if (part === null) return null;
  const witnesses = [];
  const audit = auditRecord(bytes);
  let table = null;
  try {
    for (let at = 0; at <= entry; at++) {
      if (at === entry) proofWitness = (one) => witnesses.push(one);
      const step = audit.next();
      if (step.done) break;
      ({ table } = step.value);
    }
  } finally {
    proofWitness = null;
  }
  const kind = entry === 0 ? "charter" : kindOfPart(part);
  const fields = fieldsOf(() => FIELDS[kind](part, table), part);
  const proofs = witnesses.map(plainProof);
  return { entry, kind, size: part.length, hex: toHex(part), fields, witnesses: proofs };
}

/** Return the bytes of the part with this number; the first charter has 0. */
function partAt(bytes, entry) {
  let at = FIRST_LINE.length;
  for (let i = 0; at + 4 <= bytes.length; i++) {
    const size = partSize(bytes, at);
    if (i === entry) return bytes.subarray(at + 4, at + 4 + size);
    at += 4 + size;
  }
  return null;
}

/** The decoder of fields for each kind of part. Each throws FormError. */
const FIELDS = { charter: signedCharterFields, evidence: evidenceFields, entry: entryFields };

const charterFields = (bytes) => CHARTER.read(decodeValue(bytes));

function signedCharterFields(part) {
  const value = decodeValue(part);
  const [bytes] = value;
  const charter = charterFields(CHARTER_BYTES.read(bytes));
  const form = charter.continues === null ? SIGNED_CHARTER : SIGNED_CONTINUATION;
  return { charter, signatures: form.read(value).signatures };
}

function evidenceFields(part, table) {
  const evidence = EVIDENCE.read(decodeValue(part));
  const signed = (value) => {
    if (value instanceof Uint8Array) return entryFields(value, table);
    const statement = STATEMENT.read(value);
    return { ...statement, charter: charterFields(statement.charter) };
  };
  return {
    one: signed(evidence.one),
    other: signed(evidence.other),
    table: evidence.table === null ? null : charterFields(evidence.table),
  };
}

function entryFields(part, table) {
  const { body, signature } = ENTRY.read(decodeValue(part));
  const read = readBody(decodeValue(body), table.deck.cards);
  if (read.kind === "shuffle") read.content = shuffleFields(read.content);
  return { body: read, signature };
}

/** Return the fields of a shuffle, with the parts of its proof by their names. */
function shuffleFields(content) {
  const n = content.cards.length;
  const item = (bytes, at) => bytes.subarray(32 * at, 32 * at + 32);
  const split = (bytes, from, to) =>
    Array.from({ length: to - from }, (_, at) => item(bytes, from + at));
  const { proof, outputs } = content;
  const named = (names, from) => names.map((name, at) => [name, item(proof, from + at)]);
  return {
    ...content,
    outputs: split(outputs, 0, outputs.length / 32),
    proof: {
      c: split(proof, 0, n),
      d: split(proof, n, 2 * n),
      T: Object.fromEntries(named(EQUATIONS, 2 * n)),
      ...Object.fromEntries(named(SCALARS, 2 * n + 6)),
      sPrime: split(proof, 2 * n + 11, 3 * n + 11),
    },
  };
}

/** Return the result of `read` as a tree of names and texts; without names for a malformed part. */
function fieldsOf(read, part) {
  try {
    return fieldTree(read());
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
  }
  try {
    return fieldTree(decodeValue(part));
  } catch (error) {
    if (error instanceof FormError) return "";
    throw error;
  }
}

/** Return a text, or [[name, tree], ..]; the items of a list are named by numbers from 1 on. */
function fieldTree(value) {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map((one, at) => [String(at + 1), fieldTree(one)]);
  if (typeof value === "object" && value !== null) {
    const words = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return Object.entries(value).map(([name, one]) => [words(name), fieldTree(one)]);
  }
  return value === null ? "–" : escapedText(String(value));
}

function plainProof({ kind, numbers, equations }) {
  return {
    kind,
    numbers: Object.entries(numbers).map(([name, bytes]) => [name, toHex(bytes)]),
    equations: equations.map(({ left, right, ...rest }) => {
      return { ...rest, left: toHex(left), right: toHex(right) };
    }),
  };
}
