// SPDX-License-Identifier: MIT
// Precision, recall and F1 of entities: a function, and a metric of `compile`.
import { checkList, checkOptions } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import type { Weighting } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { MaskLike, TensorLike } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { checkScheme, type Entity, entitiesOf, type TagScheme } from './entities.js';
import { keptIn, type TagRow, type TagRows, tagRows } from './tag_rows.js';

/** Options of functions that read the tags of sentences. */
export interface TagOptions {
  /** Tag of each id: ['O', 'B-PER', 'I-PER', …]. Only tags that are texts do without it. */
  names?: readonly string[];
  /** Which sequences of tags are entities. Default: 'lenient'. */
  scheme?: TagScheme;
  /**
   * Steps that count, [batch, steps], true = keep; others count as removed. Default: the mask of
   * the tags, or of the predictions.
   */
  mask?: MaskLike | null;
}

/** Precision, recall and F1 of entities. */
export interface EntityScore {
  /** Share of the predicted entities that are right: type, start and end. 0 without predictions. */
  precision: number;
  /** Share of the true entities that were found. 0 without entities. */
  recall: number;
  /** 2 · precision · recall / (precision + recall); 0 if both are 0. */
  f1: number;
  /** Number of true entities. */
  support: number;
}

/** Result of {@link entityScores}. */
export interface EntityScores extends EntityScore {
  /** Scores of each type, by its name, in alphabetical order. */
  types: { [type: string]: EntityScore };
  /** Means of the scores of the types; its support is that of all. */
  macro: EntityScore;
}

/** Numbers of entities of a type. */
interface Counts {
  right: number;
  predicted: number;
  actual: number;
}

const kOptions = { names: 1, scheme: 1, mask: 1 } as const;

/** Returns the entities of a sentence. Positions count all steps, also the masked ones. */
const entitiesIn = ({ steps, tags }: TagRow, scheme: TagScheme): Entity[] =>
  entitiesOf(tags, scheme).map(({ type, start, end }) => ({
    type,
    start: steps[start] as number,
    end: (steps[end - 1] as number) + 1,
  }));

/**
 * Finds the entities in the tags of sentences, a list for each sentence. With a mask, masked steps
 * count as removed: an entity may span a hole.
 *
 * Throws ValueError for a tag without a prefix of the scheme, or an id without a name, ConfigError
 * for an unknown scheme or ids without `names`, and ShapeError for other shapes.
 *
 * @param tags Lists of texts; or with `names` ids [batch, steps], probabilities [batch, steps,
 * tags], or the scores of a CRF.
 */
export function entitySpans(tags: TagRows, options: TagOptions = {}): Entity[][] {
  const { names, scheme = 'lenient', mask } = checkOptions(options, kOptions);
  checkScheme(scheme);
  return tidy(() =>
    tagRows(tags, names, keptIn([tags], mask), 'tags').map((row) => entitiesIn(row, scheme)),
  );
}

const keyOf = ({ start, end, type }: Entity): string => `${start} ${end} ${type}`;

