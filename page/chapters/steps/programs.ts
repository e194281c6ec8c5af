// SPDX-License-Identifier: MIT
// The programs of the chapter "steps", in JavaScript and Python.
import { padLinePython, places } from '../../shared/batch.js';
import type { Scene } from '../../shared/chapter.js';
import { cellsOf } from '../../shared/holes.js';
import { features, paintedInputs } from '../../shared/painted_inputs.js';
import { keras, program } from '../../shared/program.js';
import type { Settings } from '../../shared/settings.js';
import { options, pyLiteral } from '../../shared/text.js';
import { mergeOf, readsBackwards } from '../../shared/thread.js';
import { vocabularySize } from '../../shared/vocabulary.js';

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const units = 2;

export function choicesOf(settings: Settings) {
  const layer = settings.choice('layer', 'lstm', 'gru', 'simpleRNN');
  const merge = mergeOf(settings);
  return {
    layer,
    merge,
    initial: settings.choice('initial', '0', '1', '-0.5'),
    zero: settings.flag('zero'),
    /** Bidirectional reads both ways itself and rejects a layer with `goBackwards`. */
    backwards: readsBackwards(settings),
    stateful: settings.flag('stateful'),
    /** Number of states of the layer. */
    states: (layer === 'lstm' ? 2 : 1) * (merge === 'no' ? 1 : 2),
  };
}

export function programOf({ settings, batch }: Inputs): string {
  const { layer, merge, initial, zero, backwards, stateful, states } = choicesOf(settings);
  const args = options({
    units,
    returnSequences: true,
    zeroOutputForMask: zero || undefined,
    goBackwards: backwards || undefined,
    stateful: stateful || undefined,
  });
  const single = `layers.${layer}(${args})`;
  const mode = merge === 'none' ? 'null' : `'${merge}'`;
  const whole =
    merge === 'no' ? single : `layers.bidirectional({ mergeMode: ${mode}, layer: ${single} })`;
  const begin =
    initial === '0'
      ? ''
      : `const initialState = Array.from({ length: ${states} }, () => ops.full([${batch.sequences.length}, ${units}], ${initial}));\n`;
  const own = initial === '0' ? '' : 'initialState';
  const read = stateful
    ? `const twice = (how) => [1, 2].map(() => layer.apply(tensor(x), how)).at(-1); // continues from the kept state
const masked = twice({ ${['mask', own].filter(Boolean).join(', ')} });
layer.resetState();
const bare = twice(${own && `{ ${own} }`}); // the same weights, no mask`
    : `const masked = layer.apply(tensor(x), { ${['mask', own].filter(Boolean).join(', ')} });
const bare = layer.apply(tensor(x)${own && `, { ${own} }`}); // the same weights, no mask`;
  return program(
    `${paintedInputs(batch, settings)}const layer = ${whole};
${begin}${read}
console.log(String(masked));`,
  );
}

export function kerasOf({ settings, batch }: Inputs): string {
  const { layer, merge, initial, zero, backwards, stateful, states } = choicesOf(settings);
  const wordPlaces = places(batch);
  const holes = cellsOf(settings.text('holes'), wordPlaces);
  const nans = cellsOf(settings.text('nans'), wordPlaces);
  const name = { lstm: 'LSTM', gru: 'GRU', simpleRNN: 'SimpleRNN' }[layer];
  const flags = [
    zero && ', zero_output_for_mask=True',
    backwards && ', go_backwards=True',
    stateful && ', stateful=True',
  ];
  const single = `keras.layers.${name}(${units}, return_sequences=True${flags.filter(Boolean).join('')})`;
  const mode = merge === 'none' ? 'None' : `"${merge}"`;
  const whole =
    merge === 'no' ? single : `keras.layers.Bidirectional(\n    ${single}, merge_mode=${mode}\n)`;
  const begin =
    initial === '0'
      ? ''
      : `, initial_state=[np.full((${batch.sequences.length}, ${units}), ${initial}, "float32")] * ${states}`;
  const loop = (cells: number[][], line: string) =>
    cells.length > 0 ? `for row, step in ${pyLiteral(cells)}:\n    ${line}\n` : '';
  return keras(`import numpy as np

ids = ${padLinePython(batch)}
mask = ids != 0
${loop(holes, 'mask[row, step] = not mask[row, step]')}x = np.array(keras.layers.Embedding(${vocabularySize}, ${features})(ids)) * 20
${loop(nans, 'x[row, step] = np.nan')}layer = ${whole}
masked = layer(x, mask=mask${begin})
${stateful ? `masked = layer(x, mask=mask${begin})# continues from the kept state\nlayer.reset_state()\n` : ''}bare = layer(x${begin})
print(masked)`);
}
