// SPDX-License-Identifier: MIT
import type { TypedArray } from '../base/nested.js';

/** An array in a model file. Nothing is read, copied or decompressed before `read()`. */
export interface NamedArray {
  /** As the file says it: `kernel`, `lstm/lstm_cell/kernel:0`, or the path for Keras 3's files. A hint, for messages. */
  readonly name: string;
  readonly shape: readonly number[];
  /** NumPy's name of what the file holds: float32, float16, float64, int64, bool … */
  readonly dtype: string;
  /**
   * The elements, row by row; as many as `shape` says. Half floats come as Float32Array, bool as Uint8Array,
   * 64-bit integers as Float64Array. FormatError when the file does not hold them.
   */
  read(): TypedArray;
  /**
   * The same for large arrays, without one between the file and where the numbers go: checks all that `read` checks, and
   * gives what writes them there as floats. An array that is made of another one with other numbers has none of this.
   */
  writer?(): FloatWriter;
}

/** Fills `floats`, which has as many elements as the array. It cannot fail. */
export type FloatWriter = (floats: Float32Array) => void;

/** A layer or model as Keras 3 writes it into `config.json`. */
export interface SerializedObject {
  class_name: string;
  config: { [key: string]: unknown };
  module?: string | null;
  registered_name?: string | null;
  build_config?: { [key: string]: unknown } | null;
  [key: string]: unknown;
}

/** Weights by path in the tree of layers: `layers/lstm/cell/vars/0`. How Keras 3 writes them. */
export interface TreeWeights {
  readonly kind: 'tree';
  readonly arrays: ReadonlyMap<string, NamedArray>;
  /** Names of the layers by the same paths without `vars`, where the file says them. A hint. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Weights by layer, in the file's order. How `.h5` files of Keras 1 and 2 and TF.js have them. */
export interface LayerWeights {
  readonly kind: 'layers';
  readonly layers: readonly StoredLayer[];
  /**
   * 'top': the layers of the model, those of models inside concatenated (trainable ones first). 'inner': the prefixes of
   * names, in any order, to be found at any depth (TF.js).
   */
  readonly level: 'top' | 'inner';
  /** Of the Keras that wrote the file: 'theano' turned the kernels of convolutions round. */
  readonly backend: string;
}

export interface StoredLayer {
  readonly name: string;
  readonly weights: readonly NamedArray[];
}

/** Which of Keras's two functions the name `hard_sigmoid` means: clip(0.2 x + 0.5) or clip(x / 6 + 0.5). */
export type HardSigmoid = 'keras2' | 'keras3';

/** What the readers are told beside the bytes. */
export interface ReadOptions {
  /** Names of layers and classes for which the caller has something of his own (`customObjects`). */
  readonly replaced?: ReadonlySet<string>;
  /** Leave out weights that lie in other files? */
  readonly architectureOnly?: boolean;
}

/** What every reader of a format makes of a file, and what a model is made from. */
export interface Artifact {
  /** In Keras 3's dialect, whatever wrote the file; null when the file has weights only. */
  readonly config: SerializedObject | null;
  /** What wrote the file, for example '3.15.1'; '' when it does not say. */
  readonly kerasVersion: string;
  readonly maskPropagation?: 'keras-3.15' | 'keras-3.16';
  /** 'keras3' unless said. */
  readonly hardSigmoid?: HardSigmoid;
  /** Null for an architecture alone. */
  readonly weights: TreeWeights | LayerWeights | null;
  /** What the file has that cannot be had here, a sentence each; to be listed with unknown classes. */
  readonly problems?: readonly string[];
  /** The text files of the archive, such as vocabularies, by path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** What the model was compiled with, whatever stands there. */
  readonly compileConfig?: unknown;
  /** Variables of the optimizer that are not in a tree. */
  readonly optimizer?: readonly NamedArray[];
}
