// The forms of entries and moves (format.md, sections 3 and 4).

const HEIGHT = integerForm(1, MOST_HEIGHT);
const SLOT = integerForm(0, 2 ** 32 - 1);

const LONGEST_BODY = 65408;

/** The outer form (R3): [body, signature]. */
const ENTRY = structForm({ body: bytesForm(0, LONGEST_BODY), signature: bytesForm(64) });

/** The form of a body. Its content is read later, by the kind. */
const BODY = structForm({
  table: DIGEST,
  height: HEIGHT,
  previous: DIGEST,
  writer: PLAYER,
  kind: textForm,
  content: anyForm,
});


/** Return the form of the content for each kind; `deck` is the number of cards. */
function contentForms(deck) {
  const card = integerForm(0, deck - 1);
  const shown = structForm({ slot: SLOT, card });
  const give = structForm({ slot: SLOT, player: optionalForm(PLAYER) });
  const proofs = listForm(bytesForm(64), 0, deck);
  return {
    shuffle: structForm({
      first: SLOT,
      cards: listForm(card, 0, deck),
      outputs: bytesForm(0, 32 * deck),
      unlockKey: bytesForm(32),
      proof: bytesForm(0, 65536),
    }),
    unlock: structForm({
      gives: listForm(give, 0, deck),
      shares: listForm(bytesForm(32), 0, deck),
      proofs,
    }),
    move: structForm({ move: moveForm(shown, deck), proofs }),
    open: structForm({ cards: listForm(shown, 0, deck), proofs }),
    close: structForm({ round: integerForm(1, MOST_HEIGHT), points: POINTS, last: truthForm }),
  };
}

/** Return the form of moves: a name, and the fields that belong to the name. */
function moveForm(shown, deck) {
  const cards = listForm(shown, 0, deck);
  const play = structForm({ cards, onto: optionalForm(integerForm(0, deck)), low: truthForm });
  const plays = listForm(play, 0, deck);
  const forms = {
    cut: { number: SLOT },
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

/** Return the [{slot, card}, ..] that a move names, in the order of the move. */
function shownByMove(move) {
  if (move.name === "discard") return [move.card];
  if (move.name === "bonus") return move.cards;
  return (move.plays ?? []).flatMap((play) => play.cards);
}

/**
 * Return the fields for R5 to R8, {table, height, previous}, and `value`, the whole decoded body.
 * Throws FormError.
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

/** Return the whole body, checked. Throws FormError. */
function readBody(value, deck) {
  const body = BODY.read(value);
  const forms = contentForms(deck);
  if (!Object.hasOwn(forms, body.kind)) throw new FormError("there is no such kind");
  return { ...body, content: forms[body.kind].read(body.content) };
}

/** Return the kind that a body names, even if the rest is wrong; null if it names none. */
function kindOf(body) {
  try {
    const value = decodeValue(body);
    return Array.isArray(value) && typeof value[4] === "string" ? value[4] : null;
  } catch (error) {
    if (error instanceof FormError) return null;
    throw error;
  }
}
