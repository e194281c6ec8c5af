// SPDX-License-Identifier: MIT
// Random calls of the whole API: valid calls with random changes, which must return or throw typed
// errors.
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as mf from '../../dist/index.js';
import { generator, pick, integer } from '../support/random.js';
import { mutate } from './api/mutate.js';
import { functions, membersOf, rightArguments, subject } from './api/subjects.js';
import { mine } from './api/values.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const kCalls = 4;

/** Describes a call for the message of a failure, without values that cannot be printed. */
function show(name, args) {
  const item = (value) => {
    try {
      return inspect(value, {
        depth: 3,
        breakLength: 200,
        maxArrayLength: 8,
        maxStringLength: 60,
      }).slice(0, 300);
    } catch {
      return '<cannot be shown>';
    }
  };
  return `${name}(${args.map(item).join(', ')})`;
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/**
 * Chooses a random call: of a function or constructor of the package, or of a method of `thing`,
 * the object that all calls of a case share.
 */
function choose(random, made, thing) {
  if (thing && random() < 0.85) {
    const { key, what } = pick(random, membersOf(thing));
    const name = `${thing.constructor?.name ?? 'object'}.${key}`;
    if (what.get && (random() < 0.5 || !what.set)) return { name, args: [], run: () => thing[key] };
    const args = mutate(random, made, rightArguments(random, made, { key, thing })).map((arg) =>
      // The folder /nowhere does not exist, so no file is written.
      typeof arg === 'string' && key.startsWith('save') ? `/nowhere/${arg.slice(0, 50)}` : arg,
    );
    if (what.set) return { name: `${name} =`, args, run: () => (thing[key] = args[0]) };
    // A user-defined class may replace a method by a value.
    if (typeof thing[key] !== 'function') return { name, args: [], run: () => thing[key] };
    return { name, args, run: () => thing[key](...args) };
  }
  const { name, key, value, module } = pick(random, functions);
  const args = mutate(random, made, rightArguments(random, made, { key, module }));
  if (isClass(value) && random() < 0.15 && 'fromConfig' in value) {
    const config = mutate(random, made, rightArguments(random, made, { key: 'fromConfig' }));
    return { name: `${name}.fromConfig`, args: config, run: () => value.fromConfig(...config) };
  }
  return { name, args, run: () => (isClass(value) ? new value(...args) : value(...args)) };
}

const kLong = 2000;

/**
 * Returns whether an error is allowed: an error of the package, an error that user code threw, or
 * JavaScript's error for a class that is called without `new`.
 */
const isRight = (error) =>
  error === mine ||
  error instanceof mf.MaskflowError ||
  /^Class constructors? .*cannot be invoked without 'new'/.test(error?.message);

async function attempt({ name, args, run }, made) {
  const start = performance.now();
  let outcome = 'result';
  try {
    const result = run();
    // Awaits only promises, because another object with a `then` may never settle.
    made.push(result instanceof Promise ? await result : result);
  } catch (error) {
    if (!isRight(error)) {
      const shown = error instanceof Error ? error.stack : `thrown: ${inspect(error)}`;
      const failure = new Error(`${show(name, args)}\n  ${shown}`);
      failure.dead = error instanceof WebAssembly.RuntimeError;
      throw failure;
    }
    outcome = error === mine ? 'what the user threw' : error.name;
  }
  const time = performance.now() - start;
  if (time > kLong) throw new Error(`${show(name, args)} took ${Math.round(time)} ms`);
  return outcome;
}

/** Disposes of all objects in the results of calls, at any depth. */
function release(value, depth = 0, seen = new Set()) {
  if (typeof value !== 'object' || value === null || depth > 4 || seen.has(value)) return;
  seen.add(value);
  try {
    if (typeof value.dispose === 'function') {
      if (value instanceof mf.Model)
        release(
          safely(() => value.layers),
          depth + 1,
          seen,
        );
      value.dispose();
    } else if (
      Array.isArray(value) ? value.length < 100 : Object.getPrototypeOf(value) === Object.prototype
    ) {
      for (const item of Object.values(value)) release(item, depth + 1, seen);
    }
  } catch {
    // The getters of some values throw on purpose.
  }
}
function safely(f) {
  try {
    return f();
  } catch {
    return [];
  }
}

const grown = (before) => {
  const { tensors, bytes } = mf.memory();
  return tensors > before.tensors || bytes > before.bytes;
};

/**
 * Waits for the garbage collector to free unreachable tensors, and returns whether no more memory
 * is in use than before.
 */
async function settled(before) {
  for (let i = 0; i < 10 && grown(before); i++) {
    gc();
    await new Promise((done) => setImmediate(done));
  }
  return !grown(before);
}

let expected;
/** Makes valid calls, and throws if their results differ from those of the first time. */
async function rightCall() {
  await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' });
  const numbers = mf.tidy(() => {
    const x = mf.ops.reshape(mf.ops.arange(24), [2, 3, 4]).withMask([
      [true, false, true],
      [true, true, false],
    ]);
    const lstm = mf.layers.lstm({
      units: 3,
      kernelInitializer: 'ones',
      recurrentInitializer: 'ones',
    });
    const y = lstm.apply(mf.ops.divide(x, 100));
    const model = new mf.Sequential([mf.Input({ shape: [3, 4] }), lstm]);
    const all = [...y.data(), ...model.predict(x).data(), ...mf.ops.softmax(x).data()];
    model.dispose();
    lstm.dispose();
    return all;
  });
  expected ??= numbers;
  if (JSON.stringify(numbers) !== JSON.stringify(expected))
    throw new Error('a valid call returns other numbers');
}

/** Returns the result of `make`, or null if the package refuses its arguments. */
function prepared(make) {
  try {
    return make();
  } catch (error) {
    if (isRight(error)) return null;
    throw error;
  }
}

/** Runs the calls of a case on a shared object and disposes of all results. */
async function sequence(random, names, outcomes) {
  const made = [];
  let thing = null;
  try {
    if (random() < 0.8) thing = prepared(() => subject(random, made));
    for (let i = integer(random, 1, kCalls); i > 0; i--) {
      const call = prepared(() => choose(random, made, thing));
      if (!call) continue;
      names.push(call.name);
      outcomes.push(await attempt(call, made));
    }
  } finally {
    release(made);
  }
}

/** Runs case `number` and returns the `outcomes` of its calls. Throws if one of them is a bug. */
export async function runCase(number) {
  if (number % 10 === 0 || expected === undefined) await rightCall();
  const before = mf.memory();
  const outcomes = [];
  const names = [];
  await sequence(generator(number * 7919 + 3), names, outcomes);
  if (!(await settled(before))) {
    const { tensors, bytes } = mf.memory();
    throw new Error(
      `${tensors - before.tensors} tensors left, ${bytes - before.bytes} bytes, after ${names.join(', ')}`,
    );
  }
  return { outcomes };
}
