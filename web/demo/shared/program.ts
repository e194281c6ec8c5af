// SPDX-License-Identifier: MIT
import { type ReadyOptions, ready } from 'maskflow';

/** The weights of every panel come from this seed, here and in the code that a panel shows. */
const seed = 7;

/** To be awaited before the layers of a drawing are made: the shown code then has the same weights. */
export const reset = (settings: ReadyOptions = {}): Promise<void> =>
  ready({ seed, maskPropagation: 'keras-3.15', onMaskDropped: 'silent', ...settings });

const exported = [
  'Input',
  'Layer',
  'layers',
  'loadModel',
  'Model',
  'ops',
  'padSequences',
  'ready',
  'tensor',
];

/** A whole program in JavaScript, with the imports that it needs. */
export function program(body: string, settings: ReadyOptions = seeded): string {
  const given = Object.entries(settings).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`,
  );
  const start = `await ready(${given.length > 0 ? `{ ${given.join(', ')} }` : ''});`;
  const names = exported.filter((name) => new RegExp(`\\b${name}\\b`).test(start + body));
  return `import { ${names.join(', ')} } from 'maskflow';\n\n${start}\n\n${body}\n`;
}

/** For programs that draw no weights. */
export const unseeded: ReadyOptions = {};
export const seeded: ReadyOptions = { seed };

/** The same in Keras; the numbers differ, for its random generator is another. */
export const keras = (body: string, settings: ReadyOptions = seeded): string =>
  `import keras\n${settings.seed === undefined ? '' : `\nkeras.utils.set_random_seed(${seed})\n`}\n${body}\n`;
