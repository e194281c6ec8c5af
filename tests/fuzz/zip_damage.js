// SPDX-License-Identifier: MIT
// Damages the directory of a zip archive: sizes, offsets, names, overlapping files.
import { integer } from '../support/random.js';
import { pick } from './mutate.js';

const kEntry = 0x02014b50;
const kEnd = 0x06054b50;

/** Returns the offsets of the entries of the directory, and of its end. */
function directoryOf(view) {
  let end = view.byteLength - 22;
  while (end > 0 && view.getUint32(end, true) !== kEnd) end--;
  const entries = [];
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= end && view.getUint32(at, true) === kEntry) {
    entries.push(at);
    at += 46 + [28, 30, 32].reduce((sum, offset) => sum + view.getUint16(at + offset, true), 0);
  }
  return { end, entries };
}

const fields32 = [16, 20, 24, 42];
const fields16 = [8, 10, 28, 30, 32];
const words = [0, 1, 8, 12, 99, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0xffffffff];

const mutations = [
  function field32(view, { entries }, random) {
    const at = pick(random, entries) + pick(random, fields32);
    view.setUint32(
      at,
      pick(random, [...words, view.byteLength, view.getUint32(at, true) + 1]),
      true,
    );
  },
  function field16(view, { entries }, random) {
    view.setUint16(pick(random, entries) + pick(random, fields16), pick(random, words), true);
  },
  // Makes two names point to one file, or one file start inside another one.
  function overlap(view, { entries }, random) {
    const [from, to] = [pick(random, entries), pick(random, entries)];
    for (const offset of [16, 20, 24, 42]) {
      view.setUint32(to + offset, view.getUint32(from + offset, true), true);
    }
    if (random() < 0.5) {
      view.setUint32(to + 42, view.getUint32(to + 42, true) + integer(random, 0, 64), true);
    }
  },
  function swapNames(view, { entries }, random) {
    const [a, b] = [pick(random, entries), pick(random, entries)];
    const lengths = [a, b].map((entry) => view.getUint16(entry + 28, true));
    const length = Math.min(...lengths, view.byteLength - 46 - Math.max(a, b));
    for (let i = 0; i < length; i++) view.setUint8(a + 46 + i, view.getUint8(b + 46 + i));
  },
  function ending(view, { end }, random) {
    view.setUint16(end + pick(random, [4, 6, 8, 10, 20]), pick(random, words), true);
  },
  function place(view, { end }, random) {
    const at = end + pick(random, [12, 16]);
    view.setUint32(at, pick(random, [...words, view.getUint32(at, true) + 1]), true);
  },
  function local(view, { entries }, random) {
    const at = view.getUint32(pick(random, entries) + 42, true);
    if (at + 30 > view.byteLength) return;
    view.setUint16(at + pick(random, [6, 8, 26, 28]), pick(random, words), true);
  },
];

/** Returns a copy with one to three kinds of damage. */
export function mutateZip(original, random) {
  const bytes = original.slice();
  const view = new DataView(bytes.buffer);
  for (let n = pick(random, [1, 1, 2, 3]); n > 0; n--) {
    const directory = directoryOf(view);
    if (directory.entries.length === 0) break;
    pick(random, mutations)(view, directory, random);
  }
  return bytes;
}
