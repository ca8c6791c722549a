// Names as they are shown. No verdict hangs on them, so a record can have any (format.md, section 2).

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The name without what moves, hides or piles up; digits of the key where nothing is left. */
function shownName(name, key) {
  const seen = name.replace(/\s+/gu, " ").replace(UNSEEN, "").trim();
  const shown = seen.replace(/^\p{M}+/u, "").replace(/(\p{M}{3})\p{M}+/gu, "$1");
  return /[\p{L}\p{N}]/u.test(shown) ? shown : toHex(key).slice(0, 8);
}

/** A text of which each character can be seen, or stands as its number. */
function escapedText(text) {
  const number = (character) => `\\u{${character.codePointAt(0).toString(16)}}`;
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]|[\u2800\u3164\u115f\u1160\uffa0]/gu, number);
}
