// SPDX-License-Identifier: MIT
/**
 * The boundary: the exports of the tables in `bindings/`, and the host functions that the core
 * calls. Nothing here is public.
 *
 * Exported functions return `undefined` if the core threw; `lastError()` then returns the error.
 * Handles are numbers. The caller owns returned handles (`_layer_free`, `streamFree`,
 * `_tensor_free`) and keeps those that it passes. Functions with a `_` are exported without Embind.
 * Names in dictionaries are Keras's, in snake_case.
 */

import type { ConfigValue, ConfigWithLayers } from './config_value.js';
import type {
  NativeDType,
  NativeLayer,
  NativeOptimizer,
  NativeStream,
  NativeTensor,
} from './handles.js';
import type { NativeProfileRow } from './native_profile.js';
import type { NativeTraceEvent } from './native_trace.js';

export type { NativeDType, NativeLayer, NativeOptimizer, NativeStream, NativeTensor };

/** An object as Keras serializes it. */
export type NativeConfigured = {
  module: string;
  class_name: string;
  config: { [key: string]: ConfigValue };
  registered_name: null;
};
export interface NativeStreamValue {
  /** Name of the input layer, or of the layer that computes the output. */
  name: string;
  /** Null for the time axis. */
  shape: NativeShape;
  dtype: NativeDType;
  timed: boolean;
}
export interface NativeStreamInfo {
  inputs: NativeStreamValue[];
  outputs: NativeStreamValue[];
  list: boolean;
  keys: string[];
  /** Byte address of one step of the first input. */
  address: number;
}

export type NativeShape = (number | null)[];

export interface NativeTensorInfo {
  dtype: NativeDType;
  shape: NativeShape;
  symbolic: boolean;
}

export interface NativeArgument {
  name: string;
  values: NativeTensor[];
  list: boolean;
}

/** Arguments of one call; like `Args` of the core. */
export interface NativeArgs {
  inputs: NativeTensor[];
  /** Whether the first argument is a list. */
  list: boolean;
  /** Keys if the first argument is a dictionary. */
  keys: string[];
  /** Further tensor arguments: `value`, `key`, `initial_state`, `attention_mask`, … */
  tensors: NativeArgument[];
  /** Explicit mask of each tensor of the first argument; null without one. */
  mask: (NativeTensor | null)[] | null;
  training: boolean | null;
  options: { [key: string]: ConfigValue };
}

/** An activity regularizer's config, and the outputs to which it applies. */
export interface NativeActivity {
  readonly regularizer: ConfigValue;
  readonly outputs: readonly NativeTensor[];
}

export interface NativeResult {
  outputs: NativeTensor[];
  list: boolean;
  /** Keys if the outputs are a dictionary, else empty. */
  keys: string[];
}

export interface NativeLayerInfo {
  id: NativeLayer;
  name: string;
  className: string;
  built: boolean;
  supportsMasking: boolean;
  trainable: boolean;
  /** Whether the file from which the layer came says that it is frozen. */
  frozenInFile: boolean;
  stateful: boolean;
  /** Rows of each batch of a stateful model whose input has a fixed batch size, else -1. */
  fixedBatch: number;
  /** 'layer' | 'functional' | 'sequential' | 'js' */
  kind: string;
}

export interface NativeWeightInfo {
  name: string;
  path: string;
  shape: number[];
  dtype: NativeDType;
  trainable: boolean;
}

export interface NativeQuantizedWeight {
  path: string;
  shape: number[];
  bytesBefore: number;
  bytes: number;
  maxError: number;
  quantized: boolean;
}

export interface NativeSummaryRow {
  name: string;
  className: string;
  outputShapes: NativeShape[];
  /** Whether the symbolic output has a mask; null if only data can tell. */
  masked: boolean | null;
  parameters: number;
  trainableParameters: number;
  /** Names of the layers or ops whose outputs are inputs of this one. */
  inbound: string[];
}

/** Facts about a class in JavaScript for the core. */
export interface LayerTraits {
  /** Whether `call` uses a mask. */
  takesMask: boolean;
  /** Default of `supports_masking`, as in Keras. */
  overridesComputeMask: boolean;
  isModel: boolean;
  /** Whether the class has a `build`. */
  hasBuild: boolean;
}

export interface NativeModule {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;

