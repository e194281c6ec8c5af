// SPDX-License-Identifier: MIT
// Program text. The page runs exactly the text that it shows.

/** Seed of the weights in every chapter. */
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

/** Returns a whole program in JavaScript: the imports that it needs, `ready` and the body. */
export function program(body: string, settings: Ready = { seed }, entry = 'maskflow'): string {
  const parts = Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`);
  const start = `await ready(${parts.length > 0 ? `{ ${parts.join(', ')} }` : ''});`;
  const names = [...exported, 'ready'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(start + body),
  );
  return `import { ${names.join(', ')} } from '${entry}';\n\n${start}\n${body}\n`;
}

/** Returns a whole program for Keras. Random weights differ there: Keras uses another generator. */
export const keras = (body: string, seeded = true): string =>
  `import keras\n${seeded ? `\nkeras.utils.set_random_seed(${seed})\n` : ''}\n${body}\n`;
