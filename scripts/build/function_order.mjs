// SPDX-License-Identifier: MIT
// Orders functions so that similar ones are neighbours. Deflate finds repetitions only in the last
// 32 kB, so this order saves 4 % of a page. A variant that is packed as its difference from another
// one has the order of that one, so that calls of the same function are the same bytes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, output, runQuietly } from '../lib/process.mjs';
import { calls, nameSection, readFunctions, withoutCustomSections } from './wasm_sections.mjs';

// Calls of functions below 128 need one byte for the index. Imports have the first indices.
const kShortNumbers = 128;
const kWindow = 28_000;
const kGram = 7;

/** Returns the distinct sequences of kGram bytes in each function, as small numbers. */
function gramsOf(bodies) {
  const numbers = new Map();
  return bodies.map((body) => {
    const grams = new Set();
    for (let at = 0; at + kGram <= body.length; at++) {
      const text = body.latin1Slice(at, at + kGram);
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      grams.add(numbers.get(text));
    }
    return [...grams];
  });
}

/** Returns the functions in order of their number of calls, the largest number first. */
function byCalls({ bodies, imported }) {
  const counts = new Array(bodies.length).fill(0);
  for (const body of bodies) {
    for (const number of calls(body)) if (number - imported in counts) counts[number - imported]++;
  }
  return [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
}

/**
 * Builds an order of functions in which each shares as many grams as possible with the window
 * before it.
 */
class Chain {
  order = [];
  #bodies;
  #grams;
  #holders = []; // Maps each gram to the functions that contain it.
  #shared; // Maps each function to the number of its grams in the window.
  #inWindow = []; // Maps each gram to the number of functions in the window that contain it.
  #window = [];
  #bytes = 0;

  constructor(bodies) {
    this.#bodies = bodies;
    this.#grams = gramsOf(bodies);
    this.#shared = new Array(bodies.length).fill(0);
    this.#grams.forEach((grams, i) => {
      for (const gram of grams) {
        this.#holders[gram] ??= [];
        this.#holders[gram].push(i);
      }
    });
  }

  add(next) {
    this.order.push(next);
    this.#window.push(next);
    this.#bytes += this.#bodies[next].length;
    this.#count(next, 1);
    while (this.#bytes > kWindow && this.#window.length > 1) {
      const oldest = this.#window.shift();
      this.#bytes -= this.#bodies[oldest].length;
      this.#count(oldest, -1);
    }
  }

  #count(index, change) {
    for (const gram of this.#grams[index]) {
      const before = this.#inWindow[gram] ?? 0;
      this.#inWindow[gram] = before + change;
      if (before > 0 && before + change > 0) continue;
      for (const holder of this.#holders[gram]) this.#shared[holder] += change;
    }
  }

  /**
   * Returns the most similar function of `rest`. The 8 compensates for grams that short functions
   * share by chance.
   */
  closest(rest) {
    const likeness = (i) => this.#shared[i] / (this.#grams[i].length + 8);
    let best;
    for (const i of rest) if (best === undefined || likeness(i) > likeness(best)) best = i;
    return best;
  }
}

function newOrder(functions) {
  const chain = new Chain(functions.bodies);
  const shortest = Math.max(0, kShortNumbers - functions.imported);
  const rest = new Set(functions.bodies.keys());
  const add = (index) => {
    rest.delete(index);
    chain.add(index);
  };
  for (const index of byCalls(functions).slice(0, shortest)) add(index);
  while (rest.size > 0) add(chain.closest(rest));
  return chain.order;
}

/**
 * Returns a key for each function, the same for the same function of another variant: its name
 * without the numbers that the linker adds, and its position among functions of this name.
 */
function keysOf({ names }) {
  const counts = new Map();
  return names.map((name) => {
    const plain = name.replace(/(_\d+| \(\.\d+\)|\.\d+)$/, '');
    const count = counts.get(plain) ?? 0;
    counts.set(plain, count + 1);
    return `${plain} ${count}`;
  });
}

/**
 * Returns the functions in the order of another module, given as `keys`. Only functions that
 * `remain` when the module is optimised count. Functions that the other module lacks take the
 * places of those that only it has, then the last places.
 */
function orderLike(keys, functions, remain) {
  const all = keysOf(functions);
  const indices = new Map(remain.map((index) => [all[index], index]));
  const places = keys.map((key) => indices.get(key));
  const taken = new Set(places);
  const others = remain.filter((index) => !taken.has(index));
  const filled = places.map((index) => index ?? others.shift());
  const order = [...filled.filter((index) => index !== undefined), ...others];
  const isKept = new Set(remain);
  return [...order, ...[...functions.bodies.keys()].filter((index) => !isKept.has(index))];
}

/** Returns names whose alphabetical order is the order. Imports keep their indices. */
function orderedNames({ imported }, order) {
  const names = new Array(imported).fill('').map((_, i) => `import ${i}`);
  order.forEach((index, place) => {
    names[imported + index] = `place ${String(place).padStart(6, '0')}`;
  });
  return names;
}

/** Returns the path of Binaryen's optimizer, which comes with Emscripten. */
function findOptimizer({ MASKFLOW_EMSCRIPTEN: root, ...env }) {
  const binaryen = output(join(root, 'em-config'), ['BINARYEN_ROOT'], { env });
  if (!binaryen)
    throw new Failure(
      `em-config in ${root} does not know where Binaryen is; install Emscripten again`,
    );
  return join(binaryen, 'bin', 'wasm-opt');
}

const features = [
  'simd',
  'relaxed-simd',
  'bulk-memory',
  'threads',
  'exception-handling',
  'sign-ext',
  'mutable-globals',
  'nontrapping-float-to-int',
].map((name) => `--enable-${name}`);

/**
 * Returns the module with its functions in a new order, and the keys of the functions in this
 * order. With the keys of another variant (`like`), it is the order of that one. The module must
 * have the names of its functions. `scratch` is a temporary file.
 */
export async function inFunctionOrder(wasm, scratch, env, like) {
  const optimizer = findOptimizer(env);
  const optimize = async (bytes, ...passes) => {
    const settings = [...features, '-Oz', '--debuginfo', ...passes];
    writeFileSync(scratch, bytes);
    await runQuietly(optimizer, [...settings, scratch, '-o', scratch]);
    return readFileSync(scratch);
  };
  // Optimizes first, so that functions are compared in nearly the form that they will have.
  const optimized = await optimize(wasm);
  const functions = readFunctions(optimized);
  const inOrder = async (order) => {
    const names = nameSection(orderedNames(functions, order));
    const named = Buffer.concat([withoutCustomSections(optimized), names]);
    const result = await optimize(named, '--reorder-functions-by-name');
    const places = readFunctions(result).names.map((name) => Number(name.split(' ')[1]));
    return { wasm: withoutCustomSections(result), remain: places.map((place) => order[place]) };
  };
  // The second pass removes further functions, not the same ones in each variant.
  const order = like
    ? orderLike(like, functions, (await inOrder([...functions.bodies.keys()])).remain)
    : newOrder(functions);
  const result = await inOrder(order);
  rmSync(scratch);
  const keys = keysOf(functions);
  return { wasm: result.wasm, keys: result.remain.map((index) => keys[index]) };
}
