// SPDX-License-Identifier: MIT
// A built model as a program, in JavaScript and for Keras; or what stands in the way, and what
// would help.
import type { Batch } from '../../shared/batch.js';
import { program } from '../../shared/program.js';
import type { Data } from './inputs.js';
import type { Flowing, Place } from './item.js';
import { type Card, newCard } from './notation.js';

/** What a layer cannot do where it stands. */
export interface Obstacle {
  at: number;
  sentence: string;
  /** A button that takes it out of the way. */
  fix?: Fix;
}

export interface Fix {
  label: string;
  cards?: Card[];
  steps?: number;
}

/** A line of the program: the card behind it and the variables on its left. */
interface Line {
  card: Card;
  place: Place;
  left: string;
  /** The variable that goes on. */
  name: string;
}

export type Composed = { lines: Line[]; fixedSteps: boolean } | { obstacle: Obstacle };

export function compose(cards: readonly Card[], data: Data, steps: number): Composed {
  let flowing: Flowing = { kind: data.kind, steps };
  let [x, masked] = ['inputs', ''];
  const lines: Line[] = [];
  for (const [at, card] of cards.entries()) {
    const obstacle = obstacleAt(cards, at, flowing, masked);
    if (obstacle) return { obstacle };
    const { item, settings } = card;
    const place: Place = {
      x,
      masked,
      flowing,
      vocabulary: data.vocabulary,
      wide: data.wide,
      readsIds: data.kind === 'ids',
      settings,
    };
    const names = namesOf(card, at + 1);
    lines.push({ card, place, ...names });
    flowing = item.gives(flowing, settings);
    x = names.name;
    if (['e', 'k', 'c', 's'].includes(item.code)) masked = x;
  }
  return { lines, fixedSteps: cards.some(({ item }) => item.code === 's') };
}

/**
 * `x2`; `kept2` where nothing is computed; `[first2]` or `[, second2]` where there are several
 * results.
 */
function namesOf({ item, settings }: Card, number: number): { left: string; name: string } {
  if (item.className === '') return { left: `kept${number}`, name: `kept${number}` };
  if (!item.several) return { left: `x${number}`, name: `x${number}` };
  const name = `${settings['part']}${number}`;
  return { left: settings['part'] === 'second' ? `[, ${name}]` : `[${name}]`, name };
}

function obstacleAt(
  cards: readonly Card[],
  at: number,
  flowing: Flowing,
  masked: string,
): Obstacle | undefined {
  const { item } = cards[at] as Card;
  const without = { label: `Take ${item.name} out`, cards: cards.filter((_, i) => i !== at) };
  if (item.takes === 'ids' && flowing.kind !== 'ids') {
    return {
      at,
      sentence: `${item.name} looks ids up. Here come numbers: it can only stand first, on data of ids.`,
      fix: without,
    };
  }
  if (item.takes !== 'ids' && flowing.kind === 'ids') {
    const cardsThen = [...cards.slice(0, at), newCard('e'), ...cards.slice(at)];
    return {
      at,
      sentence: `${item.name} takes numbers for each step. Here come ids: an Embedding must look them up first.`,
      fix: { label: 'Put an Embedding first', cards: cardsThen },
    };
  }
  if (item.takes === 'steps' && flowing.kind === 'vector') return afterVector(cards, at, without);
  if (item.className === '' && masked === '') {
    const sentence = 'withMask puts a mask back, and nothing before it has made one.';
    return { at, sentence, fix: without };
  }
  const sentence = item.objects?.(flowing) ?? '';
  const steps = flowing.steps + 1;
  return sentence ? { at, sentence, fix: { label: `Pad to ${steps} steps`, steps } } : undefined;
}

/**
 * A layer for steps behind one that gives a row of numbers; where the one before can give steps,
 * that helps.
 */
