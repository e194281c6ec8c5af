// SPDX-License-Identifier: MIT
import type { Layer } from '../../../layers/layer.js';
import { BatchNormalization, LayerNormalization } from '../../../layers/more_layers.gen.js';
import type { ModuleNode } from '../module_node.js';
import { type Kind, nameOf, type Part, refuseSetting, withWeights } from './kind.js';

/** PyTorch's default; Keras's is 1e-3. */
const kEpsilon = 1e-5;

export const layerNorm: Kind = {
  facts(node) {
    const [shape, bias] = [node.shapeOf('weight'), node.shapeOf('bias')];
    if (!shape || shape.length === 0 || node.tensors.has('running_mean')) return undefined;
    if (bias && String(bias) !== String(shape)) return undefined;
    return { normalizedShape: shape, bias: bias !== undefined, elementwiseAffine: true };
  },
  options: 'eps',
  make(part) {
    const { node, settings } = part;
    const shape = settings.normalizedShape as readonly number[];
    const config = {
      ...nameOf(part),
      axis: shape.map((_, i) => i - shape.length),
      epsilon: settings.eps ?? kEpsilon,
      center: settings.bias === true,
    };
    const names = settings.bias ? ['weight', 'bias'] : ['weight'];
    const weights = names.map((name) => node.floats(name, shape));
    const inputShape = [null, ...(shape.length === 1 ? [null] : []), ...shape];
    return withWeights(new LayerNormalization(config), inputShape, weights);
  },
};

export const batchNorm: Kind = {
  facts(node: ModuleNode) {
    const [numFeatures] = node.shapeOf('running_mean') ?? [];
    if (numFeatures === undefined) return undefined;
    return { numFeatures, affine: node.tensors.has('weight'), trackRunningStats: true };
  },
  options: 'eps momentum',
  make: makeBatchNorm,
};

function makeBatchNorm(part: Part): Layer {
  const { node, settings } = part;
  const { numFeatures: features = 0, affine = true, momentum = 0.1 } = settings;
  if (momentum === null) refuseSetting(part, 'momentum=None');
  const names = [...(affine ? ['weight', 'bias'] : []), 'running_mean', 'running_var'];
  const weights = names.map((name) => node.floats(name, [features]));
  const layer = new BatchNormalization({
    ...nameOf(part),
    epsilon: settings.eps ?? kEpsilon,
    // PyTorch counts the share of the new batch, Keras that of the old statistics.
    momentum: 1 - momentum,
    center: affine,
    scale: affine,
  });
  return withWeights(layer, [null, features], weights);
}
