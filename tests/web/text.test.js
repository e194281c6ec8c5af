// SPDX-License-Identifier: MIT
// TextVectorization, StringLookup and IntegerLookup on examples worked out by hand.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { IntegerLookup, StringLookup, TextVectorization } from '../../dist/text.js';
import { close, leavesNothing } from '../support/watch.js';

before(() => mf.ready());

const rowsOf = (layer, data) => layer.apply(data).array();

describe('StringLookup', () => {
  const vocabulary = ['a', 'b', 'c', 'd'];

  test('maps each known token to an index, and all unknown ones to one index', () => {
    const layer = new StringLookup({ vocabulary });
    const ids = layer.apply([
      ['a', 'c', 'd'],
      ['d', 'z', 'b'],
    ]);
    assert.deepEqual(
      [ids.dtype, ids.array()],
      [
        'int32',
        [
          [1, 3, 4],
          [4, 0, 2],
        ],
      ],
    );
    assert.deepEqual(layer.getVocabulary(), ['[UNK]', ...vocabulary]);
    assert.deepEqual(layer.getVocabulary(false), vocabulary);
    assert.equal(layer.vocabularySize(), 5);
    assert.equal(rowsOf(layer, 'b'), 2);
    assert.deepEqual(rowsOf(layer, [[['b'], ['x']]]), [[[2], [0]]]);
  });

  test('the mask token has index 0 and fills rows up', () => {
    const layer = new StringLookup({ vocabulary, maskToken: '' });
    assert.deepEqual(rowsOf(layer, [['a', ''], ['z']]), [
      [2, 0],
      [1, 0],
    ]);
    assert.deepEqual(layer.getVocabulary(), ['', '[UNK]', ...vocabulary]);
    assert.throws(
      () => new StringLookup({ vocabulary }).apply([['a', 'b', 'c'], ['d']]),
      (error) =>
        error instanceof mf.ShapeError &&
        /row 1 has 1 tokens .* 3; .*maskToken/.test(error.message),
    );
  });

  test('a vocabulary may begin with the special tokens', () => {
    const layer = new StringLookup({ vocabulary: ['', '[UNK]', 'x'], maskToken: '' });
    assert.deepEqual(rowsOf(layer, ['x', 'y', '']), [2, 1, 0]);
    assert.throws(
      () => new StringLookup({ vocabulary: ['x', ''], maskToken: '' }),
      /mask token '' is among the other tokens; .*begin it with '', '\[UNK\]'/,
    );
  });

  test("TensorFlow's hash distributes unknown tokens over several indices", () => {
    const layer = new StringLookup({ vocabulary, numOovIndices: 2 });
    // The example in Keras's documentation.
    assert.deepEqual(
      rowsOf(layer, [
        ['a', 'c', 'd'],
        ['m', 'z', 'b'],
      ]),
      [
        [2, 4, 5],
        [0, 1, 3],
      ],
    );
    // Fingerprints of texts of 0, 3, 7, 12, 20, 40, 65 and 130 bytes, computed by Google's library.
    const prints = [
      11160318154034397263n,
      3268219959478574187n,
      17088493756539222794n,
      4419094223295249610n,
      9615919020104280472n,
      1546394228708775856n,
      2768067016444695309n,
      4387637145567618109n,
    ];
    const hashing = new StringLookup({ vocabulary: ['?'], numOovIndices: 9973 });
    const letter = (_, i) => String.fromCharCode(97 + ((7 * i) % 26));
    const texts = [0, 3, 7, 12, 20, 40, 65, 130].map((length) =>
      Array.from({ length }, letter).join(''),
    );
    assert.deepEqual(
      rowsOf(hashing, texts),
      prints.map((print) => Number(print % 9973n)),
    );
  });

  test('without an index for unknown tokens they are an error', () => {
    const layer = new StringLookup({ vocabulary, numOovIndices: 0 });
    assert.deepEqual(rowsOf(layer, ['a', 'd']), [0, 3]);
    assert.throws(
      () => layer.apply(['a', 'q']),
      /'q' is not in the vocabulary; set numOovIndices: 1/,
    );
  });

  const data = [
    ['a', 'c', 'd', 'd'],
    ['d', 'z', 'b', 'z'],
  ];
  test('returns vectors: one_hot, multi_hot, count', () => {
    const make = (outputMode, more) => new StringLookup({ vocabulary, outputMode, ...more });
    assert.deepEqual(rowsOf(make('multi_hot'), data), [
      [0, 1, 0, 1, 1],
      [1, 0, 1, 0, 1],
    ]);
    assert.deepEqual(rowsOf(make('count'), data), [
      [0, 1, 0, 1, 2],
      [2, 0, 1, 0, 1],
    ]);
    assert.deepEqual(rowsOf(make('one_hot'), ['d', 'z']), [
      [0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0],
    ]);
    assert.deepEqual(make('one_hot').apply(data).shape, [2, 4, 5]);
    assert.deepEqual(make('one_hot').apply([['a'], ['b']]).shape, [2, 5]);
    assert.equal(make('count').apply(data).dtype, 'float32');
    assert.deepEqual(rowsOf(make('count'), ['a', 'a']), [0, 2, 0, 0, 0]);
    assert.deepEqual(rowsOf(make('multi_hot'), 'b'), [0, 0, 1, 0, 0]);
    // Rows may have any length; the mask token is not counted and has no index.
    const masked = make('count', { maskToken: '' });
    assert.deepEqual(rowsOf(masked, [['a', '', ''], ['b']]), [
      [0, 1, 0, 0, 0],
      [0, 0, 1, 0, 0],
    ]);
    const paddedLayer = make('multi_hot', { maxTokens: 7, padToMaxTokens: true });
    assert.deepEqual(rowsOf(paddedLayer, [['d']]), [[0, 0, 0, 0, 1, 0, 0]]);
    assert.throws(() => make('count').apply([[['a']]]), /rank 2 at most.*\[1,1,1\]/);
  });

  test('tf_idf multiplies counts by weights; unknown tokens have the mean weight', () => {
    const idfWeights = [0.25, 0.75, 0.6, 0.4];
    const layer = new StringLookup({ vocabulary, idfWeights, outputMode: 'tf_idf' });
    close(rowsOf(layer, data), [
      [0, 0.25, 0, 0.6, 0.8],
      [1, 0, 0.75, 0, 0.4],
    ]);
    const adaptable = new StringLookup({ outputMode: 'tf_idf' });
    adaptable.setVocabulary(['[UNK]', ...vocabulary], [0.9, ...idfWeights]);
    close(rowsOf(adaptable, data), [
      [0, 0.25, 0, 0.6, 0.8],
      [1.8, 0, 0.75, 0, 0.4],
    ]);
    assert.throws(
      () => new StringLookup({ vocabulary, outputMode: 'tf_idf', idfWeights: [1] }),
      /1 idfWeights for 4 tokens/,
    );
    assert.throws(() => new StringLookup({ vocabulary, outputMode: 'tf_idf' }), /idfWeights/);
  });

  test('adapt sorts by frequency, then in descending alphabetical order', () => {
    const layer = new StringLookup();
    assert.throws(() => layer.apply('a'), mf.StateError);
    layer.adapt([
      ['a', 'c', 'd'],
      ['d', 'z', 'b'],
    ]);
    assert.deepEqual(layer.getVocabulary(), ['[UNK]', 'd', 'z', 'c', 'b', 'a']);
    const limited = new StringLookup({ maxTokens: 3 });
    limited.adapt(['x', 'y', 'y', '[UNK]']);
    assert.deepEqual(limited.getVocabulary(), ['[UNK]', 'y', 'x']);
    // The vocabulary is sorted by code points: U+1F600 follows U+FF5E, although its first surrogate
    // is smaller.
    const wide = new StringLookup();
    wide.adapt(['\u{1F600}', '\uFF5E', 'ab', 'a']);
    assert.deepEqual(wide.getVocabulary(false), ['\u{1F600}', '\uFF5E', 'ab', 'a']);
    const tfIdf = new StringLookup({ outputMode: 'tf_idf' });
    tfIdf.adapt([['a', 'a', 'b'], ['a']]);
    const [a, b] = [Math.log(1 + 2 / 3), Math.log(1 + 2 / 2)];
    close(rowsOf(tfIdf, [['a', 'b', '?']]), [[(a + b) / 2, a, b]]);
    assert.throws(() => new StringLookup({ vocabulary }).adapt(['a']), mf.StateError);
  });

  test('invert maps indices to tokens', () => {
    const layer = new StringLookup({ vocabulary, invert: true });
    const tokens = [
      ['a', 'c', 'd'],
      ['d', '[UNK]', 'b'],
    ];
    const ids = [
      [1, 3, 4],
      [4, 0, 2],
    ];
    assert.deepEqual(layer.apply(ids), tokens);
    assert.deepEqual(layer.apply(mf.tensor(ids, { dtype: 'int32' })), tokens);
    const masked = new StringLookup({ vocabulary, invert: true, maskToken: '-', oovToken: '?' });
    assert.deepEqual(masked.apply([0, 1, 2, 99]), ['-', '?', 'a', '?']);
  });

  test('wrong settings and data are named', () => {
    const assertRefuses = (config, pattern) =>
      assert.throws(() => new StringLookup(config), pattern);
    assertRefuses({ vocabluary: ['a'] }, /no setting 'vocabluary'; the settings are .*vocabulary/);
    assertRefuses({ maxTokens: 1 }, /maxTokens is 1 but/);
    assertRefuses({ numOovIndices: -1 }, /numOovIndices is -1 but/);
    assertRefuses({ padToMaxTokens: true }, /needs maxTokens/);
    assertRefuses({ outputMode: 'hot' }, /outputMode is 'hot' but must be one of 'int', 'one_hot'/);
    assertRefuses({ outputMode: 'count', invert: true }, /must be 'int' with invert/);
    assertRefuses({ idfWeights: [1] }, /for outputMode 'tf_idf', not 'int'/);
    const ones = { vocabulary: ['a'], outputMode: 'tf_idf' };
    assertRefuses(
      { ...ones, idfWeights: ['1'] },
      /a weight of idfWeights is '1' but must be a num/,
    );
    assert.throws(() => new StringLookup().setVocabulary(['a'], Number.NaN), mf.MaskflowError);
    assertRefuses({ ...ones, idfWeights: 7 }, /idfWeights of .* is 7 but must be a list/);
    assertRefuses({ vocabulary: [] }, /vocabulary is empty/);
    assertRefuses({ vocabulary: ['a', 'b', 'a'] }, /'a' twice/);
    assertRefuses({ vocabulary, maxTokens: 4 }, /has 5 tokens.* maxTokens is 4/);
    assertRefuses({ sparse: true }, mf.UnsupportedError);
    const layer = new StringLookup({ vocabulary });
    assert.throws(() => layer.apply([1]), /needs strings or lists of them, not the number 1/);
    assert.throws(() => layer.apply(['a', ['b']]), mf.ShapeError);
  });

  test("the config is Keras's, and a layer can be created from it", () => {
    const config = new StringLookup({ vocabulary, maskToken: '', maxTokens: 9 }).getConfig();
    assert.equal(config.mask_token, '');
    assert.equal(config.num_oov_indices, 1);
    const keras = { ...config, trainable: true, dtype: 'string', sparse: false, encoding: 'utf-8' };
    assert.deepEqual(StringLookup.fromConfig(keras).getConfig(), config);
  });
});

