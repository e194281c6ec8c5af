// SPDX-License-Identifier: MIT
// A prediction asked before the answer is shown: <div data-predict> in a chapter's HTML holds the question and its buttons
// (`value` names the answer). The answer is judged by what the figure computes, never by what the page assumes.
import { find, h, rich } from './dom.js';

export interface Judgement {
  /** The value of the button that is right, by the numbers on view. */
  right: string;
  /** What is the case, in a sentence with its numbers. */
  because: string;
}

export class Prediction {
  private guess: string | undefined;
  private readonly heard = h('p', { class: 'verdict', role: 'status' });

  /** `onGuess` is called once, at the first answer: a figure may hold something back until then. */
  constructor(
    private readonly box: HTMLElement,
    private readonly judge: () => Judgement | undefined,
    onGuess: (guess: string) => void,
  ) {
    box.append(this.heard);
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

  get made(): boolean {
    return this.guess !== undefined;
  }

  /** Says again what is right, after the figure has changed. */
  tell(): void {
    if (this.guess === undefined) return;
    const judgement = this.judge();
    if (!judgement) {
      // What was said is of another figure.
      this.heard.replaceChildren();
      return;
    }
    const right = judgement.right === this.guess;
    const said = find<HTMLButtonElement>(`button[value="${this.guess}"]`, this.box).textContent;
    const opening = right ? 'Yes.' : `You said “${said?.trim()}”.`;
    this.heard.replaceChildren(...(rich(`${opening} ${judgement.because}`) as (Node | string)[]));
    this.heard.classList.toggle('right', right);
  }
}