function afterVector(cards: readonly Card[], at: number, without: Fix): Obstacle {
  const giver = cards
    .slice(0, at)
    .findLastIndex(({ item }) => 'returnSequences' in (item.settings ?? {}));
  const { item } = cards[at] as Card;
  const last = cards
    .slice(0, at)
    .findLast(({ item: each }) => each.group === 'Reads it' || each.code === 'x');
  const sentence = `${item.name} needs steps, and ${last?.item.name ?? 'the layer before'} gives one row of numbers for all of them.`;
  const can = giver >= 0 && last === cards[giver];
  if (!can) return { at, sentence, fix: without };
  const changed = cards.map((card, i) =>
    i === giver ? { ...card, settings: { ...card.settings, returnSequences: 'all' } } : card,
  );
  return { at, sentence, fix: { label: `Let ${last?.item.name} give all steps`, cards: changed } };
}

const fillJs =
  'model.setWeights(model.getWeights().map((w, k) => w.data().map((_, i) => Math.sin(i * (k + 1)) / 2)));';
const fillPy =
  'model.set_weights([(np.sin(np.arange(w.size) * (k + 1)) / 2).reshape(w.shape) for k, w in enumerate(model.get_weights())])';

/** More padding is this much. */
export const more = 3;

export interface Told {
  lines: Line[];
  fixedSteps: boolean;
  data: Data;
  steps: number;
  batch: Batch;
  rules: string;
}

export function jsOf({ lines, fixedSteps, data, steps, batch, rules }: Told): string {
  const fed = data.kind === 'ids' ? 'ids' : 'data';
  const shape = fixedSteps ? data.shape.replace('null', String(steps)) : data.shape;
  const longer = !fixedSteps && data.longer?.(steps + more, batch);
  const dtype = data.kind === 'ids' ? ", dtype: 'int32'" : '';
  const body = [
    ...classesOf(lines, 'js'),
    data.js(steps, batch),
    `const inputs = Input({ shape: [${shape}]${dtype} });`,
    ...lines.map(({ card, place, left }) => `const ${left} = ${card.item.js(place)};`),
    `const model = new Model({ inputs, outputs: ${lines.at(-1)?.name} });`,
    // Weights of a formula, so that Keras has the same. A model without weights takes none.
    ...(hasWeights(lines) ? [fillJs] : []),
    `console.log(String(model.predict(${fed})));`,
    ...(longer ? [`const longer = ${longer}; // ${more} columns of padding more`] : []),
  ];
  return program(body.join('\n'), { maskPropagation: rules });
}

export function pyOf({ lines, fixedSteps, data, steps, batch }: Told): string {
  const fed = data.kind === 'ids' ? 'ids' : 'data';
  const shape = fixedSteps ? data.pyShape.replace('None', String(steps)) : data.pyShape;
  const dtype = data.kind === 'ids' ? ', dtype="int32"' : '';
  const body = [
    'import keras\nimport numpy as np\n',
    ...classesOf(lines, 'py').map((text) => `${text}\n`),
    data.py(steps, batch),
    `inputs = keras.Input((${shape})${dtype})`,
    ...lines.map(({ card, place, left }) => `${pyLeft(left)} = ${card.item.py(place)}`),
    `model = keras.Model(inputs, ${lines.at(-1)?.name})`,
    ...(hasWeights(lines) ? [fillPy] : []),
    `print(model.predict(${fed}, verbose=0))`,
  ];
  return `${body.join('\n')}\n`;
}

/** `[first2]` takes the first of two, `[, second2]` the other. */
const pyLeft = (left: string): string =>
  left.replace(/^\[, (.*)\]$/, '_, $1').replace(/^\[(.*)\]$/, '$1, _');

const weighty = 'ecdhlgrbyi';
const hasWeights = (lines: Line[]): boolean =>
  lines.some(({ card }) => weighty.includes(card.item.code));

/** The classes of one's own that the program needs, each once. */
function classesOf(lines: Line[], language: 'js' | 'py'): string[] {
  const texts = lines.map(
    ({ card, place }) => card.item.class?.(card.settings, place.vocabulary)?.[language] ?? '',
  );
  return [...new Set(texts)].filter(Boolean);
}
