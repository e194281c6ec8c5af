// SPDX-License-Identifier: MIT
import { joinBytes } from '../base/array.js';
import { checkText } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import { kerasConfig } from './write/keras_config.js';
import { pythonJson } from './write/python_json.js';
import { checkBuilt } from './save.js';
import { writeFile } from './write/write_file.js';
import { topologyOf, withoutPrefix } from './tfjs_writer/topology.js';
import { type TreeNode, withLayerTree } from './tree.js';
import { arrayOf } from './write/weights_file.js';
import { encodeUtf8 } from '../engine/utf8.js';

/** Browsers keep files of this size in their caches; TensorFlow's converter cuts there, too. */
const kShard = 4 * 1024 * 1024;

interface Weight {
  name: string;
  shape: readonly number[];
  dtype: string;
  bytes: Uint8Array;
}

/** What TensorFlow.js calls the scope of a layer inside another; models open none. */
function scopeOf(
  { info, keys }: TreeNode,
  parent: TreeNode | null,
  index: number,
  scope: string,
): string {
  if (!parent || parent.info.kind === 'functional' || parent.info.kind === 'sequential') {
    return info.kind === 'layer' ? info.name : '';
  }
  if (keys[0] === 'forward_layer') return `${scope}/forward_${withoutPrefix(info.name)}`;
  if (keys[0] === 'backward_layer') {
    const forward = parent.children[0]?.info.name ?? '';
    return `${scope}/backward_${withoutPrefix(forward)}`;
  }
  return parent.info.className === 'StackedRNNCells' ? `${scope}/RNNCell_${index}` : scope;
}

function collect(node: TreeNode, parent: TreeNode | null, index: number, scope: string): Weight[] {
  const own = scopeOf(node, parent, index, scope);
  const weights = node.weights.map((weight): Weight => {
    const { shape, dtype, data } = arrayOf(weight);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { name: `${own}/${weight.name}`, shape, dtype, bytes };
  });
  return [...weights, ...node.children.flatMap((child, i) => collect(child, node, i, own))];
}

function checkNames(weights: readonly Weight[]): void {
  const names = weights.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return;
  throw new ValueError(
    `two weights would be called '${twice}' in TensorFlow.js; give the layers inside nested models other names`,
  );
}

/** The files of a TensorFlow.js layers model by name: `model.json` and its shards. */
export function tfjsFiles(model: Layer): Map<string, Uint8Array> {
  checkBuilt(model);
  const topology = topologyOf(kerasConfig(model));
  const weights = withLayerTree(model, (tree) => collect(tree, null, 0, ''));
  checkNames(weights);
  const bytes = joinBytes(weights.map((weight) => weight.bytes));
  const count = Math.ceil(bytes.length / kShard);
  const paths = Array.from({ length: count }, (_, i) => `group1-shard${i + 1}of${count}.bin`);
  const json = {
    format: 'layers-model',
    generatedBy: 'maskflow',
    convertedBy: null,
    // What the dialect is that of: hard_sigmoid means there what it does in TensorFlow.js.
    modelTopology: { keras_version: '2.15.0', backend: 'tensorflow', model_config: topology },
    weightsManifest: [
      { paths, weights: weights.map(({ name, shape, dtype }) => ({ name, shape, dtype })) },
    ],
  };
  const files = new Map([['model.json', encodeUtf8(pythonJson(json))]]);
  for (const [i, path] of paths.entries()) {
    files.set(path, bytes.slice(i * kShard, (i + 1) * kShard));
  }
  return files;
}

/** Writes `model.json` under the given name, and the shards beside it; gives all files by name. */
export async function saveTfjs(
  model: Layer,
  name: string | undefined,
): Promise<Map<string, Uint8Array>> {
  if (name !== undefined) checkText(name, 'the name of a file');
  const files = tfjsFiles(model);
  if (name === undefined) return files;
  const folder = name.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  for (const [path, bytes] of files) {
    await writeFile(path === 'model.json' ? name : folder + path, bytes);
  }
  return files;
}
