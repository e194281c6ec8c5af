// SPDX-License-Identifier: MIT
// The progress that long commands show on standard error.

const kWidth = 30;
/** Time in ms between two lines on a terminal. */
const kPause = 100;
/** Time in ms between two lines elsewhere, as in the log of a server. */
const kLongPause = 10_000;

/** A time in words: `45 s`, `3:05 min`, `2:07 h`. */
export function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (number: number): string => String(Math.floor(number) % 60).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole)} min`;
  return `${Math.floor(whole / 3600)}:${two(whole / 60)} h`;
}

/** Progress on standard error: a bar on a terminal, otherwise a line every ten seconds. */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #isQuiet: boolean;
  readonly #total: number | null;
  readonly #unit: string;
  readonly #start = performance.now();
  #last = this.#start - kPause;
  #hasBar = false;

  /** `total` is null if it is not known. */
  constructor(total: number | null, unit = 'rows', isQuiet = false) {
    this.#total = total;
    this.#unit = unit;
    this.#isQuiet = isQuiet;
    if (!this.#isTerminal) this.#last = this.#start;
  }

  /** `share` is that of the work which is done; null: that of `done` in the total. */
  at(done: number, share: number | null = null): void {
    if (this.#isQuiet || this.#total === 0) return;
    const now = performance.now();
    if (now - this.#last < (this.#isTerminal ? kPause : kLongPause)) return;
    this.#last = now;
    const part = Math.min(1, this.#total ? done / this.#total : (share ?? Number.NaN));
    const line = this.#line(done, part, (now - this.#start) / 1000);
    if (!this.#isTerminal) {
      process.stderr.write(`maskflow: ${line}\n`);
      return;
    }
    const length = Math.round(kWidth * part);
    const bar = '█'.repeat(length) + '░'.repeat(kWidth - length);
    process.stderr.write(`\r\x1b[K${Number.isNaN(part) ? '' : `${bar} `}${line}`);
    this.#hasBar = true;
  }

  #line(done: number, part: number, seconds: number): string {
    const count = this.#total ? `${done}/${this.#total}` : String(done);
    const rate = `${Math.round(done / Math.max(seconds, 1e-3))} ${this.#unit}/s`;
    const rest = part > 0 ? `, ${timeText((seconds * (1 - part)) / part)} left` : '';
    return `${count} ${this.#unit}, ${rate}${rest}`;
  }

  end(): void {
    if (this.#hasBar) process.stderr.write('\r\x1b[K');
  }
}
