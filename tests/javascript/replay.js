// Replays a match once, and at each place also judges other parts in place of the match's own.
"use strict";

/**
 * The finding for each of `alternatives`, [{keep, added, tail}, ..]: a record with the first `keep`
 * parts of the match, then the parts `added`, then the bytes `tail`, which are no whole part.
 */
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
