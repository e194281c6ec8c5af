// SPDX-License-Identifier: MIT
// The texts of the members of a JSON object, so that columns that pass through keep all digits.

const kBackslash = 0x5c;
const kBlank = /\s*/y;
const kMark = /["[\]{}]/g;
const kEnd = /[,}\s]/g;

/** Position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === kBackslash) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Position after the array or object that begins at `start`. */
function endOfNested(text: string, start: number): number {
  let depth = 0;
  kMark.lastIndex = start;
  for (let mark = kMark.exec(text); mark; mark = kMark.exec(text)) {
    if (mark[0] === '"') kMark.lastIndex = endOfString(text, mark.index);
    else if (mark[0] === '[' || mark[0] === '{') depth++;
    else if (--depth === 0) return mark.index + 1;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '[' || first === '{') return endOfNested(text, start);
  kEnd.lastIndex = start;
  return kEnd.exec(text)?.index ?? text.length;
}

function afterBlank(text: string, start: number): number {
  kBlank.lastIndex = start;
  kBlank.exec(text);
  return kBlank.lastIndex;
}

/** The texts of the members of a valid JSON object. Of two with one name, the last one counts. */
export function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = afterBlank(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = afterBlank(text, text.indexOf(':', nameEnd) + 1);
    const end = endOfValue(text, start);
    members.set(name, text.slice(start, end));
    const comma = afterBlank(text, end);
    at = text[comma] === ',' ? afterBlank(text, comma + 1) : text.length;
  }
  return members;
}
