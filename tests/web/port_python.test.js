// SPDX-License-Identifier: MIT
// Forms of Python that are rare, broken or misleading: the program stays valid, or the error says
// where the source is not Python.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { port, PortError } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { parseModule } from '../fuzz/port_damage.js';
import { portedDifference } from '../support/ported.js';

before(() => mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' }));

/** Programs with their `result0`. */
const programs = {
  'names of the package are variables, too': [
    'import numpy as np\nready = 1\nops = 2\nx = np.ones((2,))\nresult0 = ready + ops',
    3,
  ],
  'a name may be assigned twice in one statement': ['x = x = 2\ny = z = y = x\nresult0 = y + z', 4],
  'a tuple may assign a name again': ['x = (x, y) = [1, 2]\nresult0 = x + y', 3],
  'a loop may declare one name of two': [
    'for i in range(2):\n    pass\nfor i, row in enumerate([5, 6]):\n    pass\nresult0 = i + row',
    7,
  ],
  'a later constructor replaces the first one': [
    'class A:\n    def __init__(self):\n        self.x = 1\n    def __init__(self, x):\n        self.x = x\nresult0 = A(3).x',
    3,
  ],
  'a method may have the name constructor': [
    'class A:\n    def constructor(self):\n        return 4\nresult0 = A().constructor()',
    4,
  ],
  'a generator inside a method uses self': [
    'class A:\n    def __init__(self):\n        self.x = 2\n    def run(self):\n        def rows():\n            yield self.x\n        return list(rows())\nresult0 = A().run()[0]',
    2,
  ],
  'super() has members that are no calls': [
    'class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        g = super().f\n        return g() + 1\nresult0 = B().f()',
    2,
  ],
  'a line may begin with an operator': ['result0 = (7\n% 4)', 3],
  'a text may begin a line with a sign': ['x = """\n!ls\n%d\n"""\nresult0 = len(x)', 8],
  'numbers may end in their point': [
    'x = 1.\nresult0 = [x, 1./2, 1.e1, 1.if x else 2., 00.5]',
    [1, 0.5, 10, 1, 0.5],
  ],
  'a module is true': [
    'import keras\nimport numpy as np\nresult0 = [1 if keras else 2]\nif not keras:\n    result0 = [3]\nif np and result0:\n    result0 += [4]',
    [1, 4],
  ],
  'texts are read as numbers': [
    "def f(x):\n    return float(x)\ns = ' inf '\nresult0 = [float(s), float('-Infinity'), float('nan'), f('+inf'), f(2), f('-1e3 ')]",
    [Infinity, -Infinity, NaN, Infinity, 2, -1000],
  ],
  'yield may stand alone': ['def f():\n    yield\nresult0 = len(list(f()))', 1],
  'long lists of parameters end in the others': [
    `def f(${'abcdefgh'
      .split('')
      .map((name) => `${name.repeat(12)}=1`)
      .join(', ')}, **others):
    return others['z']
result0 = f(z=4)`,
    4,
  ],
  'halves are rounded to even numbers': [
    'result0 = [round(x) for x in [2.5, 3.5, -2.5, -1.5, 0.5, -0.4, 2.4, 2.6]] + [round(7)]',
    [2, 4, -2, -2, 0, 0, 2, 3, 7],
  ],
  'a missing item is an error in try': [
    "n = {}\nx = [1]\nfor w in 'aba':\n    try:\n        n[w] += 1\n    except KeyError:\n        n[w] = 1\ntry:\n    y = x[5]\nexcept (ValueError, IndexError):\n    y = -1\ntry:\n    n['c'] = x[0]\n    x[0], z = 3, x[-9]\nexcept:\n    z = 4\nresult0 = [n['a'], n['b'], n['c'], y, x[0], z]",
    [2, 1, 1, -1, 1, 4],
  ],
  'a chosen class has settings of other modules': [
    "import keras\nkind = keras.layers.LSTM if len('a') else keras.layers.GRU\nresult0 = kind(3, kernel_initializer=keras.initializers.Constant(2)).units",
    3,
  ],
  'a class may be chosen by a dictionary': [
    "import keras\nkinds = {'lstm': keras.layers.LSTM, 'gru': keras.layers.GRU}\nresult0 = kinds['gru'](3).units",
    3,
  ],
};

// The second loss is that of the weights after one step with half of the gradients.
programs['a tape in a loop has results that later code uses'] = [
  `
import tensorflow as tf
import numpy as np
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1, kernel_initializer='ones')])
opt = tf.keras.optimizers.SGD(0.1)
x = np.array([[1.0, 2.0], [3.0, 1.0]], dtype='float32')
y = np.array([[1.0], [2.0]], dtype='float32')
for step in range(2):
    with tf.GradientTape() as tape:
        pred = model(x, training=True)
        loss = tf.reduce_mean(tf.square(y - pred))
    grads = tape.gradient(loss, model.trainable_variables)
    grads = [g * 0.5 for g in grads]
    opt.apply_gradients(zip(grads, model.trainable_variables))
result0 = [float(loss), pred[0, 0]]
`,
  [0.365, 1.8],
];

for (const [name, [source, wanted]] of Object.entries(programs)) {
  test(`keeps the meaning of Python: ${name}`, async () => {
    const program = { source: `${source}\n`, results: { result0: wanted }, printed: '' };
    const { problem, notes } = await portedDifference(program);
    assert.equal(problem, null);
    assert.deepEqual(
      notes.filter(({ kind, text }) => kind !== 'ignored' && !text.startsWith('catch ')),
      [],
    );
  });
}

/** Sources that Python refuses, with the place. */
const refused = {
  'x = 1\n😀 = 2\n': [2, 1],
  'a\u00a0b = 1\n': [1, 2],
  "'a' = 1\n": [1, 1],
  'x = 1\n(True, y) = 1, 2\n': [2, 2],
  'x = *y\n': [1, 5],
  '*y\n': [1, 1],
  'x = [*a for a in b]\n': [1, 6],
  'def f(a, a):\n    pass\n': [1, 10],
  'try:\n    x = 1\ny = 2\n': [1, 1],
  'del 1\n': [1, 5],
  'for 1 in x:\n    pass\n': [1, 5],
  '1 += 2\n': [1, 1],
  // Lines of IPython keep the columns of the lines behind them.
  '%time x\ny = = 1\n': [2, 5],
  '%load x\nif x:\n    %bar\ny = = 1\n': [4, 5],
  'y = (3\n% 2)\n!ls\nz = = 1\n': [4, 5],
  '!pip install a \\\n  b\nz = = 1\n': [3, 5],
  'x = 0.real\n': [1, 6],
  'if x:\n    break\n': [2, 5],
  'for x in y:\n    def f():\n        continue\n': [3, 9],
  'x = 1\nreturn x\n': [2, 1],
  'x = yield y\n': [1, 5],
  'x = (a.b := 1)\n': [1, 6],
  'def f():\n    return [(yield x) for x in y]\n': [2, 14],
  'def f():\n    class A:\n        return 1\n': [3, 9],
};

for (const [source, [line, column]] of Object.entries(refused)) {
  test(`refuses ${JSON.stringify(source)} at its place`, () => {
    assert.throws(
      () => port(source),
      (error) => error instanceof PortError && error.line === line && error.column === column,
    );
  });
}

test('super() outside of a method is a note', () => {
  const sources = [
    'super().__init__()\n',
    'def f(self):\n    return super().get_config()\n',
    'class A:\n    def f(self):\n        super().__init__()\n',
    'class A(B):\n    def f(self):\n        def g():\n            yield super().f()\n        return g\n',
    'x = super\n',
    'super(A, self)\n',
  ];
  for (const source of sources) {
    const { code, notes } = port(source);
    parseModule(code);
    assert.ok(
      notes.some(({ kind }) => kind === 'absent'),
      source,
    );
  }
});

test('lines of IPython in a block leave a block, and keep their text', () => {
  const { code, notes } = port('if x:\n    !pip install keras\n%matplotlib inline\ny = 1\n');
  parseModule(code);
  assert.match(code, /\/\/ !pip install keras/);
  assert.match(code, /\/\/ %matplotlib inline/);
  assert.equal(notes.filter(({ text }) => /IPython/.test(text)).length, 2);
});

test('lines of strings, brackets and longer statements are not commands of IPython', () => {
  const source = `a = '''
%time x
'''
b = (a
% 2)
c = a \\
% 3
!pip install a \\
    b
if b:
    ?c
    %t
`;
  const { code, notes, lines } = port(source);
  parseModule(code);
  assert.match(code, /const a = '\\n%time x\\n';/);
  assert.match(code, /const c = .*3\);\n\/\/ !pip install a \\\n\/\/ b\n/);
  const commands = notes.filter(({ text }) => /IPython/.test(text));
  assert.deepEqual(
    commands.map(({ line, column }) => [line, column]),
    [
      [8, 1],
      [11, 5],
      [12, 5],
    ],
  );
  assert.equal(lines[code.split('\n').indexOf('// b')], 9);
});

