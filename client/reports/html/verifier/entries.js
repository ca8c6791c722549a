// Entries: their outer form and what they say (format.md, sections 3 and 4).

const DIGEST = bytesForm(32);
const HEIGHT = integerForm(1, 2 ** 48);
const PLAYER = integerForm(0, 5);
const SLOT = integerForm(0, 2 ** 20);

const LONGEST_BODY = 65408;

/** [body, signature]: the outer form (R3). */
const ENTRY = structForm({
  body: bytesForm(0, LONGEST_BODY),
  signature: bytesForm(64, 6 * 64),
});
const LONGEST_ENTRY = 65536;

/** The form of a body, of which the content is read by its kind. */
const BODY = structForm({
  table: DIGEST,
  height: HEIGHT,
  previous: DIGEST,
  writer: PLAYER,
  kind: textForm,
  content: anyForm,
  releases: anyForm,
});

const PROOFS = listForm(bytesForm(64), 0, 128);
const ROUND_POINTS = {
  round: integerForm(1, 2 ** 48),
  points: listForm(integerForm(-(2 ** 30), 2 ** 30), 0, 6),
  last: truthForm,
};

/** The forms of contents by kind, for a game with so many cards. */
function contentForms(deck) {
  const card = integerForm(0, deck - 1);
  const shown = structForm({ slot: SLOT, card });
  const give = structForm({ slot: SLOT, player: optionalForm(PLAYER) });
  return {
    shuffle: structForm({
      first: SLOT,
      cards: listForm(card, 0, 128),
      outputs: bytesForm(0, 32 * 128),
      unlockKey: bytesForm(32),
      proof: bytesForm(0, 65536),
    }),
    unlock: structForm({
      gives: listForm(give, 0, 128),
      shares: listForm(bytesForm(32), 0, 128),
      proofs: PROOFS,
    }),
    move: structForm({ move: moveForm(shown), proofs: PROOFS }),
    open: structForm({ cards: listForm(shown, 0, 128), proofs: PROOFS }),
    close: structForm(ROUND_POINTS),
    absent: structForm({
      players: listForm(PLAYER, 0, 6),
      substitutes: listForm(MEMBER, 0, 6),
      opening: truthForm,
      counted: optionalForm(structForm(ROUND_POINTS)),
    }),
  };
}

/** Moves: their names, and what follows each name. */
function moveForm(shown) {
  const cards = listForm(shown, 0, 128);
  const play = structForm({ cards, onto: optionalForm(integerForm(0, 128)), low: truthForm });
  const plays = listForm(play, 0, 128);
  const forms = {
    cut: { number: integerForm(0, 2 ** 20) },
    bonus: { cards },
    draw: {},
    take: { plays },
    top: { plays },
    meld: { plays },
    discard: { card: shown },
    ask: {},
    answer: { yes: truthForm },
    pass: {},
  };
  return {
    read(value) {
      if (!Array.isArray(value) || !Object.hasOwn(forms, value[0])) {
        throw new FormError("there is no such move");
      }
      return structForm({ name: textForm, ...forms[value[0]] }).read(value);
    },
  };
}

/** The [{slot, card}, ..] that a move names, in its order. */
function shownByMove(move) {
  if (move.name === "discard") return [move.card];
  if (move.name === "bonus") return move.cards;
  return (move.plays ?? []).flatMap((play) => play.cards);
}

/** An entry with its outer form, or null (R3). */
function readEntry(part) {
  if (part.length > LONGEST_ENTRY) return null;
  try {
    const entry = ENTRY.read(decodeValue(part));
    return entry.signature.length % 64 === 0 ? entry : null;
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}

/**
 * What R5 to R8 need to be looked at: {value, table, height, previous}, the value being all of the
 * body. Throws FormError.
 */
function readPlace(body) {
  const value = decodeValue(body);
  if (!Array.isArray(value) || value.length < 3) throw new FormError("the body is no list");
  const [table, height, previous] = value;
  return {
    value,
    table: DIGEST.read(table),
    height: HEIGHT.read(height),
    previous: DIGEST.read(previous),
  };
}

/** All of the body. Throws FormError. */
function readBody(value, deck) {
  const body = BODY.read(value);
  const forms = contentForms(deck);
  if (!Object.hasOwn(forms, body.kind)) throw new FormError("there is no such kind");
  const releases = RELEASES.read(body.releases);
  if (body.kind === "absent" && releases.length > 0) throw new FormError("a joint entry has none");
  return { ...body, content: forms[body.kind].read(body.content), releases };
}
