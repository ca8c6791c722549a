// Names as they are shown. No verdict depends on names, so a record may have any (format.md, 2).

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Return the name without invisible characters and piled-up marks; else digits of the key. */
function shownName(name, key) {
  const seen = name.replace(/\s+/gu, " ").replace(UNSEEN, "").trim();
  const shown = seen.replace(/^\p{M}+/u, "").replace(/(\p{M}{3})\p{M}+/gu, "$1");
  return /[\p{L}\p{N}]/u.test(shown) ? shown : toHex(key).slice(0, 8);
}

/** Return the text with a number in place of each character that cannot be seen. */
function escapedText(text) {
  const number = (character) => `\\u{${character.codePointAt(0).toString(16)}}`;
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]|[\u2800\u3164\u115f\u1160\uffa0]/gu, number);
}
