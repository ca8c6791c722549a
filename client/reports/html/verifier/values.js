// The strict decoder of values (format.md, section 1).
//
// Nothing becomes null, a byte string a Uint8Array, a list an Array. An integer becomes a number,
// or a BigInt if a double could not hold it.

/** The error for bytes that are not a value, or for a value of the wrong form. */
class FormError extends Error {}

const DEEPEST = 12;
const LONGEST_LIST = 4096;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Return the value of these bytes, with none left over. Throws FormError. */
function decodeValue(bytes) {
  const reader = new ValueReader(bytes);
  const value = reader.value(1);
  if (reader.at !== bytes.length) throw new FormError("bytes are left over");
  return value;
}

/** Return the length and the first item of a list; the rest is not decoded. Throws FormError. */
function frontOf(bytes) {
  const reader = new ValueReader(bytes);
  const length = reader.listLength(reader.take(1)[0]);
  if (length === 0) throw new FormError("the list is empty");
  return [length, reader.value(2)];
}

class ValueReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(size) {
    if (size > this.bytes.length - this.at) throw new FormError("it ends early");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  /** Read an unsigned number of `size` bytes; below `least` it would fit into fewer bytes. */
  unsigned(size, least) {
    const n = this.take(size).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    if (n < least) throw new FormError("a number is longer than it must be");
    return n;
  }

  /** Read a negative number of `size` bytes; above `most` it would fit into fewer bytes. */
  negative(size, most) {
    const n = BigInt.asIntN(8 * size, this.unsigned(size, 0n));
    if (n > most) throw new FormError("a number is longer than it must be");
    return n;
  }

  length(size, least) {
    return Number(this.unsigned(size, least));
  }

  text(size) {
    const bytes = this.take(size);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new FormError("a text is no UTF-8");
    }
  }

  listLength(first) {
    const size = this.plainListLength(first);
    if (size > LONGEST_LIST) throw new FormError("a list is too long");
    return size;
  }

  plainListLength(first) {
    if (first >= 0x90 && first <= 0x9f) return first - 0x90;
    if (first === 0xdc) return this.length(2, 16n);
    if (first === 0xdd) return this.length(4, 1n << 16n);
    throw new FormError("a byte begins no value");
  }

  list(first, depth) {
    const size = this.listLength(first);
    if (depth > DEEPEST) throw new FormError("lists are too deep");
    return Array.from({ length: size }, () => this.value(depth + 1));
  }

  value(depth) {
    const first = this.take(1)[0];
    if (first <= 0x7f) return first;
    if (first >= 0xe0) return first - 256;
    if (first >= 0xa0 && first <= 0xbf) return this.text(first - 0xa0);
    switch (first) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xcc: return plainInteger(this.unsigned(1, 1n << 7n));
      case 0xcd: return plainInteger(this.unsigned(2, 1n << 8n));
      case 0xce: return plainInteger(this.unsigned(4, 1n << 16n));
      case 0xcf: return plainInteger(this.unsigned(8, 1n << 32n));
      case 0xd0: return plainInteger(this.negative(1, -33n));
      case 0xd1: return plainInteger(this.negative(2, -129n));
      case 0xd2: return plainInteger(this.negative(4, -32769n));
      case 0xd3: return plainInteger(this.negative(8, -2147483649n));
      case 0xc4: return this.take(this.length(1, 0n));
      case 0xc5: return this.take(this.length(2, 1n << 8n));
      case 0xc6: return this.take(this.length(4, 1n << 16n));
      case 0xd9: return this.text(this.length(1, 32n));
      case 0xda: return this.text(this.length(2, 1n << 8n));
      case 0xdb: return this.text(this.length(4, 1n << 16n));
      default: return this.list(first, depth);
    }
  }
}

function plainInteger(n) {
  const number = Number(n);
  return Number.isSafeInteger(number) ? number : n;
}

/** Encode a value of lists, bytes and integers from 0 to 2^53, in the only valid way. */
function encodeValue(value) {
  if (Array.isArray(value)) {
    const items = value.map(encodeValue);
    return joinBytes(headOf(value.length, 0x90, 16, [[0xdc, 2], [0xdd, 4]]), ...items);
  }
  if (value instanceof Uint8Array) {
    return joinBytes(headOf(value.length, 0, 0, [[0xc4, 1], [0xc5, 2], [0xc6, 4]]), value);
  }
  return headOf(value, 0, 128, [[0xcc, 1], [0xcd, 2], [0xce, 4], [0xcf, 8]]);
}

/** Return the first bytes of a value; a number below `small` is part of the first byte. */
function headOf(n, first, small, sizes) {
  if (n < small) return Uint8Array.of(first + n);
  const [head, size] = sizes.find(([, size]) => n < 256 ** size);
  return joinBytes(Uint8Array.of(head), eightBytes(n).subarray(8 - size));
}

/** Return true if two values are equal, decoded or read by a form. */
function sameValue(a, b) {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  const others = Object.keys(b);
  return names.length === others.length && names.every((name) => sameValue(a[name], b[name]));
}

// -- forms of values
//
// A form is {read, ..}. `read` checks a value and returns it, with names for the items of a struct.
// It throws FormError.

const anyForm = { read: (value) => value };

function integerForm(low, high) {
  return {
    read(value) {
      if (Number.isInteger(value) && value >= low && value <= high) return value;
      throw new FormError("it is no integer within the bounds");
    },
  };
}

function bytesForm(low, high = low) {
  return {
    read(value) {
      if (value instanceof Uint8Array && value.length >= low && value.length <= high) return value;
      throw new FormError("they are no bytes of that length");
    },
  };
}

const textForm = {
  read(value) {
    if (typeof value === "string") return value;
    throw new FormError("it is no text");
  },
};

const truthForm = {
  read(value) {
    if (typeof value === "boolean") return value;
    throw new FormError("it is no truth value");
  },
};

function constantForm(constant) {
  return {
    read(value) {
      if (value === constant) return value;
      throw new FormError("it is not the value that it must be");
    },
  };
}

/** Return the form of null, or of a value of another form. */
function optionalForm(form) {
  return { read: (value) => (value === null ? null : form.read(value)) };
}

function listForm(item, low, high) {
  return {
    read(value) {
      if (!Array.isArray(value) || value.length < low || value.length > high) {
        throw new FormError("it is no list of that length");
      }
      return value.map((one) => item.read(one));
    },
  };
}

/** Return the form of a list with named items, which becomes an object. */
function structForm(parts) {
  const names = Object.keys(parts);
  return {
    parts,
    read(value) {
      if (!Array.isArray(value) || value.length !== names.length) {
        throw new FormError("it is no list of that many items");
      }
      return Object.fromEntries(names.map((name, at) => [name, parts[name].read(value[at])]));
    },
  };
}
