// SPDX-License-Identifier: MIT
// Keras's older Tokenizer: recorded calls of Keras, and what files and callers get wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/index.js';
import * as text from '../../dist/text.js';
import { tokenizerDifference } from '../support/tokenizers.js';

const { Tokenizer } = text;
const fixture = new URL('../fixtures/beside_models/tokenizers.jsonl.gz', import.meta.url);

before(() => mf.ready());

const texts = ['the movie was good', "the movie wasn't good at all", 'what a film, the best!'];
const fitted = (settings) => {
  const tokenizer = new Tokenizer(settings);
  tokenizer.fitOnTexts(texts);
  return tokenizer;
};

describe('Tokenizer', () => {
  test('does what Keras does in recorded cases', async () => {
    const lines = String(gunzipSync(readFileSync(fixture)))
      .trim()
      .split('\n');
    assert.equal(lines.length, 60);
    for (const line of lines) {
      const difference = await tokenizerDifference(text, JSON.parse(line));
      assert.equal(difference, null);
    }
  });

  test('gives the ids of Keras, with and without a token for unknown words', () => {
    const sentences = ["The movie wasn't bad", "A state-of-the-art film: it's good"];
    assert.deepEqual(fitted({ oovToken: '<OOV>' }).textsToSequences(sentences), [
      [2, 3, 6, 1],
      [10, 1, 1, 2, 1, 11, 1, 4],
    ]);
    assert.deepEqual(fitted().textsToSequences(sentences), [
      [1, 2, 5],
      [9, 1, 10, 3],
    ]);
    const { wordIndex } = fitted({ oov_token: '<OOV>', num_words: 4 });
    assert.deepEqual([wordIndex.the, wordIndex.best, wordIndex.toString], [2, 12, undefined]);
    assert.ok(Object.isFrozen(wordIndex));
  });

  test('keeps ids below numWords only, and treats the other words as unknown', () => {
    const tokenizer = fitted({ oovToken: '<OOV>', numWords: 4 });
    assert.deepEqual(tokenizer.textsToSequences(['the movie was good']), [[2, 3, 1, 1]]);
    assert.deepEqual(tokenizer.sequencesToTexts([[2, 3, 4, 0]]), ['the movie <OOV> <OOV>']);
    assert.deepEqual(fitted({ numWords: 4 }).textsToSequences(['the movie was good']), [[1, 2, 3]]);
  });

  test('lowers case as Python does, and splits characters by code point', () => {
    const words = new Tokenizer();
    words.fitOnTexts(['ΟΔΟΣ İZMIR']);
    assert.deepEqual(Object.keys(words.wordIndex), ['οδος', 'i\u0307zmir']);
    const chars = new Tokenizer({ charLevel: true });
    chars.fitOnTexts(['👍a👍']);
    assert.deepEqual(chars.textsToSequences(['a👍']), [[2, 1]]);
  });

  test('reads JSON that Python has encoded twice, and JSON with replaced settings', () => {
    const json = JSON.stringify(fitted({ oovToken: '<OOV>' }));
    for (const form of [json, JSON.stringify(json), JSON.parse(json)]) {
      const tokenizer = Tokenizer.fromJSON(form);
      assert.deepEqual(tokenizer.textsToSequences(['The movie']), [[2, 3]]);
      assert.equal(JSON.stringify(tokenizer), json);
    }
    const analyzer = (line) => line.split('|');
    const own = Tokenizer.fromJSON(json, { analyzer, numWords: 3 });
    assert.deepEqual(own.textsToSequences(['the|movie']), [[2, 1]]);
  });

  test('counts on as Python does after a file whose words look like numbers', () => {
    const first = new Tokenizer();
    first.fitOnTexts(['b 2007 a']);
    const again = Tokenizer.fromJSON(JSON.stringify(first));
    again.fitOnTexts(['c']);
    assert.deepEqual(again.sequencesToTexts([[1, 2, 3, 4]]), ['b 2007 a c']);
  });

  test('makes one of a map of words to ids, which may have padding at 0', () => {
    const map = { '<pad>': 0, '<unk>': 1, the: 2, film: 3 };
    for (const form of [map, new Map(Object.entries(map)), JSON.stringify(map)]) {
      const tokenizer = Tokenizer.fromWordIndex(form, { oovToken: '<unk>' });
      assert.deepEqual(tokenizer.textsToSequences(['The film!', 'a film <pad>']), [
        [2, 3],
        [1, 3, 1],
      ]);
      assert.deepEqual(tokenizer.sequencesToTexts([[2, 3, 0]]), ['the film <pad>']);
    }
  });

  test('takes rows of ids as tensors and typed arrays', () => {
    const tokenizer = fitted({ oovToken: '<OOV>' });
    const padded = mf.padSequences(tokenizer.textsToSequences(['the movie']), { maxlen: 3 });
    assert.deepEqual(tokenizer.sequencesToTexts(padded), ['<OOV> the movie']);
    assert.deepEqual(tokenizer.sequencesToTexts([new Int32Array([2, 3])]), ['the movie']);
    const counts = tokenizer.sequencesToMatrix([new Int32Array([2, 2])], 'count');
    assert.deepEqual(counts.array()[0].slice(0, 4), [0, 0, 2, 0]);
  });

  test('splits with an analyzer, which no file contains', () => {
    const tokenizer = new Tokenizer({ analyzer: (line) => [...line.matchAll(/\w+/g)].map(String) });
    tokenizer.fitOnTexts(["it's it"]);
    assert.deepEqual(tokenizer.textsToSequences(["it's"]), [[1, 2]]);
    assert.ok(!('analyzer' in tokenizer.getConfig()));
    const bad = new Tokenizer({ analyzer: () => 'no list' });
    assert.throws(() => bad.textsToSequences(['a']), /result of analyzer is 'no list'/);
  });
});

