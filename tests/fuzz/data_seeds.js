// SPDX-License-Identifier: MIT
// Inputs and recordings for the fuzzer, which the command and verifyModel read.
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { internals } from '../support/internals.js';

export const { readData } = await internals('../cli/data.ts');
const { writeNpy } = await internals('formats/numpy/npy.ts');

const text = (value) => new TextEncoder().encode(value);
const numbers = Float32Array.from({ length: 24 }, (_, i) => Math.cos(i));

const data = (name, files, more = {}) => ({ kind: 'data', name, files, ...more });

export function dataSeeds() {
  const npy = writeNpy([2, 3, 4], 'float32', numbers);
  const fortran = new Uint8Array(
    Buffer.from(Buffer.from(npy).toString('latin1').replace('False', 'True '), 'latin1'),
  );
  const members = { 'input_0.npy': npy, 'output_0.npy': writeNpy([24], 'float32', numbers) };
  const recording = new URL('../fixtures/models/mlp.io.json', import.meta.url);
  const rows = Array.from({ length: 9 }, (_, i) => `${i},${i / 3},"${-i}",nan`);
  return [
    data('array.npy', { 'array.npy': npy }),
    data('fortran.npy', { 'array.npy': fortran }),
    data('arrays.npz, stored', { 'arrays.npz': zipSync(members, { level: 0 }) }),
    data('arrays.npz, deflated', members, { pack: (files) => zipSync(files, { level: 6 }) }),
    data('table.csv', { 'table.csv': text(`a,b,c,d\n${rows.join('\r\n')}`) }),
    data('recording.json', { 'recording.json': new Uint8Array(readFileSync(recording)) }),
  ];
}
