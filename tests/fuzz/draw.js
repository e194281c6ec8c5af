// SPDX-License-Identifier: MIT
// Figures of random models with hostile names, random masks and random numbers: each must be
// well-formed, contain nothing that runs, and stay inside its paper.
import assert from 'node:assert/strict';
import * as draw from '../../dist/draw.js';
import * as mf from '../../dist/index.js';
import { block, generator, integer, maskOf, pick } from '../support/random.js';
import { cardsOf, checkFigure } from '../support/svg.js';

const kNames = [
  'words',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  ']]>',
  '<!--',
  '&amp;&lt;&#60;&nosuch;',
  '</text></svg><svg onload=alert(1)>',
  '</style><style>*{display:none}',
  '\u202egnp.\u2066\u200f',
  '\u0000\u0007\u001b[31m\u009b',
  '\ufffe\uffff',
  'a\nb\tc\rd',
  '\u2028\u2029',
  '変換層',
  '😀👩‍👩‍👧',
  'Größe',
  'e\u0301'.repeat(60),
  'x'.repeat(5000),
  ' ',
  '$&$1$`',
  '__proto__',
  'constructor',
];

/** Texts that are not names: layers refuse lone surrogates. */
const kTexts = [...kNames, '\ud800', '\udfff\ud800'];

/** Builds a random graph of masked layers and operations. */
function randomModel(random) {
  let count = 0;
  const nameOf = () => {
    count += 1;
    return `${pick(random, kNames)} ${count}`;
  };
  const input = mf.Input({ shape: [null], dtype: 'int32', name: nameOf() });
  const { layers, ops } = mf;
  const embed = layers.embedding({
    inputDim: 9,
    outputDim: 4,
    maskZero: random() < 0.8,
    name: nameOf(),
  });
  const nodes = [embed.apply(input)];
  const shared = layers.dense({ units: 4, name: nameOf() });
  const steps = [
    (x) => layers.dense({ units: 4, name: nameOf() }).apply(x),
    (x) => shared.apply(x),
    (x) => layers.lstm({ units: 4, returnSequences: true, name: nameOf() }).apply(x),
    (x) => ops.add(x, 1),
    (x) => ops.multiply(2, x),
    (x, y) => layers.add({ name: nameOf() }).apply([x, y]),
    (x, y) => ops.subtract(x, y),
    (x, y) =>
      layers
        .multiHeadAttention({ numHeads: 1, keyDim: 2, name: nameOf() })
        .apply({ query: x, value: y }),
    (x) =>
      new mf.Sequential(
        [
          layers.dense({ units: 4, name: nameOf() }),
          layers.gru({ units: 4, returnSequences: true }),
        ],
        { name: nameOf() },
      ).apply(x),
    (x) => layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same', name: nameOf() }).apply(x),
  ];
  for (let size = integer(random, 0, 12); size > 0; size -= 1) {
    nodes.push(pick(random, steps)(pick(random, nodes), pick(random, nodes)));
  }
  const outputs = Array.from({ length: integer(random, 1, 3) }, () => pick(random, nodes));
  return new mf.Model({ inputs: input, outputs, name: pick(random, kNames) || 'model' });
}

/** Checks that nothing is drawn beside the paper, and that no card hides another. */
function checkPlaces(svg) {
  const root = checkFigure(svg);
  const [, , width, height] = root.attributes.viewBox.split(' ').map(Number);
  const cards = cardsOf(svg).map(({ attributes, children }) => {
    const [left, top] = attributes.transform.match(/[-\d.]+/g).map(Number);
    const { width: w, height: h } = children[1].attributes;
    return { left, top, right: left + Number(w), bottom: top + Number(h) };
  });
  for (const [index, card] of cards.entries()) {
    assert.ok(card.left >= 0 && card.top >= 0, 'a card begins beside the paper');
    assert.ok(card.right <= width - 48 && card.bottom <= height - 24, 'a card ends beside it');
    for (const other of cards.slice(index + 1)) {
      const apart =
        card.right <= other.left ||
        other.right <= card.left ||
        card.bottom <= other.top ||
        other.bottom <= card.top;
      assert.ok(apart, 'cards overlap');
    }
  }
}

