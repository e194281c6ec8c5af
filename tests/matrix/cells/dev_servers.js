// SPDX-License-Identifier: MIT
// The development servers of bundlers (Vite's are with Vite): the page is loaded twice.
import { html, pageScript } from '../lib/entries.js';
import { readTwice, visit } from '../lib/pages.js';
import { withPort } from '../lib/runtimes.js';

/**
 * Defines the cell of a development server. `args` is its command without the port; `served` is the
 * folder whose files it serves unchanged.
 */
const cell = ({ name, packages, command, args, served = 'public', files = {}, ...facts }) => ({
  name,
  versions: packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  async run(project) {
    await project.install(packages);
    project.bring(served, '.');
    project.write('main.js', pageScript);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    const url = await project.listen(command, await withPort([...args, '--port', 'PORT']));
    return visit(url, { use: readTwice });
  },
  ...facts,
});

export const how =
  'Each cell is the server of the tool in development mode. The page is loaded twice.';
export const cells = [
  cell({
    name: 'webpack, dev server',
    packages: ['webpack@5.112.2', 'webpack-cli@7.3.1', 'webpack-dev-server@6.1.0'],
    command: 'webpack',
    args: ['serve', './main.js', '--mode', 'development'],
    files: { 'public/index.html': html('/main.js') },
  }),
  cell({
    name: 'Rspack, dev server',
    packages: ['@rspack/core@2.3.2', '@rspack/cli@2.2.8', '@rspack/dev-server@2.2.2'],
    command: 'rspack',
    args: ['serve', '--entry', './main.js', '--mode', 'development'],
    files: { 'public/index.html': html('/main.js') },
  }),
  cell({
    name: 'Parcel, serve',
    packages: ['parcel@2.16.4'],
    command: 'parcel',
    args: ['serve', 'index.html'],
    served: 'dist',
    files: { 'index.html': html('main.js') },
  }),
];
