// SPDX-License-Identifier: MIT
// Doc comments state a default in words: "Rows of a batch. Default: 32." Tables give it a column.

/** Matches a sentence with a default; its value may contain a decimal point. */
const sentence =
  /(?:^|\s)Default:\s+(`[^`]+`|'[^']*'|"[^"]*"|[^.;,]+?(?:\.\d[^.;,]*)?)(?=[.;,]|$)(\.?)/;
/** Matches the value before "(default)" in a list of values. */
const marked = /('[^']*'|"[^"]*"|`[^`]+`|[\w.]+) \(default\)/;
/** Matches values as JavaScript writes them, and names. */
const isCode = (value) =>
  /^(['"].*['"]|-?[\d_.]+(e-?\d+)?|true|false|null|\[\]|\{\}|[A-Z]\w+)$/.test(value);

const asCode = (value) => (isCode(value) ? `\`${value}\`` : value);

/**
 * Divides a description into its words and the default that it states. The sentence of the default
 * is removed, unless it goes on after the value.
 */
export function splitDefault(description) {
  const words = description.trim();
  const stated = sentence.exec(words);
  if (!stated) {
    const [, value = ''] = marked.exec(words) ?? [];
    return { words, preset: asCode(value) };
  }
  const [whole, value, period] = stated;
  const isWhole = period === '.' || stated.index + whole.length === words.length;
  const rest = `${words.slice(0, stated.index)}${words.slice(stated.index + whole.length)}`;
  return { words: isWhole ? rest.trim() : words, preset: asCode(value) };
}
