// SPDX-License-Identifier: MIT
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { gap } from '../../shared/text.js';
import { Builder } from './builder.js';
import { compose, jsOf, more, pyOf, type Told } from './compose.js';
import { drawFigure } from './figure.js';
import type { FlowData } from './read.js';
import { recipeJs, recipePy } from './recipe.js';
import { sayFlow, sayResults } from './sentences.js';
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
    return state.recipe ? recipeJs(state.recipe, state.rules) : jsOf(told(scene, state));
  },

  keras(scene) {
    const state = stateOf(scene);
    return state.recipe ? recipePy(state.recipe) : pyOf(told(scene, state));
  },
  kerasNote:
    'The weights follow a formula and are the same in both programs, so the numbers are, too. Masks that Keras hands on are those of the version that is installed.',

  draw(data, scene) {
    builders.get(scene.section)?.tell(data, scene.settings.text('code') !== '');
    drawFigure(data, scene, stateOf(scene));
  },

  summarize(data, scene) {
    return data.results.length > 0
      ? sayResults(data)
      : sayFlow(data, stateOf(scene), scene.predicted());
  },

  judge({ more: change }) {
    if (change === undefined) return undefined;
    return {
      right: change === 0 ? 'same' : 'other',
      because: `With ${more} columns of padding more, the answer of this model changes by ${change === 0 ? 'exactly 0' : `up to ${gap(change)}`}.`,
    };
  },
};

/** The built model in its own words; an Advice where it cannot be. */
function told(scene: Scene, { cards, data, rules }: State): Told {
  if (cards.length === 0) throw new Advice('The model is empty. Take a layer from the shelf.');
  const steps = stepsOfScene(scene, data);
  const made = compose(cards, data, steps);
  if ('obstacle' in made) throw new Advice(made.obstacle.sentence);
  return { ...made, data, steps, batch: scene.batch, rules };
}
