// SPDX-License-Identifier: MIT
// The remedies for lost masks in `traceMasks` that maskflow/recurrent does without. A test runs the
// code of each.
import { type LostMask, type Remedy, remedies } from './remedies.js';
import type { Facts, MaskRole } from './trace_words.js';

const emptied = 'ops.where(x.mask.expandDims(-1), x, 0)';
const asFeature = "x.mask.expandDims(-1).cast('float32')";

/** Remedies of layers, by name. @internal */
export const remediesOfLayers = {
  convolution: {
    says: "Set strides: 1 and padding: 'same' (or 'causal'), empty the masked steps, and attach the mask again",
    code: `layer.apply(${emptied}).withMask(x.mask)`,
  },
  window: {
    says: 'Keep the windows whose steps are all kept',
    code: "y.withMask(layer.apply(x.mask.logicalNot().expandDims(-1).cast('float32')).equal(0).squeeze({ axis: -1 }))",
  },
  maximum: {
    says: 'Put small numbers into the masked steps first',
    code: 'layer.apply(ops.where(x.mask.expandDims(-1), x, -1e9))',
  },
  shifted: {
    says: 'Do the same to the mask',
    code: `y.withMask(layer.apply(${asFeature}).squeeze({ axis: -1 }))`,
  },
  permuted: {
    says: 'Empty the masked steps first',
    code: `layer.apply(${emptied})`,
  },
  dot: {
    says: 'Empty the masked steps first',
    code: `layer.apply([${emptied}, z])`,
  },
  counted: {
    says: "Count only kept steps (outputMode: 'count')",
    code: "layer.apply(x, { countWeights: x.mask.cast('float32') })",
  },
  frames: {
    says: 'Attach the mask of the frames, which you know from the lengths',
    code: 'y.withMask(frames)',
  },
  lambda: {
    says: 'Say what happens to the mask',
    code: 'layers.lambda({ function: f, mask: (x, mask) => mask })',
  },
} as const satisfies { readonly [name: string]: Remedy };

const { convolution, window, maximum, shifted, permuted, dot, counted, frames, lambda } =
  remediesOfLayers;

const byClass: { readonly [className: string]: Remedy } = {
  AveragePooling1D: window,
  CategoryEncoding: counted,
  Conv1D: convolution,
  Conv1DTranspose: convolution,
  Cropping1D: shifted,
  DepthwiseConv1D: convolution,
  Dot: dot,
  GlobalMaxPooling1D: maximum,
  Lambda: lambda,
  MaxPooling1D: window,
  MelSpectrogram: frames,
  Permute: permuted,
  SeparableConv1D: convolution,
  STFTSpectrogram: frames,
  UpSampling1D: shifted,
  ZeroPadding1D: shifted,
};

/** Layers that mix all steps, or leave too few of them. */
const mixing = /^(Adaptive(Average|Max)Pooling1D|Flatten|GroupNormalization|Reshape)$/;

/** Returns the remedy of a layer of `maskflow` that lost a mask. @internal */
export function remedyOfLayer({ className, shapeIn, shapeOut }: LostMask): Remedy | undefined {
  const remedy = byClass[className];
  const keepsSteps = shapeIn.length <= shapeOut.length && shapeIn[1] === shapeOut[1];
  if ((remedy === dot || remedy === counted || className === 'Reshape') && keepsSteps) {
    return remedies.operation;
  }
  return remedy ?? (mixing.test(className) ? remedies.pooling : undefined);
}

const hidesKeys =
  'hides keys that are masked in query, value or key; its output has the mask of the query.';

/** Explanations for classes that the words for their role would not describe well. */
const reasons: { readonly [className: string]: string } = {
  Attention:
    'gives masked values no weight and sets masked queries to zero; its output has the mask of the query.',
  BatchNormalization:
    'normalises every step, leaves masked steps out of its statistics when training, and passes the mask on.',
  GroupQueryAttention: hidesKeys,
  MultiHeadAttention: `${hidesKeys} As in Keras, it removes the masks from its input tensors: layers that read one of them later find no mask.`,
  Softmax: 'gives masked values the probability 0 and passes the mask on.',
};

/**
 * Returns the reason for the role of a layer of `maskflow`; undefined if the usual words describe
 * it well. @internal
 */
export function reasonOfLayer({ className }: Facts, role: MaskRole): string | undefined {
  if (role === 'none') {
    return 'an earlier MultiHeadAttention removed it from the tensor, as in Keras.';
  }
  if (role !== 'uses') return reasons[className.replace(/^Additive/, '')];
  return /Attention$/.test(className)
    ? 'gives masked values no weight; its query has no mask, so its output has none.'
    : undefined;
}
