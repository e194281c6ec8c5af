// SPDX-License-Identifier: MIT
// The equations of a cell as terms, each with its number for one unit and the origin of that
// number.
import { decimal } from '../../shared/text.js';
import { type Kind, units } from './programs.js';
import type { CellData, Moment } from './read.js';

export interface Term {
  /** Name of the term, which is equal wherever the term occurs. */
  name: string;
  /** Symbol with subscripts as `_{…}`. */
  symbol: string;
  value: number | undefined;
  from: string;
}

export interface Equation {
  result: Term;
  /** Terms, and the signs between them. */
  right: (string | Term)[];
}

/** Gates in the order of their columns in W, U and b, as in Keras. */
const parts: { [kind in Kind]: string[] } = {
  lstm: ['i', 'f', 'g', 'o'],
  gru: ['z', 'r', 'g'],
  'gru before': ['z', 'r', 'g'],
  simpleRNN: ['h'],
};

export const gatesOf = (kind: Kind): string[] => (kind === 'simpleRNN' ? [] : parts[kind]);

export class Terms {
  private readonly moment: Moment;
  constructor(
    private readonly data: CellData,
    readonly kind: Kind,
    readonly step: number,
    readonly unit: number,
  ) {
    this.moment = data.moments[step] ?? {};
  }

  /** Whether the step is masked; a masked step has only states. */
  get masked(): boolean {
    return this.data.mask[this.data.row]?.[this.step] === false;
  }

  /** Returns the equations of a step; each result says how its number was computed. */
  equations(): Equation[] {
    const equations = this.plainEquations();
    const origins = new Map(
      equations.map((each) => [each.result.name, `${each.result.from} ${arithmeticOf(each)}.`]),
    );
    const explained = (term: Term): Term => ({
      ...term,
      from: origins.get(term.name) ?? term.from,
    });
    return equations.map(({ result, right }) => ({
      result: explained(result),
      right: right.map((part) => (typeof part === 'string' ? part : explained(part))),
    }));
  }

  private plainEquations(): Equation[] {
    if (this.kind === 'lstm') return this.lstm();
    return this.kind === 'simpleRNN' ? this.simple() : this.gru();
  }

  /** Returns the equations of a masked step, which copies the states. */
  held(): Equation[] {
    return (this.kind === 'lstm' ? ['c', 'h'] : ['h']).map((name) => {
      const before = this.data.moments[this.step - 1]?.[name]?.[this.unit] ?? 0;
      const origin =
        this.step === 0
          ? `The initial state of the layer: 0.`
          : `${name} after step ${this.step - 1}.`;
      return {
        result: this.own(name, name, `${name} after this step, which is ${name} before it.`),
        right: [{ name: `${name}0`, symbol: `${name}_{t−1}`, value: before, from: origin }],
      };
    });
  }

  private lstm(): Equation[] {
    const gate = (name: string, words: string, by: string) => this.gate(name, words, by);
    const [i, f, g, o] = ['i', 'f', 'g', 'o'].map((name) => this.own(name, name, '')) as Four;
    const c = this.own(
      'c',
      'c',
      `The cell state after this step: f times the state before, plus i times g.`,
    );
    return [
      gate('i', 'input gate', 'σ'),
      gate('f', 'forget gate', 'σ'),
      gate('g', 'candidate', 'tanh'),
      gate('o', 'output gate', 'σ'),
      { result: c, right: [f, ' × ', this.before('c'), ' + ', i, ' × ', g] },
      { result: this.output(), right: [o, ' × tanh( ', c, ' )'] },
    ];
  }

  private gru(): Equation[] {
    const [z, r, g] = ['z', 'r', 'g'].map((name) => this.own(name, name, '')) as Four;
    const [product, name] =
      this.kind === 'gru'
        ? [[r, ' × ', this.product('g', 'U')], 'candidate; r comes after the product']
        : [[this.gated()], 'candidate; r comes before the product'];
    const candidate: Equation = {
      result: this.own('g', 'g', `The ${name}.`),
      right: ['tanh( ', this.product('g', 'W'), ' + ', ...product, ' )'],
    };
    return [
      this.gate('z', 'update gate', 'σ'),
      this.gate('r', 'reset gate', 'σ'),
      candidate,
      {
        result: this.output(),
        right: [z, ' × ', this.before('h'), ' + (1 − ', z, ') × ', g],
      },
    ];
  }

  private simple(): Equation[] {
    const { result, right } = this.gate('h', 'output, and state', 'tanh');
    return [{ result: { ...result, from: this.output().from }, right }];
  }

