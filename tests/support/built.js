// SPDX-License-Identifier: MIT
// Says why a test of the complete package is skipped: `npm run build:dev` writes one wasm module
// under all names, without types.
import { existsSync } from 'node:fs';

/** The reason to skip a test that needs `npm run build`; false after a complete build. */
export const needsBuild =
  !existsSync(new URL('../../dist/.built', import.meta.url)) &&
  'needs the complete package: npm run build';
