// SPDX-License-Identifier: MIT
// The input of a built model: the words of chapter 2, or the data of an example.
import { type Batch, padCall, stepsOf } from '../../shared/batch.js';
import { Advice } from '../../shared/advice.js';
import { literal, options, pyLiteral } from '../../shared/text.js';
import { vocabularySize } from '../../shared/vocabulary.js';
import type { Place } from './item.js';

export interface Data {
  kind: 'ids' | 'steps';
  vocabulary: number;
  wide: Place['wide'];
  /** Default number of steps. */
  steps(batch: Batch): number;
  /** Program text that defines `ids` or `data` with this number of steps. */
  js(steps: number, batch: Batch): string;
  py(steps: number, batch: Batch): string;
  /** Program text of the same data with more padding, if that is possible. */
  longer?(steps: number, batch: Batch): string;
  /** The axes after the steps. */
  features: readonly number[];
  /** Whether this is the batch that chapters share. */
  usesBatch?: boolean;
}

const guideRows = [
  [711, 632, 71],
  [73, 8, 3215, 55, 927],
  [83, 91, 1, 645, 1253, 927],
];
const questionRows = [
  [1, 2],
  [3, 4, 5],
];

const wordIds = { kind: 'ids', features: [] } as const;

/** Returns data of ids, padded at the end. */
const padded = (
  rows: number[][],
  usual: number,
  rest: Pick<Data, 'vocabulary' | 'wide'>,
): Data => ({
  ...wordIds,
  ...rest,
  steps: () => usual,
  js: (steps) =>
    `const ids = padSequences(${literal(rows)}, { padding: 'post'${longest(rows) === steps ? '' : `, maxlen: ${steps}`} });`,
  py: (steps) =>
    `ids = keras.utils.pad_sequences(${pyLiteral(rows)}, padding="post"${longest(rows) === steps ? '' : `, maxlen=${steps}`})`,
  longer: (steps) => `padSequences(ids.array(), { padding: 'post', maxlen: ${steps} })`,
});

const longest = (rows: number[][]): number => Math.max(...rows.map((row) => row.length));

/** Returns data of ids from a formula that includes zeros and gives the same in both languages. */
const formula = (rows: number, usual: number, rest: Pick<Data, 'vocabulary' | 'wide'>): Data => ({
  ...wordIds,
  ...rest,
  steps: () => usual,
  js: (steps) =>
    `const ids = tensor(Array.from({ length: ${rows} }, (_, b) => Array.from({ length: ${steps} }, (_, t) => (b * 7 + t * 3) % ${rest.vocabulary})), { dtype: 'int32' });`,
  py: (steps) =>
    `ids = np.array([[(b * 7 + t * 3) % ${rest.vocabulary} for t in range(${steps})] for b in range(${rows})])`,
  longer: (steps) => `padSequences(ids.array(), { padding: 'post', maxlen: ${steps} })`,
});

const words: Data = {
  ...wordIds,
  vocabulary: vocabularySize,
  wide: { embedding: 8, units: 4 },
  usesBatch: true,
  steps: stepsOf,
  js: (steps, batch) => `const ids = ${padCall(withSteps(batch, steps))};`,
  py: (steps, batch) => {
    const { padding, truncating, value } = batch.options;
    const more = [
      `, padding="${padding}"`,
      truncating === 'post' && ', truncating="post"',
      withSteps(batch, steps).options.maxlen !== undefined && `, maxlen=${steps}`,
      value !== undefined && `, value=${value}`,
    ];
    return `ids = keras.utils.pad_sequences(${pyLiteral(batch.sequences)}${more.filter(Boolean).join('')})`;
  },
  longer: (steps, { options: { padding, value } }) =>
    `padSequences(ids.array(), ${options({ padding, maxlen: steps, value })})`,
};

const readings: Data = {
  kind: 'steps',
  vocabulary: 0,
  wide: { embedding: 8, units: 10 },
  features: [5],
  steps: () => 10,
  js: (steps) => `const reading = (b, t, f) => Math.sin(1 + 50 * b + 5 * t + f);
const readings = (steps) => tensor([3, 7, 5, 2].map((n, b) => Array.from({ length: steps }, (_, t) =>
  [0, 1, 2, 3, 4].map((f) => (t < n ? reading(b, t, f) : 0)))));
const data = readings(${steps});`,
  py: (steps) => `reading = lambda b, t, f: np.sin(1 + 50 * b + 5 * t + f)
data = np.array([[[reading(b, t, f) if t < n else 0 for f in range(5)]
                  for t in range(${steps})] for b, n in enumerate([3, 7, 5, 2])], "float32")`,
  longer: (steps) => `readings(${steps})`,
};

const tenfold = {
  js: "const tenfold = (ids) => ops.tile(ops.expandDims(ops.cast(ids, 'float32'), -1), [1, 1, 10]);",
  py: 'data = np.tile(ids[:, :, None].astype("float32"), [1, 1, 10])',
};

const tiled: Data = {
  kind: 'steps',
  vocabulary: 0,
  wide: { embedding: 8, units: 4 },
  features: [10],
  steps: () => 6,
  js: (steps) => `${tenfold.js}
const ids = padSequences(${literal(guideRows)}, { padding: 'post'${steps === 6 ? '' : `, maxlen: ${steps}`} });
const data = tenfold(ids);`,
  py: (
    steps,
  ) => `ids = keras.utils.pad_sequences(${pyLiteral(guideRows)}, padding="post"${steps === 6 ? '' : `, maxlen=${steps}`})
${tenfold.py}`,
  longer: (steps) => `tenfold(padSequences(ids.array(), { padding: 'post', maxlen: ${steps} }))`,
};

const tiledWords: Data = {
  ...tiled,
  usesBatch: true,
  steps: stepsOf,
  js: (steps, batch) => `${tenfold.js}\n${words.js(steps, batch)}\nconst data = tenfold(ids);`,
  py: (steps, batch) => `${words.py(steps, batch)}\n${tenfold.py}`,
  longer: (steps, batch) => `tenfold(${words.longer?.(steps, batch)})`,
};

/** Returns the sentences of chapter 2 in place of other ids; readings stay, which have no words. */
export function sentencesAs(name: DataName): Data {
  const data = inputs[name];
  if (name === 'tiled') return tiledWords;
  return data.kind === 'ids' ? { ...words, wide: data.wide } : data;
}

export const inputs = {
  words,
  guide: padded(guideRows, 6, {
    vocabulary: vocabularySize,
    wide: { embedding: 16, units: 32 },
  }),
  pairs: padded(questionRows, 4, {
    vocabulary: 100,
    wide: { embedding: 32, units: 64 },
  }),
  few: formula(3, 10, {
    vocabulary: 10,
    wide: { embedding: 32, units: 4 },
  }),
  many: formula(32, 100, {
    vocabulary: 10,
    wide: { embedding: 32, units: 4 },
  }),
  readings,
  tiled,
} satisfies { [name: string]: Data };

export type DataName = keyof typeof inputs;
export const dataNames = Object.keys(inputs) as [DataName, ...DataName[]];

/** Largest number of steps. */
export const maxSteps = 120;

/** Returns the number of steps: that of the control, or the default of the data. */
export function stepsFor(data: Data, asked: number | undefined, batch: Batch): number {
  const steps = asked ?? data.steps(batch);
  if (data.usesBatch && batch.trouble) throw new Advice(batch.trouble);
  return steps;
}

const withSteps = (batch: Batch, steps: number): Batch =>
  steps === stepsOf(batch) ? batch : { ...batch, options: { ...batch.options, maxlen: steps } };
