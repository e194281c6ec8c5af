// SPDX-License-Identifier: MIT
// nn.TransformerEncoder and its layer, which Keras does not have: both become a functional model.
import { show } from '../../../base/check.js';
import { ConfigError, FormatError } from '../../../base/errors.js';
import { Input } from '../../../layers/input.js';
import type { Layer } from '../../../layers/layer.js';
import { Add, Average, Dropout } from '../../../layers/recurrent_layers.gen.js';
import { Model } from '../../../model/model.js';
import type { SymbolicTensor } from '../../../tensor/tensor.js';
import type { ModuleNode } from '../module_node.js';
import { member, type PythonObject } from '../../pickle/python_values.js';
import type { TorchKind, TorchLayerOptions } from '../settings.js';
import { attention } from './attention.js';
import {
  attribute,
  type Facts,
  headsOf,
  type Kind,
  nameOf,
  type Own,
  ofLayers,
  type Part,
} from './kind.js';
import { layerNorm } from './norms.js';
import { linear } from './simple.js';

/** Returns what the tensors of one layer state. */
function blockFacts(node: ModuleNode): Facts | undefined {
  const { embedDim: dModel, bias } = attention.facts(node.at('self_attn') ?? node) ?? {};
  const { outFeatures: dimFeedforward } = linear.facts(node.at('linear1') ?? node) ?? {};
  if (!node.at('self_attn') || !node.at('linear2') || !node.at('norm1') || !node.at('norm2')) {
    return undefined;
  }
  if (dModel === undefined || dimFeedforward === undefined || bias === undefined) return undefined;
  if (node.at('multihead_attn')) return undefined;
  return { dModel, dimFeedforward, bias };
}

/** Returns what the tensors of a stack state. */
function stackFacts(node: ModuleNode): Facts | undefined {
  const first = node.at('layers.0');
  const facts = first && blockFacts(first);
  if (!facts) return undefined;
  let numLayers = 1;
  while (node.at(`layers.${numLayers}`)) numLayers++;
  return { ...facts, numLayers };
}

/** Settings that a pickled layer keeps in the modules inside it. */
function recordedBlock(record: PythonObject): TorchLayerOptions {
  const inner = (name: string): PythonObject =>
    member(member(record, '_modules'), name) as PythonObject;
  return {
    nhead: attribute(inner('self_attn'), 'num_heads') as number,
    dropout: attribute(inner('dropout1'), 'p') as number,
    layerNormEps: attribute(inner('norm1'), 'eps') as number,
  };
}

function recordedStack(record: PythonObject): TorchLayerOptions {
  const layers = member(member(record, '_modules'), 'layers');
  const block = member(member(layers, '_modules'), '0') as PythonObject;
  return {
    ...recordedBlock(block),
    activation: attribute(block, 'activation') as 'relu',
    normFirst: attribute(block, 'norm_first') === true,
  };
}

/** The layers of one block, and how they are joined. */
class Block {
  readonly #part: Part;

  constructor(
    part: Part,
    readonly node: ModuleNode,
    readonly own: Own,
  ) {
    this.#part = part;
  }

  #layer(path: string, kind: TorchKind, make: Kind, settings: TorchLayerOptions): Layer {
    const node = this.node.at(path);
    const facts = node && make.facts(node);
    if (!node || !facts) {
      throw new FormatError(
        `'${this.node.nameOf(path)}' of the file is missing, or is not a ${kind}`,
      );
    }
    return this.own(make.make({ kind, node, settings: { ...facts, ...settings } }));
  }

  #norm(path: string, x: SymbolicTensor): SymbolicTensor {
    const { layerNormEps: eps = 1e-5 } = this.#part.settings;
    return this.#layer(path, 'LayerNorm', layerNorm, { eps }).apply(x);
  }

  #drop(x: SymbolicTensor): SymbolicTensor {
    const { dropout: rate = 0 } = this.#part.settings;
    return rate > 0 ? this.own(new Dropout({ rate })).apply(x) : x;
  }

  #attend(x: SymbolicTensor): SymbolicTensor {
    const { settings } = this.#part;
    const { dModel = 1, dropout = 0, causal = false } = settings;
    const options = { numHeads: headsOf(this.#part, dModel), dropout, causal };
    const layer = this.#layer('self_attn', 'MultiheadAttention', attention, options);
    return this.#drop(layer.apply({ query: x, value: x, key: x }));
  }

  #feed(x: SymbolicTensor): SymbolicTensor {
    const { activation = 'relu' } = this.#part.settings;
    const hidden = this.#layer('linear1', 'Linear', linear, { activation }).apply(x);
    return this.#drop(this.#layer('linear2', 'Linear', linear, {}).apply(this.#drop(hidden)));
  }

  run(x: SymbolicTensor): SymbolicTensor {
    const add = (a: SymbolicTensor, b: SymbolicTensor): SymbolicTensor =>
      this.own(new Add()).apply([a, b]);
    if (this.#part.settings.normFirst) {
      const attended = add(x, this.#attend(this.#norm('norm1', x)));
      return add(attended, this.#feed(this.#norm('norm2', attended)));
    }
    // As in Keras, attention removes the masks from its arguments. It gets a copy, whose mask is
    // its own: the mean of x and x is x.
    const copy: SymbolicTensor = this.own(new Average()).apply([x, x]);
    const attended = this.#norm('norm1', add(x, this.#attend(copy)));
    return this.#norm('norm2', add(attended, this.#feed(attended)));
  }
}

/** Creates the model of the blocks at these paths, and of the last LayerNorm if there is one. */
function modelOf(part: Part, paths: readonly string[]): Layer {
  const { node, settings } = part;
  const { dModel = 1, layerNormEps: eps = 1e-5, activation = 'relu' } = settings;
  if (activation !== 'relu' && activation !== 'gelu') {
    throw new ConfigError(
      `'${node.path}' has activation ${show(activation)}; an encoder of PyTorch has 'relu' or 'gelu'`,
    );
  }
  return ofLayers((own) => {
    const inputs: SymbolicTensor = Input({ shape: [null, dModel] });
    let outputs = inputs;
    for (const path of paths) {
      outputs = new Block(part, node.at(path) as ModuleNode, own).run(outputs);
    }
    const last = paths[0] === '' ? undefined : node.at('norm');
    if (last) {
      const recordedEps = attribute(last.record, 'eps') as number | undefined;
      const norm = { ...layerNorm.facts(last), eps: recordedEps ?? eps };
      const layer = layerNorm.make({ kind: 'LayerNorm', node: last, settings: norm });
      outputs = own(layer).apply(outputs);
    }
    const model = own(new Model({ ...nameOf(part), inputs, outputs }));
    // Its layers pass the mask on. A nested model without this setting warns that it does not.
    model.supportsMasking = true;
    return model;
  });
}

const options = 'nhead dropout activation layerNormEps normFirst causal';

export const encoderLayer: Kind = {
  facts: blockFacts,
  options,
  recorded: recordedBlock,
  make: (part) => modelOf(part, ['']),
};

export const encoder: Kind = {
  facts: stackFacts,
  options,
  recorded: recordedStack,
  make(part) {
    const { numLayers = 1 } = part.settings;
    return modelOf(
      part,
      Array.from({ length: numLayers }, (_, i) => `layers.${i}`),
    );
  },
};
