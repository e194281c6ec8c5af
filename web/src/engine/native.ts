// SPDX-License-Identifier: MIT
/**
 * The boundary as TypeScript sees it: what `bindings/bindings.cpp` exports and which host functions it
 * calls back. Nothing here is public.
 *
 * Every exported function is guarded: it returns `undefined` when the core threw, and `lastError()` then
 * says what. Handles are numbers. Those that come back belong to the caller (`_layer_free`, `streamFree`, `_tensor_free`);
 * those that go in stay the caller's. What begins with `_` is exported bare. Names in dictionaries are Keras's (snake_case).
 */

import type { ConfigValue, ConfigWithLayers } from './config_value.js';

/** 0: bool, 1: int32, 2: float32; the order is that of `DType` in the core. */
export type NativeDType = 0 | 1 | 2;

/** The address of the core's tensor object: never 0. Whoever has one frees it with `_tensor_free`. */
export type NativeTensor = number & { readonly __tensor: never };
/** The layer's id: the same layer always has the same, however often it is held. */
export type NativeLayer = number & { readonly __layer: never };
/** The address of the core's pointer to a stream: never 0. */
export type NativeStream = number & { readonly __stream: never };
/** The address of the core's pointer to an optimizer: never 0. */
export type NativeOptimizer = number & { readonly __optimizer: never };
/** A serialized object of Keras's. */
export type NativeConfigured = {
  module: string;
  class_name: string;
  config: { [key: string]: ConfigValue };
  registered_name: null;
};
export interface NativeStreamValue {
  /** The input layer's name, or that of what made an output. */
  name: string;
  /** Null where time is. */
  shape: NativeShape;
  dtype: NativeDType;
  timed: boolean;
}
export interface NativeStreamInfo {
  inputs: NativeStreamValue[];
  outputs: NativeStreamValue[];
  list: boolean;
  keys: string[];
  /** Byte address of a step of the first input. */
  address: number;
}

/** One layer's call as `modelProfile` saw it. */
export interface NativeProfileRow {
  layer: string;
  path: string;
  className: string;
  depth: number;
  milliseconds: number;
  flops: number;
  kept: number;
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

/** The arguments of one call; mirrors `Args` of the core. */
export interface NativeArgs {
  inputs: NativeTensor[];
  /** The first argument was a list … */
  list: boolean;
  /** … or a dictionary with these keys. */
  keys: string[];
  /** Further tensor arguments: `value`, `key`, `initial_state`, `attention_mask`, … */
  tensors: NativeArgument[];
  /** Explicit masks of the first argument, one per tensor; null: none was given. */
  mask: (NativeTensor | null)[] | null;
  training: boolean | null;
  options: { [key: string]: ConfigValue };
}

export interface NativeResult {
  outputs: NativeTensor[];
  list: boolean;
  /** Keys when the outputs form a dictionary, else empty. */
  keys: string[];
}

export interface NativeLayerInfo {
  id: NativeLayer;
  name: string;
  className: string;
  built: boolean;
  supportsMasking: boolean;
  trainable: boolean;
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

/** One layer or op that ran while tracing. Masks are handles (or null) and belong to the caller. */
export interface NativeTraceEvent {
  name: string;
  path: string;
  className: string;
  isLayer: boolean;
  depth: number;
  explicitMask: boolean;
  supportsMasking: boolean;
  takesMask: boolean;
  maskIgnored: boolean;
  /** An input had a mask that another layer has taken off. */
  maskTaken: boolean;
  /** An op whose result is nothing but a mask of the graph, or a part of it. */
  forMask: boolean;
  masksIn: (NativeTensor | null)[];
  masksOut: (NativeTensor | null)[];
  shapesIn: number[][];
  shapesOut: number[][];
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
  /** Does the symbolic output carry a mask? Null where it cannot be known before data comes. */
  masked: boolean | null;
  parameters: number;
  trainableParameters: number;
  /** Names of the layers or ops whose outputs this one takes. */
  inbound: string[];
}

/**
 * What the core calls back. Each catches what user code throws, keeps the error, and returns null
 * instead of its result; the core then fails with kind 7 and `unwrap` throws the kept error itself.
 * Handles of tensors that are passed in belong to the host function, those it returns are the core's to free; layers
 * stay their objects'.
 */
export interface NativeHost {
  warn(message: string): undefined | null;
  call(id: NativeLayer, args: NativeArgs): NativeResult | null;
  computeMask(
    id: NativeLayer,
    inputs: NativeTensor[],
    list: boolean,
    masks: (NativeTensor | null)[],
  ): (NativeTensor | null)[] | null;
  /** `undefined`: the class does not override it, the core finds the shapes by itself. */
  computeOutputShape(
    id: NativeLayer,
    shapes: NativeShape[],
    list: boolean,
  ): NativeShape[] | null | undefined;
  build(id: NativeLayer, shapes: NativeShape[], list: boolean): true | null;
  /** Of a recurrent cell, a layer with `stateSize`; `undefined` for other layers. */
  cellSizes(id: NativeLayer): { states: number[]; output: number } | null | undefined;
  /** The layers held as properties, in order of assignment. */
  sublayers(id: NativeLayer): NativeLayer[] | null;
  getConfig(id: NativeLayer): ConfigValue | null;
  /** Makes layers of a JavaScript class from configurations; `undefined`: the class is the core's, or unknown. */
  maker(
    about: {
      [key in 'class_name' | 'module' | 'registered_name' | 'name']?: ConfigValue;
    },
  ): ((config: ConfigValue) => NativeLayer | null) | null | undefined;
  /** 'Package>Name' of the class of this layer, or null when it is not registered. */
  registeredName(id: NativeLayer): string | null;
}

export interface NativeModule {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;

