// SPDX-License-Identifier: MIT
// Turns a built model into a program, in JavaScript and for Keras, or returns the obstacle and its
// fix.
import type { Batch } from '../../shared/batch.js';
import { program } from '../../shared/program.js';
import type { Data } from './inputs.js';
import type { Flowing, Place } from './item.js';
import { type Card, newCard } from './notation.js';

/** The reason why a layer cannot be at its place. */
export interface Obstacle {
  at: number;
  sentence: string;
  /** A button that removes the obstacle. */
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
  /** The variable that the next line uses as its input. */
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
    if (item.attachesMask) masked = x;
  }
  return { lines, fixedSteps: cards.some(({ item }) => item.code === 's') };
}

/** Returns `x2`, `kept2` for withMask, or `[first2]` or `[, second2]` for two results. */
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
      sentence: `${item.name} looks up ids, but its input here is numbers. It must come first, on data of ids.`,
      fix: without,
    };
  }
  if (item.takes !== 'ids' && flowing.kind === 'ids') {
    const cardsThen = [...cards.slice(0, at), newCard('e'), ...cards.slice(at)];
    return {
      at,
      sentence: `${item.name} needs numbers for each step, but its input here is ids. An Embedding must look them up first.`,
      fix: { label: 'Put an Embedding first', cards: cardsThen },
    };
  }
  if (item.takes === 'steps' && flowing.kind === 'vector') return afterVector(cards, at, without);
  if (item.className === '' && masked === '') {
    const sentence = 'withMask restores a mask, but no layer before it makes one.';
    return { at, sentence, fix: without };
  }
  const sentence = item.objects?.(flowing) ?? '';
  const steps = flowing.steps + 1;
  return sentence ? { at, sentence, fix: { label: `Pad to ${steps} steps`, steps } } : undefined;
}

/**
 * Returns the obstacle of a layer that needs steps, after one without; the fix may return steps.
 */
function afterVector(cards: readonly Card[], at: number, without: Fix): Obstacle {
  const source = cards
    .slice(0, at)
    .findLastIndex(({ item }) => 'returnSequences' in (item.settings ?? {}));
  const { item } = cards[at] as Card;
  const last = cards
    .slice(0, at)
    .findLast(({ item: each }) => each.group === 'Reads it' || each.code === 'x');
  const sentence = `${item.name} needs steps, but ${last?.item.name ?? 'the layer before'} returns one row of numbers for all of them.`;
  const canReturnSteps = source >= 0 && last === cards[source];
  if (!canReturnSteps) return { at, sentence, fix: without };
  const changed = cards.map((card, i) =>
    i === source ? { ...card, settings: { ...card.settings, returnSequences: 'all' } } : card,
  );
  return {
    at,
    sentence,
    fix: { label: `Let ${last?.item.name} return all steps`, cards: changed },
  };
}

const fillJs =
  'model.setWeights(model.getWeights().map((w, k) => w.data().map((_, i) => Math.sin(i * (k + 1)) / 2)));';
const fillPy =
  'model.set_weights([(np.sin(np.arange(w.size) * (k + 1)) / 2).reshape(w.shape) for k, w in enumerate(model.get_weights())])';

/** Number of columns of padding that the figure adds. */
export const more = 3;

export interface Composition {
  lines: Line[];
  fixedSteps: boolean;
  data: Data;
  steps: number;
  batch: Batch;
  rules: string;
}

export function jsOf({ lines, fixedSteps, data, steps, batch, rules }: Composition): string {
  const fed = data.kind === 'ids' ? 'ids' : 'data';
  const shape = [fixedSteps ? String(steps) : 'null', ...data.features].join(', ');
  const longer = !fixedSteps && data.longer?.(steps + more, batch);
  const dtype = data.kind === 'ids' ? ", dtype: 'int32'" : '';
  const body = [
    ...classesOf(lines, 'js'),
    data.js(steps, batch),
    `const inputs = Input({ shape: [${shape}]${dtype} });`,
    ...lines.map(({ card, place, left }) => `const ${left} = ${card.item.js(place)};`),
    `const model = new Model({ inputs, outputs: ${lines.at(-1)?.name} });`,
    // Weights follow a formula, because Keras must have the same weights. Models without weights
    // need none.
    ...(hasWeights(lines) ? [fillJs] : []),
    `console.log(String(model.predict(${fed})));`,
    ...(longer ? [`const longer = ${longer}; // ${more} more columns of padding`] : []),
  ];
  return program(body.join('\n'), { maskPropagation: rules });
}

export function pyOf({ lines, fixedSteps, data, steps, batch }: Composition): string {
  const fed = data.kind === 'ids' ? 'ids' : 'data';
  const axes = [fixedSteps ? String(steps) : 'None', ...data.features];
  const shape = axes.length === 1 ? `${axes[0]},` : axes.join(', ');
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

/**
 * Returns the left side in Python: `[first2]` takes the first of two results, `[, second2]` the
 * other.
 */
const pyLeft = (left: string): string =>
  left.replace(/^\[, (.*)\]$/, '_, $1').replace(/^\[(.*)\]$/, '$1, _');

const hasWeights = (lines: Line[]): boolean => lines.some(({ card }) => card.item.hasWeights);

/** Returns the text of each custom class that the program needs, once. */
function classesOf(lines: Line[], language: 'js' | 'py'): string[] {
  const texts = lines.map(
    ({ card, place }) => card.item.class?.(card.settings, place.vocabulary)?.[language] ?? '',
  );
  return [...new Set(texts)].filter(Boolean);
}
