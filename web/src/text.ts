// SPDX-License-Identifier: MIT
/**
 * Keras's layers that turn text into ids, by a vocabulary or by a hash, and its older Tokenizer. It
 * is an entry of its own, so that pages without text do not fetch it.
 *
 * @module maskflow/text
 */
export type { Prediction, Predictions, Predictor } from './model/predictor.js';
export type { BinsMode } from './text/bins.js';
export { type Feature, HashedCrossing, type HashedCrossingConfig } from './text/hashed_crossing.js';
export { Hashing, type HashingConfig } from './text/hashing.js';
export type { Encoding, LookupConfig, OutputMode } from './text/index_lookup.js';
export { IntegerLookup, type IntegerLookupConfig } from './text/integer_lookup.js';
export type { Tokens } from './text/rows.js';
export { StringLookup, type StringLookupConfig } from './text/string_lookup.js';
export {
  type Split,
  type Standardize,
  TextVectorization,
  type TextVectorizationConfig,
} from './text/text_vectorization.js';
export {
  type MatrixMode,
  type Sequences,
  Tokenizer,
  type TokenizerConfig,
  type TokenizerTexts,
} from './text/tokenizer.js';

export { readPickle } from './entries/read_pickle.js';
export type { PickledObject, PickledValue } from './formats/pickle/plain_values.js';
export { type Label, LabelEncoder } from './text/label_encoder.js';
export type { ColumnNumbers } from './text/host_array.js';
export type { Scaler, ScalerRows } from './text/scaler.js';
export { scalers } from './text/sklearn_scalers_namespace.js';

import { pickledClasses } from './formats/pickle/pickled_classes.js';
import { textSplitting } from './formats/text_splitting.js';
import { pythonObject } from './text/python_classes.js';
import { textGraphs } from './layers/text_symbols.js';
import { inputFor, splitModel } from './text/split_model.js';
import { resultOf } from './text/symbolic_text.js';
import { makeTextGraphs } from './text/text_graphs.js';
import type { TextLayer } from './text/text_layer.js';

textGraphs.supplied = makeTextGraphs;
resultOf.supplied = (name, layer, shape) => inputFor(name, [layer as TextLayer], shape).config;
// Loading a file with text layers uses it, whichever entry loads.
textSplitting.supplied = splitModel;
pickledClasses.supplied = pythonObject;

export type { TextModel } from './text/text_model.js';
export type { TextInputs } from './text/text_reader.js';
export type { TextLayer };
export type { SymbolicText } from './text/symbolic_text.js';
export type { VocabularyLayer } from './text/vocabulary_file.js';
