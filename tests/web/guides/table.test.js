// SPDX-License-Identifier: MIT
// Each row of the tables of docs/from-keras.md and docs/from-tensorflow-js.md is tested: the form
// of Keras and ours are in a pair of programs of this folder, or another test has our form.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').replace(/\s+/g, ' ');
const readLines = (path) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').split('\n');

/** Returns the left cells of the table of names, without bars in code. */
const rowsOf = (path) =>
  readLines(path)
    .filter((line) => line.startsWith('| ') && !/^\| (Keras|TensorFlow\.js) \|/.test(line))
    .map((line) => line.slice(2).split(' | ')[0]);

/** Begin of a row, the module of the programs, and the forms of Keras and of the package in it. */
const keras = [
  ['`keras.Sequential(', 'data', 'keras.Sequential( [', 'new Sequential(['],
  [
    '`keras.Input(shape',
    'models',
    'shape=(None,), name="title", dtype="int32"',
    "Input({ shape: [null], name: 'title', dtype: 'int32' })",
  ],
  [
    '`layers.LSTM(64',
    'data',
    'layers.LSTM(6, return_sequences=True)',
    'layers.lstm({ units: 6, returnSequences: true })',
  ],
  [
    '`layer(x)`',
    'rows',
    'lstm(x, mask=mask, training=True)',
    'lstm.apply(x, { mask, training: true })',
  ],
  ['`mha(query', 'rows', 'attention_mask=m', '{ attentionMask: m }'],
  ['`lstm(x, initial_state', 'rows', 'initial_state=[h, c]', '{ initialState: [h, c] }'],
  ['`keras.Model(inputs', 'models', 'keras.Model(inputs,', 'new Model({ inputs, outputs'],
  ['`keras.ops.exp(', 'rows', 'keras.ops.exp(x)', 'x.getItem([{}, -1])'],
  ['`keras.ops.convert_to_tensor(', 'rows', 'np.asarray(x)', 'list: x.array()'],
  [
    '`keras.activations.gelu(',
    'rows',
    'keras.activations.threshold(x, 0.5, 0)',
    'ops.threshold(x, { threshold: 0.5 })',
  ],
  ['`x._keras_mask`', 'sequences', 'masked_output._keras_mask', 'maskedOutput.mask'],
  ['`layer.compute_mask(', 'rows', 'embedding.compute_mask(', 'embedding.computeMask('],
  ['`layer.add_weight(', 'own_layers', 'self.add_weight(', 'this.addWeight({'],
  [
    '`keras.Variable(',
    'own_layers',
    'keras.Variable(0, trainable=False',
    'new Variable(0, { trainable: false',
  ],
  ['`model.input_shape`', 'rows', 'model.output_shape', 'model.outputShape'],
  [
    '`layer.get_weights()`',
    'rows',
    'copy.set_weights(model.get_weights())',
    'copy.setWeights(model.getWeights())',
  ],
  [
    '`bidirectional.forward_layer`',
    'rows',
    'bidirectional.forward_layer',
    'bidirectional.forwardLayer',
  ],
  ['`dense.units`', 'rows', 'dropout.rate = 0.2', 'dropout.rate = 0.2'],
  ['`dense.kernel`', 'rows', 'lstm.cell.recurrent_kernel', 'lstm.recurrentKernel'],
  [
    '`layer.get_config()`',
    'own_layers',
    'Linear.from_config(layer.get_config())',
    'Linear.fromConfig(',
  ],
  [
    '`keras.utils.pad_sequences(',
    'sequences',
    'padding="post"',
    "padSequences(rawInputs, { padding: 'post' })",
  ],
  [
    '`keras.random.categorical(',
    'rows',
    'keras.random.categorical(logits, 4, seed=g)',
    'random.categorical(logits, 4, { seed: g })',
  ],
  [
    '`g = keras.random.SeedGenerator',
    'rows',
    'keras.random.SeedGenerator(1)',
    'new random.SeedGenerator(1)',
  ],
  ['`keras.ops.scan(', 'rows', 'keras.ops.scan(', 'ops.scan('],
  ['`keras.utils.set_random_seed(', 'rows', 'keras.utils.set_random_seed(1)', 'ready({ seed: 1 })'],
  [
    '`model.predict(x, batch_size',
    'rows',
    'model.predict(x, batch_size=32',
    'model.predict(x, { batchSize: 32 })',
  ],
  [
    '`model.compile(optimizer=',
    'sequences',
    'model.compile(optimizer="adam", loss="mse", metrics=["mae"])',
    "model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] })",
  ],
  [
    '`keras.optimizers.Adam(1e-3',
    'training',
    'momentum=0.9, clipnorm=0.5',
    'momentum: 0.9, clipnorm: 0.5',
  ],
  [
    '`keras.optimizers.schedules.CosineDecay',
    'rows',
    'CosineDecay(0.1, 100)',
    'initialLearningRate: 0.1, decaySteps: 100',
  ],
  [
    '`model.fit(x, y, batch_size',
    'rows',
    'batch_size=4, epochs=5, validation_split=0.5',
    'batchSize: 4, epochs: 5, validationSplit: 0.5',
  ],
  ['`history.history[', 'rows', '"history": history.history', 'history'],
  [
    '`model.evaluate(x, y, return_dict',
    'models',
    'model.evaluate(x, y, verbose=0, return_dict=True)',
    'model.evaluate(x, y)',
  ],
  ['`model.train_on_batch(', 'models', 'model.train_on_batch([a, b]', 'model.trainOnBatch([a, b]'],
  [
    '`keras.losses.MeanSquaredError()(',
    'rows',
    'keras.losses.MeanSquaredError()(y, p)',
    'losses.meanSquaredError(y, p)',
  ],
  [
    '`keras.losses.BinaryCrossentropy(',
    'own_layers',
    'keras.losses.BinaryCrossentropy(from_logits=True)',
    'losses.binaryCrossentropy({ fromLogits: true })',
  ],
  ['`m = keras.metrics.AUC()', 'rows', 'm.update_state(y, p)', 'm.updateState(y, p)'],
  [
    '`keras.callbacks.EarlyStopping(',
    'sequences',
    'keras.callbacks.EarlyStopping(',
    'callbacks.earlyStopping({',
  ],
  ['`def train_step(', 'own_layers', 'def train_step(self, data)', 'trainStep([x, y'],
  [
    '`def compute_loss(',
    'own_layers',
    'def compute_loss(self, x=None, y=None',
    'computeLoss(x, y, yPred)',
  ],
  [
    '`self.compute_loss(',
    'own_layers',
    'self.compute_loss(y=y, y_pred=y_pred)',
    'this.computeLoss(y, yPred)',
  ],
  [
    '`def compute_metrics(',
    'rows',
    'def compute_metrics(self, x, y, y_pred',
    'computeMetrics(x, y, yPred, sampleWeight)',
  ],
  [
    '`model.get_metrics_result()`',
    'rows',
    'model.get_metrics_result()',
    'model.getMetricsResult()',
  ],
  [
    '`model.evaluate(x, y, callbacks',
    'training',
    'model.predict(x, batch_size=4, verbose=0, callbacks=',
    'model.predict(x, { batchSize: 4, callbacks:',
  ],
  ['`jax.value_and_grad(', 'own_layers', 'gradients_of(self, loss)', '{ hasAux: true }'],
  [
    '`tf.GradientTape`',
    'own_layers',
    'gradients_of(self.discriminator, d_loss)',
    'valueAndGradients( () => this.lossFn(',
  ],
  [
    '`optimizer.apply(',
    'own_layers',
    'optimizer.apply(gradients, model.trainable_weights)',
    'optimizer.apply(gradients, model.trainableVariables)',
  ],
  ['`model.save(', 'training', 'keras.models.load_model(path)', 'loadModel(await model.save())'],
  [
    '`class MyLayer(keras.Layer)',
    'sequences',
    'def call(self, inputs, mask=None)',
    'call(inputs, { mask })',
  ],
  [
    '`keras.saving.register_keras_serializable()`',
    'training',
    'keras.saving.register_keras_serializable(package="MyLayers")',
    "registerLayer(CustomLayer, { package: 'MyLayers' })",
  ],
  [
    '`layers.Dense(3, activation=lambda',
    'data',
    'activation=my_softplus',
    'activation: mySoftplus',
  ],
  [
    '`keras.models.clone_model(',
    'rows',
    'custom_objects={"Mine": Mine}',
    'customObjects: { Mine }',
  ],
  [
    '`keras.layers.TextVectorization(',
    'data',
    'TextVectorization needs TensorFlow',
    'new TextVectorization({',
  ],
];

