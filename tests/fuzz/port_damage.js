// SPDX-License-Identifier: MIT
// Damaged and grown Python for maskflow/port: the result is JavaScript that parses, or an error
// with line and column. Texts of the source never become code, and time grows with the size.
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import ts from 'typescript';
import { port } from '../../dist/port.js';
import { generator, integer, pick } from '../support/random.js';

const fixture = new URL('../fixtures/port/programs.jsonl.gz', import.meta.url);
const seeds = gunzipSync(readFileSync(fixture))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).source);

const kCanary = 'globalThis.escaped = true';
const pieces = [
  ...['(', ')', '[', ']', '{', '}', ':', ',', '.', '=', '\\', '"', "'", '"""', "'''", '`', '${'],
  ...[
    '#',
    '@',
    '*',
    '**',
    '->',
    ':=',
    '\n',
    '\r',
    '\r\n',
    '\t',
    '\f',
    '\v',
    '\0',
    '\u2028',
    '\u2029',
  ],
  ...[
    '\ufeff',
    '\ud800',
    '😀',
    'é',
    '変',
    '</script>',
    '<!--',
    '-->',
    '*/',
    '/*',
    '//',
    'f"{',
    '}}',
  ],
  ...[
    'lambda',
    'yield',
    'await',
    'async ',
    'class ',
    'def ',
    'if ',
    'else:',
    'for ',
    'in ',
    'not ',
  ],
  ...[
    'return',
    'import ',
    'from ',
    'with ',
    'try:',
    'except',
    'global ',
    'None',
    'self',
    '0x',
    '1e',
  ],
  ...['1_000', '0b1', '1j', '...', 'eval', 'arguments', '__proto__', 'constructor', 'let ', 'new '],
  ...[
    'match x:',
    'case _:',
    'print ',
    'exec ',
    '<>',
    '$',
    '?',
    '!',
    '%',
    '~',
    ';',
    '    ',
    kCanary,
  ],
];

const at = (random, text) => integer(random, 0, text.length);

/** Edits of a source. */
const edits = {
  cut: (random, text) => text.slice(0, at(random, text)),
  cutHead: (random, text) => text.slice(at(random, text)),
  drop(random, text) {
    const from = at(random, text);
    return text.slice(0, from) + text.slice(from + integer(random, 1, 20));
  },
  insert(random, text) {
    const from = at(random, text);
    return text.slice(0, from) + pick(random, pieces) + text.slice(from);
  },
  replace(random, text) {
    const from = at(random, text);
    return text.slice(0, from) + pick(random, pieces) + text.slice(from + integer(random, 1, 5));
  },
  double(random, text) {
    const [from, size] = [at(random, text), integer(random, 1, 80)];
    const piece = text.slice(from, from + size);
    return text.slice(0, from) + piece.repeat(integer(random, 2, 5)) + text.slice(from + size);
  },
  move(random, text) {
    const [from, size] = [at(random, text), integer(random, 1, 60)];
    const rest = text.slice(0, from) + text.slice(from + size);
    const to = at(random, rest);
    return rest.slice(0, to) + text.slice(from, from + size) + rest.slice(to);
  },
  swapLines(random, text) {
    const lines = text.split('\n');
    const [i, j] = [integer(random, 0, lines.length - 1), integer(random, 0, lines.length - 1)];
    [lines[i], lines[j]] = [lines[j], lines[i]];
    return lines.join('\n');
  },
  indent(random, text) {
    const lines = text.split('\n');
    const i = integer(random, 0, lines.length - 1);
    lines[i] = pick(random, [' ', '    ', '\t', '  \t']) + lines[i];
    return lines.join('\n');
  },
  rename(random, text) {
    const [word] = pick(random, [...text.matchAll(/[A-Za-z_]\w*/g)]) ?? ['model'];
    const name = pick(random, ['class', 'await', 'let', 'ops', 'layers', 'ready', 'x', 'Tensor']);
    return text.replaceAll(word, pick(random, [name, `${name}_`, '__proto__', 'arguments', 'del']));
  },
  nest(random, text) {
    const depth = integer(random, 2, 60);
    const [open, close] = pick(random, ['()', '[]', '{}', ['f(', ')'], ['not ', '']]);
    return `${text}\nnested = ${open.repeat(depth)}1${close.repeat(depth)}\n`;
  },
  join: (random, text) => text + pick(random, seeds),
};

