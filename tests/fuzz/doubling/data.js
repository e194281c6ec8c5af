// SPDX-License-Identifier: MIT
// Tables, arrays, texts and vocabularies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as mf from '../../../dist/train.js';
import * as text from '../../../dist/text.js';
import { integer, pick } from '../../support/random.js';
import { names } from './graphs.js';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const bytesOf = (value) => new TextEncoder().encode(value);

const cell = (random) =>
  pick(random, ['1', '-2.5', '', 'abc', '"a,b"', '"say ""x"""', '1e3', ' 7 ']);
const words = (size, random) =>
  range(size, (i) => `${pick(random, ['w', 'größe', 'x'.repeat(20)])}${i}`);

function npy(shape, bytes) {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  return Buffer.concat([
    Buffer.from(`\x93NUMPY\x01\0${String.fromCharCode(length & 255, length >> 8)}`, 'latin1'),
    Buffer.from(`${header.padEnd(length - 1)}\n`),
    bytes,
  ]);
}

const readCsv = (value) => mf.readCsv(value);
const csv = (make, max = 2 ** 18) => ({
  make: (size, random) => bytesOf(make(size, random)),
  run: readCsv,
  max,
});

/** Trains one batch with a callback that writes a file, and reads it again. */
async function withCallback(size, makeCallback, check) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-doubling-'));
  const model = new mf.Sequential([
    mf.Input({ shape: [1] }),
    ...range(size, () => mf.layers.dense({ units: 1 })),
  ]);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  try {
    await model.fit([[1]], [[1]], { epochs: 1, verbose: 0, callbacks: [makeCallback(folder)] });
    await check?.(folder);
  } finally {
    model.dispose();
    rmSync(folder, { recursive: true });
  }
}

