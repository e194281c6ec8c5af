// SPDX-License-Identifier: MIT
// nn.LayerNorm, nn.RMSNorm and nn.BatchNorm1d.
import type { Layer } from '../../../layers/layer.js';
import {
  BatchNormalization,
  LayerNormalization,
  RMSNormalization,
} from '../../../layers/more_layers.gen.js';
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
    const { eps: epsilon = kEpsilon, bias: center = false } = part.settings;
    const { config, inputShape, weights } = scaleOf(part);
    const layer = new LayerNormalization({ ...config, epsilon, center });
    return withWeights(layer, inputShape, weights);
  },
};

/** PyTorch's default: the distance from 1 to the next float32. */
const kFloatEpsilon = 2 ** -23;

export const rmsNorm: Kind = {
  facts(node) {
    const { normalizedShape } = layerNorm.facts(node) ?? {};
    if (!normalizedShape || node.tensors.has('bias')) return undefined;
    return { normalizedShape, elementwiseAffine: true };
  },
  options: 'eps',
  make(part) {
    const { eps: epsilon = kFloatEpsilon } = part.settings;
    const { config, inputShape, weights } = scaleOf(part);
    return withWeights(new RMSNormalization({ ...config, epsilon }), inputShape, weights);
  },
};

/** Returns the settings, the input shape and the weights of a layer with a scale. */
function scaleOf(part: Part): {
  config: { name?: string; axis: number[] };
  inputShape: (number | null)[];
  weights: Float32Array[];
} {
  const { node, settings } = part;
  const shape = settings.normalizedShape as readonly number[];
  const names = settings.bias ? ['weight', 'bias'] : ['weight'];
  return {
    config: { ...nameOf(part), axis: shape.map((_, i) => i - shape.length) },
    inputShape: [null, ...(shape.length === 1 ? [null] : []), ...shape],
    weights: names.map((name) => node.floats(name, shape)),
  };
}

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
