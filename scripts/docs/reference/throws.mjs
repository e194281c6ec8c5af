// SPDX-License-Identifier: MIT
// Doc comments say "Throws ConfigError if …" in their text. The reference lists it below the
// result.
import { CommentTag } from 'typedoc';

const beginning = /(^|\n\n|[.)] |[.)]\n)(?=Throws\s)/;

/** Returns where the sentences about errors begin: the index of the part, and in its text. */
function findThrows(parts) {
  for (const [index, { kind, text }] of parts.entries()) {
    const found = kind === 'text' && beginning.exec(text);
    if (found) return { index, offset: found.index + found[0].length };
  }
  return undefined;
}

/** Returns the parts before and after the paragraph's end. */
function cutParagraph(parts) {
  for (const [index, part] of parts.entries()) {
    const end = part.kind === 'text' ? part.text.indexOf('\n\n') : -1;
    if (end < 0) continue;
    const rest = { ...part, text: part.text.slice(end) };
    return [
      [...parts.slice(0, index), { ...part, text: part.text.slice(0, end) }],
      [rest, ...parts.slice(index + 1)],
    ];
  }
  return [parts, []];
}

/** Moves the sentences of a comment that begin with "Throws" into a `@throws` tag. */
export function moveThrows(comment) {
  const found = findThrows(comment?.summary ?? []);
  if (!found) return;
  const { index, offset } = found;
  const part = comment.summary[index];
  const after = [{ ...part, text: part.text.slice(offset) }, ...comment.summary.slice(index + 1)];
  const [sentences, rest] = cutParagraph(after);
  const before = [
    ...comment.summary.slice(0, index),
    { ...part, text: part.text.slice(0, offset).trimEnd() },
  ];
  comment.summary = [...before, ...rest];
  const [first, ...others] = sentences;
  // The heading says it already.
  const words = { ...first, text: first.text.replace(/^Throws\s+/, '') };
  comment.blockTags.push(new CommentTag('@throws', [words, ...others]));
}
