// SPDX-License-Identifier: MIT
// First arguments of callbacks under their names in Keras:
// modelCheckpoint({ filepath: 'a.keras' }).
import { isPlain, optionsOf } from '../../base/check.js';

/** Options with the first argument among them. */
export type ByName<Name extends string, First, Options = object> = Options & {
  readonly [key in Name]: First;
};

/** Returns the first argument and the options; both may be in one object. */
export function firstOf<Name extends string, First, Options extends object>(
  first: First | ByName<Name, First, Options>,
  name: Name,
  options: Options | undefined,
): [First, Options | undefined] {
  if (!isPlain(first) || !Object.hasOwn(first, name)) return [first as First, options];
  const { [name]: found, ...others } = first as { [key: string]: unknown };
  return [found as First, { ...others, ...optionsOf(options) } as Options];
}

/** Returns options in which the monitored metric may be the first argument, as in Keras. */
export function monitoring<Options extends object>(
  first: string | Options | undefined,
  options: Options | undefined,
): Options | undefined {
  return typeof first === 'string'
    ? ({
        ...optionsOf(options, 'what follows the metric', 'patience: 3'),
        monitor: first,
      } as Options)
    : first;
}
