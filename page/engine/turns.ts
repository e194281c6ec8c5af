// SPDX-License-Identifier: MIT
// How a long program is held and let go from outside. It says where it may be held:
//
//     for (let epoch = 0; epoch < 20; epoch++) {
//       …
//       if (!(await turn())) break; // false: somebody asked it to end
//     }
import type { Command } from './protocol.js';

export class Turns {
  private held = false;
  private ended = false;
  private wake: () => void = () => {};

  command(command: Command): void {
    if (command === 'end') this.ended = true;
    this.held = command === 'pause' || command === 'step';
    if (command !== 'pause') this.wake();
  }

  /** What programs see as `turn`. Lets messages in first: a command may be among them. */
  readonly turn = async (): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve));
    if (this.held && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return !this.ended;
  };
}
