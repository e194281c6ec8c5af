// SPDX-License-Identifier: MIT
// Examples of Keras's guide that the shelf cannot express.
import { vocabularySize } from '../../shared/vocabulary.js';
import { type Recipe, sines } from './recipe.js';

const guideRows = [
  [711, 632, 71],
  [73, 8, 3215, 55, 927],
  [83, 91, 1, 645, 1253, 927],
];
const listOf = (rows: number[][]): string =>
  `[${rows.map((row) => `[${row.join(', ')}]`).join(', ')}]`;
const rowsJs = (rows: number[][]): string => `const rows = ${listOf(rows)};`;
const rowsPy = (rows: number[][]): string => `rows = ${listOf(rows)}`;
const longest = (rows: number[][]): number => Math.max(...rows.map((row) => row.length));

const padding = (rows = guideRows): Recipe => ({
  js: `${rowsJs(rows)}
const results = {
  'padded behind': padSequences(rows, { padding: 'post' }),
  'padded in front, the default': padSequences(rows),
  'maxlen 4, cut in front': padSequences(rows, { maxlen: 4 }),
  'maxlen 4, cut behind': padSequences(rows, { maxlen: 4, truncating: 'post' }),
  'padded with -1': padSequences(rows, { padding: 'post', value: -1 }),
};`,
  py: `pad = keras.utils.pad_sequences
${rowsPy(rows)}
results = {
    "padded behind": pad(rows, padding="post"),
    "padded in front, the default": pad(rows),
    "maxlen 4, cut in front": pad(rows, maxlen=4),
    "maxlen 4, cut behind": pad(rows, maxlen=4, truncating="post"),
    "padded with -1": pad(rows, padding="post", value=-1),
}`,
});

const sequential = (rows = guideRows): Recipe => ({
  js: `${rowsJs(rows)}
${sines.js}
const pad = (maxlen) => padSequences(rows, { padding: 'post', maxlen });
const [embedding, lstm] = [layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }), layers.lstm({ units: 32 })];
const sequential = new Sequential([embedding, lstm]);
const inputs = Input({ shape: [null], dtype: 'int32' });
const functional = new Model({ inputs, outputs: lstm.apply(embedding.apply(inputs)) });
functional.setWeights(sines(functional.getWeights()));
const models = { Sequential: [sequential, pad(${longest(rows)})], Functional: [functional, pad(${longest(rows)})] };
const results = {
  Sequential: sequential.predict(pad(${longest(rows)})), Functional: functional.predict(pad(${longest(rows)})),
  'Sequential, 14 columns more': sequential.predict(pad(${longest(rows) + 14})), 'Functional, 14 columns more': functional.predict(pad(${longest(rows) + 14})),
};`,
  py: `${rowsPy(rows)}
${sines.py}
def pad(maxlen):
    return keras.utils.pad_sequences(rows, padding="post", maxlen=maxlen)

embedding, lstm = keras.layers.Embedding(5000, 16, mask_zero=True), keras.layers.LSTM(32)
sequential = keras.Sequential([embedding, lstm])
inputs = keras.Input((None,), dtype="int32")
functional = keras.Model(inputs, lstm(embedding(inputs)))
functional.set_weights(sines(functional.get_weights()))
results = {
    "Sequential": sequential.predict(pad(${longest(rows)}), verbose=0),
    "Functional": functional.predict(pad(${longest(rows)}), verbose=0),
    "Sequential, 14 columns more": sequential.predict(pad(${longest(rows) + 14}), verbose=0),
    "Functional, 14 columns more": functional.predict(pad(${longest(rows) + 14}), verbose=0),
}`,
});

const manyJs = `const ids = tensor(Array.from({ length: 32 }, (_, b) => Array.from({ length: 10 }, (_, t) => (b * 37 + t * 10) % 100)), { dtype: 'int32' });`;
const manyPy = 'ids = np.array([[(b * 37 + t * 10) % 100 for t in range(10)] for b in range(32)])';

