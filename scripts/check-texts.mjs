// SPDX-License-Identifier: MIT
// Checks the texts of all files: forbidden words, the licence line, the length of a file, the first
// comment of a file of the package, and the names of files and folders at the top.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { checkMain, projectFiles } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const maxLines = 500;
const maxColumns = 100;
const topLevel = new Set(
  `src bindings web page tests bench docs examples scripts CMakeLists.txt CMakePresets.json
  package.json package-lock.json tsconfig.json biome.json README.md CONTRIBUTING.md CHANGELOG.md
  SECURITY.md CODE_OF_CONDUCT.md LICENSE`.split(/\s+/),
);

// The words are written in pieces, so that this file does not contain them.
const forbidden = [
  [new RegExp(`(^|[^\\w.])/(${['work', 'root', 'farm'].join('|')})/`), 'a path of one machine'],
  [new RegExp(`/ho${'me'}/[a-z]|/Use${'rs'}/[a-z]`), 'a path of one machine'],
  [/registry\.(npmjs|yarnpkg)\.|npmmirror\./, "a package registry's host"],
  [/\b(deb|security|snapshot|ftp)\.debian\.(org|net)\b/, "a package registry's host"],
  [/\b(pypi\.org|files\.pythonhosted|crates\.io)\b/, "a package registry's host"],
  [
    new RegExp(`\\b(sub${'agent'}|C${'EO'}|Clau${'de'}|Co${'dex'}|Chat${'GPT'})\\b`, 'i'),
    'a word about the workplace',
  ],
  [/^(<{7}|>{7}|={7})( |$)/, 'a merge conflict'],
];

const sources = new Set(['.cpp', '.hpp', '.ts', '.mjs', '.js', '.sh', '.cmake', '.py', '.css']);
/** A line that is only a comment; tables, addresses and outputs of examples are not wrapped. */
const comment = /^\s*(?:\/\/|\/?\*|#)(?!.*(?:\S {2,}\S|:\/\/|→))/;
/** Returns whether a file is not written by hand, so that it may be of any length. */
const free = (path) =>
  /(^|\/)(fixtures|vendor)\//.test(path) ||
  /\.gen\.ts$|(^|\/)package-lock\.json$|^bench\/figures\//.test(path);

/** Returns whether a file must say what it is: a source of the package that is written by hand. */
const needsFirstComment = (path) => /^web\/(src|cli)\/.*(?<!\.gen)\.ts$/.test(path);

/** Returns whether a comment with words begins directly below the SPDX line. */
const saysSomething = (lines) =>
  /^\/\/ .*\w/.test(lines[1] ?? '') ||
  (/^\/\*\*?/.test(lines[1] ?? '') && /\w/.test(`${lines[1]}${lines[2] ?? ''}`));

function complaintsAbout(path) {
  const text = readFileSync(at(path), 'utf8');
  if (text.includes('\0')) return [];
  const lines = text.split('\n');
  const complaints = [];
  const source = sources.has(extname(path)) || path.endsWith('CMakeLists.txt');
  lines.forEach((line, index) => {
    for (const [pattern, what] of forbidden) {
      if (pattern.test(line)) complaints.push(`${path}:${index + 1}: ${what}`);
    }
    if (source && !free(path) && line.length > maxColumns && comment.test(line))
      complaints.push(`${path}:${index + 1}: a comment ends after column ${maxColumns}: wrap it`);
  });
  if (source && !lines.slice(0, 3).some((line) => line.includes('SPDX-License-Identifier: MIT'))) {
    complaints.push(`${path}: no SPDX line`);
  }
  if (needsFirstComment(path) && !saysSomething(lines)) {
    complaints.push(
      `${path}:2: no first comment; write below the SPDX line, in one to three lines, what the file is, for whom, and where it is called from`,
    );
  }
  if (!free(path) && !path.endsWith('.md') && lines.length - 1 > maxLines) {
    complaints.push(`${path}: ${lines.length - 1} lines, over ${maxLines}`);
  }
  return complaints;
}

export function checkTexts() {
  const files = projectFiles();
  const stray = [...new Set(files.map((path) => path.split('/')[0]))]
    .filter((name) => !name.startsWith('.') && !topLevel.has(name))
    .map((name) => `${name}: not one of the names at the top of the tree`);
  const texts = files.filter((path) => !/(^|\/)fixtures\//.test(path));
  return [...stray, ...texts.flatMap(complaintsAbout)];
}

await checkMain(import.meta.url, checkTexts);
