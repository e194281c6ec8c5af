// SPDX-License-Identifier: MIT
// Files that Keras wrote of subclassed models, which keep their layers in attributes of any name
// and form: see tests/fuzz/keras_classes.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { readWithLibhdf5, writeWithLibhdf5 } from '../support/hdf5.js';

await mf.ready({ onMaskDropped: 'silent', maskPropagation: 'keras-3.15' });
const { classFileDifference } = await import('../fuzz/replay_classes.js');
const { Layer, Model, Sequential, Input, layers, registerLayer, tensor } = mf;

const recordings = gunzipSync(
  readFileSync(new URL('../fixtures/classes/classes.jsonl.gz', import.meta.url)),
);
const cases = String(recordings)
  .split('\n')
  .map((line) => JSON.parse(line));

test('files of Keras load into subclassed models with the same results', async () => {
  assert.equal(cases.length, 36);
  for (const recorded of cases) {
    assert.equal(await classFileDifference(recorded), null, recorded.name);
  }
});

/** Arrays of a weights file by path, without those of random generators. */
const arraysIn = (bytes) =>
  Object.fromEntries(
    Object.entries(readWithLibhdf5(bytes))
      .filter(([path, { kind }]) => kind === 'dataset' && !path.includes('seed_generator'))
      .map(([path, { values }]) => [path, values]),
  );

test('files that are loaded and saved again have each array where Keras stored it', async () => {
  const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
  for (const { name, file, weights } of cases) {
    const model = await mf.loadModel(bytesOf(file));
    const written = arraysIn(await model.saveWeights());
    assert.deepEqual(written, arraysIn(bytesOf(weights)), name);
    model.dispose();
  }
});

/** Returns the group at a path, which it creates with those around it. */
const groupAt = (file, path) =>
  path.split('/').reduce((group, key) => group.get(key) ?? group.create_group(key), file);

/** A weights file: for each group, the name of its layer and the first number of its kernel. */
const fileOf = (groups) =>
  writeWithLibhdf5((file) => {
    for (const [path, [name, start]] of Object.entries(groups)) {
      const vars = groupAt(file, `${path}/vars`);
      vars.create_attribute('name', name);
      for (const [i, shape] of [[2, 2], [2]].entries()) {
        const data = new Float32Array(shape.reduce((a, b) => a * b)).fill(start + i / 2);
        vars.create_dataset({ name: String(i), data, shape });
      }
    }
  });

const dense = (options = {}) => layers.dense({ units: 2, ...options });

/** Defines a model whose constructor runs `begin`, and returns a built one. */
function built(begin, Base = class extends Model {}) {
  class Tagger extends Base {
    constructor() {
      super();
      begin.call(this);
    }
    call(x) {
      return this.ownLayers().reduce((y, layer) => layer.apply(y), x);
    }
  }
  const model = new Tagger();
  model.predict(tensor([[1, 2]])).dispose();
  return model;
}

const firstOf = (layer) => layer.getWeights()[0].data()[0];