describe('IntegerLookup', () => {
  const vocabulary = [12, 36, 1138, 42];
  const data = [
    [12, 1138, 42],
    [42, 1000, 36],
  ];

  test('accepts lists, typed arrays and tensors', () => {
    const layer = new IntegerLookup({ vocabulary });
    const ids = [
      [1, 3, 4],
      [4, 0, 2],
    ];
    assert.deepEqual(rowsOf(layer, data), ids);
    assert.deepEqual(rowsOf(layer, mf.tensor(data, { dtype: 'int32' })), ids);
    assert.deepEqual(rowsOf(layer, Int32Array.of(42, 7)), [4, 0]);
    assert.deepEqual(layer.getVocabulary(), [-1, ...vocabulary]);
  });

  test('the remainder of a division distributes unknown numbers over several indices', () => {
    const layer = new IntegerLookup({ vocabulary, numOovIndices: 2 });
    assert.deepEqual(
      rowsOf(layer, [
        [12, 1138, 42],
        [37, 1000, 36],
      ]),
      [
        [2, 4, 5],
        [1, 0, 3],
      ],
    );
    assert.deepEqual(rowsOf(layer, [-3]), [1]);
  });

  test('adapts and inverts', () => {
    const layer = new IntegerLookup();
    layer.adapt(data);
    assert.deepEqual(layer.getVocabulary(), [-1, 42, 1138, 1000, 36, 12]);
    const copy = new IntegerLookup({ vocabulary: layer.getVocabulary(), invert: true });
    assert.deepEqual(copy.apply(layer.apply(data)), data);
    assert.deepEqual(copy.apply([0]), [-1]);
    assert.deepEqual(
      rowsOf(new IntegerLookup({ vocabulary, maskToken: 0 }), [0, 12, 5]),
      [0, 2, 1],
    );
  });
});

