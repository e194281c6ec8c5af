// SPDX-License-Identifier: MIT
// Finds the layers of a config whose class is neither Keras's nor registered.
import { isBuiltin } from '../../layers/layer_objects.js';
import type { Shape } from '../../layers/layer_config.js';
import { isForeign, isRegistered } from '../../layers/registry.js';
import type { SerializedObject } from '../artifact.js';
import { isSymbol } from '../dialects/graph_symbols.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { isImageLayer } from '../image_layers.js';
import { textLayers } from '../../layers/text_symbols.js';
import { ownSettings } from './numbers.js';
import { inComment } from './safe_text.js';

/** A symbolic tensor of the file. */
export interface Spec {
  readonly shape: Shape;
  readonly dtype: string;
}

/** A layer whose class is unknown. */
export interface UnknownLayer {
  readonly name: string;
  readonly settings: Json;
  /** Inputs; null where the file does not say. */
  readonly inputs: readonly Spec[] | null;
  /** Whether the inputs are a list, even if it is of one tensor. */
  readonly isList: boolean;
  /** Outputs; null where the file does not say. */
  readonly outputs: readonly Spec[] | null;
  /** Names and values of further arguments of its call. */
  readonly extras: readonly string[];
}

/** A class that the file uses and nobody defines. */
export interface UnknownClass {
  readonly className: string;
  /** `Package>Name`; null if the class was not registered in Python. */
  readonly registered: string | null;
  /** A cell is called by an RNN, a model is the whole file. */
  readonly kind: 'layer' | 'cell' | 'model';
  readonly layers: UnknownLayer[];
}

/** Settings that contain layers. */
const kSublayerKeys = ['layer', 'forward_layer', 'backward_layer', 'cell', 'cells', 'layers'];

/** Lists the unknown classes of a model's config, in its order. */
export function unknownClasses(config: SerializedObject): UnknownClass[] {
  const search = new Search();
  search.visit(config, { inputs: null, outputs: null }, 'model');
  return [...search.classes.values()];
}

/** Inputs and outputs of the Lambda layers of a model, as text by layer name. */
export function lambdaCalls(config: SerializedObject): Map<string, string> {
  const search = new Search();
  search.visit(config, { inputs: null, outputs: null }, 'model');
  return new Map(
    search.lambdas
      .filter(({ inputs, outputs }) => inputs || outputs)
      .map(({ name, inputs, isList, outputs }) => [
        name,
        `receives ${specsText(inputs, isList)} and must return ${specsText(outputs, false)}`,
      ]),
  );
}

const shapeText = ({ shape, dtype }: Spec): string =>
  `[${shape.map((dim) => dim ?? 'null').join(', ')}]${dtype ? ` ${inComment(dtype)}` : ''}`;

/** Shapes and dtypes of inputs or outputs, for comments and messages. */
export const specsText = (specs: readonly Spec[] | null, isList: boolean): string =>
  specs === null
    ? 'unknown (the file does not say)'
    : isList || specs.length > 1
      ? `the list ${specs.map(shapeText).join(', ')}`
      : specs.map(shapeText).join('');

/** Inputs and outputs of a layer, as far as they are known. */
interface Ends {
  inputs: readonly Spec[] | null;
  outputs: readonly Spec[] | null;
  isList?: boolean;
  extras?: readonly string[];
}

const kDeepest = 100;

class Search {
  readonly classes = new Map<string, UnknownClass>();
  readonly lambdas: UnknownLayer[] = [];
  #depth = 0;

  visit(entry: unknown, ends: Ends, kind: UnknownClass['kind']): void {
    if (!isRecord(entry) || !isRecord(entry['config']) || this.#depth >= kDeepest) return;
    const { class_name: name, config } = entry;
    if (typeof name !== 'string') return;
    this.#depth++;
    const isUnknown = !isKnown(entry, name);
    if (isUnknown) this.#add(entry, name, ends, kind);
    else if (name === 'Lambda') this.lambdas.push(layerOf(entry, name, ends));
    const layers = config['layers'];
    if (Array.isArray(layers)) this.#visitLayers(config, layers, ends);
    else this.#visitSublayers(name, config, ends);
    this.#depth--;
  }

  #add(entry: Json, name: string, ends: Ends, kind: UnknownClass['kind']): void {
    const { registered_name: full } = entry;
    const registered = typeof full === 'string' && full !== name ? full : null;
    const key = registered ?? name;
    const bare = name.slice(name.lastIndexOf('>') + 1);
    const known = this.classes.get(key) ?? {
      className: bare,
      registered: registered ?? (name === bare ? null : name),
      kind,
      layers: [],
    };
    this.classes.set(key, known);
    known.layers.push(layerOf(entry, bare, ends));
  }

