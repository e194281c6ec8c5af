// SPDX-License-Identifier: MIT
// What the chapter's controls say, in the chapter's own terms.
import type { Scene } from '../../shared/chapter.js';
import { type Composed, compose } from './compose.js';
import { type Data, dataNames, inputs, mostSteps, stepsFor } from './inputs.js';
import { type Card, readModel, writeModel } from './notation.js';
import { type Preset, presets, recipes } from './presets.js';
import type { Recipe } from './recipe.js';

export interface State {
  /** A program that the shelf cannot say; then there are no cards. */
  recipe: Recipe | undefined;
  cards: Card[];
  data: Data;
  rules: string;
  /** The example on view, when it is one. */
  preset: Preset | undefined;
  /** What is on view, in short: under this name there may be a recording. */
  key: string;
}

export function stateOf({ settings }: Scene): State {
  const text = settings.text('model');
  const recipe = Object.hasOwn(recipes, text) ? recipes[text] : undefined;
  const cards = recipe ? [] : readModel(text);
  const name = settings.choice('data', ...dataNames);
  const asked = stepsAsked(settings.integer('steps', 1, mostSteps));
  const model = recipe ? text : writeModel(cards);
  const preset = presets.find(
    (each) =>
      each.model === model &&
      (recipe || ((each.data ?? 'words') === name && (each.steps ?? '') === asked)),
  );
  return {
    recipe,
    cards,
    data: inputs[name],
    rules: settings.choice('rules', 'keras-3.15', 'keras-3.16'),
    preset,
    key: recipe ? text : keyOf(model, name, asked),
  };
}

export const keyOf = (model: string, data: string, steps = ''): string =>
  `${model} ${data} ${steps}`.trim();

const stepsAsked = (steps: number | undefined): string =>
  steps === undefined ? '' : String(steps);

/** How many steps the data has; throws what there is to say where it has none. */
export const stepsOfScene = ({ settings, batch }: Scene, data: Data): number =>
  stepsFor(data, settings.integer('steps', 1, mostSteps), batch);

/**
 * The model as program lines, or what stands in its way; undefined where there is no data to ask
 * about.
 */
export function composed(scene: Scene, { cards, data }: State): Composed | undefined {
  try {
    return compose(cards, data, stepsOfScene(scene, data));
  } catch {
    return undefined;
  }
}
