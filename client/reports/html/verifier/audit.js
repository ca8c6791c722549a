// The audit of a whole record, from its first byte to a verdict (format.md, 5; audit.md, 14 and
// 15).

const FIRST_LINE = ascii("sobremesa record 1\n");
const OTHER_FIRST_LINE = /^sobremesa record [1-9][0-9]{0,8}\n/;
const LONGEST_PART = 65536;

/** The error for bytes that are not a record at all. */
class NoRecord extends Error {}

/**
 * The audit of a record, part by part. Call `take` with each part, then `finish`. A part that
 * exposes somebody changes nothing else, and the record goes on after it.
 */
class Auditor {
  constructor(table = null, number = -1) {
    this.table = table;
    this.number = number; // of the last part that is valid or exposes somebody
    this.exposed = []; // {entry, cause, player, member}
    this.continuations = []; // {entry, left, parent, charter, then}
    this.seated = new Map(); // each person who had a seat, by their key in hexadecimal
    this.stopped = null;
  }

  /** Return {body, signatures}; null if the part stops the audit. */
  take(part) {
    try {
      const taken = this.table === null ? this.opened(part) : this.advanced(part);
      this.number += 1;
      return taken;
    } catch (error) {
      if (error instanceof NewerVersion) this.stop("newer", "R2");
      else if (error instanceof FormError) this.stop("broken", "R2");
      else if (error instanceof Broken) this.stop("broken", error.cause);
      else throw error;
      return null;
    }
  }

  opened(part) {
    this.sitDown(openTable(part));
    return { body: null, signatures: this.table.size };
  }

  sitDown(table) {
    this.table = table;
    for (const member of table.charter.members) this.seated.set(toHex(member.key), member);
  }

  advanced(part) {
    try {
      const { table, kind, body, signatures } = advance(this.table, part);
      if (kind === "charter") {
        this.sitDown(table);
        this.continuations.push({ entry: this.number + 1, ...table.continuation });
      }
      this.table = table;
      return { body, signatures };
    } catch (error) {
      if (!(error instanceof Exposed)) throw error;
      this.expose(error);
      return { body: null, signatures: 0 };
    }
  }

  /** Note that a player is exposed. Throws Broken (R20) if the player was exposed before. */
  expose({ cause, player, member }) {
    if (this.exposed.some((one) => sameBytes(one.member.key, member.key))) throw new Broken("R20");
    this.exposed.push({ entry: this.number + 1, cause, player, member });
  }

  stop(verdict, cause) {
    this.stopped = { verdict, entry: this.number + 1, cause };
  }

  /**
   * Return the finding {verdict, entry, cause, player, last, unsigned, exposed, table}. `last` is
   * the number of the last part that was checked.
   */
  finish() {
    const { table, exposed } = this;
    const found = { player: null, ...(this.stopped ?? this.end()) };
    const last = found.entry;
    const isKnown = table !== null && found.verdict !== "newer";
    const unsigned = isKnown ? table.unsigned : [];
    const isSeated = ({ member }) =>
      table.charter.signers.some((one) => sameBytes(table.charter.members[one].key, member.key));
    const first = isKnown ? exposed.find(isSeated) : undefined;
    if (first !== undefined) {
      const { entry, cause, player } = first;
      Object.assign(found, { verdict: verdictOn(first), entry, cause, player });
    }
    return { ...found, last, unsigned, exposed, table };
  }

  /** Return the end of a record in which every part is valid. */
  end() {
    if (this.table === null) return { verdict: "broken", entry: 0, cause: "R1" };
    if (this.table.end === null) return { verdict: "unfinished", entry: this.number, cause: "R18" };
    return { verdict: this.table.end, entry: this.number, cause: "" };
  }
}

/**
 * Audit the bytes of a record part by part. Yield {table, body, signatures, entry, done} after each
 * part that does not stop the audit. `signatures` is the number of valid signatures in the part,
 * `done` the number of bytes checked so far. Return the finding of `Auditor.finish` with `seated`,
 * `continuations` and `size`. Throws NoRecord.
 */
function* auditRecord(bytes) {
  const auditor = new Auditor();
  let at = FIRST_LINE.length;
  const finding = () => {
    const { seated, continuations } = auditor;
    return { ...auditor.finish(), seated, continuations, size: at };
  };
  if (!sameBytes(bytes.subarray(0, FIRST_LINE.length), FIRST_LINE)) {
    const start = String.fromCharCode(...bytes.subarray(0, FIRST_LINE.length + 8));
    if (!OTHER_FIRST_LINE.test(start)) throw new NoRecord();
    auditor.stop("newer", "R1");
    return finding();
  }
  while (at < bytes.length) {
    const size = at + 4 <= bytes.length ? partSize(bytes, at) : 0;
    if (size < 1 || size > LONGEST_PART || at + 4 + size > bytes.length) {
      auditor.stop("broken", "R1");
      return finding();
    }
    const part = bytes.subarray(at + 4, at + 4 + size);
    at += 4 + size;
    const taken = auditor.take(part);
    if (taken === null) return finding();
    yield { table: auditor.table, ...taken, entry: auditor.number, done: at };
  }
  return finding();
}

/** Return the verdict; X11 is the only rule of play that is checked here (record.md, section 1). */
function verdictOn({ cause }) {
  return cause === "X11" ? "illegal" : "exposed";
}

function partSize(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
}
