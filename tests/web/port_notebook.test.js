// SPDX-License-Identifier: MIT
// Lines of IPython in notebooks, in scripts made from them, and in pasted cells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { port, PortError } from '../../dist/port.js';
import { parseModule } from '../fuzz/port_damage.js';

const kindsOf = (source) => {
  const { code, notes } = port(source);
  parseModule(code);
  return { code, kinds: notes.map(({ line, column, kind }) => `${line}:${column} ${kind}`) };
};

/** Statements that assign the output of a command, with the column of the command. */
const assigned = {
  'x = !ls': 5,
  'files = !ls -l *.txt  # all': 9,
  'x, y = !ls': 8,
  'a.b = !ls': 7,
  "a['k'] =!!ls": 9,
  'x = y = %sql select 1': 9,
  'x = ! ': 5,
  'x: list = !ls': 11,
  "x = get_ipython().getoutput('ls')": 5,
  "x = get_ipython().run_line_magic('sql', 'select')": 5,
};

for (const [line, column] of Object.entries(assigned)) {
  test(`the assigned output of a command is a note: ${line}`, () => {
    const { code, kinds } = kindsOf(`a = {}\n${line}\nz = 3\n`);
    assert.deepEqual(
      kinds.filter((each) => !each.endsWith('name')),
      [`2:${column} absent`],
    );
    assert.ok(code.includes(`\n// ${line.trim()}`), code);
    assert.match(code, /\nconst z = 3;\n$/);
  });
}

test('what uses the output of a command is a note, too', () => {
  const source = 'def f():\n    x = !ls \\\n        -l\n    y = 1\n    return x\nz = 2\n';
  const { code, kinds } = kindsOf(source);
  assert.deepEqual(kinds, ['2:9 absent', '5:12 depends']);
  assert.match(code, /\/\/ x = !ls \\\n {2}\/\/ -l\n {2}const y = 1;/);
});

test('a statement behind %time remains', () => {
  const source = `def f():
    %time x = [1,
        2]
    return x
y = %time f()
%time y = f()
`;
  const { code, kinds } = kindsOf(source);
  assert.deepEqual(kinds, ['2:5 ignored', '5:5 ignored', '6:1 ignored']);
  assert.match(code, /const x = \[1, 2\];\n(.|\n)*let y = f\(\);\ny = f\(\);\n$/);
});

/** Lines that become comments, with a note that says so. */
const ignored = [
  '!pip install keras',
  'pip install keras',
  'conda install -y keras',
  '%matplotlib inline',
  '?model.fit',
  'model.fit?',
  'model.fit??',
  'np.*load*?',
  '%timeit f(x)',
  '%time',
  '%time !ls',
  "get_ipython().system('ls -l')",
  "get_ipython().run_line_magic('matplotlib', 'inline')",
  "get_ipython().magic('pylab')",
];

for (const line of ignored) {
  test(`a line of IPython is a comment: ${line}`, () => {
    for (const indent of ['', '    ']) {
      const { code, kinds } = kindsOf(`${indent && 'if 1:\n'}${indent}${line}\ny = 1\n`);
      assert.deepEqual(kinds, [indent ? '2:5 ignored' : '1:1 ignored']);
      assert.ok(code.includes(`// ${line}\n`), code);
    }
  });
}

test('statements that nbconvert wrote for a cell are a note', () => {
  const source = "get_ipython().run_cell_magic('time', '', 'x = 1\\n')\n";
  assert.deepEqual(kindsOf(source).kinds, ['1:1 absent']);
  const timed = "get_ipython().run_line_magic('time', 'x = 1')\n";
  assert.deepEqual(kindsOf(timed).kinds, ['1:1 absent']);
});

test('a pasted cell in another language is a comment', () => {
  const { code, kinds } = kindsOf('%%bash\nls | wc\n\nif [ a ]; then\n');
  assert.equal(code, '// %%bash\n// ls | wc\n//\n// if [ a ]; then\n');
  assert.deepEqual(kinds, ['1:1 ignored']);
  assert.equal(kindsOf('%%time\nx = 1\n').code, '// %%time\nconst x = 1;\n');
});

/** Pasted texts with a cell in another language, and the line after which Python goes on. */
const cells = {
  '%%bash\nls | wc\n\necho $A\nfor i in 1 2; do\n\ny = x + 1\n': 6,
  '%%html\n<b>\n\nmodel.fit(x, y)\n': 3,
  '%%js\nconst a = 1;\n\nb = 2;\n\nfor x in y:\n    pass\n': 5,
  '%%writefile a.py\nx = 3\n\ny = 4\n# %%\nz = 5\n': 4,
  '%%sql\nselect *\n%%time\ny = 2\n': 2,
};

for (const [text, end] of Object.entries(cells)) {
  test(`a cell in another language ends in pasted text: ${JSON.stringify(text)}`, () => {
    const { code, lines, source } = port(`x = 1\n\n${text}`);
    const own = code.split('\n').map((line, i) => !/^(\/\/|$)/.test(line) && lines[i]);
    const wanted = `x = 1\n\n${text}`.split('\n').flatMap((line, i) => {
      const isPython = i === 0 || (i >= end + 2 && !/^($|#|%)/.test(line) && !/pass/.test(line));
      return isPython ? [i + 1] : [];
    });
    assert.deepEqual(own.filter(Boolean), wanted, code);
    assert.equal(source.split('\n').length, `x = 1\n\n${text}`.split('\n').length);
    assert.ok(
      port(`x = 1\n\n${text}`).notes.some(({ line, kind }) => line === 3 && kind === 'ignored'),
    );
  });
}

test('signs inside of strings, brackets and operators are not commands', () => {
  const source = `a = """
x = !ls
"""
b = 'y = %time z'
c = 7
c %= 4
d = f'{c = !r}'
e = c \\
    % 2
`;
  assert.deepEqual(kindsOf(source).kinds, []);
  for (const source of ['x == !ls\n', 'f(a=!ls)\n', 'x = 1 if y else !ls\n', 'x = \ue000\n']) {
    assert.throws(() => port(source), PortError, source);
  }
});
