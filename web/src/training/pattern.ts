// SPDX-License-Identifier: MIT
// Python's `re.search` for patterns from files. All states advance together without backtracking,
// so the time is at most proportional to pattern × text (Thompson 1968).
import { ConfigError } from '../base/errors.js';

const kLongest = 1000;
const kMaxStates = 2000;
const kMaxSteps = 20_000_000;

type Test = (character: string) => boolean;
type Assertion = (text: readonly string[], at: number) => boolean;
/** A test of one character, an assertion about a position, or the distances to the next states. */
type State = { test: Test } | { holds: Assertion } | { jumps: readonly number[] };

const isWord: Test = (character) => /[\p{L}\p{N}_]/u.test(character);
const isDigit: Test = (character) => /\p{Nd}/u.test(character);
const isSpace: Test = (character) =>
  character !== '\ufeff' && (/\s/.test(character) || '\x1c\x1d\x1e\x1f\x85'.includes(character));
const not =
  (test: Test): Test =>
  (character) =>
    !test(character);
const escapes = new Map<string, Test | string>([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
  ...[...'afnrtv'].map((letter, i) => [letter, '\x07\f\n\r\t\v'[i] as string] as const),
]);

const isStart: Assertion = (_, at) => at === 0;
const isBoundary: Assertion = (text, at) => isWord(text[at - 1] ?? '') !== isWord(text[at] ?? '');
const assertions = new Map<string, Assertion>([
  ['^', isStart],
  // In Python, `$` also matches before a line feed at the end of the text.
  ['$', (text, at) => at >= text.length - (text.at(-1) === '\n' ? 1 : 0)],
  ['\\A', isStart],
  ['\\Z', (text, at) => at === text.length],
  ['\\b', isBoundary],
  ['\\B', (text, at) => text.length > 0 && !isBoundary(text, at)],
]);

const kAnchor = /[$^]|\\[AZbB]/y;
const kGroupName = /P<[\p{L}_][\p{L}\p{N}_]*>/uy;
const kCode = /x([\da-fA-F]{2})|u([\da-fA-F]{4})/y;
const kQuantifier = /[*+?]|\{(?:(\d+)|(\d*),(\d*))\}/y;

/** Compiles a pattern. Throws ConfigError for unsupported syntax. */
class Compiler {
  /** Position in the source. */
  #at = 0;

  constructor(
    readonly source: string,
    readonly spend: (steps: number) => void,
  ) {
    if (source.length > kLongest) this.#refuse(`is longer than ${kLongest} characters`);
  }

  compile(): readonly State[] {
    const program = this.#alternatives();
    return this.#at < this.source.length ? this.#refuse("has a ')' without '('") : program;
  }

