// SPDX-License-Identifier: MIT
// Mutation testing of web/src: finds possible changes in TypeScript's syntax tree, and runs the
// tests of the package that reach the changed line.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import ts from 'typescript';
import { byTest, runTestFile } from '../coverage/web.mjs';
import { bundleDev } from '../dev-build.mjs';
import { at, filesUnder, readIfThere, short } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { planFor } from '../test/near.mjs';
import { webTestFiles } from '../test/node-runner.mjs';

const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
  '||=': '=',
  '&&=': '=',
};

const swaps = { true: 'false', false: 'true', 'Math.min': 'Math.max', 'Math.max': 'Math.min' };

/** Returns whether a change replaces one operator by another. */
const isOperator = (text) => Object.hasOwn(operators, text.trim());

/** Returns the change to try at a node, [start, end, new text], or undefined to leave it. */
function changeOf(node, source) {
  const whole = (text) => [node.getStart(source), node.getEnd(), text];
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token } = node;
    const text = operators[token.getText(source)];
    return text && [token.getStart(source), token.getEnd(), text];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return whole(node.operand.getText(source));
  }
  if (ts.isNumericLiteral(node) && /^\d+$/.test(node.text))
    return whole(`${Number(node.text) + 1}`);
  if (ts.isIfStatement(node)) {
    const { expression } = node;
    return [expression.getStart(source), expression.getEnd(), 'false'];
  }
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return whole(';');
  const swap = Object.hasOwn(swaps, node.getText(source)) && swaps[node.getText(source)];
  return swap ? whole(swap) : undefined;
}

/** Returns whether a node is skipped, because types and imports do not run. */
const isSilent = (node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node);

function changesIn(path) {
  const text = readFileSync(at(path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (isSilent(node)) return;
    const change = changeOf(node, source);
    if (change) {
      const [start, end, replacement] = change;
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const before = text.slice(start, end);
      found.push({
        path,
        line,
        start,
        end,
        before,
        text: replacement,
        isOperator: isOperator(before),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the files in dist/. Each build of a changed source adds chunks with new names. */
const built = () => new Set(readdirSync(at('dist')));
let before;
let measured;

/**
 * Returns the sort key of a test file for a change in `path`. Quick files that run little code
 * outside `path` have the lowest keys and run first.
 */
function delay({ lines, milliseconds }, path) {
  const all = Object.values(lines).reduce((sum, { length }) => sum + length, 0);
  return (milliseconds * all) / lines[path].length;
}

/**
 * Returns the test files that run a line; all test files if coverage was not measured. With
 * `first`, the first one that `npm test -- --for FILE` runs.
 */
function testsOf({ path, line }, first) {
  if (first) {
    const near = planFor([path]).filter(({ part }) => part === 'web');
    return near.slice(0, 1).flatMap(({ files }) => files);
  }
  if (!measured) return webTestFiles();
  return measured
    .filter(({ passed, lines }) => passed && lines[path]?.includes(line))
    .sort((a, b) => delay(a, path) - delay(b, path))
    .map(({ test }) => test);
}

async function firstFailure(tests, seconds) {
  const end = performance.now() + seconds * 1000;
  for (const [done, test] of tests.entries()) {
    if (performance.now() > end) return { done };
    const { passed } = await runTestFile(test, { timeout: 120_000 });
    if (!passed) return { test };
  }
  return { done: tests.length };
}

export const web = {
  changes: (isWanted) =>
    filesUnder('web/src', /(?<!\.gen|\.d)\.ts$/)
      .map(short)
      .filter(isWanted)
      .flatMap(changesIn),

  async prepare() {
    const text = readIfThere(byTest);
    measured = text && JSON.parse(text);
    await bundleDev();
    before = built();
  },

  async outcome(change, { seconds, first }) {
    const tests = testsOf(change, first);
    if (tests.length === 0) return { kind: 'SURVIVED', detail: 'no test runs this line' };
    try {
      await bundleDev();
    } catch (error) {
      if (error instanceof Failure) return { kind: 'does not build' };
      throw error;
    }
    const { test, done } = await firstFailure(tests, seconds);
    for (const name of built()) if (!before.has(name)) rmSync(at('dist', name));
    if (test) return { kind: 'killed', detail: test };
    return { kind: 'SURVIVED', detail: `${done} of ${tests.length} test files ran` };
  },

  finish: bundleDev,
};
