// SPDX-License-Identifier: MIT
// Disposing of a model frees the layers that no other layer contains, however many layers exist.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { forSeeds, integer, pick } from '../support/random.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, Model, Sequential, Input, layers, tensor } = mf;

let reads = 0;
/** A custom layer that counts how often its properties are read. */
class Watched extends Layer {
  constructor() {
    super();
    Object.defineProperty(this, 'watched', { enumerable: true, get: () => ++reads && null });
  }
  call(x) {
    return this.inner ? this.inner.apply(x) : x;
  }
}

const x = () => tensor([[1, 2, 3]]);
const createModel = (...more) =>
  new Sequential([Input({ shape: [3] }), layers.dense({ units: 3 }), ...more]);
const isFreed = (layer) => layer.isDisposed;

test('disposing of models does not look at all custom layers each time', () => {
  const older = Array.from({ length: 50 }, () => createModel());
  const watched = Array.from({ length: 1000 }, () => new Watched());
  reads = 0;
  const newer = Array.from({ length: 50 }, () => createModel());
  for (const model of newer) model.dispose();
  assert.ok(reads <= 50 * 16, `${reads} for newer models`);
  reads = 0;
  // Each of them may contain layers of the older models; this is found out once.
  for (const model of older) model.dispose();
  assert.ok(reads <= 1000 + 50 * 16, `${reads} for older models`);
  assert.equal(watched.length, 1000);
});

test('layers that custom layers adopt before, in and after their calls survive', () => {
  const idle = Array.from({ length: 100 }, () => new Watched());
  const holders = Array.from({ length: 4 }, () => new Watched());
  const shared = Array.from({ length: 4 }, () => layers.dense({ units: 3 }));
  const own = layers.dense({ units: 3 });
  const model = createModel(...shared, own);
  createModel().dispose();
  holders[0].inner = shared[0];
  holders[0].apply(x());
  createModel().dispose();
  holders[1].lists = [[shared[1]], { deep: shared[2] }];
  class InCall extends Watched {
    call(input) {
      this.inner ??= shared[3];
      return input;
    }
  }
  const late = new InCall();
  createModel().dispose();
  late.apply(x());
  model.dispose();
  assert.deepEqual(shared.map(isFreed), [false, false, false, false]);
  assert.ok(isFreed(own));
  assert.equal(idle.length, 100);
});

test('a layer is freed with the last of the models that contain it', () => {
  const dense = layers.dense({ units: 3 });
  const inside = new Sequential([dense]);
  const models = Array.from({ length: 40 }, () => createModel(inside));
  const input = Input({ shape: [3] });
  const functional = new Model({ inputs: input, outputs: dense.apply(input) });
  for (const model of models) {
    assert.ok(!isFreed(dense));
    model.dispose();
  }
  inside.dispose();
  assert.ok(!isFreed(dense));
  functional.dispose();
  assert.ok(isFreed(dense));
});

test('a model keeps no layer that it has removed', () => {
  const dense = layers.dense({ units: 3 });
  const first = createModel(dense);
  const second = createModel(dense);
  second.pop();
  first.dispose();
  assert.ok(isFreed(dense));
  assert.deepEqual(second.predict(x()).shape, [1, 3]);
});

test('random models and custom layers free exactly what nothing contains', () => {
  forSeeds(60, (rng) => {
    const dense = Array.from({ length: 6 }, () => layers.dense({ units: 3 }));
    const holders = Array.from({ length: integer(rng, 1, 30) }, () => new Watched());
    const models = new Map();
    const actions = {
      adopt(alive) {
        const holder = pick(rng, holders);
        holder.inner = pick(rng, alive);
        holder.apply(x());
      },
      release() {
        pick(rng, holders).inner = undefined;
      },
      create(alive) {
        const chosen = [...new Set([pick(rng, alive), pick(rng, alive), pick(rng, alive)])];
        const nested = integer(rng, 0, 1) === 1;
        models.set(nested ? createModel(new Sequential(chosen)) : createModel(...chosen), chosen);
      },
      dispose() {
        const [model, inside] = pick(rng, [...models, [undefined]]);
        if (!model) return;
        model.dispose();
        models.delete(model);
        for (const layer of inside) {
          const isContained =
            holders.some(({ inner }) => inner === layer) ||
            [...models.values()].some((others) => others.includes(layer));
          assert.equal(isFreed(layer), !isContained);
        }
      },
    };
    for (let step = 0; step < 40; step++) {
      const alive = dense.filter((layer) => !isFreed(layer));
      if (alive.length > 0) pick(rng, Object.values(actions))(alive);
    }
    for (const model of models.keys()) model.dispose();
  });
});
