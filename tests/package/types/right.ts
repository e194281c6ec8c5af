// SPDX-License-Identifier: MIT
// Correct programs: they compile, and their results have the annotated types.
import {
  type ActivationName,
  type CallOptions,
  type Evaluation,
  initializers as mfInitializers,
  Input,
  type InitializerLike,
  Layer,
  layers,
  type LossName,
  loadModel,
  Metric,
  type MetricName,
  Model,
  ops,
  type PaddedArray,
  type Predictor,
  padSequences,
  regularizers as mfRegularizers,
  Sequential,
  type Shape,
  type SymbolicTensor,
  type Tensor,
  type TensorLike,
  tensor,
  keep,
  tidy,
  type TraceEntry,
} from 'maskflow';
import type { PoolModel, RemoteModel, WorkerTensor } from 'maskflow/worker';

const data = tensor([[[1, 2, 3]]]);

// Symbolic tensors and tensors
export const input: SymbolicTensor = Input({ shape: [null, 3], dtype: 'float64' });
export const annotated: Tensor = Input({ shape: [1] });
export const dims: (number | null)[] = input.shape;
export const sizes: number[] = data.shape;
export const dense: SymbolicTensor = layers.dense({ units: 2 }).apply(input);
export const computed: Tensor = layers.dense({ units: 2 }).apply(data);
export const sum: SymbolicTensor = ops.add(dense, 1);
export const numbers: Tensor = ops.add(computed, [1, 2]);
export const chained: Tensor = data
  .add(1)
  .relu()
  .sum({ axis: -1 })
  .matmul([[1]]);
export const chainedSymbols: SymbolicTensor = input.add(data).relu().reshape([-1, 3]);
export const mixed: SymbolicTensor = data.where(input, 0);
export const chunks: SymbolicTensor[] = input.split(3, { axis: -1 });
export const steps: Tensor[] = data.unstack();
export const parts: SymbolicTensor[] = ops.split(dense, 2);
export const joined: SymbolicTensor = layers.concatenate().apply([dense, sum]);
export const masked: SymbolicTensor = joined.withMask(joined.mask);
export const [last, h, c] = layers.lstm({ units: 2, returnState: true }).apply(joined);
export const next: SymbolicTensor = layers
  .lstm({ units: 2 })
  .apply(joined, { initialState: [h as SymbolicTensor, c as SymbolicTensor] });
export const states: Tensor[] = layers.gru({ units: 2, returnState: true }).apply(data);
export const named: Tensor[] = layers.lstm({ units: 2, returnState: true }).apply<Tensor[]>(data);
export const block = (x: SymbolicTensor): SymbolicTensor =>
  layers.dropout({ rate: 0.5, seed: 7 }).apply(ops.relu(x));
export const blocks = [block(input), block(data)];
export let chain = Input({ shape: [2] });
chain = layers.dense({ units: 1 }).apply(chain);
chain = ops.relu(chain);
export const kept: SymbolicTensor = tidy(() => keep(ops.relu(chain)));
export const relus: Tensor[] = [data].map((x) => ops.relu(x));
export const table: { [name: string]: (x: TensorLike) => Tensor } = { relu: ops.relu };

// Models
export const model = new Model({ inputs: input, outputs: [next, joined] });
export const outputs: Tensor[] = model.predict<Tensor[]>(data, { batchSize: 8 });
export const ends: SymbolicTensor[] = [...model.inputs, ...model.outputs];
export const streamed: typeof model = model.stream().model;
export const known = new Model<{ ids: TensorLike }, { logits: Tensor }>({
  inputs: { ids: input },
  outputs: { logits: next },
});
export const logits: Tensor = known.predict({ ids: data }).logits;
export const anyModel: Model = known;
export const sequential: Model = new Sequential([input, layers.dense({ units: 1 })]);
export const one: Tensor = sequential.predict(data);
export const loaded: Promise<Model> = loadModel('m.keras');
export const later: Promise<Tensor> = sequential.predict(data, { workers: 2 });
function* batchesOfRows(): Generator<number[][]> {
  yield [[1], [2]];
}
async function* batchesOfPairs(): AsyncGenerator<[number[][], number[][]]> {
  yield [[[1]], [[2]]];
}
export const ofGenerator: Promise<Tensor> = sequential.predict(batchesOfRows());
export const ofFunction: Promise<Tensor> = sequential.predict(() => [[[1]], [[2]]]);
export const evaluated: Promise<Evaluation> = sequential.evaluate(batchesOfPairs(), {
  loss: 'mse',
});
export const bigRows: Tensor = sequential.predict(BigInt64Array.of(BigInt(1)));
export const bigTensor: Tensor = tensor([BigInt64Array.of(BigInt(1)), new BigUint64Array(1)]);
export const promised: Promise<Tensor> = sequential.predictAsync(data, { batchSize: 1 });
export const listed: Promise<Tensor[]> = model.predictAsync<Tensor[]>(data);
export const scores: Promise<Tensor> = known.predictAsync({ ids: data }).then((y) => y.logits);
const program = async (given: Predictor, signal?: AbortSignal): Promise<number> => {
  const y = await given.predictAsync([[1, 2]], signal ? { signal } : {});
  y.dispose();
  return y.item();
};
export const programs = (far: RemoteModel, many: PoolModel): Promise<number>[] =>
  [sequential, model, known, far, many].map((given) => program(given as Predictor));
