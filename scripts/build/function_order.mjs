// SPDX-License-Identifier: MIT
// Orders functions so that similar ones are neighbours. Deflate finds repetitions only in the last
// 32 kB, so this order saves 4 % of a page.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, output, runQuietly } from '../lib/process.mjs';
import { calls, nameSection, readFunctions } from './wasm_sections.mjs';

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

/** Returns names whose alphabetical order is the new order. Imports keep their indices. */
function orderedNames(functions) {
  const names = new Array(functions.imported).fill('').map((_, i) => `import ${i}`);
  newOrder(functions).forEach((index, place) => {
    names[functions.imported + index] = `place ${String(place).padStart(6, '0')}`;
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

/** Returns the module with its functions in the new order; `scratch` is a temporary file. */
export async function inFunctionOrder(wasm, scratch, env) {
  const optimizer = findOptimizer(env);
  const optimize = async (bytes, ...passes) => {
    writeFileSync(scratch, bytes);
    await runQuietly(optimizer, [...features, '-Oz', ...passes, scratch, '-o', scratch]);
    return readFileSync(scratch);
  };
  // Optimizes first, so that functions are compared in nearly the form that they will have.
  const optimized = await optimize(wasm);
  const names = nameSection(orderedNames(readFunctions(optimized)));
  const named = Buffer.concat([optimized, names]);
  const ordered = await optimize(named, '--reorder-functions-by-name', '--strip-debug');
  rmSync(scratch);
  return ordered;
}
