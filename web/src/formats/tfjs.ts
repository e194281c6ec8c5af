// SPDX-License-Identifier: MIT
// TF.js's layers format: `model.json` with the configuration and the list of weights, which lie in shards beside it.
import { FormatError, UnsupportedError } from '../errors.js';
import type { Artifact, NamedArray, StoredLayer } from './artifact.js';
import { isRecord, type Json, listOf, textOf } from './dialects/json.js';
import { toKeras3 } from './dialects.js';
import { bytesPerElement, decoded, dtypeOf } from './tfjs_arrays.js';

/** Gets the bytes of a shard, by its path as `model.json` names it. */
export type ShardSource = (path: string) => Promise<Uint8Array>;

/** Is this the content of a `model.json` of TF.js? */
export const isTfjs = (json: unknown): json is Json =>
  isRecord(json) && ('modelTopology' in json || 'weightsManifest' in json);

/**
 * The model of a `model.json`. Shards are asked for one after the other, in the order of the manifest.
 * UnsupportedError for a graph model, which has no layers; FormatError for what is damaged.
 */
export async function readTfjs(json: Json, shard: ShardSource): Promise<Artifact> {
  refuseGraph(json);
  const topology = isRecord(json['modelTopology']) ? json['modelTopology'] : null;
  const groups = listOf(json['weightsManifest']).filter(isRecord);
  const arrays: NamedArray[] = [];
  for (const group of groups) arrays.push(...(await readGroup(group, shard)));
  const weights = {
    kind: 'layers' as const,
    level: 'inner' as const,
    layers: byPrefix(arrays),
    backend: textOf(topology?.['backend']),
  };
  const kerasVersion = textOf(topology?.['keras_version']) || textOf(json['generatedBy']);
  if (!topology) return { config: null, kerasVersion, weights };
  const model = topology['model_config'] ?? topology;
  return { ...toKeras3(model, kerasVersion), kerasVersion, weights };
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
async function readGroup(group: Json, shard: ShardSource): Promise<NamedArray[]> {
  const parts: Uint8Array[] = [];
  for (const path of listOf(group['paths'])) parts.push(await shard(textOf(path)));
  const specs = listOf(group['weights']).filter(isRecord);
  const sizes = specs.map((spec) => elementsOf(spec) * bytesPerElement(spec));
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  const given = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (given !== needed) {
    throw new FormatError(
      `the shards ${listOf(group['paths']).join(', ')} hold ${given} bytes, but their weights take ${needed}; ${given < needed ? 'is a download cut short?' : 'do they belong to this model.json?'}`,
    );
  }
  const bytes = joined(parts, given);
  let offset = 0;
  return specs.map((spec, i) => {
    const start = offset;
    offset += sizes[i] ?? 0;
    const part = bytes.subarray(start, offset);
    return {
      name: textOf(spec['name']),
      shape: listOf(spec['shape']).map(Number),
      dtype: dtypeOf(spec),
      read: () => decoded(spec, part),
    };
  });
}

function elementsOf(spec: Json): number {
  let count = 1;
  for (const dim of listOf(spec['shape'])) {
    if (!Number.isInteger(dim) || (dim as number) < 0) {
      throw new FormatError(
        `weight '${spec['name']}' has the shape ${JSON.stringify(spec['shape'])}`,
      );
    }
    count *= dim as number;
  }
  return count;
}

function joined(parts: Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  // Elements of four bytes are read in place.
  if (parts.length === 1 && only && only.byteOffset % 4 === 0) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
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
