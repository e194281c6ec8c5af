// SPDX-License-Identifier: MIT
// The recipes of Angular, browser extensions, executables, functions and notebooks.
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../../browser/support/browser.js';
import { Absent } from '../lib/absent.js';
import { visit, visitFolder } from '../lib/pages.js';
import { page, recipes, writeRecipes } from '../lib/recipes.js';
import { useTyping } from '../lib/user.js';
import { answers as numbers } from '../programs/brackets.js';
import { compare } from '../programs/compare.js';

const texts = ['([{}])', '([)]'];
const versionsOf = (packages) =>
  packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', ') || 'node 24.21.0';

const cell = ({ name, headings, packages = [], run, ...facts }) => ({
  name: `recipe, ${name}`,
  versions: versionsOf(packages),
  recipes: headings,
  async run(project) {
    await project.install(packages);
    project.bring();
    return run(project);
  },
  ...facts,
});

// The asset that the note of the recipe advises.
const workerFile = JSON.parse(/`(\{ "glob": [^`]+\})`/.exec(page)[1]);
const angularJson = {
  version: 1,
  projects: {
    app: {
      projectType: 'application',
      root: '',
      sourceRoot: 'src',
      architect: {
        build: {
          builder: '@angular/build:application',
          options: {
            browser: 'src/main.ts',
            index: 'src/index.html',
            tsConfig: 'tsconfig.json',
            outputPath: { base: 'dist', browser: '' },
            assets: [{ glob: '**/*', input: 'public' }, workerFile],
          },
        },
      },
    },
  },
  cli: { analytics: false },
};
const angularFiles = {
  'angular.json': JSON.stringify(angularJson),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      target: 'ES2022',
      module: 'preserve',
      moduleResolution: 'bundler',
      lib: ['ES2022', 'DOM'],
    },
    files: ['src/main.ts'],
  }),
  'src/index.html': '<!doctype html><meta charset="utf-8"><base href="/"><app-root></app-root>',
  'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';
bootstrapApplication(App);`,
};

async function angular(project) {
  for (const [path, text] of Object.entries(angularFiles)) project.write(path, text);
  writeRecipes(project, { 'One model for many components': 'src', Angular: 'src' });
  project.bring('public');
  await project.run('ng', ['build']);
  return visitFolder(project.at('dist'), { use: useTyping });
}

/** Opens the popup of the extension as a page. */
async function extension(project) {
  writeRecipes(project, { 'Browser extension': 'extension' });
  project.bring('extension');
  cpSync(project.at('node_modules/maskflow/dist'), project.at('extension/maskflow'), {
    recursive: true,
  });
  if (skip) throw new Absent(skip);
  const browser = await launchChrome({ pipe: true, enableExtensions: true });
  try {
    const id = await browser.installExtension(project.at('extension'));
    const address = `chrome-extension://${id}/popup.html`;
    return await visit(address, { browser, use: useTyping });
  } finally {
    await browser.close();
  }
}

/** Runs the commands of a recipe. */
async function build(project, heading) {
  writeRecipes(project, { [heading]: '.' });
  const script = project.read('build.sh').replaceAll('npx ', 'npx --no-install ');
  project.write('build.sh', `set -e\n${script}`);
  return project.run('bash', ['build.sh']);
}

async function executable(project) {
  await build(project, 'One executable');
  chmodSync(project.at('brackets'), 0o755);
  project.write('alone/.keep', '');
  cpSync(project.at('brackets'), project.at('alone/brackets'));
  const found = [];
  for (const text of texts) {
    const said = await project.run(project.at('alone/brackets'), [text], {
      cwd: project.at('alone'),
    });
    found.push(Number(said));
  }
  return { answers: { numbers: compare(found, numbers) } };
}

const invoke = `import { writeFileSync } from 'node:fs';
import { handler } from './index.mjs';
const found = [];
for (const text of ${JSON.stringify(texts)}) {
  const { statusCode, body } = await handler({ queryStringParameters: { text } });
  found.push(statusCode === 200 ? JSON.parse(body).score : statusCode);
}
writeFileSync('../result.json', JSON.stringify(found));`;

/** Unpacks the zip in an empty folder and calls the handler there. */
async function lambda(project) {
  await build(project, 'AWS Lambda');
  await project.run('unzip', ['-q', 'lambda.zip', '-d', 'task']);
  project.write('task/invoke.mjs', invoke);
  await project.run('node', ['invoke.mjs'], { cwd: project.at('task') });
  const bytes = readFileSync(project.at('lambda.zip')).length;
  const size = bytes < 1e6 ? 'ok' : `${bytes} bytes`;
  return { answers: { numbers: compare(project.result(), numbers), size } };
}

/** Runs the cell of the notebook in a page of another origin, as the body of an async function. */
async function notebook(project) {
  project.bring('cdn');
  cpSync(project.at('node_modules/maskflow'), project.at('cdn/npm/maskflow@0'), {
    recursive: true,
  });
  const headers = { 'access-control-allow-origin': '*' };
  const server = await serve(project.at('cdn'), { headers });
  try {
    const code = recipes.Notebooks['cell.js'].replaceAll('https://CDN/', server.url);
    const html = `<!doctype html><meta charset="utf-8"><script>
const run = new (async () => {}).constructor(${JSON.stringify(`${code}return score;`)});
run().then((score) => { window.result = { answers: {}, found: ${JSON.stringify(texts)}.map(score) }; },
  (error) => { window.result = { error: String(error) }; });
</script>`;
    project.write('page/index.html', html);
    const result = await visitFolder(project.at('page'));
    return { ...result, answers: { ...result.answers, numbers: compare(result.found, numbers) } };
  } finally {
    await server.close();
  }
}

const angularPackages = [
  ...['build', 'cli'].map((name) => `@angular/${name}@22.2.7`),
  ...['common', 'compiler', 'compiler-cli', 'core', 'platform-browser'].map(
    (name) => `@angular/${name}@22.2.6`,
  ),
  'rxjs@7.8.2',
  'typescript@6.0.3',
];
export const how = 'Each cell is the unchanged code of docs/recipes.md.';
export const cells = [
  {
    ...cell({
      name: 'Angular',
      headings: ['Angular'],
      packages: angularPackages,
      run: angular,
      limit: 300,
    }),
    versions: 'Angular 22.2.7, typescript 6.0.3',
  },
  {
    ...cell({ name: 'browser extension', headings: ['Browser extension'], run: extension }),
    versions: 'Chromium',
  },
  cell({
    name: 'one executable, Node',
    headings: ['One executable'],
    packages: ['esbuild@0.28.2', 'postject@1.0.0-alpha.6'],
    run: executable,
  }),
  cell({
    name: 'AWS Lambda, its zip',
    headings: ['AWS Lambda'],
    packages: ['esbuild@0.28.2'],
    run: lambda,
  }),
  { ...cell({ name: 'notebook', headings: ['Notebooks'], run: notebook }), versions: 'Chromium' },
];
