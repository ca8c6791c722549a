// The texts of a page, and its view of one entry with the equations.
//
// Everything from a record is inserted as text, never as markup. The page's own texts are JSON in
// the element "texts", in the language of the page; {names} in them are replaced by values.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const LARGEST_FILE = 1 << 28;

function say(key, fields = {}) {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

const numeral = (n) => n.toLocaleString(document.documentElement.lang);

/** Return an element. `className` may be ""; children are nodes or texts. */
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// -- one entry

const MOST_FIELDS = 4000;

/** Return the controls that show any entry: its number, buttons, and a place for the answer. */
function entryView(check, finding) {
  const view = element("div", "entry-view");
  const label = element("label", "", `${say("entryNumber")} `);
  const number = element("input", "entry-number");
  Object.assign(number, { type: "number", min: 0, max: finding.last, value: finding.entry });
  label.append(number);
  const show = () => showEntry(check, Number(number.value));
  const step = (by) => () => showEntry(check, Number(number.value) + by);
  const button = (key, action) => {
    const made = element("button", "", say(key));
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  };
  const bar = element("p", "entry-bar", label, " ", button("show", show), " ");
  bar.append(button("before", step(-1)), " ", button("after", step(1)));
  const told = element("div", "entry-told");
  told.tabIndex = -1;
  view.append(bar, told);
  return view;
}

/** Ask a new worker about an entry and show the answer; an earlier request is dropped. */
function showEntry(check, entry) {
  const view = check.place.querySelector(".entry-view");
  if (view === null) return;
  const number = view.querySelector("input");
  entry = Math.min(Math.max(0, Math.floor(entry) || 0), Number(number.max));
  number.value = entry;
  const place = view.querySelector(".entry-told");
  place.replaceChildren(element("p", "note", say("checking")));
  check.explainer?.terminate();
  const worker = startWorker();
  check.explainer = worker;
  worker.onmessage = ({ data }) => {
    worker.terminate();
    place.replaceChildren(...(data.told === null ? [] : explained(data.told)));
    place.dataset.entry = entry;
    place.focus();
  };
  worker.postMessage({ ask: "explain", bytes: check.bytes, entry });
}

function explained({ entry, kind, size, hex, fields, witnesses }) {
  const title = entry === 0 ? say("charter") : say(`title ${kind}`, { entry: numeral(entry) });
  const parts = [element("h2", "", title)];
  for (const witness of witnesses) parts.push(...proofParts(witness));
  const left = { fields: MOST_FIELDS };
  parts.push(folded(say("decoded"), fieldList(fields, left)));
  parts.push(folded(say("itsBytes", { size: numeral(size) }), element("code", "", hex)));
  return parts;
}

function folded(title, inner) {
  return element("details", "fold", element("summary", "", title), inner);
}

function fieldList(tree, left) {
  if (typeof tree === "string") return element("code", "", tree);
  const list = element("dl", "fields");
  for (const [name, inner] of tree) {
    left.fields -= 1;
    if (left.fields < 0) break;
    list.append(element("dt", "", name), element("dd", "", fieldList(inner, left)));
  }
  return list;
}

function proofParts({ kind, numbers, equations }) {
  const parts = [element("h3", "", say(`proof ${kind}`))];
  for (const { name, text, left, right, holds } of equations) {
    const mark = element("strong", holds ? "good" : "bad", holds ? say("itHolds") : say("itFails"));
    parts.push(
      element("p", "equation", element("code", "", text), ` (${name}): `, mark),
      fieldList([[say("leftSide"), left], [say("rightSide"), right]], { fields: 2 }),
    );
  }
  parts.push(element("p", "note", say(`chance ${kind}`)));
  parts.push(folded(say("numbers"), fieldList(numbers, { fields: MOST_FIELDS })));
  return parts;
}