/** Adds the entities of a batch to the counts of their types. */
function count(
  counts: Map<string, Counts>,
  yTrue: TagRows,
  yPred: TagRows,
  { names, scheme = 'lenient', mask }: TagOptions,
): void {
  const isKept = keptIn([yTrue, yPred], mask);
  const actual = tagRows(yTrue, names, isKept, 'yTrue');
  const predicted = tagRows(yPred, names, isKept, 'yPred');
  const lengths = [actual, predicted].map((rows) => rows.map(({ length }) => length).join());
  if (lengths[0] !== lengths[1]) {
    throw new ShapeError(
      `the sentences of yTrue have ${lengths[0]} steps, but those of yPred ${lengths[1]}; pass a tag for each step of both`,
    );
  }
  const countsOf = (type: string): Counts => {
    const found = counts.get(type) ?? { right: 0, predicted: 0, actual: 0 };
    counts.set(type, found);
    return found;
  };
  actual.forEach((row, i) => {
    const truth = entitiesIn(row, scheme);
    const keys = new Set(truth.map(keyOf));
    for (const { type } of truth) countsOf(type).actual += 1;
    for (const entity of entitiesIn(predicted[i] as TagRow, scheme)) {
      countsOf(entity.type).predicted += 1;
      if (keys.has(keyOf(entity))) countsOf(entity.type).right += 1;
    }
  });
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function scoreOf({ right, predicted, actual }: Counts): EntityScore {
  const [precision, recall] = [share(right, predicted), share(right, actual)];
  const f1 = share(2 * precision * recall, precision + recall);
  return { precision, recall, f1, support: actual };
}

/** Returns the scores of all entities together, of each type, and their means. */
function scoresFrom(counts: ReadonlyMap<string, Counts>): EntityScores {
  const all: Counts = { right: 0, predicted: 0, actual: 0 };
  for (const each of counts.values()) {
    all.right += each.right;
    all.predicted += each.predicted;
    all.actual += each.actual;
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const scores = sorted.map(([type, each]) => [type, scoreOf(each)] as const);
  const mean = (key: 'precision' | 'recall' | 'f1') =>
    share(
      scores.reduce((sum, [, score]) => sum + score[key], 0),
      scores.length,
    );
  const macro = { precision: mean('precision'), recall: mean('recall'), f1: mean('f1') };
  return {
    ...scoreOf(all),
    types: Object.fromEntries(scores),
    macro: { ...macro, support: all.actual },
  };
}

/**
 * Precision, recall and F1 of entities, as the Python package seqeval computes them: a predicted
 * entity is right if its type, its start and its end are. Masked steps count as removed.
 *
 * Throws what {@link entitySpans} throws, and ShapeError for sentences of other lengths.
 *
 * @param yTrue True tags, in a form of {@link entitySpans}.
 * @param yPred Predicted tags, in the same or another form: the result of `predict`, for example.
 */
export function entityScores(
  yTrue: TagRows,
  yPred: TagRows,
  options: TagOptions = {},
): EntityScores {
  const { scheme = 'lenient' } = checkOptions(options, kOptions);
  checkScheme(scheme);
  const counts = new Map<string, Counts>();
  tidy(() => count(counts, yTrue, yPred, options));
  return scoresFrom(counts);
}

/** Settings of {@link EntityF1}. */
export interface EntityF1Options {
  /** Tag of each id: ['O', 'B-PER', 'I-PER', …]. */
  names: readonly string[];
  /** Which sequences of tags are entities. Default: 'lenient'. */
  scheme?: TagScheme;
  /** Key in logs. Default: 'entity_f1'. */
  name?: string;
}

/**
 * F1 of entities as a metric of `compile`, over all sentences of an epoch. It reads the output of
 * the layer CRF, or a score of each tag at each step, and the mask of the output.
 *
 * The constructor throws ConfigError for an unknown scheme.
 */
export class EntityF1 extends Metric {
  readonly #options: TagOptions;
  #counts = new Map<string, Counts>();

  constructor(options: EntityF1Options) {
    const { names, scheme, name } = {
      scheme: 'lenient' as const,
      name: 'entity_f1',
      ...checkOptions(options, { names: 1, scheme: 1, name: 1 }),
    };
    checkList(names, 'names');
    checkScheme(scheme);
    super('mean', { name });
    this.#options = { names: [...names], scheme };
  }

  /** Adds a batch. Sample weights are ignored. Throws what {@link entityScores} throws. */
  override updateState(yTrue: TensorLike, yPred: TensorLike, options: Weighting = {}): void {
    const { mask } = options;
    const settings = mask === undefined ? this.#options : { ...this.#options, mask };
    tidy(() => count(this.#counts, yTrue, yPred, settings));
  }

  /** Scores of all entities since the last reset, and of each type. */
  get scores(): EntityScores {
    return scoresFrom(this.#counts);
  }

  /** F1 of all entities since the last reset. */
  override result(): number {
    // The base class calls this method before the counts exist.
    return #counts in this ? scoresFrom(this.#counts).f1 : 0;
  }

  /** Forgets all batches. */
  override resetState(): void {
    this.#counts = new Map();
  }
}
