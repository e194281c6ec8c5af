// SPDX-License-Identifier: MIT
// Puts the layers that read text back in front of the graph: in its summary, and in its config.
import type { NativeShape, NativeSummaryRow } from '../engine/native.js';
import type { SerializedObject } from '../formats/artifact.js';
import { isTextInput, layersOf, nameOf } from './entries.js';
import type { TextLayer } from './text_layer.js';

/** An input of the model as in its file. */
export interface TextInput {
  /** Name of the input. */
  readonly name: string;
  /**
   * Chains of layers that convert the strings, one for each input of the graph; null for numbers.
   */
  readonly chains: readonly (readonly TextLayer[])[] | null;
  /** Shape of the text input, with the batch; undefined if the file does not say. */
  readonly shape?: unknown;
  /** For each chain, the input of the graph that receives its result. */
  readonly results?: readonly string[];
}

const noParameters = { masked: false, parameters: 0, trainableParameters: 0 };

/** Rows of a summary with those of the text inputs and their layers in front. */
export function withTextRows(
  inputs: readonly TextInput[],
  rows: readonly NativeSummaryRow[],
): NativeSummaryRow[] {
  // The last layer of each chain by the input of the graph that stands for its result.
  const producers = new Map<string, string>();
  const front = inputs.flatMap(({ name, chains, shape, results = [] }): NativeSummaryRow[] => {
    if (!chains) return [];
    const outputShapes = [(Array.isArray(shape) ? shape : [null]) as NativeShape];
    const layers = chains.flatMap((chain, i) => {
      const result = results[i] ?? '';
      producers.set(result, chain.at(-1)?.name ?? '');
      const shapes = rows.find((row) => row.name === result)?.outputShapes ?? [];
      return chain.map((layer, at) => ({
        ...noParameters,
        name: layer.name,
        className: layer.className,
        outputShapes: at === chain.length - 1 ? shapes : [],
        inbound: [chain[at - 1]?.name ?? name],
      }));
    });
    return [
      { ...noParameters, name, className: 'InputLayer', outputShapes, inbound: [] },
      ...layers,
    ];
  });
  const names = new Set(front.map(({ name }) => name));
  const isOfText = ({ name, className }: NativeSummaryRow): boolean =>
    producers.has(name) || (className === 'Identity' && names.has(name));
  const others = rows
    .filter((row) => !isOfText(row))
    .map((row) => ({ ...row, inbound: row.inbound.map((from) => producers.get(from) ?? from) }));
  return [...front, ...others];
}

/** The entries of a model with layers that read text, with the other layers as they are now. */
function currentLayers(
  whole: SerializedObject,
  graph: SerializedObject,
  text: ReadonlySet<string>,
): SerializedObject[] {
  const current = new Map(layersOf(graph).map((entry) => [nameOf(entry), entry]));
  return layersOf(whole).map((entry) => {
    const name = nameOf(entry);
    const own = text.has(name) ? undefined : current.get(name);
    // A text input keeps its entry; in the graph it stands for the result of its layers.
    if (!own || own.class_name !== entry.class_name || own.class_name === 'InputLayer')
      return entry;
    const { inbound_nodes: calls } = entry;
    const latest = calls === undefined ? own : { ...own, inbound_nodes: calls };
    if (!layersOf(entry).some(isTextInput)) return latest;
    const { input_layers: inputs, output_layers: outputs } = entry.config;
    const ends = inputs !== undefined && { input_layers: inputs, output_layers: outputs };
    const config = { ...own.config, layers: currentLayers(entry, own, text), ...ends };
    return { ...latest, config, build_config: entry['build_config'] };
  });
}

/** The config of the whole model, with the layers of the graph as they are now. */
export function withTextLayers(
  whole: SerializedObject,
  textLayers: readonly TextLayer[],
  graph: SerializedObject,
): SerializedObject {
  const text = new Set(textLayers.map(({ name }) => name));
  const { compile_config: compiled } = graph;
  return {
    ...whole,
    config: { ...whole.config, layers: currentLayers(whole, graph, text) },
    ...(compiled === undefined ? {} : { compile_config: compiled }),
  };
}
