// SPDX-License-Identifier: MIT
// A custom layer, loss and training loop: anything written in `ops` is differentiated, and the
// layer receives masks. The model finds the marked step of a sequence of any length, and predicts a
// number that the noisy answer exceeds only once in ten times.
import {
  Input,
  Layer,
  layers,
  ops,
  optimizers,
  padSequences,
  ready,
  schedules,
  Sequential,
  tensor,
  tidy,
  valueAndGradients,
} from 'maskflow/train';

await ready({ seed: 1 });

/** Attention with one learned query: the mean of the steps, weighted by their scores. */
class AttentionPooling extends Layer {
  supportsMasking = true;

  build(inputShape) {
    this.query = this.addWeight({ name: 'query', shape: [inputShape.at(-1), 1] });
  }
  call(inputs, { mask }) {
    const scores = ops.matmul(inputs, this.query);
    const maskedScores = mask ? ops.where(ops.expandDims(mask, -1), scores, -1e9) : scores;
    return ops.sum(ops.multiply(ops.softmax(maskedScores, { axis: 1 }), inputs), { axis: 1 });
  }
  // The output has no time axis to mask.
  computeMask() {
    return null;
  }
}

/**
 * A prediction that is too low costs nine times as much as one that is too high. The loss is least
 * if nine of ten answers are below the prediction.
 */
const quantileLoss = (expected, predicted, quantile = 0.9) => {
  const error = ops.subtract(expected, predicted);
  return ops.mean(ops.maximum(ops.multiply(error, quantile), ops.multiply(error, quantile - 1)));
};

let state = 5;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/**
 * Returns sequences of [value, mark] in which one step is marked; the answer is its value plus
 * noise from 0 up to 1.
 */
function batchOf(rows) {
  const sequences = Array.from({ length: rows }, () => {
    const length = 3 + Math.floor(8 * random());
    const marked = Math.floor(length * random());
    return Array.from({ length }, (_, t) => [1 + 4 * random(), t === marked ? 1 : 0.1]);
  });
  const values = sequences.map((steps) => steps.find(([, mark]) => mark === 1)[0]);
  const x = padSequences(sequences, { padding: 'post', dtype: 'float32' });
  return { x, values, y: tensor(values.map((value) => [value + random()])) };
}

const model = new Sequential([
  Input({ shape: [null, 2] }),
  layers.masking(),
  layers.dense({ units: 16, activation: 'relu' }),
  new AttentionPooling({ name: 'pooling' }),
  layers.dense({ units: 1 }),
]);
const steps = 1500;
const learningRate = schedules.cosineDecay({ initialLearningRate: 0.01, decaySteps: steps });
const optimizer = optimizers.adam({ learningRate });

let smooth = null;
for (let step = 1; step <= steps; step++) {
  const loss = tidy(() => {
    const { x, y } = batchOf(64);
    const variables = model.trainableVariables;
    const { value, gradients } = valueAndGradients(
      () => quantileLoss(y, model.apply(x, { training: true })),
      variables,
    );
    optimizer.apply(gradients, variables);
    return value.item();
  });
  smooth = smooth === null ? loss : 0.98 * smooth + 0.02 * loss;
  if (step % 300 === 0) console.log(`step ${step}: loss ${smooth.toFixed(4)}`);
}

const { x, y, values } = batchOf(1000);
const predictions = model.predict(x).data();
const below = y.data().filter((answer, i) => answer <= predictions[i]).length / predictions.length;
const above =
  predictions.reduce((sum, prediction, i) => sum + prediction - values[i], 0) / predictions.length;
console.log(`answers below what the model says: ${(100 * below).toFixed(1)} % (wanted: 90 %)`);
console.log(`above the marked value on average: ${above.toFixed(3)} (wanted: 0.900)`);
