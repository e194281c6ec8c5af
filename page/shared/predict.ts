// SPDX-License-Identifier: MIT
// A question that the visitor answers before the figure shows the result. <div data-predict> in a
// chapter's HTML contains the question and its buttons; `value` names the answer. The computed
// figure decides which answer is right, never the page's text.
import { find, h, rich } from './dom.js';

export interface Judgement {
  /** The value of the right button, computed from the numbers on view. */
  right: string;
  /** The result, in a sentence with its numbers. */
  because: string;
}

export class Prediction {
  private guess: string | undefined;
  private readonly verdict = h('p', { class: 'verdict', role: 'status' });

  /** Calls `onGuess` once, at the first answer: a figure may hide a part until then. */
  constructor(
    private readonly box: HTMLElement,
    private readonly judge: () => Judgement | undefined,
    onGuess: (guess: string) => void,
  ) {
    box.append(this.verdict);
    for (const button of box.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => {
        const first = this.guess === undefined;
        this.guess = button.value;
        for (const each of box.querySelectorAll('button')) {
          each.setAttribute('aria-pressed', String(each === button));
        }
        if (first) onGuess(button.value);
        this.tell();
      });
    }
  }

  get isAnswered(): boolean {
    return this.guess !== undefined;
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
    const answer = find<HTMLButtonElement>(`button[value="${this.guess}"]`, this.box).textContent;
    const opening = right ? 'Yes.' : `You said “${answer?.trim()}”.`;
    this.verdict.replaceChildren(...(rich(`${opening} ${judgement.because}`) as (Node | string)[]));
    this.verdict.classList.toggle('right', right);
  }
}
