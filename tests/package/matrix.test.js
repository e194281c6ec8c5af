// SPDX-License-Identifier: MIT
// Tests the matrix (`npm run matrix`) itself: runs one cell, and checks the handling of cells that
// hang or fail.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { suite, test } from 'node:test';
import { cells } from '../matrix/cells/index.js';
import { ownNode } from '../matrix/cells/node.js';
import { judge } from '../matrix/lib/judge.js';
import { recipes, unnamed } from '../matrix/lib/recipes.js';
import { runCells } from '../matrix/lib/run.js';

suite('the matrix', () => {
  test('runs a cell, ends one that hangs, and removes its files', async () => {
    let folder;
    const hangs = {
      name: 'hangs',
      limit: 0.5,
      async run(project) {
        folder = project.folder;
        await project.run(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      },
    };
    const results = await runCells([hangs, ownNode]);
    const { status, failures, imported } = results.get(ownNode.name);
    assert.deepEqual([status, failures], ['ok', []]);
    assert.ok(imported > 0);
    assert.match(results.get('hangs').failures[0].error, /^hangs \(more than 0.5 s\)/);
    assert.equal(existsSync(folder), false);
  });

  test('distinguishes known failures from unknown ones, and reports when one works again', () => {
    const knownFailures = { worker: { error: 'no workers', reason: 'as it is' } };
    const status = (answers) => judge({ known: knownFailures }, { answers }).status;
    assert.equal(status({ core: 'ok', worker: 'Error: no workers here' }), 'in part');
    assert.equal(status({ core: 'ok', worker: 'Error: another' }), 'fails');
    assert.equal(status({ core: 'Error: no workers', worker: 'no workers' }), 'fails');
    assert.equal(status({ core: 'ok', worker: 'ok' }), 'fails');
    const varies = { worker: { error: 'no … here (…)', reason: 'as it is' } };
    const statusOf = (worker) =>
      judge({ known: varies }, { answers: { core: 'ok', worker } }).status;
    assert.equal(statusOf('Error: no workers here (policy)'), 'in part');
    assert.equal(statusOf('Error: here (policy) no workers'), 'fails');
    assert.equal(statusOf('Error: no workers here'), 'fails');
    assert.equal(judge({}, { answers: { core: 'ok' } }).status, 'ok');
  });

  test('each cell has a unique name', () => {
    const names = cells.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    assert.ok(cells.every(({ versions, run }) => versions && run));
  });

  test('runs every recipe of docs/recipes.md', () => {
    const tested = new Set(cells.flatMap((cell) => cell.recipes ?? []));
    assert.deepEqual(
      Object.keys(recipes).filter((heading) => !tested.has(heading)),
      [],
    );
    assert.deepEqual(unnamed, []);
    assert.ok(Object.keys(recipes).length > 10);
  });
});