  lastError(): { kind: number; message: string };
  setHost(host: NativeHost): true | undefined;
  configure(options: {
    absent_note?: string;
    mask_propagation?: 'keras-3.15' | 'keras-3.16';
    on_mask_dropped?: 'warn' | 'error' | 'silent';
    seed?: number;
    max_bytes?: number;
    /** Do layers made from now on keep the rule of now? */
    pin_mask_propagation?: boolean;
  }): true | undefined;
  memory(): { tensors: number; bytes: number };

  /** Lets the memory grow once by so many bytes, if the limit allows it. */
  _make_room(bytes: number): void;
  /** Uninitialised; write the elements at `tensorPointer` before anything else is called. */
  tensorCreate(dtype: NativeDType, shape: number[]): NativeTensor | undefined;
  /** Byte address of a shape and a place in memory; exchange.ts knows the layout. */
  exchangeAddress(): number;
  /** Like `tensorCreate`, with dtype and shape from the exchange and the address left there; 0: the core threw. */
  _tensor_make(): NativeTensor | 0;
  /** Another handle on the same tensor; 0: the core threw. */
  _tensor_share(tensor: NativeTensor): NativeTensor | 0;
  _tensor_free(tensor: NativeTensor): void;
  /** Byte address of the elements; valid until the memory grows. */
  tensorPointer(tensor: NativeTensor): number | undefined;
  tensorInfo(tensor: NativeTensor): NativeTensorInfo | undefined;
  tensorMask(tensor: NativeTensor): NativeTensor | null | undefined;
  tensorWithMask(tensor: NativeTensor, mask: NativeTensor | null): NativeTensor | undefined;
  opApply(
    name: string,
    operands: NativeTensor[],
    attributes: { [key: string]: ConfigValue },
  ): NativeTensor[] | undefined;
  /** `values`: all items of all sequences, [total, …features]; `value`: broadcast to one item. */
  padSequences(
    values: NativeTensor,
    lengths: number[],
    options: { maxlen: number | null; padding: string; truncating: string },
    value: NativeTensor,
  ): NativeTensor | undefined;

