// SPDX-License-Identifier: MIT
// The `modelTopology` of model.json. save_tfjs.ts adds the weights.
import { UnsupportedError } from '../../base/errors.js';
import { isRecord, type Json } from '../../base/json.js';
import type { SerializedObject } from '../artifact.js';
import type { Call } from '../write/build_config.js';
import { toTfjsRelu } from './relu.js';
import { activationOf, unsupportedParts } from './support.js';

type Entry = SerializedObject & { name?: string; inbound_nodes?: Call[] };

const isOperation = ({ module }: Entry): boolean =>
  String(module ?? '').startsWith('keras.src.ops');

/** Name of a forward layer without its prefix, which TensorFlow.js adds itself. */
export const withoutPrefix = (name: string): string => name.replace(/^forward_/, '');

/** Keras 3's [name, call, output] of a symbolic tensor; null for another value. */
function historyOf(value: unknown): unknown[] | null {
  if (!isRecord(value) || value['class_name'] !== '__keras_tensor__') return null;
  return (value['config'] as { keras_history: unknown[] }).keras_history;
}

/** Returns whether it is a model: TensorFlow.js calls models at creation, so counts from 1. */
const isModel = ({ class_name: name }: Entry): boolean =>
  name === 'Functional' || name === 'Sequential';

/** Tensors of a call in the order of the arguments, without masks, which TensorFlow.js computes. */
function tensorsOf(call: Call): unknown[][] {
  const { mask: _, ...kwargs } = call.kwargs;
  const visit = (value: unknown): unknown[][] => {
    const history = historyOf(value);
    if (history) return [history];
    return Array.isArray(value) ? value.flatMap(visit) : [];
  };
  return [...call.args, ...Object.values(kwargs)].flatMap(visit);
}

/** The name of an operation for the message. `withMask` is written as a copy. */
const nameOf = ({ class_name: name }: Entry): string =>
  name === 'Copy' ? 'withMask' : `the operation ${name}`;

/** Converts a config and collects what TensorFlow.js lacks. */
class Topology {
  readonly problems = new Set<string>();

  layer(layer: Entry): Json {
    const entry = toTfjsRelu(layer);
    for (const problem of unsupportedParts(entry)) this.problems.add(problem);
    const { class_name: name, config } = entry;
    if (name === 'Functional') return { class_name: 'Functional', config: this.functional(config) };
    if (name === 'Sequential') {
      const layers = (config['layers'] as Entry[]).map((layer) => this.layer(layer));
      return { class_name: name, config: { name: config['name'], layers } };
    }
    return { class_name: name, config: this.config(name, config) };
  }

  functional(config: Json): Json {
    const entries = config['layers'] as Entry[];
    const needed = this.#neededNames(entries, config['output_layers']);
    const used = entries.filter((entry) => needed.has(String(entry.name)));
    for (const entry of used) if (isOperation(entry)) this.problems.add(nameOf(entry));
    const namesOf = (list: Entry[]): Set<string> => new Set(list.map(({ name }) => String(name)));
    const models = namesOf(entries.filter(isModel));
    const sequentials = namesOf(entries.filter((entry) => entry.class_name === 'Sequential'));
    const layers = used
      .filter((entry) => !isOperation(entry))
      .map((entry) => {
        const nodes = (entry.inbound_nodes ?? []).map((call) =>
          tensorsOf(call).map(([name, node, output]) => {
            const firstCall = models.has(String(name)) ? 1 : 0;
            return [name, Number(node) + firstCall, output, {}];
          }),
        );
        return { ...this.layer(entry), name: entry.name, inbound_nodes: nodes };
      });
    return {
      name: config['name'],
      layers,
      input_layers: this.#ends(config['input_layers'], sequentials),
      output_layers: this.#ends(config['output_layers'], sequentials),
    };
  }

  /** Names of all inputs and of the operations from which the outputs are computed. */
  #neededNames(entries: readonly Entry[], outputs: unknown): Set<string> {
    const byName = new Map(entries.map((entry) => [String(entry.name), entry]));
    const inputs = entries.filter(({ class_name: kind }) => kind === 'InputLayer');
    // A set's iterator also visits the names that are added meanwhile.
    const names = new Set(this.#ends(outputs, new Set()).map(([name]) => String(name)));
    for (const { name } of inputs) names.add(String(name));
    for (const name of names) {
      for (const call of byName.get(name)?.inbound_nodes ?? []) {
        for (const [from] of tensorsOf(call)) names.add(String(from));
      }
    }
    return names;
  }

  /**
   * Inputs or outputs. There, Keras 3 counts the calls of Functional models from 1, others from 0.
   */
  #ends(value: unknown, sequentials: ReadonlySet<string>): unknown[][] {
    if (isRecord(value)) {
      this.problems.add('inputs or outputs by name');
      return this.#ends(Object.values(value), sequentials);
    }
    const list = value as unknown[];
    if (Array.isArray(list[0])) return list.flatMap((item) => this.#ends(item, sequentials));
    const [name, call, output] = list as [string, number, number];
    return [[name, sequentials.has(name) ? call + 1 : call, output]];
  }

  config(className: string, config: Json): Json {
    const result: Json = {};
    for (const [key, value] of Object.entries(config)) {
      // Settings for training are left out: TensorFlow.js has other classes for them.
      if (/_(regularizer|constraint)$/.test(key)) continue;
      if (['quantization_config', 'lora_rank', 'weights', 'backward_layer'].includes(key)) continue;
      result[key] = this.value(value, key);
    }
    if (className === 'InputLayer') {
      const { batch_shape: shape, optional: _, ragged: __, ...rest } = result;
      return { ...rest, batch_input_shape: shape };
    }
    const layer = result['layer'] as { config: Json } | undefined;
    if (className === 'Bidirectional' && layer) {
      layer.config['name'] = withoutPrefix(String(layer.config['name']));
    }
    return result;
  }

  value(value: unknown, key: string): unknown {
    if (typeof value === 'string' && /activation$/.test(key)) return activationOf(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (!isRecord(value)) return value;
    const entry = value as unknown as Entry;
    if (entry.class_name === 'DTypePolicy') return entry.config['name'];
    if (key === 'layer' || key === 'cell' || key === 'cells') return this.layer(entry);
    return 'class_name' in value
      ? { class_name: value['class_name'], config: value['config'] }
      : value;
  }
}

/**
 * Converts the config of a model to the dialect of TensorFlow.js, which is that of Keras 2.
 * UnsupportedError that lists everything TensorFlow.js lacks.
 */
export function topologyOf(entry: SerializedObject): { class_name: string; config: object } {
  const topology = new Topology();
  const result = topology.layer(entry) as { class_name: string; config: object };
  if (topology.problems.size === 0) return result;
  throw new UnsupportedError(
    `TensorFlow.js lacks ${[...topology.problems].join(', ')}; save the model as '.keras' instead`,
  );
}
