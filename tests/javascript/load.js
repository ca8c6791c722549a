// Loads the verifier's script, and returns an object with all names that the script declares.
"use strict";

const fs = require("node:fs");
const vm = require("node:vm");

exports.loadVerifier = (path) => {
  const source = fs.readFileSync(path, "utf-8");
  const declared = source.matchAll(/^(?:const|let|function\*?|class) (\w+)/gm);
  const names = Array.from(declared, (match) => match[1]);
  return vm.runInThisContext(`(() => {${source}\nreturn {${names.join(",")}};})()`);
};
