// SPDX-License-Identifier: MIT
import { Layer, type Tensor, type Variable, ops, tensor } from 'maskflow';
import type { Example } from '../shared/code.js';
import { h } from '../shared/dom.js';
import { captionOf, grid, headOf, rowHead, scrollable } from '../shared/grid.js';
import type { Scene } from '../shared/panel.js';
import { keras, program } from '../shared/program.js';
import { decimal, literal, pyLiteral } from '../shared/text.js';

const [inputDim, outputDim] = [10, 4];

class CustomEmbedding extends Layer {
  private table?: Variable;
  constructor(private readonly maskZero: boolean) {
    super();
  }
  override build(): void {
    this.table = this.addWeight({
      name: 'embeddings',
      shape: [inputDim, outputDim],
      initializer: 'glorot_uniform',
    });
  }
  override call(ids: Tensor): Tensor {
    return ops.take(this.table as Variable, ids, { axis: 0 });
  }
  override computeMask(ids: Tensor): Tensor | null {
    return this.maskZero ? ops.notEqual(ids, 0) : null;
  }
}

export function customEmbedding({ settings, own, put, says }: Scene): Example {
  const rows = settings
    .text('ids')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) =>
      line
        .trim()
        .split(/[\s,;]+/)
        .map(Number),
    );
  const maskZero = settings.flag('maskZero');
  const ids = tensor(rows, { dtype: 'int32' });
  const x = own(new CustomEmbedding(maskZero)).apply(ids);
  const mask = (x.mask?.array() as boolean[][] | undefined) ?? null;
  const cells = rows.map((row, b) =>
    row.map((id, t) => ({
      word: mask ? (mask[b]?.[t] ? 'T' : 'F') : 'no mask',
      text: String(id),
      masked: mask?.[b]?.[t] === false,
    })),
  );
  const figure = grid(cells, {
    caption: mask ? 'ids, with the mask above' : 'ids, without a mask',
    detail: `(${rows.length}, ${rows[0]?.length ?? 0})`,
    columns: (rows[0] ?? []).map((_, t) => `step ${t}`),
    rows: rows.map((_, b) => `row ${b}`),
  });
  const looked = h(
    'div',
    { class: 'space' },
    vectors((x.array() as number[][][])[0] ?? [], rows[0] ?? [], mask?.[0]),
  );
  put('layer', h('div', { class: mask ? undefined : 'unmasked' }, figure), looked);
  says(
    mask
      ? 'Masked steps get a vector all the same: a mask marks them, it does not remove them.'
      : 'Without `maskZero`, `computeMask` answers null, and nobody will know about the padding.',
  );
  return example(rows, maskZero, [String(x.shape), String(x.mask)].join('\n'));
}

function vectors(steps: number[][], ids: number[], mask?: boolean[]): HTMLElement {
  const table = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: 'Row 0 of the output',
      detail: `(${steps.length}, ${outputDim}): each id looked up`,
    }),
    headOf({
      columns: ['id', ...Array.from({ length: outputDim }, (_, i) => `feature ${i}`)],
      corner: 'step',
    }),
  );
  const body = table.createTBody();
  steps.forEach((vector, t) => {
    const masked = mask?.[t] === false;
    const cells = vector.map((value) => h('td', {}, h('span', {}, decimal(value))));
    body.append(
      h(
        'tr',
        { class: masked ? 'masked' : undefined },
        rowHead(`${t}${masked ? ', masked' : ''}`),
        h('td', {}, h('span', {}, String(ids[t] ?? ''))),
        ...cells,
      ),
    );
  });
  return scrollable(table, 'Row 0 of the output');
}

function example(rows: number[][], maskZero: boolean, prints: string): Example {
  return {
    js: program(`class CustomEmbedding extends Layer {
  constructor({ inputDim, outputDim, maskZero = false, ...config }) {
    super(config);
    Object.assign(this, { inputDim, outputDim, maskZero });
  }
  build() {
    const shape = [this.inputDim, this.outputDim];
    this.table = this.addWeight({ name: 'embeddings', shape, initializer: 'glorot_uniform' });
  }
  call(ids) {
    return ops.take(this.table, ids, { axis: 0 });
  }
  computeMask(ids) {
    return this.maskZero ? ops.notEqual(ids, 0) : null;
  }
}

const ids = tensor(${literal(rows)}, { dtype: 'int32' });
const x = new CustomEmbedding({ inputDim: ${inputDim}, outputDim: ${outputDim}, maskZero: ${maskZero} }).apply(ids);
console.log(String(x.shape));
console.log(String(x.mask));`),
    keras: keras(`import numpy as np

class CustomEmbedding(keras.layers.Layer):
    def __init__(self, input_dim, output_dim, mask_zero=False, **kwargs):
        super().__init__(**kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self.mask_zero = mask_zero

    def build(self, input_shape):
        self.table = self.add_weight(
            shape=(self.input_dim, self.output_dim), initializer="glorot_uniform"
        )

    def call(self, ids):
        return keras.ops.take(self.table, ids, axis=0)

    def compute_mask(self, ids, mask=None):
        return keras.ops.not_equal(ids, 0) if self.mask_zero else None

ids = np.array(${pyLiteral(rows)})
x = CustomEmbedding(${inputDim}, ${outputDim}, mask_zero=${pyLiteral(maskZero)})(ids)
print(x.shape, getattr(x, "_keras_mask", None))`),
    prints,
  };
}
