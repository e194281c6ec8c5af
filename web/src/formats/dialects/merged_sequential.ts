// SPDX-License-Identifier: MIT
// Keras 1: a Sequential model whose first layer merges other Sequential models. It has several inputs, so that it is a graph.
import type { SerializedObject } from '../artifact.js';
import type { Context } from './context.js';
import { layersOf } from './entries.js';
import { inputOf } from './first_input.js';
import { symbol } from './graph_symbols.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { mergeLayer } from './merge.js';

export const startsWithMerge = (layers: Json[]): boolean => layers[0]?.['class_name'] === 'Merge';

/** Entries of a graph, and the names of the first and the last ones. */
interface Chain {
  entries: SerializedObject[];
  inputs: string[];
  output: string;
}

const nameOf = ({ config }: SerializedObject): string => textOf(config['name']);

const called = (layer: SerializedObject, args: unknown[]): SerializedObject => ({
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
  const made = layers.map(context.convert);
  const [head, ...rest] = input ? [input, ...made] : made;
  if (head?.class_name !== 'InputLayer') {
    context.problems.push(
      `a branch of a Merge that begins with '${head ? nameOf(head) : 'nothing'}' does not say its input shape`,
    );
    return { entries: [], inputs: [], output: '' };
  }
  return append(
    { entries: [called(head, [])], inputs: [nameOf(head)], output: nameOf(head) },
    rest,
  );
}

function append(chain: Chain, layers: SerializedObject[]): Chain {
  let { output } = chain;
  const entries = [...chain.entries];
  for (const layer of layers) {
    entries.push(called(layer, [symbol(output)]));
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
  const call = called(layer, [branches.map(({ output }) => symbol(output))]);
  return {
    entries: [...branches.flatMap(({ entries }) => entries), call],
    inputs: branches.flatMap(({ inputs }) => inputs),
    output: nameOf(layer),
  };
}

/** The graph in Keras 3's form. */
export function toMerged(name: string, layers: Json[], context: Context): SerializedObject {
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
