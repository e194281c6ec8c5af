// SPDX-License-Identifier: MIT
// The programs of the README and the guide, and mistakes that the types refuse.
import {
  type CallOptions,
  ConfigError,
  deserializeLayer,
  type Evaluation,
  Input,
  LSTM,
  Layer,
  Lambda,
  layers,
  loadModel,
  losses,
  MaskflowError,
  type Metric,
  metrics,
  Model,
  memory,
  ops,
  padSequences,
  ready,
  registerLayer,
  runtimeInfo,
  Sequential,
  serializeLayer,
  type Shape,
  type Tensor,
  tensor,
  type TraceEntry,
  type Variable,
} from 'maskflow';
import {
  HashedCrossing,
  Hashing,
  IntegerLookup,
  StringLookup,
  TextVectorization,
} from 'maskflow/text';
import { openPool, openWorker, type RemoteModel, serve, type WorkerTensor } from 'maskflow/worker';
import {
  loadModel as loadAlone,
  ready as readyAlone,
  serve as serveAlone,
  type Tensor as SameTensor,
} from 'maskflow/single';

class TemporalSplit extends Layer {
  override call(inputs: Tensor) {
    return ops.split(inputs, 2, { axis: 1 });
  }
  override computeMask(_inputs: Tensor, mask: Tensor | null = null) {
    return mask === null ? null : ops.split(mask, 2, { axis: 1 });
  }
}

class TemporalSoftmax extends Layer {
  override call(inputs: Tensor, { mask }: { mask: Tensor | null }) {
    if (mask === null) return inputs;
    const kept = ops.multiply(ops.exp(inputs), ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.divide(kept, ops.sum(kept, { axis: 1, keepdims: true }));
  }
}

class Scale extends Layer {
  gain?: Variable;
  factor: number;
  constructor({ factor = 2, ...config }: { factor?: number; name?: string } = {}) {
    super(config);
    this.factor = factor;
    this.supportsMasking = true;
  }
  override build(inputShape: Shape) {
    this.gain = this.addWeight({
      name: 'gain',
      shape: [inputShape.at(-1) ?? 1],
      initializer: 'ones',
    });
  }
  override call(inputs: Tensor) {
    return ops.multiply(inputs, this.gain ?? this.factor);
  }
  override computeOutputShape(inputShape: Shape) {
    return inputShape;
  }
  override getConfig() {
    return { ...super.getConfig(), factor: this.factor };
  }
}

class MyModel extends Model {
  embedding = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true });
  lstm = new LSTM({ units: 32 });
  override call(inputs: Tensor) {
    const x = this.embedding.apply(inputs);
    return this.lstm.apply(x, { mask: this.embedding.computeMask(inputs) });
  }
}

