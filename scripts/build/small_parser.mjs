// SPDX-License-Identifier: MIT
// Leaves out the parts of the parser of Python that maskflow/port never runs.

/** Returns a pattern for a method of a class, with the comments of its body. */
const method = (name) => new RegExp(`^    ${name}\\(.*\\) \\{\\n[\\s\\S]*?^    \\}$`, 'm');

/** Replacements by file. Each must find its pattern. */
const replacements = {
  // The colors, for which the parser would import a library.
  python: [
    [/^import .* from '@lezer\/highlight';$/m, ''],
    [/styleTags\(\{[\s\S]*?\n\}\)/, '() => null'],
  ],
  // The parser is strict: it stops at the first error, and nothing is parsed again after an edit.
  lr: [
    [/this\.runRecovery\(.*?\);/, 'null;'],
    [method('runRecovery'), ''],
    [method('recoverByDelete'), ''],
    [method('recoverByInsert'), ''],
    [/fragments\.length && [^?]*\? new FragmentCursor\(.*?\) : null;/, 'null;'],
  ],
  // Only the tree is walked, from its root.
  common: [[method('resolveStack'), '']],
};

export const smallParser = {
  name: 'small parser',
  transform(code, id) {
    const [, name] = /@lezer\/(\w+)\/dist\/index\.js$/.exec(id) ?? [];
    if (!Object.hasOwn(replacements, name ?? '')) return null;
    let text = code;
    for (const [pattern, replacement] of replacements[name]) {
      if (!pattern.test(text)) throw new Error(`${id} has another form: ${pattern} is not in it`);
      text = text.replace(pattern, replacement);
    }
    return { code: text, map: null };
  },
};
