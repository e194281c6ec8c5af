// SPDX-License-Identifier: MIT
// Names that programs import from modules of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { port } from '../../dist/port.js';
import { parseModule } from '../fuzz/port_damage.js';

const codeOf = (source) => {
  const { code } = port(source);
  parseModule(code);
  return code;
};

test('a name of two modules is a variable that gets one value after the other', () => {
  const code = codeOf('from a import f\nf(1)\nfrom b import f\nf(2)\n');
  assert.match(code, /import \{ f as f_ \} from '\.\/a\.mjs';\nimport \{ f as f__ \} from '\.\/b/);
  assert.match(code, /let f = f_;\nf\(1\);\nf = f__;\nf\(2\);\n$/);
});

const rebound = {
  'another name of the module': 'from a import f\nfrom a import g as f\n',
  'an assignment': 'from a import f\nf = 3\n',
  'an assignment before': 'f = 3\nfrom a import f\n',
  'a function': 'from a import f\ndef f(x):\n    return x\n',
  'a class': 'from a import A\nclass A:\n    pass\n',
  'a loop': 'from a import f\nfor f in range(3):\n    print(f)\n',
  'a branch': 'if x:\n    from a import f\nelse:\n    f = None\n',
  functions: 'def g():\n    from a import f\n    f()\ndef h():\n    from b import f\n    f()\n',
  'a function beside the module': 'f = 1\ndef g():\n    from b import f\n    return f\n',
  'a parameter': 'def g(f):\n    from b import f\n    return f\n',
};

for (const [name, source] of Object.entries(rebound)) {
  test(`an imported name can be bound again: ${name}`, () => {
    assert.match(codeOf(source), / as \w+_ \}.*\n(.|\n)*\w = \w+_;/);
  });
}

test('imported names that are bound once stay imports', () => {
  const plain = "import { f } from './a.mjs';\n\nf();\n";
  assert.equal(codeOf('from a import f\nf()\n'), plain);
  assert.equal(codeOf('from a import f\nfrom .a import f\nf()\n'), plain);
  const attempt = 'try:\n    from a import f\nexcept ImportError:\n    from b import f\nf()\n';
  assert.equal(codeOf(attempt), plain);
});

test('imports have the names that the translated module has', () => {
  assert.match(codeOf('from a import my_fn as g, new\n'), /\{ myFn as g, new_ \}/);
  assert.match(
    codeOf('from a import fill_rows\nfrom b import fillRows\n'),
    /fillRows as fillRows_/,
  );
});

const mixed = {
  'a module of the program': ['from a import LSTM', 'from keras.layers import LSTM'],
  'another class': ['from keras.layers import GRU as LSTM', 'from keras.layers import LSTM'],
  'an assignment': ['from keras.layers import LSTM', 'LSTM = None'],
  'another package': ['from torch.nn import LSTM', 'from keras.layers import LSTM'],
};

for (const [name, branches] of Object.entries(mixed)) {
  test(`a name of a library with other values in a branch is a note: ${name}`, () => {
    for (const [first, second] of [branches, [...branches].reverse()]) {
      const sources = [
        `if x:\n    ${first}\nelse:\n    ${second}\ny = LSTM(3)\n`,
        `def f(x):\n    ${first}\n    for i in x:\n        ${second}\n    return LSTM(3)\n`,
        `try:\n    ${first}\n    z = 3\nexcept ImportError:\n    ${second}\ny = LSTM(3)\n`,
      ];
      for (const source of sources) {
        codeOf(source);
        const { notes } = port(source);
        assert.ok(
          notes.some(({ text }) => text.startsWith('LSTM has several values in branches')),
          source,
        );
      }
    }
  });
}

test('one name of two paths, or in order, is no note', () => {
  const sources = [
    'if x:\n    from keras.layers import LSTM\nelse:\n    from tensorflow.keras.layers import LSTM\n',
    'from keras.layers import LSTM\nclass LSTM(LSTM):\n    pass\n',
    'def f():\n    from keras.layers import LSTM\ndef g():\n    LSTM = 3\n',
  ];
  for (const source of sources) assert.ok(!/branches/.test(JSON.stringify(port(source).notes)));
});

test('imports in try do not fail, so what handles their error is left out', () => {
  const attempt = 'try:\n    from a import f\nexcept ImportError:\n    f = None\nf()\n';
  assert.equal(codeOf(attempt), "import { f } from './a.mjs';\n\nf();\n");
  const source = `try:
    import keras
except ImportError:
    keras = None
else:
    has_keras = True
finally:
    done = 1
if keras is not None:
    print(has_keras, done)
`;
  assert.equal(
    codeOf(source),
    'const hasKeras = true;\nconst done = 1;\nif (true) {\n  console.log(hasKeras, done);\n}\n',
  );
});