export const dataStructures = {
  'readCsv: rows': csv(
    (size, random) => range(size, () => range(4, () => cell(random)).join(',')).join('\n'),
    2 ** 20,
  ),
  'readCsv: columns': csv((size, random) => {
    const name = names(random);
    const head = range(size, (i) => name(i)).join(',');
    return `${head}\n${range(3, () => range(size, () => cell(random)).join(',')).join('\n')}`;
  }, 2 ** 20),
  'readCsv: one long cell': csv((size) => `a,b\n"${'x""y\n'.repeat(size)}",1\n`, 2 ** 20),
  'readCsv: quotes': csv((size) => `a,b\n${'"a""b", "c" \n'.repeat(size)}`, 2 ** 20),
  'readCsv: quotes that are not cells': csv((size) => `a,b\n${'x"y,z"\n'.repeat(size)}`, 2 ** 20),
  'readCsv: quotes without separators': csv((size) => `a\n${'x"y\n'.repeat(size)}`, 2 ** 20),
  'readCsv: a first line of quotes': csv((size) => `${'"a" b;'.repeat(size)}\n1\n`),
  'readCsv: equal names of columns': csv(
    (size) => `${range(size, () => 'a').join(',')}\n${range(size, () => '1').join(',')}`,
  ),
  'readCsv: blanks': csv((size) => `a,b\n${' '.repeat(size)}"1"${' '.repeat(size)},2\n`, 2 ** 22),
  'readCsv: carriage returns': csv((size) => `a,b\n${'1,2\r'.repeat(size)}`, 2 ** 20),
  'readCsv: a quote and blanks': csv((size) => `a,b\n"${'" '.repeat(size)}",1\n`, 2 ** 20),
  'readNpy: many axes': {
    make: (size) =>
      npy(
        range(size, () => 1),
        Uint8Array.of(1),
      ),
    run: (bytes) => mf.readNpy(bytes),
    max: 16384,
  },
  'readNpy: many elements': {
    make: (size) => npy([size], new Uint8Array(size)),
    run: (bytes) => mf.readNpy(bytes),
    max: 2 ** 24,
  },
  'StringLookup: a vocabulary': {
    make: words,
    run(vocabulary) {
      const lookup = new text.StringLookup({ vocabulary });
      lookup.apply(vocabulary);
    },
  },
  'StringLookup: adapt': {
    make: words,
    run(all) {
      const lookup = new text.StringLookup();
      lookup.adapt(all);
      lookup.getVocabulary();
    },
  },
  'IntegerLookup: adapt': {
    make: (size, random) => range(size, () => integer(random, -1e9, 1e9)),
    run(all) {
      const lookup = new text.IntegerLookup();
      lookup.adapt(all);
      lookup.apply(all);
    },
  },
  'TextVectorization: long texts': {
    make: (size, random) => [
      range(size, () => pick(random, ['a', 'the!', '  ', 'Größe,', '\u00a0x', '\t'])).join(' '),
    ],
    run(texts) {
      const layer = new text.TextVectorization();
      layer.adapt(texts);
      layer.apply(texts);
    },
    max: 2 ** 20,
  },
  'TextVectorization: many texts and ngrams': {
    make: (size, random) => range(size, (i) => `the ${pick(random, ['cat', 'dog'])} ${i} sat`),
    run(texts) {
      const layer = new text.TextVectorization({ ngrams: 3, outputMode: 'int' });
      layer.adapt(texts);
      layer.apply(texts);
    },
  },
  'TextVectorization: multi-hot': {
    make: (size, random) => range(size, (_i) => `w${integer(random, 0, 20)} x`),
    run(texts) {
      const layer = new text.TextVectorization({ outputMode: pickMode(texts.length) });
      layer.adapt(texts);
      layer.apply(texts).dispose?.();
    },
  },
  'Hashing: many words': {
    make: words,
    run: (all) => void new text.Hashing({ numBins: 10 }).apply(all),
  },
  'Hashing: one long word': {
    make: (size) => ['x'.repeat(size)],
    run: (all) => void new text.Hashing({ numBins: 10 }).apply(all),
    max: 2 ** 20,
  },
  'HashedCrossing: rows': {
    make: words,
    run: (all) => void new text.HashedCrossing({ numBins: 10 }).apply([all, all]),
  },
  'StringLookup.fromConfig: a vocabulary': {
    make: words,
    run: (vocabulary) => void text.StringLookup.fromConfig({ vocabulary, name: 'lookup' }),
  },
  'TextVectorization.fromConfig: a vocabulary and weights': {
    make: words,
    run: (vocabulary) =>
      void text.TextVectorization.fromConfig({
        ...{ vocabulary, output_mode: 'tf_idf', output_sequence_length: null },
        idf_weights: vocabulary.map((_, i) => i / 7),
      }),
  },
  'Tokenizer.fromJSON: words': {
    make(size, random) {
      const all = words(size, random);
      const numbers = JSON.stringify(Object.fromEntries(all.map((word, i) => [word, i + 1])));
      const inverse = JSON.stringify(Object.fromEntries(all.map((word, i) => [i + 1, word])));
      const config = {
        ...{ word_counts: numbers, word_docs: numbers, word_index: numbers },
        ...{ index_docs: '{}', index_word: inverse, document_count: 1 },
      };
      return JSON.stringify({ class_name: 'Tokenizer', config });
    },
    run: (json) => void text.Tokenizer.fromJSON(json).textsToSequences(['w1 w2']),
  },
  'readPickle: a long dictionary': {
    make: (size) => {
      const item = (i) => {
        const word = bytesOf(`w${i}`);
        return [0x8c, word.length, ...word, 0x4a, i & 255, (i >> 8) & 255, (i >> 16) & 255, 0];
      };
      return Uint8Array.from([0x80, 4, 0x7d, 0x28, ...range(size, item).flat(), 0x75, 0x2e]);
    },
    run: (bytes) => text.readPickle(bytes),
    max: 2 ** 17,
  },
  'padSequences: rows': {
    make: (size, random) => range(size, () => range(integer(random, 0, 5), (i) => i)),
    run: (rows) => mf.padSequences(rows),
  },
  'backupAndRestore: many variables': {
    make: (size) => size,
    run: (size) => withCallback(size, (folder) => mf.callbacks.backupAndRestore(folder)),
    max: 4096,
  },
  'csvLogger: many columns': {
    make: (size) => size,
    run: (size) =>
      withCallback(1, (folder) =>
        [
          new (class extends mf.Callback {
            onEpochEnd(_, logs) {
              for (let i = 0; i < size; i++) logs[`m${i}`] = i;
            }
          })(),
          mf.callbacks.csvLogger(join(folder, 'log.csv')),
        ].at(-1),
      ),
    max: 4096,
  },
};

const pickMode = (size) => (size % 3 === 0 ? 'count' : 'multi_hot');
