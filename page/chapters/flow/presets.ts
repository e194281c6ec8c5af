// SPDX-License-Identifier: MIT
// All examples: each is a model of the shelf or its own program, with a sentence on what to see.
import type { DataName } from './inputs.js';
import type { Recipe } from './recipe.js';
import { sentenceRecipes } from './recipes_guide.js';
import { questionRecipes } from './recipes_questions.js';

export { sentenceRecipes };

/** Returns all recipes; those that read ids read these rows, by default their own. */
export function recipesOf(rows?: number[][]): { [id: string]: Recipe } {
  const read = Object.entries(sentenceRecipes).map(([id, recipe]) => [id, recipe(rows)] as const);
  return { ...Object.fromEntries(read), ...questionRecipes };
}

export const recipes = recipesOf();

export interface Preset {
  id: string;
  group: string;
  /** Names what is built, never what happens to the mask: that is the chapter's question. */
  title: string;
  /** One or two sentences that say what to see. */
  see: string;
  /** The text of the model, or the id of a recipe. */
  model: string;
  data?: DataName;
  steps?: string;
}

const guide = 'Keras’s guide';
const lost = 'Question: does arithmetic break the mask?';
const shapes = 'Question: the shapes of masks';

const arithmetic = (
  id: string,
  letter: string,
  written: string,
  see: (rnn: string) => string,
): Preset[] =>
  (
    [
      ['l', 'LSTM'],
      ['g', 'GRU'],
      ['r', 'SimpleRNN'],
    ] as const
  ).map(([code, rnn]) => ({
    id: `${id} ${rnn}`,
    group: lost,
    title: `${written} before ${rnn}`,
    see: see(rnn),
    model: `e.${letter}.${code}`,
    data: 'pairs',
  }));

