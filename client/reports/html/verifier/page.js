// The page: it gives records to workers and shows their findings.


let workerUrl = null;
/** Start a worker with the verifier, which the page contains as text. */
function startWorker() {
  const source = document.getElementById("verifier").textContent;
  workerUrl ??= URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return new Worker(workerUrl);
}

/** The check of one record: progress, a button to stop or start again, and the finding. */
class Check {
  constructor(place) {
    this.place = place;
    this.bytes = null;
    this.worker = null;
    this.latest = null;
    this.state = place.querySelector(".check-state");
    this.progress = place.querySelector("progress");
    this.entry = place.querySelector(".check-entry");
    this.button = place.querySelector(".check-button");
    this.result = place.querySelector(".check-result");
    this.button.addEventListener("click", () => (this.worker ? this.stop() : this.start()));
  }

  start(bytes = this.bytes) {
    this.bytes = bytes;
    this.worker?.terminate();
    this.begun = performance.now();
    this.latest = null;
    this.result.replaceChildren();
    this.tell("checking", "");
    this.button.hidden = false;
    this.button.textContent = say("stop");
    this.progress.hidden = this.entry.hidden = false;
    this.progress.removeAttribute("value");
    this.entry.textContent = "";
    this.worker = startWorker();
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.finish("failed", "doubt");
    };
    this.worker.postMessage({ ask: "audit", bytes });
  }

  stop() {
    this.finish("stopped", "doubt");
  }

  hear(data) {
    if (data.kind === "progress") {
      if (this.latest === null) requestAnimationFrame(() => this.showProgress());
      this.latest = data;
    } else if (data.kind === "no record") {
      this.finish("noRecord", "doubt");
    } else {
      this.finish(null, null);
      showFinding(this, data, performance.now() - this.begun);
    }
  }

  showProgress() {
    if (this.worker === null || this.latest === null) return;
    const { entry, done, total } = this.latest;
    this.progress.max = total;
    this.progress.value = done;
    this.entry.textContent = say("holds", { entry: numeral(entry) });
    this.latest = null;
  }

  finish(key, kind) {
    this.worker?.terminate();
    this.worker = null;
    this.progress.hidden = this.entry.hidden = true;
    this.button.textContent = say("again");
    if (key !== null) this.tell(key, kind);
  }

  tell(key, kind) {
    this.state.textContent = say(key);
    this.place.dataset.state = key;
    this.place.dataset.kind = kind;
  }
}

// -- the words for a finding

const MOST_SENTENCES = 100; // about exposed players and continuations

const KINDS = { sound: "good", exposed: "bad", unfinished: "open" };

function showFinding(check, finding, milliseconds) {
  const { place, state, result } = check;
  const name = (player) => finding.table.members[player].name;
  const program = place.dataset.program ? JSON.parse(place.dataset.program) : null;
  const known = program ? "checkedHere" : "checkedAlone";
  const checked = finding.table === null ? "checkedNothing" : known;
  const sentence = element("strong", "", verdictSentence(finding, name));
  state.replaceChildren(say(checked), " ", sentence);
  place.dataset.state = finding.verdict;
  place.dataset.kind = KINDS[finding.verdict] ?? "doubt";
  if (program) result.append(comparison(finding, program));
  const more = [...othersExposed(finding), ...finding.continuations.map(continuationSentence)];
  const shown = more.slice(0, MOST_SENTENCES);
  if (more.length > shown.length) {
    shown.push(say("notListed", { n: numeral(more.length - shown.length) }));
  }
  if (more.length > 0) {
    result.append(element("ul", "", ...shown.map((text) => element("li", "", text))));
  }
  result.append(factList(finding, milliseconds));
  if (!program && finding.table) result.append(tableList(finding.table));
  if (finding.table) result.append(entryView(check, finding));
}

function verdictSentence(finding, name) {
  const { verdict, entry, cause, unsigned } = finding;
  const fields = { entry: numeral(entry), cause, what: causeWords(cause) };
  if (verdict === "sound" || verdict === "ended") return say(verdict);
  const theOne = theExposed(finding);
  if (theOne !== undefined) return exposureSentence(theOne);
  const isCharter = verdict === "broken" && entry === 0;
  const told = say(isCharter ? "brokenCharter" : verdict, fields);
  const members = finding.table?.members.length;
  if (unsigned.length === 0 || (verdict === "unfinished" && unsigned.length === members)) return told;
  return `${told} ${say("unsigned", { names: listed(unsigned.map(name)) })}`;
}

/** Return the exposure that decides the verdict; undefined if there is none. */
const theExposed = ({ player, entry, exposed }) =>
  player === null ? undefined : exposed.find((one) => one.entry === entry);

function exposureSentence({ verdict, entry, cause, name, key }) {
  const fields = { entry: numeral(entry), cause, what: causeWords(cause), name, key };
  return say(name === null ? "exposedStranger" : verdict, fields);
}

/** Return sentences about all other exposed players. */
function othersExposed(finding) {
  const theOne = theExposed(finding);
  return finding.exposed.filter((one) => one !== theOne).map(exposureSentence);
}

