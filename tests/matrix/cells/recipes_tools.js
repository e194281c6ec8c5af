// SPDX-License-Identifier: MIT
// The recipes of scripts, servers, runtimes, test runners, and of workers in bundles.
import { Failure } from '../../../scripts/lib/process.mjs';
import { html } from '../lib/entries.js';
import { same } from '../lib/judge.js';
import { visitFolder } from '../lib/pages.js';
import { commandOf, writeRecipes } from '../lib/recipes.js';
import { withPort } from '../lib/runtimes.js';
import { useTyping } from '../lib/user.js';
import { warningIn } from '../lib/warnings.js';
import { answers as numbers, rows } from '../programs/brackets.js';
import { compare } from '../programs/compare.js';

const cell = ({ name, heading, packages = [], versions, manifest, run, ...facts }) => ({
  name: `recipe, ${name}`,
  versions: versions ?? packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  recipes: [heading],
  async run(project) {
    await project.install(packages, { manifest });
    project.bring();
    writeRecipes(project, { [heading]: '.' });
    return { answers: await run(project) };
  },
  ...facts,
});

const texts = ['([{}])', '([)]'];

async function askFor(url) {
  const found = [];
  for (const text of texts) {
    const answer = await fetch(`${url}/?text=${encodeURIComponent(text)}`);
    if (!answer.ok) throw new Failure(`${answer.status} ${await answer.text()}`);
    found.push((await answer.json()).score);
  }
  return { numbers: compare(found, numbers) };
}

async function script(project) {
  const output = await project.run('node', ['score.mjs', ...texts]);
  const found = output
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[1]));
  return { numbers: compare(found, numbers) };
}

/**
 * A client that starts the server and sends a valid request, an invalid one, one that it aborts,
 * and another valid one. Then it ends the server.
 */