  lastError(): { kind: number; message: string };
  /** End of a message about an absent layer or op: names an entry that has it. Set by the entry. */
  absentNote: string;
  /** Sets the functions that the core calls: a NativeHost of native_host.ts. */
  setHost(host: object): true | undefined;
  configure(options: {
    absent_note?: string;
    mask_propagation?: 'keras-3.15' | 'keras-3.16';
    on_mask_dropped?: 'warn' | 'error' | 'silent';
    seed?: number;
    max_bytes?: number;
    /** Whether layers created from now on keep the current mask rule if it changes later. */
    pin_mask_propagation?: boolean;
  }): true | undefined;
  memory(): { tensors: number; bytes: number };

  /** Grows the memory once for `bytes` more bytes, if the limit allows it. */
  _make_room(bytes: number): void;
  /** Creates a tensor without setting its elements: write them at `tensorPointer` first. */
  tensorCreate(dtype: NativeDType, shape: number[]): NativeTensor | undefined;
  /** Byte address of the exchange; exchange.ts has its layout. */
  exchangeAddress(): number;
  /** Like `tensorCreate`, with dtype, shape and address in the exchange; 0 if the core threw. */
  _tensor_make(): NativeTensor | 0;
  /** Returns another handle of the same tensor; 0 if the core threw. */
  _tensor_share(tensor: NativeTensor): NativeTensor | 0;
  _tensor_free(tensor: NativeTensor): void;
  /** Byte address of the elements, valid until the memory grows. */
  tensorPointer(tensor: NativeTensor): number | undefined;
  tensorInfo(tensor: NativeTensor): NativeTensorInfo | undefined;
  tensorMask(tensor: NativeTensor): NativeTensor | null | undefined;
  tensorWithMask(tensor: NativeTensor, mask: NativeTensor | null): NativeTensor | undefined;
  opApply(
    name: string,
    operands: NativeTensor[],
    attributes: { [key: string]: ConfigValue },
  ): NativeTensor[] | undefined;

  layerCreate(
    className: string,
    config: { [key: string]: ConfigWithLayers },
  ): NativeLayer | undefined;
  /** Creates a layer of a JavaScript class. */
  jsLayerCreate(
    className: string,
    config: { name?: string; trainable?: boolean; dtype?: ConfigValue },
    traits: LayerTraits,
  ): NativeLayer | undefined;
  /** Creates a layer or model from `{ module, class_name, config, registered_name }`. */
  layerDeserialize(serialized: ConfigValue): NativeLayer | undefined;
  layerSerialize(layer: NativeLayer): ConfigValue | undefined;
  layerGetConfig(layer: NativeLayer): { [key: string]: ConfigValue } | undefined;
  /** Address of a layer for functions without Embind, valid until its last handle is freed. */
  layerAddress(layer: NativeLayer): number | undefined;
  /** Returns another handle of a layer. */
  _layer_share(layer: NativeLayer): NativeLayer | 0;
  /** Frees a handle. Does not return 0 if the layer is still in use. */
  _layer_free(layer: NativeLayer): number;
  /**
   * Frees the weights of layers inside a model that nothing else uses, and returns these layers,
   * whose handles are valid only for now. Returns none if the model itself is used or a call runs.
   */
  layerDisown(model: NativeLayer): NativeLayer[] | undefined;
  layerInfo(layer: NativeLayer): NativeLayerInfo | undefined;
  layerSet(
    layer: NativeLayer,
    settings: {
      supports_masking?: boolean;
      trainable?: boolean;
      /** Whether `trainable` is set for this layer alone, not for the layers inside. */
      alone?: true;
      config?: { [key: string]: ConfigValue };
    },
  ): true | undefined;
  layerBuild(layer: NativeLayer, shapes: NativeShape[]): true | undefined;
  layerApply(layer: NativeLayer, args: NativeArgs): NativeResult | undefined;
  layerComputeMask(
    layer: NativeLayer,
    inputs: NativeTensor[],
    list: boolean,
    masks: (NativeTensor | null)[],
  ): (NativeTensor | null)[] | undefined;
  layerComputeOutputShape(
    layer: NativeLayer,
    shapes: NativeShape[],
    list: boolean,
  ): NativeShape[] | undefined;
  /** Without a name, the weight is called variable, variable_1, … */
  layerAddWeight(
    layer: NativeLayer,
    weight: {
      name?: string;
      shape: number[];
      initializer: ConfigValue;
      trainable: boolean;
      dtype: string;
    },
  ): { index: number; name: string } | undefined;
  /** Value of the layer's own weight with this index (from `layerAddWeight`). */
  layerOwnWeight(layer: NativeLayer, index: number): NativeTensor | undefined;
  /** Sets it, unless the call only finds out shapes for a graph. */
  layerSetOwnWeight(layer: NativeLayer, index: number, value: NativeTensor): true | undefined;
  /** All weights, also of inner layers, in Keras's order. */
  layerWeights(layer: NativeLayer): NativeWeightInfo[] | undefined;
  layerGetWeight(layer: NativeLayer, index: number): NativeTensor | undefined;
  /** Values of all weights, in the order of `layerWeights`. */
  layerGetWeights(layer: NativeLayer): NativeTensor[] | undefined;
  /** Moves the elements of the tensor into the weight. After that, only free the tensor. */
  layerSetWeight(layer: NativeLayer, index: number, value: NativeTensor): true | undefined;
  layerSetWeights(layer: NativeLayer, values: NativeTensor[]): true | undefined;
  layerResetState(layer: NativeLayer): true | undefined;
  /** States of a stateful recurrent layer; null for others, and while the rows are not known. */
  layerStates(layer: NativeLayer): NativeTensor[] | null | undefined;
  layerSublayers(layer: NativeLayer): NativeLayer[] | undefined;
  /** Whether another layer or a graph contains the layer. */
  layerIsHeld(layer: NativeLayer): boolean | undefined;

