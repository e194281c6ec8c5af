// SPDX-License-Identifier: MIT
// Models that can run step by step, one for each kind of layer that declares so.

/**
 * Returns makers of causal models by name. The models have 3 features per step, or ids below 20
 * (`ids`).
 */
export function causalModels({ Input, Layer, layers, Model, ops, Sequential }) {
  const seq = true;
  const stack = (...list) => new Sequential([Input({ shape: [null, 3] }), ...list]);
  const graph = (build) => {
    const input = Input({ shape: [null, 3] });
    return new Model({ inputs: input, outputs: build(input) });
  };
  const last = () => layers.lstm({ units: 4 });
  const cells = () => [layers.gruCell({ units: 3 }), layers.lstmCell({ units: 4 })];

  class Decay extends Layer {
    stateSize = 3;
    call(x, { states }) {
      const nextState = ops.add(ops.multiply(states[0], 0.5), x);
      return [ops.tanh(nextState), [nextState]];
    }
  }

  return {
    SimpleRNN: () => stack(layers.simpleRNN({ units: 4 })),
    'SimpleRNN, sequences': () => stack(layers.simpleRNN({ units: 4, returnSequences: seq })),
    GRU: () => stack(layers.gru({ units: 4 })),
    'GRU, reset before, sequences': () =>
      stack(layers.gru({ units: 5, returnSequences: seq, resetAfter: false })),
    LSTM: () => stack(last()),
    'LSTM, sequences': () => stack(layers.lstm({ units: 5, returnSequences: seq })),
    'LSTM, other activations': () =>
      stack(layers.lstm({ units: 5, activation: 'relu', recurrentActivation: 'hard_sigmoid' })),
    'LSTM, zeros for masked steps': () =>
      stack(layers.lstm({ units: 4, returnSequences: seq, zeroOutputForMask: true })),
    'LSTM, zeros for a masked last step': () =>
      stack(layers.lstm({ units: 4, zeroOutputForMask: true })),
    'LSTM with states': () =>
      graph((x) => layers.lstm({ units: 4, returnSequences: seq, returnState: true }).apply(x)),
    'stateful LSTM': () => stack(layers.lstm({ units: 4, stateful: true })),
    'RNN of a cell': () => stack(layers.rnn({ cell: layers.lstmCell({ units: 4 }) })),
    'RNN of cells': () => stack(layers.rnn({ cell: cells(), returnSequences: seq })),
    'RNN of StackedRNNCells': () =>
      stack(layers.rnn({ cell: layers.stackedRNNCells({ cells: cells() }) })),
    'RNN of a custom cell': () =>
      stack(layers.rnn({ cell: new Decay(), returnSequences: seq }), last()),
    'stack of recurrent layers': () =>
      stack(
        layers.gru({ units: 4, returnSequences: seq }),
        layers.lstm({ units: 5, returnSequences: seq }),
        layers.simpleRNN({ units: 3 }),
        layers.dense({ units: 2, activation: 'softmax' }),
      ),
    'layers of each step': () =>
      stack(
        layers.masking({ maskValue: 0 }),
        layers.dense({ units: 6, activation: 'relu' }),
        layers.activation({ activation: 'tanh' }),
        layers.dropout({ rate: 0.5 }),
        layers.spatialDropout1D({ rate: 0.5 }),
        layers.gaussianNoise({ stddev: 1 }),
        layers.layerNormalization(),
        layers.rmsNormalization(),
        layers.batchNormalization(),
        layers.unitNormalization(),
        layers.leakyReLU(),
        layers.pReLU({ sharedAxes: [1] }),
        layers.softmax(),
        layers.rescaling({ scale: 2, offset: -0.25 }),
        layers.identity(),
        layers.gru({ units: 3, returnSequences: seq }),
        layers.timeDistributed({ layer: layers.dense({ units: 2 }) }),
      ),
    'TimeDistributed of a custom layer': () =>
      stack(
        layers.timeDistributed({
          layer: new (class Doubled extends Layer {
            call(x) {
              return ops.multiply(x, 2);
            }
          })(),
        }),
        last(),
      ),
    'causal Conv1D': () =>
      stack(
        layers.conv1D({ filters: 4, kernelSize: 3, padding: 'causal', activation: 'relu' }),
        layers.conv1D({ filters: 3, kernelSize: 2, padding: 'causal', dilationRate: 3 }),
        layers.conv1D({ filters: 3, kernelSize: 1 }),
      ),
    'causal Conv1D below LSTM': () =>
      stack(layers.conv1D({ filters: 4, kernelSize: 4, padding: 'causal' }), last()),
    GlobalAveragePooling1D: () =>
      stack(layers.gru({ units: 3, returnSequences: seq }), layers.globalAveragePooling1D()),
    GlobalMaxPooling1D: () => stack(layers.dense({ units: 4 }), layers.globalMaxPooling1D()),
    merges: () =>
      graph((x) => {
        const a = layers.lstm({ units: 3, returnSequences: seq }).apply(x);
        const b = layers.dense({ units: 3 }).apply(x);
        const sum = layers.add().apply([a, x]);
        const features = layers.concatenate().apply([sum, b, layers.multiply().apply([a, b])]);
        return last().apply(features);
      }),
    'masks that meet': () =>
      graph((x) => {
        const masked = layers.masking().apply(x);
        const a = layers.gru({ units: 3, returnSequences: seq }).apply(masked);
        const features = layers.concatenate().apply([a, masked]);
        return layers.lstm({ units: 4, returnSequences: seq }).apply(features);
      }),
    'plain operations': () =>
      graph((x) => {
        const y = ops.add(ops.multiply(x, [1, -2, 3]), 0.5);
        const mean = ops.mean(y, { axis: -1, keepdims: true });
        return last().apply(ops.where(ops.greater(y, mean), ops.exp(y), ops.subtract(y, mean)));
      }),
    'a layer used twice': () =>
      graph((x) => {
        const sharedLayer = layers.gru({ units: 3, returnSequences: seq });
        return sharedLayer.apply(sharedLayer.apply(x));
      }),
    'models in models': () => {
      const inner = new Sequential([layers.gru({ units: 3, returnSequences: seq })]);
      const middle = graph((x) => layers.add().apply([inner.apply(x), x]));
      return graph((x) => last().apply(inner.apply(middle.apply(layers.masking().apply(x)))));
    },
    'two outputs': () =>
      graph((x) => {
        const y = layers.lstm({ units: 4, returnSequences: seq }).apply(x);
        return [layers.dense({ units: 2 }).apply(y), layers.gru({ units: 3 }).apply(y)];
      }),
    'what follows the last step': () =>
      graph((x) => {
        const y = layers.repeatVector({ n: 3 }).apply(last().apply(x));
        return layers.bidirectional({ layer: layers.gru({ units: 2 }) }).apply(y);
      }),
    'a fixed number of steps': () =>
      new Sequential([Input({ shape: [9, 3] }), layers.lstm({ units: 4, returnSequences: seq })]),
  };
}

/** Returns makers of causal models whose inputs are ids. */
export function causalTextModels({ Input, layers, Sequential }) {
  const embedding = (maskZero = true) => layers.embedding({ inputDim: 20, outputDim: 4, maskZero });
  const stack = (...list) => new Sequential([Input({ shape: [null], dtype: 'int32' }), ...list]);
  return {
    'Embedding below LSTM': () => stack(embedding(), layers.lstm({ units: 4 })),
    'Embedding without mask': () =>
      stack(embedding(false), layers.gru({ units: 4, returnSequences: true })),
    'Embedding, dropout, GRU, Dense': () =>
      stack(
        embedding(),
        layers.dropout({ rate: 0.2 }),
        layers.gru({ units: 4, returnSequences: true }),
        layers.dense({ units: 20, activation: 'softmax' }),
      ),
    'Embedding, mean': () => stack(embedding(), layers.globalAveragePooling1D()),
    'no Input, seen once': () => {
      const model = new Sequential([embedding(), layers.lstm({ units: 3 })]);
      model.predict([[1, 2, 3]]).dispose();
      return model;
    },
  };
}