/** Values that would become code if they left their place. */
const texts = [
  `'; ${kCanary}; '`,
  `"; ${kCanary}; "`,
  `\`; ${kCanary}; \``,
  `\${${kCanary}}`,
  `*/ ${kCanary}; /*`,
  `\u2028${kCanary}\u2028`,
  `\u2029${kCanary}//`,
  `\\'; ${kCanary}; //`,
  `</script><script>${kCanary}</script>`,
  `\\\\\`; ${kCanary}; \``,
  `\f${kCanary}`,
  `\v${kCanary}\x85${kCanary}`,
  `--> ${kCanary}`,
  `{{${kCanary}}}`,
  `\\u2028${kCanary}`,
  `\ud800'; ${kCanary}; '`,
];

/** Returns the text as a string of Python, in one of its forms. */
function pythonString(random, text) {
  const escaped = JSON.stringify(text).slice(1, -1);
  const raw = text.replace(/[\\"\n\r]/g, '');
  const forms = [
    `"${escaped}"`,
    `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
    `"""${escaped}"""`,
    `r"${raw}"`,
    `f"${escaped.replaceAll('{', '{{').replaceAll('}', '}}')}"`,
    `f"{x}${escaped.replaceAll('{', '{{').replaceAll('}', '}}')}{x!r}"`,
    `"${escaped}" "${escaped}"`,
    `("${escaped.replaceAll('%', '%%')}%s" % x)`,
    `"{}${escaped.replaceAll('{', '{{').replaceAll('}', '}}')}".format(x)`,
  ];
  return pick(random, forms);
}

/** Places of a program in which any text may be. */
const places = [
  (s) => `x = ${s}`,
  (s) => `print(${s})`,
  (s) => `layer = keras.layers.Dense(3, name=${s})`,
  (s) => `layer = keras.layers.Dense(3, activation=${s})`,
  (s) => `layer = keras.layers.Dense(3, **{${s}: 1})`,
  (s) => `d = {${s}: ${s}}\nd[${s}] = 1`,
  (s) => `model.compile(loss=${s}, metrics=[${s}], optimizer=${s})`,
  (s) => `def f(a=${s}):\n    return a + ${s}`,
  (s) => `assert x, ${s}`,
  (s) => `raise ValueError(${s})`,
  (s) => `getattr(model, ${s})`,
  (s) => `np.array([${s}])`,
  (s) => `with open(${s}) as file:\n    pass`,
  (s) => `x: ${s} = 1`,
  (s) => `import pandas as pd\npd.read_csv(${s})`,
];
const rawPlaces = [
  (t) => `x = 1  # ${t}`,
  (t) => `# ${t}\nx = 1`,
  (t) => `"""${t.replace(/[\\"]/g, '')}"""\nx = 1`,
  (t) => `def f():\n    '''${t.replace(/[\\']/g, '')}'''\n    return 1`,
  (t) => `class A(keras.Layer):\n    """${t.replace(/[\\"]/g, '')}"""\n    # ${t}\n    pass`,
  (t) => `model = keras.Sequential([\n    keras.layers.Dense(1),  # ${t}\n])`,
  (t) => `plt.plot(x)  # ${t}`,
];

/** Python breaks lines at these; the text would leave its comment in Python, too. */
const oneLine = (text) => text.replace(/[\r\n]/g, ' ');

function canarySource(random) {
  const lines = ['import keras', 'import numpy as np', 'x = 1'];
  for (let i = integer(random, 1, 4); i > 0; i--) {
    const text = pick(random, texts);
    const place =
      integer(random, 0, 1) === 0
        ? pick(random, places)(pythonString(random, text))
        : pick(random, rawPlaces)(oneLine(text));
    lines.push(place);
  }
  return lines.join('\n');
}

/** Returns where the canary is code, not text, in JavaScript; null if it is not. */
function escapes(code) {
  const file = ts.createSourceFile(
    'port.mjs',
    code,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JS,
  );
  let found = null;
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.text === 'escaped') found ??= node.getStart();
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found === null ? null : code.slice(Math.max(0, found - 80), found + 40);
}

const imports = /^import ([^'";]*?) from (?:'[^']*'|"[^"]*");?$/gm;

/** Throws SyntaxError if JavaScript of a module does not parse. Nothing of it runs. */
export function parseModule(code) {
  const script = code.replace(imports, (_, names) =>
    names.startsWith('{')
      ? `const ${names.replace(/\bas\b/g, ':')} = 0;`
      : `const ${names.split(' ').at(-1)} = 0;`,
  );
  new Script(`(async () => { 'use strict';\n${script}\n});`);
}

/** Ports a source; returns a problem or null, and the time in ms. */
export function portProblem(source, { isCanary = false } = {}) {
  const start = performance.now();
  let code = '';
  let problem = null;
  try {
    ({ code } = port(source));
  } catch (error) {
    problem = errorProblem(error, source);
    return { problem, time: performance.now() - start, outcome: error.name };
  }
  const time = performance.now() - start;
  try {
    parseModule(code);
  } catch (error) {
    return { problem: `invalid JavaScript: ${error.message}`, time, outcome: 'invalid' };
  }
  const place = isCanary ? escapes(code) : null;
  return { problem: place && `a text became code: ${place}`, time, outcome: 'JavaScript' };
}

/** An error must be a PortError whose place is in the source. */
function errorProblem(error, source) {
  if (error.name !== 'PortError') return `${error.name}: ${error.message}`;
  const { line, column } = error;
  const lines = source.split(/\r\n?|\n/);
  const isLine = Number.isInteger(line) && line >= 1 && line <= lines.length + 1;
  const length = (lines[line - 1] ?? '').length;
  if (!isLine || !Number.isInteger(column) || column < 1 || column > length + 2) {
    return `the error is at ${line}:${column} of ${lines.length} lines: ${error.message}`;
  }
  return null;
}

/** Returns the source of a case. */
export function damagedSource(seed) {
  const random = generator(seed);
  if (seed % 4 === 3) return { source: canarySource(random), isCanary: true };
  let source = pick(random, seeds);
  for (let i = integer(random, 1, 4); i > 0; i--) {
    source = pick(random, Object.values(edits))(random, source);
  }
  return { source, isCanary: false };
}

const inline =
  (open, close = '') =>
  (n) =>
    `x = ${open.repeat(n)}1${close.repeat(n)}\n`;

/** Structures that grow; each must take time in proportion to its size, or be refused. */
export const growing = {
  parentheses: inline('(', ')'),
  brackets: inline('[', ']'),
  braces: inline('{1: ', '}'),
  calls: inline('f(', ')'),
  open: (n) => `x = ${'('.repeat(n)}`,
  close: (n) => `x = ${')'.repeat(n)}`,
  signs: inline('-'),
  nots: inline('not '),
  lambdas: inline('lambda: '),
  sum: (n) => `x = 1${' + 1'.repeat(n)}\n`,
  power: (n) => `x = 1${' ** 1'.repeat(n)}\n`,
  compared: (n) => `x = 1${' < 1'.repeat(n)}\n`,
  conditions: (n) => `x = ${'1 if a else '.repeat(n)}2\n`,
  dots: (n) => `x = a${'.b'.repeat(n)}\n`,
  subscripts: (n) => `x = a${'[0]'.repeat(n)}\n`,
  chain: (n) => `x = a${'.b()'.repeat(n)}\n`,
  list: (n) => `x = [${'1, '.repeat(n)}]\n`,
  dictionary: (n) => `x = {${Array.from({ length: n }, (_, i) => `'k${i}': ${i}, `).join('')}}\n`,
  statements: (n) => 'x = 1\n'.repeat(n),
  names: (n) => Array.from({ length: n }, (_, i) => `name_${i} = ${i}\n`).join(''),
  functions: (n) => Array.from({ length: n }, (_, i) => `def f${i}(a):\n    return a\n`).join(''),
  callers: (n) =>
    Array.from({ length: n }, (_, i) => `def f${i}(a):\n    return f${i + 1}(a)\n`).join(''),
  classes: (n) =>
    Array.from(
      { length: n },
      (_, i) => `class A${i + 1}(A${i}):\n    def call(self, x):\n        return x\n`,
    ).join(''),
  layers: (n) =>
    `import keras\nm = keras.Sequential()\n${'m.add(keras.layers.Dense(1))\n'.repeat(n)}`,
  indented: (n) => Array.from({ length: n }, (_, i) => `${' '.repeat(i)}if a:\n`).join(''),
  elif: (n) => `if a:\n    b = 1\n${'elif a:\n    b = 2\n'.repeat(n)}`,
  comments: (n) => '# text\n'.repeat(n),
  comment: (n) => `# ${'x'.repeat(n)}\n`,
  blank: (n) => '\n'.repeat(n),
  string: (n) => `x = "${'a'.repeat(n)}"\n`,
  strings: (n) => `x = (${'"a" '.repeat(n)})\n`,
  escapes: (n) => `x = "${'\\n'.repeat(n)}"\n`,
  unended: (n) => `x = """${'a\n'.repeat(n)}`,
  fstring: (n) => `x = f"${'{a}'.repeat(n)}"\n`,
  semicolons: (n) => `${'x = 1; '.repeat(n)}\n`,
  assignments: (n) => `${'x = '.repeat(n)}1\n`,
  imports: (n) => Array.from({ length: n }, (_, i) => `import module${i}\n`).join(''),
  comprehensions: (n) => `x = ${'[y for y in '.repeat(n)}z${']'.repeat(n)}\n`,
  decorators: (n) => `${'@d\n'.repeat(n)}def f():\n    pass\n`,
  targets: (n) => `${'a, '.repeat(n)} = b\n`,
  slices: (n) => `y = x[${':, '.repeat(n)}]\n`,
  spaces: (n) => `x =${' '.repeat(n)}1\n`,
  lines: (n) => `x = 1 + \\\n${'\\\n'.repeat(n)}1\n`,
  digits: (n) => `x = ${'1'.repeat(n)}\n`,
  name: (n) => `${'a_'.repeat(n)} = 1\n`,
  backticks: (n) => `x = "${'`${'.repeat(n)}"\n`,
  errors: (n) => '$ ? !\n'.repeat(n),
};

/** Returns a problem if a structure that grows eightfold takes far more time, or null. */
export function growthProblem(name, size = 2000) {
  const [small, large] = [size, 8 * size].map((count) => bestTime(growing[name](count)));
  const problem = small.problem ?? large.problem;
  if (problem) return `${name}: ${problem.slice(0, 300)}`;
  const isSlow = large.time > 100 && large.time > 24 * Math.max(small.time, 2);
  const times = [small, large].map(({ time }) => Math.round(time)).join(' ms, then ');
  return isSlow ? `${name}: ${times} ms for eight times as much` : null;
}

function bestTime(source) {
  let time = Infinity;
  for (let i = 0; i < 3 && (i === 0 || time < 500); i++) {
    const result = portProblem(source);
    if (result.problem) return result;
    time = Math.min(time, result.time);
  }
  return { time };
}

/** Runs cases [first, end); returns descriptions of the failures. */
export function fuzzPortDamage(first, end, told) {
  const failures = Object.keys(growing)
    .map((name) => growthProblem(name))
    .filter(Boolean);
  let slowest = { time: 0 };
  const outcomes = {};
  for (let seed = first; seed < end; seed++) {
    const { source, isCanary } = damagedSource(seed);
    const { problem, time, outcome } = portProblem(source, { isCanary });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (problem) failures.push(`case ${seed}: ${problem.slice(0, 400)}`);
    if (time > slowest.time) slowest = { seed, time, size: source.length };
    if (globalThis.escaped) throw new Error(`case ${seed} ran a part of its source`);
    told(seed - first + 1);
  }
  console.log(JSON.stringify(outcomes));
  console.log(
    `slowest: ${Math.round(slowest.time)} ms for ${slowest.size} characters (${slowest.seed})`,
  );
  return failures;
}
