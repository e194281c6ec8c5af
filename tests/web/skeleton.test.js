// SPDX-License-Identifier: MIT
// writeSkeleton() writes a module with which a file of unknown classes loads. The files were saved
// by real Keras (tests/fixtures/custom/record.py).
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/index.js';
import { hostileFile, runSkeleton } from '../fuzz/skeleton.js';
import { maskflow } from '../support/command.js';
import { fresh } from '../support/fresh.js';

const { ready, writeSkeleton } = mf;
before(() => ready({ onMaskDropped: 'silent' }));
const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
after(() => rmSync(folder, { recursive: true }));
const fixture = (name) => fileURLToPath(new URL(`../fixtures/custom/${name}`, import.meta.url));
const files = readdirSync(fixture('')).filter((name) => /\.(keras|h5)$/.test(name));
const entry = new URL('../../dist/index.js', import.meta.url).href;

/** Writes the skeleton of a file as a module that finds the package. */
async function written(name) {
  const text = await writeSkeleton(fixture(name));
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text.replace("'maskflow'", JSON.stringify(entry)));
  return { text, path };
}

describe('files of real Keras', () => {
  test('there are both formats', () => {
    for (const format of ['.keras', '.h5']) assert.ok(files.some((name) => name.endsWith(format)));
  });
  for (const name of files) {
    test(`${name} loads, and ends at the first call that is not written`, async () => {
      const { text, path } = await written(name);
      const { inputs } = JSON.parse(readFileSync(fixture(`${name.split('.')[0]}.io.json`), 'utf8'));
      const [{ error, message, weights }] = fresh(`await mf.ready({ onMaskDropped: 'silent' });
        await import(${JSON.stringify(path)});
        const model = await mf.loadModel(${JSON.stringify(fixture(name))});
        const weights = model.weights.length;
        try { model.predict(${JSON.stringify(inputs[0])}); }
        catch ({ name: error, message }) { say({ error, message, weights }); }`);
      assert.equal(error, 'StateError');
      const [, className] = /call\(\) of (\w+) is not written yet; it receives/.exec(message);
      assert.match(text, new RegExp(`class ${className} extends Layer`));
      assert.ok(weights > 0);
    });
  }
});

test('a class has the settings, the weights, the sublayers and the shapes of the file', async () => {
  const text = await writeSkeleton(fixture('transformer_block.keras'));
  for (const part of [
    'settings {"embed_dim":8,"num_heads":2,"ff_dim":16,"rate":0.1}',
    'receives [null, 7] int32',
    'must return [null, 7, 8] float32',
    'layers.multiHeadAttention({ numHeads: settings.num_heads, keyDim: settings.embed_dim })',
    'new Sequential([layers.dense({ units: settings.ff_dim }), layers.dense({ units: settings.embed_dim })])',
    'layers.embedding({ inputDim: settings.vocab_size, outputDim: settings.embed_dim })',
    'this.layernorm2 = layers.layerNormalization();',
    'registerLayer(TransformerBlock, { package: "Custom", name: "TransformerBlock" });',
  ]) {
    assert.ok(text.includes(part), part);
  }
  const named = await writeSkeleton(fixture('attention_layer.h5'));
  assert.ok(
    named.includes('this.att_weight = this.addWeight({ name: "att_weight", shape: [8, 1] })'),
  );
  assert.ok(named.includes('package: "my_package", name: "AttentionLayer"'));
});

test('sizes that differ between layers of a class follow from settings, inputs or names', async () => {
  const text = await writeSkeleton(fixture('custom_dense.keras'));
  assert.ok(text.includes('shape: [inputShape.at(-1), this.settings.units]'), text);
  assert.ok(text.includes('return [...inputShape.slice(0, -1), this.settings.units];'), text);
  const cell = await writeSkeleton(fixture('minimal_rnn_cell.keras'));
  assert.ok(cell.includes('this.stateSize = settings.units;'));
  assert.ok(cell.includes('call(inputs, { states })'));
});