export async function main(): Promise<number> {
  await ready({ variant: 'auto', maskPropagation: 'keras-3.15', onMaskDropped: 'silent' });
  const { version, wasmBytes }: { version: string; wasmBytes: number } = runtimeInfo();
  const ids = padSequences(
    [
      [711, 632, 71],
      [73, 8, 3215, 55, 927],
    ],
    { padding: 'post', maxlen: 4 },
  ) as Tensor;
  const x: Tensor = tensor(
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: 'float32' },
  );
  const masked = x
    .withMask([[true], [false]])
    .withMask(new Uint8Array(2))
    .withMask(null);
  const first: number = masked.read((view) => view[0] ?? 0);
  const shape: number[] = x.shape;

  const input = Input({ shape: [null], dtype: 'int32' });
  const z = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }).apply(input);
  const model = new Model({ inputs: input, outputs: layers.lstm({ units: 32 }).apply(z) });
  const y: Tensor = model.predict(ids, { batchSize: 32 });
  const [out, h, c] = layers.lstm({ units: 8, returnState: true }).apply<Tensor[]>(z);
  const [, again] = layers.lstm({ units: 8, returnState: true }).apply(z);
  const options: CallOptions = {
    mask: null,
    training: false,
    initialState: [h as Tensor, c as Tensor],
  };
  const { logits } = model.predict<{ [name: string]: Tensor }>({ ids });
  const trace: TraceEntry[] = model.traceMasks(ids);
  const reasons: string[] = trace.map(({ layer, role, reason }) => [layer, role, reason].join(' '));

  registerLayer(Scale, { package: 'Custom', name: 'Scale' });
  const scale = deserializeLayer(serializeLayer(new Scale({ factor: 3 })));
  const weights: string[] = scale.weights.map(
    ({ path, shape, dtype, trainable }) => path + shape + dtype + trainable,
  );
  const sequential = new Sequential([
    layers.conv1D({ filters: 2, kernelSize: 3 }),
    layers.softmax({ axis: -1 }),
    new Lambda({
      function: (inputs: Tensor) => ops.add(inputs, 1),
      mask: (_: Tensor, mask: Tensor | null) => mask,
    }),
    new Scale(),
  ]);
  sequential.setWeights([new Float32Array(3), x, [[1, 2]]]);
  const back: Model = Model.fromConfig(JSON.stringify(model));
  for (const layer of [new TemporalSplit(), new TemporalSoftmax(), new MyModel(), back])
    layer.dispose();
  const loss: Tensor = losses.huber([[0]], x, {
    delta: 2,
    mask: [true],
    sampleWeight: [1],
    reduction: 'none',
  });
  const auc: Metric = metrics.auc({ curve: 'PR', name: 'area' });
  auc.updateState([1, 0], [0.3, 0.6], { sampleWeight: [1, 2] });
  const both: Evaluation = model.evaluate(ids, x, {
    loss: (yTrue, yPred, more) =>
      losses.meanSquaredError(yTrue, yPred, { ...more, reduction: 'sum' }),
    metrics: ['mae', auc],
    weightedMetrics: ['mse'],
    sampleWeight: [1, 2],
    batchSize: 1,
  });
  model.evaluate(ids, [x, x], { loss: ['mse', null], lossWeights: [1, 2], metrics: [['mae'], []] });
  const text = new TextVectorization({
    standardize: (s) => s.trim(),
    split: 'character',
    ngrams: [1, 2],
  });
  const lists = text.apply<number[][]>(['one', 'two']);
  const words = new StringLookup({ vocabulary: ['a'], invert: true }).apply<string[]>(ids);
  const numbers: Tensor = new IntegerLookup({ vocabulary: [1], maskToken: 0 }).apply(
    new Int32Array(2),
  );
  const bins: Tensor = new Hashing({ numBins: 3, salt: [1, 2], outputMode: 'count' }).apply([
    ['a'],
  ]);
  const crossed = new HashedCrossing({ numBins: 3 }).apply([['a', 'b'], numbers]);
  console.log([loss, both['loss'], lists[0], words[0], numbers, bins, crossed].length);
  try {
    layers.lstm({ units: 0 });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof MaskflowError)
      console.log(error.kind satisfies string);
  }

  const there: RemoteModel = await (await openWorker({ variant: 'simd' })).loadModel('m.keras', {
    hardSigmoid: 'keras3',
  });
  const far: WorkerTensor = await there.predict(
    { data: new Int32Array(4), shape: [2, 2] },
    { mask: [[true], [false]], batchSize: 1 },
  );
  const named = await there.predict<{ [name: string]: WorkerTensor }>(
    { ids: [[1, 2]], x },
    { mask: { ids: null } },
  );
  const pool = await openPool({
    size: 2,
    queue: 8,
    worker: () => new Worker('own.js', { type: 'module' }),
  });
  const many: WorkerTensor[] = await (await pool.loadModel(new Uint8Array(1))).predict<
    WorkerTensor[]
  >([far, far.toTensor()]);
  const policed = await openWorker({ workerUrl: { toJSON: () => '/worker_main.js' } });
  const alone = async (): Promise<SameTensor> =>
    (await loadAlone(new Uint8Array(1))).predict<Tensor>(x);
  console.log(
    [policed, alone, () => serveAlone({ ready: readyAlone, loadModel: loadAlone })].length,
  );
  const promised: Promise<Tensor> = model.predict(ids, {
    workers: 2,
    signal: AbortSignal.timeout(100),
  });
  console.log(
    [named['a']?.array(), many, await promised, () => serve({ ready, loadModel })].length,
  );

  // @ts-expect-error units must be given
  layers.lstm({});
  // @ts-expect-error no such dtype
  tensor([1], { dtype: 'float64' });
  // @ts-expect-error no such setting
  layers.dense({ units: 1, unitz: 1 });
  // @ts-expect-error no such setting
  losses.huber(x, x, { dleta: 1 });
  // @ts-expect-error no such reduction
  losses.poisson(x, x, { reduction: 'average' });
  // @ts-expect-error no such curve
  metrics.auc({ curve: 'PRC' });
  // @ts-expect-error no such method
  metrics.auc({ summationMethod: 'mean' });
  // @ts-expect-error no such average
  metrics.f1Score({ average: 'samples' });
  // @ts-expect-error no such aggregation
  metrics.r2Score({ classAggregation: 'sum' });
  // @ts-expect-error no such mode
  new StringLookup({ outputMode: 'hot' });
  // @ts-expect-error no such rule
  await ready({ maskPropagation: 'keras-2' });
  // @ts-expect-error no such setting
  await openPool({ workers: 2 });
  // @ts-expect-error not a tensor
  ops.add('one', 1);

  return (
    [first, shape, y, out, again, options, logits, reasons, weights, version, wasmBytes].length +
    memory().tensors
  );
}