/** Returns a list of numbers, some of them extreme or not finite. */
const numbersOf = (random, max) =>
  Array.from({ length: integer(random, 0, max) }, () =>
    pick(random, [
      random(),
      random() * 1e9,
      -random() * 1e-9,
      1 + random() * 1e-7,
      0,
      NaN,
      Infinity,
      -Infinity,
      1e300,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      Number.MIN_VALUE,
    ]),
  );

/** Returns a loss or metric of some epochs; some have a number for each class. */
const metricOf = (random) =>
  random() < 0.2
    ? Array.from({ length: integer(random, 0, 5) }, () => [random(), random()])
    : numbersOf(random, pick(random, [3, 30, 400]));

function attentionOf(random, options) {
  const [queries, keys] = [integer(random, 1, pick(random, [12, 110])), integer(random, 0, 70)];
  const heads = integer(random, 1, keys > 12 ? 3 : pick(random, [3, 100]));
  const scores = block(random, heads, queries, keys);
  const texts = (count) => Array.from({ length: count }, () => pick(random, kTexts));
  return draw.drawAttention(pick(random, [scores, [scores]]), {
    ...options,
    mask: maskOf(random, 'scattered', 1, keys),
    queries: texts(queries),
    ...(random() < 0.5 && { keys: texts(keys) }),
  });
}

/** Returns random figures: pairs of a name and the SVG. */
export function randomFigures(random) {
  const options = pick(random, [
    {},
    { title: pick(random, kTexts), theme: 'dark' },
    { title: '', description: pick(random, kTexts), theme: 'light' },
  ]);
  const time = integer(random, 1, pick(random, [5, 20, 150, 5000]));
  const batch = integer(random, 1, time > 1000 ? 3 : pick(random, [2, 30]));
  const mask = maskOf(random, pick(random, ['right', 'left', 'scattered']), batch, time);
  const ids = mask.map((row) => row.map((keep) => (keep ? integer(random, 1, 8) : 0)));
  const model = randomModel(random);
  const isShort = time <= 200;
  const figures = [
    ['model', draw.drawModel(model, undefined, options)],
    ['mask', draw.drawMask(mask, options)],
    ['batch', draw.drawMask(ids, options)],
    ['numbers', draw.drawMask([numbersOf(random, 30)], options)],
    [
      'history',
      draw.drawHistory(
        {
          loss: metricOf(random),
          val_loss: metricOf(random),
          [pick(random, kTexts)]: metricOf(random),
        },
        options,
      ),
    ],
    ['attention', attentionOf(random, options)],
    ...(isShort ? [['traced model', draw.drawModel(model, ids, options)]] : []),
    ...(isShort ? [['trace', draw.drawTrace(model.traceMasks(ids), options)]] : []),
    ...(isShort && random() < 0.1
      ? [['padding', draw.drawPadding(model, ids, { ...options, most: 2 })]]
      : []),
  ];
  model.dispose();
  return figures;
}

function drawRandom(random) {
  for (const [name, svg] of randomFigures(random)) {
    checkFigure(svg);
    if (name.endsWith('model')) checkPlaces(svg);
  }
}

/** Draws the cases `from` to `to`; returns a text for each failure. */
export async function fuzzDraw(from, to, report = () => {}) {
  await mf.ready({ onMaskDropped: 'silent' });
  const failures = [];
  for (let seed = from; seed < to; seed += 1) {
    try {
      mf.tidy(() => drawRandom(generator(seed * 7919)));
    } catch (error) {
      failures.push(`case ${seed}: ${error.stack}`);
    }
    report(seed - from + 1);
  }
  return failures;
}
