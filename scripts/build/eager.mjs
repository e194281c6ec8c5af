// SPDX-License-Identifier: MIT
// Prepares Emscripten's glue so that a page starts it faster.
import { parseAst } from 'rolldown/parseAst';

/**
 * With this line, Chromium compiles the file while it loads, off the main thread. Bundlers drop it.
 */
const hint = '//# allFunctionsCalledOnLoad\n';

const isFunction = (node) => /^(Arrow)?FunctionExpression$/.test(node?.type ?? '');

/** Returns the functions that are values of declared variables. */
function declaredFunctions(node, functions = []) {
  if (node?.type === 'VariableDeclarator' && isFunction(node.init)) functions.push(node.init);
  for (const value of Object.values(node ?? {})) {
    if (typeof value === 'object') declaredFunctions(value, functions);
  }
  return functions;
}

/**
 * Marks the functions of a script for early compilation. Nearly all of them run at its start, where
 * they would be compiled one by one on the main thread. Parentheses around a function have the
 * effect of the line above, and bundlers keep them.
 */
export function compiledAtOnce(code) {
  const marks = declaredFunctions(parseAst(code)).flatMap(({ start, end }) => [
    [start, '('],
    [end, ')'],
  ]);
  let copied = 0;
  let text = hint;
  for (const [offset, mark] of marks.sort(([a], [b]) => a - b)) {
    text += code.slice(copied, offset) + mark;
    copied = offset;
  }
  return text + code.slice(copied);
}
