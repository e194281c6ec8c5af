// SPDX-License-Identifier: MIT
// Every function and class of every entry, called with arguments that fit nowhere: a result or an
// error of the package, never one that only its source explains.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';

/** Lists of arguments. */
const calls = [
  [],
  [undefined],
  [null],
  [null, null],
  [{}],
  [{}, {}],
  [[]],
  [[], []],
  [[[]]],
  ['a'],
  ['a', 'b'],
  ['__proto__'],
  [1, 2, 3],
  [NaN],
  [Infinity, -1],
  [1n],
  [Symbol('x')],
  [() => 1],
  [new Date()],
  [new Map()],
  [Promise.resolve(1)],
  [Object.create(null)],
  [{ toString: null }],
  [new Uint8Array(3)],
];

// They start, end or need a worker or an instance.
const untried = new Set(['ready', 'serve', 'openModel', 'openPool', 'openWorker']);
// Made by the package alone. Errors are as odd as Error itself, whose message cannot be a symbol.
const isInternal = (name, value) =>
  name === 'fromAttributes' ||
  value?.prototype instanceof Error ||
  /^mask|^BatchedModel/.test(name);

const isClass = (value) => /^class/.test(Function.prototype.toString.call(value));

/** Returns [name, function] of what an entry exports: also in its namespaces and of its classes. */
function functionsOf(entry) {
  const found = [];
  const add = (name, value, owner) => {
    const own = name.split('.').at(-1);
    if (typeof value !== 'function' || untried.has(own) || isInternal(own, value)) return;
    found.push([name, isClass(value) ? (...args) => new value(...args) : value.bind(owner)]);
    for (const key of Object.getOwnPropertyNames(value)) {
      if (key !== 'prototype') add(`${name}.${key}`, value[key], value);
    }
  };
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value === 'function') add(name, value);
    else
      for (const [key, inner] of Object.entries(value ?? {})) add(`${name}.${key}`, inner, value);
  }
  return found;
}

const isTyped = (error) =>
  /^(Value|Config|State|Shape|Unsupported|Format|Port)Error$/.test(error?.name);

async function errorOf(f, args) {
  try {
    const result = f(...args);
    const late = new Promise((done) => setTimeout(done, 200));
    if (typeof result?.then === 'function') await Promise.race([result, late]);
    result?.dispose?.();
  } catch (error) {
    if (!isTyped(error)) return `${error?.name}: ${error?.message}`;
  }
  return undefined;
}

suite('arguments that fit nowhere', () => {
  before(() => mf.ready({ onMaskDropped: 'silent' }));
  for (const name of ['train', 'text', 'torch', 'tags', 'draw', 'port', 'worker']) {
    test(name, async (t) => {
      for (const method of ['log', 'warn']) t.mock.method(console, method, () => {});
      const functions = functionsOf(await import(`../../dist/${name}.js`));
      assert.ok(functions.length > 0);
      const wrong = [];
      for (const [path, f] of functions) {
        for (const [i, args] of calls.entries()) {
          const error = await errorOf(f, args);
          if (error) wrong.push(`${path} with the arguments ${i}: ${error}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }
});
