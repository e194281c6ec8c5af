// SPDX-License-Identifier: MIT
// The exports of all entries.
export type {
  CallOptions,
  LayerInputs,
  LayerOutputs,
  Masks,
  SymbolicInputs,
  SymbolicOutputs,
} from '../layers/args.js';
export {
  ConfigError,
  type ErrorCode,
  type ErrorKind,
  FormatError,
  MaskflowError,
  ShapeError,
  StateError,
  UnsupportedError,
  ValueError,
} from '../base/errors.js';
export type { PaddedArray } from '../engine/host_dtype.js';
export type { PerName, Recorded, RecordedArray, ShapedArray } from '../formats/verify/recorded.js';
export type { OutputCheck, Verification, VerifyOptions } from '../formats/verify/verify.js';
export { Input, type InputOptions } from '../layers/input.js';
export type { ConfigOptions } from '../layers/custom_scope.js';
export { type FunctionOptions, registerFunction } from '../layers/custom_functions.js';
export type {
  ActivationLike,
  ActivationName,
  ConstraintLike,
  InitializerFunction,
  InitializerLike,
  InitializerName,
  PolicyLike,
  RegularizerLike,
  SeedLike,
  TensorFunction,
} from '../layers/keras_names.js';
export type { AssetFiles, FileHooks, VariableStore } from '../layers/file_hooks.js';
export type { WithStates } from '../layers/with_states.js';
export { Lambda, type LambdaConfig } from '../layers/lambda.js';
export {
  type Config,
  Layer,
  type LayerConfig,
  type Shape,
  type ShapeLike,
  type WeightInfo,
  type WeightOptions,
} from '../layers/layer.js';
export type {
  CustomObject,
  LoadOptions,
  LoadWeightsOptions,
  SaveOptions,
  SaveTfjsOptions,
  TfjsWeights,
} from '../model/load_options.js';
export type {
  ClearOptions,
  Limits,
  ModelSource,
  NamedFile,
  Progress,
  SourceOptions,
  StoredModel,
} from '../base/model_source.js';
export { Model } from '../model/model.js';
export type { ModelConfig } from '../model/model_graph.js';
export type { BigIntArray, Nested, NestedArray, TypedArray } from '../base/nested.js';
export { type PadOptions, padSequences } from '../ops/pad_sequences.js';
export type { Prediction, Predictions, Predictor } from '../model/predictor.js';
export type {
  LaterBatches,
  PredictOptions,
  SummaryOptions,
  TraceOptions,
} from '../model/predict_options.js';
export type { PaddingCheck, PaddingOptions } from '../model/padding/check_padding.js';
export type { Profile, ProfileOptions, ProfileRow } from '../model/profile.js';
export type {
  FloatWeight,
  OutputError,
  Quantization,
  QuantizedWeight,
  QuantizeOptions,
} from '../model/quantize.js';
export { registerLayer, type RegisterOptions } from '../layers/registry.js';
export {
  type MaskPropagation,
  memory,
  type ReadyOptions,
  type RuntimeInfo,
  runtimeInfo,
  type Variant,
  type WasmVariants,
} from '../engine/runtime.js';
export type { ThreadFacts } from '../engine/threads.js';
export { restart } from './start.js';
export { keep, tidy } from '../tensor/tidy.js';
export { Sequential } from '../model/sequential.js';
export { deserializeLayer, type SerializedLayer, serializeLayer } from '../layers/serialization.js';
export type {
  KeptState,
  StepOptions,
  Stream,
  StreamOptions,
  StreamState,
} from '../model/stream.js';
export type {
  WindowStepOptions,
  WindowStream,
  WindowStreamOptions,
} from '../model/window_stream.js';
export {
  type DType,
  type MaskLike,
  type SymbolicTensor,
  Tensor,
  type TensorData,
  type TensorLike,
  type TensorOptions,
  tensor,
} from '../tensor/tensor.js';
export type { MaskArray, TraceEntry } from '../model/trace.js';
export type { MaskRole } from '../model/trace_words.js';
export { Variable } from '../layers/variable.js';
export { clearStoredModels, storedModels } from './stored_models.js';
export { verify } from './verify.js';