test('source is the program whose lines are counted', () => {
  const output = { data: { 'image/png': 'A'.repeat(2 ** 20) } };
  const book = (code) => {
    const text = { cell_type: 'markdown', source: ['A\r\n', 'B'] };
    const cells = [text, { cell_type: 'code', source: code, outputs: [output] }];
    return JSON.stringify({ cells, nbformat: 4 });
  };
  const { source, notes } = port(book('print(x)'));
  assert.equal(source, '# A\n# B\n\nprint(x)\n');
  assert.deepEqual([notes[0].line, notes[0].kind], [4, 'name']);
  assert.equal(port('\ufeffx = 1\r\n').source, 'x = 1\n');
  assert.throws(
    () => port(book('x = = 1')),
    ({ line, source }) => line === 4 && source === '# A\n# B\n\nx = = 1\n',
  );
});

test('a cell in another language is a comment', () => {
  const cells = [
    { cell_type: 'code', source: '%%bash\nls | wc\n\nif [ a ]; then' },
    { cell_type: 'code', source: ['%%time\n', 'x = 1'] },
  ];
  const { code, notes } = port(JSON.stringify({ cells, nbformat: 4 }));
  assert.equal(code, '// %%bash\n// ls | wc\n//\n// if [ a ]; then\n\n// %%time\nconst x = 1;\n');
  assert.deepEqual(
    notes.map(({ line }) => line),
    [1, 6],
  );
});

