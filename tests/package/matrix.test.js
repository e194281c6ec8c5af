// SPDX-License-Identifier: MIT
// The matrix (`npm run matrix`) itself: one cell for real, and what becomes of cells that hang or fail.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { suite, test } from 'node:test';
import { cells } from '../matrix/cells/index.js';
import { ownNode } from '../matrix/cells/node.js';
import { judge } from '../matrix/lib/judge.js';
import { recipes, unnamed } from '../matrix/lib/recipes.js';
import { runCells } from '../matrix/lib/run.js';

suite('the matrix', () => {
  test('runs a cell, ends one that hangs, and leaves nothing behind', async () => {
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

  test('tells what is known from what is not, and says when it works again', () => {
    const known = { worker: { error: 'no workers', reason: 'as it is' } };
    const status = (answers) => judge({ known }, { answers }).status;
    assert.equal(status({ core: 'ok', worker: 'Error: no workers here' }), 'in part');
    assert.equal(status({ core: 'ok', worker: 'Error: another' }), 'fails');
    assert.equal(status({ core: 'Error: no workers', worker: 'no workers' }), 'fails');
    assert.equal(status({ core: 'ok', worker: 'ok' }), 'fails');
    const varies = { worker: { error: 'no … here (…)', reason: 'as it is' } };
    const told = (worker) => judge({ known: varies }, { answers: { core: 'ok', worker } }).status;
    assert.equal(told('Error: no workers here (policy)'), 'in part');
    assert.equal(told('Error: here (policy) no workers'), 'fails');
    assert.equal(told('Error: no workers here'), 'fails');
    assert.equal(judge({}, { answers: { core: 'ok' } }).status, 'ok');
  });

  test('has a name of its own for each cell', () => {
    const names = cells.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    assert.ok(cells.every(({ versions, run }) => versions && run));
  });

  test('runs every recipe of docs/recipes.md', () => {
    const taken = new Set(cells.flatMap((cell) => cell.recipes ?? []));
    assert.deepEqual(
      Object.keys(recipes).filter((heading) => !taken.has(heading)),
      [],
    );
    assert.deepEqual(unnamed, []);
    assert.ok(Object.keys(recipes).length > 10);
  });
});
