// SPDX-License-Identifier: MIT
// TF.js's layers format: `model.json` has the config and the list of weights, whose numbers are in
// shards beside it.
import { addTo, joinBytes, joinInto, sum } from '../../base/array.js';
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
import { bytesPerElement, decodeWeight, dtypeOf, isFloat32 } from './tfjs_arrays.js';

/** The files beside `model.json`. */
export type Shards = Pick<OpenFile, 'budget' | 'sibling'>;

/** Returns whether this is the content of a TF.js `model.json`. */
export const isTfjs = (json: unknown): json is Json =>
  isRecord(json) && ('modelTopology' in json || 'weightsManifest' in json);

/**
 * Reads a `model.json` and its shards, one after the other in the order of the manifest. Throws
 * UnsupportedError for a graph model, which has no layers, and FormatError if a file is damaged.
 */
export async function readTfjs(
  json: Json,
  shards: Shards,
  { replaced, architectureOnly = false }: ReadOptions = {},
): Promise<Artifact> {
  refuseGraphModel(json);
  const topology = isRecord(json['modelTopology']) ? json['modelTopology'] : null;
  const hasWeights = !architectureOnly && 'weightsManifest' in json;
  const backend = textOf(topology?.['backend']);
  const weights = hasWeights ? await readWeights(json, shards, backend) : null;
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

function refuseGraphModel(json: Json): void {
  const topology = json['modelTopology'];
  const isGraph = isRecord(topology) && ('node' in topology || 'library' in topology);
  if (json['format'] !== 'graph-model' && !isGraph) return;
  throw new UnsupportedError(
    "this model.json is a graph model of TF.js (format 'graph-model'): TensorFlow operations without layers. Convert the Keras model with --output_format=tfjs_layers_model, or save it as .keras",
  );
}

/** The weights of a group: its shards hold them one after the other. */
async function readGroup(group: Json, shards: Shards): Promise<NamedArray[]> {
  const { budget } = shards;
  const specs = listOf(group['weights']).filter(isRecord);
  const paths = listOf(group['paths']).map(textOf);
  budget.spend('entries', specs.length + paths.length, 'the weights manifest');
  const sizes = specs.map((spec) => elementsOf(spec) * bytesPerElement(spec));
  const needed = sum(sizes);
  const parts = await shardsOf(paths, needed, shards);
  const received = sum(parts.map(({ byteLength }) => byteLength));
  if (received !== needed) {
    throw new FormatError(
      `the shards ${shortList(paths)} have ${received} bytes, but their weights need ${needed}; ${received < needed ? 'a download may be cut short: fetch them again' : 'check that they belong to this model.json'}`,
    );
  }
  let offset = 0;
  return specs.map((spec, i) => {
    const start = offset;
    offset += sizes[i] ?? 0;
    const pieces = piecesOf(parts, start, offset);
    const array = {
      name: textOf(spec['name']),
      shape: listOf(spec['shape']).map(Number),
      dtype: dtypeOf(spec),
      read: () => decodeWeight(spec, joinBytes(pieces)),
    };
    return isFloat32(spec) ? { ...array, writer: () => writerOf(pieces) } : array;
  });
}

/** Views of the bytes from `start` to `end` of all parts together. */
function piecesOf(parts: readonly Uint8Array[], start: number, end: number): Uint8Array[] {
  let partEnd = 0;
  return parts.flatMap((part) => {
    const partStart = partEnd;
    partEnd += part.length;
    if (partEnd <= start || partStart >= end) return [];
    return part.subarray(Math.max(0, start - partStart), end - partStart);
  });
}

const writerOf = (pieces: readonly Uint8Array[]): FloatWriter => {
  return ({ buffer, byteOffset, byteLength }) =>
    joinInto(new Uint8Array(buffer, byteOffset, byteLength), pieces);
};

/** Longest list of names in a message. */
const kMaxNames = 20;

const shortList = (paths: readonly string[]): string =>
  paths.slice(0, kMaxNames).join(', ') +
  (paths.length > kMaxNames ? ` and ${paths.length - kMaxNames} more` : '');

/** The bytes of the shards. Stops reading when they exceed what the weights need. */
async function shardsOf(
  paths: readonly string[],
  needed: number,
  { sibling, budget }: Shards,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let missing = needed;
  for (const path of paths) {
    const { bytes, name } = await sibling(path, Math.max(missing, kSmallFile));
    // A server may answer with a web page if the file is missing.
    const stranger = bytes.length <= kSmallFile ? strangerIn(bytes, name) : undefined;
    if (stranger && bytes.length > missing) throw new FormatError(stranger);
    if (bytes.length === 0 && needed > 0) throw new FormatError(`${name} is empty (0 bytes)`);
    parts.push(bytes);
    missing -= bytes.length;
    if (missing < 0) break;
    await budget.pause();
  }
  return parts;
}

/** Largest size of error pages and Git LFS pointers that are recognised, in bytes. */
const kSmallFile = 2 ** 16;

function elementsOf(spec: Json): number {
  let count = 1;
  for (const dim of listOf(spec['shape'])) {
    if (!Number.isInteger(dim) || (dim as number) < 0) {
      throw new FormatError(
        `weight '${textOf(spec['name'])}' has the invalid shape ${JSON.stringify(spec['shape'])}`,
      );
    }
    count *= dim as number;
  }
  return count;
}

/** Groups arrays by the prefix of their name: `lstm/lstm_cell` for `lstm/lstm_cell/kernel`. */
function byPrefix(arrays: readonly NamedArray[]): StoredLayer[] {
  const layers = new Map<string, NamedArray[]>();
  for (const array of arrays) {
    const prefix = array.name.slice(0, Math.max(0, array.name.lastIndexOf('/')));
    addTo(layers, prefix, array);
  }
  return [...layers].map(([name, weights]) => ({ name, weights }));
}