test('gradients of a tape that was used are a note', () => {
  const { notes } = port(`import tensorflow as tf
w = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    loss = w * w
a = tape.gradient(loss, [w])
b = tape.gradient(loss, [w])
`);
  assert.ok(notes.some(({ kind, line }) => kind === 'depends' && line === 6));
});

test('a gain of Identity that Keras forgets is a note', () => {
  const cell = 'keras.layers.LSTM(2, recurrent_initializer=keras.initializers.Identity(0.5))';
  const kinds = (source) => port(`import keras\n${source}\n`).notes.map(({ kind }) => kind);
  assert.deepEqual(kinds(`x = keras.layers.Bidirectional(${cell})`), ['default']);
  assert.deepEqual(kinds(`x = ${cell}`), []);
});

test('star imports find the module that has the name', () => {
  const { code, notes } = port(`from keras.optimizers import *
from keras.layers import *
x = Dense(3)
y = Adam(0.1)
z = K.mean([1.0, 2.0])
`);
  assert.match(code, /layers\.dense\(\{ units: 3 \}\)/);
  assert.match(code, /optimizers\.adam\(\{ learningRate: 0\.1 \}\)/);
  assert.match(code, /ops\.mean\(\[1, 2\]\)/);
  assert.deepEqual(notes, []);
});

test('settings of devices are left out, with a note', () => {
  const { code, notes } = port(`import tensorflow as tf
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
`);
  parseModule(code);
  assert.deepEqual(
    notes.map(({ kind }) => kind),
    ['ignored', 'ignored'],
  );
});

test('draws of NumPy are items of the list', async () => {
  const source = `import random
import numpy as np
from collections import defaultdict
groups = defaultdict(list)
groups['a'].append(1)
counts = defaultdict(int)
for word in ['a', 'b', 'a']:
    counts[word] += 1
one = np.random.choice(['x'])
sure = np.random.choice(3, p=[0.0, 1.0, 0.0])
many = np.random.choice(2, 5)
some = np.random.choice(4, 2, replace=False)
items = [5, 5]
random.shuffle(items)
rows = np.ones((3, 1))
np.random.shuffle(rows)
result0 = [one, sure, many.shape[0], some.shape[0], items, float(rows.sum())]
result1 = [groups['a'], counts['a'], counts['b']]
`;
  const results = { result0: ['x', 1, 5, 2, [5, 5], 3], result1: [[1], 2, 1] };
  const { problem, notes } = await portedDifference({ source, results, printed: '' });
  assert.equal(problem, null);
  assert.deepEqual([...new Set(notes.map(({ kind }) => kind))], ['random']);
});

