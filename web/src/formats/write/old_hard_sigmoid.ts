// SPDX-License-Identifier: MIT
// Keras 3 lacks the hard_sigmoid of Keras 1 and 2, clip(0.2 x + 0.5). It equals Keras 3's,
// clip(x / 6 + 0.5), of 1.2 x. If x is linear in weights of the layer, these can be scaled by 1.2.
import type { TypedArray } from '../../base/nested.js';

const kFactor = 1.2;
const kOld = 'hard_sigmoid_keras2';
const kNew = 'hard_sigmoid';

type Config = { [key: string]: unknown };

/** Number of gates (blocks of columns), and the gates to which each setting applies. */
interface Gates {
  count: number;
  activation: readonly number[] | null;
  recurrent_activation: readonly number[];
}

const plain: Gates = { count: 1, activation: [0], recurrent_activation: [] };
// The activation of an LSTM also applies to its state, which no weight can scale.
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

/** Scales the weights of a layer. */
export type Scaling = (data: TypedArray, shape: readonly number[]) => TypedArray;

/** Returns a function that scales some of `count` blocks of columns. */
function scalingOf(count: number, blocks: ReadonlySet<number>): Scaling {
  return (data, shape) => {
    const columns = shape.at(-1) ?? 1;
    const width = columns / count;
    return data.map((value, i) =>
      blocks.has(Math.floor((i % columns) / width)) ? value * kFactor : value,
    ) as TypedArray;
  };
}

/**
 * Replaces the old hard_sigmoid in a layer's config by Keras 3's where scaled weights make up for
 * it. Returns the scaling, or null if nothing changes. Otherwise the old name stays, which Keras 3
 * refuses.
 */
export function toNewHardSigmoid(className: string, config: Config): Scaling | null {
  const gates = Object.hasOwn(gatesOf, className) ? gatesOf[className] : undefined;
  if (!gates) return null;
  const blocks = new Set<number>();
  for (const key of ['activation', 'recurrent_activation'] as const) {
    const affected = gates[key];
    if (config[key] !== kOld || !affected) continue;
    config[key] = kNew;
    for (const block of affected) blocks.add(block);
  }
  return blocks.size > 0 ? scalingOf(gates.count, blocks) : null;
}