  inputCreate(config: {
    shape: NativeShape;
    batch_size: number | null;
    dtype: string;
    name: string | null;
  }): NativeTensor | undefined;
  functionalCreate(
    inputs: { tensors: NativeTensor[]; list: boolean; keys: string[] },
    outputs: { tensors: NativeTensor[]; list: boolean; keys: string[] },
    config: { name?: string; trainable?: boolean },
  ): NativeLayer | undefined;
  sequentialCreate(config: { name?: string; trainable?: boolean }): NativeLayer | undefined;
  sequentialAdd(model: NativeLayer, layer: NativeLayer): true | undefined;
  sequentialPop(model: NativeLayer): true | undefined;
  /**
   * Whether symbolic inputs and outputs are known; false for subclassed models and without an
   * Input.
   */
  modelHasGraph(model: NativeLayer): boolean | undefined;
  /** Symbolic tensors of the first call of a layer, or of a model with a graph. */
  layerSymbols(layer: NativeLayer): { inputs: NativeTensor[]; outputs: NativeTensor[] } | undefined;
  /** Symbolic input and output tensors of a model with a graph; an error for others. */
  modelSymbols(model: NativeLayer): { inputs: NativeTensor[]; outputs: NativeTensor[] } | undefined;
  /**
   * Runs batches of `batchSize` rows and joins them. 0: all rows at once; -1: the fixed batch size,
   * or 32.
   */
  modelPredict(model: NativeLayer, args: NativeArgs, batchSize: number): NativeResult | undefined;
  /**
   * Like `modelPredict`, for one input and usually one output, whose shape is then in the exchange.
   * 0 if the core threw; 1 if the result is not one tensor, and `modelPredicted` returns it.
   */
  _predict_one_at(model: number, input: NativeTensor, batchSize: number): NativeTensor | 0 | 1;
  modelPredicted(): NativeResult;
  /**
   * Gradients of the number that `run` computes with respect to tensors; null for tensors that it
   * does not depend on. Only in the training module.
   */
  differentiate(
    of: NativeTensor[],
    run: () => NativeTensor | null,
  ): (NativeTensor | null)[] | undefined;
  /**
   * For each weight of a layer: a handle of the layer that owns it, and its index there. Only in
   * the training module.
   */
  layerVariables(
    layer: NativeLayer,
  ): { layer: NativeLayer; index: number; path: string }[] | undefined;
  /**
   * Name of the first layer that produces a NaN when the layer is called in training mode, or ''.
   */
  firstNan(layer: NativeLayer, args: NativeArgs): string | undefined;
  /** Whether any layer was created with an activity regularizer. */
  hasActivityRegularizers(): boolean;
  /**
   * Calls the layer. Also returns each activity regularizer's config with its outputs. `inside`:
   * whether the call is part of the one that is running, which may be differentiated.
   */
  layerActivities(
    layer: NativeLayer,
    args: NativeArgs,
    inside: boolean,
  ): { result: NativeResult; activities: NativeActivity[] } | undefined;
  /** `keepsResults`: whether events have the results of their calls. */
  modelTrace(
    model: NativeLayer,
    args: NativeArgs,
    keepsResults: boolean,
  ): { result: NativeResult; events: NativeTraceEvent[] } | undefined;
  modelSummary(model: NativeLayer): NativeSummaryRow[] | undefined;
  /** Calls the model and returns the time of each layer in milliseconds, by the clock `now`. */
  modelProfile(
    model: NativeLayer,
    args: NativeArgs,
    now: () => number,
  ): NativeProfileRow[] | undefined;

