// SPDX-License-Identifier: MIT
// Translates a program in several passes: each knows what the last one learned of functions.
import type { Module } from './ast.js';
import { lines } from './body.js';
import { Comments } from './comments.js';
import { type Draft, type Memory, Port } from './context.js';
import { emit } from './emit.js';
import { arrow } from './functions.js';
import { helpers } from './helpers.js';
import { markRebound } from './local_names.js';
import { type Doc, object, Printer } from './print.js';
import { Scope } from './scope.js';
import type { Type } from './types.js';

const parts = { expr: emit, lines, arrow };
/** Number of passes: calls of calls of functions are known after three. */
const passes = 4;

export interface Printed {
  readonly lines: readonly string[];
  readonly offsets: readonly (number | null)[];
  readonly notes: readonly Draft[];
}

export function translate(module: Module, source: string, isTraced = false): Printed {
  markRebound(module);
  const types = new Map<string, Type>();
  let memory: Memory = {
    fns: new Map(),
    classes: new Map(),
    scopes: new Map(),
    imported: new Set(),
    hasWeights: { value: false },
    members: new Map(),
    missing: new Set(),
  };
  for (let pass = 1; ; pass++) {
    const port = new Port(memory, parts, source, new Comments(module.comments, source));
    port.scope = new Scope(null, types, [], module.body, false);
    const body = lines(port, module.body);
    const rest = port.comments.take(0, Number.POSITIVE_INFINITY).docs;
    if (pass === passes) {
      const trace = isTraced && port.traced ? ['', port.traced] : [];
      if (isTraced && !port.traced) {
        port.note(
          source.length,
          'guess',
          'no model runs on a variable, so its masks are not printed',
        );
      }
      return print(port, [...body, ...rest, ...trace]);
    }
    const start = port.used.size > 0 ? ['ready'] : [];
    memory = { ...memory, imported: new Set([...port.used, ...port.helpers, ...start]) };
  }
}

/** Writes the imports, the start of the package, helpers and the program. */
function print(port: Port, body: readonly Doc[]): Printed {
  const printer = new Printer();
  const head: Doc[] = [];
  const bodyText = body.length > 0;
  const isNeeded = port.used.size > 0;
  const texts = [...port.used].filter((name) => textNames.has(name));
  const names = [...port.used].filter((name) => !textNames.has(name));
  if (isNeeded && !names.includes('ready')) names.push('ready');
  const entry = port.needsTraining ? 'maskflow/train' : 'maskflow';
  if (names.length > 0) head.push(imported(names, entry));
  if (texts.length > 0) head.push(imported(texts, 'maskflow/text'));
  for (const [path, list] of port.others) head.push(imported([...list], path));
  if (isNeeded) head.push('', 'await ready();');
  for (const name of port.helpers) head.push('', helpers[name] ?? '');
  printer.statements(head, 0);
  if (head.length > 0 && bodyText) printer.statements([''], 0);
  printer.statements(body, 0);
  while (printer.lines.at(-1) === '') {
    printer.lines.pop();
    printer.offsets.pop();
  }
  return { lines: printer.lines, offsets: printer.offsets, notes: [...port.notes.values()] };
}

const textNames = new Set([
  'TextVectorization',
  'StringLookup',
  'IntegerLookup',
  'Hashing',
  'HashedCrossing',
  'Tokenizer',
]);

const byName = (a: string, b: string): number =>
  a.toLowerCase().localeCompare(b.toLowerCase(), 'en');
const imported = (names: readonly string[], path: string): Doc => [
  'import ',
  object([...names].sort(byName)),
  ` from '${path}';`,
];
