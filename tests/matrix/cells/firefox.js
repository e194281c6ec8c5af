// SPDX-License-Identifier: MIT
// The pages without a bundler, in Firefox.
import { firefox } from '../lib/pages.js';
import { made } from './pages.js';

export const how = 'the pages of the family before this one, by WebDriver BiDi';
export const cells = made.map(({ name, run }) => ({
  name: name.replace('page,', 'Firefox,'),
  versions: 'Firefox ESR',
  run: (project) => run(project, firefox()),
}));
