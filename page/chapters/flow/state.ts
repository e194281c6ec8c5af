// SPDX-License-Identifier: MIT
// The state of the chapter, read from its controls.
import type { Scene } from '../../shared/chapter.js';
import { type Composed, compose } from './compose.js';
import { type Data, dataNames, inputs, maxSteps, stepsFor } from './inputs.js';
import { type Card, readModel, writeModel } from './notation.js';
import { type Preset, presets, recipes } from './presets.js';
import type { Recipe } from './recipe.js';

export interface State {
  /** A program that the shelf cannot express; there are no cards then. */
  recipe: Recipe | undefined;
  cards: Card[];
  data: Data;
  rules: string;
  /** The example on view; undefined for another model. */
  preset: Preset | undefined;
  /** Key of the recording of this model and data, if there is one. */
  key: string;
}

export function stateOf({ settings }: Scene): State {
  const text = settings.text('model');
  const recipe = Object.hasOwn(recipes, text) ? recipes[text] : undefined;
  const cards = recipe ? [] : readModel(text);
  const name = settings.choice('data', ...dataNames);
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
    data: inputs[name],
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
