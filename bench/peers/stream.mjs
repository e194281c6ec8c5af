// SPDX-License-Identifier: MIT
// How fast this engine streams weights through multiply-adds: the limit of a product of one row,
// which uses each weight once. A wasm module loads a vector for each multiply-add, from a block of
// memory that it reads again and again.
import { add, get, leb, madd, mul, section, set, splat } from './assemble.mjs';

const chains = 8;
const page = 65_536;

/** Returns the instructions of a v128.load at the address in local 0, with an offset. */
const load = (offset) => [...get(0), 253, 0, 4, ...leb(offset)];

/**
 * Returns the body of a function (from: i32, end: i32, factor: f32) -> f32. Its locals are the
 * factor as a vector, then the chains.
 */
function body(isFused) {
  const first = 4;
  const each = Array.from({ length: chains }, (_, i) => {
    const [sum, weight] = [first + i, load(16 * i)];
    return isFused
      ? [...get(3), ...weight, ...get(sum), ...madd, ...set(sum)]
      : [...get(3), ...weight, ...mul, ...get(sum), ...add, ...set(sum)];
  });
  const advance = [...get(0), 65, ...signedLeb(16 * chains), 106, 34, 0, ...get(1), 73];
  const total = each.flatMap((_, i) => [...get(first + i), ...(i > 0 ? add : [])]);
  const code = [
    ...[...get(2), ...splat, ...set(3)],
    ...[3, 64, ...each.flat(), ...advance, 13, 0, 11],
    ...[...total, 253, 31, 0, 11],
  ];
  const locals = [1, chains + 1, 123];
  return [...leb(locals.length + code.length), ...locals, ...code];
}

/** Encodes a signed LEB128 number, in which the sixth bit is the sign. */
const signedLeb = (value) =>
  value < 64 ? [value] : [(value & 127) | 128, ...signedLeb(value >> 7)];

const moduleBytes = (isFused, pages) =>
  Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, [1, 96, 3, 127, 127, 125, 1, 125]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, 1, 102, 0, 0, 1, 109, 2, 0]),
    ...section(10, [1, ...body(isFused)]),
  ]);

/**
 * Returns the rate over a block of `bytes` in GFLOP/s, the best of several short runs. The rate in
 * GB/s is twice as high, because each float of four bytes takes two operations.
 */
export function streamingPeak(isFused, bytes) {
  const block = Math.ceil(bytes / (16 * chains)) * 16 * chains;
  const pages = Math.ceil(block / page) + 1;
  const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(isFused, pages)))
    .exports;
  // Fills the memory, because memory that was never written is one page of zeros, repeated.
  new Float32Array(m.buffer).fill(0.5);
  // Bytes that a run reads. A run should end before another process runs, but it must be longer on
  // a page, whose clock has steps of 0.1 ms.
  const bytesARun = typeof document === 'undefined' ? 1 << 22 : 1 << 28;
  const passes = Math.max(1, Math.round(bytesARun / block));
  let best = 0;
  for (let repeat = 0; repeat < 60; repeat++) {
    const start = performance.now();
    for (let pass = 0; pass < passes; pass++) f(0, block, 0.5);
    const seconds = (performance.now() - start) / 1000;
    best = Math.max(best, (passes * block) / 2 / seconds);
  }
  return best / 1e9;
}
