// SPDX-License-Identifier: MIT
// The state of a model that Keras 2.2 and 2.3 pickle: the content of an .h5 file as dictionaries,
// in which each array is a pickle of its own.
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { visible } from '../../base/visible.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { Artifact, NamedArray, ReadOptions, StoredLayer } from '../artifact.js';
import { parseJson } from '../json_text.js';
import type { OpenFile } from '../open/open_file.js';
import { NumpyArray } from './numpy_values.js';
import { pickledValue } from './read_pickle.js';

/** Dictionary of a group, with texts as keys. */
type Group = ReadonlyMap<unknown, unknown>;

/** Returns whether a dictionary is the state of a model. */
export const isKeras2State = (value: Group): boolean =>
  ['model_config', 'model_weights'].every((key) => value.has(key));

/** Returns a text of Python 2, or bytes of Python 3. */
const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? decodeUtf8(value) : typeof value === 'string' ? value : '';

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** Reads the state as an .h5 file. */
export async function readKeras2State(
  state: Group,
  file: OpenFile,
  { replaced }: ReadOptions,
): Promise<Artifact> {
  const { name, budget } = file;
  const group = state.get('model_weights');
  if (!(group instanceof Map)) throw lacks(name, 'model_weights');
  const kerasVersion = textOf(state.get('keras_version')) || textOf(group.get('keras_version'));
  const parse = (key: string): unknown =>
    state.has(key) ? parseJson(textOf(state.get(key)), `'${key}' in ${name}`, budget) : null;
  const { toKeras3 } = await import('../dialects/to_keras3.js');
  const layers: StoredLayer[] = [];
  for (const layer of textsOf(group.get('layer_names'))) {
    layers.push({ name: layer, weights: await arraysOf(group.get(layer), layer, file) });
  }
  return {
    ...toKeras3(parse('model_config'), kerasVersion || '2.2', budget, replaced),
    kerasVersion,
    weights: { kind: 'layers', level: 'top', layers, backend: textOf(state.get('backend')) },
    compileConfig: parse('training_config'),
    optimizer: [],
  };
}

async function arraysOf(group: unknown, layer: string, file: OpenFile): Promise<NamedArray[]> {
  if (!(group instanceof Map)) throw lacks(file.name, layer);
  const arrays: NamedArray[] = [];
  for (const name of textsOf(group.get('weight_names'))) {
    const stored = group.get(name);
    const value =
      stored instanceof Uint8Array || typeof stored === 'string'
        ? await pickledValue({ ...file, bytes: bytesOf(stored) })
        : stored;
    if (!(value instanceof NumpyArray) || !value.dtype.isNumeric) throw lacks(file.name, name);
    const { shape, dtype } = value;
    const read = (): TypedArray => value.elements(file.budget) as TypedArray;
    arrays.push({ name, shape, dtype: dtype.name, read });
  }
  return arrays;
}

/** Python 2 has bytes as texts, a character for each byte. */
const bytesOf = (stored: Uint8Array | string): Uint8Array =>
  typeof stored === 'string'
    ? Uint8Array.from(stored, (character) => character.charCodeAt(0))
    : stored;

const lacks = (name: string, part: string): FormatError =>
  new FormatError(
    `${name} is a pickle with a model of Keras 2.2 that lacks '${visible(part)}': it may be damaged; pickle the model again, or save it with model.save("name.h5")`,
  );