export const predictors: Predictor[] = [sequential, model, loaded as unknown as RemoteModel];
export const pooled = (many: PoolModel): Predictor => many;
export const remote: (far: RemoteModel) => Promise<WorkerTensor> = (far) => far.predictAsync([[1]]);

// Arguments of calls
export const attention = layers.multiHeadAttention({ numHeads: 1, keyDim: 2 });
export const attended: Tensor[] = attention.apply<Tensor[]>(
  { query: data, value: data },
  { useCausalMask: true, returnAttentionScores: true },
);
export const crossed: SymbolicTensor = attention.apply(dense, { value: dense, valueMask: null });
export const options: CallOptions = { mask: null, training: false };

class Factor extends Layer {
  override call(x: Tensor, { factor = 1 }: { factor?: number; mask: Tensor | null }) {
    return ops.multiply(x, factor);
  }
  override computeOutputShape(shape: Shape) {
    return shape;
  }
  twice(x: Tensor): Tensor {
    return this.apply(this.apply(x, { training: true }));
  }
}
export const scaled: Tensor = new Factor().apply(data, { factor: 3, mask: null });
export const base: Layer = new Factor();
class Halves extends Model {
  readonly factor = new Factor();
  override call(x: Tensor, { mask }: { mask: Tensor | null }) {
    return this.factor.apply(x, { mask, factor: 0.5 });
  }
  all(x: Tensor): Tensor {
    return this.predict(x, { batchSize: 0 });
  }
}
export const halves: Model = new Halves();
export const generic = <L extends Layer>(layer: L): Tensor => layer.apply(data, { mask: null });

// Names, in snake_case and in camelCase
export const activations: ActivationName[] = ['hard_sigmoid', 'hardSigmoid', 'relu6', null];
export const initializers: InitializerLike[] = [
  'glorotUniform',
  'glorot_uniform',
  'GlorotUniform',
  { class_name: 'Constant', config: { value: 2 } },
];
export const regularized = layers.dense({
  units: 2,
  kernelInitializer: mfInitializers.heNormal({ seed: 1 }),
  kernelRegularizer: mfRegularizers.l2(0.1),
  biasRegularizer: 'l1_l2',
  activityRegularizer: { class_name: 'L1', config: { l1: 0.1 } },
  kernelConstraint: 'maxNorm',
  biasConstraint: { class_name: 'NonNeg' },
});
export const regularizedStates = layers.lstm({ units: 2, recurrentRegularizer: 'l2' });
export const stacked = layers.rnn({
  cell: [layers.lstmCell({ units: 1 }), layers.gruCell({ units: 2 })],
});
export const rectified: Tensor = layers.relu().apply(data);
export const product: Tensor = ops.einsum('abc,cd->abd', data, [[1], [2], [3]]);
export const symbolicProduct: SymbolicTensor = ops.einsum('bti->bt', input);

// Readonly lists
const readonlyShape: readonly number[] = [3, 1];
export const reshaped: Tensor = ops
  .reshape(data, readonlyShape)
  .transpose({ axes: [0, 1] as const });
export const created = layers.reshape({ targetShape: readonlyShape });
export const softmax = layers.softmax({ axis: readonlyShape });
layers.dense({ units: 1 }).build([null, 3] as const);

// Results of evaluate, and masks of a trace
export const loss: number = model.evaluate(data, data, { loss: 'mse' }).loss;
export const trace: TraceEntry[] = model.traceMasks(data);
export const lossNames: LossName[] = ['mse', 'MSE', 'klDivergence', 'mean_squared_error', 'ctc'];
export const metricNames: MetricName[] = ['acc', 'AUC', 'auc', 'f1Score', 'R2Score', 'meanIoU'];
export const metric = new Metric('sparse_categorical_accuracy');
export const evaluation = model.evaluate(data, data, {
  loss: ['huber', 'log_cosh'],
  metrics: [['mae'], [metric, 'cosineSimilarity']],
});

// Settings
export const settings = [
  layers.masking({ maskValue: [0, -1] }),
  layers.normalization({ mean: [[1], [2]], variance: 1 }),
  layers.rescaling({ scale: 1 / 255, offset: [0, 1] }),
  layers.batchNormalization({ renorm: true, renormClipping: { rmax: 3 } }),
  layers.bidirectional({ layer: layers.gru({ units: 2 }), mergeMode: null }),
  layers.dense({ units: 1, dtype: 'mixed_float16', kernelInitializer: 'heNormal' }),
  layers.conv1D({ filters: 1, kernelSize: 3, padding: 'causal', activation: 'leakyRelu' }),
];

// Numbers of a known depth
export const lastScores: string[] = tensor([[1]])
  .array<number[][]>()
  .map(([score]) => String(score));

// Padding
export const ids: Tensor = padSequences([[1, 2], [3]], { padding: 'post', dtype: 'int32' });
export const words: Tensor | PaddedArray = padSequences([['a']], { dtype: 'object', value: '' });
