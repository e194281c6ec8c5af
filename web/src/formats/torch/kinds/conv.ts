// SPDX-License-Identifier: MIT
import { refuse } from '../../../base/check.js';
import { ConfigError } from '../../../base/errors.js';
import type { Layer } from '../../../layers/layer.js';
import { Conv1D, ZeroPadding1D } from '../../../layers/more_layers.gen.js';
import { Sequential } from '../../../model/sequential.js';
import { type Kind, nameOf, type Part, refuseSetting, withWeights } from './kind.js';

type Size = number | readonly number[];

/** Returns the number of a setting that may be a list of one. Throws ConfigError. */
function numberOf(name: string, size: Size): number {
  const value = typeof size === 'object' && size !== null && size.length === 1 ? size[0] : size;
  if (Number.isInteger(value) && (value as number) >= 0) return value as number;
  return refuse(name, 'a whole number', size, ConfigError);
}

export const conv1d: Kind = {
  facts(node, { groups = 1 } = {}) {
    const shape = node.shapeOf('weight');
    if (shape?.length !== 3) return undefined;
    const [outChannels = 0, inside = 0, kernelSize = 0] = shape;
    const bias = node.tensors.has('bias');
    // A state dict does not state the groups: a kernel has the channels of one.
    return { inChannels: inside * groups, outChannels, kernelSize, bias };
  },
  options: 'stride padding dilation groups paddingMode activation',
  make: makeConv,
};

function makeConv(part: Part): Layer {
  const { node, settings } = part;
  const { outChannels: filters = 0, inChannels = 0, bias, groups = 1 } = settings;
  const kernelSize = numberOf('kernelSize', settings.kernelSize as Size);
  const { paddingMode = 'zeros', activation } = settings;
  if (paddingMode !== 'zeros') refuseSetting(part, `padding_mode '${paddingMode}'`);
  const padding = settings.padding ?? 0;
  const isWord = padding === 'same' || padding === 'valid';
  const zeros = isWord ? 0 : numberOf('padding', padding as Size);
  const inside = inChannels / groups;
  const kernel = node.floats('weight', [filters, inside, kernelSize]);
  const weights = [exchangeEnds(kernel, filters, inside, kernelSize)];
  if (bias) weights.push(node.floats('bias', [filters]));
  const layer = new Conv1D({
    ...(zeros === 0 && nameOf(part)),
    filters,
    kernelSize,
    strides: numberOf('stride', settings.stride ?? 1),
    dilationRate: numberOf('dilation', settings.dilation ?? 1),
    groups,
    padding: padding === 'same' ? 'same' : 'valid',
    useBias: bias === true,
    ...(activation && { activation }),
  });
  withWeights(layer, [null, null, inChannels], weights);
  if (zeros === 0) return layer;
  const model = new Sequential([new ZeroPadding1D({ padding: zeros }), layer], nameOf(part));
  model.build([null, null, inChannels]);
  return model;
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
