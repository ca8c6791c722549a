// A whole record: from its first byte to a verdict (format.md, section 5; audit.md, 14 and 15).

const FIRST_LINE = ascii("sobremesa record 1\n");
const OTHER_FIRST_LINE = /^sobremesa record [1-9][0-9]{0,8}\n/;
const LONGEST_PART = 65536;

/** The bytes are no record at all. */
class NoRecord extends Error {}

/**
 * Audit the bytes of a record part by part. After the charter and each entry it yields {table,
 * body, signatures, entry, done}: how many signatures held, how many bytes are judged. It returns
 * the finding {verdict, entry, cause, player, unsigned, table, size}. Throws NoRecord.
 */
function* auditRecord(bytes) {
  let at = FIRST_LINE.length;
  let table = null;
  let entry = 0;
  const finding = (verdict, cause, player = null) => ({
    verdict,
    entry,
    cause,
    player,
    unsigned: table === null ? [] : table.unsigned,
    table,
    size: at,
  });
  if (!sameBytes(bytes.subarray(0, FIRST_LINE.length), FIRST_LINE)) {
    const start = String.fromCharCode(...bytes.subarray(0, FIRST_LINE.length + 8));
    if (!OTHER_FIRST_LINE.test(start)) throw new NoRecord();
    return finding("newer", "R1");
  }
  while (at < bytes.length || table === null) {
    if (table !== null) entry += 1;
    const size = at + 4 <= bytes.length ? partSize(bytes, at) : 0;
    if (size < 1 || size > LONGEST_PART || at + 4 + size > bytes.length) {
      return finding("broken", "R1");
    }
    const part = bytes.subarray(at + 4, at + 4 + size);
    at += 4 + size;
    let body = null;
    let signatures = 0;
    try {
      if (table === null) {
        table = new Table(openCharter(part));
        signatures = table.size;
      } else {
        ({ body, signatures } = advance(table, part));
      }
    } catch (error) {
      if (error instanceof NewerVersion) return finding("newer", "R2");
      if (error instanceof FormError) return finding("broken", "R2");
      if (error instanceof Broken) return finding("broken", error.cause);
      if (error instanceof Exposed) return finding(verdictOn(error), error.cause, error.player);
      throw error;
    }
    yield { table, body, signatures, entry, done: at };
  }
  if (table.end === null) return finding("unfinished", "R18");
  return finding(table.end === "absence" ? "ended" : "sound", "");
}

/** A clause of the rules of play as the cause is told apart (record.md, section 1). */
function verdictOn({ cause }) {
  return cause.startsWith("R") || cause.includes(":") ? "exposed" : "illegal";
}

function partSize(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
}
