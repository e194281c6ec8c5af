// SPDX-License-Identifier: MIT
/**
 * The part of maskflow that recurrent models need, for pages where bytes count: padding and masks, Embedding, the
 * recurrent layers with their cells and wrappers, Dense, merging and pooling; all ops but einsum; models of every
 * kind. Without attention, convolution, normalization, losses and metrics.
 *
 * @module maskflow/recurrent
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
export * as layers from './recurrent_factories.js';
export * from './recurrent_layers.gen.js';
export { Model, type ModelConfig } from './model.js';
export type { Nested, NestedArray, TypedArray } from './nested.js';
export { ops } from './ops.js';
export { type PadOptions, padSequences } from './pad_sequences.js';
export { registerLayer } from './registry.js';
export { ready } from './recurrent_ready.js';
export {
  type MaskPropagation,
  memory,
  type ReadyOptions,
  type RuntimeInfo,
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
