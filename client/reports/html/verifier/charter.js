// The charter, decoded and checked (format.md, section 2).

const FORMAT_VERSION = 1;

/** The error for a charter or a first line of a newer version (record.md, section 7). */
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

/** Return the number of sides that score. */
const sidesOf = (game, players) => (game.couples.includes(players) ? players / 2 : players);

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

// In the order in which the fields are checked (record.md, section 7).
const CHARTER = structForm({
  format: constantForm(FORMAT_VERSION),
  game: WORD_FORM,
  rules: VERSION_FORM,
  options: listForm(OPTION, 0, 64),
  grace: integerForm(10, 86400),
  spectators: truthForm,
  members: listForm(MEMBER, 0, LONGEST_LIST),
  extensions: listForm(EXTENSION, 0, 16),
  continues: optionalForm(CONTINUES),
});

const CHARTER_BYTES = bytesForm(0, 48 * 1024);
const LONGEST_SIGNED = 60 * 1024;

const SIGNED_CHARTER = structForm({
  charter: CHARTER_BYTES,
  signatures: listForm(bytesForm(64), 0, LONGEST_LIST),
});

const SIGNED = structForm({ signature: bytesForm(64), abandons: ABANDONS });

const SIGNED_CONTINUATION = structForm({
  charter: CHARTER_BYTES,
  signatures: listForm(SIGNED, 0, LONGEST_LIST),
});

/** A charter with derived values: the ids of table and match, the attempt, the signers. */
class Charter {
  /** Throws FormError and NewerVersion. */
  constructor(bytes) {
    demandKnownFormat(bytes);
    const value = decodeValue(bytes);
    if (!Array.isArray(value) || value.length !== 9) {
      throw new FormError("the charter is no list of nine");
    }
    demandKnown(value);
    Object.assign(this, CHARTER.read(value));
    const { members, continues } = this;
    if (continues !== null) checkContinues(continues, GAMES[this.game], members.length);
    this.deck = deckOf(GAMES[this.game], members.length, this.options);
    this.bytes = bytes;
    this.tableId = digest("charter", bytes);
    this.matchId = continues?.match ?? this.tableId;
    this.attempt = continues?.attempt ?? 0;
    this.gone = continues?.ends ? continues.left : [];
    const players = members.map((_, player) => player);
    this.signers = players.filter((player) => !this.gone.includes(player));
    this.keys = members.map((member) => new VerifyingKey(member.key));
  }

  /** The terms on which the players agree for the whole match. */
  get terms() {
    const { game, rules, options, grace, spectators, extensions } = this;
    return [game, rules, options, grace, spectators, extensions];
  }

  /**
   * Return true if the signature of a signer is valid. In a continuation the signature also covers
   * the places that the signer abandons.
   */
  isSignedBy(player, signature, abandons) {
    const key = this.keys[player];
    if (this.continues === null) return key.hasSigned("sobremesa/1/charter", this.bytes, signature);
    const places = abandons.map(({ table, height, head }) => [table, height, head]);
    const message = encodeValue([this.bytes, places]);
    return key.hasSigned("sobremesa/1/continuation", message, signature);
  }
}

/** Return the charter of a part, signed by all its signers. Throws FormError and NewerVersion. */
function readSignedCharter(part) {
  if (part.length > LONGEST_SIGNED) throw new FormError("the signed charter is too long");
  const [length, bytes] = frontOf(part);
  if (length !== 2) throw new FormError("the signed charter is no list of two");
  demandKnownFormat(CHARTER_BYTES.read(bytes));
  const value = decodeValue(part);
  const charter = new Charter(bytes);
  const isFirst = charter.continues === null;
  const form = isFirst ? SIGNED_CHARTER : SIGNED_CONTINUATION;
  const signed = form.read(value).signatures;
  if (signed.length !== charter.signers.length) throw new FormError("a signature is missing");
  charter.signers.forEach((player, at) => {
    const { signature, abandons } = isFirst ? { signature: signed[at] } : signed[at];
    if (!charter.isSignedBy(player, signature, abandons)) {
      throw new FormError("a signature does not hold");
    }
  });
  return charter;
}

/** Return the table of a match's first charter. Throws FormError and NewerVersion. */
function openTable(part) {
  const charter = readSignedCharter(part);
  if (charter.continues !== null) throw new FormError("a record begins with the first charter");
  return new Table(charter);
}

/** Throw NewerVersion for a newer format. The rest is not decoded then (record.md, section 7). */
function demandKnownFormat(bytes) {
  const [, version] = frontOf(CHARTER_BYTES.read(bytes));
  if (VERSION_FORM.read(version) > FORMAT_VERSION) throw new NewerVersion();
}

/** Throw NewerVersion at the first unknown item if all items before it are valid (record.md, 7). */
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

/** Check items one by one, and that their names are in order. Throws FormError and NewerVersion. */
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

/** Check the number of players, and that each has a key of their own. */
function checkMembers(game, members) {
  if (!game.players.includes(members.length)) {
    throw new FormError("the game is for another number of players");
  }
  const keys = members.map((member) => toHex(member.key));
  if (new Set(keys).size !== keys.length) throw new FormError("two players have the same key");
}

/** Return the first deck that fits. `options` are the options that differ from the default. */
function deckOf(game, players, options) {
  const valueOf = (name) => {
    const option = options.find((one) => one.name === name);
    return option === undefined ? game.options[name][0] : option.value;
  };
  return game.decks.find(
    (deck) =>
      (deck.players.length === 0 || deck.players.includes(players)) &&
      (deck.option === "" || valueOf(deck.option) === deck.value),
  );
}

/** Check that each option has a possible value that is not the default. */
function checkOptions(game, options) {
  for (const { name, value } of options) {
    const [byRules, low, high] = game.options[name];
    if (typeof value !== typeof byRules) throw new FormError("an option has a value of another kind");
    if (value === byRules) throw new FormError("an option has its default value");
    if (typeof value === "number") integerForm(low, high).read(value);
  }
}
