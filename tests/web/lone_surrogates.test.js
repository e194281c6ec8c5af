// SPDX-License-Identifier: MIT
// A lone surrogate cannot be encoded in UTF-8: a name with one is refused from any source, and
// never becomes another name.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { editedFile } from '../support/archives.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { layers } = mf;
const dense = (settings) => layers.dense({ units: 1, ...settings });

const places = {
  'the name of a layer': (name) => dense({ name }),
  'a setting of a layer': (name) => dense({ kernelInitializer: { class_name: name, config: {} } }),
  'a key inside a setting': (name) =>
    dense({ kernelInitializer: { class_name: 'Zeros', config: { [name]: 1 } } }),
  'the name of an Input': (name) => mf.Input({ shape: [1], name }),
  'the name of a Sequential': (name) => new mf.Sequential([dense()], { name }),
  'the name of a Model': (name) => {
    const x = mf.Input({ shape: [1] });
    return new mf.Model({ inputs: x, outputs: dense().apply(x), name });
  },
  'the key of an input': (name) => {
    const x = mf.Input({ shape: [1] });
    return new mf.Model({ inputs: { [name]: x }, outputs: dense().apply(x) });
  },
  'the key of a result': (name) => {
    class Named extends mf.Layer {
      call(x) {
        return { [name]: x, other: x };
      }
    }
    return new Named().apply([[1]]);
  },
  'the name of a weight': (name) => {
    class Weighted extends mf.Layer {
      build() {
        this.addWeight({ name, shape: [1] });
      }
      call(x) {
        return x;
      }
    }
    return new Weighted().apply([[1]]);
  },
  'a name set by a custom class': (name) => {
    class Custom extends mf.Layer {
      constructor() {
        super({ name });
      }
    }
    return new Custom();
  },
  'a name in getConfig()': (name) => {
    class Telling extends mf.Layer {
      getConfig() {
        return { ...super.getConfig(), text: name };
      }
    }
    return mf.serializeLayer(new Telling());
  },
  'the name of a registered class': (name) =>
    mf.registerLayer(class Registered extends mf.Layer {}, { name }),
  'the name of an optimizer': (name) => mf.optimizers.adam({ name }),
  'the name of a metric': (name) => mf.metrics.meanSquaredError({ name }).update([1], [1]),
  'a serialized layer': (name) =>
    mf.deserializeLayer({ class_name: 'Dense', config: { units: 1, name } }),
};

describe('a lone surrogate is refused', () => {
  for (const [place, use] of Object.entries(places)) {
    for (const text of ['\ud800x', 'x\udc00', '\udc00\ud800']) {
      test(`as ${place}: ${JSON.stringify(text)}`, () =>
        assert.throws(
          () => use(text),
          (error) => error instanceof mf.MaskflowError && error.message.isWellFormed(),
        ));
    }
  }

  test('in a file', async () => {
    const bytes = editedFile('seq_embed_lstm', (config) => {
      config.config.layers[1].config.name = '\ud800x';
    });
    await assert.rejects(mf.loadModel(bytes), mf.MaskflowError);
  });

  test('but a pair of surrogates is kept', () => {
    assert.equal(dense({ name: 'x\u{1f600}' }).name, 'x\u{1f600}');
  });
});

test('config.json that is null is a FormatError', async () => {
  for (const value of [null, true, 1, 'a', [], {}]) {
    const bytes = editedFile('seq_embed_lstm', () => null, {
      files: { 'config.json': new TextEncoder().encode(JSON.stringify(value)) },
    });
    await assert.rejects(mf.loadModel(bytes), mf.FormatError);
  }
  for (const value of [{ model_config: null }, { config: null }, { modelTopology: null }]) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    await assert.rejects(mf.loadModel(bytes, { weights: null }), mf.FormatError);
  }
});
