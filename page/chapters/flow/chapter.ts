// SPDX-License-Identifier: MIT
// The chapter "flow": the visitor puts layers together and sees where the mask goes.
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { upTo } from '../../shared/text.js';
import { Builder } from './builder.js';
import { compose, jsOf, pyOf, type Composition } from './compose.js';
import { drawFigure } from './figure.js';
import type { FlowData } from './read.js';
import { recipeJs, recipePy } from './recipe.js';
import { describeFlow, describeResults, reasonOf, sumsOf } from './sentences.js';
import { type State, stateOf, stepsOfScene } from './state.js';

const builders = new WeakMap<HTMLElement, Builder>();

export const flow: Chapter<FlowData> = {
  id: 'flow',
  usesBatch: true,

  start(scene) {
    builders.set(scene.section, new Builder(scene));
  },

  controls(scene) {
    builders.get(scene.section)?.show(stateOf(scene));
  },

  program(scene) {
    const state = stateOf(scene);
    return state.recipe ? recipeJs(state.recipe, state.rules) : jsOf(compositionOf(scene, state));
  },

  keras(scene) {
    const state = stateOf(scene);
    return state.recipe ? recipePy(state.recipe) : pyOf(compositionOf(scene, state));
  },
  kerasNote:
    'The weights follow a formula and are the same in both programs, so the numbers are, too. Which masks Keras passes on depends on the installed version.',

  draw(data, scene) {
    builders.get(scene.section)?.showResults(data, scene.settings.text('code') !== '');
    drawFigure(data, scene, stateOf(scene));
  },

  summarize(data, scene) {
    return data.results.length > 0 ? describeResults(data) : describeFlow(data, stateOf(scene));
  },

  sums: (data) => sumsOf(data),

  judge(data, scene) {
    const { more: change } = data;
    if (change === undefined) return undefined;
    return {
      right: change === 0 ? 'same' : 'other',
      because: `The answer of this model changes by ${upTo(change)}. ${reasonOf(data, stateOf(scene))}`,
      instead: {
        other: 'An answer changes only if a layer uses what was added.',
        same: 'An answer stays only if every layer that mixes steps leaves the padding out.',
      },
    };
  },
};

/**
 * Returns the built model as lines of a program. Throws `Advice` if it is empty or has an obstacle.
 */
function compositionOf(scene: Scene, { cards, data, rules }: State): Composition {
  if (cards.length === 0) throw new Advice('The model is empty. Take a layer from the shelf.');
  const steps = stepsOfScene(scene, data);
  const composed = compose(cards, data, steps);
  if ('obstacle' in composed) throw new Advice(composed.obstacle.sentence);
  return { ...composed, data, steps, batch: scene.batch, rules };
}
