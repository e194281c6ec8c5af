// SPDX-License-Identifier: MIT
// Python programs as JavaScript: names, settings, notes, lines, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { port, PortError } from '../../dist/port.js';

/** Returns the program without its imports and start. */
const bodyOf = (source) => {
  const { code } = port(source);
  return code.slice(code.indexOf('await ready();') < 0 ? 0 : code.indexOf('await ready();') + 16);
};
const kindsOf = (source) => port(source).notes.map(({ kind }) => kind);

test('translates a Sequential model with its imports', () => {
  const { code, notes } = port(`from tensorflow import keras
from tensorflow.keras import layers as L

model = keras.Sequential([
    L.Embedding(5000, 16, mask_zero=True),
    L.LSTM(32, return_sequences=True),
    L.Dense(3, activation="softmax"),
])
`);
  assert.equal(
    code,
    `import { layers, ready, Sequential } from 'maskflow';

await ready();

const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }),
  layers.lstm({ units: 32, returnSequences: true }),
  layers.dense({ units: 3, activation: 'softmax' }),
]);
`,
  );
  assert.deepEqual(notes, []);
});

test('errors have line and column', () => {
  assert.throws(
    () => port('x = 1\ny = = 2\n'),
    (error) => error instanceof PortError && error.line === 2 && error.column === 5,
  );
});

test('a statement without a partner is a comment and a note', () => {
  const source = 'import matplotlib.pyplot as plt\nplt.plot([1])\nx = 1\n';
  assert.match(bodyOf(source), /\/\/ plt\.plot\(\[1\]\)\nconst x = 1;/);
  assert.deepEqual(kindsOf(source), ['import', 'absent']);
});

/** Returns whether a program has the syntax of a module. */
function parses(code) {
  const body = code.replace(/^import [^;]*;$/gm, '');
  return new Function(`return async () => {${body}\n}`);
}

const forms = {
  strings: `a = "'); evil(); ('"\nb = '''x\n\`\${evil()}\`'''\nc = f"\`{a}\${{x}}"\n# c \u2028 evil()\n`,
  keys: `d = {"__proto__": 1, "constructor": 2, 3: 4}\nx = d["__proto__"]\n`,
  names: 'new = 1\nvar = new\nthis = 7\nlayers = [1]\nnull = 3\nundefined = 2\narguments = 3\n',
  unicode: '变量 = 1\nprint(变量)\n',
  tabs: 'def f(x):\n\tif x:\n\t\treturn 1\n\treturn 2\n',
  'lines of Windows': 'x = 1\r\nif x:\r\n    print(x)\r\n',
  semicolons: 'x = 1; y = 2; print(x + y)\n',
  continuations: 'x = 1 + \\\n    2\n',
  walrus: 'while (n := 3) > 5:\n    print(n)\n',
  match: 'match x:\n    case 1: pass\n',
  'async functions': 'async def f():\n    await g()\nasync def g():\n    return 1\n',
  'star arguments': 'def f(*a, **k):\n    print(a, k)\nf(1, b=2)\n',
  'type hints': 'def f(a: int, b: list = None) -> int:\n    x: int = a\n    return x\n',
  decorators: 'def w(f):\n    return f\n@w\ndef g(): return 1\n',
  'names defined twice': 'def f(): return 1\ndef f(): return 2\nclass A: pass\nclass A: pass\n',
  attempts:
    'try:\n    x = 1\nexcept ValueError as e:\n    print(e)\nfinally:\n    z = 3\nprint(x)\n',
  closures: 'def g():\n    k = 0\n    def h():\n        nonlocal k\n        k += 1\n    h()\n',
  comprehensions: 'x = [i * j for i in range(3) for j in range(i) if j]\n',
  classes:
    'class A:\n    @classmethod\n    def c(cls, x): return cls(x)\n    def __len__(self): return 3\n',
  'odd paths': 'import keras\ny = keras.layers.constructor(1)\nimport __proto__\n',
  nothing: '',
};

for (const [name, source] of Object.entries(forms)) {
  test(`the translation of ${name} is valid JavaScript, line by line`, () => {
    const { code, lines } = port(source);
    parses(code);
    assert.equal(lines.length, code.split('\n').length - 1);
    assert.doesNotMatch(code, /^\s*evil\(\)/m);
  });
}

test('code of the source stays inside strings', () => {
  const { code } = port(forms.strings);
  assert.doesNotThrow(() => new Function('x', `${code}; return a;`)(1));
});

