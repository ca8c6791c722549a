"use strict";
// Plays the match that the page holds. Whatever comes from a record is put in as text, never as
// markup. The match has a table of the moments to which each movement leads, made by the console's
// own code: so the page moves as the console does.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const KEYS = JSON.parse(document.getElementById("keys").textContent);
const BEFORE = 8;
const SECONDS = 1.2;
const place = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 52rem)");

/** The match, unpacked by the browser. */
async function unpackedMatch() {
  const text = atob(place("match").textContent);
  const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(unpacked).json();
}

/** An element with children that are nodes or texts. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

class Player {
  constructor(match) {
    this.match = match;
    this.at = match.begin;
    this.view = 0;
    this.drawn = [];
    this.timer = null;
    this.told = null;
  }

  get last() {
    return this.match.entries.length - 1;
  }

  go(at) {
    this.at = at;
    this.show();
  }

  move(name) {
    this.pause();
    if (name === "view") this.see((this.view + 1) % this.match.views.length);
    else this.go(this.match.moves[name][this.at]);
  }

  see(view) {
    this.view = view;
    place("view").value = String(view);
    this.show();
  }

  play() {
    if (this.at === this.last) this.go(this.match.begin);
    this.timer = setInterval(() => {
      this.go(this.match.moves.on[this.at]);
      if (this.at === this.last) this.pause();
    }, 1000 * SECONDS);
    place("play").textContent = TEXTS.pause;
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    place("play").textContent = TEXTS.play;
  }

  show() {
    const { match, at } = this;
    const view = match.views[this.view];
    const fields = {
      entry: match.entries[at],
      step: at + 1,
      steps: this.last + 1,
      round: match.titles[match.round[at]],
      whose: view.name,
    };
    place("where").textContent = TEXTS.where.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
    this.draw(match.screens[(narrow.matches ? view.narrow : view.wide)[at]]);
    place("now").textContent = this.sentence(at);
    const before = [];
    for (let i = Math.max(0, at - BEFORE); i < at; i++) before.push(element("li", {}, ...this.line(i)));
    place("log").replaceChildren(...before);
    place("verdict").hidden = at !== this.last;
    this.tellRound();
  }

  sentence(at) {
    return this.match.sentences[this.match.views[this.view].told[at]];
  }

  line(at) {
    return [element("span", { class: "entry" }, `${this.match.entries[at]} `), this.sentence(at)];
  }

  /** Draw a screen; lines that are there already stay. */
  draw(lines) {
    const board = place("board");
    lines.forEach((line, row) => {
      if (this.drawn[row] === line) return;
      const made = element("div", {}, ...this.spans(this.match.lines[line]));
      if (row < board.children.length) board.children[row].replaceWith(made);
      else board.append(made);
    });
    while (board.children.length > lines.length) board.lastChild.remove();
    this.drawn = lines;
  }

  /** The spans of a line, which has the style, text and columns of each span in turn. */
  spans(line) {
    const made = [];
    for (let i = 0; i < line.length; i += 3) {
      const [style, text, columns] = line.slice(i, i + 3);
      // U+FE0E: suits as text, not as pictures.
      const span = element("span", { class: `s${style}` }, text.replace(/[♠♥♦♣]/gu, "$&\uFE0E"));
      span.style.width = `${columns}ch`;
      if (this.match.silent.includes(style)) span.setAttribute("aria-hidden", "true");
      made.push(span);
    }
    return made;
  }

  /** The round line by line, if somebody has unfolded it. */
  tellRound() {
    const { match, at, view } = this;
    const list = place("round");
    place("round-title").textContent = match.titles[match.round[at]];
    if (!list.closest("details").open) return;
    const first = match.round.indexOf(match.round[at]);
    const key = `${first} ${view}`;
    if (this.told !== key) {
      const lines = [];
      for (let i = first; match.round[i] === match.round[at]; i++) {
        const button = element("button", { type: "button" }, ...this.line(i));
        button.addEventListener("click", () => {
          this.pause();
          this.go(i);
        });
        lines.push(element("li", {}, button));
      }
      list.replaceChildren(...lines);
      this.told = key;
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.children[at - first].firstChild.setAttribute("aria-current", "true");
  }

  /** A link to an entry, "#123": the last moment up to it. */
  follow(hash) {
    const link = /^#(\d{1,9})$/.exec(hash);
    if (!link) return;
    const after = this.match.entries.findIndex((entry) => entry > Number(link[1]));
    this.pause();
    this.go(after < 0 ? this.last : Math.max(0, after - 1));
  }
}

/** True if a key is for the focused element or the browser, and not for the match. */
function isTheirs(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  if (target.closest("select")) return true;
  return key === " " && target.closest("button, summary") !== null;
}

function listen(player) {
  addEventListener("keydown", (event) => {
    if (!Object.hasOwn(KEYS, event.key) || isTheirs(event)) return;
    event.preventDefault();
    player.move(KEYS[event.key]);
  });
  for (const button of document.querySelectorAll("[data-move]")) {
    button.addEventListener("click", () => player.move(button.dataset.move));
  }
  place("play").addEventListener("click", () => (player.timer === null ? player.play() : player.pause()));
  place("view").addEventListener("change", (event) => player.see(Number(event.target.value)));
  place("round").closest("details").addEventListener("toggle", () => player.tellRound());
  narrow.addEventListener("change", () => player.show());
  addEventListener("hashchange", () => player.follow(location.hash));
}

unpackedMatch().then(
  (match) => {
    const player = new Player(match);
    place("verdict").textContent = match.verdict;
    listen(player);
    player.show();
    player.follow(location.hash);
    document.documentElement.dataset.ready = "1";
  },
  () => {
    place("where").textContent = TEXTS.tooOld;
  },
);
