// SPDX-License-Identifier: MIT
// Plain operations on the shelf, which people write between layers.
import { type Flowing, type Item, putBack } from './item.js';

const same = (flowing: Flowing): Flowing => flowing;

/** Program text that computes from the input whether each step is kept. */
const keptJs = (readsIds: boolean) =>
  readsIds ? 'ops.notEqual(inputs, 0)' : 'ops.any(ops.notEqual(inputs, 0), { axis: -1 })';
const keptPy = (readsIds: boolean) =>
  readsIds ? 'inputs != 0' : 'keras.ops.any(inputs != 0, axis=-1)';

export const shelfOperations: readonly Item[] = [
  {
    code: 'p',
    group: 'Plain operations',
    name: '+ 1',
    className: 'Add',
    takes: 'numbers',
    gives: same,
    js: ({ x }) => `ops.add(${x}, 1)`,
    py: ({ x }) => `${x} + 1.0`,
    remedies: [
      putBack,
      {
        label: 'Use a layer for it',
        why: 'Rescaling adds 1 as well and passes the mask on.',
        change: { kind: 'replace', by: 'j' },
      },
    ],
  },
  {
    code: 't',
    group: 'Plain operations',
    name: '× mask',
    className: 'Multiply',
    takes: 'steps',
    gives: same,
    js: ({ x, readsIds }) =>
      `ops.multiply(${x}, ops.expandDims(ops.cast(${keptJs(readsIds)}, 'float32'), -1))`,
    py: ({ x, readsIds }) =>
      `${x} * keras.ops.expand_dims(keras.ops.cast(${keptPy(readsIds)}, "float32"), -1)`,
    remedies: [
      {
        label: 'Leave it out',
        why: 'Zeros are still data for later layers. The mask alone is enough.',
        change: { kind: 'leave out' },
      },
      putBack,
    ],
  },
  {
    code: 'z',
    group: 'Plain operations',
    name: 'zeros_like',
    className: 'ZerosLike',
    takes: 'numbers',
    gives: same,
    js: ({ x }) => `ops.zerosLike(${x})`,
    py: ({ x }) => `keras.ops.zeros_like(${x})`,
    remedies: [putBack],
  },
  {
    code: 'w',
    group: 'Plain operations',
    name: 'withMask',
    className: '',
    takes: 'steps',
    gives: same,
    js: ({ x, masked }) => `${x}.withMask(${masked}.mask)`,
    py: ({ x, masked }) => `with_mask(${x}, ${masked})`,
    class: () => ({
      js: '',
      py: `def with_mask(x, masked):
    x._keras_mask = masked._keras_mask  # Keras has no call for it
    return x`,
    }),
  },
];
