// SPDX-License-Identifier: MIT
// Types of training: correct lines compile, marked lines must not.
import {
  Callback,
  callbacks,
  type FitOptions,
  type History,
  Input,
  layers,
  type Logs,
  losses,
  metrics,
  Model,
  ops,
  Sequential,
  type Tensor,
  type TensorLike,
  tensor,
  valueAndGradients,
  Variable,
  type WeightInfo,
} from 'maskflow/train';

const model = new Sequential([layers.dense({ units: 1 })]);
const x = tensor([[1], [2]]);
const y = [[1], [2]];

model.compile();
model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['accuracy', metrics.auc()] });
model.compile({
  optimizer: { class_name: 'Adam', config: { learning_rate: 0.1 } },
  loss: { class_name: 'Huber', config: { delta: 2 } },
  weightedMetrics: [{ class_name: 'AUC', config: { num_thresholds: 20 } }],
});
model.compile({
  loss: (yTrue, yPred) => ops.mean(ops.subtract(yPred, yTrue), { axis: -1 }),
  lossWeights: 2,
});
model.compile({ loss: { a: 'mse', b: losses.huber }, metrics: { a: ['mae'], b: 'mae' } });
// @ts-expect-error a misspelt name
model.compile({ optimizer: 'adan' });
// @ts-expect-error a misspelt loss
model.compile({ loss: 'msee' });
// @ts-expect-error a misspelt option
model.compile({ optimiser: 'adam' });

class Mine extends Callback {
  override onEpochEnd(epoch: number, logs: Logs): void {
    logs['twice'] = epoch * 2;
    this.model.stopTraining = logs.loss < 1;
  }
}

export async function train(): Promise<readonly number[]> {
  const options: FitOptions = { batchSize: 2, epochs: 3, validationSplit: 0.5, shuffle: 'batch' };
  const result: History = await model.fit(x, y, {
    ...options,
    seed: 1,
    sampleWeight: [1, 2],
    signal: new AbortController().signal,
    callbacks: [
      callbacks.earlyStopping({ monitor: 'loss', patience: 2, mode: 'min' }),
      callbacks.modelCheckpoint((bytes) => bytes.length, { saveBestOnly: true }),
      callbacks.learningRateScheduler((epoch, rate) => rate / (epoch + 1)),
      callbacks.progressBar(({ value, max }) => value / (max ?? 1)),
      callbacks.csvLogger(console.log),
      new Mine(),
      { onBatchEnd: async (batch: number) => batch },
    ],
    onBatchEnd: (batch, { loss }) => console.log(batch, loss),
  });
  // @ts-expect-error a misspelt option
  await model.fit(x, y, { epoch: 3 });
  // @ts-expect-error a misspelt option of a callback
  callbacks.earlyStopping({ patiance: 2 });
  // @ts-expect-error no such direction
  callbacks.earlyStopping({ mode: 'least' });
  // @ts-expect-error targets are missing
  await model.fit(x);
  await model.fit(() => [[x, y]], { epochs: 2 });
  await model.fit(
    (async function* () {
      yield [x, y, [1, 2]] as const;
    })(),
    { stepsPerEpoch: 1 },
  );
  const logs: Logs = await model.trainOnBatch(x, y, { classWeight: { 0: 1, 1: 2 } });
  await model.testOnBatch(x, y, { sampleWeight: [1, 2] });
  const prediction: Tensor = model.predictOnBatch(x);
  model.optimizer.learningRate = 0.5;
  model.resetMetrics();
  const { value, gradients } = valueAndGradients(
    () => losses.meanSquaredError(y, model.apply<Tensor>(x, { training: true })),
    model.trainableVariables,
  );
  const weights: readonly (Variable | WeightInfo)[] = model.trainableWeights;
  const { gradients: same } = valueAndGradients(() => model.apply<Tensor>(x).sum(), weights);
  model.optimizer.apply(same, model.trainableWeights);
  for (const weight of model.nonTrainableWeights) if (weight instanceof Variable) weight.assign(0);
  const first: number = result.history.loss[0] ?? 0;
  const all: readonly (number | number[])[] | undefined = result.history['val_loss'];
  const names = model.optimizer.variables.map(({ name, path }) => name + path);
  return [first, all?.length, logs.loss, prediction, value, gradients, names].length > 0
    ? result.history.loss
    : result.epoch;
}

const input = Input({ shape: [1] });
const typed = new Model<{ ids: TensorLike }, { logits: Tensor }>({ inputs: { ids: input } });
export const named: Promise<History> = typed.fit({ ids: x }, { logits: y });
export const trainable: string[] = layers
  .dense({ units: 1 })
  .trainableVariables.map(({ path, name, shape }) => path + name + shape);