  #refuse(why: string): never {
    const start = this.source.length > 60 ? `${this.source.slice(0, 60)}…` : this.source;
    throw new ConfigError(
      `the regular expression '${start}' ${why}; use only literals, '.', classes, anchors, groups, '|' and repetitions`,
    );
  }
  #checkSize(states: number): void {
    if (states > kMaxStates) this.#refuse(`has more than ${kMaxStates} states`);
    this.spend(states);
  }
  #peek(): string {
    const code = this.source.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }
  #next(): string {
    const character = this.#peek() || this.#refuse('ends too early');
    this.#at += character.length;
    return character;
  }
  #skip(expected: string): boolean {
    const matches = this.source.startsWith(expected, this.#at);
    if (matches) this.#at += expected.length;
    return matches;
  }
  /** Reads the match of a sticky expression at the current position. */
  #read(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.source);
    if (match) this.#at = expression.lastIndex;
    return match;
  }

  #alternatives(): readonly State[] {
    const all = [this.#sequence()];
    while (this.#skip('|')) all.push(this.#sequence());
    const [only] = all;
    if (all.length === 1 && only) return only;
    const length = all.reduce((sum, { length }) => sum + length + 1, 1);
    this.#checkSize(length);
    const jumps: number[] = [];
    const program: State[] = [{ jumps }];
    for (const alternative of all) {
      jumps.push(program.length);
      program.push(...alternative);
      program.push({ jumps: [length - program.length] });
    }
    return program;
  }

  #sequence(): readonly State[] {
    const program: State[] = [];
    while (!['', '|', ')'].includes(this.#peek())) {
      program.push(...this.#repeat(...this.#item()));
      this.#checkSize(program.length);
    }
    return program;
  }

  /** Reads an item, and returns whether it can be repeated. */
  #item(): [item: readonly State[], repeatable: boolean] {
    const anchor = this.#read(kAnchor);
    if (anchor) return [[{ holds: assertions.get(anchor[0]) as Assertion }], false];
    if (this.#skip('(')) return [this.#group(), true];
    if (this.#skip('[')) return [[{ test: this.#class() }], true];
    if (this.#skip('.')) return [[{ test: (other) => other !== '\n' }], true];
    if (this.#read(kQuantifier)) this.#refuse('has a repetition without what it repeats');
    const test = this.#skip('\\') ? this.#escaped() : this.#next();
    return [[{ test: testOf(test) }], true];
  }

  #group(): readonly State[] {
    if (this.#skip('?') && !this.#skip(':') && !this.#read(kGroupName)) {
      this.#refuse(`has a group '(?${this.#peek()}', which is not supported`);
    }
    const program = this.#alternatives();
    return this.#skip(')') ? program : this.#refuse("has a '(' without ')'");
  }

  /** Reads what follows a backslash. */
  #escaped(): string | Test {
    const [, x, u] = this.#read(kCode) ?? [];
    const code = x ?? u;
    if (code) return String.fromCharCode(Number.parseInt(code, 16));
    const letter = this.#next();
    const escaped = escapes.get(letter);
    if (escaped === undefined && /[a-zA-Z\d]/.test(letter)) {
      this.#refuse(`has '\\${letter}', which is not supported`);
    }
    return escaped ?? letter;
  }

  #class(): Test {
    const isNegated = this.#skip('^');
    const tests: Test[] = [];
    do tests.push(this.#range());
    while (!this.#skip(']'));
    const isMember: Test = (character) => {
      this.spend(tests.length);
      return tests.some((test) => test(character));
    };
    return isNegated ? not(isMember) : isMember;
  }
  #range(): Test {
    const low = this.#member();
    if (this.source.startsWith('-]', this.#at) || !this.#skip('-')) return testOf(low);
    const high = this.#member();
    if (typeof low !== 'string' || typeof high !== 'string') this.#refuse('has a range of sets');
    const [min, max] = [codeOf(low), codeOf(high)];
    if (min > max) this.#refuse(`has the empty range '${low}-${high}'`);
    return (character) => min <= codeOf(character) && codeOf(character) <= max;
  }
  #member(): string | Test {
    if (!this.#skip('\\')) return this.#next();
    return this.#skip('b') ? '\b' : this.#escaped();
  }

  /**
   * Repeats the item as the quantifier after it says. A search need not know whether it is greedy.
   */
  #repeat(item: readonly State[], repeatable: boolean): readonly State[] {
    const quantifier = this.#read(kQuantifier);
    if (!quantifier) return item;
    if (!repeatable) this.#refuse('repeats an anchor');
    if (!this.#skip('?') && this.#peek() === '+') this.#refuse('has a possessive repetition');
    if (this.#read(kQuantifier)) this.#refuse('repeats a repetition');
    const [all, exact, min, max] = quantifier;
    const fewest = Number(exact ?? (min || all === '+'));
    const limit = Number(exact ?? (max || (all === '?' ? 1 : Infinity)));
    if (fewest > limit) this.#refuse(`repeats from ${fewest} to ${limit} times`);
    const copies = Number.isFinite(limit) ? limit : fewest + 1;
    this.#checkSize(copies * (item.length + 2));
    const loop = [{ jumps: [1, item.length + 2] }, ...item, { jumps: [-item.length - 1] }];
    const optional = Number.isFinite(limit) ? [{ jumps: [1, item.length + 1] }, ...item] : loop;
    return Array.from({ length: copies }, (_, i) => (i < fewest ? item : optional)).flat();
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? -1;
const testOf = (test: string | Test): Test =>
  typeof test === 'string' ? (character) => character === test : test;

/** Set of states at a position. Follows jumps and assertions up to tests of characters. */
class Front {
  readonly #seen: Uint32Array;
  states: number[] = [];
  isMatch = false;

  constructor(
    readonly program: readonly State[],
    readonly text: readonly string[],
    readonly spend: (steps: number) => void,
  ) {
    this.#seen = new Uint32Array(program.length);
  }

  enter(first: number, at: number): void {
    const open = [first];
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      const state = this.program[i];
      if (!state) this.isMatch = true;
      if (!state || this.#seen[i] === at + 1) continue;
      this.#seen[i] = at + 1;
      this.spend(1);
      if ('jumps' in state) for (const jump of state.jumps) open.push(i + jump);
      else if ('test' in state) this.states.push(i);
      else if (state.holds(this.text, at)) open.push(i + 1);
    }
  }
}

function matches(program: readonly State[], text: string, spend: (steps: number) => void): boolean {
  spend(text.length + program.length);
  const characters = [...text];
  const front = new Front(program, characters, spend);
  for (let at = 0; at <= characters.length; at++) {
    front.enter(0, at);
    if (front.isMatch) return true;
    const { states } = front;
    front.states = [];
    for (const i of states) {
      const { test } = program[i] as { test: Test };
      if (at < characters.length && test(characters[at] as string)) front.enter(i + 1, at + 1);
    }
  }
  return false;
}

/**
 * Returns a function that tells whether a pattern matches anywhere in a text. All its searches
 * share a budget of steps; it throws ConfigError when the budget is spent.
 */
export function patternSearch(): (pattern: string, text: string) => boolean {
  let budget = kMaxSteps;
  const spend = (steps: number): void => {
    budget -= steps;
    if (budget >= 0) return;
    throw new ConfigError(
      'the regular expressions need too many steps; use fewer or shorter ones, or literal names',
    );
  };
  const programs = new Map<string, readonly State[]>();
  return (pattern, text) => {
    const program = programs.get(pattern) ?? new Compiler(pattern, spend).compile();
    programs.set(pattern, program);
    return matches(program, text, spend);
  };
}
