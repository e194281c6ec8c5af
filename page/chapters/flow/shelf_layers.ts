// SPDX-License-Identifier: MIT
// Keras's own layers on the shelf.
import { options } from '../../shared/text.js';
import type { Flowing, Item, Remedy, Setting } from './item.js';

const same = (flowing: Flowing): Flowing => flowing;
const vector = ({ steps }: Flowing): Flowing => ({ kind: 'vector', steps });

const maskZero: Setting = {
  label: 'mask_zero',
  choices: [
    { value: 'on', mark: '', label: 'on' },
    { value: 'off', mark: '0', label: 'off' },
  ],
};

const returnSequences: Setting = {
  label: 'returns',
  choices: [
    { value: 'last', mark: '', label: 'the last step' },
    { value: 'all', mark: 's', label: 'all steps' },
  ],
};

const masksOutput: Setting = {
  label: 'zero_output_for_mask',
  choices: [
    { value: 'repeat', mark: '', label: 'off' },
    { value: 'zero', mark: 'z', label: 'on' },
  ],
};

/** Remedy for layers that use a mask and do not pass it on under the rules of Keras 3.16. */
const laterRule: Remedy = {
  label: 'Put the mask back',
  why: 'Under the rule of Keras 3.16 the next layer gets it this way only.',
  change: { kind: 'put back' },
};

const processesPadding = 'No mask arrives: it processes the padding as if it were data.';
const recurrent = (code: 'l' | 'g' | 'r', name: string, js: string): Item => ({
  code,
  withoutMask: processesPadding,
  hasWeights: true,
  group: 'Reads it',
  name,
  className: name,
  settings: { returnSequences, masksOutput },
  takes: 'steps',
  gives: ({ steps }, settings) => ({
    kind: settings['returnSequences'] === 'all' ? 'steps' : 'vector',
    steps,
  }),
  js: ({ x, wide, settings }) =>
    `layers.${js}(${options({
      units: wide.units,
      returnSequences: settings['returnSequences'] === 'all' || undefined,
      zeroOutputForMask: settings['masksOutput'] === 'zero' || undefined,
    })}).apply(${x})`,
  py: ({ x, wide, settings }) => {
    const more = [
      settings['returnSequences'] === 'all' && ', return_sequences=True',
      settings['masksOutput'] === 'zero' && ', zero_output_for_mask=True',
    ];
    return `keras.layers.${name}(${wide.units}${more.filter(Boolean).join('')})(${x})`;
  },
  remedies: [laterRule],
});

