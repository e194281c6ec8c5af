// SPDX-License-Identifier: MIT
// Reads the parameter list of user code, as Keras inspects the signature of `call`.
import { ConfigError } from '../base/errors.js';

/** Returns the text from the first opening bracket to before its partner; `pair` is both. */
export function upToPartner(text: string, pair: '()' | '{}'): string {
  const start = text.indexOf(pair.charAt(0));
  let depth = 0;
  for (let end = start; end >= 0 && end < text.length; end++) {
    if (text[end] === pair[0]) depth++;
    else if (text[end] === pair[1] && --depth === 0) return text.slice(start, end);
  }
  return '';
}

/** Returns the source text of a function's parameter list. */
export function parametersOf(f: unknown): string {
  const source = String(f);
  // The only parameter of an arrow function may have no parentheses: it is the inputs.
  if (source.slice(0, source.indexOf('(')).includes('=>')) return '';
  return upToPartner(source, '()');
}

/**
 * Returns whether a layer's `call` uses the mask of its inputs. As in Keras, it does if `mask` is
 * in its parameter list: `call(inputs, { mask })`. `static usesMask` of the class overrides this.
 *
 * Throws ConfigError for `call(inputs, mask)`, as Python writes it: the second argument is an
 * object, and therefore true as a condition.
 */
export function usesMask(layer: object, call: unknown): boolean {
  const { usesMask: declared, name } = layer.constructor as { usesMask?: boolean; name: string };
  const parameters = parametersOf(call);
  const option = /^.\s*\w+\s*,\s*(mask|training|states)\b/.exec(parameters)?.[1];
  if (option) {
    throw new ConfigError(`${name}: options are one object; write call(inputs, { ${option} })`);
  }
  return declared ?? /\bmask\b/.test(parameters);
}

/** Returns whether the first parameter of a function is taken apart: `({ name })`. */
export const takesObject = (f: unknown): boolean =>
  parametersOf(f).slice(1).trimStart().startsWith('{');