/** Begin of a row, the file of the test, and our form in it. */
const elsewhere = {
  'docs/from-keras.md': [
    [
      '`layers.Embedding(n, d, weights',
      'tests/web/positional_settings.test.js',
      'layers.embedding({ inputDim: 1, outputDim: 2, weights })',
    ],
    [
      '`initializers.Constant(',
      'tests/web/positional_settings.test.js',
      'initializers.constant(matrix)',
    ],
    [
      '`model.evaluate(generator, steps',
      'tests/web/later_batches.test.js',
      'model.evaluate(pairs(), { steps: 2',
    ],
    ['`model.summary()`', 'tests/web/models.test.js', '.summary('],
    [
      '`keras.Input((1,), dtype="string")`',
      'tests/web/text_graphs.test.js',
      "Input({ shape: [1], dtype: 'string' })",
    ],
  ],
  'docs/from-tensorflow-js.md': [
    ['`await tf.ready()', 'tests/web/ready.test.js', 'ready('],
    ['`tf.sequential(', 'tests/web/guides/data.test.js', 'new Sequential(['],
    ['`tf.input(', 'tests/web/guides/data.test.js', 'Input({ shape: [null]'],
    ['`tf.model(', 'tests/web/guides/data.test.js', 'new Model({ inputs, outputs'],
    ['`tf.layers.lstm(', 'tests/web/guides/data.test.js', 'returnSequences: true })'],
    ['`layer.apply(x)`', 'tests/web/guides/rows.test.js', 'training: true })'],
    ['`tf.layers.attention`', 'tests/web/attention.test.js', 'layers.attention('],
    ['`tf.tensor2d(', 'tests/web/forms.test.js', '[2, 2]'],
    ['`tf.tidy`', 'tests/web/forms.test.js', 'mf.tidy('],
    ['`x.dataSync()`', 'tests/web/names_and_state.test.js', 'dataSync: () => x.data()'],
    ['`x.arraySync() as', 'tests/package/types/right.ts', '.array<number[][]>()'],
    ['`x.add(y).relu()`', 'tests/web/chaining.test.js', '.relu('],
    ['`x.sum(1)`', 'tests/web/forms.test.js', 'ops.softmax(x, 0)'],
    ['`x.mul(y)`', 'tests/web/names_and_state.test.js', 'mul: () => x.multiply(y)'],
    ['`tf.oneHot(', 'tests/web/forms.test.js', 'ops.oneHot([0, 2], 3, 0)'],
    ['`x.print()`', 'tests/web/names_and_state.test.js', 'random.categorical(x, 1)'],
    ['`x.slice(', 'tests/web/newcomers.test.js', '.slice([1, 0], [-1, 2])'],
    ['`x.gather(', 'tests/web/names_and_state.test.js', 'x.take(i, { axis: 0 })'],
    ['`tf.variableGrads(', 'tests/web/value_and_gradients.test.js', 'valueAndGradients('],
    ['`tf.train.adam(', 'tests/web/guides/training.test.js', 'optimizers.adam(1e-5)'],
    ['`model.compile(', 'tests/web/guides/sequences.test.js', "loss: 'mse'"],
    ['`model.fit(x, y', 'tests/web/forms.test.js', 'callbacks: { onEpoch'],
    ['`model.fitDataset(', 'tests/web/forms.test.js', 'train on batches { xs, ys }'],
    ['`markRaw(model)`', 'tests/web/names_and_state.test.js', 'reactive'],
    ['`tf.memory()', 'tests/web/forms.test.js', 'mf.memory().tensors'],
    ["`tf.loadLayersModel('model.json')`", 'tests/web/formats/tfjs.test.js', 'loadModel('],
    ['`tf.loadLayersModel(tf.io', 'tests/web/formats/sources.test.js', 'files'],
    ['`tf.loadLayersModel(ioHandler)`', 'tests/web/forms.test.js', 'weightData'],
    ["`model.save('localstorage", 'tests/web/forms.test.js', 'localstorage://m'],
    ["`model.save('downloads", 'tests/web/forms.test.js', 'downloads://m'],
    ['`tf.serialization.registerClass(', 'tests/web/guides/training.test.js', 'registerLayer('],
  ],
};

const begins = (row, entries) => entries.filter(([begin]) => row.startsWith(begin));

for (const path of Object.keys(elsewhere)) {
  test(`${path}: each row has one test, and each test a row`, () => {
    const entries = [...(path.includes('keras') ? keras : []), ...elsewhere[path]];
    const rows = rowsOf(path);
    const untested = rows.filter((row) => begins(row, entries).length !== 1);
    assert.deepEqual(untested, []);
    const unused = entries.filter(([begin]) => !rows.some((row) => row.startsWith(begin)));
    assert.deepEqual(unused, []);
  });
}

test('the forms of Keras and of the package are in one pair of programs', () => {
  const missing = keras.filter(([, module, python, ours]) => {
    const theirs = read(`tests/fixtures/guide_programs/${module}.py`);
    const here = read(`tests/web/guides/${module}.test.js`);
    return !theirs.includes(python) || !here.includes(ours);
  });
  assert.deepEqual(missing, []);
});

test('the tests of other files have the forms of the package', () => {
  const all = Object.values(elsewhere).flat();
  const missing = all.filter(([, path, form]) => !read(path).includes(form));
  assert.deepEqual(missing, []);
});
