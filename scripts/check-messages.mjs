// SPDX-License-Identifier: MIT
// Finds code that decides by the text of an error's message. Texts change: compare `error.code`.
// The messages of engines and systems, which have no codes, are the exceptions below.
import { readFileSync } from 'node:fs';
import { checkMain, projectFiles } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

const isChecked = (path) =>
  /^(?:web\/(?:src|cli)|page)\/.*\.ts$/.test(path) && !/\.gen\.ts$/.test(path);

/** Files that read messages of others, and which ones. */
const foreign = {
  'web/src/engine/engine.ts': 'a full stack, as engines say it',
  'web/src/engine/replace_file.ts': 'the reason of a system error, which is quoted',
  'web/src/engine/wasm_source.ts': 'refused WebAssembly, as browsers say it',
  'web/cli/arguments.ts': "Node's parser of arguments",
  'web/cli/tools.ts': 'the first line of an error of a user’s module',
};

const text = String.raw`(?:['"\x60/]|k[A-Z]\w*\b)`;
const patterns = [
  // error.message.includes('…'), message.split("…"), message.match(/…/)
  new RegExp(
    String.raw`\bmessage\)?\??\.(?:includes|startsWith|endsWith|indexOf|match|search|split)\(\s*${text}`,
  ),
  // /…/.test(error.message)
  /\/[dgimsuvy]*\.(?:test|exec)\(\s*(?:[\w.]+\.)?message\b/,
  // error.message === '…'
  new RegExp(String.raw`\.message\s*[!=]==?\s*${text}`),
];

/** Returns a complaint for each line of a text that decides by a message. */
export function messageComplaints(path, content) {
  return content.split('\n').flatMap((line, index) => {
    if (!patterns.some((pattern) => pattern.test(line))) return [];
    return [
      `${path}:${index + 1}: decides by the text of a message; compare error.code, and add a code to ErrorCode (web/src/base/errors.ts) if there is none`,
    ];
  });
}

/** Returns the complaints of all files, and the exceptions that are no longer needed. */
export function checkMessages() {
  const paths = projectFiles().filter(isChecked);
  const found = new Map(
    paths.map((path) => [path, messageComplaints(path, readFileSync(at(path), 'utf8'))]),
  );
  const stale = Object.keys(foreign).filter((path) => (found.get(path) ?? []).length === 0);
  return [
    ...[...found].flatMap(([path, complaints]) => (foreign[path] ? [] : complaints)),
    ...stale.map((path) => `scripts/check-messages.mjs: ${path} reads no message; remove it here`),
  ];
}

await checkMain(import.meta.url, checkMessages);
