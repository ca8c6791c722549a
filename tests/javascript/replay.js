// A match once, and at its places what could have been written there instead.
"use strict";

/** `alternatives`: [{keep, added, tail}, ..]. The findings, in their order. */
exports.findings = (verifier, charter, entries, alternatives) => {
  const table = new verifier.Table(verifier.openCharter(charter));
  const found = [];
  for (let kept = 0; kept <= entries.length; kept++) {
    if (kept > 0) verifier.advance(table, entries[kept - 1]);
    alternatives.forEach(({ keep, added, tail }, at) => {
      if (keep === kept) found[at] = finding(verifier, copy(verifier, table), kept, added, tail);
    });
  }
  return found;
};

function finding(verifier, table, kept, added, tail) {
  let entry = kept;
  const found = (verdict, cause, player = null) => {
    return { verdict, entry, cause, player, unsigned: table.unsigned };
  };
  for (const part of added) {
    entry += 1;
    try {
      verifier.advance(table, part);
    } catch (error) {
      if (error instanceof verifier.Broken) return found("broken", error.cause);
      if (error instanceof verifier.Exposed) {
        return found(verifier.verdictOn(error), error.cause, error.player);
      }
      throw error;
    }
  }
  if (tail.length > 0) {
    entry += 1;
    return found("broken", "R1");
  }
  if (table.end === null) return found("unfinished", "R18");
  return found(table.end === "absence" ? "ended" : "sound", "");
}

/** The same table once more: all but keys, points and bytes, which never change. */
function copy(verifier, table) {
  const copies = new Map();
  const fixed = [Uint8Array, verifier.VerifyingKey, verifier.UnlockKey];
  const copied = (value) => {
    if (typeof value !== "object" || value === null || "t" in value) return value;
    if (fixed.some((kind) => value instanceof kind)) return value;
    if (!copies.has(value)) copyNew(value);
    return copies.get(value);
  };
  const copyNew = (value) => {
    if (value instanceof Map) {
      const map = new Map();
      copies.set(value, map);
      for (const [key, one] of value) map.set(copied(key), copied(one));
    } else if (value instanceof Set) {
      copies.set(value, new Set(value));
    } else {
      const other = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
      copies.set(value, other);
      for (const key of Object.keys(value)) other[key] = copied(value[key]);
    }
  };
  return copied(table);
}
