// SPDX-License-Identifier: MIT
// nn.Conv1d, which becomes several layers where Keras's Conv1D lacks a combination of settings.
import { refuse, show } from '../../../base/check.js';
import { ConfigError } from '../../../base/errors.js';
import type { Layer } from '../../../layers/layer.js';
import {
  Conv1D,
  type Conv1DConfig,
  MaxPooling1D,
  ZeroPadding1D,
} from '../../../layers/more_layers.gen.js';
import { Sequential } from '../../../model/sequential.js';
import { type Kind, nameOf, ofLayers, type Part, refuseSetting, withWeights } from './kind.js';

type Size = number | readonly number[];

/** Returns the number of a setting. Throws ConfigError. */
function numberOf(name: string, size: Size): number {
  if (Number.isInteger(size) && (size as number) >= 0) return size as number;
  return refuse(name, 'a whole number', size, ConfigError);
}

export const conv1d: Kind = {
  facts(node, { groups = 1 } = {}) {
    const shape = node.shapeOf('weight');
    if (shape?.length !== 3) return undefined;
    const [outChannels = 0, inside = 0, kernelSize = 0] = shape;
    const bias = node.tensors.has('bias');
    if (bias && String(node.shapeOf('bias')) !== String([outChannels])) return undefined;
    // A state dict does not state the groups: a kernel has the channels of one.
    const inChannels = inside * (Number.isInteger(groups) ? groups : 1);
    return { inChannels, outChannels, kernelSize, bias };
  },
  options: 'stride padding dilation groups paddingMode activation',
  make: makeConv,
};

function makeConv(part: Part): Layer {
  const { settings } = part;
  const { padding = 0, paddingMode = 'zeros', inChannels = 0 } = settings;
  if (paddingMode !== 'zeros') refuseSetting(part, `padding_mode ${show(paddingMode)}`);
  const isWord = padding === 'same' || padding === 'valid';
  const zeros = isWord ? 0 : numberOf('padding', padding as Size);
  const stride = numberOf('stride', settings.stride ?? 1);
  const dilation = numberOf('dilation', settings.dilation ?? 1);
  // Keras's layer has a stride or a dilation. A pooling of single steps has the stride, too.
  const isThinned = stride > 1 && dilation > 1;
  const isAlone = zeros === 0 && !isThinned;
  const layer = convOf(part, {
    ...(isAlone && nameOf(part)),
    strides: isThinned ? 1 : stride,
    dilationRate: dilation,
    padding: padding === 'same' ? 'same' : 'valid',
  });
  if (isAlone) return layer;
  return ofLayers((own) => {
    const layers = [own(layer)];
    if (zeros > 0) layers.unshift(own(new ZeroPadding1D({ padding: zeros })));
    if (isThinned) layers.push(own(new MaxPooling1D({ poolSize: 1, strides: stride })));
    const model = own(new Sequential(layers, nameOf(part)));
    model.build([null, null, inChannels]);
    return model;
  });
}

/** Creates the Conv1D with the module's weights, and the settings `more`. */
function convOf({ node, settings }: Part, more: Partial<Conv1DConfig>): Layer {
  const { outChannels: filters = 0, inChannels = 0, bias, groups = 1, activation } = settings;
  if (!(numberOf('groups', groups) > 0)) refuse('groups', 'at least 1', groups, ConfigError);
  const kernelSize = numberOf('kernelSize', settings.kernelSize as Size);
  const inside = inChannels / groups;
  const kernel = node.floats('weight', [filters, inside, kernelSize]);
  const weights = [exchangeEnds(kernel, filters, inside, kernelSize)];
  if (bias) weights.push(node.floats('bias', [filters]));
  const layer = new Conv1D({
    ...more,
    filters,
    kernelSize,
    groups,
    useBias: bias === true,
    ...(activation && { activation }),
  });
  return withWeights(layer, [null, null, inChannels], weights);
}

/** Converts [filters, channels, steps] to Keras's [steps, channels, filters]. */
function exchangeEnds(
  kernel: Float32Array,
  filters: number,
  channels: number,
  steps: number,
): Float32Array {
  const result = new Float32Array(kernel.length);
  const size = channels * steps;
  for (let channel = 0; channel < channels; channel++) {
    for (let step = 0; step < steps; step++) {
      const to = (step * channels + channel) * filters;
      const from = channel * steps + step;
      for (let i = 0; i < filters; i++) result[to + i] = kernel[i * size + from] as number;
    }
  }
  return result;
}
