// SPDX-License-Identifier: MIT
// The state of the chapter, read from its controls.
import type { Scene } from '../../shared/chapter.js';
import { type Composed, compose } from './compose.js';
import { type Data, dataNames, inputs, maxSteps, sentencesAs, stepsFor } from './inputs.js';
import { type Card, readModel, writeModel } from './notation.js';
import { type Preset, presets, recipesOf, sentenceRecipes } from './presets.js';
import { isRecorded } from './recorded.js';
import type { Recipe } from './recipe.js';

export interface State {
  /** A program that the shelf cannot express; there are no cards then. */
  recipe: Recipe | undefined;
  cards: Card[];
  data: Data;
  /** Whether the visitor has changed the batch of chapter 2, which examples of ids can read. */
  hasSentences: boolean;
  /** Whether this example reads them. */
  readsSentences: boolean;
  rules: string;
  /** The example on view; undefined for another model. */
  preset: Preset | undefined;
  /** Key of the recording of this model and data, if there is one. */
  key: string;
}

export function stateOf({ settings, batch }: Pick<Scene, 'settings' | 'batch'>): State {
  const text = settings.text('model');
  const hasSentences = batch.trouble === '' && !isRecorded(inputs.words, batch);
  const isMine = hasSentences && settings.flag('mine');
  const recipes = recipesOf(isMine ? batch.sequences : undefined);
  const recipe = Object.hasOwn(recipes, text) ? recipes[text] : undefined;
  const cards = recipe ? [] : readModel(text);
  const name = settings.choice('data', ...dataNames);
  const data = isMine ? sentencesAs(name) : inputs[name];
  const stepsText = textOfSteps(settings.integer('steps', 1, maxSteps));
  const model = recipe ? text : writeModel(cards);
  const preset = presets.find(
    (each) =>
      each.model === model &&
      (recipe || ((each.data ?? 'words') === name && (each.steps ?? '') === stepsText)),
  );
  return {
    recipe,
    cards,
    data,
    hasSentences,
    readsSentences: recipe
      ? isMine && Object.hasOwn(sentenceRecipes, text)
      : data.usesBatch === true,
    rules: settings.choice('rules', 'keras-3.15', 'keras-3.16'),
    preset,
    key: recipe ? text : keyOf(model, name, stepsText),
  };
}

export const keyOf = (model: string, data: string, steps = ''): string =>
  `${model} ${data} ${steps}`.trim();

const textOfSteps = (steps: number | undefined): string =>
  steps === undefined ? '' : String(steps);

/**
 * Returns the number of steps of the data. Throws `Advice` if the batch of chapter 2 is unusable.
 */
export const stepsOfScene = ({ settings, batch }: Scene, data: Data): number =>
  stepsFor(data, settings.integer('steps', 1, maxSteps), batch);

/** Returns the model as program lines, or its obstacle; undefined if there is no data. */
export function composed(scene: Scene, { cards, data }: State): Composed | undefined {
  try {
    return compose(cards, data, stepsOfScene(scene, data));
  } catch {
    return undefined;
  }
}
