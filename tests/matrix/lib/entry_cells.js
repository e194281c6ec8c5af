// SPDX-License-Identifier: MIT
// Cells that run one part of check.js with entries of the package, in a runtime or on a page.
import { cpSync } from 'node:fs';
import { page } from './page_files.js';
import { visitFolder } from './pages.js';

/**
 * Returns functions that define such cells. `entries` are the entries by the names that check()
 * gives them, `{ mf: 'maskflow' }`; `options` are those of check().
 */
export function entryCells(label, entries, options) {
  const asked = `check({ ${Object.keys(entries).join(', ')} }, ${JSON.stringify(options)})`;
  const importsFrom = (addressOf) =>
    Object.entries(entries)
      .map(([name, entry]) => `import * as ${name} from '${addressOf(entry)}';\n`)
      .join('');
  const script = `import { writeFileSync } from 'node:fs';
${importsFrom((entry) => entry)}import { check } from './check.mjs';
writeFileSync('result.json', JSON.stringify(await ${asked}));`;
  const fileOf = (entry) => `./maskflow/dist/${entry.split('/')[1] ?? 'index'}.js`;
  const html = page(`${importsFrom(fileOf)}import { check } from './check.mjs';
${asked}.then((data) => { window.result = data; });`);

  async function runScript(project, command, args) {
    project.bring();
    project.write('main.mjs', script);
    await project.run(command, [...args, 'main.mjs']);
    return project.result();
  }

  return {
    inNode: (version) => ({
      name: `Node ${version.split('.')[0]}, ${label}`,
      versions: `node ${version}`,
      async run(project) {
        await project.install([], { node: version });
        return runScript(project, 'node', []);
      },
    }),
    inRuntime: (runtime, version, args) => ({
      name: `${runtime}, ${label}`,
      versions: `${runtime} ${version}`,
      async run(project) {
        await project.install([`${runtime}@${version}`]);
        return runScript(project, runtime, args);
      },
    }),
    onPage: (versions, browser) => ({
      name: `${versions}, ${label}`,
      versions,
      async run(project) {
        const running = await browser();
        await project.install();
        const files = project.at('node_modules', 'maskflow');
        cpSync(files, project.at('maskflow'), { recursive: true });
        project.bring();
        project.write('index.html', html);
        return visitFolder(project.folder, { browser: running });
      },
    }),
  };
}
