// SPDX-License-Identifier: MIT
// Peak of this engine on this machine: a wasm module, written here byte by byte, with nothing but
// independent vector multiply-adds in registers.

import { add, get, leb, madd, mul, section, set, splat } from './assemble.mjs';

// Number of chains: enough to hide the latency, few enough for 16 registers.
const chainCounts = [8, 10, 12];

/**
 * Returns the body of a function (rounds: i32, factor: f32) -> f32. Its locals are the factor as a
 * vector, then the chains.
 */
function body(chains, isFused) {
  const first = 3;
  const each = Array.from({ length: chains }, (_, i) => {
    const sum = first + i;
    return isFused
      ? [...get(2), ...get(2), ...get(sum), ...madd, ...set(sum)]
      : [...get(2), ...get(sum), ...mul, ...get(2), ...add, ...set(sum)];
  });
  const decrement = [...get(0), 65, 1, 107, 34, 0];
  const total = each.flatMap((_, i) => [...get(first + i), ...(i > 0 ? add : [])]);
  const starts = each.flatMap((_, i) => [...get(1), ...splat, ...set(first + i)]);
  const code = [
    ...[...get(1), ...splat, ...set(2), ...starts],
    ...[3, 64, ...each.flat(), ...decrement, 13, 0, 11],
    ...[...total, 253, 31, 0, 11],
  ];
  const locals = [1, chains + 1, 123];
  return [...leb(locals.length + code.length), ...locals, ...code];
}

function moduleBytes(chains, isFused) {
  return Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, [1, 96, 2, 127, 125, 1, 125]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 102, 0, 0]),
    ...section(10, [1, ...body(chains, isFused)]),
  ]);
}

/**
 * Returns a function (rounds, factor): `chains` multiply-adds of vectors in each round, without
 * memory.
 */
export function multiplyAdds(chains, isFused) {
  const module = new WebAssembly.Module(moduleBytes(chains, isFused));
  return new WebAssembly.Instance(module).exports.f;
}

/**
 * Returns the peak in GFLOP/s, the best of several short runs. A multiply-add counts as two
 * operations.
 */
export function multiplyAddPeak(isFused) {
  // Number of rounds of a run. A run should end before another process runs, but it must be longer
  // on a page, whose clock has steps of 0.1 ms.
  const rounds = typeof document === 'undefined' ? 20_000 : 1_000_000;
  let best = 0;
  for (const chains of chainCounts) {
    const f = multiplyAdds(chains, isFused);
    // Warms up, because the first calls run in the baseline tier.
    for (let repeat = 0; repeat < 200; repeat++) {
      const start = performance.now();
      f(rounds, 0.5);
      const seconds = (performance.now() - start) / 1000;
      best = Math.max(best, (2 * 4 * chains * rounds) / seconds);
    }
  }
  return best / 1e9;
}