  #visitSublayers(className: string, config: Json, { outputs }: Ends): void {
    // Each step of TimeDistributed lacks the time axis.
    const [output] = className === 'TimeDistributed' ? (outputs ?? []) : [];
    const ofStep = output ? [{ ...output, shape: output.shape.filter((_, i) => i !== 1) }] : null;
    for (const key of kSublayerKeys) {
      for (const part of listOf(config[key])) {
        const kind = key.startsWith('cell') ? 'cell' : 'layer';
        this.visit(part, { inputs: null, outputs: ofStep }, kind);
      }
    }
  }

  #visitLayers(config: Json, layers: readonly unknown[], ends: Ends): void {
    if (
      'input_layers' in config ||
      layers.some((layer) => isRecord(layer) && 'inbound_nodes' in layer)
    ) {
      const outputs = outputsIn(layers);
      for (const layer of layers) {
        if (isRecord(layer)) this.visit(layer, endsOfCall(layer, outputs), 'layer');
      }
      return;
    }
    let shape: Shape | null = null;
    layers.forEach((layer, i) => {
      if (!isRecord(layer)) return;
      shape = builtShape(layer) ?? shape;
      const next = builtShape(layers[i + 1]);
      const dtype = '';
      this.visit(
        layer,
        {
          inputs: shape && [{ shape, dtype }],
          outputs: next ? [{ shape: next, dtype }] : i === layers.length - 1 ? ends.outputs : null,
        },
        'layer',
      );
      shape = layer['class_name'] === 'InputLayer' ? shape : next;
    });
  }
}

function layerOf(entry: Json, className: string, ends: Ends): UnknownLayer {
  const { config, build_config: build } = entry as { config: Json; build_config?: unknown };
  const built = shapeOf(isRecord(build) ? build['input_shape'] : null);
  return {
    name: textOf(config['name']) || textOf(entry['name']) || className,
    settings: ownSettings(config),
    inputs: ends.inputs ?? (built ? [{ shape: built, dtype: '' }] : null),
    isList: ends.isList ?? false,
    outputs: ends.outputs,
    extras: ends.extras ?? [],
  };
}

function isKnown(entry: Json, className: string): boolean {
  const { config, module } = entry;
  const isModel = isRecord(config) && Array.isArray(config['layers']);
  if (isModel && ['Functional', 'Sequential', 'Model'].includes(className)) return true;
  const isKeras =
    ['InputLayer', 'Lambda', 'TFOpLambda', ...textLayers].includes(className) ||
    isBuiltin(className) ||
    isImageLayer(entry) ||
    textOf(module).startsWith('keras');
  return (isKeras && !isForeign(entry)) || isRegistered(entry);
}

function shapeOf(value: unknown): Shape | null {
  const isDim = (dim: unknown): boolean => dim === null || Number.isSafeInteger(dim);
  return Array.isArray(value) && value.length > 0 && value.every(isDim) ? (value as Shape) : null;
}

/** The input shape of a layer in a Sequential model. */
function builtShape(layer: unknown): Shape | null {
  if (!isRecord(layer)) return null;
  const { build_config: build, config } = layer;
  const shape = shapeOf(isRecord(build) ? build['input_shape'] : null);
  return shape ?? shapeOf(isRecord(config) ? config['batch_shape'] : null);
}

type History = readonly [string, number, number];

/** Calls `use` for each symbolic tensor in a value. */
function eachSymbol(
  value: unknown,
  use: (spec: Spec | null, history: History) => void,
  depth = 0,
): void {
  if (typeof value !== 'object' || value === null || depth > kDeepest) return;
  if (isSymbol(value)) {
    const { config } = value as Json;
    const { shape, dtype, keras_history: history } = isRecord(config) ? config : {};
    const dims = shapeOf(shape);
    const spec = dims && { shape: dims, dtype: textOf(dtype) };
    const [name, call, output] = listOf(history);
    use(spec, [textOf(name), Number(call), Number(output)]);
  } else for (const item of Object.values(value)) eachSymbol(item, use, depth + 1);
}

/** Outputs of first calls by layer, as other layers use them. */
function outputsIn(layers: readonly unknown[]): Map<string, Spec[]> {
  const outputs = new Map<string, Spec[]>();
  for (const layer of layers) {
    eachSymbol(isRecord(layer) ? layer['inbound_nodes'] : null, (spec, [name, call, output]) => {
      if (!spec || call !== 0 || !(output >= 0 && output < kMaxOutputs)) return;
      const list = outputs.get(name) ?? [];
      list[output] = spec;
      outputs.set(name, list);
    });
  }
  return outputs;
}

const kMaxOutputs = 100;

/** The first call of a layer in a graph. */
function endsOfCall(layer: Json, outputs: ReadonlyMap<string, readonly Spec[]>): Ends {
  const [call] = listOf(layer['inbound_nodes']);
  const { args, kwargs } = isRecord(call) ? call : {};
  const [first, ...others] = listOf(args);
  const inputs: (Spec | null)[] = [];
  eachSymbol(first, (spec) => inputs.push(spec));
  const known = outputs.get(textOf(layer['name'])) ?? [];
  const given = Array.from(known);
  return {
    inputs: inputs.length > 0 && inputs.every((spec) => spec !== null) ? inputs : null,
    outputs: given.length > 0 && given.every(Boolean) ? given : null,
    isList: Array.isArray(first),
    extras: [
      ...others.map((_, i) => `argument ${i + 2}`),
      ...Object.entries(isRecord(kwargs) ? kwargs : {})
        .filter(([, value]) => value !== null)
        .map(([key]) => key),
    ],
  };
}
