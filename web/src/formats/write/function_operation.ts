// SPDX-License-Identifier: MIT
// Writes operations that call functions, such as `ops.map` and `ops.scan`. build/function_ops.ts
// reads them.
import { UnsupportedError } from '../../base/errors.js';
import type { Call } from '../../layers/call_details.js';
import type { Layer } from '../../layers/layer.js';
import type { SerializedObject } from '../artifact.js';
import { isRecord } from '../json.js';
import type { OperationEntry } from './keras_operations.js';

/** Keras's form of a function: its name, by which Python finds it in `custom_objects`. */
function functionEntry(f: { readonly name: string }, layer: Layer): SerializedObject {
  if (f.name) {
    return {
      module: 'builtins',
      class_name: 'function',
      config: f.name as never,
      registered_name: 'function',
    };
  }
  throw new UnsupportedError(
    `'${layer.name}' is the operation ${layer.className} of a function without a name, which could not be found again; give the function a name`,
  );
}

/** Writes a constant as a tensor: Python's functions of tensors may not accept arrays. */
const withTensor = (leaf: unknown): unknown =>
  isRecord(leaf) && leaf['class_name'] === '__numpy__'
    ? { ...leaf, class_name: '__tensor__' }
    : leaf;

/** Converts the layer of an operation that calls functions to Keras's operation. */
export function toFunctionOperation(
  entry: OperationEntry,
  layer: Layer,
  { className, functions, references, settings, grouped }: Call,
): OperationEntry {
  const entries = references ?? functions.map((f) => functionEntry(f, layer));
  const { name } = layer;
  const inbound_nodes = (entry.inbound_nodes ?? []).map(({ args }) => {
    const [first] = args;
    const rest = grouped((Array.isArray(first) ? first : [first]).map(withTensor));
    // A switch has its index first, then a list of functions.
    if (className === 'Switch') return { args: [rest[0], entries, ...rest.slice(1)], kwargs: {} };
    return { args: className === 'VectorizedMap' ? [...rest] : [...entries, ...rest], kwargs: {} };
  });
  const own = className === 'VectorizedMap' ? { function: entries[0] } : {};
  return {
    module: 'keras.src.ops.core',
    class_name: className,
    config: { name, ...settings, ...own },
    registered_name: className,
    name,
    inbound_nodes,
  };
}
