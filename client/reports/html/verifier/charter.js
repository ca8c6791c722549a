// The charter (format.md, section 2) and the games that can be played by it.

const FORMAT_VERSION = 1;

/** The charter or the first line is of a version that is not known here (record.md, section 7). */
class NewerVersion extends Error {}

const GAMES = {
  canasta: { rules: 1, players: [2, 6], deck: 108, ranks: 13, options: OPTIONS.canasta },
  kanastic: { rules: 1, players: [2, 4], deck: 108, ranks: 11, options: OPTIONS.kanastic },
  canastra: { rules: 1, players: [2, 2], deck: 104, ranks: 13, options: OPTIONS.canastra },
};

const KEY_FORM = {
  read(value) {
    const key = bytesForm(32).read(value);
    if (!isKeyForm(key)) throw new FormError("it is no key");
    return key;
  },
};

const CLEAN_NAME = {
  read(value) {
    if (!isCleanName(textForm.read(value))) throw new FormError("the name is not clean");
    return value;
  },
};

const MEMBER = structForm({ key: KEY_FORM, name: CLEAN_NAME, nonce: bytesForm(32) });

const VERSION_FORM = integerForm(1, 2 ** 32);

const WORD_FORM = {
  read(value) {
    if (/^[a-z][a-z0-9_]{0,31}$/.test(textForm.read(value))) return value;
    throw new FormError("it is no word");
  },
};

const OPTION_VALUE = {
  read(value) {
    if (typeof value === "boolean" || typeof value === "bigint" || Number.isInteger(value)) {
      return value;
    }
    throw new FormError("it is neither an integer nor a truth value");
  },
};

const OPTION = structForm({ name: WORD_FORM, value: OPTION_VALUE });

const CHARTER = structForm({
  version: constantForm(FORMAT_VERSION),
  game: WORD_FORM,
  rules: VERSION_FORM,
  options: listForm(OPTION, 0, 64),
  grace: integerForm(10, 86400),
  members: listForm(MEMBER, 2, 6),
});

// Spectators are mentioned only where they are admitted.
const CHARTER_WITH_SPECTATORS = structForm({ ...CHARTER.parts, spectators: constantForm(true) });

const SIGNED_CHARTER = structForm({
  charter: bytesForm(0, 16384),
  signatures: listForm(bytesForm(64), 2, 6),
});

/**
 * A signed charter, decoded and checked: the charter with `tableId`. Throws FormError and
 * NewerVersion.
 */
function openCharter(part) {
  if (part.length > 17408) throw new FormError("the charter is too long");
  const signedValue = decodeValue(part);
  if (!Array.isArray(signedValue) || signedValue.length !== 2) {
    throw new FormError("the signed charter is no list of two");
  }
  const charterValue = decodeValue(SIGNED_CHARTER.parts.charter.read(signedValue[0]));
  demandKnown(charterValue);
  const signed = SIGNED_CHARTER.read(signedValue);
  const more = charterValue.length > Object.keys(CHARTER.parts).length;
  const charter = (more ? CHARTER_WITH_SPECTATORS : CHARTER).read(charterValue);
  checkGame(charter);
  const keys = charter.members.map((member) => toHex(member.key));
  if (new Set(keys).size !== keys.length) throw new FormError("a key is there twice");
  if (signed.signatures.length !== keys.length) throw new FormError("a signature is missing");
  charter.members.forEach((member, at) => {
    const key = new VerifyingKey(member.key);
    if (!key.hasSigned("sobremesa/1/charter", signed.charter, signed.signatures[at])) {
      throw new FormError("a signature does not hold");
    }
  });
  return { ...charter, tableId: digest("charter", signed.charter) };
}

/** What is not known is newer, if all before it has its form (record.md, section 7). */
function demandKnown(value) {
  if (!Array.isArray(value)) throw new FormError("the charter is no list");
  const [version, name, rules, options] = value;
  if (VERSION_FORM.read(version) > FORMAT_VERSION) throw new NewerVersion();
  WORD_FORM.read(name);
  VERSION_FORM.read(rules);
  if (!Object.hasOwn(GAMES, name)) throw new NewerVersion();
  const game = GAMES[name];
  if (rules > game.rules) throw new NewerVersion();
  let before = "";
  for (const item of listForm(anyForm, 0, 64).read(options)) {
    const option = OPTION.read(item);
    if (option.name <= before) throw new FormError("the options are in another order");
    before = option.name;
    if (!Object.hasOwn(game.options, option.name)) throw new NewerVersion();
  }
}

/** As many play as can, and each option has a value that it can have and not that of the rules. */
function checkGame(charter) {
  const game = GAMES[charter.game];
  const [fewest, most] = game.players;
  if (charter.members.length < fewest || charter.members.length > most) {
    throw new FormError("the game is for another number of players");
  }
  for (const { name, value } of charter.options) {
    const [byRules, low, high] = game.options[name];
    if (typeof value !== typeof byRules) throw new FormError("an option has a value of another kind");
    if (value === byRules) throw new FormError("an option is as in the rules");
    if (typeof value === "number") integerForm(low, high).read(value);
  }
}