const byHand = (rows?: number[][]): Recipe => ({
  js: `class MyLayer extends Layer {
  embedding = layers.embedding({ inputDim: ${rows ? vocabularySize : 100}, outputDim: 16, maskZero: true });
  lstm = layers.lstm({ units: 32 });
  call(ids) {
    const mask = this.embedding.computeMask(ids);
    return this.lstm.apply(this.embedding.apply(ids), { mask });
  }
}
${sines.js}
${rows ? `const ids = padSequences(${listOf(rows)}, { padding: 'post' });` : manyJs}
const [layer, inputs] = [new MyLayer(), Input({ shape: [${rows ? longest(rows) : 10}], dtype: 'int32' })];
const model = new Model({ inputs, outputs: layer.apply(inputs) });
model.setWeights(sines(model.getWeights()));
const models = { 'MyLayer': [model, ids] };
const attached = layer.lstm.apply(layer.embedding.apply(ids));
const results = { 'mask by hand': layer.apply(ids), 'attached mask': attached };`,
  py: `class MyLayer(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = keras.layers.Embedding(${rows ? vocabularySize : 100}, 16, mask_zero=True)
        self.lstm = keras.layers.LSTM(32)

    def call(self, ids):
        mask = self.embedding.compute_mask(ids)
        return self.lstm(self.embedding(ids), mask=mask)

${sines.py}
${rows ? `ids = keras.utils.pad_sequences(${listOf(rows)}, padding="post")` : manyPy}
layer = MyLayer()
layer(ids)
layer.set_weights(sines(layer.get_weights()))
attached = layer.lstm(layer.embedding(ids))
results = {"mask by hand": layer(ids), "attached mask": attached}`,
});

const serialisation = (rows = guideRows.slice(0, 2)): Recipe => ({
  js: `class MyActivation extends Layer {
  constructor(config) { super(config); this.supportsMasking = true; }
  call(x) { return ops.relu(x); }
}
class TemporalSoftmax extends Layer {
  constructor(config) { super(config); this.supportsMasking = true; }
  call(x, { mask }) {
    const kept = ops.multiply(ops.exp(x), ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.divide(kept, ops.sum(kept, { axis: 1, keepdims: true }));
  }
}
for (const each of [MyActivation, TemporalSoftmax]) registerLayer(each, { package: 'Custom' });
${sines.js}
const ids = padSequences(${listOf(rows)}, { padding: 'post' });
const inputs = Input({ shape: [null], dtype: 'int32' });
const embedded = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }).apply(inputs);
const scores = layers.dense({ units: 1 }).apply(new MyActivation().apply(embedded));
const model = new Model({ inputs, outputs: new TemporalSoftmax().apply(scores) });
model.setWeights(sines(model.getWeights()));
const again = Model.fromConfig(JSON.parse(JSON.stringify(model.getConfig())));
again.setWeights(model.getWeights());
const models = { 'the model': [model, ids], 'made again': [again, ids] };
const results = { 'the model': model.predict(ids), 'made again': again.predict(ids) };`,
  py: `@keras.saving.register_keras_serializable(package="Custom")
class MyActivation(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, x):
        return keras.ops.relu(x)

@keras.saving.register_keras_serializable(package="Custom")
class TemporalSoftmax(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, x, mask=None):
        kept = keras.ops.exp(x) * keras.ops.expand_dims(keras.ops.cast(mask, "float32"), -1)
        return kept / keras.ops.sum(kept, axis=1, keepdims=True)

${sines.py}
ids = keras.utils.pad_sequences(${listOf(rows)}, padding="post")
inputs = keras.Input((None,), dtype="int32")
embedded = keras.layers.Embedding(5000, 16, mask_zero=True)(inputs)
scores = keras.layers.Dense(1)(MyActivation()(embedded))
model = keras.Model(inputs, TemporalSoftmax()(scores))
model.set_weights(sines(model.get_weights()))
again = keras.Model.from_config(model.get_config())
again.set_weights(model.get_weights())
results = {"the model": model.predict(ids, verbose=0), "made again": again.predict(ids, verbose=0)}`,
});

/** Recipes that read ids: their own, or the rows of the visitor's sentences. */
export const sentenceRecipes = { G1: padding, G3: sequential, G4: byHand, G9: serialisation };