describe('Tokenizer refuses', () => {
  const refused = [
    [() => fitted().textsToSequences('the'), 'ValueError', /texts is a string .*: \[text\]/],
    [() => fitted().fitOnTexts(), 'ValueError', /texts is undefined but must be a list/],
    [() => fitted().textsToSequences([7]), 'ValueError', /text 0 is 7 but must be a string/],
    [() => fitted().textsToSequences([['a', 7]]), 'ValueError', /a word of text 0 is 7/],
    [() => fitted().sequencesToTexts([1, 2]), 'ValueError', /must be rows of ids: \[ids\]/],
    [() => fitted().sequencesToMatrix([[-1]]), 'ValueError', /an id is -1/],
    [() => fitted().textsToMatrix(['a'], 'sum'), 'ConfigError', /mode is 'sum'/],
    [() => new Tokenizer().textsToMatrix(['a']), 'StateError', /call fitOnTexts\(texts\) first/],
    [
      () => Tokenizer.fromWordIndex({ a: 1 }).textsToMatrix(['a'], 'tfidf'),
      'StateError',
      /has not counted texts.*call fitOnTexts\(texts\) first/,
    ],
    [
      () => new Tokenizer({ oovToken: 'x' }).textsToSequences(['a']),
      'StateError',
      /'x' has no id yet; call fitOnTexts\(texts\) first/,
    ],
    [() => new Tokenizer({ numWord: 3 }), 'ConfigError', /no setting 'numWord'; .*numWords/],
    [() => new Tokenizer({ trainable: true }), 'ConfigError', /no setting 'trainable'/],
    [() => new Tokenizer({ vocabularySize: 3 }), 'ConfigError', /no setting 'vocabularySize'/],
    [() => new Tokenizer({ sparse: false }), 'ConfigError', /no setting 'sparse'/],
    [() => new Tokenizer({ encoding: 'utf-8' }), 'ConfigError', /no setting 'encoding'/],
    [() => new text.Hashing({ numBins: 2, vocabularySize: 3 }), 'ConfigError', /no setting 'voc/],
    [() => new Tokenizer({ split: '' }), 'ConfigError', /split is ''/],
    [() => new Tokenizer({ numWords: -1 }), 'ValueError', /numWords is -1/],
    [() => Tokenizer.fromJSON('{'), 'FormatError', /the text is not JSON/],
    [() => Tokenizer.fromJSON({ the: 1 }), 'FormatError', /call Tokenizer\.fromWordIndex\(map\)/],
    [() => Tokenizer.fromJSON({ model: {} }), 'FormatError', /Hugging Face/],
    [() => Tokenizer.fromJSON(null), 'FormatError', /not what Keras's/],
    [() => Tokenizer.fromWordIndex({ a: 1.5 }), 'FormatError', /has 1.5 for 'a'/],
    [
      () => Tokenizer.fromWordIndex({ a: 1 }, { oovToken: 'x' }),
      'ConfigError',
      /oovToken 'x' is not in the map .*; add it, or leave oovToken out/,
    ],
  ];
  for (const [act, name, message] of refused) {
    test(String(act).slice(6, 70), () => assert.throws(act, { name, message }));
  }

  test('the remedies work', () => {
    assert.deepEqual(Tokenizer.fromWordIndex({ the: 1 }).textsToSequences(['the']), [[1]]);
    assert.equal(fitted({ oovToken: 'x' }).textsToSequences(['unknown'])[0][0], 1);
    assert.deepEqual(fitted().textsToMatrix(['the'], 'tfidf').shape, [1, 12]);
  });
});
