// SPDX-License-Identifier: MIT
// The table of modules that become layers, and the guess of a module's kind from the shapes of its
// tensors. A new kind is added here.
import { ConfigError, UnsupportedError } from '../../../base/errors.js';
import type { ModuleNode } from '../module_node.js';
import type { TorchKind } from '../settings.js';
import { attention } from './attention.js';
import { conv1d } from './conv.js';
import { encoder, encoderLayer } from './encoder.js';
import type { Kind } from './kind.js';
import { batchNorm, layerNorm, rmsNorm } from './norms.js';
import { recurrent } from './recurrent.js';
import { embedding, linear, prelu, weightSize } from './simple.js';

/** All kinds; the first one whose tensors match is chosen. */
export const kinds: { readonly [Name in TorchKind]: Kind } = {
  LSTM: recurrent('LSTM'),
  GRU: recurrent('GRU'),
  RNN: recurrent('RNN'),
  MultiheadAttention: attention,
  TransformerEncoderLayer: encoderLayer,
  TransformerEncoder: encoder,
  BatchNorm1d: batchNorm,
  Conv1d: conv1d,
  Embedding: embedding,
  Linear: linear,
  LayerNorm: layerNorm,
  RMSNorm: rmsNorm,
  PReLU: prelu,
};

/** A kind, or words for what a module may be. */
type KindOrWords = TorchKind | (string & {});

/** Tests of other modules of PyTorch, by name. */
const others: readonly (readonly [name: string, (node: ModuleNode) => boolean])[] = [
  ['TransformerDecoderLayer', (node) => !!node.at('self_attn') && !!node.at('multihead_attn')],
  ['TransformerDecoder', (node) => !!node.at('layers.0.multihead_attn')],
  ['Transformer', (node) => !!node.at('encoder.layers.0') && !!node.at('decoder.layers.0')],
  ['recurrent cell', (node) => node.tensors.has('weight_ih') && node.tensors.has('weight_hh')],
  ['module with spectral_norm', ({ tensors }) => tensors.has('weight_orig')],
  ['module with weight_norm', ({ tensors }) => tensors.has('weight_v') || tensors.has('weight_g')],
  ['parametrized module', (node) => !!node.at('parametrizations')],
  ['ConvTranspose1d', isTransposed],
  ['Conv2d', (node) => node.shapeOf('weight')?.length === 4],
  ['Conv3d', (node) => node.shapeOf('weight')?.length === 5],
];

/** Returns whether the bias has the second size of the weight, as in nn.ConvTranspose1d. */
function isTransposed(node: ModuleNode): boolean {
  const [rows, columns, steps] = node.shapeOf('weight') ?? [];
  const [size] = node.shapeOf('bias') ?? [];
  return steps !== undefined && size === columns && size !== rows;
}

/** Words in paths by which the kind of a module is known, if its tensors allow several. */
const pathWords: readonly (readonly [RegExp, TorchKind])[] = [
  [/emb|wte|wpe|lookup/i, 'Embedding'],
  [/fc|lin|proj|dense|head|out|class|decode|mlp|ffn?|w[qkvo]\b/i, 'Linear'],
  [/rms/i, 'RMSNorm'],
  [/act|relu/i, 'PReLU'],
];

/** Returns the name of the class if it is one of PyTorch's own. */
function classOf({ record }: ModuleNode): string | undefined {
  return /^torch\.nn\.modules\.\w+\.(\w+)$/.exec(record?.className ?? '')?.[1];
}

/** Classes with another name than their kind. */
const aliases: { readonly [name: string]: TorchKind } = {
  NonDynamicallyQuantizableLinear: 'Linear',
};
const containers = /^(Module|Sequential|ModuleList|ModuleDict|ParameterList|ParameterDict)$/;

/** Returns which of these kinds a module is, by its path; all if the path does not say. */
function byPath(path: string, ...all: readonly TorchKind[]): KindOrWords {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const match = pathWords.find(([words, kind]) => all.includes(kind) && words.test(last));
  return match ? match[1] : all.join(' or ');
}

/** Returns the kind of a module by its tensors; undefined if they are not those of one module. */
function byTensors(node: ModuleNode): KindOrWords | undefined {
  const other = others.find(([, matches]) => matches(node));
  if (other) return other[0];
  const entries = Object.entries(kinds) as [TorchKind, Kind][];
  const [name] = entries.find(([, kind]) => kind.facts(node)) ?? [];
  if (name === 'Embedding') return byPath(node.path, 'Embedding', 'Linear');
  if (name === 'LayerNorm' && rmsNorm.facts(node)) {
    if (weightSize(node) === 1) return 'PReLU';
    return byPath(node.path, name, 'RMSNorm', ...(prelu.facts(node) ? ['PReLU' as const] : []));
  }
  return name;
}

/**
 * Returns the kind of a module, or words for one that does not become a layer; undefined if the
 * node only contains other modules.
 */
export function kindOf(node: ModuleNode): KindOrWords | undefined {
  const name = classOf(node);
  if (name !== undefined && !containers.test(name)) {
    return Object.hasOwn(aliases, name) ? aliases[name] : name;
  }
  return name === undefined ? byTensors(node) : undefined;
}

export const isKind = (name: unknown): name is TorchKind =>
  typeof name === 'string' && Object.hasOwn(kinds, name);

/** Returns the kind. Throws an error that says why the module does not become a layer. */
export function checkKind(
  node: ModuleNode,
  name: KindOrWords | undefined,
  all: () => string,
): TorchKind {
  if (isKind(name)) return name;
  const path = `'${node.path}'`;
  if (name === undefined) {
    throw new ConfigError(`${path} is not a single module; the modules are ${all()}`);
  }
  if (name.includes(' or ')) {
    const [first] = name.split(' ');
    throw new ConfigError(
      `${path} has a weight of shape [${node.shapeOf('weight')}], which may be ${name}; say which: { kind: '${first}' }`,
    );
  }
  throw new UnsupportedError(
    `${path}: ${name} of PyTorch has no layer here; get its tensors with file.get(name), and build it of layers and ops`,
  );
}
