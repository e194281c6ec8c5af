// SPDX-License-Identifier: MIT
// Custom layers, as in Keras's guide.
import type { Chosen, Item } from './item.js';

const supports = {
  js: '  constructor(config) { super(config); this.supportsMasking = true; }\n',
  py: `    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

`,
};

/** Returns one of two class names, since a model may contain both variants. */
const nameOf = (settings: Chosen): string =>
  settings['supports'] === 'yes' ? 'MyActivation' : 'SilentActivation';

const activation = (name: string, supporting: boolean) => ({
  js: `class ${name} extends Layer {
${supporting ? supports.js : ''}  call(x) { return ops.relu(x); }
}`,
  py: `class ${name}(keras.layers.Layer):
${supporting ? supports.py : ''}    def call(self, x):
        return keras.ops.relu(x)`,
});

const split = {
  js: `class TemporalSplit extends Layer {
  call(x) { return ops.split(x, 2, { axis: 1 }); }
  computeMask(x, mask) { return mask && ops.split(mask, 2, { axis: 1 }); }
}`,
  py: `class TemporalSplit(keras.layers.Layer):
    def call(self, x):
        return keras.ops.split(x, 2, axis=1)

    def compute_mask(self, x, mask=None):
        return None if mask is None else keras.ops.split(mask, 2, axis=1)`,
};

const softmax = {
  js: `class TemporalSoftmax extends Layer {
${supports.js}  call(x, { mask }) {
    const powers = ops.exp(ops.subtract(x, ops.max(x, { axis: 1, keepdims: true })));
    const kept = mask ? ops.multiply(powers, ops.expandDims(ops.cast(mask, 'float32'), -1)) : powers;
    return ops.divide(kept, ops.sum(kept, { axis: 1, keepdims: true }));
  }
}`,
  py: `class TemporalSoftmax(keras.layers.Layer):
${supports.py}    def call(self, x, mask=None):
        kept = keras.ops.exp(x - keras.ops.max(x, axis=1, keepdims=True))
        if mask is not None:
            kept = kept * keras.ops.expand_dims(keras.ops.cast(mask, "float32"), -1)
        return kept / keras.ops.sum(kept, axis=1, keepdims=True)`,
};

const embedding = (maskZero: boolean, rows: number) => ({
  js: `class CustomEmbedding extends Layer {
  build() { this.table = this.addWeight({ name: 'table', shape: [${rows}, 32] }); }
  call(ids) { return ops.take(this.table, ids, { axis: 0 }); }
${maskZero ? '  computeMask(ids) { return ops.notEqual(ids, 0); }\n' : ''}}`,
  py: `class CustomEmbedding(keras.layers.Layer):
    def build(self, input_shape):
        self.table = self.add_weight(name="table", shape=(${rows}, 32))

    def call(self, ids):
        return keras.ops.take(self.table, ids, axis=0)${
          maskZero
            ? `

    def compute_mask(self, ids, mask=None):
        return ids != 0`
            : ''
        }`,
});

export const shelfOwn: readonly Item[] = [
  {
    code: 'c',
    attachesMask: true,
    maskIsOptional: true,
    hasWeights: true,
    group: 'Your own',
    name: 'CustomEmbedding',
    className: 'CustomEmbedding',
    settings: {
      maskZero: {
        label: 'compute_mask',
        choices: [
          { value: 'on', mark: '', label: 'ids ≠ 0' },
          { value: 'off', mark: '0', label: 'not written' },
        ],
      },
    },
    takes: 'ids',
    gives: ({ steps }) => ({ kind: 'steps', steps }),
    js: ({ x }) => `new CustomEmbedding().apply(${x})`,
    py: ({ x }) => `CustomEmbedding()(${x})`,
    class: ({ maskZero }, vocabulary) => embedding(maskZero === 'on', vocabulary),
    remedies: [
      {
        label: 'Write compute_mask',
        why: 'It says which ids are real: those that are not 0.',
        change: { kind: 'set', key: 'maskZero', to: 'on' },
      },
    ],
  },
  {
    code: 'a',
    group: 'Your own',
    name: 'MyActivation',
    className: 'MyActivation',
    classNameFor: nameOf,
    settings: {
      supports: {
        label: 'supports_masking',
        choices: [
          { value: 'no', mark: '', label: 'not set' },
          { value: 'yes', mark: 's', label: 'True' },
        ],
      },
    },
    takes: 'numbers',
    gives: (flowing) => flowing,
    js: ({ x, settings }) => `new ${nameOf(settings)}().apply(${x})`,
    py: ({ x, settings }) => `${nameOf(settings)}()(${x})`,
    class: (settings) => activation(nameOf(settings), settings['supports'] === 'yes'),
    remedies: [
      {
        label: 'Set supports_masking',
        why: 'It treats each step alike, so the mask still fits.',
        change: { kind: 'set', key: 'supports', to: 'yes' },
      },
    ],
  },
  {
    code: 's',
    attachesMask: true,
    group: 'Your own',
    name: 'TemporalSplit',
    className: 'TemporalSplit',
    settings: {
      part: {
        label: 'goes on with',
        choices: [
          { value: 'first', mark: '', label: 'the first half' },
          { value: 'second', mark: '2', label: 'the second half' },
        ],
      },
    },
    takes: 'steps',
    gives: (flowing) => ({ ...flowing, steps: flowing.steps / 2 }),
    several: true,
    js: ({ x }) => `new TemporalSplit().apply(${x})`,
    py: ({ x }) => `TemporalSplit()(${x})`,
    class: () => split,
    objects: ({ steps }) =>
      steps % 2 === 0
        ? ''
        : `${steps} ${steps === 1 ? 'step does' : 'steps do'} not divide into two equal halves. Pad to an even number.`,
  },
  {
    code: 'q',
    withoutMask: 'No mask arrives: the padding gets a share.',
    group: 'Your own',
    name: 'TemporalSoftmax',
    className: 'TemporalSoftmax',
    takes: 'steps',
    gives: (flowing) => flowing,
    js: ({ x }) => `new TemporalSoftmax().apply(${x})`,
    py: ({ x }) => `TemporalSoftmax()(${x})`,
    class: () => softmax,
  },
];
