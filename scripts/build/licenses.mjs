// SPDX-License-Identifier: MIT
// The licences of third-party code in the package: all texts in one file, and a line in each file
// that contains such code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../lib/files.mjs';
import { licenseText } from './bundled_licenses.mjs';
import { workerScripts } from './entries.mjs';

const file = 'THIRD_PARTY_LICENSES.txt';

// Returns the path of a licence text. The texts are in this folder, because Debian's packages of
// the compiler and of xsimd lack them; fflate contains its own.
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
const inPort = {
  Lezer: ['MIT', 'https://lezer.codemirror.net', at('node_modules', '@lezer', 'python', 'LICENSE')],
};
const all = { ...inReaders, ...inGlue, ...inWasm };

function write() {
  const parts = Object.entries({ ...all, ...inPort }).map(([name, [license, home, path]]) =>
    licenseText({ name, license, home, text: readFileSync(path, 'utf8').trim() }),
  );
  writeFileSync(
    at('dist', file),
    `maskflow contains the following, each under its own licence.\n\n${parts.join('\n')}`,
  );
}

/** Adds a notice at the end of a file, so that mapped code does not move. */
function addNotice(path, names) {
  if (Object.keys(names).length === 0) return;
  const code = readFileSync(path, 'utf8').trimEnd();
  const notice = `/*! ${Object.keys(names).join(', ')}: see ${file} of maskflow */`;
  writeFileSync(path, `${code}\n${notice}\n`);
}

// Third-party code in the workers' scripts, with its licences.
const inWorker = { ...inReaders, ...inGlue };
const inChunk = {
  'glue.js': inGlue,
  'glue.cjs': inGlue,
  // The first has the code that all of them share.
  ...Object.fromEntries(
    workerScripts.map(({ chunk }, index) => [`${chunk}.js`, index === 0 ? inWorker : {}]),
  ),
};

/** `filesOf`: for each bundled library, the names of the files in dist/ that contain it. */
export function addLicenses(filesOf) {
  write();
  const chunks = at('dist', 'chunks');
  for (const name of readdirSync(chunks)) {
    addNotice(join(chunks, name), inChunk[name] ?? { ...inGlue, ...inWasm });
  }
  for (const name of filesOf['@lezer/python']) addNotice(at('dist', name), inPort);
  for (const name of filesOf.fflate) addNotice(at('dist', name), inReaders);
  for (const { script } of workerScripts) addNotice(at('dist', `${script}.js`), inWorker);
  addNotice(at('dist', 'maskflow.iife.js'), all);
}
