// SPDX-License-Identifier: MIT
import { Layer, type Tensor, layers, ops, tensor } from 'maskflow';
import { type Batch, wordAt } from '../shared/batch.js';
import type { Example } from '../shared/code.js';
import { h } from '../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../shared/grid.js';
import type { Scene } from '../shared/panel.js';
import { keras, program } from '../shared/program.js';
import { decimal, literal, pyLiteral } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';
import { spread, spreadJs, spreadPy } from './recipes.js';

class TemporalSoftmax extends Layer {
  constructor() {
    super();
    this.supportsMasking = true;
  }
  override call(scores: Tensor, { mask }: { mask: Tensor | null }): Tensor {
    let weights = ops.exp(ops.subtract(scores, ops.max(scores, { axis: 1, keepdims: true })));
    if (mask) weights = ops.multiply(weights, ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.divide(weights, ops.sum(weights, { axis: 1, keepdims: true }));
  }
}

export function temporalSoftmax({ settings, batch, own, put, says }: Scene): Example {
  const maskZero = settings.flag('masked');
  const ids = tensor(batch.ids, { dtype: 'int32' });
  const embedding = own(
    layers.embedding({
      inputDim: vocabularySize,
      outputDim: 32,
      maskZero,
      embeddingsInitializer: spread,
    }),
  );
  const dense = own(layers.dense({ units: 1 }));
  const scores = dense.apply(embedding.apply(ids));
  const shares = own(new TemporalSoftmax()).apply(scores);
  const values = (shares.array() as number[][][]).map((row) => row.map(([value = 0]) => value));
  const mask = (shares.mask?.array() as boolean[][] | undefined) ?? null;
  put('layer', bars(batch, values, mask));
  const leaked = values.flatMap((row, b) => row.filter((_, t) => !wordAt(batch, b, t)));
  const most = Math.max(0, ...leaked);
  says(
    mask
      ? 'Masked steps get exactly 0; the kept steps of each row share 1.'
      : `Nobody told the layer what is padding: a single padding cell takes up to ${decimal(most)} of its row.`,
  );
  return example(batch, maskZero, String(shares));
}

/** One column per step: a bar, its number, its word. The sum stands at the end of each row. */
function bars(batch: Batch, values: number[][], mask: boolean[][] | null): HTMLElement {
  const steps = values[0]?.length ?? 0;
  const table = h(
    'table',
    { class: 'bars' },
    captionOf({ caption: 'Share of each step', detail: `(${values.length}, ${steps}, 1)` }),
    headOf({
      columns: [...Array.from({ length: steps }, (_, t) => `step ${t}`), 'sum of the row'],
    }),
  );
  const body = table.createTBody();
  values.forEach((row, b) => {
    const cells = row.map((value, t) => {
      const bar = h('span', { class: 'bar', 'aria-hidden': 'true' });
      bar.style.setProperty('--share', String(value));
      const masked = mask?.[b]?.[t] === false;
      return h(
        'td',
        { class: masked ? 'masked' : undefined },
        bar,
        h('span', { class: 'id' }, value === 0 ? '0' : decimal(value, 3)),
        h('span', { class: 'word' }, wordAt(batch, b, t) || 'padding'),
      );
    });
    const sum = row.reduce((total, value) => total + value, 0);
    body.append(
      h('tr', {}, rowHead(`row ${b}`), ...cells, h('td', { class: 'sum' }, decimal(sum))),
    );
  });
  return scrollable(table, 'Share of each step');
}

function example(batch: Batch, maskZero: boolean, prints: string): Example {
  return {
    js: program(`class TemporalSoftmax extends Layer {
  constructor(config) {
    super(config);
    this.supportsMasking = true;
  }
  call(scores, { mask }) {
    let weights = ops.exp(ops.subtract(scores, ops.max(scores, { axis: 1, keepdims: true })));
    if (mask) weights = ops.multiply(weights, ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.divide(weights, ops.sum(weights, { axis: 1, keepdims: true }));
  }
}

const ids = tensor(${literal(batch.ids)}, { dtype: 'int32' });
const x = layers.embedding({
  inputDim: ${vocabularySize}, outputDim: 32, maskZero: ${maskZero},
  embeddingsInitializer: ${spreadJs},
}).apply(ids);
const scores = layers.dense({ units: 1 }).apply(x);
console.log(String(new TemporalSoftmax().apply(scores)));`),
    keras: keras(`import numpy as np
from keras import ops

class TemporalSoftmax(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, scores, mask=None):
        weights = ops.exp(scores - ops.max(scores, axis=1, keepdims=True))
        if mask is not None:
            weights = weights * ops.expand_dims(ops.cast(mask, "float32"), -1)
        return weights / ops.sum(weights, axis=1, keepdims=True)

ids = np.array(${pyLiteral(batch.ids)})
x = keras.layers.Embedding(
    ${vocabularySize}, 32, mask_zero=${pyLiteral(maskZero)},
    embeddings_initializer=${spreadPy},
)(ids)
print(TemporalSoftmax()(keras.layers.Dense(1)(x)))`),
    prints,
  };
}
