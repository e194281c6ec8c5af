// SPDX-License-Identifier: MIT
// Functional models of Keras 1 and 2. Called by models.ts for a config that lists its outputs.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { toCall } from './graph_calls.js';
import { callsFromZero, type CallNumbers } from './graph_numbers.js';
import { isOldTensor } from './graph_symbols.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { isTensorFlowOp, toOps } from './tf_ops.js';

const nameOf = (entry: Json): string =>
  textOf(entry['name']) || textOf(isRecord(entry['config']) ? entry['config']['name'] : '');

/** Converts a graph of layers of Keras 1 or 2 to Keras 3's form. */
export function toFunctional(config: Json, context: Context): SerializedObject {
  const entries = listOf(config['layers']).filter(isRecord);
  const converted = new Map(
    entries
      .filter((entry) => !isTensorFlowOp(entry))
      .map((entry) => [nameOf(entry), context.convert(entry)]),
  );
  const numbers = callsFromZero(config, converted);
  return {
    module: 'keras',
    class_name: 'Functional',
    config: {
      name: textOf(config['name']) || 'model',
      trainable: config['trainable'] ?? true,
      layers: entries.flatMap((entry) => {
        const layer = converted.get(nameOf(entry));
        if (!layer) return toOps(nameOf(entry), entry, numbers, context);
        return [operation(nameOf(entry), entry, layer, numbers, context)];
      }),
      input_layers: convertEnds(config['input_layers'], converted, numbers),
      output_layers: convertEnds(config['output_layers'], converted, numbers),
    },
    registered_name: null,
  };
}

function operation(
  name: string,
  entry: Json,
  layer: SerializedObject,
  numbers: CallNumbers,
  context: Context,
): SerializedObject {
  const nodes = listOf(entry['inbound_nodes']);
  return {
    ...layer,
    config: { ...layer.config, name },
    name,
    inbound_nodes: nodes.map((node) => toCall(node, entry, layer.class_name, numbers, context)),
  };
}

/**
 * Converts inputs or outputs of the model. A single one is not a list, as Keras 2 returns it. Here,
 * and only here, Keras 3 counts the calls of a Functional model from 1.
 */
function convertEnds(
  value: unknown,
  layers: ReadonlyMap<string, SerializedObject>,
  numbers: CallNumbers,
): unknown {
  if (isOldTensor(value)) {
    const [name, call, output] = value;
    const firstCall = layers.get(name)?.class_name === 'Functional' ? 1 : 0;
    return [name, numbers(name, call) + firstCall, output];
  }
  if (Array.isArray(value)) {
    const list = value.map((item) => convertEnds(item, layers, numbers));
    return list.length === 1 ? list[0] : list;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, convertEnds(item, layers, numbers)]),
  );
}
