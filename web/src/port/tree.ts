// SPDX-License-Identifier: MIT
// Walks the tree of the parser with a limit on its depth.
import type { PartialParse, SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { PortError, Places } from './errors.js';

/** Depth of nesting that a program may have. */
export const maxDepth = 150;
/** A parser that stops at the first error, because recovery takes long in broken sources. */
const strict = parser.configure({ strict: true });

/** A number that ends in its point, which the parser does not know: `1.`, `1./x`, `1.e5`. */
const pointed =
  /(?<![\w.])(\d[\d_]*)\.(?=[^\w.]|$|[eE][+-]?\d|[jJ]\b|(?:if|else|and|or|in|is|for|not)\b)/gm;
/** A `yield` without a value, which the parser does not know either. */
const bare = /\byield(?=[ \t]*(?:#.*)?(?:$|[)\];,]))/gm;

/** Replaces what the parser does not know by words of the same length; texts may change, too. */
const forParser = (text: string): string =>
  text.replace(pointed, '$10').replace(bare, 'yi\u00ebld');

/**
 * Parses a text. The parser counts reductions that begin at the same place, and after 300 it takes
 * a long list of statements for an expression that is nested too deeply: a strict parser then
 * refuses the program. Our own limit of depth is in `deeper`.
 */
function treeOf(text: string): Tree {
  const parse: PartialParse & { bigReductionCount?: number } = strict.startParse(text);
  for (;;) {
    parse.bigReductionCount = 0;
    const tree = parse.advance();
    if (tree) return tree;
  }
}

const hexOf = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

/** The source with its tree. */
export class Source {
  readonly places: Places;
  /** Words that the place that is being read allows: `return`, `break`, `continue`. */
  allowed: ReadonlySet<string> = new Set();
  #depth = 0;

  constructor(
    readonly text: string,
    /** The text before lines of IPython became comments of the same length. */
    readonly original = text,
  ) {
    this.places = new Places(text);
  }

  /** Parses the source. Throws PortError at the first place that is not Python. */
  parse(): SyntaxNode {
    try {
      return treeOf(forParser(this.text)).topNode;
    } catch (error) {
      // The parser's message ends in the offset.
      const found = Number(/(\d+)$/.exec((error as Error).message)?.[1] ?? 0);
      const at = Math.min(found, this.text.length);
      const code = this.text.codePointAt(at) ?? 0;
      return this.fail(
        code < 128
          ? 'the source is not valid Python here'
          : `the character U+${hexOf(code)} is not Python here; write a plain space, quote or sign`,
        at,
      );
    }
  }

  fail(message: string, at: number): never {
    const { line, column } = this.places.of(at);
    throw new PortError(message, line, column, this.original);
  }

  of(node: SyntaxNode): string {
    return this.text.slice(node.from, node.to);
  }

  /** Runs a function in a place that allows some words. */
  allowing<T>(words: Iterable<string>, run: () => T): T {
    const outer = this.allowed;
    this.allowed = new Set(words);
    try {
      return run();
    } finally {
      this.allowed = outer;
    }
  }

  /** Runs a function one level deeper. */
  deeper<T>(node: SyntaxNode, run: () => T): T {
    if (++this.#depth > maxDepth) {
      this.fail(
        `the program is nested more than ${maxDepth} levels deep; split the expression`,
        node.from,
      );
    }
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }
}

const identifier = /^[_\p{XID_Start}]\p{XID_Continue}*$/u;

/** Returns whether Python accepts a name; the parser accepts any character beyond ASCII. */
export const isIdentifier = (text: string): boolean => identifier.test(text);

/** Returns the children of a node, without comments. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const list: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'Comment') list.push(child);
  }
  return list;
}

/** Splits nodes at those of one name. */
export function splitAt(nodes: readonly SyntaxNode[], name: string): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === name) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}
