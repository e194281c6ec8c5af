// SPDX-License-Identifier: MIT
// Values for random arguments: mostly invalid ones, and some valid ones.
import { createRequire } from 'node:module';
import * as mf from '../../../dist/index.js';
import { pick, integer } from '../../support/random.js';

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;

/** The error that user code throws; the package must pass it on unchanged. */
export const mine = new RangeError('thrown by the user');
const fail = () => {
  throw mine;
};

/**
 * A second copy of the package, loaded as CommonJS: its tensors and layers belong to other classes.
 */
export const other = createRequire(import.meta.url)('../../../dist/index.cjs');
await other.ready();

const plain = [
  ...[undefined, null, undefined, null, Number.NaN, Infinity, -Infinity],
  ...[-1, -0, 0, 1, 2, 3, 0.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), 1e308],
  ...['', 'x', '__proto__', 'constructor', 'toString', 'float32', 'int8', 'pre', '\ud800', '3'],
  ...[true, false, 5n, -1n, Symbol('s'), Symbol.iterator],
];

function cyclic() {
  const list = [1, 2];
  list.push({ list, again: [list] });
  return list;
}
function cycle() {
  const all = { name: 'all' };
  all.all = all;
  return all;
}
function deep(depth, asList) {
  let value = 1;
  for (let i = 0; i < depth; i++) value = asList ? [value] : { inner: value };
  return value;
}
function detached() {
  const array = Float32Array.of(1, 2, 3);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}
const throwing = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
};
function kept(made, thing) {
  made.push(thing);
  return thing;
}

// biome-ignore lint/suspicious/noThenProperty: something that looks like a Promise
const thenable = { then: () => {} };
class Holder {
  value = 3;
  shape = [1];
  length = 2;
}
class Signal {
  get value() {
    return [1, 2];
  }
}

const objects = [
  ...[() => ({}), () => [], () => [[]], () => [null], () => [[1], [2, 3]], () => [1, 'a']],
  ...[cyclic, cycle, () => deep(20_000, true), () => deep(20_000, false), () => new Array(3)],
  ...[() => new Array(50_000), () => Object.create(null), () => ({ length: 2 })],
  ...[() => ({ length: -1 }), () => ({ length: 2 ** 40 }), () => ({ length: 'x', files: 3 })],
  () => ({
    get x() {
      return fail();
    },
  }),
  ...[() => new Proxy({}, throwing), () => new Proxy([1, 2], throwing), () => new Proxy({}, {})],
  ...[() => new Proxy([[1, 2]], {}), () => new Proxy(() => 1, {}), () => fail, () => () => 1],
  ...[() => class {}, () => async () => 1, () => function* () {}, () => Math.max, () => Layer],
  ...[() => new Date(0), () => new Map([['a', 1]]), () => new Set([1]), () => /x/, () => mine],
  ...[
    () => new WeakMap(),
    () => Promise.resolve(3),
    (made) => Promise.resolve(kept(made, tensor([1]))),
  ],
  ...[() => thenable, () => new Holder(), () => new Signal(), () => new String('ab')],
  ...[() => new Number(3), () => Object.freeze([1, 2]), () => globalThis.process, () => Symbol],
  ...[() => Float32Array.of(1, 2), () => Float64Array.of(1e300, Number.NaN), () => Int8Array.of(1)],
  ...[() => Uint8Array.of(1, 0), () => Uint8ClampedArray.of(1, 0), () => Int16Array.of(1, 2)],
  ...[() => Uint16Array.of(1, 2), () => Int32Array.of(-1, 2), () => Uint32Array.of(2 ** 32 - 1)],
  ...[
    () => BigInt64Array.of(1n),
    () => BigUint64Array.of(1n),
    () => new DataView(new ArrayBuffer(8)),
  ],
  ...[() => new ArrayBuffer(8), () => new SharedArrayBuffer(8), () => Buffer.from('PK\x03\x04')],
  ...[() => new Uint8Array(new SharedArrayBuffer(4)), () => new Float32Array(0), detached],
  () => new Float32Array(new ArrayBuffer(8, { maxByteLength: 16 })),
  ...[
    () => new Blob(['{}']),
    () => new URL('file:///nowhere/model.keras'),
    () => new Response('{}'),
  ],
  ...[() => new URL('data:,x'), () => AbortSignal.abort(mine), () => new AbortController().signal],
  ...[
    () => 'a'.repeat(100_000),
    () => 'a/'.repeat(3000),
    () => new TextEncoder().encode('{"a":1}'),
  ],
  ...[
    () => Layer.prototype,
    () => Object.create(mf.Tensor.prototype),
    () => mf.Tensor,
    () => ({ ...mf }),
  ],
  ...[
    () => Object.create(Layer.prototype),
    (made) => new Proxy(kept(made, tensor([1, 2])), {}),
    () => new mf.Metric('mse'),
  ],
];

