// The charter (format.md, section 2).

const FORMAT_VERSION = 1;

/** The charter or the first line is of a version that is not known here (record.md, section 7). */
class NewerVersion extends Error {}

const KEY_FORM = {
  read(value) {
    const key = bytesForm(32).read(value);
    if (!isKeyForm(key)) throw new FormError("it is no key");
    return key;
  },
};

const NAME = {
  read(value) {
    if (Array.from(textForm.read(value)).length <= 80) return value;
    throw new FormError("the name is too long");
  },
};

const MEMBER = structForm({ key: KEY_FORM, name: NAME, nonce: bytesForm(32) });

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

const EXTENSION = structForm({ name: WORD_FORM, critical: truthForm, value: bytesForm(0, 1024) });

// In the order in which they are judged (record.md, section 7).
const CHARTER = structForm({
  format: constantForm(FORMAT_VERSION),
  game: WORD_FORM,
  rules: VERSION_FORM,
  options: listForm(OPTION, 0, 64),
  grace: integerForm(10, 86400),
  spectators: truthForm,
  members: listForm(MEMBER, 0, LONGEST_LIST),
  extensions: listForm(EXTENSION, 0, 16),
  continues: constantForm(null),
});

const SIGNED_CHARTER = structForm({
  charter: bytesForm(0, 16384),
  signatures: listForm(bytesForm(64), 0, LONGEST_LIST),
});

/**
 * A signed charter, decoded and checked: the charter with `tableId`. Throws FormError and
 * NewerVersion.
 */
function openCharter(part) {
  demandKnownFormat(part);
  const signedValue = decodeValue(part);
  const charterValue = decodeValue(signedValue[0]);
  if (!Array.isArray(charterValue) || charterValue.length !== 9) {
    throw new FormError("the charter is no list of nine");
  }
  demandKnown(charterValue);
  const charter = CHARTER.read(charterValue);
  const signed = SIGNED_CHARTER.read(signedValue);
  if (signed.signatures.length !== charter.members.length) {
    throw new FormError("a signature is missing");
  }
  charter.members.forEach((member, at) => {
    const key = new VerifyingKey(member.key);
    if (!key.hasSigned("sobremesa/1/charter", signed.charter, signed.signatures[at])) {
      throw new FormError("a signature does not hold");
    }
  });
  return { ...charter, tableId: digest("charter", signed.charter) };
}

/** Behind the version of a newer format nothing is looked at (record.md, section 7). */
function demandKnownFormat(part) {
  if (part.length > 17408) throw new FormError("the charter is too long");
  const [length, charter] = frontOf(part);
  if (length !== 2) throw new FormError("the signed charter is no list of two");
  const [, version] = frontOf(SIGNED_CHARTER.parts.charter.read(charter));
  if (VERSION_FORM.read(version) > FORMAT_VERSION) throw new NewerVersion();
}

/** What is not known is newer, if all before it is as it must be (record.md, section 7). */
function demandKnown(value) {
  const [, name, rules, options, grace, spectators, members, extensions] = value;
  WORD_FORM.read(name);
  VERSION_FORM.read(rules);
  if (!Object.hasOwn(GAMES, name)) throw new NewerVersion();
  const game = GAMES[name];
  if (rules > game.rules) throw new NewerVersion();
  const isOption = (option) => Object.hasOwn(game.options, option.name);
  checkOptions(game, knownOnes(options, 64, OPTION, isOption));
  CHARTER.parts.grace.read(grace);
  CHARTER.parts.spectators.read(spectators);
  checkMembers(game, CHARTER.parts.members.read(members));
  knownOnes(extensions, 16, EXTENSION, (extension) => !extension.critical);
}

/** Items in the order of their names, one after the other. Throws NewerVersion. */
function knownOnes(value, most, form, isKnown) {
  let before = "";
  return listForm(anyForm, 0, most)
    .read(value)
    .map((item) => {
      const one = form.read(item);
      if (one.name <= before) throw new FormError("the names are in another order");
      before = one.name;
      if (!isKnown(one)) throw new NewerVersion();
      return one;
    });
}

/** As many play as can, each with a key of their own. */
function checkMembers(game, members) {
  if (!game.players.includes(members.length)) {
    throw new FormError("the game is for another number of players");
  }
  const keys = members.map((member) => toHex(member.key));
  if (new Set(keys).size !== keys.length) throw new FormError("a key is there twice");
}

/** Each option has a value that it can have and not that of the rules. */
function checkOptions(game, options) {
  for (const { name, value } of options) {
    const [byRules, low, high] = game.options[name];
    if (typeof value !== typeof byRules) throw new FormError("an option has a value of another kind");
    if (value === byRules) throw new FormError("an option is as in the rules");
    if (typeof value === "number") integerForm(low, high).read(value);
  }
}
