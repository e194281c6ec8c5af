// SPDX-License-Identifier: MIT
import { Layer, type Tensor, layers, ops, tensor } from 'maskflow';
import { type Batch, wordAt } from '../shared/batch.js';
import type { Example } from '../shared/code.js';
import { h } from '../shared/dom.js';
import { type BooleanMask, grid } from '../shared/grid.js';
import type { Panel } from '../shared/panel.js';
import { keras, program } from '../shared/program.js';
import { literal, pyLiteral } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';

class SplitWithoutMask extends Layer {
  constructor(private readonly parts: number) {
    super({ name: 'temporal_split' });
  }
  override call(inputs: Tensor): Tensor[] {
    return ops.split(inputs, this.parts, { axis: 1 });
  }
}
class TemporalSplit extends SplitWithoutMask {
  override computeMask(_inputs: Tensor, mask: Tensor | null): Tensor[] | null {
    return mask === null ? null : this.call(mask);
  }
}

export const split: Panel = {
  id: 'split',
  draw({ settings, batch, own, put, says }) {
    const parts = Number(settings.text('parts'));
    const [masked, computes] = [settings.flag('masked'), settings.flag('computes')];
    const ids = tensor(batch.ids, { dtype: 'int32' });
    const embedding = own(
      layers.embedding({ inputDim: vocabularySize, outputDim: 10, maskZero: masked }),
    );
    const x = embedding.apply(ids);
    put('whole', wordGrid(batch, 0, batch.ids[0]?.length ?? 0, maskOf(x), 'Before the split'));
    put('parts');

    const layer = own(computes ? new TemporalSplit(parts) : new SplitWithoutMask(parts));
    const pieces = layer.apply(x) as unknown as Tensor[];
    let from = 0;
    const figures = pieces.map((piece, index) => {
      const steps = piece.shape[1] ?? 0;
      const figure = wordGrid(batch, from, steps, maskOf(piece), `Part ${index}`);
      from += steps;
      return figure;
    });
    put('parts', ...figures);
    const masks = pieces.map((piece) => piece.mask);
    says(summary(masked, computes));
    return example(batch, { parts, masked, computes }, masks.map(String).join('\n'));

    function maskOf(t: Tensor): BooleanMask {
      return (t.mask?.array() as boolean[][] | undefined) ?? null;
    }
  },
};

function wordGrid(
  batch: Batch,
  from: number,
  steps: number,
  mask: BooleanMask,
  caption: string,
): HTMLElement {
  const cells = batch.ids.map((row, b) =>
    row.slice(from, from + steps).map((_, t) => ({
      word: wordAt(batch, b, from + t) || 'padding',
      text: mask ? (mask[b]?.[t] ? 'T' : 'F') : '·',
      masked: mask?.[b]?.[t] === false,
    })),
  );
  const detail = `(${batch.ids.length}, ${steps}, 10)${mask ? '' : ', no mask'}`;
  const figure = grid(cells, {
    caption,
    detail,
    columns: Array.from({ length: steps }, (_, t) => `step ${t}`),
    rows: cells.map((_, b) => `row ${b}`),
  });
  return h('div', { class: mask ? undefined : 'unmasked' }, figure);
}

function summary(masked: boolean, computes: boolean): string {
  if (!masked) return 'No mask in, no mask out: `computeMask` is given null and answers null.';
  return computes
    ? 'Each part carries its own piece of the mask.'
    : 'The mask is lost: a layer without `computeMask` does not support masking, and Keras warns. The parts come out unmasked.';
}

function example(
  batch: Batch,
  shown: { parts: number; masked: boolean; computes: boolean },
  prints: string,
): Example {
  const { parts, masked, computes } = shown;
  const js = computes
    ? `
  computeMask(inputs, mask) {
    return mask === null ? null : ops.split(mask, ${parts}, { axis: 1 });
  }`
    : '';
  const py = computes
    ? `

    def compute_mask(self, inputs, mask=None):
        return None if mask is None else keras.ops.split(mask, ${parts}, axis=1)`
    : '';
  return {
    js: program(`class TemporalSplit extends Layer {
  call(inputs) {
    return ops.split(inputs, ${parts}, { axis: 1 });
  }${js}
}

const ids = tensor(${literal(batch.ids)}, { dtype: 'int32' });
const x = layers.embedding({ inputDim: ${vocabularySize}, outputDim: 10${masked ? ', maskZero: true' : ''} }).apply(ids);
for (const part of new TemporalSplit().apply(x)) console.log(String(part.mask));`),
    keras: keras(`import numpy as np

class TemporalSplit(keras.layers.Layer):
    def call(self, inputs):
        return keras.ops.split(inputs, ${parts}, axis=1)${py}

ids = np.array(${pyLiteral(batch.ids)})
x = keras.layers.Embedding(${vocabularySize}, 10${masked ? ', mask_zero=True' : ''})(ids)
for part in TemporalSplit()(x):
    print(getattr(part, "_keras_mask", None))`),
    prints,
  };
}
