// SPDX-License-Identifier: MIT
// The package as npm packs and installs it: its files, and that it runs from ESM and CommonJS.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { build } from 'esbuild';
import { builds, entries, pathOf, workerScripts } from '../../scripts/build/entries.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { makeConsumer, node, run } from './support/consumer.js';

const compute = `
  const x = mf.tensor([[[1, 2], [3, 4], [9, 9]], [[5, 6], [9, 9], [9, 9]]]);
  const mask = [[true, true, false], [true, false, false]];
  const lstm = mf.layers.lstm({ units: 4, returnSequences: true });
  const y = lstm.apply(x, { mask });
  console.log(JSON.stringify({ shape: y.shape, mask: y.mask.array(), last: y.array()[1].slice(-2) }));`;
const vectorize = `ready().then(() => {
  const ids = new text.TextVectorization({ vocabulary: ['a', 'b'] }).apply(['A b', 'c']);
  console.log(JSON.stringify([ids instanceof Tensor, ids.array()]));
});`;
const train = `await mf.ready();
  const model = new mf.Sequential([mf.layers.lstm({ units: 2 }), mf.layers.dense({ units: 1 })]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const { history } = await model.fit([[[1], [2]], [[2], [1]]], [[0], [1]], { epochs: 2 });
  console.log(JSON.stringify(history.loss));`;
const exactly = (path) => new RegExp(`^${path.replaceAll('.', '\\.')}$`);
const esm = (body, spec = 'maskflow') => `import * as mf from '${spec}'; ${body}`;

function checkComputed(output) {
  const { shape, mask, last } = JSON.parse(output);
  assert.deepEqual(shape, [2, 3, 4]);
  assert.deepEqual(mask, [
    [true, true, false],
    [true, false, false],
  ]);
  assert.deepEqual(last[0], last[1], 'a masked step repeats');
  assert.ok(last[0].some((value) => value !== 0));
}