export const shelfLayers: readonly Item[] = [
  {
    code: 'e',
    attachesMask: true,
    maskIsOptional: true,
    hasWeights: true,
    group: 'Makes a mask',
    name: 'Embedding',
    className: 'Embedding',
    settings: { maskZero },
    takes: 'ids',
    gives: ({ steps }) => ({ kind: 'steps', steps }),
    js: ({ x, vocabulary, wide, settings }) =>
      `layers.embedding(${options({
        inputDim: vocabulary,
        outputDim: wide.embedding,
        maskZero: settings['maskZero'] === 'on' || undefined,
      })}).apply(${x})`,
    py: ({ x, vocabulary, wide, settings }) =>
      `keras.layers.Embedding(${vocabulary}, ${wide.embedding}${settings['maskZero'] === 'on' ? ', mask_zero=True' : ''})(${x})`,
    remedies: [
      {
        label: 'Switch mask_zero on',
        why: 'Then id 0 is padding, and nothing else.',
        change: { kind: 'set', key: 'maskZero', to: 'on' },
      },
    ],
  },
  {
    code: 'k',
    attachesMask: true,
    group: 'Makes a mask',
    name: 'Masking',
    className: 'Masking',
    takes: 'steps',
    gives: same,
    js: ({ x }) => `layers.masking().apply(${x})`,
    py: ({ x }) => `keras.layers.Masking()(${x})`,
  },
  {
    code: 'd',
    hasWeights: true,
    group: 'Passes it on',
    name: 'Dense',
    className: 'Dense',
    settings: {
      units: {
        label: 'units',
        choices: [
          { value: '3', mark: '', label: '3' },
          { value: '1', mark: '1', label: '1' },
        ],
      },
    },
    takes: 'numbers',
    gives: same,
    js: ({ x, settings }) => `layers.dense({ units: ${settings['units']} }).apply(${x})`,
    py: ({ x, settings }) => `keras.layers.Dense(${settings['units']})(${x})`,
  },
  {
    code: 'o',
    group: 'Passes it on',
    name: 'Dropout',
    className: 'Dropout',
    takes: 'numbers',
    gives: same,
    js: ({ x }) => `layers.dropout({ rate: 0.5 }).apply(${x})`,
    py: ({ x }) => `keras.layers.Dropout(0.5)(${x})`,
  },
  {
    code: 'j',
    group: 'Passes it on',
    name: 'Rescaling (+ 1)',
    className: 'Rescaling',
    takes: 'numbers',
    gives: same,
    js: ({ x }) => `layers.rescaling({ scale: 1, offset: 1 }).apply(${x})`,
    py: ({ x }) => `keras.layers.Rescaling(1.0, offset=1.0)(${x})`,
  },
  {
    code: 'h',
    hasWeights: true,
    group: 'Passes it on',
    name: 'TimeDistributed(Dense)',
    className: 'TimeDistributed',
    takes: 'steps',
    gives: same,
    js: ({ x }) => `layers.timeDistributed({ layer: layers.dense({ units: 3 }) }).apply(${x})`,
    py: ({ x }) => `keras.layers.TimeDistributed(keras.layers.Dense(3))(${x})`,
    remedies: [
      {
        label: 'Use Dense alone',
        why: 'Dense works on each step by itself, and hands the mask on.',
        change: { kind: 'replace', by: 'd' },
      },
      laterRule,
    ],
  },
  recurrent('l', 'LSTM', 'lstm'),
  recurrent('g', 'GRU', 'gru'),
  recurrent('r', 'SimpleRNN', 'simpleRNN'),
  {
    code: 'b',
    withoutMask: processesPadding,
    hasWeights: true,
    group: 'Reads it',
    name: 'Bidirectional(LSTM)',
    className: 'Bidirectional',
    settings: { returnSequences },
    takes: 'steps',
    gives: ({ steps }, settings) => ({
      kind: settings['returnSequences'] === 'all' ? 'steps' : 'vector',
      steps,
    }),
    js: ({ x, wide, settings }) =>
      `layers.bidirectional({ layer: layers.lstm(${options({ units: wide.units, returnSequences: settings['returnSequences'] === 'all' || undefined })}) }).apply(${x})`,
    py: ({ x, wide, settings }) =>
      `keras.layers.Bidirectional(keras.layers.LSTM(${wide.units}${settings['returnSequences'] === 'all' ? ', return_sequences=True' : ''}))(${x})`,
    remedies: [laterRule],
  },
  {
    code: 'v',
    withoutMask: 'No mask arrives: it averages the padding as well.',
    group: 'Reads it',
    name: 'GlobalAveragePooling1D',
    className: 'GlobalAveragePooling1D',
    takes: 'steps',
    gives: vector,
    js: ({ x }) => `layers.globalAveragePooling1D().apply(${x})`,
    py: ({ x }) => `keras.layers.GlobalAveragePooling1D()(${x})`,
  },
  {
    code: 'y',
    withoutMask: 'No mask arrives: it attends to the padding as well.',
    hasWeights: true,
    group: 'Reads it',
    name: 'MultiHeadAttention',
    className: 'MultiHeadAttention',
    takes: 'steps',
    gives: same,
    js: ({ x }) =>
      `layers.multiHeadAttention({ numHeads: 2, keyDim: 4 }).apply({ query: ${x}, value: ${x} })`,
    py: ({ x }) => `keras.layers.MultiHeadAttention(2, 4)(${x}, ${x})`,
  },
  {
    code: 'x',
    withoutMask: 'No mask arrives, and it would ignore one: it treats the padding as data.',
    group: 'Ignores it',
    name: 'GlobalMaxPooling1D',
    className: 'GlobalMaxPooling1D',
    takes: 'steps',
    gives: vector,
    js: ({ x }) => `layers.globalMaxPooling1D().apply(${x})`,
    py: ({ x }) => `keras.layers.GlobalMaxPooling1D()(${x})`,
    remedies: [
      {
        label: 'Use the average instead',
        why: 'GlobalAveragePooling1D leaves masked steps out; the maximum sees them all.',
        change: { kind: 'replace', by: 'v' },
      },
    ],
  },
  {
    code: 'i',
    hasWeights: true,
    group: 'Ignores it',
    name: 'Conv1D',
    className: 'Conv1D',
    takes: 'steps',
    gives: same,
    js: ({ x }) => `layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same' }).apply(${x})`,
    py: ({ x }) => `keras.layers.Conv1D(4, 3, padding="same")(${x})`,
    remedies: [
      {
        label: 'Put the mask back',
        why: 'The steps keep their places. (Steps beside padding have still seen it.)',
        change: { kind: 'put back' },
      },
    ],
  },
];
