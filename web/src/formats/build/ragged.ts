// SPDX-License-Identifier: MIT
// Models with `Input(ragged=True)`: their inputs become padded tensors with a mask, and methods
// such as `predict` accept rows of any length. build_model.ts fetches this file for them alone.
import type { Model } from '../../model/model.js';
import { paddingIds } from '../../model/padding/padding_ids.js';
import { padSequences } from '../../ops/pad_sequences.js';
import { Tensor } from '../../tensor/tensor.js';
import type { SerializedObject } from '../artifact.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';

/** Id that stands for padding: no embedding has a row for it. */
const kPadding = -1;

/** How the rows of an input are padded: ids with `kPadding`, other numbers with a mask. */
type Kind = 'ids' | 'numbers';

/** A config without ragged inputs, and how the inputs of its model are padded, in their order. */
export interface Dense {
  readonly config: SerializedObject;
  /** Undefined for an input that is not ragged. */
  readonly kinds: readonly (readonly [name: string, kind: Kind | undefined])[];
}

const layersOf = ({ config }: SerializedObject): SerializedObject[] =>
  listOf(config?.['layers']).filter(isRecord) as unknown as SerializedObject[];

const nameOf = ({ name, config }: SerializedObject): string =>
  textOf(name) || textOf(config['name']);

const isRagged = ({ class_name: className, config }: SerializedObject): boolean =>
  className === 'InputLayer' && config['ragged'] === true;

/** Returns the names of the layers whose outputs a call receives. */
function* sourcesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* sourcesOf(item);
  else if (isRecord(value)) {
    const { keras_history: history } = value;
    if (Array.isArray(history)) yield textOf(history[0]);
    else for (const item of Object.values(value)) yield* sourcesOf(item);
  }
}

/** Returns the layers that receive the outputs of another one. */
function consumersOf(model: SerializedObject, name: string): SerializedObject[] {
  const layers = layersOf(model);
  if (model.class_name === 'Sequential') {
    const at = layers.findIndex((layer) => nameOf(layer) === name);
    return layers.slice(at + 1, at + 2);
  }
  return layers.filter(({ inbound_nodes: calls }) => [...sourcesOf(calls)].includes(name));
}

const inputsOf = (model: SerializedObject): SerializedObject[] =>
  layersOf(model).filter(({ class_name: className }) => className === 'InputLayer');

/**
 * Returns how an input is padded, by the layers that receive it, also in models inside; undefined
 * if they need different kinds. Adds the Embedding layers to `embeddings`.
 */
function kindOf(
  model: SerializedObject,
  input: SerializedObject,
  embeddings = new Set<SerializedObject>(),
): Kind | undefined {
  const kinds = consumersOf(model, nameOf(input)).flatMap((layer): (Kind | undefined)[] => {
    if (Array.isArray(layer.config['layers'])) {
      return inputsOf(layer).map((inner) => (isRagged(inner) ? kindOf(layer, inner) : undefined));
    }
    if (layer.class_name !== 'Embedding') return ['numbers'];
    embeddings.add(layer);
    return ['ids'];
  });
  const [kind = 'numbers', ...others] = kinds;
  const rank = listOf(input.config['batch_shape']).length;
  const fits =
    kinds.every((each) => each !== undefined) && rank >= 2 && (kind !== 'ids' || rank === 2);
  return fits && others.every((other) => other === kind) ? kind : undefined;
}

/**
 * Returns the config with padded inputs. An Embedding, which would lose their mask, becomes a model
 * that masks the padding. Adds a sentence to `problems` for an input that cannot be padded.
 */
export function withPaddedInputs(model: SerializedObject, problems: string[]): Dense {
  const embeddings = new Set<SerializedObject>();
  const kinds = inputsOf(model).map((input) => {
    const name = nameOf(input);
    if (!isRagged(input)) return [name, undefined] as const;
    const kind = kindOf(model, input, embeddings);
    if (!kind) {
      problems.push(
        `'${name}': a ragged input of ids with several axes, or that an Embedding and other layers receive; pad the sequences and mask them in Python, and save the model again`,
      );
    }
    return [name, kind] as const;
  });
  const layers = layersOf(model).map((layer) => {
    if (isRagged(layer)) return { ...layer, config: { ...layer.config, ragged: false } };
    if (embeddings.has(layer)) return maskedEmbedding(layer);
    return Array.isArray(layer.config?.['layers'])
      ? withPaddedInputs(layer, problems).config
      : layer;
  });
  const named = new Map(kinds);
  const order = [...endsOf(model.config['input_layers'])].filter((name) => named.has(name));
  return {
    config: { ...model, config: { ...model.config, layers } },
    kinds: order.length > 0 ? order.map((name) => [name, named.get(name)] as const) : kinds,
  };
}

/** Returns the names in a structure of the ends of a graph, such as [['x', 0, 0]]. */
function* endsOf(value: unknown): Generator<string> {
  if (Array.isArray(value) && typeof value[0] === 'string') yield value[0];
  else if (isRecord(value)) for (const key of Object.keys(value).sort()) yield* endsOf(value[key]);
  else for (const item of listOf(value)) if (Array.isArray(item)) yield* endsOf(item);
}

