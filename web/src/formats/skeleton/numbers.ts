// SPDX-License-Identifier: MIT
// Expressions for the numbers of a class, whose layers may differ in their sizes.
import type { Shape } from '../../layers/layer_config.js';
import { isRecord, type Json } from '../json.js';
import { literal, member } from './safe_text.js';

/** A number in generated code. */
export interface Hole {
  readonly size: number;
  /** Whether the number is that of an axis of the input, if one has it. */
  readonly ofInput?: boolean;
}

/** Generated code with numbers that are still to be expressed. */
export type Code = readonly (string | Hole)[];

/** A layer of the class, whose numbers are known. */
export interface Sizes {
  readonly name: string;
  readonly settings: Json;
  /** Input shape; null if unknown, or if there are several. */
  readonly input: Shape | null;
}

/** Expressions that the code may use. */
export interface Scope {
  /** The object with the settings: `settings`, `this.settings`. */
  readonly settings: string;
  /** The expression of the layer's name. */
  readonly name: string;
  /** The input shape, where it is known. */
  readonly inputShape?: string;
}

/** Concatenates code. */
export const code = (strings: TemplateStringsArray, ...parts: (string | Hole | Code)[]): Code =>
  strings.flatMap((text, i) => {
    const part = parts[i];
    return part === undefined ? [text] : [text, ...(Array.isArray(part) ? part : [part])];
  }) as Code;

/** Joins pieces of code with a separator. */
export const joined = (pieces: readonly Code[], separator: string): Code =>
  pieces.flatMap((piece, i) => (i > 0 ? [separator, ...piece] : [...piece]));

/** The code as text in which the numbers are left out. Equal for layers that differ in sizes. */
export const outline = (pieces: Code): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : '\0')).join('');

/** Writes code of equal outline, one for each layer, as code that holds for all of them. */
export function merge(codes: readonly Code[], layers: readonly Sizes[], scope: Scope): string {
  const [first = []] = codes.map(flat);
  const all = codes.map(flat);
  return first
    .map((piece, i) => {
      if (typeof piece === 'string') return piece;
      const sizes = all.map((pieces) => (pieces[i] as Hole).size);
      return expression(sizes, layers, scope, piece.ofInput ?? false);
    })
    .join('');
}

/** Joins neighbouring texts, so that equal outlines have equal positions. */
function flat(pieces: Code): Code {
  const result: (string | Hole)[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') {
      result[result.length - 1] = last + piece;
    } else result.push(piece);
  }
  return result;
}

/** An expression that has these values in these layers. */
export function expression(
  sizes: readonly number[],
  layers: readonly Sizes[],
  scope: Scope,
  ofInput: boolean,
): string {
  const isConstant = sizes.every((size) => size === sizes[0]);
  // Too many things are 0 or 1.
  if (isConstant && (sizes[0] as number) < 2) return String(sizes[0]);
  const input = inputAxis(sizes, layers, scope);
  const setting = settingFor(sizes, layers, scope);
  const found = ofInput ? (input ?? setting) : (setting ?? input);
  if (found !== undefined) return found;
  if (isConstant) return String(sizes[0]);
  const table = layers.map(({ name }, i) => `[${literal(name)}]: ${sizes[i]}`).join(', ');
  return `{ ${table} }[${scope.name}]`;
}

function settingFor(
  sizes: readonly number[],
  layers: readonly Sizes[],
  { settings }: Scope,
): string | undefined {
  const [first] = layers;
  const matches = (key: string): boolean =>
    layers.every(
      (layer, i) => Object.hasOwn(layer.settings, key) && layer.settings[key] === sizes[i],
    );
  const key = Object.keys(first?.settings ?? {}).find(matches);
  return key === undefined ? undefined : `${settings}${member(key)}`;
}

function inputAxis(
  sizes: readonly number[],
  layers: readonly Sizes[],
  { inputShape }: Scope,
): string | undefined {
  if (inputShape === undefined) return undefined;
  const has = (axis: number): boolean =>
    layers.every(
      ({ input }, i) => input !== null && input.length > 1 && input.at(axis) === sizes[i],
    );
  if (has(-1)) return `${inputShape}.at(-1)`;
  const rank = Math.min(...layers.map(({ input }) => input?.length ?? 0));
  const axis = Array.from({ length: Math.max(0, rank - 1) }, (_, i) => i + 1).find(has);
  return axis === undefined ? undefined : `${inputShape}[${axis}]`;
}

/** The settings of a layer that are the user's own. */
export function ownSettings(config: unknown): Json {
  const { name: _, trainable: __, dtype: ___, ...settings } = isRecord(config) ? config : {};
  return settings;
}
