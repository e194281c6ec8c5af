// SPDX-License-Identifier: MIT
// The words of `traceMasks`: why a layer changes a mask, and how to keep it. layer_remedies.ts has
// those of larger entries.
import { Service } from '../base/service.js';
import { visible } from '../base/visible.js';
import { type LostMask, type Remedy, remedies, remedyFor, remedyText } from './remedies.js';

/** Role of a layer or op for the mask. */
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

/** Facts that the core recorded about one layer or op. @internal */
export interface Facts {
  name: string;
  className: string;
  isLayer: boolean;
  /** For each input, whether it has a mask. */
  masked: boolean[];
  /** Shape of the first input with a mask, and of the first output. */
  shapeIn: number[];
  shapeOut: number[];
  /** Whether an output has a mask. */
  isMasked: boolean;
  /** Whether that mask equals the mask of an input. */
  isSame: boolean;
  takesMask: boolean;
  supportsMasking: boolean;
  /** Whether a mask was attached but, by Keras's rules, not passed to the call. */
  maskIgnored: boolean;
  /** Whether an earlier MultiHeadAttention removed the mask of an input. */
  maskTaken: boolean;
  /** Whether it is an op of the graph that only computes a mask, or a part of one. */
  forMask: boolean;
}

/** An explanation, and how to keep the mask. @internal */
export interface Words {
  reason: string;
  remedy: string;
}

/** Words about the layers that `maskflow/recurrent` lacks. @internal */
export const layerWords = new Service<{
  remedy(lost: LostMask): Remedy | undefined;
  /** Returns the reason for a role; undefined where the usual words describe it well. */
  reason(facts: Facts, role: MaskRole): string | undefined;
}>('');

const joinsMasks = 'joins the masks of its inputs: a step is kept if one of them keeps it.';
const makesMask = 'makes its mask from the values; a mask of the input is ignored.';
const passesInside =
  'passes the mask to the layers inside, which are listed one level deeper; its output has the mask that they return.';
const skipsSteps = 'skips the masked steps and passes the mask on.';

/** Explanations for classes that the words for their role would not describe well. */
const classReasons: { [className: string]: string } = {
  Concatenate: 'joins the masks of its inputs as it joins the inputs.',
  Functional: passesInside,
  Masking: makesMask,
  Sequential: passesInside,
  TimeDistributed: 'passes the mask of each step to the layer inside, and passes the mask on.',
};
const merges = ['Add', 'Subtract', 'Average', 'Multiply', 'Maximum', 'Minimum'];
const recurrent = ['LSTM', 'GRU', 'SimpleRNN', 'RNN', 'ConvLSTM1D', 'Bidirectional'];

function wordsOf(className: string): string | undefined {
  if (merges.includes(className)) return joinsMasks;
  return recurrent.includes(className) ? skipsSteps : classReasons[className];
}

/**
 * Whether a call is `withMask` in a graph: a model that attaches its mask to its input. @internal
 */
export const attachesMask = ({ className, name }: Facts): boolean =>
  className === 'Functional' && name.startsWith('with_mask');

const wordsFor = (reason: string, remedy = ''): Words => ({ reason, remedy });

/** Explains in words what happened to the mask, with a remedy if it was lost. @internal */
export function explain(facts: Facts, role: MaskRole): Words {
  const { name, className, isLayer } = facts;
  const subject = visible(isLayer ? `${className} '${name}'` : `the operation ${className}`);
  const special = layerWords.supplied?.reason(facts, role);
  const words = special ?? wordsOf(className);
  switch (role) {
    case 'none':
      if (className === 'Embedding')
        return wordsFor(`${subject} makes no mask because its maskZero is off.`);
      return facts.maskTaken
        ? wordsFor(`No mask reached ${subject}: ${special}`, remedyText(remedies.taken))
        : wordsFor(`No mask reached ${subject}, and it does not make one.`);
    case 'computes':
      return wordsFor(
        className === 'ConvertToTensor' && facts.shapeOut.length > 2
          ? `${subject} is a copy, to which withMask attaches a mask.`
          : `${subject} belongs to the model's graph and only computes a mask: Keras writes masks into the graph.`,
      );
    case 'makes':
      if (attachesMask(facts)) return wordsFor(`${subject} is withMask: it attaches a mask.`);
      return wordsFor(
        className in { Functional: 0, Sequential: 0 }
          ? `${subject} has a mask from the layers inside, which are listed one level deeper.`
          : `${subject} makes the mask from its input.`,
      );
    case 'passes':
      return wordsFor(
        words && isLayer
          ? `${subject} ${words}`
          : `${subject} computes every step, padding too, and passes the mask on unchanged.`,
      );
    case 'uses and passes':
      return wordsFor(`${subject} ${words ?? 'uses the mask and passes it on.'}`);
    case 'uses': {
      const use = recurrent.includes(className) ? 'skips the masked steps' : 'uses the mask';
      const usual = `${use}; its output no longer has a time axis to mask.`;
      return wordsFor(`${subject} ${special ?? usual}`);
    }
    case 'changes':
      return wordsFor(`${subject} ${words ?? 'makes a new mask for its output.'}`);
    case 'ignores':
      return wordsFor(
        `${subject} received other tensors besides the sequence (an initial state): then Keras does not use the attached mask, and padding is computed as data.`,
        remedyText(remedies.ignored),
      );
    case 'drops':
      return dropped(facts, subject);
  }
}

function dropped(facts: Facts, subject: string): Words {
  const { className, isLayer, masked, maskTaken, takesMask } = facts;
  const ofLayer = layerWords.supplied?.remedy(facts);
  const remedy = remedyText(maskTaken ? remedies.taken : remedyFor(facts, takesMask, ofLayer));
  if (!isLayer) {
    return className === 'ConvertToTensor'
      ? wordsFor(
          `${subject} returns its input without the mask, as withMask(null) does.`,
          'Leave it out to keep the mask.',
        )
      : wordsFor(
          `The result of ${subject} is a new tensor, and a plain operation never carries a mask over.`,
          remedy,
        );
  }
  if (takesMask) return wordsFor(`${subject} uses the mask but does not pass it on.`, remedy);
  if (merges.includes(className)) {
    const cause = maskTaken ? ' (an earlier MultiHeadAttention removed it, as in Keras)' : '';
    return wordsFor(
      `${subject} masks its result only where every input has a mask, and input ${masked.indexOf(false) + 1} has none${cause}.`,
      remedy,
    );
  }
  return wordsFor(
    facts.supportsMasking
      ? `${subject} returns no mask: its result no longer has these steps.`
      : `${subject} does not support masking, so the mask ends here; what follows computes padding as data.`,
    remedy,
  );
}
