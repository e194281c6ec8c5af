// SPDX-License-Identifier: MIT
// Wrong programs: TypeScript must refuse each line after a @ts-expect-error, or it reports the mark
// itself. The text of a mark is the correct word, or the reason of the error.
import {
  initializers,
  Input,
  Layer,
  layers,
  loadModel,
  losses,
  Metric,
  metrics,
  Model,
  ops,
  padSequences,
  ready,
  registerLayer,
  regularizers,
  Sequential,
  type Tensor,
  type TensorLike,
  tensor,
} from 'maskflow';
import { TextVectorization } from 'maskflow/text';
import { openPool, openWorker } from 'maskflow/worker';

const data = tensor([[[1, 2, 3]]]);
const input = Input({ shape: [null, 3] });
const dense = layers.dense({ units: 2 });
const model = new Model({ inputs: input, outputs: dense.apply(input) });

// Symbolic tensors have no numbers, and may have unknown dimensions.
// @ts-expect-error null where unknown
export const sizes: number[] = input.shape;
// @ts-expect-error no data
input.data();
// @ts-expect-error no data, after a layer either
dense.apply(input).array();
// @ts-expect-error no data, after an op either
ops.add(1, input).item();
// @ts-expect-error no data, after a method either
input.add(data).relu().item();
// @ts-expect-error no data, if a tensor comes first either
data.add(input).item();
// @ts-expect-error the second operand is missing
data.add();
// @ts-expect-error takes a list: ops.concatenate([data, data])
data.concatenate([data]);
// @ts-expect-error accepts no tensor
data.zeros([1]);
// @ts-expect-error 'keepdims'
data.sum({ keepDims: true });
// @ts-expect-error a symbolic tensor is not a Tensor
export const symbol: Tensor = ops.relu(input);
// @ts-expect-error a symbolic tensor has no values
model.predict(input);
// @ts-expect-error shapes of a model may be unknown
export const inputs: number[][] = model.inputs.map((x) => x.shape);

// Choices
const cell = layers.gru({ units: 2 });
// @ts-expect-error 'concat'
layers.bidirectional({ layer: cell, mergeMode: 'cocat' });
// @ts-expect-error 'causal'
layers.conv1D({ filters: 1, kernelSize: 1, padding: 'casual' });
// @ts-expect-error only Conv1D
layers.separableConv1D({ filters: 1, kernelSize: 1, padding: 'causal' });
// @ts-expect-error 'channels_last'
layers.flatten({ dataFormat: 'channelsLast' });
// @ts-expect-error 'concat' or 'dot'
layers.attention({ scoreMode: 'sum' });
// @ts-expect-error 'multi_hot'
layers.categoryEncoding({ numTokens: 2, outputMode: 'hot' });
// @ts-expect-error 'hardSigmoid'
layers.dense({ units: 1, activation: 'hardSigmiod' });
// @ts-expect-error 'leakyRelu'
layers.activation({ activation: 'leakyReLU' });
// @ts-expect-error a function returns a tensor
layers.activation({ activation: (x: Tensor) => x.rank });
// @ts-expect-error 'glorotUniform'
layers.dense({ units: 1, kernelInitializer: 'glorot' });
// @ts-expect-error 'edge'
ops.pad(data, 1, { mode: 'edges' });
// @ts-expect-error 'post'
padSequences([[1]], { padding: 'after' });
// @ts-expect-error 'int32'
Input({ shape: [1], dtype: 'integer' });
// @ts-expect-error 'mixed_float16'
layers.dense({ units: 1, dtype: 'mixedFloat16' });

// Losses and metrics by name
// @ts-expect-error 'mse'
model.evaluate(data, data, { loss: 'mes' });
// @ts-expect-error 'mse'
model.evaluate(data, data, { loss: ['mse', 'meanSquareError'] });
// @ts-expect-error 'accuracy'
model.evaluate(data, data, { metrics: ['acuracy'] });
// @ts-expect-error a metric is not a loss
model.evaluate(data, data, { loss: 'accuracy' });
// @ts-expect-error 'auc'
new Metric('area');

