// SPDX-License-Identifier: MIT
// The difference between two variants of a module, from which web/src/engine/wasm_patch.ts computes
// one from the other. A fifth of the package would be variants that differ in few functions.
//
// It consists of numbers as unsigned LEB128: the size of the result, its checksum, the numbers of
// regions, of changes and of literal bytes. Then for each region: the literal bytes before it, its
// size, and its distance in the base from the end of the region before (zigzag). Then the distance
// of each change from the change before. Then the literal bytes, and for each change the difference
// from the base, modulo 256. Many of these repeat, because the same address has moved by the same
// distance.
import { numberBytes } from './wasm_sections.mjs';

/** Length of the sequences of bytes by which equal parts are found. */
const kGram = 6;
/** Most positions of a gram that are tried. */
const kMaxTried = 1000;
/** Bytes that a match must be longer than one at the usual place: near it, and farther away. */
const [kNear, kNearCost, kFarCost] = [100, 7, 20];
/** Longest difference inside a region. */
const kMaxDifferent = 24;

/** Returns the positions of each gram. */
function gramsOf(bytes) {
  const positions = new Map();
  for (let at = 0; at + kGram <= bytes.length; at++) {
    const gram = bytes.latin1Slice(at, at + kGram);
    const list = positions.get(gram);
    if (list) list.push(at);
    else positions.set(gram, [at]);
  }
  return positions;
}

/** Finds equal parts of two modules, from the beginning of the second one to its end. */
class Matcher {
  #base;
  #target;
  #grams;
  /** Position in the base less position in the target, of the last match. */
  #distance = 0;

  constructor(base, target) {
    this.#base = base;
    this.#target = target;
    this.#grams = gramsOf(base);
  }

  #length(from, at) {
    let length = 0;
    const max = Math.min(this.#base.length - from, this.#target.length - at);
    while (length < max && this.#base[from + length] === this.#target[at + length]) length++;
    return length;
  }

  /** Returns the best match for the bytes at this position of the target: `{ from, length }`. */
  at(position) {
    const usual = position + this.#distance;
    const straight = usual >= 0 ? this.#length(usual, position) : 0;
    let [best, from] = straight >= 3 ? [straight, usual] : [0, -1];
    if (best < 32 && position + kGram <= this.#target.length) {
      const gram = this.#target.latin1Slice(position, position + kGram);
      for (const other of (this.#grams.get(gram) ?? []).slice(0, kMaxTried)) {
        const gain = this.#length(other, position) - this.#cost(other, usual);
        if (gain > best) [best, from] = [gain, other];
      }
    }
    if (from < 0) return null;
    this.#distance = from - position;
    return { from, length: this.#length(from, position) };
  }

  #cost(from, usual) {
    return Math.abs(from - usual) < kNear ? kNearCost : kFarCost;
  }
}

/** Returns regions of the target that resemble regions of the base, with few different bytes. */
function regionsOf(base, target) {
  const matcher = new Matcher(base, target);
  const regions = [];
  let [end, position] = [0, 0];
  while (base.length > 0 && position < target.length) {
    const match = matcher.at(position);
    if (!match) {
      position++;
      continue;
    }
    const last = regions.at(-1);
    const between = position - end;
    const continues = last && match.from - (last.from + last.size) === between;
    if (continues && between <= kMaxDifferent) {
      last.size += between + match.length;
    } else {
      regions.push({ literal: between, at: position, from: match.from, size: match.length });
    }
    position += match.length;
    end = position;
  }
  regions.push({ literal: target.length - end, at: target.length, from: 0, size: 0 });
  return regions;
}

/** FNV-1a of the whole words of 32 bits, then of the bytes that remain. */
function checksum(bytes) {
  let hash = 0x811c9dc5;
  const add = (value) => {
    hash = Math.imul(hash ^ value, 16777619);
  };
  const words = bytes.length - (bytes.length % 4);
  for (let at = 0; at < words; at += 4) add(bytes.readInt32LE(at));
  for (const byte of bytes.subarray(words)) add(byte);
  return hash >>> 0;
}

const zigzag = (number) => (number < 0 ? -2 * number - 1 : 2 * number);

/** Returns the positions and differences of the bytes in regions that are not those of the base. */
function changesOf(base, target, regions) {
  const changes = [];
  for (const { at, from, size } of regions) {
    for (let i = 0; i < size; i++) {
      if (target[at + i] === base[from + i]) continue;
      changes.push({ at: at + i, difference: target[at + i] - base[from + i] });
    }
  }
  return changes;
}

/** Returns the difference of `target` from `base`. */
export function difference(base, target) {
  const regions = regionsOf(base, target);
  const changes = changesOf(base, target, regions);
  const literals = Buffer.concat(
    regions.map(({ literal, at }) => target.subarray(at - literal, at)),
  );
  const ends = [0, ...regions.map(({ from, size }) => from + size)];
  const numbers = [
    ...[target.length, checksum(target), regions.length, changes.length, literals.length],
    ...regions.map(({ literal }) => literal),
    ...regions.map(({ size }) => size),
    ...regions.map(({ from }, i) => zigzag(from - ends[i])),
    ...changes.map(({ at }, i) => at - (changes[i - 1]?.at ?? 0)),
  ];
  const differences = Buffer.from(changes.map((change) => change.difference));
  return Buffer.concat([Buffer.from(numbers.flatMap(numberBytes)), literals, differences]);
}
