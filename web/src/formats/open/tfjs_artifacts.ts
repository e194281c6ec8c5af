// SPDX-License-Identifier: MIT
// Models in memory as TensorFlow.js passes them between its IOHandlers: { modelTopology,
// weightSpecs, weightData }.
import { isPlain } from '../../base/check.js';
import type { NamedFile } from '../../base/model_source.js';
import { isBytes } from '../../base/tag.js';
import { encodeUtf8 } from '../../engine/utf8.js';

interface Artifacts {
  readonly modelTopology: unknown;
  readonly weightSpecs: readonly unknown[];
  readonly weightData: ArrayBuffer | ArrayBufferView | readonly ArrayBuffer[];
}

/** Returns whether the source has a model and its weights in this form. */
export const isArtifacts = (source: unknown): source is Artifacts =>
  isPlain(source) && 'modelTopology' in source && Array.isArray(source['weightSpecs']);

/** Returns the same model as its files: model.json, and a shard for each buffer. */
export function filesOfArtifacts({ weightSpecs, weightData, ...others }: Artifacts): NamedFile[] {
  const buffers = isBytes(weightData) ? [weightData] : [weightData ?? []].flat();
  const shards = buffers.map((data, i) => ({ name: `group1-shard${i + 1}.bin`, data }));
  const paths = shards.map(({ name }) => name);
  const model = { ...others, weightsManifest: [{ paths, weights: weightSpecs }] };
  return [
    { name: 'model.json', data: encodeUtf8(JSON.stringify(model)) },
    ...shards,
  ] as NamedFile[];
}
