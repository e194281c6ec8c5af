// SPDX-License-Identifier: MIT
import type { SerializedObject } from './artifact.js';

/** Python modules of the operations that are not in `keras.src.ops.numpy`. */
const modules: { [module: string]: string } = {
  core: 'Cast ConvertToTensor Slice Unstack',
  linalg: 'Norm',
  math: 'Erf Logsumexp Rsqrt',
  nn: `Celu Elu Gelu Glu HardShrink HardSigmoid HardSilu HardTanh LeakyRelu LogSigmoid LogSoftmax Normalize OneHot
    Relu Relu6 Selu Sigmoid Silu SoftShrink Softmax Softplus Softsign SparsePlus SparseSigmoid Sparsemax Squareplus
    TanhShrink Threshold`,
};
const moduleOf = new Map(
  Object.entries(modules).flatMap(([module, names]) =>
    names.split(/\s+/).map((name) => [name, module] as const),
  ),
);

/** An operation as Python finds it: its module, and call arguments that are no settings there. */
export function mendOperation(
  entry: SerializedObject & { inbound_nodes?: { args: unknown[] }[] },
): void {
  const module = moduleOf.get(entry.class_name);
  if (module) entry.module = `keras.src.ops.${module}`;
  if (entry.class_name !== 'GetItem') return;
  const { key, ...config } = entry.config;
  if (key === undefined) return;
  entry.config = config;
  for (const call of entry.inbound_nodes ?? []) call.args.push(key);
}
