// SPDX-License-Identifier: MIT
// The first chapter, "proof": a trained model, whose answer padding moves only without the mask.
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { type Child, find, h } from '../../shared/dom.js';
import { program } from '../../shared/program.js';
import { drive } from '../../shared/settings.js';
import { count, upTo } from '../../shared/text.js';
import { curves } from './curves.js';
import { Dial, verdictOf } from './dial.js';
import { followHands } from './hands.js';
import { farOf, statesOf } from './paper.js';
import { followPlay } from './play.js';
import type { ProofData } from './read.js';

const alphabet = ' ()[]{}';
const maxPads = 200;
/** Number of empty places beside the brackets; more are counted. */
const near = 12;

let dials: [Dial, Dial] | undefined;
/** Size of the place of the curves. Reading it while drawing would lay out the page once more. */
let room = { width: 0, height: 0 };
/** Number of zeros in the row before the next change. */
let drawnPads = 0;
/** The part of the curves that the visitor has seen, and the brackets that it belongs to. */
let seen = { text: '', reach: 0 };

export const proof: Chapter<ProofData> = {
  id: 'proof',
  engine: 'recurrent',

  controls(scene) {
    const pads = padsOf(scene);
    const letters = lettersOf(scene);
    scene.put('pads', String(pads));
    scene.put('shown', pads > near ? `, ${near} of them drawn` : '');
    scene.put('row', ...letters.map((letter) => tile('kept', letter)));
    const places = Array.from({ length: near }, (_, place) => placeTile(place < pads));
    // Zeros that were not there before slide in.
    for (const zero of places.slice(drawnPads, pads)) zero.classList.add('new');
    drawnPads = pads;
    scene.put('holes', ...places);
    const toy = scene.slot('toy');
    toy.classList.toggle('long', letters.length > near);
    toy.classList.toggle('far', isFar(scene));
    toy.style.setProperty('--letters', String(Math.min(near, Math.max(6, letters.length))));
    edgeOf(scene).value = String(Math.min(pads, near));
    for (const slider of [edgeOf(scene), find('#proof-pads', scene.section)])
      slider.setAttribute('aria-valuetext', count(pads, 'empty place'));
    find('[data-far]', scene.section).hidden = !isFar(scene);
  },

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
for (let pads = 0; pads <= ${maxPads}; pads++) {
  const row = [[...ids, ...Array(pads).fill(0)]];
  answers.push([tidy(() => model.predict(row).item()), unmasked(row)]);
  if (pads === ${near}) show(answers); // the figure begins with these
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
for pads in (0, 1, 10, ${maxPads}):
    print(pads, model.predict(np.array([ids + [0] * pads]), verbose=0))
`;
  },
  kerasNote: 'Both programs read the same file, so the weights are the same.',

  // The first answers are drawn before the rest is computed.
  shown(answers, scene) {
    const data = { answers: answers as ProofData['answers'] };
    if (padsOf(scene) > near) return undefined;
    proof.draw(data, scene);
    // The sentence changes in the same frame as the needles.
    return proof.summarize?.(data, scene);
  },

  draw({ answers }, scene) {
    const pads = Math.min(padsOf(scene), answers.length - 1);
    const [masked = Number.NaN, bare = Number.NaN] = answers[pads] ?? [];
    dials ??= [new Dial('with the mask', 'kept'), new Dial('without it', 'alarm')];
    if (!dials[0].element.isConnected) scene.put('answers', ...dials.map(({ element }) => element));
    dials[0].show(masked);
    dials[1].show(bare);
    if (pads > 0) scene.section.classList.add('fallen');
    scene.put(
      'curves',
      curves(answers, {
        pads,
        end: isFar(scene) ? maxPads : near,
        reach: isFar(scene) ? maxPads : reachOf(scene, pads),
        ...room,
      }),
    );
  },

  paper({ answers }, scene) {
    const pads = Math.max(1, Math.min(padsOf(scene), answers.length - 1));
    const sentence = h('p', { class: 'fallen' }, fallOf(answers, pads));
    scene.put(
      'states',
      ...statesOf(lettersOf(scene), answers, pads),
      sentence,
      farOf(answers, pads),
    );
  },

  summarize({ answers }, scene) {
    const pads = Math.min(padsOf(scene), answers.length - 1);
    const first = answers[0];
    if (!first || !answers[pads]) return '';
    // The toy tells what happens; the sentence does not tell it before.
    if (pads === 0) return beginning(first);
    return fallOf(answers, pads);
  },

  start(scene) {
    const place = scene.slot('curves');
    const measure = () => {
      room = { width: place.clientWidth, height: place.clientHeight };
    };
    measure();
    new ResizeObserver(measure).observe(place);
    const { form } = edgeOf(scene);
    if (!form) return;
    const move = (value: number, how: 'changing' | 'done') =>
      drive(form, 'pads', String(Math.min(maxPads, value)), how);
    followHands({
      toy: scene.slot('toy'),
      places: scene.slot('holes'),
      near,
      now: () => ({ pads: padsOf(scene), end: isFar(scene) ? maxPads : near }),
      move,
    });
    followPlay({
      section: scene.section,
      button: find<HTMLButtonElement>('[data-play]', scene.section),
      set: (pads) => drive(form, 'pads', String(pads), 'alone'),
      isAtStart: () => padsOf(scene) === 0,
    });
    edgeOf(scene).addEventListener('input', (event) => {
      // The named slider moves instead, and its events redraw the chapter.
      event.stopPropagation();
      move(Number(edgeOf(scene).value), 'changing');
    });
    find('[data-add]', scene.section).addEventListener('click', () => {
      move(padsOf(scene) + 1, 'done');
    });
  },
};

const edgeOf = ({ section }: Scene) => find<HTMLInputElement>('.place-edge', section);
const padsOf = ({ settings }: Scene): number => settings.integer('pads', 0, maxPads) ?? 0;
const lettersOf = ({ settings }: Scene): string[] => [...settings.text('text').replace(/\s/g, '')];
/** Whether the axis goes up to 200 places: if asked, or if there are more than the row shows. */
const isFar = (scene: Scene): boolean => scene.settings.flag('far') || padsOf(scene) > near;

const tile = (look: string, ...content: Child[]): HTMLElement =>
  h('span', { class: `cell ${look}` }, ...content);

/** Returns a zero, or the outline of a place that is not used yet. */
const placeTile = (isUsed: boolean): HTMLElement =>
  isUsed ? tile('masked', h('span', {}, '0')) : h('span', { class: 'free', 'aria-hidden': 'true' });

/** Says what empty places do to the answers. */
function fallOf(answers: ProofData['answers'], pads: number): string {
  const [first, now] = [answers[0], answers[pads]];
  if (!first || !now) return '';
  const largest = Math.max(...answers.map(([masked]) => Math.abs(masked - first[0])));
  const flips = answers.findIndex(([, bare]) => bare > 0.5 !== first[1] > 0.5);
  const without =
    flips < 0
      ? 'Without it, the verdict for this row stays, but not its number.'
      : `Without it, the verdict flips at ${count(flips, 'empty place')}.`;
  const cause =
    Math.abs(now[1] - first[1]) > 0.001
      ? `The model read the ${pads === 1 ? 'zero' : 'zeros'} as data. A mask tells it not to. `
      : '';
  return `${cause}With the mask, ${answers.length - 1} empty places change the answer by ${upTo(largest)}. ${without}`;
}

const beginning = ([masked, bare]: [number, number]): string =>
  masked > 0.5 === bare > 0.5
    ? `With the mask and without it, the model says “${verdictOf(masked)}”. Add a zero.`
    : `With the mask the model says “${verdictOf(masked)}”, without it “${verdictOf(bare)}”.`;

/** Returns the largest number of places that the visitor has seen for these brackets. */
function reachOf({ settings }: Scene, pads: number): number {
  const text = settings.text('text');
  seen = seen.text === text ? { text, reach: Math.max(seen.reach, pads) } : { text, reach: pads };
  return seen.reach;
}
