// SPDX-License-Identifier: MIT
import type { TypedArray } from '../../base/nested.js';

// Keras 3 has no name for the hard_sigmoid of Keras 1 and 2, clip(0.2 x + 0.5), but it is Keras 3's, clip(x / 6 + 0.5),
// of 1.2 x. Where x is linear in weights of the layer, these can carry the factor.
const kFactor = 1.2;
const kOld = 'hard_sigmoid_keras2';
const kNew = 'hard_sigmoid';

type Config = { [key: string]: unknown };

/** Which blocks of columns the gates are, and which of them each setting governs. */
interface Gates {
  count: number;
  activation: readonly number[] | null;
  recurrent_activation: readonly number[];
}

const plain: Gates = { count: 1, activation: [0], recurrent_activation: [] };
// The activation of an LSTM also goes over its state, which no weight scales.
const lstm: Gates = { count: 4, activation: null, recurrent_activation: [0, 1, 3] };
const gru: Gates = { count: 3, activation: [2], recurrent_activation: [0, 1] };

const gatesOf: { readonly [className: string]: Gates } = {
  Dense: plain,
  EinsumDense: plain,
  Conv1D: plain,
  SimpleRNN: plain,
  SimpleRNNCell: plain,
  LSTM: lstm,
  LSTMCell: lstm,
  ConvLSTM1D: lstm,
  GRU: gru,
  GRUCell: gru,
};

/** How the weights of a layer are written. */
export type Scaling = (data: TypedArray, shape: readonly number[]) => TypedArray;

function scaling(count: number, blocks: ReadonlySet<number>): Scaling {
  return (data, shape) => {
    const columns = shape.at(-1) ?? 1;
    const width = columns / count;
    return data.map((value, i) =>
      blocks.has(Math.floor((i % columns) / width)) ? value * kFactor : value,
    ) as TypedArray;
  };
}

/**
 * Gives the old hard_sigmoid in a layer's configuration Keras 3's name where its weights can carry the difference; null
 * where there is nothing to do. What cannot be expressed keeps its own name, which Keras 3 refuses.
 */
export function toNewHardSigmoid(className: string, config: Config): Scaling | null {
  const gates = Object.hasOwn(gatesOf, className) ? gatesOf[className] : undefined;
  if (!gates) return null;
  const blocks = new Set<number>();
  for (const key of ['activation', 'recurrent_activation'] as const) {
    const governed = gates[key];
    if (config[key] !== kOld || !governed) continue;
    config[key] = kNew;
    for (const block of governed) blocks.add(block);
  }
  return blocks.size > 0 ? scaling(gates.count, blocks) : null;
}
