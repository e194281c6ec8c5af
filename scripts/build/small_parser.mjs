// SPDX-License-Identifier: MIT
// Leaves out the parts of the parser of Python that maskflow/port never runs.

import { compact, readingTables } from './parser_tables.mjs';

/** Returns a pattern for a method of a class, with the comments of its body. */
const method = (name) =>
  new RegExp(`^    (?:get |static )?${name}\\(.*\\) \\{(?: .*|\\n[\\s\\S]*?^    )\\}$`, 'm');

const unused = {
  // The parser is strict: it stops at the first error, and nothing is parsed again after an edit.
  lr: `runRecovery recoverByDelete recoverByInsert advanceFully forceReduce findForcedReduction
    forceAll validAction nextStates tryReuse useNode stopAt restart deadEnd stackID hasWrappers
    getName allActions dialectEnabled acceptTokenTo`,
  // Only the tree is walked, from its root. A name stands here once for each class that has it.
  common: `resolve resolveInner resolveStack resolve resolveInner cursorAt iterate propValues
    balance childString slice getChild getChildren enterUnfinishedNodesBefore atLastNode move moveTo
    node node toTree toTree toString toString toString toString toString enter enter enter
    matchContext matchContext prevSibling prevSibling prevSibling lastChild lastChild lastChild
    childAfter childAfter childAfter childBefore childBefore childBefore prev is add match`,
};

/** Replacements by file. Each must find its pattern. */
const replacements = {
  // The colors, for which the parser would import a library, and groups of nodes for editors.
  python: [
    [/^import .* from '@lezer\/highlight';$/m, ''],
    [/styleTags\(\{[\s\S]*?\n\}\)/, '() => null'],
    [/nodeProps: \[\n[\s\S]*?^ {2}\],/m, ''],
  ],
  lr: [
    [/this\.runRecovery\(.*?\);/, 'null;'],
    [/this\.stackToTree\(finished\.forceAll\(\)\)/, 'null'],
    [/fragments\.length && [^?]*\? new FragmentCursor\(.*?\) : null;/, 'null;'],
    [/^ {8}if \(this\.fragments\) \{[\s\S]*?^ {8}\}$/m, ''],
    [/^ {8}if \(this\.stoppedAt != null &&.*\n.*;$/m, ''],
    // Our own limit of depth is lower than the one of the parser, which would leave levels out.
    [/while \(stack\.stack\.length > 6000 .*/, 'return false;'],
    [/while \(s\.forceReduce\(\) .*/, ''],
    [/const verbose = .*/, 'const verbose = false;'],
    [/^LocalTokenGroup\.prototype.*? = (?=TokenGroup)/m, ''],
    ...readingTables,
  ],
  common: [],
};

export const smallParser = {
  name: 'small parser',
  transform(code, id) {
    const [, name] = /@lezer\/(\w+)\/dist\/index\.js$/.exec(id) ?? [];
    if (!Object.hasOwn(replacements, name ?? '')) return null;
    let text = code;
    const methods = (unused[name] ?? '').split(/\s+/).filter(Boolean);
    const all = [...replacements[name], ...methods.map((each) => [method(each), ''])];
    for (const [pattern, replacement] of all) {
      const next = text.replace(pattern, () => replacement);
      if (next === text) throw new Error(`${id} has another form: ${pattern} is not in it`);
      text = next;
    }
    if (name === 'python') text = compact(text);
    return { code: text, map: null };
  },
};