  layerCreate(
    className: string,
    config: { [key: string]: ConfigWithLayers },
  ): NativeLayer | undefined;
  /** `takesMask`: does its `call` use a mask; `overridesComputeMask`: Keras's default for support. */
  jsLayerCreate(
    className: string,
    config: { name?: string; trainable?: boolean; dtype?: ConfigValue },
    traits: { takesMask: boolean; overridesComputeMask: boolean; isModel: boolean },
  ): NativeLayer | undefined;
  /** From `{ module, class_name, config, registered_name }`, models included. */
  layerDeserialize(serialized: ConfigValue): NativeLayer | undefined;
  layerSerialize(layer: NativeLayer): ConfigValue | undefined;
  layerGetConfig(layer: NativeLayer): { [key: string]: ConfigValue } | undefined;
  /** What bare functions take for a layer; valid as long as a handle of it. */
  layerAddress(layer: NativeLayer): number | undefined;
  /** One more hold on a layer that is there. */
  _layer_share(layer: NativeLayer): NativeLayer | 0;
  /** Not 0: the layer lives on. */
  _layer_free(layer: NativeLayer): number;
  /**
   * Frees the weights of the layers inside a model that nothing else uses, and gives these: nobody holds them for long. None
   * where the model itself is used, or calls run.
   */
  layerDisown(model: NativeLayer): NativeLayer[] | undefined;
  layerInfo(layer: NativeLayer): NativeLayerInfo | undefined;
  layerSet(
    layer: NativeLayer,
    settings: {
      supports_masking?: boolean;
      trainable?: boolean;
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
  layerAddWeight(
    layer: NativeLayer,
    weight: {
      name: string;
      shape: number[];
      initializer: ConfigValue;
      trainable: boolean;
      dtype: string;
    },
  ): number | undefined;
  /** The value of the layer's own weight with this index (from `layerAddWeight`). */
  layerOwnWeight(layer: NativeLayer, index: number): NativeTensor | undefined;
  /** All weights, those of sublayers included, in Keras's order. */
  layerWeights(layer: NativeLayer): NativeWeightInfo[] | undefined;
  layerGetWeight(layer: NativeLayer, index: number): NativeTensor | undefined;
  /** Takes over what the tensor holds, which is then good for nothing but to be freed. */
  layerSetWeight(layer: NativeLayer, index: number, value: NativeTensor): true | undefined;
  layerSetWeights(layer: NativeLayer, values: NativeTensor[]): true | undefined;
  layerResetState(layer: NativeLayer): true | undefined;
  layerSublayers(layer: NativeLayer): NativeLayer[] | undefined;

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
  /** Are the symbolic inputs and outputs known? Not those of a subclassed model, and of a Sequential without an Input. */
  modelHasGraph(model: NativeLayer): boolean | undefined;
  /** Symbolic input and output tensors of a model that has a graph; else an error. */
  modelSymbols(model: NativeLayer): { inputs: NativeTensor[]; outputs: NativeTensor[] } | undefined;
  /**
   * One crossing: runs the batches of `batchSize` rows and joins them. 0: all rows at once; -1: the
   * fixed batch size, or 32.
   */
  modelPredict(model: NativeLayer, args: NativeArgs, batchSize: number): NativeResult | undefined;
  /**
   * The same for one input and, usually, one output, whose shape is left in the exchange. 0: the core threw; 1: it is
   * something else than one tensor, and `modelPredicted` has it.
   */
  _predict_one_at(model: number, input: NativeTensor, batchSize: number): NativeTensor | 0 | 1;
  modelPredicted(): NativeResult;
  /** Gradients of the number that `run` gives with respect to tensors; null where it does not depend on one. (The training module has it.) */
  differentiate(
    of: NativeTensor[],
    run: () => NativeTensor | null,
  ): (NativeTensor | null)[] | undefined;
  /** Of each weight of a layer: whose own it is, a hold on that, and where among its own. (The training module has it.) */
  layerVariables(
    layer: NativeLayer,
  ): { layer: NativeLayer; index: number; path: string }[] | undefined;
  /** The name of the first layer that makes a NaN when the layer is called in training mode; '' where none does. */
  firstNan(layer: NativeLayer, args: NativeArgs): string | undefined;
  /** A call that also gives what layers with an activity regularizer made, with its configuration. */
  modelActivities(
    model: NativeLayer,
    args: NativeArgs,
  ):
    | { result: NativeResult; activities: { regularizer: ConfigValue; outputs: NativeTensor[] }[] }
    | undefined;
  modelTrace(
    model: NativeLayer,
    args: NativeArgs,
  ): { result: NativeResult; events: NativeTraceEvent[] } | undefined;
  modelSummary(model: NativeLayer): NativeSummaryRow[] | undefined;
  /** A call that gives what its layers cost by the clock `now`, in milliseconds. */
  modelProfile(
    model: NativeLayer,
    args: NativeArgs,
    now: () => number,
  ): NativeProfileRow[] | undefined;

  /** `shapes`: of the inputs, where the model does not know them. */
  streamCreate(
    model: NativeLayer,
    batchSize: number,
    shapes: NativeShape[],
  ): NativeStream | undefined;
  streamFree(stream: NativeStream): void;
  streamClone(stream: NativeStream): NativeStream | undefined;
  streamInfo(stream: NativeStream): NativeStreamInfo | undefined;
  /** `single`: results come without their time axis. */
  streamStep(
    stream: NativeStream,
    inputs: NativeTensor[],
    single: boolean,
  ): NativeResult | undefined;
  /** A step that lies at the address of `streamInfo`; what comes of it is in the exchange, as a tensor or in passing. */
  streamStepOne(stream: NativeStream, kept: boolean): NativeTensor | true | undefined;
  streamReset(stream: NativeStream): true | undefined;
  streamGetState(stream: NativeStream): { layer: string; tensors: NativeTensor[] }[] | undefined;
  streamSetState(stream: NativeStream, states: NativeTensor[][]): true | undefined;

  // (The training module has these.)
  /** All settings of a schedule (1) or constraint (2). */
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
  /** `places`: own weights of layers, as layer and number one after the other. `matches` searches for a regular expression. */
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
  /** A number, a schedule, or what a function gives now. */
  optimizerSetRate(
    optimizer: NativeOptimizer,
    rate: ConfigValue | { function: number },
  ): true | undefined;
  optimizerExclude(optimizer: NativeOptimizer, patterns: string[]): true | undefined;
  optimizerVariables(
    optimizer: NativeOptimizer,
  ): { name: string; path: string; shape: NativeShape; dtype: NativeDType }[] | undefined;
  optimizerGetWeight(optimizer: NativeOptimizer, index: number): NativeTensor | undefined;
  optimizerSetWeights(optimizer: NativeOptimizer, values: NativeTensor[]): true | undefined;

  /** Absent from modules that lack it. */
  layerQuantize?(layer: NativeLayer, integers: boolean): NativeQuantizedWeight[] | undefined;

  /** `batch`: targets, predictions, weights, and a mask in place of that of the predictions. */
  lossCompute(
    name: string,
    batch: (NativeTensor | null)[],
    settings: { [key: string]: ConfigValue },
    reduction: string,
  ): NativeTensor | undefined;
  /** A metric between batches is a list of sums, empty at the start. */
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
