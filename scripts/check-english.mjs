// SPDX-License-Identifier: MIT
// Finds wording that readers stumble over: phrases that have a plain equivalent, in comments,
// strings and documents, and comments that begin without a subject or stand wholly in parentheses.
// The list is short, so that it cannot hit a right sentence; docs/contributing/words.md has the
// terms to use.
import { readFileSync } from 'node:fs';
import { checkMain, projectFiles } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const things =
  '(?:whole |positive |finite |known )?(?:integer|number|tensor|array|list|string|function|boolean|object|dictionary|layer|model|name|path|class|option|shape|file)';

/** Phrases with their replacements. This file itself is exempt. */
const phrases = [
  [new RegExp(`(?<!there )\\b(?:is|are|was|were) no ${things}\\b`, 'i'), 'is not a …'],
  [
    /(?<!there )(?<!role )\b(?:is|are|was|were) none(?= *(?:[.,;:)'"`]|$))/,
    'does not exist, is not one',
  ],
  [
    /\bso (?:many|much) (?:bytes|steps|rows|numbers|elements|values|units|milliseconds)\b/i,
    'a number or its name',
  ],
  [/\ba(?:new)\b/i, 'again'],
  [/\bme(?:nd)(?:s|ed|ing)?\b/i, 'fix'],
  [/\bhe(?:ed)(?:s|ed|ing)?\b/i, 'follow, apply'],
  [/\b(?:is|are|was|were|be) (?:told) (?!apart)/i, 'receives'],
  [/\bhears? (?:of|from)\b/i, 'is notified of'],
  [/\b(?:of|by) the user's(?= *(?:[.,;:)]|$))/i, 'user-defined'],
  [/\bway (?:back)\b(?! to)/i, 'backward pass'],
  [/\bthe very (?:same )?(?:tensor|object|array|bytes|buffer|model|layer)\b/i, 'the same …'],
  [/\bwho(?:ever)\b/i, 'callers that'],
  [/\bits own (?:affair|business)\b/i, 'is left to …'],
  [/\b(?:more|fewer|other) than there (?:are|is)\b/i, 'more than the n …'],
  [/\bnot to (?:be had)\b/i, 'is not available'],
  [/\b(?:has|have) all of \[/i, 'has all members of …'],
  [/\bonly makes a graph\b/i, 'is on symbolic tensors'],
  [/\b(?:holds? beside|has no part in)\b/i, 'applies to, ignores'],
];

const opening =
  /^(?:Of|What|That of|The same(?= (?:for|from|of|without|with|as|in|by|on|to|but)\b|[.,;:])|Those|None|Whoever|So that)\b(?! (?:is|are|does|do|can|should|must|may)\b.*\?)/;

const isProse = (path) =>
  /\.(?:md|cpp|hpp|ts|mjs|js|cmake|sh|py|css|html|vue|json|yml)$/.test(path) &&
  path !== 'scripts/check-english.mjs' &&
  !/(?:^|\/)(?:fixtures|vendor)\/|\.api\.md$|package-lock\.json$|^CHANGELOG\.md$/.test(path);
const marks =
  /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|#(?!!|include|pragma|if|el|end|define|error|undef))\s?(.*?)(?:\s*\*\/)?$/;

/**
 * Returns the comments of a source: the number of their first line, and their lines without the
 * comment marks.
 */
function commentsOf(path, lines) {
  if (/\.(?:md|html|json|yml|vue)$/.test(path)) return [];
  const comments = [];
  let current;
  for (const [index, line] of lines.entries()) {
    const text = marks.exec(line)?.[1];
    if (text === undefined) current = undefined;
    else if (current) current.lines.push(text);
    else {
      current = { line: index + 1, lines: [text] };
      comments.push(current);
    }
  }
  return comments;
}

function* wrongComments(path, lines) {
  for (const { line, lines: own } of commentsOf(path, lines)) {
    const text = own.filter((part) => part && !part.startsWith('SPDX')).join(' ');
    const word = opening.exec(text)?.[0];
    if (word) yield `${path}:${line}: a comment begins with '${word}': begin with its subject`;
    if (/^\([^()]*\)\.?$/.test(text)) yield `${path}:${line}: a comment wholly in parentheses`;
  }
}

function* wrongPhrases(path, lines) {
  for (const [index, line] of lines.entries()) {
    for (const [pattern, better] of phrases) {
      const found = pattern.exec(line)?.[0];
      if (found) yield `${path}:${index + 1}: '${found}': say '${better}'`;
    }
  }
}

export function checkEnglish() {
  return projectFiles()
    .filter(isProse)
    .flatMap((path) => {
      const lines = readFileSync(at(path), 'utf8').split('\n');
      return [...wrongComments(path, lines), ...wrongPhrases(path, lines)];
    });
}

await checkMain(import.meta.url, checkEnglish);
