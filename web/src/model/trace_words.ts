// SPDX-License-Identifier: MIT
import { visible } from '../base/visible.js';

/** What a layer or op did about the mask. */
export type MaskRole =
  | 'makes'
  | 'passes'
  | 'uses'
  | 'uses and passes'
  | 'changes'
  | 'drops'
  | 'ignores'
  | 'computes'
  | 'none';

/** What the core noted of one layer or operation. @internal */
export interface Facts {
  name: string;
  className: string;
  isLayer: boolean;
  /** Which of the inputs have a mask. */
  masked: boolean[];
  /** Has an output a mask, and is it one that came? */
  has: boolean;
  same: boolean;
  takesMask: boolean;
  supportsMasking: boolean;
  /** A mask was attached, but the rules of the call did not deliver it. */
  maskIgnored: boolean;
  /** A MultiHeadAttention that ran before took the mask off an input. */
  maskTaken: boolean;
  /** An operation of the graph whose result is nothing but a mask, or a part of one. */
  forMask: boolean;
}

interface Words {
  reason: string;
  remedy: string;
}

const putBack = 'y.withMask(x.mask)';
const joined = 'joins the masks of its inputs: a step is kept where one of them keeps it.';
const made = 'makes a mask of its own from the values; one that comes does not count.';
const heads =
  'hides the keys that a mask of query, value or key masks; its output has the mask of the query.';
const stripped = `${heads} As in Keras it takes the masks off the tensors that it was given: a layer that reads one of them later finds none.`;
const inner =
  'hands the mask to the layers inside, which are listed a level deeper; what they leave on its output stays.';
const left = 'leaves the masked steps out and hands the mask on.';

/** Where the words for the role would say too little, or what is not so. */
const own: { [className: string]: string } = {
  Attention:
    'gives masked values no weight and sets masked queries to zero; its output has the mask of the query.',
  BatchNormalization:
    'normalises every step, leaves the masked ones out of its statistics when training, and hands the mask on.',
  Concatenate: 'joins the masks of its inputs as it joins the inputs.',
  Functional: inner,
  GroupQueryAttention: heads,
  Masking: made,
  MultiHeadAttention: stripped,
  Sequential: inner,
  Softmax: 'gives what is masked the probability 0 and hands the mask on.',
  TimeDistributed:
    'hands the layer inside, step by step, the part of the mask that belongs to the step, and the mask on.',
};
const merges = ['Add', 'Subtract', 'Average', 'Multiply', 'Maximum', 'Minimum'];
const recurrent = ['LSTM', 'GRU', 'SimpleRNN', 'RNN', 'ConvLSTM1D', 'Bidirectional'];

function wordsOf(className: string): string | undefined {
  if (merges.includes(className)) return joined;
  return recurrent.includes(className) ? left : own[className.replace(/^Additive/, '')];
}

const said = (reason: string, remedy = ''): Words => ({ reason, remedy });

/** What happened, in words; with the remedy when the mask was lost. @internal */
export function explain(facts: Facts, role: MaskRole): Words {
  const { name, className, isLayer } = facts;
  const who = visible(isLayer ? `${className} '${name}'` : `the operation ${className}`);
  const words = wordsOf(className);
  switch (role) {
    case 'none':
      return none(facts, who);
    case 'computes':
      return said(
        `${who} belongs to the model's graph and computes nothing but a mask: Keras writes a mask into the graph where a layer that uses it was called. The layer is given what comes of it.`,
      );
    case 'makes':
      return said(
        className in { Functional: 0, Sequential: 0 }
          ? `${who} has a mask from the layers inside, which are listed a level deeper.`
          : `${who} makes the mask from its input.`,
      );
    case 'passes':
      return said(
        words && isLayer
          ? `${who} ${words}`
          : `${who} computes every step, padding too, and hands the mask on unchanged.`,
      );
    case 'uses and passes':
      return said(`${who} ${words ?? 'uses the mask and hands it on.'}`);
    case 'uses':
      return used(facts, who);
    case 'changes':
      return said(`${who} ${words ?? 'makes a new mask for its output.'}`);
    case 'ignores':
      return said(
        `${who} was given other tensors beside the sequence (an initial state): then Keras does not use the attached mask, and padding is computed as data.`,
        'Pass the mask by hand: layer.apply(x, { initialState, mask: x.mask }).',
      );
    case 'drops':
      return dropped(facts, who);
  }
}

function none({ className, maskTaken }: Facts, who: string): Words {
  if (maskTaken) {
    return said(
      `No mask came to ${who}: a MultiHeadAttention that ran before took it off the tensor, as Keras's does.`,
      'Pass the mask by hand: layer.apply(x, { mask }), or give the attention a copy, x.withMask(x.mask).',
    );
  }
  if (className === 'Embedding') return said(`${who} makes no mask: its maskZero is off.`);
  return said(`No mask came to ${who}, and it makes none.`);
}

function used({ className }: Facts, who: string): Words {
  if (/Attention$/.test(className)) {
    return said(
      `${who} gives masked values no weight; its query has no mask, and so its output has none.`,
    );
  }
  return said(
    `${who} ${recurrent.includes(className) ? 'leaves the masked steps out' : 'uses the mask'}; its output has no time axis to mask any more.`,
  );
}

function dropped(facts: Facts, who: string): Words {
  const { className, isLayer, masked, maskTaken } = facts;
  if (!isLayer) {
    return said(
      `The result of ${who} is a new tensor, and a plain operation never carries a mask over.`,
      `Put it back with ${putBack}, or use a layer for the same step (Rescaling, Add, Multiply, Activation).`,
    );
  }
  if (facts.takesMask) {
    return said(
      `${who} uses the mask but does not pass it on.`,
      `Put it back with ${putBack} before the next layer that needs it.`,
    );
  }
  if (merges.includes(className)) {
    const taken = maskTaken
      ? " (a MultiHeadAttention that ran before took it off, as Keras's does)"
      : '';
    return said(
      `${who} masks its result only where every input has a mask, and input ${masked.indexOf(false) + 1} has none${taken}.`,
      `Put it back with ${putBack}, or give that input a mask with withMask.`,
    );
  }
  if (facts.supportsMasking) {
    return said(
      `${who} gives its result no mask: the result has no such steps any more.`,
      `If it has, put the mask back with ${putBack}.`,
    );
  }
  return said(
    `${who} does not support masking, so the mask ends here; what follows computes padding as data.`,
    `If the steps keep their places, set supportsMasking = true in a layer of your own, or override computeMask; else put it back with ${putBack}.`,
  );
}
