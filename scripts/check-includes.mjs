// SPDX-License-Identifier: MIT
// Checks the levels of src/: each folder may include only folders below it in docs/architecture.md.
import { readFileSync } from 'node:fs';
import { checkMain } from './lib/checks.mjs';
import { at, filesUnder, short } from './lib/files.mjs';

const mayInclude = {
  base: [],
  tensor: ['base'],
  kernels: ['base'],
  ops: ['base', 'tensor', 'kernels'],
  rnn: ['base', 'tensor', 'kernels', 'ops'],
  // `layer` may include kernels, because layers hold packed weights and call whole kernels. Loops
  // over vectors are only in kernels/.
  layer: ['base', 'tensor', 'kernels', 'ops', 'rnn'],
  layers: ['base', 'tensor', 'kernels', 'ops', 'rnn', 'layer'],
  model: ['base', 'tensor', 'kernels', 'ops', 'rnn', 'layer', 'layers'],
  measures: ['base', 'tensor', 'ops'],
  training: ['base', 'tensor', 'kernels', 'ops', 'rnn', 'layer', 'layers', 'model', 'measures'],
};

// Subfolders of layers/ that may include others; the rest include no other subfolder.
const rooms = {
  attention: ['core'],
  audio: ['convolution'],
  pooling: ['convolution'],
  recurrent: ['convolution'],
};

function complaintAboutRooms(path, included) {
  const [, , room] = path.split('/');
  const [, other] = included.split('/');
  if (room === other || rooms[room]?.includes(other)) return undefined;
  return `layers/${room}/ may not see layers/${other}/`;
}

function complaintAbout(path, level, included) {
  if (included.startsWith('xsimd/') && path !== 'src/kernels/simd.hpp') {
    return 'only src/kernels/simd.hpp includes xsimd';
  }
  if (included.startsWith('emscripten')) return 'only bindings/ includes Emscripten';
  const target = included.split('/')[0];
  if (level === 'layers' && target === 'layers') return complaintAboutRooms(path, included);
  if (!(target in mayInclude) || target === level) return undefined;
  if (mayInclude[level]?.includes(target)) return undefined;
  return `${level}/ may not see ${target}/`;
}

export function checkIncludes() {
  const complaints = [];
  for (const file of filesUnder('src', /\.[ch]pp$/)) {
    const path = short(file);
    const level = path.split('/')[1];
    if (!(level in mayInclude)) complaints.push(`${path}: unknown folder ${level}/`);
    readFileSync(at(path), 'utf8')
      .split('\n')
      .forEach((line, index) => {
        const included = /^\s*#\s*include\s*["<]([^">]+)[">]/.exec(line)?.[1];
        const complaint = included && complaintAbout(path, level, included);
        if (complaint) complaints.push(`${path}:${index + 1}: ${included}: ${complaint}`);
      });
  }
  return complaints;
}

await checkMain(import.meta.url, checkIncludes);
