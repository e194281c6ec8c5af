// SPDX-License-Identifier: MIT
// A program as people write it, a module with imports and top-level await, as a function body. Lines stay where they are, so
// that errors name the line on view.

const importLine = /^([ \t]*)import\s+(?:([\w$*\s{},]+?)\s+from\s+)?(['"])([^'"\n]+)\3[ \t]*;?/gm;

/** The body of an async function of `__import` that ends by returning what the names hold. */
export function bodyOf(text: string, names: readonly string[] = []): string {
  const body = text
    .replace(
      importLine,
      (_, indent, clause, __, specifier) =>
        `${indent}${bindings(clause ?? '', JSON.stringify(specifier))}`,
    )
    .replace(/\bimport\s*\(/g, '__import(')
    .replace(/^export\s+(?=(?:async|const|let|class|function)\b)/gm, '');
  // A name that the program does not have is undefined, and one that it never came to as well.
  const held = names.map(
    (name) => `get ${name}() { try { return ${name}; } catch { return undefined; } }`,
  );
  // In a block of its own the program may have names that it is given, too.
  return `"use strict"; {${body}\n;return { ${held.join(', ')} };}`;
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

/** The names that a program takes from the package, without `type` ones. */
export const specifiersOf = (text: string): string[] =>
  [...text.matchAll(importLine)].map((match) => match[4] ?? '');

type Program = (scope: { [name: string]: unknown }) => Promise<{ [name: string]: unknown }>;

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => ReturnType<Program>;

const counter = { made: 0 };

/**
 * The program as a function of what it may see. Where the page's policy forbids making functions of text (a page opened from a
 * folder), the same text comes as a script of its own.
 */
export function compile(text: string, names: readonly string[], seen: readonly string[]): Program {
  const body = `${bodyOf(text, names)}\n//# sourceURL=program.js`;
  try {
    const made = new AsyncFunction(...seen, body);
    return (scope) => made(...seen.map((name) => scope[name]));
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    return byScript(body, seen);
  }
}

declare function importScripts(...addresses: string[]): void;

function byScript(body: string, seen: readonly string[]): Program {
  const name = `__program${counter.made++}`;
  const script = `self.${name} = async (${seen.join(', ')}) => {${body}\n};`;
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  try {
    importScripts(address);
  } finally {
    URL.revokeObjectURL(address);
  }
  const global = globalThis as unknown as {
    [name: string]: (...given: unknown[]) => ReturnType<Program>;
  };
  const made = global[name];
  delete global[name];
  if (!made) throw new SyntaxError('The program could not be read.');
  return (scope) => made(...seen.map((each) => scope[each]));
}

/** The line of the program that an error came from, as far as the engine tells. */
export function lineOf(error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // Chromium and WebKit count the two lines that a made function begins with; Firefox does, too.
  const found = /program\.js:(\d+)/.exec(stack);
  const line = found ? Number(found[1]) - 2 : undefined;
  return line !== undefined && line > 0 ? line : undefined;
}
