// SPDX-License-Identifier: MIT
/**
 * Keras's padding, masking and recurrent layers in WebAssembly.
 *
 * @module maskflow
 */
export type { CallOptions, LayerInputs, LayerOutputs, Masks } from './args.js';
export {
  ConfigError,
  type ErrorKind,
  FormatError,
  MaskflowError,
  ShapeError,
  StateError,
  UnsupportedError,
  ValueError,
} from './errors.js';
export type { EvaluateOptions, Evaluation, PerOutput } from './evaluate.js';
export type { PaddedArray } from './host_dtype.js';
export { Input, type InputOptions } from './input.js';
export { Lambda, type LambdaConfig } from './lambda.js';
export {
  type Config,
  Layer,
  type LayerConfig,
  type Shape,
  type WeightInfo,
  type WeightOptions,
  type WithStates,
} from './layer.js';
export * from './layers.gen.js';
export {
  type CustomObject,
  type LoadOptions,
  loadModel,
  type ModelSource,
  type NamedFile,
  type Progress,
  type LoadWeightsOptions,
  type SourceOptions,
} from './load_model.js';
export type { LossFunction, LossOptions, Reduction, Weighting } from './loss.js';
export { losses, metrics } from './measures.gen.js';
export { Metric, type MetricOptions } from './metric.js';
export { Model, type ModelConfig } from './model.js';
export type { Nested, NestedArray, TypedArray } from './nested.js';
export * as ops from './ops.gen.js';
export { type PadOptions, padSequences } from './pad_sequences.js';
export { registerLayer } from './registry.js';
export {
  type MaskPropagation,
  memory,
  type ReadyOptions,
  type RuntimeInfo,
  ready,
  runtimeInfo,
  type Variant,
} from './runtime.js';
export { keep, tidy } from './scope.js';
export { Sequential } from './sequential.js';
export { deserializeLayer, type SerializedLayer, serializeLayer } from './serialization.js';
export {
  type DType,
  type MaskLike,
  Tensor,
  type TensorData,
  type TensorLike,
  type TensorOptions,
  tensor,
} from './tensor.js';
export type { MaskArray, MaskRole, TraceEntry } from './trace.js';
export { Variable } from './variable.js';
