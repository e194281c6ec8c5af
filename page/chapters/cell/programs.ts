// SPDX-License-Identifier: MIT
// The equations of each layer as ops, step by step.
import { padLinePython, places } from '../../shared/batch.js';
import type { Scene } from '../../shared/chapter.js';
import { cellsOf } from '../../shared/holes.js';
import { features, paintedInputs } from '../../shared/painted_inputs.js';
import { keras, program } from '../../shared/program.js';
import type { Settings } from '../../shared/settings.js';
import { options, pyLiteral } from '../../shared/text.js';
import { chosenIn } from '../../shared/thread.js';
import { vocabularySize } from '../../shared/vocabulary.js';

type Inputs = Pick<Scene, 'settings' | 'batch'>;

export const units = 2;

export type Kind = 'lstm' | 'gru' | 'gru before' | 'simpleRNN';

export function kindOf(settings: Settings): Kind {
  const layer = settings.choice('layer', 'lstm', 'gru', 'simpleRNN');
  return layer === 'gru' && !settings.flag('resetAfter') ? 'gru before' : layer;
}

const cells: { [kind in Kind]: string } = {
  lstm: `  const [xW, hU] = [ops.matmul([features], W), ops.matmul(h, U)];
  const [zi, zf, zg, zo] = xW.add(hU).add(b).split(4, { axis: -1 });
  const [i, f, g, o] = [zi.sigmoid(), zf.sigmoid(), zg.tanh(), zo.sigmoid()];
  const after = f.multiply(c).add(i.multiply(g));
  steps.push({ x: features, h0: h, c0: c, xW, hU, b, i, f, g, o, c: after, h: o.multiply(after.tanh()) });`,
  gru: `  const [xW, hU] = [ops.matmul([features], W).add(b.getItem(0)), ops.matmul(h, U).add(b.getItem(1))];
  const [[xz, xr, xg], [hz, hr, hg]] = [xW.split(3, { axis: -1 }), hU.split(3, { axis: -1 })];
  const [z, r] = [xz.add(hz).sigmoid(), xr.add(hr).sigmoid()];
  const g = xg.add(r.multiply(hg)).tanh(); // r after the product
  steps.push({ x: features, h0: h, xW, hU, z, r, g, h: z.multiply(h).add(ops.subtract(1, z).multiply(g)) });`,
  'gru before': `  const [xW, hU] = [ops.matmul([features], W).add(b), ops.matmul(h, U)];
  const [[xz, xr, xg], [hz, hr]] = [xW.split(3, { axis: -1 }), hU.split(3, { axis: -1 })];
  const [z, r] = [xz.add(hz).sigmoid(), xr.add(hr).sigmoid()];
  const rhU = ops.matmul(r.multiply(h), U.split(3, { axis: -1 })[2]); // r before the product
  const g = xg.add(rhU).tanh();
  steps.push({ x: features, h0: h, xW, hU, rhU, z, r, g, h: z.multiply(h).add(ops.subtract(1, z).multiply(g)) });`,
  simpleRNN: `  const [xW, hU] = [ops.matmul([features], W), ops.matmul(h, U)];
  steps.push({ x: features, h0: h, xW, hU, b, h: xW.add(hU).add(b).tanh() });`,
};

export function programOf(source: Inputs): string {
  const { settings, batch } = source;
  const kind = kindOf(settings);
  const body = paintedInputs(batch, settings);
  const { row } = chosenIn(settings, batch);
  const factory = kind === 'gru before' ? 'gru' : kind;
  const args = options({
    units,
    returnSequences: true,
    resetAfter: kind === 'gru before' ? false : undefined,
  });
  const state = kind === 'lstm' ? 'h, c' : 'h';
  const zeros = `ops.zeros([1, ${units}])`;
  const begin = kind === 'lstm' ? `{ h: ${zeros}, c: ${zeros} }` : `{ h: ${zeros} }`;
  return program(
    `${body}const layer = layers.${factory}(${args});
const y = layer.apply(tensor(x), { mask });
const [[W, U, b], row, steps] = [layer.getWeights(), ${row}, []];
for (const [t, features] of x[row].entries()) {
  const { ${state} } = steps.at(-1) ?? ${begin};
  if (!mask[row][t]) { steps.push({ ${state} }); continue; } // masked
${cells[kind]}
}`,
  );
}

export function kerasOf(source: Inputs): string {
  const { settings, batch } = source;
  const kind = kindOf(settings);
  const name = { lstm: 'LSTM', gru: 'GRU', 'gru before': 'GRU', simpleRNN: 'SimpleRNN' }[kind];
  const holes = cellsOf(settings.text('holes'), places(batch));
  const flips =
    holes.length > 0
      ? `for row, step in ${pyLiteral(holes)}:\n    mask[row, step] = not mask[row, step]\n`
      : '';
  const more = kind === 'gru before' ? ', reset_after=False' : '';
  return keras(`ids = ${padLinePython(batch)}
mask = ids != 0
${flips}x = keras.layers.Embedding(${vocabularySize}, ${features})(ids) * 20
layer = keras.layers.${name}(${units}, return_sequences=True${more})
print(layer(x, mask=mask)[${chosenIn(settings, batch).row}])
W, U, b = layer.get_weights()`);
}
