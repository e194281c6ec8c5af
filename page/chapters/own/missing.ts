// SPDX-License-Identifier: MIT
// Translated programs whose data has no partner: this page leaves out the statements that use it.

/** The line with which a translation asks for values. */
const asking = /^ *\/\/ Give values here: (.+)$/gm;
/** The names that a statement assigns to, and their value. */
const assignment = /^(?:const |let )?(?:[[{] ?)?([\w$, ]+?)(?: ?[\]}])? = ([\s\S]*)/;
const functionName = /^(?:async )?function\*? (\w+)/;
/** Statements that use no variable where they are. */
const isDefinition = /^(?:\/\/|import\b|class\b|let [\w$, ]+;$)/;
const text = /'(?:[^'\\]|\\[\s\S])*'/g;
/** Names of variables, which are neither members nor keys. */
const variable = /(?<![.\w$])[A-Za-z_$][\w$]*(?![\w$:])/g;

/**
 * Returns a translated program in which statements that use data without values are comments, as
 * are those that use their results. All lines keep their numbers.
 */
export function withoutData(code: string): string {
  const missing = new Set([...code.matchAll(asking)].flatMap(([, list = '']) => list.split(', ')));
  if (missing.size === 0) return code;
  const lacks = (part: string): boolean =>
    (part.replace(text, "''").match(variable) ?? []).some((name) => missing.has(name));
  // A statement begins at the start of a line.
  return code
    .split(/\n(?=[^\s)\]}])/)
    .map((statement) => {
      if (isDefinition.test(statement.trimEnd())) return statement;
      const [, own] = functionName.exec(statement) ?? [];
      if (own) {
        if (lacks(statement)) missing.add(own);
        return statement;
      }
      const [, names = '', value = statement] = assignment.exec(statement) ?? [];
      const isLacking = lacks(value);
      for (const name of names.split(/,\s*/)) missing[isLacking ? 'add' : 'delete'](name);
      return isLacking ? statement.replace(/^(?=.)/gm, '// ') : statement;
    })
    .join('\n');
}
