// SPDX-License-Identifier: MIT
// Pauses, resumes and ends a long program from outside. The program says where it can be paused:
//
//     for (let epoch = 0; epoch < 20; epoch++) {
//       …
//       if (!(await turn())) break; // false: the program should end
//     }
import type { Command } from './protocol.js';

export class Turns {
  private paused = false;
  private ended = false;
  private wake: () => void = () => {};

  command(command: Command): void {
    if (command === 'end') this.ended = true;
    this.paused = command === 'pause' || command === 'step';
    if (command !== 'pause') this.wake();
  }

  /**
   * The function `turn` of programs. Receives pending messages first, which may contain a command.
   */
  readonly turn = async (): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve));
    if (this.paused && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return !this.ended;
  };
}
