// SPDX-License-Identifier: MIT
import { type Tensor, layers, ops, tensor } from 'maskflow';
import { wordAt } from '../shared/batch.js';
import type { Example } from '../shared/code.js';
import { h, rich } from '../shared/dom.js';
import { captionOf, grid, headOf, maskGrid, rowHead, scrollable } from '../shared/grid.js';
import type { Panel, Scene } from '../shared/panel.js';
import { keras, program, unseeded } from '../shared/program.js';
import { count, literal, pyLiteral } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';

/** How often Masking gets each id beside itself. */
const features = 10;

export const makers: Panel = {
  id: 'makers',
  draw(scene) {
    const { settings, own, says } = scene;
    const maskZero = settings.flag('maskZero');
    const mask = drawEmbedding(scene, maskZero);
    const tiledMask = drawTiled(scene);

    const maskValue = Number(settings.text('maskValue'));
    const rows = ['row0', 'row1'].map((name) => parse(settings.text(name)));
    const x = tensor(rows);
    const layer = own(layers.masking({ maskValue }));
    const { output: y, mask: stepMask } = layer.applyWithMask(x);
    const kept = stepMask?.array() as boolean[][];
    const output = y.array() as number[][][];
    scene.put('masking', ledger(rows, output, kept, maskValue));
    const away = kept.flat().filter((keep) => !keep).length;
    says(
      `${verdict(away, maskValue)} ${mask ? '' : 'Without `mask_zero` the Embedding makes no mask at all.'}`,
    );
    return example(scene, {
      maskZero,
      maskValue,
      rows,
      prints: [mask, tiledMask, y, stepMask].map(String).join('\n'),
    });
  },
};

function drawEmbedding({ batch, own, put }: Scene, maskZero: boolean): Tensor | null {
  const ids = tensor(batch.ids, { dtype: 'int32' });
  const layer = own(layers.embedding({ inputDim: vocabularySize, outputDim: 2, maskZero }));
  const x = layer.apply(ids);
  const mask = x.mask;
  const kept = mask?.array() as boolean[][] | undefined;
  const cells = batch.ids.map((row, b) =>
    row.map((id, t) => ({
      word: kept ? (kept[b]?.[t] ? 'T' : 'F') : wordAt(batch, b, t) || 'padding',
      text: String(id),
      masked: kept?.[b]?.[t] === false,
    })),
  );
  const figure = grid(cells, {
    caption: kept ? 'ids, with the mask above' : 'ids, without a mask',
    columns: (batch.ids[0] ?? []).map((_, t) => String(t)),
    rows: cells.map((_, b) => String(b)),
  });
  put('embedding', h('div', { class: kept ? undefined : 'unmasked' }, figure));
  put(
    'embedding-note',
    ...(rich(
      kept
        ? 'The mask is `ids != 0`; it travels on the output as `x.mask`. Id 0 is reserved for padding: words count from 1.'
        : '`x.mask` is null: what follows takes every 0 for a word like any other.',
    ) as (Node | string)[]),
  );
  return mask;
}

/** The guide's other maker on the same batch: the ids as floats, each repeated along a feature axis. */
function drawTiled({ batch, own, put }: Scene): Tensor | null {
  const ids = tensor(batch.ids, { dtype: 'float32' });
  const x = ops.tile(ops.expandDims(ids, -1), [1, 1, features]);
  const { mask } = own(layers.masking()).applyWithMask(x);
  const caption = `Masking on the same ids as features (${x.shape.join(', ')})`;
  put('tiled', maskGrid(mask?.array() as boolean[][], caption, { heads: true }));
  return mask;
}

function parse(text: string): number[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) =>
    line
      .trim()
      .replaceAll('−', '-')
      .split(/[\s,;]+/)
      .map(readNumber),
  );
}

function readNumber(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value) && text.toLowerCase() !== 'nan')
    throw new Error(`“${text}” is not a number.`);
  return value;
}

function verdict(away: number, maskValue: number): string {
  if (Number.isNaN(maskValue))
    return 'NaN equals nothing, not even NaN: with this mask value no step is ever masked.';
  if (away === 0) return `No step consists of ${maskValue} alone: nothing is masked.`;
  return `${count(away, 'step')} masked and zeroed. Steps only partly ${maskValue} pass unchanged.`;
}

/** One line per step: what came, how much of it equals the mask value, the verdict, what goes out. */
function ledger(
  rows: number[][][],
  output: number[][][],
  kept: boolean[][],
  maskValue: number,
): HTMLElement {
  const table = h(
    'table',
    { class: 'ledger' },
    captionOf({ caption: 'What Masking does', detail: 'to each step' }),
    headOf({ columns: ['features', `equal ${maskValue}`, 'mask', 'output'], corner: 'row, step' }),
  );
  rows.forEach((steps, b) => {
    const body = table.createTBody();
    steps.forEach((features, t) => {
      const keep = kept[b]?.[t] ?? true;
      const equal = features.filter((value) => value === maskValue).length;
      body.append(
        h(
          'tr',
          {},
          rowHead(`${b}, ${t}`),
          h('td', {}, features.join('  ')),
          h(
            'td',
            {},
            equal === features.length ? `all ${equal}` : `${equal} of ${features.length}`,
          ),
          h(
            'td',
            { class: 'verdict' },
            h('span', { class: keep ? 'key' : 'key masked' }, h('span', {}, keep ? 'T' : 'F')),
            h('span', { class: 'wide' }, keep ? ' kept' : ' masked'),
          ),
          h('td', {}, (output[b]?.[t] ?? []).join('  ')),
        ),
      );
    });
  });
  return scrollable(table, 'What Masking does');
}

function example(
  { batch }: Scene,
  shown: { maskZero: boolean; maskValue: number; rows: number[][][]; prints: string },
): Example {
  const { maskZero, maskValue, rows, prints } = shown;
  return {
    js: program(
      `const ids = tensor(${literal(batch.ids)}, { dtype: 'int32' });
const embedding = layers.embedding({ inputDim: ${vocabularySize}, outputDim: 2${maskZero ? ', maskZero: true' : ''} });
console.log(String(embedding.apply(ids).mask));

const column = ops.expandDims(ops.cast(ids, 'float32'), -1);
const tiled = ops.tile(column, [1, 1, ${features}]);
console.log(String(layers.masking().apply(tiled).mask));

const x = tensor(${literal(rows)});
const { output, mask } = layers.masking({ maskValue: ${maskValue} }).applyWithMask(x);
console.log(String(output)); // it carries the mask already
console.log(String(mask));`,
      unseeded,
    ),
    keras: keras(
      `import numpy as np

ids = np.array(${pyLiteral(batch.ids)})
embedding = keras.layers.Embedding(${vocabularySize}, 2${maskZero ? ', mask_zero=True' : ''})
print(${maskZero ? 'embedding(ids)._keras_mask' : 'embedding.compute_mask(ids)'})

tiled = np.tile(ids[:, :, None], [1, 1, ${features}]).astype("float32")
print(keras.layers.Masking()(tiled)._keras_mask)

x = np.array(${pyLiteral(rows)}, "float32")
masking = keras.layers.Masking(mask_value=${pyLiteral(maskValue)})
print(masking(x), masking.compute_mask(x))`,
      unseeded,
    ),
    prints,
  };
}
