// SPDX-License-Identifier: MIT
// The `build_config` of layers, from which Keras builds a loaded layer before it reads its weights.
import type { Shape } from '../../layers/layer.js';
import type { SerializedObject } from '../artifact.js';

/** An item of the `inbound_nodes` of an operation. */
export interface Call {
  args: unknown[];
  kwargs: { [name: string]: unknown };
}

export type BuildConfig = SerializedObject['build_config'];

const attention = new Set(['MultiHeadAttention', 'GroupQueryAttention', 'GroupedQueryAttention']);

/** Replaces the tensors of a structure by their shapes; undefined if it has none. */
function shapesIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const { class_name: name, config } = value as { class_name?: unknown; config?: unknown };
  if (name === '__keras_tensor__') return (config as { shape: Shape }).shape;
  if (Array.isArray(value)) {
    const shapes = value.map(shapesIn);
    return shapes.length > 0 && shapes.every((shape) => shape !== undefined) ? shapes : undefined;
  }
  const entries = Object.entries(value).map(([key, item]) => [key, shapesIn(item)] as const);
  return entries.every(([, shape]) => shape !== undefined)
    ? Object.fromEntries(entries)
    : undefined;
}

/** The `build_config` that Keras records for a call of a layer; null if it records none. */
export function configOfCall(
  { class_name: name }: { class_name: string },
  call?: Call,
): BuildConfig {
  if (!call) return null;
  const { args, kwargs } = call;
  const first = shapesIn(args[0] ?? Object.values(kwargs)[0]);
  if (first === undefined) return null;
  if (attention.has(name)) {
    const shapes = ['query', 'value', 'key'].map((side, i) => {
      return [`${side}_shape`, shapesIn(args[i] ?? kwargs[side])] as const;
    });
    return { shapes_dict: Object.fromEntries(shapes.filter(([, shape]) => shape)) };
  }
  const states = shapesIn(kwargs['initial_state']);
  if (states === undefined) return { input_shape: first };
  return { shapes_dict: { sequences_shape: first, initial_state_shape: states } };
}

/** The input shape in a `build_config`; null if there are several. */
export function shapeOfInput(build: BuildConfig | undefined): Shape | null {
  const { input_shape: input, shapes_dict: named } = build ?? {};
  const shape = input ?? (named as { sequences_shape?: unknown } | undefined)?.sequences_shape;
  return Array.isArray(shape) && !Array.isArray(shape[0]) ? (shape as Shape) : null;
}

/** The shape of one step of a sequence. */
export const stepOf = ([batch = null, , ...rest]: Shape): Shape => [batch, ...rest];