function disposed(thing) {
  thing.dispose();
  return thing;
}
const masked = () =>
  mf.tidy(() =>
    ops.ones([2, 3, 4]).withMask([
      [true, false, true],
      [true, true, false],
    ]),
  );
const built = () => {
  const layer = layers.lstm({ units: 2 });
  layer.build([null, 3, 4]);
  return layer;
};

/** Objects of the package, which are valid arguments in some positions only. */
const things = [
  ...[() => tensor([[1, 2]]), () => tensor(3), () => tensor([1, 2], { dtype: 'int32' }), masked],
  ...[() => tensor([[true, false]]), () => ops.zeros([0, 3]), () => disposed(tensor([1]))],
  ...[() => Input({ shape: [3, 4] }), () => Input({ shape: [null], dtype: 'int32' }), built],
  ...[() => layers.dense({ units: 2 }), () => disposed(layers.dense({ units: 2 }))],
  ...[
    () => new Sequential(),
    () => new Model(),
    () => new Sequential([Input({ shape: [3, 4] }), built()]),
  ],
  ...[
    () => disposed(new Sequential([layers.dense({ units: 1 })])),
    () => layers.lstmCell({ units: 2 }),
  ],
  ...[
    () => other.tensor([[1, 2]]),
    () => disposed(other.tensor([1])),
    () => other.Input({ shape: [2] }),
  ],
  ...[
    () => other.layers.dense({ units: 1 }),
    () => new other.Sequential(),
    () => new other.Metric('mse'),
  ],
  () => other.tensor([[1, 2]]).withMask([[true]]),
];

/**
 * Returns a promise of the value. If reading `then` of the value throws, the promise rejects
 * without a warning.
 */
export function promised(value) {
  const promise = Promise.resolve(value);
  promise.catch(() => {});
  return promise;
}

/** Returns a value of any kind. Objects of the package that it creates are added to `made`. */
export function anything(random, made) {
  const kind = random();
  if (kind < 0.4) return pick(random, plain);
  const value = pick(random, kind < 0.75 ? objects : things)(made);
  if (kind >= 0.75) made.push(value);
  return random() < 0.04 ? promised(value) : value;
}

/** Returns a function that returns anything, or throws. */
export const anyFunction = (random, made) => () =>
  random() < 0.1 ? fail() : anything(random, made);

/** Returns a custom layer whose `call`, or another method, may be any value. */
export function customLayer(random, made) {
  class Mine extends Layer {
    call(inputs, options) {
      return options?.training ? inputs : ops.add(inputs, 1);
    }
  }
  if (random() < 0.7) {
    const names = ['call', 'build', 'computeMask', 'computeOutputShape', 'getConfig', 'stateSize'];
    const name = pick(random, names);
    const odd =
      name === 'stateSize' || random() < 0.1 ? anything(random, made) : anyFunction(random, made);
    Object.defineProperty(Mine.prototype, name, { value: odd, configurable: true, writable: true });
  }
  const layer = new Mine(random() < 0.5 ? undefined : { name: `mine_${integer(random, 0, 3)}` });
  made.push(layer);
  return layer;
}
