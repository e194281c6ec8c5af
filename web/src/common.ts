// SPDX-License-Identifier: MIT
// What all entries have.
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
export type { PerName, Recorded, RecordedArray, ShapedArray } from './formats/recorded.js';
export type { OutputCheck, Verification, VerifyOptions } from './formats/verify.js';
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
export type {
  CustomObject,
  Limits,
  LoadOptions,
  LoadWeightsOptions,
  ModelSource,
  NamedFile,
  Progress,
  SourceOptions,
} from './load_model.js';
export { Model, type ModelConfig } from './model.js';
export type { Nested, NestedArray, TypedArray } from './nested.js';
export { ops } from './ops.js';
export { type PadOptions, padSequences } from './pad_sequences.js';
export type { Profile, ProfileOptions, ProfileRow } from './profile.js';
export type {
  FloatWeight,
  OutputError,
  Quantization,
  QuantizedWeight,
  QuantizeOptions,
} from './quantize.js';
export { registerLayer } from './registry.js';
export {
  type MaskPropagation,
  memory,
  type ReadyOptions,
  restart,
  type RuntimeInfo,
  runtimeInfo,
  type Variant,
} from './runtime.js';
export { keep, tidy } from './scope.js';
export { Sequential } from './sequential.js';
export { deserializeLayer, type SerializedLayer, serializeLayer } from './serialization.js';
export type { KeptState, StepOptions, Stream, StreamOptions, StreamState } from './stream.js';
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
export { verify } from './verify.js';