describe('layers of a subclassed model', () => {
  test('are read from the path of Keras before the path of their attribute', async () => {
    const model = built(function () {
      this.out = dense();
      this.first = dense();
    });
    const groups = { first: ['dense_1', 5], 'layers/dense': ['dense', 6] };
    await model.loadWeights(fileOf(groups));
    assert.deepEqual([firstOf(model.out), firstOf(model.first)], [6, 5]);
    const paths = Object.keys(readWithLibhdf5(await model.saveWeights()));
    assert.ok(
      paths.includes('layers/dense/vars/0') && paths.includes('first/vars/0'),
      paths.join(),
    );
  });

  class Declared extends Model {
    z = undefined;
    y = undefined;
  }
  const assigned = function () {
    this.y = dense();
    this.z = dense();
  };

  test('follow their names in the file if the class declares them in another order', async () => {
    const model = built(assigned, Declared);
    await model.loadWeights(
      fileOf({ 'layers/dense': ['dense_4', 1], 'layers/dense_1': ['dense_5', 2] }),
    );
    assert.deepEqual([firstOf(model.y), firstOf(model.z)], [1, 2]);
    const written = readWithLibhdf5(await model.saveWeights());
    assert.deepEqual([...written['layers/dense/vars/0'].values], [1, 1, 1, 1]);
    const passed = built(function () {
      const [a, b] = [dense(), dense()];
      this.z = b;
      this.y = a;
    });
    await passed.loadWeights(
      fileOf({ 'layers/dense': ['dense_9', 1], 'layers/dense_1': ['dense_8', 2] }),
    );
    assert.deepEqual([firstOf(passed.z), firstOf(passed.y)], [1, 2]);
  });

  test('are refused, by name, if their order is in doubt, and written where Keras finds them', async () => {
    const model = built(assigned, Declared);
    const [y, z] = [model.y.name, model.z.name];
    await assert.rejects(
      model.loadWeights(fileOf({ 'layers/dense': ['q', 1], 'layers/dense_1': ['r', 2] })),
      (error) =>
        error instanceof mf.FormatError &&
        [y, z, 'layers/dense', 'layers/dense_1'].every((name) =>
          error.message.includes(`'${name}'`),
        ),
    );
    const paths = Object.keys(readWithLibhdf5(await model.saveWeights()));
    assert.ok(paths.includes('y/vars/0') && paths.includes('z/vars/0'), paths.join());
    // The remedy of the message: no declared fields.
    const remedied = built(assigned);
    await remedied.loadWeights(fileOf({ 'layers/dense': ['q', 1], 'layers/dense_1': ['r', 2] }));
    assert.deepEqual([firstOf(remedied.y), firstOf(remedied.z)], [1, 2]);
  });

  test('are refused if the file has their chosen names at each other’s places', async () => {
    const model = built(function () {
      this.x = dense({ name: 'query' });
      this.z = dense({ name: 'key' });
    });
    await assert.rejects(
      model.loadWeights(fileOf({ 'layers/dense': ['key', 1], 'layers/dense_1': ['query', 2] })),
      /the model has 'query', the file has 'key'/,
    );
  });

  test('are refused if a renamed one of several with the same shapes is not certain', async () => {
    const model = built(function () {
      this.a = dense();
      this.b = dense();
    });
    await assert.rejects(
      model.loadWeights(fileOf({ c: ['dense', 1], d: ['dense_1', 2] })),
      /'c', 'd' in the file and 'a', 'b' in the model have the same shapes/,
    );
    await model.loadWeights(fileOf({ a: ['dense', 1], d: ['dense_1', 2] }));
    assert.deepEqual([firstOf(model.a), firstOf(model.b)], [1, 2]);
  });

  test('are read from files of earlier versions, which have all of them at their attributes', async () => {
    const model = built(function () {
      this.out = dense();
      this.blocks = [[dense()], dense()];
    });
    await model.loadWeights(
      fileOf({
        out: ['dense', 1],
        'blocks/dense': ['dense_1', 2],
        'blocks/dense_1': ['dense_2', 3],
      }),
    );
    assert.deepEqual([firstOf(model.out), firstOf(model.blocks[1])], [1, 3]);
  });

  /** Paths of the first arrays of layers in the file that a model writes. */
  const pathsIn = async (model) =>
    Object.keys(arraysIn(await model.saveWeights()))
      .filter((path) => path.endsWith('/vars/0'))
      .map((path) => path.slice(0, -'/vars/0'.length))
      .sort();

  test('keep the attributes of the last file, also renamed, in lists and inside others', async () => {
    class Inner extends Layer {
      dense1 = dense();
      enc = layers.dense({ units: 3 });
      steps = [dense()];
      call(x) {
        return this.steps[0].apply(this.enc.apply(this.dense1.apply(x)));
      }
    }
    registerLayer(Inner, { package: 'Tests' });
    const start = () =>
      built(function () {
        this.block1 = new Inner();
        this.layerZ = dense();
        this.again = layers.dense({ units: 5 });
      });
    const arrays = (groups) =>
      writeWithLibhdf5((file) => {
        for (const [path, shapes] of Object.entries(groups)) {
          const vars = groupAt(file, `${path}/vars`);
          for (const [i, shape] of shapes.entries()) {
            const data = new Float32Array(shape.reduce((a, b) => a * b)).fill(i);
            vars.create_dataset({ name: String(i), data, shape });
          }
        }
      });
    const square = [[2, 2], [2]];
    const groups = {
      'block_1/dense_1': square,
      'block_1/encoder': [[2, 3], [3]],
      'block_1/steps/dense': [[3, 2], [2]],
      'layers/dense': square,
      first: [[2, 5], [5]],
    };
    const model = start();
    const before = await pathsIn(model);
    assert.ok(before.includes('block1/dense1') && before.includes('layer_z'), before.join());
    await model.loadWeights(arrays(groups));
    assert.deepEqual(await pathsIn(model), Object.keys(groups).sort());
    await model.loadWeights(await model.saveWeights());
    assert.deepEqual(await pathsIn(model), Object.keys(groups).sort());
    // Another file gives other names, and a new property has its own.
    const others = Object.fromEntries(
      Object.entries(groups).map(([path, shapes]) => [path.replace('block_1', 'block1'), shapes]),
    );
    await model.loadWeights(arrays(others));
    model.added = dense();
    model.added.build([null, 2]);
    assert.deepEqual(await pathsIn(model), ['added', ...Object.keys(others)].sort());
  });

  test('have the attributes that the class tells, for reading and writing', async () => {
    class Named extends Model {
      static pythonNames = { dense1: 'dense_1', blocks: 'h' };
      dense1 = dense();
      blocks = [dense(), dense()];
      call(x) {
        return [...this.blocks, this.dense1].reduce((y, layer) => layer.apply(y), x);
      }
    }
    const model = new Named();
    model.predict(tensor([[1, 2]])).dispose();
    const names = ['dense_1', 'h/dense', 'h/dense_1'];
    assert.deepEqual(await pathsIn(model), names);
    await model.loadWeights(
      fileOf(Object.fromEntries(names.map((path, i) => [path, [`d${i}`, i + 1]]))),
    );
    assert.deepEqual([model.dense1, ...model.blocks].map(firstOf), [1, 2, 3]);
  });

  test('find renamed classes by the name under which they are registered', async () => {
    class a extends Layer {
      inner = dense();
      call(x) {
        return this.inner.apply(x);
      }
    }
    registerLayer(a, { package: 'Tests', name: 'EncoderBlock' });
    const model = built(function () {
      this.z = new a();
    });
    await model.loadWeights(fileOf({ 'layers/encoder_block/inner': ['dense', 7] }));
    assert.equal(firstOf(model.z), 7);
  });
});

test('a Sequential in a file keeps its order, whatever its layers are called', async () => {
  const model = new Sequential([Input({ shape: [2] }), dense(), dense()]);
  await model.loadWeights(fileOf({ 'layers/block_1': ['b', 2], 'layers/block': ['a', 1] }));
  assert.deepEqual(model.layers.map(firstOf), [1, 2]);
});
