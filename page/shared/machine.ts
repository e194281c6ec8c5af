// SPDX-License-Identifier: MIT
/** Where a time was measured, as far as the browser reveals it. */
export interface Machine {
  engine: string;
  /** Number of processors that the browser reports; one of them is used. */
  processors: number | undefined;
  variant: string;
  /** The smallest step of its clock, in milliseconds. */
  tick: number;
}

const engines: [RegExp, string][] = [
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Edg\/(\d+)/, 'Edge'],
  [/Chrome\/(\d+)/, 'Chromium'],
  [/Version\/(\d+).*Safari/, 'Safari'],
  [/AppleWebKit\/(\d+)/, 'WebKit'],
  [/Node\.js\/(\d+)/, 'Node.js'],
];

export function engineName(userAgent: string): string {
  for (const [pattern, name] of engines) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return 'this engine';
}

/** Returns the smallest difference between two readings of the clock, in milliseconds. */
export function clockTick(): number {
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let last = start, changes = 0; changes < 5; ) {
    const now = performance.now();
    if (now === last) continue;
    least = Math.min(least, now - last);
    last = now;
    changes++;
  }
  return least;
}

/** Describes this machine; also works without `navigator`, which Node.js 20 lacks. */
export function machineOf(variant: string): Machine {
  const { userAgent = '', hardwareConcurrency }: Partial<Navigator> = globalThis.navigator ?? {};
  return {
    engine: engineName(userAgent),
    processors: hardwareConcurrency || undefined,
    variant,
    tick: clockTick(),
  };
}
