// SPDX-License-Identifier: MIT
// Comments of the program at their places.
import type { Comment } from './ast.js';
import type { Doc } from './print.js';
import { mark } from './print.js';

export class Comments {
  #next = 0;

  constructor(
    readonly list: readonly Comment[],
    readonly source: string,
  ) {}

  /** Returns the comments before an offset that were not returned yet, as lines. */
  take(_: number, to: number): { docs: Doc[]; at: number | null; end: number } {
    const docs: Doc[] = [];
    let [at, end]: [number | null, number] = [null, to];
    for (; this.#next < this.list.length; this.#next++) {
      const comment = this.list[this.#next] as Comment;
      if (comment.at >= to) break;
      if (docs.length > 0 && this.hasGap(end, comment.at)) docs.push('');
      at ??= comment.at;
      docs.push([mark(comment.at), lineOf(comment.text)]);
      end = comment.at + comment.text.length + 1;
    }
    return { docs, at, end };
  }

  /** Returns the comment behind code on the line that ends at an offset. */
  after(to: number): string | null {
    const comment = this.list[this.#next];
    if (!comment?.isTrailing || comment.at < to) return null;
    if (this.source.slice(to, comment.at).includes('\n')) return null;
    this.#next++;
    return lineOf(comment.text);
  }

  /** Returns whether a blank line is between two offsets. */
  hasGap(from: number, to: number): boolean {
    return from >= 0 && /\n[ \t]*\n/.test(this.source.slice(from, to));
  }
}

/** A comment of one line, whatever characters end lines in JavaScript. */
const lineOf = (text: string): string =>
  `// ${text.replace(/^[!:]?\s?/, '').replace(/[\r\n\u2028\u2029]/g, ' ')}`.trimEnd();