/** Return a sentence about the players who left and came, and about the round. */
function continuationSentence({ entry, left, signers, successors, ends, then }) {
  const parts = successors.map((name, at) => say("takesSeat", { new: name, name: left[at] }));
  if (ends) parts.push(left.length > 0 ? say("endsWithout", { name: listed(left) }) : say("ends"));
  if (then === "opening" && left.length > 0) {
    parts.push(...left.map((name) => say("handClosed", { name })));
  } else if (then !== "") {
    parts.push(say(`then ${then}`));
  }
  const fields = { entry: numeral(entry), names: listed(left), signers: listed(signers) };
  const text = say(left.length > 0 ? "wentOn" : "wentOnTogether", {
    ...fields,
    then: listed(parts),
  });
  return `${text}.`;
}

/** Join names: "Ana, Bruno and Carla", in British English without a comma before "and". */
function listed(names) {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang === "en" ? "en-GB" : lang).format(names);
}

/** Return the sentence for a cause. */
function causeWords(cause) {
  const key = `cause ${cause}`;
  return Object.hasOwn(TEXTS, key) ? say(key) : cause;
}

/** Compare the finding with that of the program that wrote the page, which knows the rules. */
function comparison(finding, program) {
  const isIn = (list) => (one) =>
    list.some(({ entry, player }) => entry === one.entry && player === one.player);
  const unseen = program.exposed.filter((one) => !isIn(finding.exposed)(one));
  const sameExposed = unseen.length === 0 && finding.exposed.every(isIn(program.exposed));
  const sameEnd = finding.entry === program.entry && finding.player === program.player;
  if (sameExposed && sameEnd && finding.verdict === program.verdict) {
    const key = finding.cause === program.cause ? "agrees" : "agreesOtherCause";
    return element("p", "agrees", say(key, { cause: program.cause }));
  }
  // Only the rules tell if the round that a continuation counts was the last one of the match. So
  // the program may say "sound" where this page says "ended".
  const isOver = program.verdict === "sound" && finding.verdict === "ended";
  if (sameExposed && sameEnd && isOver) return element("p", "agrees", say("agreesOver"));
  // After the first finding by the rules of play, this page may have followed other entries.
  const byRules = [...unseen, program].find(({ rules }) => rules);
  const before = (one) => byRules !== undefined && one.entry < byRules.entry;
  const known = finding.exposed.filter(before).every(isIn(program.exposed));
  if (byRules && known && !unseen.some(before) && finding.last >= byRules.entry) {
    const fields = { entry: numeral(byRules.entry), cause: byRules.cause };
    return element("p", "rules", say("rulesSay", fields));
  }
  return element("p", "differs", say("differs", { verdict: say(`word ${program.verdict}`) }));
}

function factList({ counts, continuations, table }, milliseconds) {
  const entries = Object.values(counts.entries).reduce((a, b) => a + b, 0);
  const facts = [
    ["entries", entries],
    ["continuations", continuations.length],
    ["signatures", counts.signatures],
    ["shuffleProofs", counts.shuffleProofs],
    ["unlockProofs", counts.unlockProofs],
    ["faceProofs", counts.faceProofs],
  ];
  const shown = facts.filter(([key, n]) => n > 0 || key !== "continuations");
  const items = shown.map(([key, n]) => element("li", "", element("b", "", numeral(n)), say(key)));
  const seconds = (milliseconds / 1000).toLocaleString(document.documentElement.lang, {
    maximumFractionDigits: 1,
  });
  items.push(element("li", "", element("b", "", `${seconds} s`), say("time")));
  const list = element("ul", "facts", ...items);
  if (!table) return list;
  const head = element("p", "note", `${say("head")} `, element("code", "", table.head));
  return element("div", "", list, head);
}

/** Return the terms of the charter as a list, for a page with no other text on the record. */
function tableList(table) {
  const rows = [[say("game"), table.game]];
  for (const { name, value } of table.options) rows.push([name, String(value)]);
  rows.push(["grace", `${numeral(table.grace)} s`]);
  if (table.spectators) rows.push(["spectators", "true"]);
  for (const name of table.extensions) rows.push([name, say("extension")]);
  for (const { name, key } of table.founders) rows.push([name, key]);
  for (const { name, key } of table.members) {
    if (!table.founders.some((one) => one.key === key)) rows.push([name, key]);
  }
  rows.push([say("tableId"), table.id]);
  const list = element("dl", "");
  for (const [term, text] of rows) {
    list.append(element("dt", "", term), element("dd", "", element("code", "", text)));
  }
  return list;
}

// -- sources of records

/** Return a record that the page contains as base 64. */
function carriedRecord(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function takeFiles(check) {
  const chooser = document.getElementById("file");
  const take = async (file) => {
    if (!file) return;
    document.getElementById("file-name").textContent = file.name;
    if (file.size > LARGEST_FILE) check.finish("tooLarge", "doubt");
    else check.start(new Uint8Array(await file.arrayBuffer()));
  };
  chooser.addEventListener("change", () => take(chooser.files[0]));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}

const checks = [];
for (const place of document.querySelectorAll(".check")) {
  const check = new Check(place);
  checks.push(check);
  if (place.dataset.record) check.start(carriedRecord(place.dataset.record));
  else takeFiles(check);
}

/** Follow a link to an entry: "#entry-0-123" is entry 123 of the first record on the page. */
function followLink() {
  const link = /^#entry-(\d{1,6})-(\d{1,9})$/.exec(location.hash);
  if (link && checks[link[1]]?.bytes) showEntry(checks[link[1]], Number(link[2]));
}
addEventListener("hashchange", followLink);
