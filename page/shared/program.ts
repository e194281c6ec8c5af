// SPDX-License-Identifier: MIT
// Program text. The page runs what it shows, letter for letter.

/** The weights of every chapter come from this seed. */
export const seed = 7;

const exported = [
  'constraints',
  'deserializeLayer',
  'Input',
  'Layer',
  'layers',
  'loadModel',
  'losses',
  'metrics',
  'Model',
  'ops',
  'optimizers',
  'padSequences',
  'registerLayer',
  'Sequential',
  'tensor',
  'tidy',
  'verify',
];

export interface Ready {
  seed?: number;
  maskPropagation?: string;
  onMaskDropped?: string;
}

/** A whole program in JavaScript, with the imports that it needs and the rules it runs by. */
export function program(body: string, settings: Ready = { seed }, entry = 'maskflow'): string {
  const given = Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`);
  const start = `await ready(${given.length > 0 ? `{ ${given.join(', ')} }` : ''});`;
  const names = [...exported, 'ready'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(start + body),
  );
  return `import { ${names.join(', ')} } from '${entry}';\n\n${start}\n${body}\n`;
}

/** The same in Keras. Its numbers differ where weights are random, for its generator is another. */
export const keras = (body: string, seeded = true): string =>
  `import keras\n${seeded ? `\nkeras.utils.set_random_seed(${seed})\n` : ''}\n${body}\n`;
