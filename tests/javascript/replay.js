// A match once, and at its places what could have been written there instead.
"use strict";

/** `alternatives`: [{keep, added, tail}, ..]. The findings, in their order. */
exports.findings = (verifier, charter, parts, alternatives) => {
  let table = verifier.openTable(charter);
  const found = [];
  for (let kept = 0; kept <= parts.length; kept++) {
    if (kept > 0) ({ table } = verifier.advance(table, parts[kept - 1]));
    alternatives.forEach(({ keep, added, tail }, at) => {
      if (keep === kept) found[at] = finding(new verifier.Auditor(table, kept), added, tail);
    });
  }
  return found;
};

function finding(auditor, added, tail) {
  const holds = added.every((part) => auditor.take(part) !== null);
  if (holds && tail.length > 0) auditor.stop("broken", "R1");
  return plainFinding(auditor.finish());
}

/** A finding as the tests of the other verifiers have it. */
function plainFinding({ verdict, entry, cause, player, unsigned, exposed }) {
  const shown = exposed.map((one) => [one.entry, one.cause, one.player]);
  return { verdict, entry, cause, player, unsigned, exposed: shown };
}
exports.plainFinding = plainFinding;
