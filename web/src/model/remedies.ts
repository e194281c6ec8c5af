// SPDX-License-Identifier: MIT
/** Facts about a call that lost a mask. @internal */
export interface LostMask {
  className: string;
  isLayer: boolean;
  /** Whether each input has a mask. */
  masked: readonly boolean[];
  /** Shape of the first input with a mask. */
  shapeIn: readonly number[];
  shapeOut: readonly number[];
}

/**
 * A way to keep a mask. `code` is an expression of x, the input, and y, the output, of the call; or
 * settings of a layer. Tests evaluate it.
 * @internal
 */
export interface Remedy {
  /** The effect of the code, as an imperative. */
  readonly says: string;
  readonly code: string;
  /** Another way. */
  readonly also?: string;
}

/** Remedies by name. @internal */
export const remedies = {
  operation: {
    says: 'Put it back',
    code: 'y.withMask(x.mask)',
    also: 'Or use a layer for the same step (Rescaling, Add, Multiply, Activation).',
  },
  otherSteps: {
    says: 'Do the same to the mask (f is this operation)',
    code: 'y.withMask(f(x.mask))',
  },
  lastStep: {
    says: 'The last step may be padding: let the layer before return its last kept step',
    code: '{ returnSequences: false }',
  },
  sum: {
    says: 'Empty the masked steps first',
    code: 'ops.where(x.mask.expandDims(-1), x, 0)',
  },
  maximum: {
    says: 'Put small numbers into the masked steps first',
    code: 'ops.where(x.mask.expandDims(-1), x, -1e9)',
  },
  minimum: {
    says: 'Put large numbers into the masked steps first',
    code: 'ops.where(x.mask.expandDims(-1), x, 1e9)',
  },
  pooling: {
    says: 'Use a layer that leaves masked steps out',
    code: 'layers.globalAveragePooling1D().apply(x)',
  },
  uses: {
    says: 'Put it back before the next layer that needs it',
    code: 'y.withMask(x.mask)',
  },
  merge: {
    says: 'Give that input, z, a mask, too',
    code: 'layer.apply([x, z.withMask(x.mask)])',
  },
  custom: {
    says: 'If the steps keep their places, put it back',
    code: 'y.withMask(x.mask)',
    also: 'In a custom layer, set supportsMasking = true, or override computeMask.',
  },
  ignored: {
    says: 'Pass the mask explicitly',
    code: 'layer.apply(x, { initialState, mask: x.mask })',
  },
  taken: {
    says: 'Give the earlier attention a copy',
    code: 'x.withMask(x.mask)',
  },
} as const satisfies { readonly [name: string]: Remedy };

/** Operations that compare all steps, and how they do. */
const comparing: { readonly [name: string]: Remedy } = {
  Argmax: remedies.maximum,
  Argmin: remedies.minimum,
  Logsumexp: remedies.maximum,
  Max: remedies.maximum,
  Min: remedies.minimum,
  Softmax: remedies.maximum,
  Sum: remedies.sum,
};

function ofOperation({ className, shapeIn, shapeOut }: LostMask): Remedy {
  const isReduced = shapeOut.length < shapeIn.length;
  if (className === 'GetItem' && isReduced) return remedies.lastStep;
  const remedy = comparing[className];
  if (remedy && (isReduced || remedy === comparing['Softmax'])) return remedy;
  if (isReduced) return remedies.pooling;
  const moves = /^(Flip|Roll|Sort|Take)$/.test(className) || shapeOut[1] !== shapeIn[1];
  return moves ? remedies.otherSteps : remedies.operation;
}

const merges = /^(Add|Subtract|Average|Multiply|Maximum|Minimum)$/;

/**
 * Returns the remedy for a call that received a mask but returned none. `ofLayer` is that of a
 * layer which `maskflow/recurrent` lacks. @internal
 */
export function remedyFor(lost: LostMask, takesMask: boolean, ofLayer?: Remedy): Remedy {
  const { className, isLayer, masked } = lost;
  if (!isLayer) return ofOperation(lost);
  if (merges.test(className) && masked.includes(false)) return remedies.merge;
  if (takesMask) return remedies.uses;
  return ofLayer ?? remedies.custom;
}

/** The sentence that a trace prints. @internal */
export const remedyText = ({ says, code, also = '' }: Remedy): string =>
  `${says}: ${code}. ${also}`.trim();
