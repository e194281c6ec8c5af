// SPDX-License-Identifier: MIT
// The programs of the chapter "losing", in JavaScript and Python, one for each case.
import { type Batch, padCall, padLinePython, padOptions, stepsOf } from '../../shared/batch.js';
import { Advice } from '../../shared/advice.js';
import { keras, program } from '../../shared/program.js';
import type { Scene } from '../../shared/scene.js';
import { literal, options, pyLiteral } from '../../shared/text.js';
import { vocabularySize } from '../../shared/vocabulary.js';

export const cases = ['attention', 'loss', 'decoder', 'packed', 'care'] as const;
export type Case = (typeof cases)[number];

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const caseOf = ({ settings }: Inputs): Case => settings.choice('case', ...cases);

const embedding = (size: number, more = ''): string =>
  `layers.embedding({ inputDim: ${vocabularySize}, outputDim: ${size}${more} })`;

export function programOf(scene: Inputs): string {
  const { batch } = scene;
  if (batch.words.length === 0) throw new Advice(batch.trouble);
  const bodies: { [name in Case]: () => string } = {
    attention: () => attention(batch, scene.settings.flag('causal')),
    loss: () => loss(batch),
    decoder: () => decoder(batch),
    packed: () => packed(batch),
    care: () => care(batch),
  };
  return program(bodies[caseOf(scene)]());
}

const attention = (batch: Batch, causal: boolean) => `const ids = ${padCall(batch)};
const mask = ops.notEqual(ids, 0);
const x = ops.multiply(${embedding(16)}.apply(ids), 60); // random words, far apart
const attend = layers.multiHeadAttention({ numHeads: 1, keyDim: 16 });
const scores = (options) =>
  attend.apply({ query: x, value: x }, { returnAttentionScores: true, useCausalMask: ${causal}, ...options })[1];
const masked = scores({ keyMask: mask });
const bare = scores({});
console.log(String(masked));`;

const loss = (batch: Batch) => `const ids = ${padCall(batch)};
const mask = ops.notEqual(ids, 0);
const x = ops.multiply(${embedding(16)}.apply(ids), 20);
const yPred = layers.dense({ units: 1, activation: 'sigmoid' }).apply(x);
const yTrue = ops.expandDims(ops.cast(ops.mod(ids, 2), 'float32'), -1); // a label for each step; padding gets 0
const each = losses.binaryCrossentropy(yTrue, yPred, { mask: null, reduction: 'none' });
const masked = losses.binaryCrossentropy(yTrue, yPred, { mask }).item();
const bare = losses.binaryCrossentropy(yTrue, yPred, { mask: null }).item();
console.log(masked, bare);`;

const decoder = ({ sequences }: Batch) => `const sequences = ${literal(sequences)};
const sides = ['post', 'pre'].map((padding) => {
  const ids = padSequences(sequences, { padding });
  const mask = ops.notEqual(ids, 0);
  // Padding has no position.
  const positions = ops.subtract(ops.cumsum(ops.cast(mask, 'int32'), { axis: 1 }), 1);
  return { padding, ids, mask, positions };
});
const words = ${embedding(8, ', maskZero: true')}, lstm = layers.lstm({ units: 4 });
const [post, pre] = sides.map(({ ids }) => lstm.apply(words.apply(ids)).data());
const apart = Math.max(...post.map((value, i) => Math.abs(value - pre[i]))); // masked, both sides say the same
console.log(String(sides[1].positions));`;

const packed = ({ sequences }: Batch) => `const sequences = ${literal(sequences)};
const ids = padSequences(sequences, { padding: 'post' });
const mask = ops.cast(ops.notEqual(ids, 0), 'int32');
const lengths = ops.sum(mask, { axis: 1 }).array(); // pack_padded_sequence(x, lengths, enforce_sorted=False)
const batchSizes = ops.sum(mask, { axis: 0 }).array(); // PackedSequence.batch_sizes
const order = sequences.map((_, row) => row).sort((a, b) => lengths[b] - lengths[a]); // sorted_indices
const words = ${embedding(8, ', maskZero: true')}, lstm = layers.lstm({ units: 4 });
const together = lstm.apply(words.apply(ids)).data();
const alone = sequences.flatMap((row) => [...lstm.apply(words.apply([row])).data()]);
const apart = Math.max(...alone.map((value, i) => Math.abs(value - together[i])));
console.log(order, batchSizes);`;

