// SPDX-License-Identifier: MIT
// The licences of what others wrote and the package contains: their texts in one file, and a line in each file that has
// such code in it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../lib/files.mjs';
import { workerScripts } from './entries.mjs';

const file = 'THIRD_PARTY_LICENSES.txt';

// Debian's packages of the compiler and of xsimd come without these texts, so they are here; fflate brings its own.
const text = (name) => at('scripts', 'build', 'licenses', `${name}.txt`);

const inWasm = {
  xsimd: ['BSD-3-Clause', 'https://github.com/xtensor-stack/xsimd', text('xsimd')],
  musl: ['MIT', 'https://musl.libc.org', text('musl')],
  'libc++, libc++abi, libunwind and compiler-rt': [
    'Apache-2.0 WITH LLVM-exception',
    'https://llvm.org',
    text('libcxx'),
  ],
};
const inGlue = {
  Emscripten: ['MIT OR NCSA', 'https://emscripten.org', text('emscripten')],
};
const inReaders = {
  fflate: ['MIT', 'https://github.com/101arrowz/fflate', at('node_modules', 'fflate', 'LICENSE')],
};
const all = { ...inReaders, ...inGlue, ...inWasm };

const line = '='.repeat(78);

function write() {
  const parts = Object.entries(all).map(
    ([name, [license, home, path]]) =>
      `${line}\n${name}\n${license}, ${home}\n${line}\n\n${readFileSync(path, 'utf8').trim()}\n`,
  );
  writeFileSync(
    at('dist', file),
    `maskflow contains the following, each under its own licence.\n\n${parts.join('\n')}`,
  );
}

/** At the end, where it moves nothing that a source map points to; before the map's address, which stays last. */
function addNotice(path, names) {
  const code = readFileSync(path, 'utf8');
  const map = code.lastIndexOf('//# sourceMappingURL');
  const end = map < 0 ? code.length : map;
  const notice = `/*! ${Object.keys(names).join(', ')}: see ${file} of maskflow */\n`;
  const before = code.slice(0, end).trimEnd();
  writeFileSync(path, `${before}\n${notice}${code.slice(end)}`);
}

// What is in the chunks that are not wasm.
const inWorker = { ...inReaders, ...inGlue };
const inChunk = {
  'glue.js': inGlue,
  'glue.cjs': inGlue,
  ...Object.fromEntries(workerScripts.map(({ chunk }) => [`${chunk}.js`, inWorker])),
};

/** `withReaders`: names of the files in dist/ that the bundler put the readers' library into. */
export function addLicenses(withReaders) {
  write();
  const chunks = at('dist', 'chunks');
  for (const name of readdirSync(chunks)) {
    addNotice(join(chunks, name), inChunk[name] ?? { ...inGlue, ...inWasm });
  }
  for (const name of withReaders) addNotice(at('dist', name), inReaders);
  for (const { script } of workerScripts) addNotice(at('dist', `${script}.js`), inWorker);
  addNotice(at('dist', 'maskflow.iife.js'), all);
}
