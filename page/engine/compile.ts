// SPDX-License-Identifier: MIT
// Turns a program, written as a module with imports and top-level await, into a function. Lines
// keep their numbers, so errors name the line on view.
import { importBlob } from './import_blob.js';

const importLine = /^([ \t]*)import\s+(?:([\w$*\s{},]+?)\s+from\s+)?(['"])([^'"\n]+)\3[ \t]*;?/gm;

/** Returns the program as statements of an async function that calls `__import`. */
const statementsOf = (text: string): string =>
  text
    .replace(
      importLine,
      (_, indent, clause, __, specifier) =>
        `${indent}${bindings(clause ?? '', JSON.stringify(specifier))}`,
    )
    .replace(/\bimport\s*\(/g, '__import(')
    .replace(/^export\s+(?=(?:async|const|let|class|function)\b)/gm, '');

/** Returns the body of an async function that calls `__import` and returns the named variables. */
export function bodyOf(text: string, names: readonly string[] = []): string {
  // A variable that the program does not define, or did not reach, is undefined.
  const getters = names.map(
    (name) => `get ${name}() { try { return ${name}; } catch { return undefined; } }`,
  );
  // The block allows the program to redeclare the parameters of the function.
  return `"use strict"; {${statementsOf(text)}\n;return { ${getters.join(', ')} };}`;
}

function bindings(clause: string, specifier: string): string {
  const loaded = `await __import(${specifier});`;
  const namespace = /^\*\s*as\s+([\w$]+)$/.exec(clause);
  if (namespace) return `const ${namespace[1]} = ${loaded}`;
  const [, single, listed] = /^([\w$]+)?\s*,?\s*(\{[\s\S]*\})?$/.exec(clause) ?? [];
  const parts = [single && `default: ${single}`, listed?.slice(1, -1).replace(/\bas\b/g, ':')];
  const inside = parts.filter(Boolean).join(', ');
  return inside ? `const { ${inside.replace(/\s+:\s+/g, ': ')} } = ${loaded}` : loaded;
}

/** Returns the module specifiers that a program imports. */
export const specifiersOf = (text: string): string[] =>
  [...text.matchAll(importLine)].map((match) => match[4] ?? '');

type Program = (scope: { [name: string]: unknown }) => Promise<{ [name: string]: unknown }>;

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => ReturnType<Program>;

/**
 * Compiles a program to a function of the variables in `seen`. Where a policy forbids functions
 * from text, the program is imported as a module.
 */
export async function compile(
  text: string,
  names: readonly string[],
  seen: readonly string[],
): Promise<Program> {
  try {
    const run = await functionOf(bodyOf(text, names), seen);
    return (scope) => run(...seen.map((name) => scope[name]));
  } catch (error) {
    throw error instanceof SyntaxError ? await explained(error, text, seen) : error;
  }
}

/**
 * Explains an error that the parser found behind the program, in the text that the page adds there:
 * other text leads to another message.
 */
async function explained(
  error: SyntaxError,
  text: string,
  seen: readonly string[],
): Promise<SyntaxError> {
  try {
    await functionOf(`"use strict"; {${statementsOf(text)}\n]`, seen);
  } catch (other) {
    if (other instanceof Error && other.message === error.message) return error;
  }
  return new SyntaxError(
    'A bracket, brace or parenthesis is missing or left over: the program does not end where its text ends.',
  );
}

type Compiled = (...args: unknown[]) => ReturnType<Program>;

/** Whether this worker belongs to a sandboxed frame, which has an origin of its own. */
const isFramed = (): boolean => globalThis.origin === 'null';

/** The address of the last program that was imported: WebKit names it, not the sourceURL. */
let moduleAddress = 'program.js';

async function functionOf(body: string, seen: readonly string[]): Promise<Compiled> {
  const named = `${body}\n//# sourceURL=program.js`;
  // The policy of a frame forbids functions from text, and Firefox reports every attempt.
  if (!isFramed()) return new AsyncFunction(...seen, named);
  // Two lines come before the body, as before that of a function from text.
  const script = `export default async (${seen.join(', ')}\n) =>\n{${body}\n};\n//# sourceURL=program.js`;
  const blob = new Blob([script], { type: 'text/javascript' });
  const module = await importBlob(blob, (address) => {
    moduleAddress = address;
  });
  return (module as { default: Compiled }).default;
}

/** Returns the line of the program that threw an error, if the stack contains it. */
export function lineOf(error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // All engines count the two lines that they put before the body of a function from text.
  const match = new RegExp(`(?:program\\.js|${moduleAddress}):(\\d+)`).exec(stack);
  const line = match ? Number(match[1]) - 2 : undefined;
  return line !== undefined && line > 0 ? line : undefined;
}