  /** Creates a stream. `shapes`: shapes of the inputs if the model does not know them. */
  streamCreate(
    model: NativeLayer,
    batchSize: number,
    shapes: NativeShape[],
  ): NativeStream | undefined;
  streamFree(stream: NativeStream): void;
  streamClone(stream: NativeStream): NativeStream | undefined;
  streamInfo(stream: NativeStream): NativeStreamInfo | undefined;
  /** Computes the next steps. `single`: results have no time axis. */
  streamStep(
    stream: NativeStream,
    inputs: NativeTensor[],
    single: boolean,
  ): NativeResult | undefined;
  /**
   * Computes one step from the input at the `address` that `streamInfo` returned. The result is in
   * the exchange.
   */
  streamStepOne(stream: NativeStream, kept: boolean): NativeTensor | true | undefined;
  streamReset(stream: NativeStream): true | undefined;
  streamGetState(stream: NativeStream): { layer: string; tensors: NativeTensor[] }[] | undefined;
  streamSetState(stream: NativeStream, states: NativeTensor[][]): true | undefined;

  // Only in the training module:
  /**
   * Returns the config of a schedule (`kind` 1) or a constraint (`kind` 2) with all settings,
   * defaults included.
   */
  configurableNormalize(kind: number, serialized: ConfigValue): NativeConfigured | undefined;
  scheduleValue(schedule: NativeConfigured, step: number): number | undefined;
  optimizerCreate(serialized: ConfigValue): NativeOptimizer | undefined;
  optimizerFree(optimizer: NativeOptimizer): void;
  optimizerInfo(optimizer: NativeOptimizer):
    | {
        className: string;
        name: string;
        built: boolean;
        learningRate: number;
        iterations: number;
        steps: number;
        lossScale: number;
      }
    | undefined;
  optimizerSerialize(optimizer: NativeOptimizer): NativeConfigured | undefined;
  /**
   * `places`: pairs of a layer and the index of its own weight. `matches` tests a regular
   * expression.
   */
  optimizerBuild(
    optimizer: NativeOptimizer,
    places: number[],
    paths: string[],
    matches: (pattern: string, text: string) => boolean | null,
  ): true | undefined;
  optimizerApply(
    optimizer: NativeOptimizer,
    gradients: (NativeTensor | null)[],
    places: number[],
  ): true | undefined;
  optimizerFinalize(optimizer: NativeOptimizer, places: number[]): true | undefined;
  /** Sets the learning rate: a number, a schedule, or the current result of a function. */
  optimizerSetRate(
    optimizer: NativeOptimizer,
    rate: ConfigValue | { function: number },
  ): true | undefined;
  optimizerExclude(optimizer: NativeOptimizer, patterns: string[]): true | undefined;
  optimizerVariables(
    optimizer: NativeOptimizer,
  ): { name: string; path: string; shape: NativeShape; dtype: NativeDType }[] | undefined;
  optimizerGetWeight(optimizer: NativeOptimizer, index: number): NativeTensor | undefined;
  optimizerGetWeights(optimizer: NativeOptimizer): NativeTensor[] | undefined;
  optimizerSetWeights(optimizer: NativeOptimizer, values: NativeTensor[]): true | undefined;

  /** A number that changes with each write to a weight. Absent from maskflow/recurrent. */
  weightsVersion?(layer: NativeLayer): number | undefined;
  /** Absent from modules without quantization. */
  layerQuantize?(layer: NativeLayer, integers: boolean): NativeQuantizedWeight[] | undefined;
  /** Converts one weight, without a report. Absent like `layerQuantize`. */
  layerQuantizeWeight?(layer: NativeLayer, index: number, integers: boolean): true | undefined;

  /** `batch`: targets, predictions, weights, and a mask that replaces the predictions' own. */
  lossCompute(
    name: string,
    batch: (NativeTensor | null)[],
    settings: { [key: string]: ConfigValue },
    reduction: string,
  ): NativeTensor | undefined;
  /**
   * Adds a batch to the sums of a metric and returns the new sums. A list of sums is the whole
   * state of a metric; it is empty at the start.
   */
  metricUpdate(
    name: string,
    batch: (NativeTensor | null)[],
    settings: { [key: string]: ConfigValue },
    sums: number[],
  ): number[] | undefined;
  metricResult(
    name: string,
    settings: { [key: string]: ConfigValue },
    sums: number[],
  ): number | number[] | undefined;
}