  private gate(name: string, words: string, by: string): Equation {
    const bias = this.kind === 'lstm' || this.kind === 'simpleRNN';
    const right = [
      `${by}( `,
      this.product(name, 'W'),
      ' + ',
      this.product(name, 'U'),
      ...(bias ? [' + ', this.bias(name)] : []),
      ' )',
    ];
    return { result: this.own(name, name, `The ${words} of unit ${this.unit}.`), right };
  }

  private own(name: string, symbol: string, from: string): Term {
    return { name, symbol, value: this.moment[name]?.[this.unit], from };
  }

  private output(): Term {
    return this.own('h', 'h', 'The state after this step, which is also the output of the layer.');
  }

  /** Returns a state before this step. */
  before(name: string): Term {
    const value = this.moment[`${name}0`]?.[this.unit];
    const from =
      this.step === 0
        ? `${name} before the first step is 0.`
        : `${name} after step ${this.step - 1}.`;
    return { name: `${name}0`, symbol: `${name}_{t−1}`, value, from };
  }

  private column(gate: string): number {
    return Math.max(0, parts[this.kind].indexOf(gate)) * units + this.unit;
  }

  /** Returns the product of the input, or the state before, with the weights of one gate. */
  private product(gate: string, which: 'W' | 'U'): Term {
    const column = this.column(gate);
    const weights = this.data.weights[which].map((row) => row[column] ?? Number.NaN);
    const vector = this.moment[which === 'W' ? 'x' : 'h0'] ?? [];
    const value = this.moment[which === 'W' ? 'xW' : 'hU']?.[column];
    const sum = vector
      .map((each, index) => `${decimal(each, 3)} × ${decimal(weights[index] ?? Number.NaN, 3)}`)
      .join(' + ');
    const bias = this.inBias(which);
    const operand = which === 'W' ? 'the features of this step' : 'the state before it';
    const symbol = `${which === 'W' ? 'x' : 'h_{t−1}'}·${which}${sub(gate)}`;
    return {
      name: `${which}${gate}`,
      symbol: bias ? `(${symbol} + b${sub(gate)})` : symbol,
      value,
      from: `${sum}${bias ? ' + bias' : ''} = ${number(value)}: ${operand} times column ${column} of ${which}.`,
    };
  }

  /** Whether the product includes a bias, as in a GRU. */
  private inBias(which: 'W' | 'U'): boolean {
    return this.kind === 'gru' || (this.kind === 'gru before' && which === 'W');
  }

  private bias(gate: string): Term {
    const column = this.column(gate);
    const value = this.moment['b']?.[column];
    return {
      name: `b${gate}`,
      symbol: `b${sub(gate)}`,
      value,
      from: `Element ${column} of the bias${gate === 'f' ? '; Keras initializes it to 1, which preserves the state' : ''}.`,
    };
  }

  /** Returns (r × h) · U of a GRU without reset_after. */
  private gated(): Term {
    const value = this.moment['rhU']?.[this.unit];
    const [r, h, weights] = [
      this.moment['r'] ?? [],
      this.moment['h0'] ?? [],
      this.data.weights.U.map((row) => row[this.column('g')] ?? Number.NaN),
    ];
    const sum = r
      .map(
        (each, index) =>
          `${decimal(each, 3)} × ${decimal(h[index] ?? Number.NaN, 3)} × ${decimal(weights[index] ?? Number.NaN, 3)}`,
      )
      .join(' + ');
    return {
      name: 'rhU',
      symbol: `(r × h_{t−1})·U${sub('g')}`,
      value,
      from: `${sum} = ${number(value)}: r times the state before, then times column ${this.column('g')} of U.`,
    };
  }
}

/** Returns an equation with its numbers, such as `f = σ(0.31 − 0.20 − 0.40) = 0.43`. */
export function arithmeticOf({ result, right }: Equation): string {
  const sum = right.reduce<string>((text, part) => {
    if (typeof part === 'string') return text + part;
    const { value = Number.NaN } = part;
    const isTakenAway = value < 0 && text.endsWith(' + ');
    return isTakenAway ? `${text.slice(0, -3)} − ${number(-value)}` : `${text}${number(value)}`;
  }, '');
  const written = sum.replaceAll('( ', '(').replaceAll(' )', ')');
  return `${result.symbol} = ${written} = ${number(result.value)}`;
}

type Four = [Term, Term, Term, Term];

/** Returns the subscript of a gate. */
const sub = (gate: string): string => (gate === 'h' ? '' : `_{${gate}}`);

export const number = (value: number | undefined): string =>
  value === undefined ? '' : decimal(value);
