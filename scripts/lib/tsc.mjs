// SPDX-License-Identifier: MIT
// The TypeScript compiler of builds and checks.
import { at } from './files.mjs';

/**
 * Path of the TypeScript compiler. It is version 7; `typescript` is version 6, because the tools
 * that roll up declarations and write the reference need its API, which version 7 lacks.
 */
export const tsc = at('node_modules', 'typescript-7', 'bin', 'tsc');
