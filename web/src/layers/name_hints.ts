// SPDX-License-Identifier: MIT
// Errors for layers that do not exist, such as `layers.LSTM`.
import { isPlain, optionsOf } from '../base/check.js';
import { named, simplified, withHints } from '../base/named.js';
import { UnsupportedError, ValueError } from '../base/errors.js';

/** Returns a simplified name without the abbreviations of Keras's and other programs. */
const unabbreviated = (name: string): string =>
  simplified(name)
    .replace(/pool(?=\d)/, 'pooling')
    .replace('avg', 'average');

/** Replacements for names that are not layers here. */
const elsewhere: { readonly [name: string]: string } = {
  input: 'Input({ shape: [10] })',
  textvectorization: "new TextVectorization({ … }) of 'maskflow/text'",
};

/** Names of the settings that wrappers accept as the first argument, as in Keras. */
const wrapped: { readonly [factory: string]: string } = {
  bidirectional: 'layer',
  lambda: 'function',
  rnn: 'cell',
  spectralNormalization: 'layer',
  stackedRNNCells: 'cells',
  timeDistributed: 'layer',
};

/**
 * Accepts what a wrapper wraps before its other settings, `rnn(cell, { returnSequences: true })`,
 * and refuses arguments that a factory would not read.
 */
function withArguments(name: string, make: (settings: unknown) => unknown) {
  return (first?: unknown, ...rest: readonly unknown[]): unknown => {
    const key = wrapped[name];
    const isAlone = key === 'function' ? typeof first === 'function' : !isPlain(first);
    if (key && isAlone && first !== undefined && rest.length <= 1) {
      return make(
        rest.length > 0 || key === 'function'
          ? { ...optionsOf(rest[0] as object), [key]: first }
          : first,
      );
    }
    if (rest.length === 0 || (!isPlain(first) && !key)) return make(first);
    throw new ValueError(
      `layers.${name} has one argument, an object with all settings, but got ${rest.length + 1}; write layers.${name}({ … })`,
    );
  };
}

/** One function for all names of a layer, in all entries. */
const made = new WeakMap<object, unknown>();

/** Returns what to write in place of a name. Throws UnsupportedError for an image layer. */
function replace(name: string): string | undefined {
  const plain = unabbreviated(name);
  if (/^\w*(conv|pool|pad|crop|sampl|lstm|dropout)\w*[23]d/.test(plain)) {
    throw new UnsupportedError(`layers.${name} is an image layer, which this package lacks`);
  }
  return Object.hasOwn(elsewhere, plain) ? elsewhere[plain] : undefined;
}

/**
 * Makes `layers` say what to write in place of a name that it lacks: of a class (`layers.LSTM`), of
 * Python (`layers.time_distributed`), or of an image layer.
 */
export function withNameHints<T extends object>(functions: T): T {
  const entries = Object.entries(functions).map(([name, make]) => {
    if (!made.has(make)) made.set(make, withArguments(name, make));
    return [name, made.get(make)];
  });
  const factories = named(Object.fromEntries(entries)) as T;
  return withHints(factories, 'layers', replace, unabbreviated, '({ … })');
}
