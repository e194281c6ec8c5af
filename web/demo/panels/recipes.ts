// SPDX-License-Identifier: MIT
// The models of panel 3: each a list of stages that run on tensors as well as on symbolic inputs.
import { Layer, type Tensor, layers, ops } from 'maskflow';
import type { Own } from '../shared/scope.js';
import { vocabularySize } from '../shared/vocabulary.js';

export interface Stage {
  js: string;
  py: string;
  run(x: Tensor, ids: Tensor): Tensor;
}

export interface Recipe {
  stages(own: Own): Stage[];
  /** Said where the mask is lost, when more is to be said than the package does. */
  remedy?: string;
  /** A class that the shown program needs. */
  js?: string;
  py?: string;
}

export class MyActivation extends Layer {
  constructor(supports: boolean) {
    super({ name: 'my_activation' });
    this.supportsMasking = supports;
  }
  override call(inputs: Tensor): Tensor {
    return ops.relu(inputs);
  }
}

// Weights of the size that training gives; Keras's default of 0.05 would make all numbers look like 0.
export const spread = { class_name: 'RandomNormal', config: { stddev: 1 } };
export const spreadJs = "{ class_name: 'RandomNormal', config: { stddev: 1 } }";
export const spreadPy = 'keras.initializers.RandomNormal(stddev=1)';

// The page gives its layers the names that a program of its own would: without them they would be counted
// up at every drawing.
function embedding(own: Own): Stage {
  const layer = own(
    layers.embedding({
      inputDim: vocabularySize,
      outputDim: 8,
      maskZero: true,
      embeddingsInitializer: spread,
      name: 'embedding',
    }),
  );
  return {
    js: `let x = layers.embedding({
  inputDim: ${vocabularySize}, outputDim: 8, maskZero: true,
  embeddingsInitializer: ${spreadJs},
}).apply(inputs);`,
    py: `x = keras.layers.Embedding(
    ${vocabularySize}, 8, mask_zero=True,
    embeddings_initializer=${spreadPy},
)(inputs)`,
    run: (x) => layer.apply(x),
  };
}

/** A layer and the same call in JavaScript and in Python. */
const stage = (layer: Layer, js: string, py: string): Stage => ({
  js: `x = ${js}.apply(x);`,
  py: `x = ${py}(x)`,
  run: (x) => layer.apply(x),
});

const lstm = (own: Own) =>
  stage(
    own(layers.lstm({ units: 4, name: 'lstm' })),
    'layers.lstm({ units: 4 })',
    'keras.layers.LSTM(4)',
  );

/** Embedding, what is in between, Dense. */
const finish = (own: Own, ...middle: Stage[]) => [
  embedding(own),
  ...middle,
  stage(
    own(layers.dense({ units: 1, name: 'dense' })),
    'layers.dense({ units: 1 })',
    'keras.layers.Dense(1)',
  ),
];

const plus: Stage = {
  js: 'x = ops.add(x, 1.0);',
  py: 'x = x + 1.0',
  run: (x) => ops.add(x, 1),
};
const plusAndBack: Stage = {
  js: 'x = ops.add(x, 1.0).withMask(x.mask);',
  py: '# A layer that does the same keeps the mask.\nx = keras.layers.Rescaling(1.0, offset=1.0)(x)',
  run: (x) => ops.add(x, 1).withMask(x.mask),
};
const zeroed: Stage = {
  js: "x = ops.multiply(x, ops.expandDims(ops.cast(ops.notEqual(inputs, 0), 'float32'), -1));",
  py: 'x = x * keras.ops.expand_dims(keras.ops.cast(inputs != 0, "float32"), -1)',
  run: (x, ids) => ops.multiply(x, ops.expandDims(ops.cast(ops.notEqual(ids, 0), 'float32'), -1)),
};

export const recipes: { [id: string]: Recipe } = {
  lstm: { stages: (own) => finish(own, lstm(own)) },
  plus: {
    stages: (own) => finish(own, plus, lstm(own)),
  },
  back: { stages: (own) => finish(own, plusAndBack, lstm(own)) },
  zeroed: {
    stages: (own) => finish(own, zeroed, lstm(own)),
    remedy:
      'zeros are still data: the LSTM steps through them. Leave the multiplication out; `mask_zero` has done the job already.',
  },
  times: {
    stages: (own) =>
      finish(
        own,
        stage(
          own(
            layers.timeDistributed({
              layer: own(layers.dense({ units: 3 })),
              name: 'time_distributed',
            }),
          ),
          'layers.timeDistributed({ layer: layers.dense({ units: 3 }) })',
          'keras.layers.TimeDistributed(keras.layers.Dense(3))',
        ),
        lstm(own),
      ),
    remedy: 'Dense works on every step by itself: leave TimeDistributed out.',
  },
  both: {
    stages: (own) =>
      finish(
        own,
        stage(
          own(
            layers.bidirectional({
              layer: own(layers.lstm({ units: 3, returnSequences: true })),
              name: 'bidirectional',
            }),
          ),
          'layers.bidirectional({ layer: layers.lstm({ units: 3, returnSequences: true }) })',
          'keras.layers.Bidirectional(keras.layers.LSTM(3, return_sequences=True))',
        ),
        stage(
          own(layers.globalAveragePooling1D({ name: 'global_average_pooling1d' })),
          'layers.globalAveragePooling1D()',
          'keras.layers.GlobalAveragePooling1D()',
        ),
      ),
    remedy: 'hand the mask to the average by its `mask` argument.',
  },
  convolve: {
    stages: (own) =>
      finish(
        own,
        stage(
          own(layers.conv1D({ filters: 4, kernelSize: [3], padding: 'same', name: 'conv1d' })),
          "layers.conv1D({ filters: 4, kernelSize: [3], padding: 'same' })",
          'keras.layers.Conv1D(4, 3, padding="same")',
        ),
        lstm(own),
      ),
    remedy:
      'hand the mask to the LSTM by its `mask` argument. (Each output of the convolution has still seen its padded neighbours.)',
  },
  custom: {
    stages: (own) =>
      finish(
        own,
        stage(own(new MyActivation(false)), 'new MyActivation()', 'MyActivation()'),
        lstm(own),
      ),
    js: `class MyActivation extends Layer {
  call(inputs) {
    return ops.relu(inputs);
  }
}
`,
    py: `class MyActivation(keras.layers.Layer):
    def call(self, inputs):
        return keras.ops.relu(inputs)
`,
  },
};
