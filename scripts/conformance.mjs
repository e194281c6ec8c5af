// SPDX-License-Identifier: MIT
// Prints how many recorded Keras cases pass and their worst relative error, for each family of
// cases, each family of gradients (there: the share of the tolerance) and each format of recorded
// models: for both wasm variants and both mask rules.
//   --variant simd   that variant alone
//   --gradients      gradients alone
//   --family TEXT    families whose names contain TEXT
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { relaxedFlag } from './lib/relaxed-flag.mjs';

const { values: wanted } = parseArgs({
  options: {
    variant: { type: 'string' },
    gradients: { type: 'boolean' },
    family: { type: 'string', default: '' },
  },
});

const pad = (text, width) => String(text).padEnd(width);

function table(title, first, rows) {
  console.log(`\n${title}`);
  console.log(`  ${pad(first, 24)}${pad('passed / total', 18)}worst relative error`);
  for (const row of rows) {
    const counts = `${row.passed} / ${row.total}`;
    console.log(`  ${pad(row.family, 24)}${pad(counts, 18)}${row.worst.toExponential(1)}`);
    for (const problem of row.problems.slice(0, 5)) console.log(`      ${problem}`);
  }
  return rows.reduce((sum, { problems }) => sum + problems.length, 0);
}

async function reportGradients(variant) {
  const { ready } = await import('../dist/train.js');
  const { gradientFamilies, runGradients } = await import('../tests/support/gradients.js');
  await ready({ variant, onMaskDropped: 'silent' });
  const families = gradientFamilies.filter((family) => family.includes(wanted.family));
  const rows = families.map(runGradients).filter(({ total }) => total > 0);
  const failed = table(`${variant}, gradients`, 'family', rows);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function report(variant) {
  const { runAll } = await import('../tests/support/families.js');
  let failed = 0;
  for (const rule of ['keras-3.15', 'keras-3.16']) {
    failed += table(`${variant}, ${rule}`, 'family', await runAll(rule, variant, wanted.family));
  }
  process.exitCode = failed === 0 ? 0 : 1;
  if (wanted.family) return;
  const { runFormats } = await import('../tests/support/models.js');
  failed += table(`${variant}, model files`, 'format', await runFormats());
  process.exitCode = failed === 0 ? 0 : 1;
}

// Starts a process for each variant and for the training module, because a process chooses its
// runtime only once.
function launch(variant, gradients) {
  const flags = variant === 'relaxed' ? relaxedFlag(process.execPath) : [];
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(
    process.execPath,
    [...flags, script, '--variant', variant, '--family', wanted.family, ...gradients],
    { stdio: 'inherit' },
  );
  return status ?? 1;
}

if (wanted.variant) {
  await (wanted.gradients ? reportGradients : report)(wanted.variant);
} else {
  const codes = ['simd', 'relaxed'].flatMap((variant) =>
    [[], ['--gradients']].map((kind) => launch(variant, kind)),
  );
  process.exitCode = Math.max(...codes);
}
