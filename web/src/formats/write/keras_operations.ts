// SPDX-License-Identifier: MIT
// Operations of a graph on their way into a file. build/own_op_names.ts undoes the changes of
// names.
import type { SerializedObject } from '../artifact.js';
import { isRecord } from '../json.js';

/** Python modules of operations; all others are in `keras.src.ops.numpy`. */
const modules: { [module: string]: string } = {
  core: 'Cast ConvertToTensor Scatter ScatterUpdate Slice SliceUpdate StopGradient Unstack',
  linalg: 'Norm',
  math: `CDist Erf Erfc Erfinv ExtractSequences FFT IRFFT ISTFT InTopK Logsumexp RFFT Rsqrt STFT SegmentMax
    SegmentMin SegmentProd SegmentSum TopK`,
  nn: `AveragePool BatchNorm BinaryCrossentropy ConvTranspose DepthwiseConv Moments SeparableConv CTCDecode CategoricalCrossentropy CtcLoss Conv DotProductAttention LayerNorm MaxPool
    MultiHot RMSNorm SparseCategoricalCrossentropy Celu Elu Gelu Glu HardShrink HardSigmoid HardSilu HardTanh LeakyRelu LogSigmoid LogSoftmax Normalize OneHot PSNR
    Relu Relu6 Selu Sigmoid Silu SoftShrink Softmax Softplus Softsign SparsePlus SparseSigmoid Sparsemax Squareplus
    TanhShrink Threshold`,
};
const moduleOf = new Map(
  Object.entries(modules).flatMap(([module, names]) =>
    names.split(/\s+/).map((name) => [name, module] as const),
  ),
);

type Call = { args: unknown[]; kwargs: { [name: string]: unknown } };
export type OperationEntry = SerializedObject & { inbound_nodes?: Call[] };

/** Settings that are arguments of the call in Keras. */
const callArguments: { readonly [className: string]: string } = {
  DotProductAttention: 'scale',
  FullLike: 'fill_value',
  GetItem: 'key',
  Pad: 'constant_values',
  Slice: 'start_indices',
};

/** Operations whose operands are separate arguments in Keras. */
const separate = ['Einsum', 'Meshgrid'];

/** Settings that are written even at their default, because Keras has another default or none. */
const defaults: { readonly [className: string]: { readonly [name: string]: unknown } } = {
  AveragePool: { data_format: 'channels_last' },
  Concatenate: { axis: 0 },
  Conv: { data_format: 'channels_last' },
  ConvTranspose: { data_format: 'channels_last' },
  DepthwiseConv: { data_format: 'channels_last' },
  Gelu: { approximate: false },
  MaxPool: { data_format: 'channels_last' },
  Roll: { axis: null },
  SeparableConv: { data_format: 'channels_last' },
  TakeAlongAxis: { axis: null },
  Threshold: { threshold: 0, default_value: 0 },
};

/**
 * Whether the result must lose the mask of the operand, as under `withMask`: in Keras, only Copy
 * returns a new tensor. Booleans, which are masks themselves, have none.
 */
function losesMask({ class_name: name, config, inbound_nodes: calls }: OperationEntry): boolean {
  const [operand] = [calls?.[0]?.args[0]].flat();
  const isMask = Object(operand).config?.dtype === 'bool';
  return name === 'ConvertToTensor' && !config['dtype'] && !isMask;
}

/**
 * Converts an operation to Keras's form: module, settings and arguments. Returns the entries that
 * replace it; the last one has its name.
 */
export function toKerasOperation(entry: OperationEntry): OperationEntry[] {
  if (losesMask(entry)) {
    entry.class_name = 'Copy';
    entry.registered_name = 'Copy';
    entry.config = { name: entry.config['name'] };
  }
  const module = moduleOf.get(entry.class_name);
  if (module) entry.module = `keras.src.ops.${module}`;
  const calls = entry.inbound_nodes ?? [];
  entry.config = { ...defaults[entry.class_name], ...entry.config };
  const argument = callArguments[entry.class_name];
  if (argument !== undefined) {
    const { [argument]: value, ...config } = entry.config;
    entry.config = config;
    for (const { args, kwargs } of value === undefined ? [] : calls) {
      if (argument === 'key') args.push(keyOf(value));
      else kwargs[argument] = value;
    }
  }
  if (separate.includes(entry.class_name)) for (const call of calls) call.args = call.args.flat();
  if (entry.class_name === 'Vander' && 'n' in entry.config) {
    const { n, ...config } = entry.config;
    entry.config = { ...config, N: n };
  }
  if (entry.class_name === 'Select') for (const call of calls) call.args = selectArguments(call);
  const { axes } = entry.config;
  // Keras needs lists, also for one axis each.
  if (Array.isArray(axes) && entry.class_name === 'Tensordot') {
    entry.config['axes'] = axes.map((axis) => [axis].flat());
  }
  if (entry.class_name === 'CtcLoss') entry.class_name = 'CTCLoss';
  if (entry.class_name === 'Mish') toLayer(entry, 'Activation', { activation: 'mish' });
  const { name: _, ...settings } = entry.config;
  // In Keras, the operation has no settings, but the layer has.
  if (entry.class_name === 'Relu' && Object.keys(settings).length > 0) {
    toLayer(entry, 'ReLU', settings);
  }
  return entry.class_name === 'CountNonzero' ? splitCountNonzero(entry) : [entry];
}

/** The list of conditions, the list of choices, and the default. */
function selectArguments({ args }: Call): unknown[] {
  const operands = args.flat();
  const count = (operands.length - 1) / 2;
  return [operands.slice(0, count), operands.slice(count, -1), operands.at(-1)];
}

/** Replaces an operation that Keras lacks by a layer. */
function toLayer(entry: OperationEntry, className: string, settings: object): void {
  const { name } = entry.config;
  Object.assign(entry, { module: 'keras.layers', class_name: className, registered_name: null });
  entry.config = { name, trainable: true, dtype: 'float32', ...settings };
}

/** Converts an index, such as a slice, to Keras's form. */
function keyOf(key: unknown): unknown {
  if (Array.isArray(key)) return key.map(keyOf);
  if (key === '...') return { class_name: '__ellipsis__', config: {} };
  if (!isRecord(key) || 'class_name' in key) return key;
  return { class_name: '__slice__', config: { start: null, stop: null, step: null, ...key } };
}

/** Keras's CountNonzero has no keepdims; ExpandDims after it restores the axes. */
function splitCountNonzero(entry: OperationEntry): OperationEntry[] {
  const { keepdims, ...config } = entry.config;
  entry.config = config;
  if (!keepdims) return [entry];
  const args = entry.inbound_nodes?.[0]?.args as [{ config: { shape: unknown[] } }] | undefined;
  const shape = args?.[0].config.shape ?? [];
  const axes = [config['axis'] ?? shape.map((_, axis) => axis)].flat() as number[];
  const positiveAxes = axes
    .map((axis) => (axis < 0 ? axis + shape.length : axis))
    .sort((a, b) => a - b);
  const name = `${String(config['name'])}_counted`;
  const count = { ...entry, name, config: { ...config, name } };
  const reduced = shape.filter((_, axis) => !positiveAxes.includes(axis));
  const tensor = { shape: reduced, dtype: 'int32', keras_history: [name, 0, 0] };
  entry.class_name = 'ExpandDims';
  entry.registered_name = 'ExpandDims';
  entry.config = { name: config['name'], axis: positiveAxes };
  const symbol = { class_name: '__keras_tensor__', config: tensor };
  entry.inbound_nodes = [{ args: [symbol], kwargs: {} }];
  return [count, entry];
}