// Regularizers, constraints, initializers
// @ts-expect-error 'l2'
layers.dense({ units: 1, kernelRegularizer: 'l3' });
// @ts-expect-error a regularizer
layers.dense({ units: 1, kernelRegularizer: 0.1 });
// @ts-expect-error 'max_norm'
layers.dense({ units: 1, kernelConstraint: 'max' });
// @ts-expect-error seed
initializers.heNormal({ sed: 1 });
// @ts-expect-error a number
regularizers.l2('0.1');
// @ts-expect-error a tensor
ops.einsum('ab,bc->ac', data, 'x');

// Values
// @ts-expect-error a number or a generator's configuration
layers.dropout({ rate: 0.1, seed: 'seven' });
// @ts-expect-error numbers
layers.masking({ maskValue: '0' });
// @ts-expect-error numbers
layers.normalization({ mean: ['1'], variance: [1] });
// @ts-expect-error a number for each
layers.rescaling({ scale: { red: 1 } });
// @ts-expect-error rmin, rmax, dmax
layers.batchNormalization({ renormClipping: { min: 1 } });
// @ts-expect-error padded strings are not a tensor
export const words: Tensor = padSequences([['a']], { dtype: 'object' });

// Names of settings and options
// @ts-expect-error units
layers.dense({ unit: 1 });
// @ts-expect-error initialState
layers.lstm({ units: 1 }).apply(data, { initalState: data });
// @ts-expect-error useCausalMask
layers.attention().apply([data, data], { causal: true });
// @ts-expect-error training
model.apply(data, { trainnig: true });
// @ts-expect-error batchSize
model.predict(data, { batchsize: 2 });
// @ts-expect-error batchSize
model.predictAsync(data, { batchsize: 2 });
// @ts-expect-error a promise
model.predictAsync(data).array();
// @ts-expect-error a model returns tensors
model.predictAsync<number>(data);
// @ts-expect-error batchSize
model.evaluate(data, data, { batch: 2 });
// @ts-expect-error maskOperations
model.traceMasks(data, { operations: true });
// @ts-expect-error batchSize
model.stream({ batch: 2 });
// @ts-expect-error out
model.stream().step(data, { output: new Float32Array(1) });
// @ts-expect-error print
model.summary({ printer: null });
// @ts-expect-error samples
model.quantize('int8', { sample: data });
// @ts-expect-error repeats
model.profile(data, { times: 3 });
// @ts-expect-error byName
model.loadWeights('m.h5', { name: true });
// @ts-expect-error customObjects
loadModel('m.keras', { customObject: {} });
// @ts-expect-error dtype
tensor([1], { type: 'int32' });
// @ts-expect-error maxlen
padSequences([[1]], { maxLength: 2 });
// @ts-expect-error axis
ops.sum(data, { axes: 1 });
// @ts-expect-error sampleWeight
losses.poisson(data, data, { weights: [1] });
// @ts-expect-error thresholds
metrics.precision({ threshold: 0.5 });
// @ts-expect-error shape
Input({ shapes: [1] });
// @ts-expect-error onMaskDropped
ready({ onMaskDrop: 'error' });
// @ts-expect-error package
registerLayer(Layer, { group: 'Custom' });
// @ts-expect-error name
new Sequential([dense], { title: 'model' });
// @ts-expect-error outputs
new Model({ inputs: input, output: input });
// @ts-expect-error trainable
new Layer().addWeight({ name: 'w', shape: [1], train: true });
// @ts-expect-error outputMode
new TextVectorization({ output: 'int' });
// @ts-expect-error variant
openWorker({ wasmVariant: 'simd' });
// @ts-expect-error size
openPool({ workers: 2 });

// Inputs and outputs of a model with known types
const known = new Model<{ ids: TensorLike }, { logits: Tensor }>({});
// @ts-expect-error ids
known.predict({ id: data });
// @ts-expect-error logits
known.predict({ ids: data }).scores;
// @ts-expect-error with workers it is a promise
export const now: Tensor = model.predict(data, { workers: 2 });
// @ts-expect-error without workers it is a tensor
model.predict(data).then();

// Arguments of a custom call
class Factor extends Layer {
  override call(x: Tensor, { factor = 1 }: { factor?: number }) {
    return ops.multiply(x, factor);
  }
}
// @ts-expect-error factor
new Factor().apply(data, { factr: 3 });
// @ts-expect-error a number
new Factor().apply(data, { factor: '3' });
