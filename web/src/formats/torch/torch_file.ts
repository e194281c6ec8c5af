// SPDX-License-Identifier: MIT
// The result of `readTorch`, from which users make layers. kinds/ does the work for each module.
import { Identity } from '../../base/identity.js';
import { checkOptions, checkText, isPlain, show } from '../../base/check.js';
import { ConfigError } from '../../base/errors.js';
import { toCamel, toSnake } from '../../base/names.js';
import { nearestOf } from '../../base/nearest.js';
import type { Layer } from '../../layers/layer.js';
import { type Tensor, tensor } from '../../tensor/tensor.js';
import { checkKind, isKind, kindOf, kinds } from './kinds/index.js';
import { attribute, type Facts } from './kinds/kind.js';
import { findTensor, listed, type ModuleNode, namesIn, nodesAt } from './module_node.js';
import {
  checkTypes,
  saidIn,
  simplified,
  type TorchKind,
  type TorchLayerOptions,
  withTypes,
} from './settings.js';
import { hostElements } from './stored.js';

/**
 * A module of a file of PyTorch. The other fields are the settings that its tensors state, and
 * those of a module that was saved whole.
 */
export type TorchModule = Omit<Facts, 'kind'> & {
  /** Path as stored; '' is the root. */
  readonly path: string;
  /**
   * Kind of the module: a {@link TorchKind}, 'Embedding or Linear' if its tensors allow both, or
   * the name of another class of PyTorch, which does not become a layer.
   */
  readonly kind: string;
};

/** The weights of a file of PyTorch; see `readTorch`. */
export class TorchFile extends Identity {
  readonly #root: ModuleNode;
  readonly #dataOf: () => unknown;
  #data: { readonly value: unknown } | undefined;
  #modules: readonly TorchModule[] | undefined;

  /** @internal */
  constructor(root: ModuleNode, dataOf: () => unknown) {
    super();
    this.#root = root;
    this.#dataOf = dataOf;
  }

  /**
   * The values beside the weights, as plain data: vocabularies, means, settings of a checkpoint.
   * Its keys are those of the file. Weights, modules and the states of optimizers are left out;
   * other tensors and NumPy's arrays are tensors. If `maskflow/text` is imported, scalers, encoders
   * and Tokenizers are objects. Data of `.safetensors` are its metadata. Throws ValueError for an
   * integer that int32 cannot hold.
   */
  get data(): unknown {
    this.#data ??= { value: this.#dataOf() };
    return this.#data.value;
  }

  /** Names of the tensors, as stored. */
  get names(): string[] {
    return [...namesIn(this.#root)];
  }

  /**
   * Returns a tensor: floats of any size as float32, integers as int32. The prefixes of wrappers
   * (`module.`, `model.`, `_orig_mod.`) may be left out. Throws ConfigError for an unknown name,
   * and ValueError for an integer that int32 cannot hold.
   */
  get(name: string): Tensor {
    checkText(name, 'the name of a tensor');
    const [full, stored] = findTensor(this.#root, name);
    const { data, dtype } = hostElements(stored, full);
    return tensor(data, { shape: [...stored.shape], dtype });
  }

  /** The modules that have tensors, each with its kind and its sizes. */
  get modules(): TorchModule[] {
    this.#modules ??= [...modulesIn(this.#root)];
    return this.#modules.map((module) => ({ ...module }));
  }

  /**
   * Creates the layer of a module, built and with its weights. '' is the root. The options are the
   * arguments of the module in PyTorch, in camelCase: a state dict does not state all of them. The
   * layer takes `[batch, time, features]`.
   *
   * Throws ConfigError for an unknown path or option, or an option that differs from the file, and
   * UnsupportedError for a module that has no layer here.
   *
   * @example const rnn = file.layer('rnn', { returnSequences: false });
   */
  layer(path: string, options: TorchLayerOptions = {}): Layer {
    checkText(path, 'the path of a module');
    const paths = (): string[] => this.modules.map(({ path: each }) => each);
    const all = (): string => listed(paths());
    const nodes = nodesAt(this.#root, path);
    const [node, ...others] = nodes.length > 1 ? nodes.filter((each) => kindOf(each)) : nodes;
    const second = others.find((other) => !other.path.startsWith(node?.nameOf('') as string));
    if (!node) {
      if (nodes[0]) return checkKind(nodes[0], undefined, all) as never;
      throw new ConfigError(
        `the file has no module ${show(path)}${nearestOf(path, paths())}; its modules are ${all()}`,
      );
    }
    if (second) {
      throw new ConfigError(`${show(path)} is ambiguous: '${node.path}' or '${second.path}'`);
    }
    const given = inCamelCase(options);
    const { kind: asked } = given;
    if (asked !== undefined && !isKind(asked)) {
      const names = Object.keys(kinds);
      const hint = typeof asked === 'string' ? nearestOf(asked, names) : '';
      throw new ConfigError(
        `unknown kind ${show(asked)}${hint}; the kinds are ${names.join(', ')}`,
      );
    }
    const kind = checkKind(node, asked ?? kindOf(node), all);
    return kinds[kind].make({ kind, node, settings: settingsOf(node, kind, given) });
  }
}

/** The modules of a node that have tensors. */
function* modulesIn(node: ModuleNode): Generator<TorchModule> {
  const kind = kindOf(node);
  const recorded = isKind(kind) ? recordedSettings(node, kind) : {};
  const settings = isKind(kind) ? { ...recorded, ...kinds[kind].facts(node, recorded) } : {};
  if (kind === undefined) for (const child of node.children.values()) yield* modulesIn(child);
  else yield { ...settings, path: node.path, kind };
}

/** Returns the options that are said, under their names in camelCase. */
function inCamelCase(options: TorchLayerOptions): TorchLayerOptions {
  if (!isPlain(options)) return checkOptions(options, {} as never);
  return saidIn(
    Object.fromEntries(Object.entries(options).map(([name, value]) => [toCamel(name), value])),
  );
}

/** Joins facts, the settings of a pickled module, and the caller's. Throws ConfigError. */
function settingsOf(
  node: ModuleNode,
  kind: TorchKind,
  given: TorchLayerOptions,
): TorchLayerOptions {
  const { facts: readFacts, options } = kinds[kind];
  const settings = { ...recordedSettings(node, kind), ...given };
  const facts = readFacts(node, settings);
  if (!facts) {
    throw new ConfigError(
      `'${node.path}' is not of the kind ${kind}: its tensors are ${listed([...node.tensors.keys()])}`,
    );
  }
  const names = ['kind', 'name', 'batchFirst', ...Object.keys(facts), ...options.split(' ')];
  checkOptions(given, Object.fromEntries(names.map((name) => [name, 1])) as never);
  checkTypes(given);
  for (const [name, stated] of Object.entries(facts)) {
    const value = given[name as keyof TorchLayerOptions] ?? simplified(stated);
    if (String(value) === String(simplified(stated))) continue;
    throw new ConfigError(
      `'${node.path}' has ${name} ${show(simplified(stated))} in the file, but the option is ${show(value)}`,
    );
  }
  return { ...settings, ...facts };
}

/** Returns the settings that a pickled module has, and its tensors do not state. */
function recordedSettings({ record }: ModuleNode, kind: TorchKind): TorchLayerOptions {
  if (!record) return {};
  const { options, recorded } = kinds[kind];
  const attributes = options.split(' ').map((name) => [name, attribute(record, toSnake(name))]);
  return withTypes({ ...Object.fromEntries(attributes), ...recorded?.(record) });
}
