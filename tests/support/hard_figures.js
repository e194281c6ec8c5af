// SPDX-License-Identifier: MIT
// Figures that are hard to draw well: many layers, many heads, long masks, names in other scripts.
import * as draw from '../../dist/draw.js';
import { Input, layers, Model, Sequential, tensor } from '../../dist/index.js';

const listOf = (count, item) => Array.from({ length: count }, (_, index) => item(index));
const ids = [
  [711, 632, 71, 0, 0],
  [73, 8, 3215, 55, 927],
];
const words = (name = 'words') =>
  layers.embedding({ inputDim: 5000, outputDim: 8, maskZero: true, name });
const idInput = (name = 'ids') => Input({ shape: [null], dtype: 'int32', name });
const dense = (units, name) => layers.dense({ units, name });
const lstm = (name) => layers.lstm({ units: 8, returnSequences: true, ...(name && { name }) });

/** Sixty calls in a line with a skip connection around each LSTM. */
function deepModel() {
  const input = idInput();
  let x = words().apply(input);
  for (let count = 0; count < 19; count += 1) {
    const sum = layers.add().apply([x, lstm().apply(x)]);
    x = layers.layerNormalization().apply(sum);
  }
  return new Model({ inputs: input, outputs: dense(1).apply(x), name: 'sixty_calls' });
}

/** Two texts and numbers, a shared layer, long edges, two outputs. */
function branchingModel() {
  const inputs = [
    idInput('question'),
    idInput('answer_text'),
    Input({ shape: [5], name: 'other' }),
  ];
  const [question, answer, other] = inputs;
  const shared = words('shared_words');
  const [one, two] = [question, answer].map((each) =>
    layers.lstm({ units: 8 }).apply(shared.apply(each)),
  );
  const joined = layers.concatenate({ name: 'join' }).apply([one, two, other]);
  const path = ['a', 'b', 'c', 'd'].reduce((x, name) => dense(8, name).apply(x), joined);
  const again = layers.concatenate({ name: 'again' }).apply([path, joined, other]);
  const outputs = [dense(1, 'score').apply(again), dense(3, 'kind').apply(path)];
  return new Model({ inputs, outputs, name: 'two_texts' });
}

function nestedModel() {
  const inner = new Sequential([lstm(), layers.dropout({ rate: 0.1 }), lstm()], {
    name: 'encoder',
  });
  const both = layers.bidirectional({ layer: lstm(), name: 'both_directions_of_a_long_name' });
  const each = layers.timeDistributed({ layer: dense(2) });
  const input = idInput();
  const outputs = each.apply(both.apply(inner.apply(words().apply(input))));
  return new Model({ inputs: input, outputs, name: 'nested' });
}

/** Names in other scripts, with markup, wide, and longer than any card. */
function namedModel() {
  const input = idInput('أدخل الكلمات هنا من فضلك');
  const names = ['變換層'.repeat(7), '😀👩‍👩‍👧 emoji 👍🏽 layer 🇩🇪', 'W'.repeat(40), 'שלום עולם'];
  const first = words('<script>alert(1)</script>&amp;').apply(input);
  const x = names.reduce((y, name) => lstm(name).apply(y), first);
  const long = 'a_long_name_that_a_tool_might_generate_from_a_path_in_a_file';
  const outputs = layers.conv1D({ filters: 4, kernelSize: 2, name: long }).apply(x);
  return new Model({ inputs: input, outputs, name: 'A "model" with <b>markup</b> in its name' });
}

function modelFigures() {
  const deep = deepModel();
  const branching = branchingModel();
  const batches = [ids, ids].map((rows) => tensor(rows, { dtype: 'int32' }));
  const nested = nestedModel();
  const named = namedModel();
  const long = listOf(40, (row) => listOf(120, (step) => Number(step < row * 3)));
  const chain = new Sequential([words(), layers.gru({ units: 8 }), dense(1)], { name: 'chain' });
  return {
    'one layer': draw.drawModel(new Sequential([Input({ shape: [4] }), dense(1)])),
    'sixty calls': draw.drawModel(deep, ids),
    branches: draw.drawModel(branching, [
      ...batches,
      tensor([listOf(5, Number), listOf(5, Number)]),
    ]),
    nested: draw.drawModel(nested, ids),
    names: draw.drawModel(named, ids),
    'long batch': draw.drawModel(chain, long),
    'long trace': draw.drawTrace(nested.traceMasks(long)),
    'trace of names': draw.drawTrace(named.traceMasks(ids)),
    padding: draw.drawPadding(chain, [[711, 632, 71]], { most: 20 }),
  };
}

function historyFigures() {
  const falling = listOf(30, (epoch) => 2 * Math.exp(-epoch / 8) + 0.1);
  const long = {
    loss: listOf(400, (epoch) => 1 + 1e-7 * epoch),
    val_loss: listOf(400, (epoch) => 1 + 1e-7 * epoch + 1e-9),
    mean_absolute_percentage_error_of_something: listOf(400, (epoch) => 1e9 * epoch),
    lr: listOf(400, (epoch) => 1e-3 * 0.99 ** epoch),
    f1: listOf(400, (epoch) => [epoch / 400, 0.5]),
  };
  return {
    history: draw.drawHistory({ loss: falling, val_loss: falling.map((each) => each * 1.01) }),
    'no history': draw.drawHistory({ loss: [] }),
    'one epoch': draw.drawHistory({ loss: [0.5] }),
    'history of NaN': draw.drawHistory({ loss: [3, 2, NaN, 1, Infinity, 0.7], val_loss: [NaN] }),
    'long history': draw.drawHistory(long),
    'flat history': draw.drawHistory({
      loss: listOf(10, () => 0.25),
      val_loss: listOf(10, () => 0.25),
    }),
  };
}

function attentionFigures() {
  const softmax = (queries, keys) =>
    listOf(queries, (query) => {
      const powers = listOf(keys, (key) => Math.exp(2 * Math.sin(query * 1.7 + key * 2.3)));
      const sum = powers.reduce((a, b) => a + b);
      return powers.map((power) => power / sum);
    });
  const tokens = [
    '<b>bold</b>',
    'a long token that does not fit',
    'שלום',
    '變換層變換層',
    '😀👍🏽',
  ];
  const mask = [listOf(8, (key) => key < 6)];
  return {
    attention: draw.drawAttention([softmax(6, 6), softmax(6, 6)], {
      queries: ['the', 'cat', 'sat'],
    }),
    'hundred heads': draw.drawAttention(
      listOf(100, () => softmax(8, 8)),
      { mask },
    ),
    'long attention': draw.drawAttention(softmax(128, 128)),
    'attention of tokens': draw.drawAttention(softmax(5, 5), { queries: tokens }),
    'one score': draw.drawAttention([[1]]),
  };
}

/** Returns the figures by name. The engine must be ready. */
export const hardFigures = () => ({
  ...modelFigures(),
  ...historyFigures(),
  ...attentionFigures(),
  'no batch': draw.drawMask([]),
  'long mask': draw.drawMask(
    listOf(2, (row) => listOf(10_000, (step) => step < 7000 - row * 6000)),
  ),
  'tall mask': draw.drawMask(listOf(300, (row) => listOf(40, (step) => step < row % 40))),
  numbers: draw.drawMask([[1.23456, 2, 3e10, -4e-12, NaN]]),
});