describe('TextVectorization', () => {
  const vocabulary = ['earth', 'wind', 'and', 'fire'];

  test('accepts sentences', () => {
    leavesNothing(() => {
      const layer = new TextVectorization({ vocabulary, outputSequenceLength: 4 });
      const ids = layer.apply(['Earth, wind & Fire!', 'water', 'and and and and and']);
      assert.deepEqual([ids.dtype, ids.shape], ['int32', [3, 4]]);
      assert.deepEqual(ids.array(), [
        [2, 3, 5, 0],
        [1, 0, 0, 0],
        [4, 4, 4, 4],
      ]);
      ids.dispose();
    });
    const layer = new TextVectorization({ vocabulary });
    assert.deepEqual(layer.getVocabulary(), ['', '[UNK]', ...vocabulary]);
    assert.deepEqual(rowsOf(layer, [['wind and fire'], ['']]), [
      [3, 4, 5],
      [0, 0, 0],
    ]);
    assert.deepEqual(rowsOf(layer, 'fire and'), [5, 4]);
    assert.deepEqual(layer.apply([]).shape, [0, 0]);
    assert.deepEqual(
      new TextVectorization({ vocabulary, ragged: true }).apply(['fire', 'wind and']),
      [[5], [3, 4]],
    );
  });

  test('learns a vocabulary from texts as Keras does', () => {
    const layer = new TextVectorization({ maxTokens: 5000, outputSequenceLength: 4 });
    layer.adapt(['foo bar', 'bar baz', 'baz bada boom']);
    assert.deepEqual(layer.getVocabulary(false), ['baz', 'bar', 'foo', 'boom', 'bada']);
    assert.deepEqual(rowsOf(layer, [['foo qux bar'], ['qux baz']]), [
      [4, 1, 3, 0],
      [1, 2, 0, 0],
    ]);
  });

  const tokensOf = (config, text) => {
    const layer = new TextVectorization(config);
    layer.adapt([text]);
    return new Set(layer.getVocabulary(false));
  };
  const words = (...list) => new Set(list);

  test('standardizes like TensorFlow: ASCII capitals, its punctuation', () => {
    assert.deepEqual(tokensOf({}, "It's ÉCOLE-time, A_B!"), words('its', 'Écoletime', 'ab'));
    const punctuation = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\'';
    assert.deepEqual(
      tokensOf({ standardize: 'strip_punctuation' }, `A${punctuation}b «c» …`),
      words('Ab', '«c»', '…'),
    );
    assert.deepEqual(tokensOf({ standardize: 'lower' }, 'A, B'), words('a,', 'b'));
    assert.deepEqual(tokensOf({ standardize: null }, 'A, B'), words('A,', 'B'));
    const standardize = (text) => text.replaceAll('x', ' ');
    assert.deepEqual(tokensOf({ standardize }, 'AxB'), words('A', 'B'));
  });

  test('splits at ASCII white space, into characters, by a function, or not', () => {
    assert.deepEqual(tokensOf({}, '  a\t\nb\u00a0c '), words('a', 'b\u00a0c'));
    assert.deepEqual(tokensOf({ split: 'character' }, 'a \u{1F600}'), words('a', ' ', '\u{1F600}'));
    assert.deepEqual(tokensOf({ split: (text) => text.split('b') }, 'abc'), words('a', 'c'));
    assert.deepEqual(tokensOf({ split: null }, 'a b'), words('a b'));
    const layer = new TextVectorization({ vocabulary: ['new york', 'rome'], split: null });
    assert.deepEqual(
      rowsOf(layer, [
        ['New York', 'Rome'],
        ['Oslo', ''],
      ]),
      [
        [2, 3],
        [1, 0],
      ],
    );
  });

  test('orders ngrams by width, then by position', () => {
    const grams = ['a', 'b', 'c', 'a b', 'b c', 'a b c'];
    const rows = (ngrams, text) =>
      rowsOf(new TextVectorization({ vocabulary: grams, ngrams, standardize: null }), text);
    assert.deepEqual(rows(2, 'a b c'), [2, 3, 4, 5, 6]);
    assert.deepEqual(rows([3, 1], 'a b c'), [7, 2, 3, 4]);
    assert.deepEqual(rows([2], 'a'), []);
  });

  test('vectors', () => {
    const make = (outputMode, more) => new TextVectorization({ vocabulary, outputMode, ...more });
    const texts = ['fire and fire', 'water'];
    assert.deepEqual(rowsOf(make('multi_hot'), texts), [
      [0, 0, 0, 1, 1],
      [1, 0, 0, 0, 0],
    ]);
    assert.deepEqual(rowsOf(make('count'), texts), [
      [0, 0, 0, 1, 2],
      [1, 0, 0, 0, 0],
    ]);
    assert.deepEqual(make('count').getVocabulary(), ['[UNK]', ...vocabulary]);
    const idfWeights = [1, 2, 3, 4];
    close(rowsOf(make('tf_idf', { idfWeights }), texts), [
      [0, 0, 0, 3, 8],
      [2.5, 0, 0, 0, 0],
    ]);
    const wide = make('count', { maxTokens: 6, padToMaxTokens: true });
    assert.deepEqual(wide.apply(texts).shape, [2, 6]);
  });

  test('feeds an Embedding that masks the padding', () => {
    const ids = new TextVectorization({ vocabulary }).apply(['wind and', 'fire']);
    const { Sequential, layers } = mf;
    const model = new Sequential([
      layers.embedding({ inputDim: 6, outputDim: 3, maskZero: true }),
      layers.gru({ units: 2 }),
    ]);
    assert.deepEqual(model.predict(ids).shape, [2, 2]);
    assert.deepEqual(model.layers[0].apply(ids).mask.array(), [
      [true, true],
      [true, false],
    ]);
  });

  test('wrong settings and data are named', () => {
    const assertRefuses = (config, pattern) =>
      assert.throws(() => new TextVectorization(config), pattern);
    assertRefuses({ standardise: null }, /no setting 'standardise'/);
    assertRefuses(
      { standardize: 'upper' },
      /standardize is 'upper' but must be one of 'lower_and_strip/,
    );
    assertRefuses(
      { split: ' ' },
      /split is ' ' but must be one of 'whitespace', 'character', null/,
    );
    assertRefuses({ split: { class_name: 'function' } }, mf.UnsupportedError);
    assertRefuses({ ngrams: 0 }, /ngrams is 0 but/);
    assertRefuses(
      { outputMode: 'count', outputSequenceLength: 3 },
      /outputSequenceLength is for .* not 'count'/,
    );
    assertRefuses({ outputSequenceLength: -1 }, /outputSequenceLength is -1/);
    assertRefuses({ encoding: 'latin-1' }, mf.UnsupportedError);
    const layer = new TextVectorization({ vocabulary });
    assert.throws(() => layer.apply([['a', 'b']]), /list of 2; use split: null for tokens/);
    assert.throws(() => layer.apply([3]), /needs strings or lists of them, not the number 3/);
    assert.throws(() => new TextVectorization().apply('a'), mf.StateError);
  });

  test("the config is Keras's, and a layer can be created from it", () => {
    const layer = new TextVectorization({ vocabulary, ngrams: [1, 2], outputSequenceLength: 5 });
    const config = layer.getConfig();
    assert.equal(config.output_sequence_length, 5);
    assert.equal(config.standardize, 'lower_and_strip_punctuation');
    const keras = {
      ...config,
      trainable: true,
      dtype: 'float32',
      vocabulary_size: 6,
      sparse: false,
    };
    const copy = TextVectorization.fromConfig(keras);
    assert.deepEqual(copy.getConfig(), config);
    assert.deepEqual(rowsOf(copy, 'wind and'), rowsOf(layer, 'wind and'));
  });
});