test('the sublayers of a custom layer in an .h5 file are paired in the order of creation', () => {
  const [result] = fresh(`await mf.ready({ onMaskDropped: 'silent' });
    const { layers, Layer } = mf;
    class AttentionLayer extends Layer {
      build([, time, size]) {
        this.z = this.addWeight({ name: 'att_weight', shape: [size, 1] });
        this.a = this.addWeight({ name: 'att_bias', shape: [time, 1] });
      }
      call(x) { return mf.ops.sum(x, { axis: 1 }); }
    }
    class Embedded extends Layer {
      constructor({ name, trainable, vocab_size, sequence_length, embed_dim }) {
        super({ name, trainable });
        this.token = layers.embedding({ inputDim: vocab_size, outputDim: embed_dim });
        this.place = layers.embedding({ inputDim: sequence_length, outputDim: embed_dim });
      }
      build() { this.token.build([null, null]); this.place.build([null, null]); }
      call(x) { return this.token.apply(x); }
    }
    class Block extends Layer {
      constructor({ name, trainable, embed_dim, num_heads, ff_dim }) {
        super({ name, trainable });
        this.z = layers.multiHeadAttention({ numHeads: num_heads, keyDim: embed_dim });
        this.y = new mf.Sequential([layers.dense({ units: ff_dim }), layers.dense({ units: embed_dim })]);
        this.x = layers.layerNormalization();
        this.a = layers.layerNormalization();
      }
      build(shape) { this.z.build([shape, shape]); for (const part of [this.y, this.x, this.a]) part.build(shape); }
      computeOutputShape(shape) { return shape; }
      call(x) { return x; }
    }
    const customObjects = { AttentionLayer, PositionalEmbedding: Embedded, TransformerBlock: Block };
    const model = await mf.loadModel(${JSON.stringify(fixture('transformer_block.h5'))}, { customObjects });
    const same = await mf.loadModel(${JSON.stringify(fixture('transformer_block.keras'))}, {
      customObjects: { ...customObjects, PositionalEmbedding: class extends Layer {
        constructor({ name, trainable, vocab_size, sequence_length, embed_dim }) {
          super({ name, trainable });
          this.token_embeddings = layers.embedding({ inputDim: vocab_size, outputDim: embed_dim });
          this.position_embeddings = layers.embedding({ inputDim: sequence_length, outputDim: embed_dim });
        }
        build() { this.token_embeddings.build([null, null]); this.position_embeddings.build([null, null]); }
        call(x) { return this.token_embeddings.apply(x); }
      }, TransformerBlock: class extends Layer {
        constructor({ name, trainable, embed_dim, num_heads, ff_dim }) {
          super({ name, trainable });
          this.att = layers.multiHeadAttention({ numHeads: num_heads, keyDim: embed_dim });
          this.ffn = new mf.Sequential([layers.dense({ units: ff_dim }), layers.dense({ units: embed_dim })]);
          this.layernorm1 = layers.layerNormalization();
          this.layernorm2 = layers.layerNormalization();
        }
        build(shape) { this.att.build([shape, shape]); for (const part of [this.ffn, this.layernorm1, this.layernorm2]) part.build(shape); }
        computeOutputShape(shape) { return shape; }
        call(x) { return x; }
      } },
    });
    const numbers = (from) => from.getWeights().map((weight) => [...weight.data()]);
    say({ equal: JSON.stringify(numbers(model)) === JSON.stringify(numbers(same)), count: model.weights.length });`);
  assert.deepEqual(result, { equal: true, count: 36 });
});

describe('names of a file cannot leave their strings and comments', () => {
  for (let first = 0; first < 60; first += 20) {
    test(`files ${first} to ${first + 19}`, async () => {
      for (let seed = first; seed < first + 20; seed++) {
        const { bytes, loads } = hostileFile(seed);
        const outcome = await runSkeleton(bytes);
        if (loads) assert.equal(outcome, 'not written', `file ${seed}`);
      }
    });
  }
});

const architecture = (layers) =>
  new TextEncoder().encode(
    JSON.stringify({ class_name: 'Sequential', module: 'keras', config: { name: 's', layers } }),
  );

test('known, registered and text classes are left out', async () => {
  class Known extends mf.Layer {}
  mf.registerLayer(Known, { package: 'skeleton' });
  const entryOf = (name, registered, module = null) => ({
    module,
    class_name: name,
    config: { name: name.toLowerCase() },
    registered_name: registered,
  });
  const layers = [
    entryOf('Dense', null, 'keras.layers'),
    entryOf('Known', 'skeleton>Known'),
    entryOf('TextVectorization', null, 'keras.layers'),
  ];
  assert.match(await writeSkeleton(architecture(layers)), /^\/\/ All classes of .* are known\.\n$/);
  const text = await writeSkeleton(architecture([...layers, entryOf('Own', 'p>Own')]));
  assert.deepEqual(text.match(/^export class \w+/gm), ['export class Own']);
});

test('a class whose name cannot be registered is a FormatError', async () => {
  for (const name of ['', '\ud800']) {
    const layers = [
      { module: null, class_name: name, config: {}, registered_name: `Custom>${name}` },
    ];
    await assert.rejects(writeSkeleton(architecture(layers)), {
      name: 'FormatError',
      message: /rename/,
    });
  }
});

test('weights alone and wrong options are refused', async () => {
  const weights = fileURLToPath(
    new URL('../fixtures/models/mask_input.weights.h5', import.meta.url),
  );
  await assert.rejects(writeSkeleton(weights), { name: 'FormatError', message: /no architecture/ });
  await assert.rejects(writeSkeleton(weights, { bits: 4 }), {
    name: 'ConfigError',
    message: /bits/,
  });
});

test('the command prints the module', () => {
  const { code, out } = maskflow(['info', fixture('custom_dense.keras'), '--skeleton']);
  assert.equal(code, 0);
  assert.match(out, /^\/\/ The classes of custom_dense\.keras that are not Keras's\./);
  assert.match(out, /export class CustomDense extends Layer/);
  const both = maskflow(['info', fixture('custom_dense.keras'), '--skeleton', '--json']);
  assert.equal(both.code, 2);
});
