// SPDX-License-Identifier: MIT
// A layer, a loss and a loop of one's own: what is written in `ops` is differentiated, and masks are handed to the layer. The model looks
// for the marked step of a sequence of any length and says which number the noisy answer exceeds only once in ten times.
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

/** Attention with one query, which is learnt: the mean of the steps, each as heavy as it is interesting. */
class AttentionPooling extends Layer {
  supportsMasking = true;

  build(inputShape) {
    this.query = this.addWeight({ name: 'query', shape: [inputShape.at(-1), 1] });
  }
  call(inputs, { mask }) {
    const scores = ops.matmul(inputs, this.query);
    const kept = mask ? ops.where(ops.expandDims(mask, -1), scores, -1e9) : scores;
    return ops.sum(ops.multiply(ops.softmax(kept, { axis: 1 }), inputs), { axis: 1 });
  }
  // There is no time left to mask.
  computeMask() {
    return null;
  }
}

/** Too low costs nine times what too high costs: the least is where nine of ten answers are below. */
const quantileLoss = (wanted, given, quantile = 0.9) => {
  const error = ops.subtract(wanted, given);
  return ops.mean(ops.maximum(ops.multiply(error, quantile), ops.multiply(error, quantile - 1)));
};

let state = 5;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** Sequences of [value, mark], one of whose steps is marked; the answer is its value and noise from 0 up to 1. */
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
const given = model.predict(x).data();
const below = y.data().filter((answer, i) => answer <= given[i]).length / given.length;
const above = given.reduce((sum, one, i) => sum + one - values[i], 0) / given.length;
console.log(`answers below what the model says: ${(100 * below).toFixed(1)} % (wanted: 90 %)`);
console.log(`above the marked value on average: ${above.toFixed(3)} (wanted: 0.900)`);
