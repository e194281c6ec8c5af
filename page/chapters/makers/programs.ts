// SPDX-License-Identifier: MIT
// The programs of the chapter "makers", in JavaScript and Python.
import { type Batch, padCall, padLinePython, places } from '../../shared/batch.js';
import type { Scene } from '../../shared/chapter.js';
import { cellsOf } from '../../shared/holes.js';
import { program } from '../../shared/program.js';
import type { Settings } from '../../shared/settings.js';
import { literal, pyLiteral } from '../../shared/text.js';
import { vocabularySize } from '../../shared/vocabulary.js';
import { type Features, featuresOf } from './features.js';

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const makerOf = (settings: Settings) =>
  settings.choice('maker', 'embedding', 'masking', 'hand');
export const maskValueOf = (settings: Settings) => settings.choice('maskValue', '0', '-1', '0.5');
export const typedIn = (settings: Settings): Features =>
  featuresOf([settings.text('row0'), settings.text('row1')], maskValueOf(settings));

export function programOf({ settings, batch }: Inputs): string {
  const maker = makerOf(settings);
  if (maker === 'masking') return masking(settings);
  return maker === 'hand' ? hand(settings, batch) : embedding(settings, batch);
}

const embedding = (settings: Settings, batch: Batch) =>
  program(
    `const ids = ${padCall(batch)};
const x = layers.embedding({ inputDim: ${vocabularySize}, outputDim: 8, maskZero: ${settings.flag('maskZero')} }).apply(ids);
const mask = x.mask; // it travels on the output
const features = ops.tile(ops.expandDims(ops.cast(ids, 'float32'), -1), [1, 1, 10]);
const tiled = layers.masking().apply(features).mask; // each id ten times, as features
console.log(String(mask));
console.log(String(tiled));`,
  );

function masking(settings: Settings): string {
  const value = maskValueOf(settings);
  const { rows, ragged } = typedIn(settings);
  const input = ragged
    ? `padSequences(rows, { padding: 'post', dtype: 'float32', value: ${value} })`
    : 'tensor(rows)';
  return program(
    `const rows = ${literal(rows)};
const x = ${input};
const layer = layers.masking({ maskValue: ${value} });
const { output, mask } = layer.applyWithMask(x);
const alone = layer.computeMask(x); // the mask without the output
console.log(String(output)); // a tensor also prints its mask`,
  );
}

function hand(settings: Settings, batch: Batch): string {
  const call = padCall(batch);
  const painted = cellsOf(settings.text('holes'), places(batch));
  return program(
    `const ids = ${call};
const x = layers.embedding({ inputDim: ${vocabularySize}, outputDim: 8 }).apply(ids); // makes no mask
const drawn = ops.notEqual(ids, 0).array();
for (const [row, step] of ${literal(painted)}) drawn[row][step] = !drawn[row][step];
const y = x.withMask(drawn);
const mask = y.mask;
console.log(x.mask, String(mask));`,
  );
}

export function kerasOf({ settings, batch }: Inputs): string {
  const maker = makerOf(settings);
  if (maker === 'masking') return kerasMasking(settings);
  const ids = `ids = ${padLinePython(batch)}`;
  if (maker === 'hand') {
    const painted = cellsOf(settings.text('holes'), places(batch));
    return `import keras

${ids}
x = keras.layers.Embedding(${vocabularySize}, 8)(ids)
mask = ids != 0
for row, step in ${pyLiteral(painted)}:
    mask[row, step] = not mask[row, step]
y = keras.layers.LSTM(4)(x, mask=mask)
`;
  }
  return `import keras
import numpy as np

${ids}
x = keras.layers.Embedding(${vocabularySize}, 8, mask_zero=${settings.flag('maskZero') ? 'True' : 'False'})(ids)
features = np.tile(ids[..., None].astype("float32"), (1, 1, 10))
tiled = keras.layers.Masking()(features)

print(getattr(x, "_keras_mask", None))
print(tiled._keras_mask)
`;
}

function kerasMasking(settings: Settings): string {
  const value = maskValueOf(settings);
  const { rows, ragged } = typedIn(settings);
  const input = ragged
    ? `keras.utils.pad_sequences(rows, padding="post", dtype="float32", value=${value})`
    : 'np.array(rows, dtype="float32")';
  return `import keras
import numpy as np

rows = ${pyLiteral(rows)}
x = ${input}
layer = keras.layers.Masking(mask_value=${value})
output = layer(x)

print(output)
print(layer.compute_mask(x))
`;
}