suite('the installed package', () => {
  let consumer;
  let packageFolder;
  before(() => {
    consumer = makeConsumer({
      'run.mjs': esm(`await mf.ready(); ${compute}`),
      // The two entries share their state: a tensor of the text entry is a tensor of the main
      // entry.
      'text.mjs': `import { ready, Tensor } from 'maskflow'; import * as text from 'maskflow/text'; ${vectorize}`,
      'train.mjs': `import * as mf from 'maskflow/train'; ${train}`,
      'train.cjs': `const mf = require('maskflow/train'); (async () => { ${train} })();`,
      'text.cjs': `const { ready, Tensor } = require('maskflow'); const text = require('maskflow/text'); ${vectorize}`,
      'run.cjs': `const mf = require('maskflow'); mf.ready().then(() => {${compute}});`,
    });
    packageFolder = join(consumer.folder, 'node_modules', 'maskflow');
  });
  after(() => consumer?.remove());

  const code = (text, ...flags) =>
    node(consumer.folder, ...flags, '--input-type=module', '-e', text).trim();
  const manifest = () => JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

  test('contains the built files, README, LICENSE, the changes and nothing else', () => {
    const requiredFiles = [
      /^package\.json$/,
      /^README\.md$/,
      /^LICENSE$/,
      /^CHANGELOG\.md$/,
      ...entries.flatMap((name) =>
        ['js', 'cjs', 'd.ts', 'd.cts'].map((ending) => exactly(`dist/${name}.${ending}`)),
      ),
      ...entries
        .filter((name) => pathOf(name) !== '.')
        .map((name) => exactly(`${pathOf(name)}/package.json`)),
      ...workerScripts.flatMap(({ script, chunk }) => [
        exactly(`dist/${script}.js`),
        exactly(`dist/chunks/${chunk}.js`),
      ]),
      ...builds.flatMap(({ name, hasFile }) => [
        exactly(`dist/chunks/${name}.js`),
        ...(hasFile ? [exactly(`dist/maskflow-${name}.wasm`)] : []),
      ]),
      /^dist\/maskflow\.iife\.js$/,
      /^dist\/THIRD_PARTY_LICENSES\.txt$/,
      exactly('dist/chunks/glue.js'),
      exactly('dist/chunks/glue.cjs'),
      /^dist\/workerd\.js$/,
      /^dist\/types\/\w+\.d\.cts$/,
      /^dist\/cli\.js$/,
    ];
    const optional = [/^dist\/\w+(-\w+)*(\.gen)?-[\w-]{8}\.c?js$/, /^dist\/[\w.-]+\.js\.map$/];
    const knownFiles = [...requiredFiles, ...optional];
    const unknown = consumer.files.filter(
      (path) => !knownFiles.some((pattern) => pattern.test(path)),
    );
    assert.deepEqual(unknown, []);
    const missing = requiredFiles.filter(
      (pattern) => !consumer.files.some((path) => pattern.test(path)),
    );
    assert.deepEqual(missing, []);
  });

  test('contains every file that its manifest names', () => {
    const { main, module, types, exports, unpkg, jsdelivr, sideEffects } = manifest();
    const leaves = (value) =>
      typeof value === 'string' ? [value] : Object.values(value).flatMap(leaves);
    const paths = leaves([main, module, types, exports, unpkg, jsdelivr, sideEffects]);
    for (const entry of entries.map(pathOf).filter((path) => path !== '.')) {
      const fields = JSON.parse(readFileSync(join(packageFolder, entry, 'package.json'), 'utf8'));
      paths.push(...leaves(fields).map((path) => join(entry, path)));
    }
    assert.ok(paths.length >= 60);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(packageFolder, path))),
      [],
    );
  });

  test('has no dependencies', () => {
    const installedNames = readdirSync(join(consumer.folder, 'node_modules')).filter(
      (name) => name[0] !== '.',
    );
    assert.deepEqual(installedNames, ['maskflow']);
    assert.deepEqual(
      [manifest().dependencies, manifest().scripts?.postinstall],
      [undefined, undefined],
    );
  });

  test('contains the licence of all its code', () => {
    const text = readFileSync(join(packageFolder, 'dist', 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const holder of [
      'Arjun Barrett',
      'Emscripten authors',
      'QuantStack',
      'Rich Felker',
      'LLVM Exceptions to the Apache 2.0 License',
    ]) {
      assert.ok(text.includes(holder), holder);
    }
  });

  test('names in each file the projects whose code it contains', () => {
    // Text that each of the modules contains, even in minified code.
    const marks = {
      fflate: /invalid distance/,
      // Wasm and differences from it are gzip in base64.
      Emscripten: /_emscripten_resize_heap|\b_emval_|["`]H4sI/,
      musl: /["`]H4sI/,
    };
    for (const path of consumer.files.filter((name) => /\.c?js$/.test(name))) {
      const code = readFileSync(join(packageFolder, path), 'utf8');
      const notices = [
        ...code.matchAll(/\/\*! (.*): see THIRD_PARTY_LICENSES\.txt of maskflow \*\//g),
      ];
      const noticeNames = notices.map(([, names]) => names).join();
      for (const [name, mark] of Object.entries(marks)) {
        assert.equal(noticeNames.includes(name), mark.test(code), `${path}: ${name}`);
      }
    }
  });

  test('has no source maps, and no file names one, which tools would look for', () => {
    assert.deepEqual(
      consumer.files.filter((name) => name.endsWith('.map')),
      [],
    );
    for (const path of consumer.files.filter((name) => /\.c?js$/.test(name))) {
      const code = readFileSync(join(packageFolder, path), 'utf8');
      assert.doesNotMatch(code, /sourceMappingURL=[\w.-]+\.map/, path);
    }
  });

  test('contains no path of the build machine, and imports no module that bundlers lack', () => {
    // Files that a page may load: the command and its tools run only in Node.
    const forPages = consumer.files.filter(
      (name) => !/^dist\/(cli|(tools|progress|files|port_program)-[\w-]{8})\.js/.test(name),
    );
    for (const path of forPages.filter((name) => /\.(js|cjs|ts|cts|json|wasm)$/.test(name))) {
      const text = readFileSync(join(packageFolder, path), 'latin1');
      assert.ok(!text.includes(at()), path);
      assert.doesNotMatch(text, /(from|import\(|require\()\s*["']node:/, path);
    }
  });

  test('loads few files in a row before the first line of an entry runs', () => {
    const text = (name) => readFileSync(join(packageFolder, 'dist', name), 'utf8');
    const imports = (name) =>
      [...text(name).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, imported]) => imported);
    // A browser learns a file's imports only when it has the file. Returns how often it waits.
    const waits = (name) => {
      const known = new Set([name]);
      let count = 0;
      for (let last = [name]; last.length > 0; count++) {
        last = last.flatMap(imports).filter((file) => !known.has(file));
        for (const file of last) known.add(file);
      }
      return count;
    };
    assert.deepEqual(['recurrent.js', 'index.js'].map(waits), [2, 3]);
  });

  test('runs as ESM', () => checkComputed(node(consumer.folder, 'run.mjs')));
  for (const file of ['text.mjs', 'text.cjs']) {
    test(`vectorizes text: ${file}`, () =>
      assert.deepEqual(JSON.parse(node(consumer.folder, file)), [
        true,
        [
          [2, 3],
          [1, 0],
        ],
      ]));
  }
  for (const file of ['train.mjs', 'train.cjs']) {
    test(`trains: ${file}`, () => {
      const losses = JSON.parse(node(consumer.folder, file));
      assert.equal(losses.length, 2);
      assert.ok(losses[1] < losses[0], String(losses));
    });
  }
  test('runs as CommonJS', () => checkComputed(node(consumer.folder, 'run.cjs')));

  const saveAndLoad = `.then(async () => {
    const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 3 })]);
    const bytes = await model.save('saved.keras');
    const again = await mf.loadModel('saved.keras');
    const x = mf.tensor([[1, 2]]);
    const recorded = { inputs: [x.array()], outputs: [model.predict(x).array()] };
    console.log(bytes.length > 0, (await mf.verify(again, recorded)).passed);
  });`;
  test('saves, loads and verifies from ESM', () =>
    assert.equal(code(esm(`mf.ready()${saveAndLoad}`)), 'true true'));
  test('saves, loads and verifies from CommonJS', () => {
    const text = `const mf = require('maskflow'); mf.ready()${saveAndLoad}`;
    const output = node(consumer.folder, '--input-type=commonjs', '-e', text).trim();
    assert.equal(output, 'true true');
  });

  const inWorkers = (mf) => `
    const file = await ${mf}.loadModel('saved.keras');
    const there = await (await openWorker()).loadModel('saved.keras');
    const pool = await openPool({ size: 2 });
    const both = await pool.loadModel('saved.keras');
    const x = [[1, 2], [3, 4], [5, 6]];
    const wanted = String(file.predict(x).array());
    const made = [await there.predict(x), await both.predict(x), await file.predict(x, { workers: 2 })];
    const bad = await there.predict([[1], []]).catch((error) => error instanceof ${mf}.ShapeError);
    console.log(made.every((y) => String(y.array()) === wanted), bad);`;
  test('computes in workers from ESM', () =>
    assert.equal(
      code(esm(`import { openPool, openWorker } from 'maskflow/worker'; ${inWorkers('mf')}`)),
      'true true',
    ));
  test('computes in workers from CommonJS', () => {
    const text = `const mf = require('maskflow');
      const { openPool, openWorker } = require('maskflow/worker');
      (async () => {${inWorkers('mf')}})();`;
    const output = node(consumer.folder, '--input-type=commonjs', '-e', text).trim();
    assert.equal(output, 'true true');
  });

  test('contains the command', () => {
    const command = join(consumer.folder, 'node_modules', '.bin', 'maskflow');
    const maskflow = (...args) => run(command, args, { cwd: consumer.folder });
    assert.match(maskflow('info', 'saved.keras'), /Dense.*\n.*\nParams: 9/);
    writeFileSync(join(consumer.folder, 'data.csv'), '1,2\n3,4\n');
    const rows = JSON.parse(maskflow('run', 'saved.keras', '--input', 'data.csv'));
    assert.deepEqual([rows.length, rows[0].length], [2, 3]);
    assert.match(maskflow('--version'), /^\d+\.\d+\.\d+\n$/);
  });

  test('runs where code generation from strings is forbidden', () => {
    checkComputed(node(consumer.folder, '--disallow-code-generation-from-strings', 'run.mjs'));
  });

  test('contains the wasm as separate files', () => {
    const output = code(
      esm(`const wasm = new URL(import.meta.resolve('maskflow/maskflow-simd.wasm'));
        await mf.ready({ variant: 'simd', wasm }); ${compute}`),
    );
    checkComputed(output);
  });

  test('runs maskflow/recurrent on the file of its own wasm', () => {
    const output = code(
      `import * as mf from 'maskflow/recurrent';
        const relaxed = new URL(import.meta.resolve('maskflow/maskflow-recurrent-relaxed.wasm'));
        await mf.ready({ variant: 'simd', wasm: { relaxed } }); ${compute}`,
    );
    checkComputed(output);
  });

  test('has its sub-paths for tools that ignore "exports"', () => {
    // Each path bypasses "exports" and imports a file of the package directly.
    const [text, main] = ['text', ''].map((path) => JSON.stringify(join(packageFolder, path)));
    const output = code(`import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const { ready, Tensor } = require(${main});
      const { TextVectorization } = require(${text});
      await ready();
      const ids = new TextVectorization({ vocabulary: ['a'] }).apply(['a']);
      console.log(ids instanceof Tensor, ids.array()[0][0]);`);
    assert.equal(output, 'true 2');
  });

  test('keeps modules that are imported only for their effects, when bundled', async () => {
    for (const [name, least] of Object.entries({
      'worker_main.js': 100_000,
      'worker_train.js': 100_000,
      text: 10_000,
    })) {
      const { outputFiles, warnings } = await build({
        stdin: { contents: `import 'maskflow/${name}';`, resolveDir: consumer.folder },
        bundle: true,
        write: false,
        outdir: consumer.folder,
        format: 'esm',
        logLevel: 'silent',
      });
      assert.deepEqual(warnings, [], name);
      assert.ok(outputFiles[0].contents.length > least, name);
    }
  });

  test('exports its manifest, but no inner files', () => {
    const version = code(`import { createRequire } from 'node:module';
      console.log(createRequire(import.meta.url)('maskflow/package.json').version);`);
    assert.equal(version, manifest().version);
    const inner = `import('maskflow/dist/chunks/glue.js').catch((error) => console.log(error.code));`;
    assert.equal(code(inner), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('has no side effects on import', () => {
    const output = code(`const before = Object.getOwnPropertyNames(globalThis).sort().join();
      for (const name of ['compile', 'instantiate', 'validate']) {
        WebAssembly[name] = () => { throw new Error(name + ' was called'); };
      }
      globalThis.fetch = () => { throw new Error('fetch was called'); };
      await import('maskflow');
      console.log(before === Object.getOwnPropertyNames(globalThis).sort().join());`);
    assert.equal(output, 'true');
  });
});
