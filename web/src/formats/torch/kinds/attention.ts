// SPDX-License-Identifier: MIT
// nn.MultiheadAttention, alone or in an encoder. PyTorch joins three projections in one matrix,
// Keras has a layer for each.
import type { CallOptions, LayerInputs, SymbolicInputs } from '../../../layers/args.js';
import type { Layer } from '../../../layers/layer.js';
import { MultiHeadAttention } from '../../../layers/more_layers.gen.js';
import type { ModuleNode } from '../module_node.js';
import {
  attribute,
  type Facts,
  headsOf,
  type Kind,
  nameOf,
  type Part,
  refuseSetting,
  transpose,
  withWeights,
} from './kind.js';

/** Attention in which a step sees only itself and the steps before, in every call. */
class CausalAttention extends MultiHeadAttention {
  override apply(inputs: LayerInputs | SymbolicInputs, options: CallOptions = {}): never {
    return super.apply(inputs as LayerInputs, { useCausalMask: true, ...options }) as never;
  }
}

function factsOf(node: ModuleNode): Facts | undefined {
  const projection = node.children.get('out_proj');
  const [embedDim] = projection?.shapeOf('weight') ?? [];
  const [joined] = node.shapeOf('in_proj_weight') ?? [];
  const separate = ['k_proj_weight', 'v_proj_weight'].map((name) => node.shapeOf(name)?.[1]);
  const [kdim = embedDim, vdim = embedDim] = separate;
  if (embedDim === undefined || (joined === undefined && separate[0] === undefined)) {
    return undefined;
  }
  return {
    embedDim,
    kdim: kdim as number,
    vdim: vdim as number,
    bias: node.tensors.has('in_proj_bias'),
  };
}

/** Returns the three projections of query, key and value: [features, embedDim] each. */
function projections(node: ModuleNode, sizes: readonly number[], embedDim: number): Float32Array[] {
  if (!node.tensors.has('in_proj_weight')) {
    return sizes.map((size, i) =>
      transpose(node.floats(`${'qkv'[i]}_proj_weight`, [embedDim, size]), size),
    );
  }
  const joined = node.floats('in_proj_weight', [3 * embedDim, embedDim]);
  return thirds(joined).map((matrix) => transpose(matrix, embedDim));
}

/** Returns the three parts of an array. */
function thirds(joined: Float32Array): Float32Array[] {
  const size = joined.length / 3;
  return [0, 1, 2].map((i) => joined.subarray(i * size, (i + 1) * size));
}

export function makeAttention(part: Part): MultiHeadAttention {
  const { node, settings } = part;
  const { embedDim = 0, kdim = embedDim, vdim = embedDim, bias, dropout = 0 } = settings;
  for (const name of ['bias_k', 'bias_v']) {
    if (node.tensors.has(name)) refuseSetting(part, 'add_bias_kv');
  }
  if (attribute(node.record, 'add_zero_attn')) refuseSetting(part, 'add_zero_attn');
  const numHeads = headsOf(part, embedDim);
  const sizes = [embedDim, kdim, vdim];
  const kernels = projections(node, sizes, embedDim);
  const output = node.children.get('out_proj') as ModuleNode;
  kernels.push(transpose(output.floats('weight', [embedDim, embedDim]), embedDim));
  const biases = bias ? thirds(node.floats('in_proj_bias', [3 * embedDim])) : [];
  if (bias) biases.push(output.floats('bias', [embedDim]));
  const weights = kernels.flatMap((kernel, i) => [kernel, ...(bias ? [biases[i] as never] : [])]);
  const Attention = settings.causal ? CausalAttention : MultiHeadAttention;
  const layer = new Attention({
    ...nameOf(part),
    numHeads,
    keyDim: embedDim / numHeads,
    useBias: bias === true,
    dropout,
  });
  // In Keras's order of building: query, key, value. Its `build` takes query, value, key.
  const shapes = [embedDim, vdim, kdim].map((size) => [null, null, size]);
  return withWeights(layer, shapes, weights);
}

export const attention: Kind = {
  facts: factsOf,
  options: 'numHeads dropout causal',
  make: makeAttention as (part: Part) => Layer,
};
