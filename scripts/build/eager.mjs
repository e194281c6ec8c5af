// SPDX-License-Identifier: MIT
import { parseAst } from 'rolldown/parseAst';

/** Chromium compiles a whole file with this line as it comes in, off the main thread. Bundlers drop it. */
const hint = '//# allFunctionsCalledOnLoad\n';

const isFunction = (node) => /^(Arrow)?FunctionExpression$/.test(node?.type ?? '');

/** The functions that are given to a name where the name is declared. */
function named(node, found = []) {
  if (node?.type === 'VariableDeclarator' && isFunction(node.init)) found.push(node.init);
  for (const value of Object.values(node ?? {})) {
    if (typeof value === 'object') named(value, found);
  }
  return found;
}

/**
 * For a script nearly all of whose functions run at its start: one by one, at their first call, they would be compiled
 * on the main thread. Parentheses around a function tell the engine the same as the line does, and stay in a bundle.
 */
export function compiledAtOnce(code) {
  const marks = named(parseAst(code)).flatMap(({ start, end }) => [
    [start, '('],
    [end, ')'],
  ]);
  let done = 0;
  let text = hint;
  for (const [place, mark] of marks.sort(([a], [b]) => a - b)) {
    text += code.slice(done, place) + mark;
    done = place;
  }
  return text + code.slice(done);
}
