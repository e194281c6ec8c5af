// SPDX-License-Identifier: MIT
// Methods by which custom layers save and load themselves, as in Keras. formats/own_saving.ts calls
// them.
import { refuse } from '../base/check.js';
import { Identity } from '../base/identity.js';
import type { Nested, TypedArray } from '../base/nested.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Variable } from './variable.js';

/** Key of the function that saves or loads as the base class does. @internal */
export const kUsual = Symbol('usual');

/** Arrays of a layer in a file, by name. */
export interface VariableStore {
  /** A variable: a tensor, a Variable or an array. */
  [name: string]: Tensor | Variable | TypedArray | Nested;
  /** @internal */
  [kUsual]?: () => void;
}

/** Files of a layer in an archive, by name. Loaded ones are bytes. */
export interface AssetFiles {
  /** The content of a file. */
  [name: string]: Uint8Array | string;
}

/**
 * Returns the action of the base class. Throws ValueError for an object that no save or load
 * passed.
 */
function usualOf(store: VariableStore | undefined, instead: string): () => void {
  return (
    store?.[kUsual] ??
    refuse('store', `the object that a hook received; outside of hooks, call ${instead}`, store)
  );
}

/** The methods of layers that concern files. */
export class FileHooks extends Identity {
  /** Returns what {@link buildFromConfig} needs to create the weights. Default: the input shape. */
  getBuildConfig?(): { [key: string]: unknown };
  /** Creates the weights of a loaded layer: call `this.build(shape)` in it. */
  buildFromConfig?(config: never): void;
  /** Adds files to the archive of a model: `files['words.txt'] = text`. */
  saveAssets?(files: AssetFiles): void;
  /** Reads the files that {@link saveAssets} added, here or in Python. */
  loadAssets?(files: { readonly [name: string]: Uint8Array }): void;

  /**
   * Fills `store` with what files keep of the layer's own weights, by name. The base class has them
   * as '0', '1', …; override both methods to store others: tensors, variables or arrays.
   */
  saveOwnVariables(store: VariableStore): void {
    usualOf(store, 'getWeights()')();
  }
  /** Restores what {@link saveOwnVariables} stored: `store` has a tensor for each name. */
  loadOwnVariables(store: VariableStore): void {
    usualOf(store, 'setWeights(weights)')();
  }
}
