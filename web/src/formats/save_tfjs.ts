// SPDX-License-Identifier: MIT
// The chunk of `saveTfjs`: model.json, shards, and the names that TensorFlow.js gives to weights.
// tfjs_writer/ converts the config.
import { joinBytes } from '../base/array.js';
import { checkOptions, checkText, refuse } from '../base/check.js';
import type { SaveTfjsOptions, TfjsWeights } from '../model/load_options.js';
import { ConfigError, ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import { kerasConfig } from './write/keras_config.js';
import { pythonJson } from './write/python_json.js';
import { checkBuilt } from './save.js';
import { isPlace } from './open/open_file.js';
import { writeFiles } from './write/write_file.js';
import { smallWeight, type Weight } from './tfjs_writer/small_weights.js';
import { topologyOf, withoutPrefix } from './tfjs_writer/topology.js';
import { type TreeNode, withLayerTree } from './tree.js';
import { arrayOf } from './write/weights_file.js';
import { native, unwrap } from '../engine/engine.js';
import { encodeUtf8 } from '../engine/utf8.js';
import { nodeModule } from '../engine/node_module.js';
import { warn } from '../base/visible.js';
import { shardMark } from './tfjs_writer/shard_names.js';

/** Size of a shard in bytes, as in TensorFlow's converter: browsers cache files of this size. */
const kShardBytes = 4 * 1024 * 1024;

const kinds: readonly TfjsWeights[] = ['float32', 'float16', 'uint8'];

/** Name scope of a layer's weights in TensorFlow.js. Models add no scope. */
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

/** Weights of a node and all nodes below it, with their names in TensorFlow.js. */
function weightsOf(
  node: TreeNode,
  parent: TreeNode | null,
  index: number,
  outerScope: string,
): Weight[] {
  const scope = scopeOf(node, parent, index, outerScope);
  const weights = node.weights.map((weight): Weight => {
    const { shape, dtype, data } = arrayOf(weight);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { name: `${scope}/${weight.name}`, shape, dtype, bytes };
  });
  return [...weights, ...node.children.flatMap((child, i) => weightsOf(child, node, i, scope))];
}

function checkNames(weights: readonly Weight[]): void {
  const names = new Set<string>();
  for (const { name } of weights) {
    if (names.has(name)) {
      throw new ValueError(
        `two weights would have the name '${name}' in TensorFlow.js; rename the layers of nested models`,
      );
    }
    names.add(name);
  }
}

/** Layers to which TensorFlow.js passes no mask, and those that refuse several masked inputs. */
const kIgnoring = new Set(['GlobalAveragePooling1D', 'BatchNormalization', 'Softmax']);
const kMerging = new Set(
  'Add Average Concatenate Maximum Minimum Multiply Subtract Dot'.split(' '),
);

/** Warns of layers that treat masked steps otherwise in TensorFlow.js. */
function warnOfMasks(model: Layer): void {
  const { kind } = unwrap(native().layerInfo(model.handle));
  if (kind !== 'functional' && kind !== 'sequential') return;
  const rows = unwrap(native().modelSummary(model.handle));
  const masked = new Set(rows.filter((row) => row.masked).map(({ name }) => name));
  const reached = rows.filter((row) => row.inbound.some((name) => masked.has(name)));
  const namesIn = (classes: ReadonlySet<string>): string[] => [
    ...new Set(reached.filter((row) => classes.has(row.className)).map(({ name }) => name)),
  ];
  const parts = [
    [namesIn(kIgnoring), 'ignores masks'],
    [namesIn(kMerging), 'may refuse masked inputs'],
  ] as const;
  for (const [names, what] of parts) {
    if (names.length === 0) continue;
    warn(
      `saveTfjs: TensorFlow.js ${what} in ${names.join(', ')}; check its results of padded rows`,
    );
  }
}

/** Name of the main file if the caller chooses none. */
const kMain = 'model.json';

/** Serializes a `model.json`, and returns a function that adds the paths of its shards. */
function jsonWithPaths(
  topology: unknown,
  specs: readonly object[],
): (paths: readonly string[]) => Uint8Array {
  const text = pythonJson({
    format: 'layers-model',
    generatedBy: 'maskflow',
    convertedBy: null,
    // Keras 2's dialect, whose hard_sigmoid is that of TensorFlow.js.
    modelTopology: { keras_version: '2.15.0', backend: 'tensorflow', model_config: topology },
    weightsManifest: [],
  });
  const weights = pythonJson(specs);
  const begin = text.slice(0, -']}'.length);
  return (paths) => encodeUtf8(`${begin}{"paths":${JSON.stringify(paths)},"weights":${weights}}]}`);
}

/**
 * The files of a TensorFlow.js layers model by name: `model.json` and its shards. `main` is the
 * name that `model.json` will have.
 */
function tfjsFiles(model: Layer, kind: TfjsWeights, main: string): Map<string, Uint8Array> {
  checkBuilt(model);
  const topology = topologyOf(kerasConfig(model));
  const weights = withLayerTree(model, (tree) => weightsOf(tree, null, 0, ''));
  checkNames(weights);
  warnOfMasks(model);
  const small = weights.map((weight) => smallWeight(weight, kind));
  const bytes = joinBytes(weights.map((weight, i) => small[i]?.bytes ?? weight.bytes));
  const count = Math.ceil(bytes.length / kShardBytes);
  const specs = weights.map(({ name, shape, dtype }, i) => ({
    ...{ name, shape, dtype },
    ...(small[i] && { quantization: small[i].quantization }),
  }));
  const json = jsonWithPaths(topology, specs);
  const mark = shardMark(main, json([]), bytes);
  const paths = Array.from(
    { length: count },
    (_, i) => `group1-shard${i + 1}of${count}-${mark}.bin`,
  );
  const files = new Map([[kMain, json(paths)]]);
  for (const [i, path] of paths.entries()) {
    files.set(path, bytes.slice(i * kShardBytes, (i + 1) * kShardBytes));
  }
  return files;
}

/**
 * Implements `Model.saveTfjs`: returns all files by name. With a name, writes `model.json` there
 * and the shards beside it.
 */
export async function saveTfjs(
  model: Layer,
  name: string | undefined,
  options: SaveTfjsOptions = {},
): Promise<Map<string, Uint8Array>> {
  const { weights = 'float32' } = checkOptions(options, { weights: 1 });
  if (!kinds.includes(weights)) {
    refuse('weights', "'float32', 'float16' or 'uint8'", weights, ConfigError);
  }
  if (name !== undefined) checkText(name, 'the name of a file');
  if (name !== undefined && isPlace(name)) {
    throw new ValueError(`'${name}' keeps one file, but saveTfjs() writes several; use save()`);
  }
  const slash = Math.max(name?.lastIndexOf('/') ?? -1, name?.lastIndexOf('\\') ?? -1) + 1;
  const files = tfjsFiles(model, weights, name?.slice(slash) ?? kMain);
  if (name === undefined) return files;
  const folder = name.slice(0, slash);
  // model.json is the last file to change, because it names the others.
  const [[, json], ...shards] = [...files] as [[string, Uint8Array], ...[string, Uint8Array][]];
  const parts = [...shards.map(([path, bytes]) => [folder + path, bytes] as const), [name, json]];
  if (!nodeModule('node:fs/promises')) await writeFiles(parts as [string, Uint8Array][]);
  else {
    const { replacingShards } = await import('./tfjs_writer/old_shards.js');
    await replacingShards(name, () => writeFiles(parts as [string, Uint8Array][]));
  }
  return files;
}
