// SPDX-License-Identifier: MIT
import { checkOptions, checkText, isPlain, show } from '../../base/check.js';
import { ConfigError } from '../../base/errors.js';
import { toCamel, toSnake } from '../../base/names.js';
import { nearestOf } from '../../base/nearest.js';
import type { Layer } from '../../layers/layer.js';
import { type Tensor, tensor } from '../../tensor/tensor.js';
import { checkKind, isKind, kindOf, kinds } from './kinds/index.js';
import { attribute, type Facts } from './kinds/kind.js';
import { findTensor, listed, type ModuleNode, namesIn, nodesAt } from './module_node.js';
import type { PythonObject } from './python_values.js';
import type { TorchKind, TorchLayerOptions } from './settings.js';
import { hostElements } from './stored.js';

/** A module of a file of PyTorch. The other fields are the settings that its tensors state. */
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
export class TorchFile {
  readonly #root: ModuleNode;

  /** @internal */
  constructor(root: ModuleNode) {
    this.#root = root;
  }

  /** Names of the tensors, as stored. */
  get names(): string[] {
    return [...namesIn(this.#root)];
  }

  /**
   * Returns a tensor: floats of any size as float32, integers as int32. The prefixes of wrappers
   * (`module.`, `model.`, `_orig_mod.`) may be left out. Throws ConfigError for an unknown name, and
   * ValueError for an integer that int32 cannot hold.
   */
  get(name: string): Tensor {
    checkText(name, 'the name of a tensor');
    const [full, stored] = findTensor(this.#root, name);
    const { data, dtype } = hostElements(stored, full);
    return tensor(data, { shape: [...stored.shape], dtype });
  }

  /** The modules that have tensors, each with its kind and its sizes. */
  get modules(): TorchModule[] {
    const modules: TorchModule[] = [];
    const visit = (node: ModuleNode): void => {
      const kind = kindOf(node);
      const facts = isKind(kind) ? kinds[kind].facts(node) : {};
      if (kind === undefined) for (const child of node.children.values()) visit(child);
      else modules.push({ ...facts, path: node.path, kind } as TorchModule);
    };
    visit(this.#root);
    return modules;
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
    const all = (): string => listed(this.modules.map(({ path: each }) => each));
    const nodes = nodesAt(this.#root, path);
    const [node, ...others] = nodes.length > 1 ? nodes.filter((each) => kindOf(each)) : nodes;
    const second = others.find((other) => !other.path.startsWith(node?.nameOf('') as string));
    if (!node) {
      if (nodes[0]) return checkKind(nodes[0], undefined, all()) as never;
      const paths = this.modules.map(({ path: each }) => each);
      throw new ConfigError(
        `the file has no module ${show(path)}${nearestOf(path, paths)}; its modules are ${all()}`,
      );
    }
    if (second) {
      throw new ConfigError(`${show(path)} is ambiguous: '${node.path}' or '${second.path}'`);
    }
    const given = inCamelCase(options);
    if (given.kind !== undefined && !isKind(given.kind)) {
      const names = Object.keys(kinds);
      const hint = nearestOf(String(given.kind), names);
      throw new ConfigError(
        `unknown kind ${show(given.kind)}${hint}; the kinds are ${names.join(', ')}`,
      );
    }
    const kind = checkKind(node, given.kind ?? kindOf(node), all());
    return kinds[kind].make({ kind, node, settings: settingsOf(node, kind, given) });
  }
}

/** Returns the options under their names in camelCase, without undefined ones. */
function inCamelCase(options: TorchLayerOptions): TorchLayerOptions {
  if (!isPlain(options)) return checkOptions(options, {} as never);
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [toCamel(name), value]),
  );
}

/** A list of one number as that number: PyTorch writes both. */
const simplified = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value;

/** Joins facts, the settings of a pickled module, and the caller's. Throws ConfigError. */
function settingsOf(
  node: ModuleNode,
  kind: TorchKind,
  given: TorchLayerOptions,
): TorchLayerOptions {
  const { facts: readFacts, options, recorded } = kinds[kind];
  const { record } = node;
  const free = options.split(' ');
  const attributes = record ? { ...readAttributes(free, record), ...recorded?.(record) } : {};
  const settings = { ...attributes, ...given };
  const facts = readFacts(node, settings);
  if (!facts) {
    throw new ConfigError(
      `'${node.path}' is not a ${kind}: its tensors are ${listed([...node.tensors.keys()])}`,
    );
  }
  const names = ['kind', 'name', 'batchFirst', ...Object.keys(facts), ...free];
  checkOptions(given, Object.fromEntries(names.map((name) => [name, 1])) as never);
  for (const [name, stated] of Object.entries(facts)) {
    const value = simplified(given[name as keyof TorchLayerOptions] ?? stated);
    if (String(value) === String(simplified(stated))) continue;
    throw new ConfigError(
      `'${node.path}' has ${name} ${show(simplified(stated))} in the file, but the option is ${show(value)}`,
    );
  }
  return { ...settings, ...facts };
}

/** Returns those attributes of a pickled module that are settings. */
function readAttributes(names: readonly string[], record: PythonObject): TorchLayerOptions {
  const entries = names.map((name) => [name, attribute(record, toSnake(name))]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
