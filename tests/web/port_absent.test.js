// SPDX-License-Identifier: MIT
// Variables whose statements have no partner: what uses their value is a comment, too, and nothing
// else is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { port } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { runPorted } from '../support/ported.js';

before(() => mf.ready());

const kindsOf = (source) => port(source).notes.map(({ line, kind }) => `${line} ${kind}`);

const own = {
  'a parameter': 'def f(x):\n    return x + 1\n',
  'a parameter of a lambda': 'f = lambda x: x + 1\n',
  'the name of a comprehension': 'y = [x + 1 for x in [1, 2]]\n',
  'a variable of a function': 'def f():\n    x = 1\n    return x\n',
  'a parameter of a method': 'class A:\n    def f(self, x):\n        return x\n',
  'the name of a loop': 'for x in [1]:\n    print(x)\n',
  'a later function': 'def x():\n    return 1\nprint(x())\n',
  'a later import': 'import numpy as x\nprint(x.zeros(2))\n',
};

for (const [name, source] of Object.entries(own)) {
  test(`a name without a value does not hide ${name}`, () => {
    assert.deepEqual(kindsOf(`x = open('f')\n${source}`), ['1 absent']);
  });
}

test('a name without a value stays so beside a variable of a function', () => {
  const source = `x = open('f')
def f():
    x = 1
    return x
def g():
    y = open('h')
def h(y):
    return x + y
print(x)
`;
  assert.deepEqual(kindsOf(source), ['1 absent', '6 absent', '8 depends', '9 depends']);
});

test('variables that get a value later are declared', async () => {
  const source = `x = open('f')
x = 3
def f():
    a, b = open('g')
    for a in [4]:
        pass
    b = 5
    return a + b
y = f()
with open('h') as z:
    w = z.read()
w = 6
z = 7
`;
  const { code } = port(source);
  const { found } = await runPorted(code, ['x', 'y', 'z', 'w']);
  assert.deepEqual({ ...found }, { x: 3, y: 9, z: 7, w: 6 });
});

test('a member without a value is a note where it is used', () => {
  const source = `class A:
    def __init__(self):
        self.x = open('f')
        self.y = None
        self.z, self.w = open('g')
    def f(self):
        self.y = open('h')
        return self.x
class B(A):
    def g(self):
        return self.y, self.w.read()
b = B()
print(b.x)
b.v = open('i')
print(b.v, b.y)
c = b.other()
c.u = open('j')
print(c.u)
c.u = 4
print(c.u)
`;
  const kinds = ['3 absent', '5 absent', '7 absent', '8 depends', '11 depends', '13 depends'];
  const rest = ['14 absent', '15 depends', '17 absent'];
  assert.deepEqual(kindsOf(source), [...kinds, ...rest]);
  assert.match(port(source).notes[3].text, /^self\.x has no value/);
});

/** Statements in which a name of a library without a partner is a value. */
const values = [
  "os.environ['KERAS_BACKEND'] = 'jax'",
  "if 'google.colab' in sys.modules:\n    x = 1",
  'assert sys.version_info >= (3, 7)',
  'x = [keras.frob, 1]',
  'x = layers.Dense(2, activation=keras.frob)',
  'print(keras.frob)',
  'f = lambda x: (x, keras.frob)',
  'for x in [keras.frob]:\n    pass',
];

for (const value of values) {
  test(`a name of a library without a partner is a note: ${value}`, () => {
    const imports = 'import os, sys, keras\nfrom keras import layers\n';
    const { code } = port(`${imports}${value}\n`);
    assert.deepEqual(kindsOf(`${imports}${value}\n`), ['3 absent']);
    assert.doesNotMatch(code.replace(/^\/\/.*/gm, ''), /undefined/);
  });
}

test('a name of a library may be the name of a variable', () => {
  assert.deepEqual(kindsOf('import keras\nK = keras.frob\nx = 1\n'), []);
});

/** Programs that use data whose statement is a comment, with the lines that are notes. */
const waiting = {
  'for training': ['model.fit(x, y, epochs=n, validation_data=(x, y))', []],
  'in a list and a dictionary': ['model.predict([x])\nmodel.evaluate({"a": x}, y)', []],
  'for a part of it': ['print(model.predict(x[:2]).shape)', []],
  'for a shape': ['k = keras.Input((x.shape[1],))', []],
  'for a setting that must be given': ['k = layers.Dense(n)', []],
  'for a layer': ['k = layers.Dense(2)(x)', []],
  'for padding': ['k = keras.utils.pad_sequences(x, maxlen=3)', []],
  'for categories': ['k = keras.utils.to_categorical(x)', []],
  'for an array': ['k = np.array(x)', []],
  'for parts': ['a, b = train_test_split(x, test_size=0.5)', []],
  'for a text layer': ['t = layers.TextVectorization()\nt.adapt(x)\nk = t(x)', []],
  'but not for a setting that has a default': ['k = layers.LSTM(2, dropout=n)', ['9 depends']],
  'but not for a width': ['k = keras.utils.pad_sequences([[1]], maxlen=n)', ['9 depends']],
  'but not for the number of epochs': ['model.fit(z, y, epochs=n)', ['9 depends']],
  'but not for a shape without a list': ['k = layers.Dense(2, input_dim=n)', ['9 depends']],
  'but not for other functions': [
    'print(x)\ndef f(a):\n    return a\nf(x)',
    ['9 depends', '12 depends'],
  ],
};

for (const [name, [use, wanted]] of Object.entries(waiting)) {
  test(`a program asks for values that it needs ${name}`, async () => {
    const source = `import keras
import numpy as np
from keras import layers
from sklearn.model_selection import train_test_split
model = keras.Sequential([layers.Dense(1)])
model.compile(loss='mse')
z = np.ones((2, 3))
x, y, n = open('f')
${use}
`;
    const { code } = port(source);
    assert.deepEqual(kindsOf(source), ['8 absent', ...wanted]);
    const isAsked = wanted.length === 0;
    assert.equal(/\/\/ Give values here: /.test(code), isAsked, code);
    // A run ends with an error that is no surprise.
    if (isAsked) await assert.rejects(runPorted(code, []), /./);
    if (wanted.length === 0 && !/Dense\(n|TextV/.test(use)) {
      const numbers = 'tensor([[1, 2], [3, 4], [5, 6], [7, 8]])';
      const isPadded = /pad_|array/.test(use);
      const values = `x = ${isPadded ? '[[1, 2], [3, 4]]' : numbers}; y = tensor([1, 2, 3, 4]); n = 2;`;
      const given = code
        .replace(/^const (x|y|n)\b/gm, 'let $1')
        .replace(/^let .*;$/m, 'let x, y, n;')
        .replace(/\/\/ Give values.*/, values)
        .replace(/^import \{ (?!.*tensor)/m, 'import { tensor, ');
      await runPorted(given, []);
    }
  });
}