const client = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
const server = spawn(process.execPath, ['server.mjs'], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
const [said] = await once(server.stdout, 'data');
const url = 'http://localhost:' + String(said).match(/\\d+/)[0];
const post = (rows, signal) => fetch(url, { method: 'POST', body: JSON.stringify(rows), signal });
const rows = ${JSON.stringify(rows)};
const first = await post(rows).then((answer) => answer.json());
const { status } = await post([[1], [2, 3]]);
const left = await post(Array(5000).fill(rows[0]), AbortSignal.timeout(5)).then(() => 'answered', ({ name }) => name);
const again = await post(rows).then((answer) => answer.json());
server.kill('SIGTERM');
const [code] = await once(server, 'exit');
writeFileSync('result.json', JSON.stringify({ first, status, left, again, code }));
process.exit();`;

async function pool(project) {
  project.write('client.mjs', client);
  await project.run('node', ['client.mjs']);
  const { first, status, left, again, code } = project.result();
  return {
    first: compare(first.flat(), numbers),
    refused: status === 400 ? 'ok' : `status ${status}`,
    left: left === 'TimeoutError' ? 'ok' : left,
    again: compare(again.flat(), numbers),
    ended: code === 0 ? 'ok' : `exit code ${code}`,
  };
}

/** A client that sends rows of different lengths together, one of which is invalid. */
const singles = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
const server = spawn(process.execPath, ['server.mjs'], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
const [said] = await once(server.stdout, 'data');
const url = 'http://localhost:' + String(said).match(/\\d+/)[0];
const post = (row) => fetch(url, { method: 'POST', body: JSON.stringify(row) });
const rows = ${JSON.stringify(rows.map((row) => row.slice(0, row.includes(0) ? row.indexOf(0) : undefined)))};
const answers = await Promise.all([...rows, [99], ...rows, ...rows].map(post));
const bodies = await Promise.all(answers.map((answer) => answer.json()));
server.kill('SIGTERM');
const [code] = await once(server, 'exit');
writeFileSync('result.json', JSON.stringify({ bodies, statuses: answers.map(({ status }) => status), code }));
process.exit();`;

async function joined(project) {
  project.write('client.mjs', singles);
  await project.run('node', ['client.mjs']);
  const { bodies, statuses, code } = project.result();
  const wrong = rows.length;
  const [error] = bodies.splice(wrong, 1);
  const refused = /99/.test(error) && statuses[wrong] === 400;
  return {
    numbers: compare(bodies, [numbers, numbers, numbers].flat()),
    refused: refused ? 'ok' : `status ${statuses[wrong]}: ${error}`,
    ended: code === 0 ? 'ok' : `exit code ${code}`,
  };
}

const serves = (command, args) => async (project) =>
  askFor(await project.listen(command, await withPort(args)));

/** Defines a cell of a test runner, whose exit code shows whether its test passes. */
const tests = (command, args) => async (project) => {
  const output = await project.run(command, args);
  return { test: /1 passed/.test(output) ? 'ok' : output };
};

const withWorker = `${html()}<input value="([{}])"><output></output>`;

/**
 * Defines a cell of a bundler with a worker that the page defines. The bundle must contain the
 * worker's script.
 */
const bundle = ({ name, packages, manifest, command, script: src, ...facts }) => ({
  name: `recipe, own worker, ${name}`,
  versions: packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  recipes: ['Workers in bundles'],
  async run(project) {
    await project.install(packages, { manifest });
    project.bring();
    writeRecipes(project, { 'Workers in bundles': '.' });
    project.write('index.html', withWorker.replace('/main.js', './main.js'));
    const [program, ...args] = command.split(' ');
    const build = warningIn(await project.run(program, args));
    if (src) project.write('dist/index.html', withWorker.replace('/main.js', src));
    project.bring('dist');
    const use = async (tab) => {
      const { answers } = await useTyping(tab);
      const count = tab.workers().length;
      return { answers: { ...answers, worker: count === 1 ? 'ok' : `${count} workers`, build } };
    };
    return visitFolder(project.at('dist'), { use, levels: ['error', 'warn', 'warning'] });
  },
  ...facts,
});

const large = same(
  ['build'],
  'asset size limit: The following asset(s) exceed the recommended size limit (…)',
  [
    'The tool advises against files above 244 KiB (Rspack: 300 KiB), and a worker that contains',
    '`maskflow/single` is larger. `performance: { hints: false }` silences the warning.',
  ].join(' '),
);

export const how = 'Each cell is the unchanged code of docs/recipes.md.';
export const cells = [
  cell({ name: 'Node, script', heading: 'Node', versions: 'node 24.21.0', run: script }),
  cell({ name: 'Node, server with a pool', heading: 'Node', versions: 'node 24.21.0', run: pool }),
  cell({
    name: 'Node, server for single rows',
    heading: 'Server for single rows',
    versions: 'node 24.21.0',
    run: joined,
  }),
  cell({
    name: 'Deno',
    heading: 'Deno and Bun',
    packages: ['deno@2.9.6'],
    run: serves('deno', ['serve', '--allow-read', '--port', 'PORT', 'serve.js']),
  }),
  cell({
    name: 'Bun',
    heading: 'Deno and Bun',
    packages: ['bun@1.4.5'],
    run: serves('bun', ['--port', 'PORT', 'serve.js']),
  }),
  cell({
    name: 'Cloudflare, wrangler dev',
    heading: 'Cloudflare Workers',
    packages: ['wrangler@4.164.0'],
    run: async (project) => {
      project.bring('src', '.');
      return serves('wrangler', ['dev', '--ip', '127.0.0.1', '--port', 'PORT'])(project);
    },
  }),
  cell({
    name: 'Jest',
    heading: 'Jest',
    packages: ['jest@30.5.2'],
    manifest: {},
    run: tests('jest', []),
  }),
  cell({
    name: 'Vitest',
    heading: 'Vitest',
    packages: ['vitest@5.1.1'],
    run: tests('vitest', ['run']),
  }),
  bundle({ name: 'Vite', packages: ['vite@8.3.8'], command: 'vite build' }),
  bundle({
    name: 'webpack',
    packages: ['webpack@5.112.2', 'webpack-cli@7.3.1'],
    command: 'webpack ./main.js --mode production',
    script: '/main.js',
    known: large,
  }),
  bundle({
    name: 'Rspack',
    packages: ['@rspack/core@2.3.2', '@rspack/cli@2.2.8'],
    command: 'rspack build --entry ./main.js --mode production',
    script: '/main.js',
    known: large,
  }),
  bundle({
    name: 'Parcel',
    packages: ['parcel@2.16.4'],
    command: 'parcel build index.html',
  }),
  bundle({
    name: 'esbuild',
    packages: ['esbuild@0.28.2'],
    command: commandOf('esbuild'),
    script: '/main.js',
  }),
];
