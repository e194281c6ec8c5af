// SPDX-License-Identifier: MIT
// Limits of this engine on this machine: how fast it multiplies and adds vectors in registers, and
// how fast it streams weights through multiply-adds. Both loops are wasm modules that are written
// here byte by byte.

const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
/** Encodes a signed LEB128 number, in which the sixth bit is the sign. */
const signedLeb = (value) =>
  value < 64 ? [value] : [(value & 127) | 128, ...signedLeb(value >> 7)];
const section = (id, content) => [id, ...leb(content.length), ...content];
const get = (local) => [32, local];
const set = (local) => [33, local];
const madd = [253, 133, 2]; // f32x4.relaxed_madd
const mul = [253, 230, 1];
const add = [253, 228, 1];
const splat = [253, 19];
/** Local with the factor as a vector. */
const factor = 3;

/**
 * Returns the body of a function (from: i32, end: i32, factor: f32) -> f32, which adds `step` to
 * `from` in each round. `codeOf(sum, i)` computes the next value of a chain, a local.
 */
function body({ chains, step, codeOf }) {
  const sums = Array.from({ length: chains }, (_, i) => factor + 1 + i);
  const code = [
    ...[factor, ...sums].flatMap((local) => [...get(2), ...splat, ...set(local)]),
    ...[3, 64, ...sums.flatMap((sum, i) => [...codeOf(sum, i), ...set(sum)])],
    ...[...get(0), 65, ...signedLeb(step), 106, 34, 0, ...get(1), 73, 13, 0, 11],
    ...sums.flatMap((sum, i) => [...get(sum), ...(i > 0 ? add : [])]),
    ...[253, 31, 0, 11],
  ];
  const locals = [1, chains + 1, 123];
  return [...leb(locals.length + code.length), ...locals, ...code];
}

/** Returns the exports of a module: `f` is the loop, `m` is a memory of `pages` pages. */
function instantiate(loop, pages = 1) {
  const bytes = Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, [1, 96, 3, 127, 127, 125, 1, 125]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, 1, 102, 0, 0, 1, 109, 2, 0]),
    ...section(10, [1, ...body(loop)]),
  ]);
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
}

/** Returns the highest rate of runs with `operations` each, in G/s. The first runs warm up. */
function bestRate(run, operations, repeats) {
  let best = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = performance.now();
    run();
    best = Math.max(best, operations / (performance.now() - start));
  }
  return best / 1e6;
}

// A run should end before another process runs, but it must be longer on a page, whose clock has
// steps of 0.1 ms.
const isPage = typeof document !== 'undefined';

/** Returns a function of rounds: `chains` multiply-adds of vectors in each, without memory. */
export function multiplyAdds(chains, isFused) {
  const codeOf = (sum) =>
    isFused
      ? [...get(factor), ...get(factor), ...get(sum), ...madd]
      : [...get(factor), ...get(sum), ...mul, ...get(factor), ...add];
  const { f } = instantiate({ chains, step: 1, codeOf });
  return (rounds) => f(0, rounds, 0.5);
}

/** Returns the peak in GFLOP/s. A multiply-add counts as two operations. */
export function multiplyAddPeak(isFused) {
  const rounds = isPage ? 1_000_000 : 20_000;
  // Numbers of chains: enough to hide the latency, few enough for 16 registers.
  const rates = [8, 10, 12].map((chains) => {
    const loop = multiplyAdds(chains, isFused);
    return bestRate(() => loop(rounds), 2 * 4 * chains * rounds, 200);
  });
  return Math.max(...rates);
}

/**
 * Returns the rate over a block of `bytes` in GFLOP/s: the limit of a product of one row, which
 * uses each weight once. A loop loads a vector for each multiply-add, from a block of memory that
 * it reads again and again. The rate in GB/s is twice as high, because each float of four bytes
 * takes two operations.
 */
export function streamingPeak(isFused, bytes) {
  const chains = 8;
  const step = 16 * chains;
  const block = Math.ceil(bytes / step) * step;
  const codeOf = (sum, i) => {
    // v128.load at the address in local 0, with an offset.
    const weight = [...get(0), 253, 0, 4, ...leb(16 * i)];
    return isFused
      ? [...get(factor), ...weight, ...get(sum), ...madd]
      : [...get(factor), ...weight, ...mul, ...get(sum), ...add];
  };
  const { f, m } = instantiate({ chains, step, codeOf }, Math.ceil(block / 65_536) + 1);
  // Fills the memory, because memory that was never written is one page of zeros, repeated.
  new Float32Array(m.buffer).fill(0.5);
  const passes = Math.max(1, Math.round((isPage ? 1 << 28 : 1 << 22) / block));
  const run = () => {
    for (let pass = 0; pass < passes; pass++) f(0, block, 0.5);
  };
  return bestRate(run, (passes * block) / 2, 60);
}
