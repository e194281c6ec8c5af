// SPDX-License-Identifier: MIT
import { UsageError } from './usage.js';

export type Values = { readonly [name: string]: string | boolean | readonly string[] | undefined };

interface Bounds {
  /** Whole numbers only? */
  whole?: boolean;
  least?: number;
}

/** What a command was called with. Values that an option cannot have are UsageErrors. */
export class Called {
  constructor(
    readonly operands: readonly string[],
    readonly values: Values,
  ) {}

  /** The operand at that place; empty for an optional one that is left out. */
  operand(place: number): string {
    return this.operands[place] ?? '';
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

  number<Otherwise>(
    name: string,
    otherwise: Otherwise,
    { whole = false, least = Number.NEGATIVE_INFINITY }: Bounds = {},
  ): number | Otherwise {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (number >= least && (whole ? Number.isSafeInteger(number) : Number.isFinite(number))) {
      return number;
    }
    const kind = whole ? 'a whole number' : 'a number';
    const more = least === Number.NEGATIVE_INFINITY ? '' : `, ${least} or more`;
    throw new UsageError(`--${name} is '${text}' but must be ${kind}${more}`);
  }

  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    otherwise: Choice,
  ): Choice {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const found = choices.find((choice) => choice === text);
    if (found) return found;
    throw new UsageError(`--${name} is '${text}' but must be ${choices.join(' or ')}`);
  }
}
