// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';
import { sameNumbers } from '../../support/page_numbers.js';

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/page/steps.json', import.meta.url), 'utf8'),
).filter(({ chapter }) => chapter === 'cell');
const { Terms } = await pageModule(`export { Terms } from './chapters/cell/terms.ts';`);

for (const { set, masked } of recording) {
  test(`the equations have Keras's results: ${JSON.stringify(set)}`, async () => {
    for (const row of [0, 1, 2]) {
      const { data } = await runChapter('cell', { set: { ...set, row: String(row) } });
      sameNumbers(data.outputs, masked[0][row], 'layer');
      sameNumbers(
        data.moments.map(({ h }) => h),
        masked[0][row],
        'equations',
      );
    }
  });
}

/** Evaluates an equation with the numbers on view. */
function evaluate({ right: terms }) {
  const text = terms
    .map((part) => (typeof part === 'string' ? part : `(${part.value})`))
    .join('')
    .replaceAll('×', '*')
    .replaceAll('−', '-')
    .replaceAll('tanh', 'Math.tanh')
    .replaceAll('σ', 'sigmoid');
  return new Function('sigmoid', `return ${text}`)((value) => 1 / (1 + Math.exp(-value)));
}

test('NaN is said in words, and counts as equal where both are NaN', async () => {
  // The brush of chapter 4 paints word 2 of row 1.
  const set = { row: '1', nans: '1w2' };
  const before = await runChapter('cell', { set: { ...set, at: '1' } });
  assert.match(
    before.says,
    /^Unit 0 goes from .* are NaN at the same steps; elsewhere they differ by (exactly|less)/,
  );
  const at = await runChapter('cell', { set: { ...set, at: '2' } });
  assert.match(at.says, /^Unit 0 becomes NaN\. Over the 6 steps/);
  const after = await runChapter('cell', { set: { ...set, at: '3' } });
  assert.match(after.says, /^Unit 0 stays NaN\. /);
  const padding = await runChapter('cell', { set: { ...set, at: '5' } });
  assert.match(padding.says, /repeats its last output, to the last bit \(NaN\)/);
  for (const { says } of [before, at, after, padding]) assert.doesNotMatch(says, /by NaN|to NaN/);
});

for (const [kind, set] of Object.entries({
  lstm: { layer: 'lstm' },
  gru: { layer: 'gru' },
  'gru before': { layer: 'gru', resetAfter: '0' },
  simpleRNN: { layer: 'simpleRNN' },
})) {
  test(`each result says how its number was computed: ${kind}`, async () => {
    const { data } = await runChapter('cell', { set: { ...set, row: '1' } });
    const equations = new Terms(data, kind, 1, 0).equations();
    assert.ok(equations.length > 0);
    for (const { result } of equations) {
      const [, name, sum, value] = /([a-z]) = (.+) = (−?[\d.]+)\.$/.exec(result.from);
      assert.equal(name, result.symbol);
      const number = Number(value.replace('−', '-'));
      assert.ok(Math.abs(number - evaluate({ right: [sum] })) < 5e-4, result.from);
    }
    // A number says the same wherever it occurs.
    const origins = new Map(equations.map(({ result }) => [result.name, result.from]));
    for (const { right } of equations)
      for (const { name, from } of right.filter((part) => typeof part !== 'string'))
        if (origins.has(name)) assert.equal(from, origins.get(name));
  });

  test(`each line adds up, and each product is the sum that is shown: ${kind}`, async () => {
    const { data } = await runChapter('cell', { set: { ...set, row: '1' } });
    for (let step = 0; step < 5; step++) {
      for (const unit of [0, 1]) {
        const equations = new Terms(data, kind, step, unit).equations();
        for (const equation of equations) {
          assert.ok(Math.abs(evaluate(equation) - equation.result.value) < 1e-6, `${kind} ${step}`);
          for (const term of equation.right.filter((part) => typeof part !== 'string')) {
            const sum = /^([^=]+) = (\S+):/.exec(term.from.replaceAll('−', '-'));
            if (!sum || sum[1].includes('bias')) continue;
            const total = new Function(`return ${sum[1].replaceAll('×', '*')}`)();
            assert.ok(
              Math.abs(total - term.value) < 0.006,
              `${term.name}: ${total}, ${term.value}`,
            );
          }
        }
      }
    }
  });
}

test('a masked step has only its states; the layer repeats its last output', async () => {
  const { data, says, judged } = await runChapter('cell', {
    set: { row: '1', at: '2', holes: '1w2' },
  });
  assert.deepEqual(Object.keys(data.moments[2]).sort(), ['c', 'h']);
  assert.deepEqual(data.moments[2].h, data.moments[1].h);
  assert.match(
    says,
    /^The step is masked: maskflow skips it; Keras computes it and discards the result\. In both, the layer repeats its last output, to the last bit/,
  );
  assert.equal(judged.right, 'none');
  const firstStep = await runChapter('cell', { set: { row: '1', at: '0', holes: '1w0' } });
  assert.match(firstStep.says, /returns 0, since no step came before \(0\.0000\)/);
});

test('wrong settings are corrected, and programs have at most 15 lines besides the batch', async () => {
  for (const layer of ['lstm', 'gru', 'simpleRNN', 'none']) {
    for (const resetAfter of ['0', '1']) {
      const text = await programOf('cell', { layer, resetAfter, row: '77', at: '-1', unit: '9' });
      const lines = text
        .replace(/\[\n[\s\S]*?\n\]/, '[]')
        .split('\n')
        .filter((line) => line.trim() && !/^(import|await ready|const ids)/.test(line));
      assert.ok(lines.length <= 15, `${lines.length} lines`);
      const { says } = await runChapter('cell', {
        set: { layer, resetAfter, row: '77', at: 'x', unit: '9' },
      });
      assert.match(says, /differ by/);
    }
  }
  await assert.rejects(programOf('cell', {}, { text: '  ' }), /The batch has no words/);
});