export const presets: readonly Preset[] = [
  {
    id: 'start',
    group: 'Start here',
    title: 'Embedding, then LSTM',
    see: 'Follow the line of the mask from layer to layer. Then put something between them.',
    model: 'e.l',
  },
  {
    id: 'G1',
    group: guide,
    title: 'Padding, five ways',
    see: 'Rows are filled up to one length. By default, Keras pads and cuts in front. There is no mask yet: these are only numbers.',
    model: 'G1',
  },
  {
    id: 'G2 Embedding',
    group: guide,
    title: 'Embedding of ids',
    see: 'Every id 0 is masked. The numbers are looked up all the same: a mask marks steps, it does not remove them.',
    model: 'e',
    data: 'guide',
  },
  {
    id: 'G2 Masking',
    group: guide,
    title: 'Masking of the same ids as numbers',
    see: 'The same ids as numbers, ten times each. Masking finds the same padding, since all features of such a step are 0.',
    model: 'k',
    data: 'tiled',
  },
  {
    id: 'G3 Sequential',
    group: guide,
    title: 'Sequential beside Functional',
    see: 'The LSTM gets the mask by itself both ways, and 14 more columns of padding change nothing.',
    model: 'G3',
  },
  {
    id: 'G3 Functional',
    group: guide,
    title: 'LSTM with its last step only',
    see: 'The mask is made by the Embedding and used by the LSTM. Its answer is one row of numbers, with no steps left to mask.',
    model: 'e.l',
    data: 'guide',
  },
  {
    id: 'G4',
    group: guide,
    title: 'A mask passed by hand',
    see: 'A custom layer gets the mask from the Embedding (compute_mask) and passes it to the LSTM. The numbers equal those of the mask that travels by itself.',
    model: 'G4',
  },
  {
    id: 'G5',
    group: guide,
    title: 'TemporalSplit: two halves of the steps',
    see: 'The layer splits the steps into two halves, so compute_mask must split the mask as well. Without an input mask, there is no output mask.',
    model: 'k.s',
    data: 'tiled',
  },
  {
    id: 'G5 odd',
    group: guide,
    title: 'TemporalSplit of seven steps',
    see: 'Seven steps have no two equal halves. Keras stops with an error here; the remedy is to pad to an even number.',
    model: 'k.s',
    data: 'tiled',
    steps: '7',
  },
  {
    id: 'G6',
    group: guide,
    title: 'CustomEmbedding, a custom layer',
    see: 'A custom layer that looks up ids makes masks if it implements compute_mask. Set it to “not written” to see the difference.',
    model: 'c',
    data: 'few',
  },
  {
    id: 'G7 without',
    group: guide,
    title: 'MyActivation without supports_masking',
    see: 'It treats each step alike but does not declare that masks may pass, so Keras drops the mask and warns.',
    model: 'e.a.l',
    data: 'guide',
  },
  {
    id: 'G7 with',
    group: guide,
    title: 'MyActivation with supports_masking',
    see: 'With supports_masking the mask passes, and the LSTM uses it.',
    model: 'e.as.l',
    data: 'guide',
  },
  {
    id: 'G8',
    group: guide,
    title: 'TemporalSoftmax, a softmax over time',
    see: 'A layer that uses the mask in its formula: masked steps get exactly 0, the others share 1. (The guide’s own formula sums over the last axis and gives 1 everywhere; its last call is an error in Keras 3.)',
    model: 'e.d1.q',
    data: 'many',
  },
  {
    id: 'G9',
    group: guide,
    title: 'Custom layers, saved and restored',
    see: 'Both layers are registered under the package “Custom”, so the model can be restored from its config, with the same numbers.',
    model: 'G9',
  },
  {
    id: 'G10',
    group: guide,
    title: 'A sum between two LSTMs',
    see: 'Follow the line: made, used and passed on, then dropped by a plain sum. The second LSTM never sees it.',
    model: 'e.ls.p.l',
    data: 'guide',
  },
  {
    id: 'A',
    group: 'Question: output and mask jointly',
    title: 'Masking of single zeros and whole steps',
    see: 'Often claimed: every single 0 is masked. True: a step is masked only when all its features equal mask_value; then it is set to zeros. NaN equals nothing, so mask_value NaN masks nothing; `layers.masking` refuses it and names the code that works.',
    model: 'A',
  },
  ...arithmetic(
    'B1',
    'p',
    'x + 1',
    (rnn) =>
      `Often claimed: the ${rnn} still gets the mask. True: the sum is a new tensor without one, and the ${rnn} runs over the padding.`,
  ),
  ...arithmetic(
    'B2',
    't',
    'x × mask',
    (rnn) =>
      `The padding is now zeros, and the kept steps are as before. Still the answer differs: zeros are data to a ${rnn} that has no mask.`,
  ),
  ...arithmetic(
    'B3',
    'z',
    'zeros_like(x)',
    (rnn) =>
      `All steps are zeros, and the mask is gone. With it the ${rnn} would take fewer steps: the answers differ even here, where its biases are not 0.`,
  ),
  {
    id: 'C1',
    group: shapes,
    title: 'LSTM with all steps',
    see: 'Often expected: shorter rows for shorter sentences. True: the shape is (4, 10, 10) whatever the lengths; at masked steps the last output is repeated.',
    model: 'k.ls',
    data: 'readings',
  },
  {
    id: 'C1 zeros',
    group: shapes,
    title: 'LSTM with zero_output_for_mask',
    see: 'With zero_output_for_mask, masked steps give zeros in place of the last output. The shape does not change.',
    model: 'k.lsz',
    data: 'readings',
  },
  {
    id: 'C1 explicit',
    group: shapes,
    title: 'Two masks: attached, and by hand',
    see: 'Masking has attached a mask, and another is given by hand, one step shorter. The one given by hand wins.',
    model: 'C1',
  },
  {
    id: 'C2',
    group: shapes,
    title: 'TimeDistributed before LSTM',
    see: 'TimeDistributed gives (4, 10, 3) and passes the mask (4, 10) on. Under the rules of Keras 3.16 it does not: try the switch.',
    model: 'k.h.ls',
    data: 'readings',
  },
  {
    id: 'C3',
    group: shapes,
    title: 'A subclassed model',
    see: 'Its call passes an explicit mask on, or uses the attached one: shapes and numbers are the same as in C1.',
    model: 'C3',
  },
];
