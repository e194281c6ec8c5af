// SPDX-License-Identifier: MIT
// A question that the visitor answers before the figure shows the result. <div data-predict> in a
// chapter's HTML contains the question and its buttons; `value` names the answer. The computed
// figure decides which answer is right, never the page's text.
//
// The section has the class `asking` until the visitor guesses, presses "Show me" or changes the
// chapter. Elements with `data-answer` are hidden for so long.
import { find, h, rich } from './dom.js';

export interface Judgement {
  /** The value of the right button, computed from the numbers on view. */
  right: string;
  /** The result, in a sentence with its numbers. */
  because: string;
  /** Why each other answer is wrong, by the value of its button. */
  instead?: { readonly [value: string]: string };
}

export class Prediction {
  /** The value of the pressed button; '' after "Show me". */
  private guess: string | undefined;
  private isAnswering = false;
  private readonly verdict = h('p', { class: 'verdict', role: 'status' });
  private readonly reveal = h('button', { type: 'button', value: '', class: 'reveal' }, 'Show me');

  /** `onGuess` draws or computes the figure, and then calls `tell`. */
  constructor(
    private readonly box: HTMLElement,
    private readonly judge: () => Judgement | undefined,
    onGuess: () => void,
  ) {
    const label = find('.label', box);
    label.id = `${this.section.id}-question`;
    box.setAttribute('role', 'group');
    box.setAttribute('aria-labelledby', label.id);
    this.section.classList.add('asking');
    find('.row', box).append(this.reveal);
    box.append(this.verdict);
    for (const button of box.querySelectorAll('button')) {
      if (button !== this.reveal) button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => {
        this.answer(button.value);
        onGuess();
      });
    }
  }

  /**
   * Hides the question and its verdict after the visitor has changed the model, because they are
   * about another one. Changes that an answer makes do not count.
   */
  close(): void {
    if (this.isAnswering) return;
    this.section.classList.remove('asking');
    this.box.hidden = true;
  }

  /** Shows the figure although the question has no answer. */
  show(): void {
    if (this.section.classList.contains('asking')) this.answer('');
  }

  /** Updates the verdict after the figure has changed. */
  tell(): void {
    if (this.guess === undefined) return;
    const judgement = this.judge();
    if (!judgement) {
      // Clears the last verdict, which belongs to another figure.
      this.verdict.replaceChildren();
      return;
    }
    const right = judgement.right === this.guess;
    const why = right ? '' : (judgement.instead?.[this.guess] ?? '');
    const sentence = `${this.opening(right)} ${judgement.because} ${why}`.trim();
    this.verdict.replaceChildren(...(rich(sentence) as (Node | string)[]));
    this.verdict.classList.toggle('right', right);
  }

  private get section(): HTMLElement {
    const section = this.box.closest('section');
    if (!section) throw new Error('A question must be in a chapter.');
    return section;
  }

  private opening(right: boolean): string {
    if (this.guess === '') return '';
    if (right) return 'Yes.';
    const button = find<HTMLButtonElement>(`button[value="${this.guess}"]`, this.box);
    return `You said “${button.textContent.trim()}”.`;
  }

  private answer(value: string): void {
    this.guess = value;
    for (const button of this.box.querySelectorAll('[aria-pressed]')) {
      button.setAttribute('aria-pressed', String((button as HTMLButtonElement).value === value));
    }
    this.section.classList.remove('asking');
    if (document.activeElement === this.reveal) {
      // The button disappears.
      this.box.tabIndex = -1;
      this.box.focus();
    }
    this.reveal.hidden = true;
    this.isAnswering = true;
    // The chapter may change its controls for the answer in the same task.
    setTimeout(() => {
      this.isAnswering = false;
    });
  }
}
