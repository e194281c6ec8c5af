// SPDX-License-Identifier: MIT
// TF.js's layers format: `model.json` with the configuration and the list of weights, which lie in shards beside it.
import { joinBytes, joinInto, sum } from '../../base/array.js';
import { FormatError, UnsupportedError } from '../../base/errors.js';
import type {
  Artifact,
  FloatWriter,
  LayerWeights,
  NamedArray,
  ReadOptions,
  StoredLayer,
} from '../artifact.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import { strangerIn } from '../open/recognise.js';
import type { OpenFile } from '../open/open_file.js';
import { bytesPerElement, decoded, dtypeOf, isFloat32 } from './tfjs_arrays.js';

/** The files beside `model.json`. */
export type Shards = Pick<OpenFile, 'budget' | 'sibling'>;

/** Is this the content of a `model.json` of TF.js? */
export const isTfjs = (json: unknown): json is Json =>
  isRecord(json) && ('modelTopology' in json || 'weightsManifest' in json);

/**
 * The model of a `model.json`. Shards are asked for one after the other, in the order of the manifest.
 * UnsupportedError for a graph model, which has no layers; FormatError for what is damaged.
 */
export async function readTfjs(
  json: Json,
  shards: Shards,
  { replaced, architectureOnly = false }: ReadOptions = {},
): Promise<Artifact> {
  refuseGraph(json);
  const topology = isRecord(json['modelTopology']) ? json['modelTopology'] : null;
  const alone = architectureOnly || !('weightsManifest' in json);
  const weights = alone ? null : await readWeights(json, shards, textOf(topology?.['backend']));
  const kerasVersion = textOf(topology?.['keras_version']) || textOf(json['generatedBy']);
  if (!topology) return { config: null, kerasVersion, weights };
  const model = topology['model_config'] ?? topology;
  return { ...toKeras3(model, kerasVersion, shards.budget, replaced), kerasVersion, weights };
}

async function readWeights(json: Json, shards: Shards, backend: string): Promise<LayerWeights> {
  const arrays: NamedArray[] = [];
  for (const group of listOf(json['weightsManifest']).filter(isRecord)) {
    for (const array of await readGroup(group, shards)) arrays.push(array);
  }
  return { kind: 'layers', level: 'inner', layers: byPrefix(arrays), backend };
}

function refuseGraph(json: Json): void {
  const topology = json['modelTopology'];
  const isGraph = isRecord(topology) && ('node' in topology || 'library' in topology);
  if (json['format'] !== 'graph-model' && !isGraph) return;
  throw new UnsupportedError(
    "this model.json is a graph model of TF.js (format 'graph-model'): operations of TensorFlow without layers, weights frozen into them. Convert the Keras model with --output_format=tfjs_layers_model, or save it as .keras",
  );
}

/** The weights of one group: its shards joined, one weight after the other. */
async function readGroup(group: Json, shards: Shards): Promise<NamedArray[]> {
  const { budget } = shards;
  const specs = listOf(group['weights']).filter(isRecord);
  const paths = listOf(group['paths']).map(textOf);
  budget.spend('entries', specs.length + paths.length, 'the weights manifest');
  const sizes = specs.map((spec) => elementsOf(spec) * bytesPerElement(spec));
  const needed = sum(sizes);
  const parts = await shardsOf(paths, needed, shards);
  const given = sum(parts.map(({ byteLength }) => byteLength));
  if (given !== needed) {
    throw new FormatError(
      `the shards ${shortList(paths)} hold ${given} bytes, but their weights take ${needed}; ${given < needed ? 'is a download cut short?' : 'do they belong to this model.json?'}`,
    );
  }
  let offset = 0;
  return specs.map((spec, i) => {
    const start = offset;
    offset += sizes[i] ?? 0;
    const pieces = piecesOf(parts, start, offset);
    const described = {
      name: textOf(spec['name']),
      shape: listOf(spec['shape']).map(Number),
      dtype: dtypeOf(spec),
      read: () => decoded(spec, joinBytes(pieces)),
    };
    return isFloat32(spec) ? { ...described, writer: () => writing(pieces) } : described;
  });
}

/** What lies from `start` to `end` of all parts, one behind the other. */
function piecesOf(parts: readonly Uint8Array[], start: number, end: number): Uint8Array[] {
  let at = 0;
  return parts.flatMap((part) => {
    const before = at;
    at += part.length;
    if (at <= start || before >= end) return [];
    return part.subarray(Math.max(0, start - before), end - before);
  });
}

const writing = (pieces: readonly Uint8Array[]): FloatWriter => {
  return ({ buffer, byteOffset, byteLength }) =>
    joinInto(new Uint8Array(buffer, byteOffset, byteLength), pieces);
};

const kMostNames = 20;

const shortList = (paths: readonly string[]): string =>
  paths.slice(0, kMostNames).join(', ') +
  (paths.length > kMostNames ? ` and ${paths.length - kMostNames} more` : '');

/** The bytes of the shards, of which no more are asked for than the weights take. */
async function shardsOf(
  paths: readonly string[],
  needed: number,
  { sibling, budget }: Shards,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let left = needed;
  for (const path of paths) {
    const { bytes, name } = await sibling(path, Math.max(left, kLittle));
    // A server that has no such file may answer with a page.
    const stranger = bytes.length <= kLittle ? strangerIn(bytes, name) : undefined;
    if (stranger && bytes.length > left) throw new FormatError(stranger);
    if (bytes.length === 0 && needed > 0) throw new FormatError(`${name} is empty (0 bytes)`);
    parts.push(bytes);
    left -= bytes.length;
    if (left < 0) break;
    await budget.pause();
  }
  return parts;
}

// Pages of errors and pointers of Git LFS are no longer.
const kLittle = 2 ** 16;

function elementsOf(spec: Json): number {
  let count = 1;
  for (const dim of listOf(spec['shape'])) {
    if (!Number.isInteger(dim) || (dim as number) < 0) {
      throw new FormatError(
        `weight '${textOf(spec['name'])}' has the shape ${JSON.stringify(spec['shape'])}`,
      );
    }
    count *= dim as number;
  }
  return count;
}

/** By what stands before the last part of the name: `lstm/lstm_cell` of `lstm/lstm_cell/kernel`. */
function byPrefix(arrays: readonly NamedArray[]): StoredLayer[] {
  const layers = new Map<string, NamedArray[]>();
  for (const array of arrays) {
    const prefix = array.name.slice(0, Math.max(0, array.name.lastIndexOf('/')));
    const known = layers.get(prefix);
    if (known) known.push(array);
    else layers.set(prefix, [array]);
  }
  return [...layers].map(([name, weights]) => ({ name, weights }));
}