const entry = (
  module: string,
  className: string,
  config: Json,
  call?: Json,
): SerializedObject & { name: unknown } => ({
  ...{ module, class_name: className, config, registered_name: null },
  ...{ name: config['name'], inbound_nodes: call ? [{ kwargs: {}, ...call }] : [] },
});

const output = (name: string, shape: readonly (number | null)[], dtype: string): Json => ({
  class_name: '__keras_tensor__',
  config: { shape, dtype, keras_history: [name, 0, 0] },
});

/** A model of an Embedding that masks the ids `kPadding`, and 0 if the layer masks it. */
function maskedEmbedding(layer: SerializedObject): SerializedObject {
  const name = nameOf(layer);
  const { mask_zero: masksZero, output_dim: columns } = layer.config;
  const shape = [null, null];
  const vectors = [...shape, Number(columns)];
  const ids = output('ids', shape, 'int32');
  const input = (inputName: string, batchShape: readonly (number | null)[], dtype: string) =>
    entry('keras.layers', 'InputLayer', { name: inputName, batch_shape: batchShape, dtype });
  const withMask = {
    ...{ name: 'with_mask', layers: [input('vectors', vectors, 'float32')] },
    ...{ input_layers: ['vectors', 0, 0], output_layers: ['vectors', 0, 0] },
  };
  const mask = output('kept', shape, 'bool');
  const layers = [
    input('ids', shape, 'int32'),
    entry('keras.src.ops.numpy', 'Maximum', { name: 'rows' }, { args: [ids, 0] }),
    entry(
      'keras.layers',
      'Embedding',
      { ...layer.config, name, mask_zero: false },
      { args: [output('rows', shape, 'int32')] },
    ),
    entry(
      ...(['keras.src.ops.numpy', masksZero ? 'Greater' : 'NotEqual', { name: 'kept' }] as const),
      { args: [ids, masksZero ? 0 : kPadding] },
    ),
    entry('keras', 'Functional', withMask, {
      args: [output(name, vectors, 'float32')],
      kwargs: { mask },
    }),
  ];
  return {
    ...layer,
    ...{ module: 'keras', class_name: 'Functional', registered_name: null },
    config: {
      ...{ name, trainable: layer.config['trainable'] ?? true, layers },
      ...{ input_layers: ['ids', 0, 0], output_layers: ['with_mask', 1, 0] },
    },
  };
}

/** Methods that begin with the inputs of the model. */
const kMethods: readonly string[] = [
  'predict',
  'predictAsync',
  'evaluate',
  'fit',
  'trainOnBatch',
  'testOnBatch',
  'predictOnBatch',
  'traceMasks',
  'profile',
  'checkPadding',
];

/** Lets the methods of a model accept rows of any length for its ragged inputs. */
export function acceptRows(model: Model, kinds: Dense['kinds']): void {
  const ids = kinds.flatMap(([name, kind], i) =>
    kind === 'ids' ? [name, String(i), ...(kinds.length === 1 ? [''] : [])] : [],
  );
  paddingIds.set(model, new Map(ids.map((key) => [key, kPadding])));
  for (const name of kMethods) {
    const method: unknown = Reflect.get(model, name);
    if (typeof method !== 'function') continue;
    const value = (inputs: unknown, ...rest: unknown[]): unknown => {
      const made: Tensor[] = [];
      const free = (): void => {
        for (const tensor of made) tensor.dispose();
      };
      let result: unknown;
      try {
        result = Reflect.apply(method, model, [paddedInputs(inputs, kinds, made), ...rest]);
      } catch (error) {
        free();
        throw error;
      }
      if (result instanceof Promise) return result.finally(free);
      free();
      return result;
    };
    Object.defineProperty(model, name, { value, configurable: true, writable: true });
  }
}

/** Pads the rows among the inputs: one input, a list of inputs, or a dictionary. */
function paddedInputs(inputs: unknown, kinds: Dense['kinds'], made: Tensor[]): unknown {
  const padded = (value: unknown, kind: Kind | undefined): unknown => {
    const isRows = Array.isArray(value) && value.length > 0 && value.every(isRow);
    return kind && isRows ? paddedRows(value, kind, made) : value;
  };
  const [first] = kinds;
  if (kinds.length === 1 && Array.isArray(inputs)) return padded(inputs, first?.[1]);
  if (Array.isArray(inputs)) return inputs.map((value, i) => padded(value, kinds[i]?.[1]));
  const isDictionary = isRecord(inputs) && !(inputs instanceof Tensor);
  if (!isDictionary || kinds.every(([name]) => !Object.hasOwn(inputs, name))) return inputs;
  const named = new Map(kinds);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, padded(value, named.get(name))]),
  );
}

type Row = ArrayLike<unknown>;

const isRow = (value: unknown): value is Row => Array.isArray(value) || ArrayBuffer.isView(value);

function paddedRows(rows: readonly Row[], kind: Kind, made: Tensor[]): Tensor {
  const isIds = kind === 'ids';
  const padded = padSequences(rows, {
    ...{ padding: 'post', dtype: isIds ? 'int32' : 'float32', value: isIds ? kPadding : 0 },
  });
  made.push(padded);
  const length = padded.shape[1] ?? 0;
  if (isIds || length === 0) return padded;
  const kept = rows.map((row) => Array.from({ length }, (_, step) => step < row.length));
  const masked = padded.withMask(kept);
  made.push(masked);
  return masked;
}
