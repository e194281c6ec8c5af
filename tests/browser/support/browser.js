// SPDX-License-Identifier: MIT
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export { launch } from '../../../scripts/lib/chromium.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** `npm test` says by CHROME_PATH which browser it found; alone, a test looks for itself. */
export function chromePath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROME_PATH, ...found].find((path) => path && existsSync(path));
}
