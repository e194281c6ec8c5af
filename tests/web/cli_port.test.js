// SPDX-License-Identifier: MIT
// The command maskflow port: translates, writes, runs; errors name lines of the Python program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fail, maskflow, scratch, succeed } from '../support/command.js';

const { path, write } = scratch();
const program = write(
  'model.py',
  `import keras
from keras import layers

model = keras.Sequential([keras.Input((None,), dtype="int32"), layers.Embedding(9, 2, mask_zero=True)])
x = keras.utils.pad_sequences([[1, 2], [3]], padding="post")
y = model.predict(x)
print(y.shape)
`,
);

test('prints the program, or writes it unless the file exists', () => {
  const { out } = succeed(['port', program]);
  assert.match(
    out,
    /^import \{ Input, layers, padSequences, ready, Sequential \} from 'maskflow';/,
  );
  const file = path('model.mjs');
  assert.equal(succeed(['port', program, '-o', file]).out, '');
  assert.equal(readFileSync(file, 'utf8'), out);
  fail(['port', program, '-o', file], 1, /already exists; use --force to replace it/);
  succeed(['port', program, '-o', file, '--force']);
});

test('--run runs the program, and --trace adds the masks of its model', () => {
  assert.equal(succeed(['port', program, '--run']).out, '[ 2, 2, 2 ]\n');
  assert.match(
    succeed(['port', program, '--trace']).out,
    /console\.table\(model\.traceMasks\(x\)\);/,
  );
  assert.match(succeed(['port', program, '--run', '--trace']).out, /embedding/);
  fail(['port', program, '--run', '-o', '-'], 2, /leave out -o -/);
});

test('an error of the program names the line of the Python program', () => {
  const wrong = write('wrong.py', 'import keras\n\n\nx = keras.Input((2,))\nkeras.Model(x, 3)\n');
  fail(['port', wrong, '--run'], 1, /wrong\.py, line 5: /);
});

test('notes name file, line and column; sources that are not Python fail', () => {
  const noted = write('noted.py', 'import pandas as pd\nprint(1)\n');
  const { out, err, code } = maskflow(['port', noted]);
  assert.equal(code, 0);
  assert.match(out, /console\.log\(1\);/);
  assert.match(err, /noted\.py:1:1: import: pandas has no partner here/);
  fail(['port', write('broken.py', 'x = (')], 1, /broken\.py: line 1, column 6: /);
  fail(['port', path('missing.py')], 1, /missing\.py/);
});

test('reads notebooks', () => {
  const cells = [
    { cell_type: 'markdown', source: ['# A title'] },
    { cell_type: 'code', source: ['!pip install keras\n', 'print("a")'] },
  ];
  const notebook = write('book.ipynb', JSON.stringify({ cells, nbformat: 4 }));
  const { out } = maskflow(['port', notebook]);
  assert.match(out, /\/\/ # A title\n\n\/\/ !pip install keras\nconsole\.log\('a'\);\n$/);
});
