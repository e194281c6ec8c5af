// SPDX-License-Identifier: MIT
// The verdict on a model that loses its mask: where, that Keras loses it there, too, and the repair
// in Python, where the model was written, before the one in JavaScript.
import type { TraceEntry } from 'maskflow';

export interface Loss {
  layer: string;
  /** Lines of Python; undefined if the steps of the output are others than those of the mask. */
  python: string | undefined;
  /** The remedy in JavaScript, from the trace. */
  javaScript: string;
}

const convolution = /^(Conv1D|DepthwiseConv1D|SeparableConv1D)$/;
const usesMask = /^(Bidirectional|GRU|GlobalAveragePooling1D|LSTM|RNN|SimpleRNN)$/;

/** Returns the first loss of a mask by a layer of the model itself, if any. */
export function lossOf(trace: readonly TraceEntry[]): Loss | undefined {
  const outer = trace.filter(({ depth }) => depth === 0);
  const at = outer.findIndex(({ role, remedy }) => role === 'drops' && remedy !== '');
  const lost = outer[at];
  if (!lost) return undefined;
  return { layer: lost.layer, python: pythonOf(outer, at), javaScript: lost.remedy };
}

/**
 * Returns the first loss of a mask inside a layer that the program defines, as words, if that layer
 * returns no mask.
 */
export function innerLossOf(trace: readonly TraceEntry[]): string | undefined {
  const at = trace.findIndex(({ role, remedy, depth }) => role === 'drops' && remedy && depth > 0);
  const lost = trace[at];
  const outer = trace.slice(0, Math.max(at, 0)).findLast(({ depth }) => depth === 0);
  if (!lost || !outer || outer.maskOut !== null) return undefined;
  return `\`${lost.layer}\` in \`${outer.layer}\``;
}

/** Returns the repair in Python: the mask is passed by hand to the next layer that uses one. */
function pythonOf(outer: readonly TraceEntry[], at: number): string | undefined {
  const lost = outer[at];
  const maker = outer.slice(0, at).find(({ role }) => role === 'makes');
  const user = outer.slice(at + 1).find(({ className }) => usesMask.test(className));
  if (!lost || !maker || !user || stepsOf(lost.maskIn) !== Number(lost.shapeOut[1]))
    return undefined;
  const lines = [
    `mask = ${name(maker)}.compute_mask(inputs)`,
    ...(convolution.test(lost.className)
      ? [`x = x * keras.ops.cast(mask, x.dtype)[..., None]  # empties the padding`]
      : []),
    `x = ${name(lost)}(x)`,
    `x = ${name(user)}(x, mask=mask)`,
  ];
  return lines.join('\n');
}

const name = ({ layer }: TraceEntry): string => layer.replace(/\W+/g, '_');

/** Returns the number of steps of a mask [batch, time]; NaN without one. */
const stepsOf = (mask: unknown): number =>
  Array.isArray(mask) && Array.isArray(mask[0]) ? mask[0].length : Number.NaN;