test('a class that extends a layer without a partner extends Layer, with a note', () => {
  const source = 'from keras import layers\nclass A(layers.arguments):\n    pass\n';
  const { code, notes } = port(source);
  parseModule(code);
  assert.match(code, /class A extends Layer /);
  assert.deepEqual(
    notes.map(({ kind, line }) => [kind, line]),
    [['guess', 2]],
  );
  const known = port('from keras import layers\nclass A(layers.AvgPool1D):\n    pass\n');
  assert.match(known.code, /class A extends AveragePooling1D /);
  assert.deepEqual(known.notes, []);
});

test('a choice of classes with different settings is a note', () => {
  const source =
    'import keras\nkind = keras.layers.Dense if a else keras.layers.Embedding\nx = kind(3, 4)\n';
  assert.ok(port(source).notes.some(({ text }) => /different settings/.test(text)));
});

/** Texts as they are copied from elsewhere, with the code of a plain one and the kinds of notes. */
const pasted = {
  'a session of Python': [
    '>>> x = [1,\n...      2]\n>>> for i in x:\n...     print(i)\n...\n1\n2\n',
    '4 1',
  ],
  'a session of IPython': [
    'In [1]: x = [1,\n   ...:      2]\n\nIn [2]: for i in x:\n   ...:     print(i)\nOut[2]: 3\n',
    '5 1',
  ],
  'a notebook on a web page': [
    'In [ ]:\nx = [1, 2]\nfor i in x:\n    print(i)\nOut[1]:\n3 4\n',
    '4 1',
  ],
  'code in a fence': [
    'Look:\n\n```python\nx = [1, 2]\nfor i in x:\n    print(i)\n```\nWorks!\n',
    '6 3',
  ],
  'blanks of a web page': ['x = [1,\u00a02]\nfor i in x:\n\u00a0\u00a0\u00a0 print(i)\n', '3 1'],
  'Python 2': ['x = [1, 2]\nfor i in x:\n    print i, "#"  # all\n', '3 3'],
  'a print of Python 2': ['x = [1, 2]\nfor i in x:\n    print i\n', '3 3'],
};

for (const [name, [text, wanted]] of Object.entries(pasted)) {
  test(`accepts ${name}`, () => {
    const [line, first] = wanted.split(' ').map(Number);
    const { code, notes, lines, source } = port(text);
    const own = code.replace(/^(\/\/.*)?\n/gm, '').trim();
    const printed = name === 'Python 2' ? "console.log(i, '#'); // all" : 'console.log(i);';
    assert.equal(own, `const x = [1, 2];\nfor (const i of x) {\n  ${printed}\n}`);
    const at = code.split('\n').findIndex((each) => each.includes('console'));
    assert.equal(lines[at], line);
    assert.equal(source.split('\n').length, text.split('\n').length);
    const kind = name.includes('Python 2') ? 'guess' : 'ignored';
    assert.deepEqual(
      notes.map((note) => `${note.line} ${note.kind}`),
      [`${first} ${kind}`],
    );
  });
}

test('quotes and dashes of word processors are plain ones', () => {
  const { code, notes } = port('x = \u201ca\u201d\ny = 3 \u2013 1\nz = "\u201cq\u201d"\n');
  assert.equal(code, "const x = 'a';\nconst y = 3 - 1;\nconst z = '\u201cq\u201d';\n");
  assert.deepEqual(
    notes.map(({ kind }) => kind),
    ['ignored'],
  );
});

test('raise of Python 2 has a message', () => {
  assert.match(
    port('def f():\n    raise ValueError, "no"  # x\n').code,
    /throw new Error\('no'\);/,
  );
});

test('valid programs stay as they are, with prompts and fences in their texts', () => {
  const source = 'x = """\n>>> y\n```\n\u201c\n"""\n# In [1]: z\n';
  assert.equal(port(source).source, source);
  assert.deepEqual(port(source).notes, []);
});

test('texts that are not Python without their prompts, either, are an error', () => {
  assert.throws(() => port('>>> x = (\n'), PortError);
  const long = `x = (\n${' '.repeat(100_000)}\nprint ${' '.repeat(100_000)}a\n${'\n'.repeat(100_000)}`;
  const before = performance.now();
  assert.throws(() => port(long), PortError);
  assert.ok(performance.now() - before < 2000);
});
