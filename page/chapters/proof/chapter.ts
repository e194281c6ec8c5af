// SPDX-License-Identifier: MIT
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { type Child, h } from '../../shared/dom.js';
import { program } from '../../shared/program.js';
import { count, gap, probability } from '../../shared/text.js';
import type { ProofData } from './read.js';

const alphabet = ' ()[]{}';
const most = 200;

export const proof: Chapter<ProofData> = {
  id: 'proof',
  engine: 'recurrent',

  program({ settings }) {
    const text = settings.text('text').replace(/\s/g, '');
    if (text === '') throw new Advice('Type some brackets: ( ) [ ] { }');
    const other = [...text].find((letter) => !alphabet.includes(letter));
    if (other) throw new Advice(`The model only knows ( ) [ ] { }; remove “${other}”.`);
    return program(
      `const ids = [...'${text}'].map((bracket) => '${alphabet}'.indexOf(bracket)); // 0 is padding
const model = await loadModel('models/brackets.keras');
const parts = ['embedding', 'bidirectional', 'balanced'].map((name) => model.getLayer(name));
const unmasked = (row) => tidy(() => // the same weights, the mask taken away
  parts.reduce((x, layer) => layer.apply(x).withMask(null), tensor(row, { dtype: 'int32' })).item());
const answers = [];
for (let pads = 0; pads <= ${most}; pads++) {
  const row = [[...ids, ...Array(pads).fill(0)]];
  answers.push([tidy(() => model.predict(row).item()), unmasked(row)]);
}
console.log(answers[0], answers[1]);`,
      {},
      'maskflow/recurrent',
    );
  },

  keras({ settings }) {
    return `import keras
import numpy as np

ids = ["${alphabet}".index(bracket) for bracket in "${settings.text('text').replace(/\s/g, '')}"]
model = keras.models.load_model("models/brackets.keras")
for pads in (0, 1, 10, ${most}):
    print(pads, model.predict(np.array([ids + [0] * pads]), verbose=0))
`;
  },
  kerasNote: 'Both programs read the same file, so the weights are the same.',

  draw({ answers }, scene) {
    const pads = Math.min(scene.settings.integer('pads', 0, most) ?? 0, answers.length - 1);
    scene.put('pads', String(pads));
    scene.put('row', ...tokens(scene, pads));
    const [masked = Number.NaN, bare = Number.NaN] = answers[pads] ?? [];
    scene.put(
      'answers',
      ...answerOf('with the mask', 'kept', masked),
      ...answerOf('without it', 'alarm', bare),
    );
    scene.put('curves', curves(answers, pads, !isRevealed(scene)));
  },

  summarize({ answers }, scene) {
    const { settings } = scene;
    const pads = Math.min(settings.integer('pads', 0, most) ?? 0, answers.length - 1);
    const [first, now] = [answers[0], answers[pads]];
    if (!first || !now) return '';
    const largest = Math.max(...answers.map(([masked]) => Math.abs(masked - first[0])));
    const flips = answers.findIndex(([, bare]) => bare > 0.5 !== first[1] > 0.5);
    const without =
      flips < 0
        ? 'Without it, the verdict for this row stays, but not its number.'
        : `Without it, the verdict flips at ${count(flips, 'empty place')}.`;
    const question = 'And without it? Guess, or move the slider.';
    return `With the mask, ${answers.length - 1} empty places change the answer by ${gap(largest)}. ${isRevealed(scene) ? without : question}`;
  },

  judge({ answers: [unpadded, padded] }) {
    if (!unpadded || !padded) return undefined;
    const [, before] = unpadded;
    const [, after] = padded;
    const right = before === after ? 'same' : before > 0.5 !== after > 0.5 ? 'flips' : 'little';
    return {
      right,
      because: `Without a mask, one empty place changes ${probability(before)} to ${probability(after)}; with it, the answer changes by ${gap(Math.abs(padded[0] - unpadded[0]))}. Move the slider.`,
    };
  },

  start(scene) {
    scene.section.querySelector('[data-predict]')?.addEventListener('click', ({ target }) => {
      const first = scene.settings.text('pads') === '0' && target instanceof HTMLButtonElement;
      if (first) scene.set({ pads: '1' });
    });
  },
};

/** Whether the answer without a mask is visible: after a guess, or after a move of the slider. */
const isRevealed = (scene: Scene): boolean =>
  scene.predicted() || scene.settings.text('pads') !== '0';

const answerOf = (name: string, look: string, value: number): HTMLElement[] => [
  h('dt', {}, h('span', { class: `swatch ${look}` }), name),
  h(
    'dd',
    { class: look },
    h('strong', {}, probability(value)),
    ` ${value > 0.5 ? 'balanced' : 'not balanced'}`,
  ),
];

/** Returns the brackets and the first 12 empty places. */
function tokens({ settings }: Scene, pads: number): HTMLElement[] {
  const letters = [...settings.text('text').replace(/\s/g, '')];
  const shownPads = Math.min(pads, 12);
  const cell = (masked: boolean, ...content: Child[]) =>
    h('span', { class: masked ? 'cell masked' : 'cell kept' }, ...content);
  const holes = Array.from({ length: shownPads }, () => cell(true, h('span', {}, '0')));
  const rest =
    pads > shownPads ? [h('span', { class: 'hint' }, `and ${pads - shownPads} more`)] : [];
  return [...letters.map((letter) => cell(false, letter)), ...holes, ...rest];
}

function curves(answers: [number, number][], pads: number, held: boolean): HTMLElement {
  const line = (index: 0 | 1) => answers.map((pair, x) => [x, pair[index]] as const);
  return lineChart({
    label: `Probability of “balanced” for 0 to ${answers.length - 1} empty places, with the mask and without.`,
    lines: [
      { name: 'with the mask', look: 'kept', points: line(0) },
      { name: 'without', look: 'alarm', points: line(1), held },
    ],
    x: [0, answers.length - 1],
    y: [0, 1],
    xTicks: [0, 50, 100, 150, 200].filter((tick) => tick < answers.length),
    yTicks: [0, 0.5, 1],
    xTitle: 'empty places added',
    yTitle: 'says “balanced”',
    marker: pads,
    height: 240,
  });
}
