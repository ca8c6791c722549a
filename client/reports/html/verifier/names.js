// Which names are clean (format.md, section 2).

/** Whether a code point is in ranges that are written as in unicode_3_2.js. */
function rangeSet(text) {
  const steps = text.split(" ").map((step) => Number.parseInt(step, 36));
  const starts = [];
  const ends = [];
  let at = 0;
  for (let i = 0; i < steps.length; i += 2) {
    starts.push((at += steps[i]));
    ends.push((at += steps[i + 1]));
  }
  return (point) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < point) low = middle + 1;
      else high = middle;
    }
    return low < starts.length && starts[low] <= point;
  };
}

const isAllowed = rangeSet(UNICODE_3_2.allowed);
const isLetterOrNumber = rangeSet(UNICODE_3_2.lettersAndNumbers);
const isMark = rangeSet(UNICODE_3_2.marks);
const isWide = rangeSet(UNICODE_3_2.wide);

// They show nothing.
const BLANKS =
  /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180D\u200B\u2800\u3164\uFE00-\uFE0F\uFFA0]/;
const WIDEST_NAME = 20;
const MOST_MARKS = 3;

function isCleanName(name) {
  const points = Array.from(name, (character) => character.codePointAt(0));
  // Of characters that Unicode 3.2 has, later versions have the same normal form.
  if (!points.every(isAllowed) || name.normalize("NFC") !== name || BLANKS.test(name)) return false;
  if (/^ | $| {2}/.test(name) || !points.some(isLetterOrNumber) || isMark(points[0])) return false;
  let marks = 0;
  let columns = 0;
  for (const point of points) {
    marks = isMark(point) ? marks + 1 : 0;
    if (marks > MOST_MARKS) return false;
    columns += isMark(point) ? 0 : isWide(point) ? 2 : 1;
  }
  return columns <= WIDEST_NAME;
}
