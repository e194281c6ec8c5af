// SPDX-License-Identifier: MIT
// Completion in the shells themselves: zsh and fish, if they are on this machine. Bash is tested in
// cli.test.js.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { program } from '../support/command.js';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-completion-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes the program for a shell, and returns its path. */
function written(shell) {
  const path = join(folder, shell);
  writeFileSync(path, execFileSync(process.execPath, [program, 'completion', shell]));
  return path;
}

const absent = (shell) =>
  spawnSync(shell, ['--version']).error ? `no ${shell} on this machine` : false;

describe('fish', { skip: absent('fish') }, () => {
  let path;
  before(() => {
    path = written('fish');
  });
  /** Names that fish offers for a line. */
  const complete = (line) => {
    const code = `source ${path}; complete -C '${line}'`;
    const out = execFileSync('fish', ['--no-config', '-c', code], { cwd: folder }).toString();
    return out
      .split('\n')
      .filter(Boolean)
      .map((text) => text.split('\t')[0]);
  };

  test('offers commands, options and names after help', () => {
    assert.deepEqual(complete('maskflow ru'), ['run']);
    assert.ok(complete('maskflow ').includes('help'));
    assert.deepEqual(complete('maskflow help ru'), ['run']);
    assert.deepEqual(complete('maskflow run --batch-s'), ['--batch-size']);
    assert.ok(complete('maskflow run model.keras -').includes('-i'));
    assert.ok(!complete('maskflow info model.keras --').includes('--batch-size'));
  });
});

describe('zsh', { skip: absent('zsh') }, () => {
  test('accepts the program and completes the command with it', () => {
    const path = written('zsh');
    const code = `autoload -U compinit; compinit -u -D; source ${path}; print $_comps[maskflow]`;
    assert.equal(execFileSync('zsh', ['-f', '-c', code]).toString().trim(), '_maskflow');
    const text = readFileSync(path, 'utf8');
    assert.match(text, /\$words\[2\] == help/);
    assert.match(text, /'run:predicts'/);
  });
});
