// SPDX-License-Identifier: MIT
// The parsed arguments, from which a command reads typed values.
import { nearestOf } from '../src/base/nearest.js';
import { UsageError } from './usage.js';

export type Values = { readonly [name: string]: string | boolean | readonly string[] | undefined };

interface Bounds {
  /** Whether the number must be an integer. */
  integer?: boolean;
  least?: number;
}

/** The arguments of a command. Its methods throw a UsageError for invalid values. */
export class CommandLine {
  constructor(
    readonly operands: readonly string[],
    readonly values: Values,
  ) {}

  /** Returns the operand with this index; '' for an optional operand that was not given. */
  operand(index: number): string {
    return this.operands[index] ?? '';
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value : [];
  }

  number<Default>(
    name: string,
    preset: Default,
    { integer = false, least = Number.NEGATIVE_INFINITY }: Bounds = {},
  ): number | Default {
    const text = this.text(name);
    if (text === undefined) return preset;
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (number >= least && (integer ? Number.isSafeInteger(number) : Number.isFinite(number))) {
      return number;
    }
    const kind = integer ? 'an integer' : 'a number';
    const bound = least === Number.NEGATIVE_INFINITY ? '' : `, ${least} or more`;
    throw new UsageError(`--${name} is '${text}' but must be ${kind}${bound}`);
  }

  /** The option `--threads`; undefined if the environment sets the number. */
  threads(): number | 'auto' | undefined {
    const preset = process.env['MASKFLOW_THREADS'] ? undefined : 'auto';
    if (this.text('threads') === 'auto') return 'auto';
    const count = this.number('threads', preset, { integer: true, least: 1 });
    if (typeof count !== 'number' || count <= 64) return count as number | 'auto' | undefined;
    throw new UsageError(`--threads is ${count} but must be at most 64`);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], preset: Choice): Choice {
    const text = this.text(name);
    if (text === undefined) return preset;
    const choice = choices.find((each) => each === text);
    if (choice) return choice;
    const hint = nearestOf(text, choices);
    throw new UsageError(`--${name} is '${text}'${hint} but must be ${choices.join(' or ')}`);
  }
}