test('deep nesting is an error with a place, in a time that grows with the size', () => {
  for (const [open, close] of ['()', '[]', '{}']) {
    const deep = `x = ${open.repeat(4000)}${close.repeat(4000)}\n`;
    assert.throws(() => port(deep), PortError);
  }
  assert.throws(() => port(`x = ${'-'.repeat(400)}1\n`), /nested more than 150 levels/);
  assert.throws(() => port(`if a:\n    pass\n${'elif b:\n    pass\n'.repeat(400)}`), /branches/);
  const time = (count) => {
    const source = 'x = f(1, y=[2, 3])\n'.repeat(count);
    const start = performance.now();
    port(source);
    return performance.now() - start;
  };
  time(2000);
  const [once, fourfold] = [time(2000), time(8000)];
  assert.ok(fourfold < 4 * once * 4 + 500, `${once} ms and ${fourfold} ms`);
});

test('hundreds of statements between comments are no deep nesting', () => {
  for (const group of ['# why\n# and how\nx = 1\n', '# why\n\nx = f(1)\n']) {
    const { code, notes } = port(`f = print\n${group.repeat(1500)}`);
    assert.equal(code.match(/^x = |^let x = /gm).length, 1500);
    assert.deepEqual(
      notes.map(({ kind }) => kind),
      [],
    );
  }
});

test('a character that looks like one of Python is named', () => {
  // Plain blanks and quotes in their place are not enough here.
  assert.throws(() => port('x = f(1,\u00a0 2\n'), /column 9: the character U\+00A0 is not Python/);
  assert.throws(
    () => port('x = \u201ca\u201d + \u2026\n'),
    /column 5: .*a name has letters and digits/,
  );
});

test('lines name the line of the source for each statement', () => {
  const { code, lines } = port('x = [\n    1,\n]\n\n# a comment\nprint(x)  # the list\n');
  assert.equal(code, 'const x = [1];\n\n// a comment\nconsole.log(x); // the list\n');
  assert.deepEqual(lines, [1, null, 5, 6]);
});

test('lines name the line of each layer in a list', () => {
  const { code, lines } = port(`import keras
model = keras.Sequential([
    keras.Input((None,)), keras.layers.Embedding(20, 8, mask_zero=True),

    keras.layers.Dense(
        units=100, activation="relu", kernel_initializer="zeros", name="a_name_that_is_long"),
])
`);
  const lineOf = (text) => lines[code.split('\n').findIndex((line) => line.includes(text))];
  const texts = ['new Sequential', 'Input({', 'embedding', 'dense', 'units: 100', ']);'];
  assert.deepEqual(texts.map(lineOf), [2, 3, 3, 5, null, null]);
});

test('notes tell of settings, random numbers and dtypes', () => {
  const source = `import keras
import numpy as np
a = keras.layers.LSTM(3, frobs=4)
b = np.random.rand(2)
c = np.zeros((2,), dtype="float64")
`;
  assert.deepEqual(kindsOf(source), ['setting', 'random', 'dtype']);
});

test('a tape becomes valueAndGradients', () => {
  const { code } = port(`import tensorflow as tf
from tensorflow import keras
class M(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}
`);
  assert.match(code, /const \{ value: loss, gradients \} = valueAndGradients\(/);
  assert.match(code, /this\.optimizer\.apply\(gradients, this\.trainableVariables\);/);
});

test('a loss of a class has a note: Keras does not change the rank of its targets', () => {
  const source = [
    'import keras',
    'class Mine(keras.losses.Loss):',
    '    def call(self, y_true, y_pred):',
    '        return keras.ops.mean(keras.ops.square(y_pred - y_true), axis=-1)',
    'loss = Mine()',
  ].join('\n');
  const { notes } = port(source);
  assert.deepEqual(
    notes.map(({ line, kind }) => [line, kind]),
    [[5, 'default']],
  );
  assert.match(notes[0].text, /\[batch, 1\]/);
});

test('a variable has either type after an if, and after a loop', () => {
  const source = `xs = [1, 2]
if len(xs) > 5:
    xs = 3
xs += [4]
ys = [1]
for i in range(3):
    ys = 7
zs = ys + [4]
n = 0
if xs:
    n = 1
else:
    n = 2
m = n + 1
t = keras.ops.ones((2,))
if n > 1:
    t = 1
u = t * 2
def f(v=None):
    if v is None:
        v = [0]
        return v
    v = 2
    return v + 1
`;
  const { code, notes } = port(`import keras\n${source}`);
  assert.match(code, /^xs\.push\(\.\.\.\[4\]\);$/m);
  // Added as numbers, these would be texts: the note says so. The others are known.
  assert.deepEqual(
    notes.map(({ line, kind }) => [line, kind]),
    [[9, 'guess']],
  );
  assert.match(code, /^const m = n \+ 1;$/m);
  assert.match(code, /ops\.multiply\(t, 2\)|t\.multiply\(2\)/);
});