const care = (batch: Batch) => {
  if (batch.trouble) throw new Advice(batch.trouble);
  const steps = stepsOf(batch);
  const { maxlen: _, ...rest } = padOptions(batch);
  const how = options(rest).replace(/^\{ (.*) \}$/, '$1, ');
  return `const pad = (maxlen) => padSequences(${literal(batch.sequences)}, { ${how}maxlen });
const [ids, longer] = [pad(${steps}), pad(${steps + more})]; // ${more} more columns of padding
const words = ${embedding(8)}, [x, padded] = [ids, longer].map((each) => words.apply(each)); // no mask
const kept = (y, of) => y.shape.length < 3 ? [...y.data()] // the words only
  : of.array().flatMap((row, b) => row.flatMap((id, t) => (id === 0 ? [] : y.array()[b][t])));
const rnn = { units: 4, returnSequences: true }, conv = { filters: 4, kernelSize: 3 };
const tried = {
  Dense: layers.dense({ units: 4 }), LayerNormalization: layers.layerNormalization(),
  LSTM: layers.lstm(rnn), 'LSTM, its last output': layers.lstm({ units: 4 }),
  'causal Conv1D': layers.conv1D({ ...conv, padding: 'causal' }), Conv1D: layers.conv1D({ ...conv, padding: 'same' }),
  'Bidirectional(LSTM)': layers.bidirectional({ layer: layers.lstm(rnn) }), GlobalAveragePooling1D: layers.globalAveragePooling1D(),
};
const changes = Object.entries(tried).map(([name, layer]) => {
  const [short, long] = [kept(layer.apply(x), ids), kept(layer.apply(padded), longer)];
  const gaps = short.map((value, i) => Math.abs(value - long[i])), at = gaps.indexOf(Math.max(...gaps));
  return [name, gaps[at], short[at], long[at]];
});
console.log(changes.map(([name, change]) => name + ': ' + change).join('\\n'));`;
};

/** Number of columns of padding that are added. */
export const more = 3;

// ── the same in Keras

export function kerasOf(scene: Inputs): string {
  const { batch } = scene;
  const ids = `ids = ${padLinePython(batch)}\nmask = ids != 0\n`;
  const sequences = `sequences = ${pyLiteral(batch.sequences)}\n`;
  const words = (size: number, more = '') =>
    `keras.layers.Embedding(${vocabularySize}, ${size}${more})`;
  const bodies: { [name in Case]: () => string } = {
    attention: () => `${ids}x = ${words(16)}(ids) * 60
attend = keras.layers.MultiHeadAttention(1, 16)
options = {"return_attention_scores": True, "use_causal_mask": ${scene.settings.flag('causal') ? 'True' : 'False'}}
_, masked = attend(x, x, key_mask=mask, **options)
_, bare = attend(x, x, **options)
print(masked)`,
    loss: () => `${ids}x = ${words(16)}(ids) * 20
y_pred = keras.layers.Dense(1, activation="sigmoid")(x)
y_true = (ids % 2)[..., None].astype("float32")
loss = keras.losses.BinaryCrossentropy()
bare = loss(y_true, y_pred)
y_pred._keras_mask = mask  # a model with masks attaches it
print(loss(y_true, y_pred), bare)`,
    decoder: () => `${sequences}for padding in ("post", "pre"):
    ids = keras.utils.pad_sequences(sequences, padding=padding)
    mask = ids != 0
    print(mask.cumsum(axis=1) - 1)  # positions of the words`,
    packed: () => `import torch

${sequences}ids = torch.tensor(keras.utils.pad_sequences(sequences, padding="post"))
mask = ids != 0
packed = torch.nn.utils.rnn.pack_padded_sequence(
    ids, mask.sum(1), batch_first=True, enforce_sorted=False
)
print(packed.batch_sizes, mask.sum(0))  # the same, unless padding is in front`,
    care: () => `${ids}longer = ${padLinePython({ ...batch, options: { ...batch.options, maxlen: stepsOf(batch) + more } })}
words = ${words(8)}
for layer in (keras.layers.Dense(4), keras.layers.LSTM(4, return_sequences=True), keras.layers.Conv1D(4, 3, padding="same")):
    short, padded = layer(words(ids)), layer(words(longer))
    print(layer.name, abs(short[ids != 0] - padded[longer != 0]).max())`,
  };
  return keras(bodies[caseOf(scene)]());
}
