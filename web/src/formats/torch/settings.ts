// SPDX-License-Identifier: MIT
// The options of `TorchFile.layer`, under PyTorch's names, and the check of their types.
import { refuse } from '../../base/check.js';
import { ConfigError } from '../../base/errors.js';
import type { ActivationName } from '../../layers/keras_names.js';

/** Kinds of modules that become layers. */
export type TorchKind =
  | 'Embedding'
  | 'LSTM'
  | 'GRU'
  | 'RNN'
  | 'Linear'
  | 'LayerNorm'
  | 'RMSNorm'
  | 'BatchNorm1d'
  | 'PReLU'
  | 'Conv1d'
  | 'MultiheadAttention'
  | 'TransformerEncoderLayer'
  | 'TransformerEncoder';

/**
 * Settings of a layer that is made from a module of PyTorch: the module's arguments, in camelCase.
 * Set what the file does not contain: a state dict has only the settings that follow from the
 * shapes of its tensors, a pickled module has all. A setting that differs from the file is refused.
 */
export interface TorchLayerOptions {
  /** Kind of the module, if its tensors allow several. */
  kind?: TorchKind;
  /** Name of the layer. Default: the path, with underscores. */
  name?: string;
  /** Whether torch was called with the batch first. Layers of this package always are. */
  batchFirst?: boolean;

  /**
   * Row that PyTorch does not train. As in PyTorch, it masks nothing: see `maskZero`. Default:
   * null, no row.
   */
  paddingIdx?: number | null;
  /**
   * Whether an Embedding masks the id 0, as a program with packed sequences does. Default: false.
   */
  maskZero?: boolean;
  /** Id that an Embedding masks; a negative one counts from the end. Default: null, none. */
  maskId?: number | null;
  /** Rows of an Embedding. */
  numEmbeddings?: number;
  /** Columns of an Embedding. */
  embeddingDim?: number;

  /** Whether a recurrent layer returns all steps. Default: true, as in PyTorch. */
  returnSequences?: boolean;
  /**
   * Whether a recurrent layer also returns its final states: for each layer, then each direction, a
   * tensor `[batch, hidden]`; h before c. Default: false.
   */
  returnState?: boolean;
  /** Activation of an RNN. Default: 'tanh'. */
  nonlinearity?: 'tanh' | 'relu';
  /** Features of a recurrent layer's input. */
  inputSize?: number;
  /** Units of a recurrent layer. */
  hiddenSize?: number;
  /** Layers of a stack. */
  numLayers?: number;
  /** Whether a recurrent layer runs in both directions. */
  bidirectional?: boolean;
  /** Size of an LSTM's projection: 0, or the layer is refused. */
  projSize?: number;

  /** Activation of a Linear, a Conv1d (Keras's name) or an encoder ('relu' or 'gelu'). */
  activation?: ActivationName;
  /** Features of a Linear's input. */
  inFeatures?: number;
  /** Features of a Linear's output. */
  outFeatures?: number;
  /** Whether the module has a bias. */
  bias?: boolean;

  /** Number added to a variance. Default: 1e-5; of RMSNorm 2 ** -23. */
  eps?: number;
  /** Share of a new batch in moving statistics; null is refused. Default: 0.1. */
  momentum?: number | null;
  /** Sizes of the axes that a LayerNorm or RMSNorm normalizes. */
  normalizedShape?: number | readonly number[];
  /** Features of a BatchNorm1d. */
  numFeatures?: number;
  /** Whether a LayerNorm or RMSNorm has weights. */
  elementwiseAffine?: boolean;
  /** Whether a BatchNorm1d has weights. */
  affine?: boolean;
  /** Whether a BatchNorm1d has moving statistics: true, or the layer is refused. */
  trackRunningStats?: boolean;
  /** Slopes of a PReLU. */
  numParameters?: number;
  /**
   * Number of axes of a PReLU's input, the batch included. Default: 2; 3 for sequences, so that
   * Keras can open the saved layer.
   */
  rank?: number;

  /** Channels of a Conv1d's input. */
  inChannels?: number;
  /** Channels of a Conv1d's output. */
  outChannels?: number;
  /** Steps of a Conv1d's kernel. */
  kernelSize?: number | readonly number[];
  /** Steps between two windows of a Conv1d. Default: 1. */
  stride?: number | readonly number[];
  /** Zeros before and after the steps, or 'same' or 'valid'. Default: 0. */
  padding?: number | readonly number[] | 'same' | 'valid';
  /** Steps between two elements of a kernel. Default: 1. */
  dilation?: number | readonly number[];
  /** Groups of channels. Default: 1. */
  groups?: number;
  /** How a Conv1d pads: 'zeros', or the layer is refused. */
  paddingMode?: string;

  /** Heads of a MultiheadAttention; a state dict lacks them. */
  numHeads?: number;
  /** Heads of an encoder; a state dict lacks them. */
  nhead?: number;
  /** Features of a MultiheadAttention. */
  embedDim?: number;
  /** Features of the keys. */
  kdim?: number;
  /** Features of the values. */
  vdim?: number;
  /** Features of an encoder. */
  dModel?: number;
  /** Units between the two Linear of an encoder. */
  dimFeedforward?: number;
  /** Whether an encoder normalizes before attention and before its Linear. Default: false. */
  normFirst?: boolean;
  /** Number that an encoder's LayerNorm adds to a variance. Default: 1e-5. */
  layerNormEps?: number;
  /** Whether a step sees only itself and the steps before. Default: false. */
  causal?: boolean;
  /** Share of values that training sets to zero. Default: 0. */
  dropout?: number;
}

const booleans =
  /^(batchFirst|maskZero|return\w+|bidirectional|bias|\w*[aA]ffine|track\w+|normFirst|causal)$/;
const words = /^(kind|name|nonlinearity|activation|paddingMode)$/;
const nullable = /^(paddingIdx|maskId|momentum)$/;

/** Returns what the value of an option has to be; undefined if the value is that. */
function neededFor(name: string, value: unknown): string | undefined {
  if (booleans.test(name)) return typeof value === 'boolean' ? undefined : 'true or false';
  if (typeof value === 'string' && (words.test(name) || name === 'padding')) return undefined;
  if (words.test(name)) return 'text';
  const numbers = Array.isArray(value) ? value : [value];
  const isNull = value === null && nullable.test(name);
  if (isNull || numbers.every((each) => typeof each === 'number')) return undefined;
  return 'a number, or a list of numbers';
}

/** A list of one number as that number: PyTorch writes both. */
export const simplified = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** Returns the options that are said: null stands for None, which only some arguments accept. */
export function saidIn(options: TorchLayerOptions): TorchLayerOptions {
  const isSaid = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && (value !== null || nullable.test(name));
  const entries = Object.entries(options).map(([name, value]): [string, unknown] => [
    name,
    simplified(value),
  ]);
  return Object.fromEntries(entries.filter(isSaid));
}

/** Throws ConfigError for an option whose value has another type. */
export function checkTypes(options: TorchLayerOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const needed = neededFor(name, value);
    if (needed) refuse(name, needed, value, ConfigError);
  }
}

/** Returns the settings of a pickled module that have their types. A file may have any values. */
export function withTypes(settings: TorchLayerOptions): TorchLayerOptions {
  const isValid = ([name, value]: [string, unknown]): boolean => !neededFor(name, value);
  return Object.fromEntries(Object.entries(saidIn(settings)).filter(isValid));
}
