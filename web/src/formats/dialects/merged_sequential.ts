// SPDX-License-Identifier: MIT
// In Keras 1, the first layer of a Sequential model may merge other Sequential models. Such a model
// has several inputs, so it becomes a graph.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { layersOf } from './entries.js';
import { inputOf } from './first_input.js';
import { symbol } from './graph_symbols.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { mergeLayer } from './merge.js';

/** Returns whether the first layer merges other models. */
export const startsWithMerge = (layers: Json[]): boolean => layers[0]?.['class_name'] === 'Merge';

/** Entries of a graph with the names of its inputs and of its output. */
interface Chain {
  entries: SerializedObject[];
  inputs: string[];
  output: string;
}

const nameOf = ({ config }: SerializedObject): string => textOf(config['name']);

/** The layer with a call. */
const withCall = (layer: SerializedObject, args: unknown[]): SerializedObject => ({
  ...layer,
  name: nameOf(layer),
  inbound_nodes: args.length > 0 ? [{ args, kwargs: {} }] : [],
});

function chainOf(layers: Json[], context: Context): Chain {
  const [first, ...others] = layers;
  if (first && startsWithMerge(layers)) {
    const merged = mergedBranches(first, context);
    return append(merged, others.map(context.convert));
  }
  const input = inputOf(layers);
  const converted = layers.map(context.convert);
  const [head, ...rest] = input ? [input, ...converted] : converted;
  if (head?.class_name !== 'InputLayer') {
    context.problems.push(
      `a branch of a Merge starts with '${head ? nameOf(head) : 'nothing'}', which has no input shape; add it in Python and save the model again`,
    );
    return { entries: [], inputs: [], output: '' };
  }
  return append(
    { entries: [withCall(head, [])], inputs: [nameOf(head)], output: nameOf(head) },
    rest,
  );
}

/** Adds layers to a chain, each after the one before. */
function append(chain: Chain, layers: SerializedObject[]): Chain {
  let { output } = chain;
  const entries = [...chain.entries];
  for (const layer of layers) {
    entries.push(withCall(layer, [symbol(output)]));
    output = nameOf(layer);
  }
  return { entries, inputs: chain.inputs, output };
}

function mergedBranches(merge: Json, context: Context): Chain {
  const config = isRecord(merge['config']) ? merge['config'] : {};
  const branches = listOf(config['layers'])
    .filter(isRecord)
    .map((branch) =>
      chainOf(
        branch['class_name'] === 'Sequential' ? layersOf(branch['config']) : [branch],
        context,
      ),
    );
  const layer = mergeLayer({ name: 'merge', ...config }, context);
  const call = withCall(layer, [branches.map(({ output }) => symbol(output))]);
  return {
    entries: [...branches.flatMap(({ entries }) => entries), call],
    inputs: branches.flatMap(({ inputs }) => inputs),
    output: nameOf(layer),
  };
}

/** Converts such a model to a graph in Keras 3's form. */
export function toMergedModel(name: string, layers: Json[], context: Context): SerializedObject {
  const { entries, inputs, output } = chainOf(layers, context);
  return {
    module: 'keras',
    class_name: 'Functional',
    config: {
      name,
      trainable: true,
      layers: entries,
      input_layers: inputs.map((input) => [input, 0, 0]),
      output_layers: [output, 0, 0],
    },
    registered_name: null,
  };
}
